package coreference

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlocks packs random rows of few, some and many different places, and compares all that reads them with the rows.
func TestBlocks(t *testing.T) {
	const bits, both = 10, 7
	r := rand.New(rand.NewPCG(1, 2))
	w := make([]float32, 1<<bits)
	for i := range w {
		w[i] = r.Float32() - 0.5
	}
	b := &blocks{both: [2]int{both, both}}
	for round := range 3 { // in the memory of the round before
		b.reset()
		b.seen.row = ^uint32(0) - uint32(100*round) // the numbers of rows begin anew
		var raw [][][]uint32                        // by mention and template, places of the antecedents
		for n := range 150 {
			b.begin = append(b.begin, len(b.list))
			rows := make([][]uint32, both)
			for from := 0; from < n; from += width {
				size := min(width, n-from)
				var hashes []uint32
				for k := range rows {
					most := 1 + r.IntN([]int{1, 2, 5, 60, 1 << bits}[(k+n)%5])
					for range size {
						h := uint32(r.IntN(most))*7919%(1<<bits)<<(32-bits) | r.Uint32()>>bits
						hashes, rows[k] = append(hashes, h), append(rows[k], h>>(32-bits))
					}
				}
				b.add(hashes, size, 32-bits)
			}
			raw = append(raw, rows)
		}
		if kept := b.clone(); kept.bytes() != b.bytes() {
			t.Fatalf("a copy has %d bytes of %d", kept.bytes(), b.bytes())
		}
		kept := b.clone()
		for i, rows := range raw {
			for from := 0; from < i; from += width {
				size := min(width, i-from)
				got, want := make([]float32, size), make([]float32, size)
				gotG, wantG, by := make([]float64, len(w)), make([]float64, len(w)), make([]float64, size)
				for k := range by {
					by[k] = r.Float64()
				}
				for _, row := range rows {
					for k := range want {
						want[k] += w[row[from+k]]
						wantG[row[from+k]] += by[k]
					}
				}
				kept.sums(w, 1, i, from, got)
				kept.spread(gotG, 0, i, from, by)
				if !slices.Equal(got, want) || !slices.Equal(gotG, wantG) {
					t.Fatalf("mention %d from %d: sums or derivatives differ", i, from)
				}
			}
			for k := range i {
				var want []uint32
				for _, row := range rows {
					want = append(want, row[k])
				}
				for range 1 + k%2 {
					if got := kept.one(0, i, k, i); !slices.Equal(got, want) {
						t.Fatalf("candidate %d of %d has %v, want %v", k, i, got, want)
					}
				}
				if k%50 == 0 {
					kept.one(0, i, r.IntN(i), i)
				}
			}
		}
	}
}
