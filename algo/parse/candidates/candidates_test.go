package candidates

import (
	"testing"

	"parlance/algo/parse/constituent"
)

// TestPack: a tree is the same when it is unpacked, and labels keep their numbers.
func TestPack(t *testing.T) {
	l := &Labels{}
	for _, w := range []string{"(TOP (S (NP (DT the) (NN man)) (VP (VBD left))) (. .))", "(TOP (NN man))",
		"(TOP (S (S (VB go))))"} {
		tree, _, err := constituent.Parse(w)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := l.Pack(tree)
		if got := l.Unpack(p); !ok || !constituent.Equal(got, tree) {
			t.Errorf("%s, want %s", got, tree)
		}
	}
	if len(l.Names) != 9 {
		t.Errorf("labels %v", l.Names)
	}
}

// TestTally: goodness is F1 times the size of gold; the target is the best one, then the likeliest.
func TestTally(t *testing.T) {
	x := &Sentence{}
	gold, _, _ := constituent.Parse("(S (NP (NNP John)) (VP (VBD ate) (NP (NN cake)) (NP (NN today))))")
	for i, w := range []string{"(TOP (X (NNP John) (VBD ate) (NN cake) (NN today)))",
		"(S (NP (NNP John)) (VP (VP (VBD ate) (NP (NN cake))) (NP (NN today))))",
		"(S (NP (NNP John)) (VP (VP (VBD ate) (NP (NN cake))) (NP (NN today))))"} {
		tree, _, err := constituent.Parse(w)
		if err != nil {
			t.Fatal(err)
		}
		x.List = append(x.List, Candidate{Tree: tree, Log: float64(i), Answer: i == 1})
	}
	e := TallyOf(x, constituent.Brackets(gold))
	if e.Gold != 5 || e.Brackets[1] != 6 || e.Common[1] != 5 || e.Goodness(0) != 0 || e.Target() != 2 || e.Answer != 1 {
		t.Errorf("%+v, target %d", e, e.Target())
	}
	if g := e.Goodness(1); g < 5*0.909 || g > 5*0.9091 {
		t.Errorf("goodness %v, want 10/11 of 5", g)
	}
	var c Counts
	if c.F1() != 1 {
		t.Error("F1 of nothing is not 1")
	}
	c.Add(&e, 0, 1)
	c.Add(&e, 1, 1)
	c.Add(&e, 0, -1)
	if f := c.F1(); f != 10./11 {
		t.Errorf("F1 %v", f)
	}
}
