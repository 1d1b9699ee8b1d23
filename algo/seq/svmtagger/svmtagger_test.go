package svmtagger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Resumes: true}, map[string][]option.Arg{
		"spans":  {arg("layer", "entities")},
		"split":  {arg("layer", "entities"), arg("split_o", "upos"), arg("orphan_i", "open")},
		"parts":  {arg("layer", "entities"), arg("split_o", "upos"), arg("part_machines", true)},
		"linear": {arg("layer", "entities"), arg("kernel", "linear"), arg("multiclass", "pairwise"), arg("split_o", "pos")},
		"rest":   {arg("layer", "upos"), arg("kernel", "linear"), arg("features", "form[0], label[-1], label[-1]|form[0]")},
		"plain":  {arg("layer", "upos"), arg("features", "form[-1..1]"), arg("probability", true)},
	})
}

// train returns what a model with the options writes on documents that it has not seen, with its
// support vectors in words.
func train(t *testing.T, opts ...option.Arg) string {
	t.Helper()
	docs := kindtest.Sample(30)
	for _, d := range docs {
		l := d.Layer("tokens")
		l.Cols[8].Strs = slices.Repeat([]string{"x"}, l.N)
		if !slices.Equal(l.Strs("feats"), l.Cols[8].Strs) {
			t.Fatal("column 8 is not feats")
		}
	}
	m, s, ctx := Kind().New().(*model), &option.Set{}, context.Background()
	m.Options(s)
	if err := s.Apply(append(opts, kindtest.Arg("layer", "entities"))); err != nil {
		t.Fatal(err)
	}
	err := m.Train(ctx, &kind.Training{On: kind.Documents(docs[:20]), Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Annotate(ctx, docs[20:], &kind.Run{Prob: true}); err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintln(len(m.Labels), m.Machines.Count(), m.before())
	for _, d := range docs[20:] {
		l := d.Layer("entities")
		out += fmt.Sprintln(l.N, l.Cols, l.Prob)
	}
	return out
}

// TestOnePart: where all tokens outside are in one part, splitting changes nothing.
func TestOnePart(t *testing.T) {
	whole := train(t)
	if split := train(t, kindtest.Arg("split_o", "feats")); split != whole {
		t.Errorf("one part:\n%s\nnot split:\n%s", split, whole)
	}
}

// TestPartMachines: parts of O have machines, and are labels for features, where they are wanted.
func TestPartMachines(t *testing.T) {
	for _, c := range []struct {
		parts bool
		want  string
	}{{false, "7 18 [O I-PER B-PER B-LOC I-LOC]\n"}, {true, "7 21 [O-V I-PER B-PER O-N O-P B-LOC I-LOC]\n"}} {
		if got := train(t, kindtest.Arg("split_o", "upos"), kindtest.Arg("part_machines", c.parts)); !strings.HasPrefix(got,
			c.want) {
			t.Errorf("part_machines = %v:\n%.40q, want %q", c.parts, got, c.want)
		}
	}
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	for _, opts := range [][]option.Arg{{kindtest.Arg("part_machines", true)},
		{kindtest.Arg("part_machines", true), kindtest.Arg("split_o", "pos"), kindtest.Arg("kernel", "linear")}} {
		if s.Apply(opts) == nil {
			t.Errorf("%v are taken", opts)
		}
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
