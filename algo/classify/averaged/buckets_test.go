package averaged

import (
	"math/rand/v2"
	"testing"
)

// TestBuckets compares the table with a map.
func TestBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		var pairs []uint32
		want := map[uint32]uint32{}
		for range n {
			b, r := rng.Uint32N(100)<<(n%25), rng.Uint32()
			pairs, want[b] = append(pairs, b, r), r
		}
		table := newBuckets(pairs)
		for b := range uint32(200) {
			b <<= n % 25
			row, ok := table.row(b)
			if r, there := want[b]; ok != there || row != r && ok {
				t.Fatalf("bucket %d: %d, %v, want %d, %v", b, row, ok, r, there)
			}
		}
		if _, ok := table.row(noBucket); ok {
			t.Error("a row of no bucket")
		}
	}
}

// TestAddAll compares sums of rows with those of one after the other, to the bit.
func TestAddAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	q := Quantiser{Dim: 6, Parts: 3, Size: 2, LastSize: 2, Centroids: make([]float32, centroids*6)}
	dense, coded := Matrix{Rows: 9, Columns: 6}, Matrix{Rows: 9, Columns: 6, Product: q}
	for range 9 * 6 {
		dense.Values = append(dense.Values, rng.Float32()-0.5)
	}
	for i := range q.Centroids {
		q.Centroids[i] = rng.Float32() - 0.5
	}
	for range 9 * 3 {
		coded.Codes = append(coded.Codes, byte(rng.Uint32()))
	}
	for _, m := range []*Matrix{&dense, &coded} {
		for n := range 12 {
			var list []int
			want, got := make([]float32, 6), make([]float32, 6)
			for range n {
				r := rng.IntN(9)
				list = append(list, r)
				for i := range want {
					if m.Values != nil {
						want[i] += m.Values[r*6+i]
					} else {
						want[i] += q.of(i/2, m.Codes[r*3+i/2])[i%2]
					}
				}
			}
			m.addAll(list, got)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%d rows: %v, want %v", n, got, want)
				}
			}
		}
	}
}
