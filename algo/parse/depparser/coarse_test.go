package depparser

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/chart"
	"parlance/algo/text"
)

// loaded is an annotator of a model with the sentence of a document.
func loaded(m *model, d *text.Document) *annotator {
	a := (&pool{}).get(m)
	a.known = &knowledge{}
	toks := d.Layer(text.Tokens.Name)
	a.sent.load(toks, m.columns(), 0, toks.N)
	return a
}

// TestCoarseIsFull: with a threshold of 0 all arcs are left, and with that of the pruner those of shorter sentences,
// so that the tree and its score are those of the usual chart.
func TestCoarseIsFull(t *testing.T) {
	for _, c := range []struct {
		factorization, roots string
		prune                float64
	}{{"sibling", "single", 0}, {"carreras", "multi", 0}, {"carreras", "single", 0.01}, {"model0", "single", 0},
		{"model1", "multi", 0.3}, {"model2", "single", 0}} {
		name := fmt.Sprintf("%s, roots %s, prune %v", c.factorization, c.roots, c.prune)
		m, docs, _ := trained(t, 1, arg("factorization", c.factorization), arg("roots", c.roots), arg("prune", c.prune),
			arg("epochs", 1), arg("labels", "none"))
		for _, n := range []int{1, 2, 7, 19} {
			a := loaded(m, long(docs[0], n))
			if err := a.parse(context.Background(), m, 1); err != nil {
				t.Fatal(err)
			}
			full := a.found[0]
			full.heads = slices.Clone(full.heads)
			a.w.heads = make([]int32, n+1)
			score, ok := a.refine(context.Background(), &a.sent, c.prune, math.MaxInt)
			if !ok || score != full.score || !slices.Equal(a.w.heads[1:], full.heads[1:]) {
				t.Errorf("%s, %d tokens: %v of score %v, want %v of %v", name, n, a.w.heads, score, full.heads, full.score)
			}
		}
	}
}

// TestCoarseFits: the threshold rises until parts and chart fit, and no further.
func TestCoarseFits(t *testing.T) {
	const n = 60
	m, docs, _ := trained(t, 1, arg("factorization", "carreras"), arg("prune", 0.0), arg("epochs", 1), arg("labels",
		"none"))
	a := loaded(m, long(docs[0], n))
	a.w.heads = make([]int32, n+1)
	size := func(numbers int) int {
		if _, ok := a.refine(context.Background(), &a.sent, 0, numbers); !ok {
			return 0
		}
		if f := tree.Check(a.w.heads, true); f != tree.Sound {
			t.Errorf("%d numbers: %v", numbers, f)
		}
		return a.w.parts.Len() + chart.Numbers(tree.Carreras, &a.w.parts)
	}
	all := size(math.MaxInt)
	if want := n*n*(n+1) + n*n*n; all < want {
		t.Fatalf("all arcs take %d numbers, at least %d are wanted", all, want)
	}
	if got := size(all); got != all {
		t.Errorf("what fits takes %d numbers in place of %d", got, all)
	}
	some := size(all - 1)
	if some >= all || some == 0 {
		t.Errorf("less than all, %d, takes %d numbers", all, some)
	}
	least := all
	for x := some; x > 0; x = size(x - 1) {
		least = x
	}
	if least > 8*n*(n+1) {
		t.Errorf("the fewest arcs take %d numbers", least)
	}
	if got := size(least - 1); got != 0 {
		t.Errorf("%d numbers fit into %d", got, least-1)
	}
}

// TestCoarseAlike: long sentences have the same trees with any number of workers, whatever was parsed before, and end
// with the context.
func TestCoarseAlike(t *testing.T) {
	for _, args := range [][]option.Arg{
		{arg("factorization", "carreras")}, {arg("factorization", "model1"), arg("prune", 0.0)},
		{arg("factorization", "carreras"), names("history", "shi", "sho")}, {arg("labels", "joint")},
	} {
		m, docs, _ := trained(t, 1, append(args, arg("epochs", 1))...)
		m.opt.maxLength = 10
		run := func(workers int, of ...int) (out []string) {
			var list []*text.Document
			for _, n := range of {
				list = append(list, long(docs[n%3], n))
			}
			if err := m.Annotate(context.Background(), list, &kind.Run{Workers: workers, Prob: true}); err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				l := d.Layer("dependencies")
				out = append(out, fmt.Sprint(l.Ints("head"), l.Strs("deprel"), d.Layer("parses").Strs("decoder"), l.Prob[0]))
			}
			return out
		}
		want := run(1, 40, 30, 12, 5, 25)
		if got := run(3, 40, 30, 12, 5, 25); !slices.Equal(got, want) {
			t.Errorf("three workers\n%v\none\n%v", got, want)
		}
		if got := run(1, 25); got[0] != want[4] {
			t.Errorf("alone\n%v\nwith others\n%v", got[0], want[4])
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := m.Annotate(ctx, []*text.Document{long(docs[0], 30)}, &kind.Run{Workers: 1}); err != context.Canceled {
			t.Errorf("a statement that has ended: %v", err)
		}
	}
}
