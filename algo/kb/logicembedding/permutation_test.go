package logicembedding

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/storage/value"
)

// exchanged names stand for each other, pairs as a whole.
var exchanged = strings.NewReplacer("profAt", "livesIn", "livesIn", "bornIn", "bornIn", "profAt", "worksFor",
	"registeredIn", "registeredIn", "worksFor",
	"JONES,UWASH", "EVANS,PARIS", "EVANS,PARIS", "JONES,UWASH", "JONES", "EVANS", "UWASH", "PARIS", "EVANS", "JONES",
	"PARIS", "UWASH")

// renamed is an input with names exchanged.
func renamed(in kind.Tables) kind.Tables {
	out := kind.Tables{}
	for table, list := range in {
		for _, r := range list {
			r = slices.Clone(r)
			for i, v := range r {
				if v.T == value.Text {
					r[i] = value.Str(exchanged.Replace(v.S))
				}
			}
			out[table] = append(out[table], r)
		}
	}
	return out
}

// TestRenaming: a permutation of the names of constants and relations permutes the truths, to the bit.
func TestRenaming(t *testing.T) {
	formulas := append(
		append([]string{byTheWay, "profAt(x) => worksFor(x)", "profAt(JONES,UWASH) and not bornIn(JONES,UWASH)"},
			impliedCells...), falseCells...)
	for seed := range uint64(3) {
		m, p := learn(t, paper(true), seed, nil), learn(t, renamed(paper(true)), seed, nil)
		for _, f := range formulas {
			if a, b := truthOf(t, m, f), truthOf(t, p, exchanged.Replace(f)); a != b {
				t.Errorf("%s is %v, and %s with other names %v", f, a, exchanged.Replace(f), b)
			}
		}
	}
}

// TestRenumbering: the same steps over constants and relations that have other numbers lead to the same
// vectors under those numbers, to the bit.
func TestRenumbering(t *testing.T) {
	reversed := paper(true)
	slices.Reverse(reversed["triples"])
	slices.Reverse(reversed["rules"])
	one := kindtest.Arg("epochs", 1)
	a, b := learn(t, paper(true), 1, nil, one), learn(t, reversed, 2, nil, one)
	pairs, relations, moved := make([]int32, a.know.domain.Len()), make([]int32, a.know.relations.Len()), false
	for i := range pairs {
		p := a.know.domain.Pair(int32(i))
		subject, _ := b.know.entities.Find(a.know.entities.Name(p.Subject))
		object, _ := b.know.entities.Find(a.know.entities.Name(p.Object))
		pairs[i], _ = b.know.domain.Find(logic.Pair{Subject: subject, Object: object})
		copy(b.emb.pair(pairs[i]), a.emb.pair(int32(i)))
		moved = moved || pairs[i] != int32(i)
	}
	for i := range relations {
		relations[i], _ = b.know.relations.Find(a.know.relations.Name(int32(i)))
		copy(b.emb.relation(relations[i]), a.emb.relation(int32(i)))
	}
	if !moved {
		t.Fatal("the numbers are the same")
	}
	rng := rand.New(rand.NewPCG(4, 4))
	x, y := &stepper{embedding: a.emb, eta: 0.05, l2: 0.05}, &stepper{embedding: b.emb, eta: 0.05, l2: 0.05}
	for range 2000 {
		r, p, target := rng.Int32N(int32(len(relations))), rng.Int32N(int32(len(pairs))),
			[]logic.Vec{logic.True, logic.False}[rng.IntN(2)]
		if rng.IntN(3) > 0 {
			if l, m := x.fact(r, p, target, 1), y.fact(relations[r], pairs[p], target, 1); l != m {
				t.Fatalf("the loss of a fact is %v and %v", l, m)
			}
			continue
		}
		k := rng.IntN(2)
		if l, m := x.instance(a.know.rules[k].bound, []int32{p, p}, 1),
			y.instance(b.know.rules[1-k].bound, []int32{pairs[p], pairs[p]}, 1); l != m {
			t.Fatalf("the loss of a rule is %v and %v", l, m)
		}
	}
	for r := range relations {
		for p := range pairs {
			if u, v := a.emb.atom(int32(r), int32(p)), b.emb.atom(relations[r], pairs[p]); u != v {
				t.Errorf("cell %d %d is %v and %v", r, p, u, v)
			}
		}
	}
}
