package mrlsa

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/numeric/topk"
	"parlance/storage/value"
)

// TestRelated compares all rows of related with degrees of pairs, by every method, in one direction
// and both.
func TestRelated(t *testing.T) {
	const words = 700 // more than are scanned at once and than are sorted at first
	rng := rand.New(rand.NewPCG(1, 2))
	var triples [][]value.Value
	for i := range words {
		for range 3 {
			for _, relation := range []string{"synonym", "antonym", "hypernym"} {
				if i%10 != 0 || relation == "synonym" {
					triples = append(triples, row(fmt.Sprint("w", i), relation, fmt.Sprint("w", rng.IntN(words)), nil, nil))
				}
			}
		}
	}
	for _, method := range []string{byTucker, byPILSA, byRaw, byLookup} {
		m := train(t, triples, kindtest.Arg("method", method), kindtest.Arg("rank", 7), kindtest.Arg("sweeps", 3))
		for k, s := range m.Slices {
			one := relatedTo(t, m, 5, s.Name, 1)
			if three := relatedTo(t, m, 5, s.Name, 3); !slices.Equal(one, three) {
				t.Errorf("%s, %s: three workers have other rows than one", method, s.Name)
			}
			comparePairs(t, m, 5, k, one)
		}
	}
}

// comparePairs compares rows of related with the degrees of all pairs of a word.
func comparePairs(t *testing.T, m *model, i uint32, relation int, rows []topk.Item) {
	t.Helper()
	if !slices.IsSortedFunc(rows, topk.Compare) {
		t.Errorf("%s of %s do not fall", m.Slices[relation].Name, m.Words[i])
	}
	for _, x := range rows {
		if want, ok := m.of(i, x.ID, relation); !ok || math.Abs(x.Score-want) > 2e-6 {
			t.Errorf("%s of %s: %s has %v, want %v", m.Slices[relation].Name, m.Words[i], m.Words[x.ID], x.Score, want)
		}
	}
	n := 0
	for j := range uint32(len(m.Words)) {
		if _, ok := m.of(i, j, relation); ok && j != i {
			n++
		}
	}
	if len(rows) != n {
		t.Errorf("%d %ss of %s, want %d", len(rows), m.Slices[relation].Name, m.Words[i], n)
	}
}

func relatedTo(t *testing.T, m *model, i uint32, relation string, workers int) []topk.Item {
	t.Helper()
	rows, err := m.Open(background, "related", row(m.Words[i], relation), &kind.Run{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []topk.Item
	for {
		b, err := rows.Next(background)
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for r := range b.N {
			out = append(out, topk.Item{ID: m.index[b.Cols[0].At(r).S], Score: b.Cols[1].At(r).Float()})
		}
	}
}
