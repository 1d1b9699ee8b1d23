package tensor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// load reads triples of PARLANCE_DATA/kb. The sets, where wanted, are what stands at each side of each
// relation.
func load(tb testing.TB, name string, typed bool) *Problem {
	tb.Helper()
	dir := realdata.Folder(tb)
	text, err := os.ReadFile(filepath.Join(dir, "kb", name, "train.txt"))
	if err != nil {
		tb.Skipf("PARLANCE_DATA lacks a file: %v", err)
	}
	entities, relations := map[string]int32{}, map[string]int32{}
	id := func(m map[string]int32, s string) int32 {
		if _, ok := m[s]; !ok {
			m[s] = int32(len(m))
		}
		return m[s]
	}
	p := &Problem{}
	for line := range strings.Lines(string(text)) {
		w := strings.Split(strings.TrimSpace(line), "\t")
		k := id(relations, w[1])
		if int(k) == len(p.Relations) {
			p.Relations = append(p.Relations, Relation{})
		}
		r := &p.Relations[k]
		r.Subjects, r.Objects = append(r.Subjects, id(entities, w[0])), append(r.Objects, id(entities, w[2]))
	}
	p.Entities = len(entities)
	if typed {
		p.Sets = [][]int32{}
		for k := range p.Relations {
			r := &p.Relations[k]
			r.Left, r.Right = len(p.Sets), len(p.Sets)+1
			p.Sets = append(p.Sets, distinct(r.Subjects), distinct(r.Objects))
		}
	}
	return p
}

func distinct(list []int32) []int32 {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

// BenchmarkIteration times one step of A and all R_k, with two workers.
func BenchmarkIteration(b *testing.B) {
	for _, c := range []struct {
		name  string
		rank  int
		typed bool
	}{{"kinship", 50, false}, {"FB15k-237", 25, false}, {"FB15k-237", 50, false}, {"FB15k-237", 100, false},
		{"FB15k-237", 200, false}, {"FB15k-237", 300, false},
		{"kinship", 50, true}, {"FB15k-237", 50, true}, {"FB15k-237", 100, true}, {"WN18RR", 100, false}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/rank=%d/typed=%v/workers=%d", c.name, c.rank, c.typed, workers), func(b *testing.B) {
				p := load(b, c.name, c.typed)
				t, err := compile(p, c.rank)
				if err != nil {
					b.Fatal(err)
				}
				f := newFit(t, Options{Rank: c.rank, L2: 1, Init: Random, Workers: workers})
				if err := f.start(background); err != nil {
					b.Fatal(err)
				}
				value, err := f.pass(background, true)
				for b.Loop() && err == nil {
					value, _, err = f.iterate(background, value, true)
				}
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkStart times the eigenvectors.
func BenchmarkStart(b *testing.B) {
	for _, name := range []string{"kinship", "FB15k-237", "WN18RR"} {
		b.Run(name, func(b *testing.B) {
			p := load(b, name, false)
			rank := min(100, p.Entities)
			t, err := compile(p, rank)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := t.symmetric().top(background, rank, 1, 2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
