package candidates

import (
	"math"
	"testing"

	"parlance/algo/parse/constituent"
	"parlance/algo/text"
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

// TestSpans: spans are worth what they lack of errors.
func TestSpans(t *testing.T) {
	a, b := text.Span{Sent: 1, First: 1, Last: 2, Label: "PER"}, text.Span{Sent: 1, First: 4, Last: 4, Label: "LOC"}
	x := &Sentence{List: []Candidate{{Spans: []text.Span{a, b}}, {Spans: []text.Span{a}}, {}}}
	for i, gold := range [][]text.Span{{a, b}, {b}, nil} {
		e := TallyOf(x, bracketsOf(gold))
		want := [][]float64{{0, -1, -2}, {-1, -2, -1}, {-2, -1, 0}}[i]
		for k := range want {
			if e.Goodness(k) != want[k] {
				t.Errorf("gold %v: candidate %d is worth %v, want %v", gold, k, e.Goodness(k), want[k])
			}
		}
		if e.Target() != []int{0, 0, 2}[i] {
			t.Errorf("gold %v: the target is %d", gold, e.Target())
		}
	}
}

// TestListed: the first rank without rows is the labelling without spans, with what is left of the probability, between
// its neighbours; ranks beyond are none.
func TestListed(t *testing.T) {
	o := &Options{Layer: "entities", Count: 5}
	row := func(rank int, prob float64) rankedSpan {
		return rankedSpan{text.Span{Sent: 1, First: int32(rank), Last: int32(rank), Label: "X"}, rank, prob}
	}
	for _, c := range []struct {
		rows []rankedSpan
		want []float64
		none int // place of the one without spans
	}{
		{[]rankedSpan{row(1, 0.5), row(1, 0.5), row(2, 0.2)}, []float64{0.5, 0.2, 0.2}, 2},
		{[]rankedSpan{row(1, 0.5), row(3, 0.1)}, []float64{0.5, 0.4, 0.1}, 1},
		{[]rankedSpan{row(2, 0.1), row(3, 0.05)}, []float64{0.85, 0.1, 0.05}, 0},
		{[]rankedSpan{row(1, 0.3), row(3, 0.1), row(4, 0.1)}, []float64{0.3, 0.3, 0.1, 0.1}, 1},
		{nil, []float64{1}, 0},
	} {
		list := o.listed(c.rows)
		if len(list) != len(c.want) {
			t.Errorf("%v: %d candidates, want %d", c.rows, len(list), len(c.want))
			continue
		}
		for i, x := range list {
			if math.Abs(math.Exp(x.Log)-c.want[i]) > 1e-9 || (len(x.Spans) == 0) != (i == c.none) || x.Answer != (i == 0) {
				t.Errorf("%v: candidate %d is %+v, want probability %v", c.rows, i, x, c.want[i])
			}
		}
	}
}
