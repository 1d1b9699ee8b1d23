package svmtagger

import (
	"fmt"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	for name, opts := range map[string][]option.Arg{
		"spans":  {arg("layer", "entities")},
		"split":  {arg("layer", "entities"), arg("split_o", "upos"), arg("orphan_i", "open")},
		"linear": {arg("layer", "entities"), arg("kernel", "linear"), arg("multiclass", "pairwise"), arg("split_o", "pos")},
		"rest":   {arg("layer", "upos"), arg("kernel", "linear"), arg("features", "form[0], label[-1], label[-1]|form[0]")},
		"plain":  {arg("layer", "upos"), arg("features", "form[-1..1]"), arg("probability", true)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:]})
		})
	}
}

func TestReading(t *testing.T) {
	for _, c := range []struct {
		labels []string
		open   bool
		want   string
	}{
		{[]string{"B-DNA", "I-RNA", "O"}, false, "[1-2 DNA]"},
		{[]string{"O", "I-DNA"}, false, "[]"},
		{[]string{"O", "I-DNA", "I-RNA"}, true, "[2-3 DNA]"},
		{[]string{"B-DNA", "B-DNA"}, false, "[1-1 DNA 2-2 DNA]"},
		{[]string{"I-DNA", "B-RNA", "I-RNA"}, false, "[2-3 RNA]"},
	} {
		var got []string
		for _, s := range spans(nil, 1, c.labels, c.open) {
			got = append(got, fmt.Sprintf("%d-%d %s", s.First, s.Last, s.Label))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v reads %v, want %s", c.labels, got, c.want)
		}
	}
	for class, want := range map[string]string{"O-NN": "O", "O": "O", "B-O-x": "B-O-x"} {
		if got := merge(class); got != want {
			t.Errorf("%s merges to %s, want %s", class, got, want)
		}
	}
}
