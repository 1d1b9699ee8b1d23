package record

import (
	"strconv"
	"testing"

	"parlance/algo/engine/mcmc"
)

// TestIndex compares numbers of texts with a map, through all sizes of the table.
func TestIndex(t *testing.T) {
	x, want, r := newTexts(), map[string]int32{}, mcmc.NewRand(4)
	for range 20000 {
		s := strconv.Itoa(r.Intn(5000))
		if r.Intn(50) == 0 {
			s = ""
		}
		k, ok := want[s]
		if found, there := x.index.Find([]byte(s)); there != ok || ok && found != k {
			t.Fatalf("%q is %d, %v, want %d, %v", s, found, there, k, ok)
		}
		if !ok {
			k = int32(len(want))
			want[s] = k
		}
		if got := x.of([]byte(s)); got != k || string(x.at(got)) != s {
			t.Fatalf("%q is %d (%q), want %d", s, got, x.at(got), k)
		}
	}
	if len(x.ends) != len(want) {
		t.Errorf("%d texts, want %d", len(x.ends), len(want))
	}
}

// TestPages: records lie whole in their pages, however many there are.
func TestPages(t *testing.T) {
	s, r := &Store{}, mcmc.NewRand(5)
	var want [][]entry
	for i := range 300 {
		row := make([]entry, r.Intn(3000))
		if i == 100 {
			row = make([]entry, mostTerms)
		}
		for k := range row {
			row[k] = entry{int32(r.Intn(1 << 20)), int16(k), uint16(i)}
		}
		s.push(row)
		want = append(want, row)
	}
	for i, row := range want {
		got := s.of(int32(i))
		if len(got) != len(row) {
			t.Fatalf("record %d has %d entries, want %d", i, len(got), len(row))
		}
		for k := range row {
			if got[k] != row[k] {
				t.Fatalf("entry %d of record %d is %v, want %v", k, i, got[k], row[k])
			}
		}
	}
}
