package pairrelation

import (
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/storage/value"
)

// TestExplain: the weights of the features add up to the margin, and either order of the terms has the
// same answer.
func TestExplain(t *testing.T) {
	res := toyCase().Resources
	m := trainedOn(t, judgedPairs, res, kindtest.Arg("lexicon", "wn"), kindtest.Arg("labeller", "maxent"),
		kindtest.Arg("min_count", 1))
	run := &kind.Run{Resources: res, Workers: 1}
	ask := func(a, b string) kind.Decision {
		x, err := m.Explain(background, nil, kind.At{Relation: "pair", Args: []value.Value{value.Str(a), value.Str(b)}}, run)
		if err != nil || len(x.Decisions) != 1 {
			t.Fatal(x, err)
		}
		return x.Decisions[0]
	}
	for _, pair := range [][2]string{{"hot", "cold"}, {"dog", "hound"}, {"wheel", "car"}, {"festival", "music festival"},
		{"fit", "unfit"}} {
		d := ask(pair[0], pair[1])
		sum := 0.0
		for _, c := range d.Contributions {
			sum += c.Value * c.Weight
		}
		if math.Abs(sum-d.Margin) > 1e-9 || d.RunnerUp == d.Outcome || !(d.Prob > 0 && d.Prob <= 1) {
			t.Errorf("%v: weights add up to %v, the margin is %v; %s before %s with %v", pair, sum, d.Margin, d.Outcome,
				d.RunnerUp, d.Prob)
		}
		one, other := opened(t, m, res, "pair", value.Str(pair[0]), value.Str(pair[1])),
			opened(t, m, res, "pair", value.Str(pair[1]), value.Str(pair[0]))
		if one[0][0].S != d.Outcome || other[0][0].S != d.Outcome ||
			math.Abs(one[0][3].Float()-other[0][3].Float()) > 1e-12 || one[0][2].S != "" && one[0][2].S == other[0][2].S {
			t.Errorf("%v is %v, the other way round %v", pair, one[0], other[0])
		}
	}
	if _, err := m.Explain(background, nil, kind.At{Relation: "report"}, run); err == nil ||
		!strings.Contains(err.Error(), "pair(term1, term2)") {
		t.Errorf("a report is explained: %v", err)
	}
}

// TestUndecidable: below min_prob a label is y with the probability of what was most probable.
func TestUndecidable(t *testing.T) {
	res := toyCase().Resources
	train := func(least float64) *model {
		return trainedOn(t, judgedPairs, res, kindtest.Arg("lexicon", "wn"), kindtest.Arg("labeller", "maxent"),
			kindtest.Arg("min_count", 1), kindtest.Arg("min_prob", least))
	}
	sure, all := train(0), train(1)
	args := []value.Value{value.Str("hot"), value.Str("cold")}
	d, y := opened(t, sure, res, "pair", args...)[0], opened(t, all, res, "pair", args...)[0]
	p := d[3].Float()
	if d[0].S != "d" || y[0].S != "y" || y[1].S != "undecidable" || y[3].Float() != p || !y[2].IsNull() || !y[4].IsNull() {
		t.Errorf("%v, below min_prob %v", d, y)
	}
	if got := opened(t, train(p), res, "pair", args...)[0]; got[0].S != "d" {
		t.Errorf("at min_prob %v", got)
	}
	x, err := all.Explain(background, nil, kind.At{Relation: "pair", Args: args}, &kind.Run{Resources: res, Workers: 1})
	if err != nil || x.Decisions[0].Outcome != "y" || len(x.Decisions[0].Contributions) == 0 {
		t.Errorf("%v %v", x, err)
	}
	if r := opened(t, all, res, "report", value.Str("labelled"))[0]; r[1].S != "y" ||
		r[3].Float() != float64(len(all.pairs)) {
		t.Errorf("not all pairs are undecidable: %v", r)
	}
}

// TestRefused has inputs that no model may learn from.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		row  map[string]any
		want string
	}{
		{map[string]any{"term1": "a", "term2": " "}, "empty"},
		{map[string]any{"term1": "a", "term2": "b", "rank": 0}, "rank is 0"},
		{map[string]any{"term1": "a", "term2": "b", "weight": math.NaN()}, "weight is NaN"},
		{map[string]any{"term1": "a", "term2": "b", "count1": -3.0}, "count1 is -3"},
		{map[string]any{"term1": "a", "term2": "b", "label": "h", "direction": "up"}, "direction is up"},
		{map[string]any{"term1": "a", "term2": "b", "label": "antonim"}, "did you mean antonym"},
	} {
		_, _, err := readPairs(background, kind.Tables{"pairs": {row(c.row)}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%v: %v", c.row, err)
		}
	}
}
