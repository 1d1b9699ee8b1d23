package kindtest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// roles trains without each input that the schema says may be left out, and wants the others in the case.
func roles(t *testing.T, c Case) {
	for _, role := range fresh(t, c).Schema().Roles {
		switch {
		case role.Name == "" || role.Doc == "":
			t.Errorf("role %q lacks a name or a doc", role.Name)
		case !role.Train && !role.Evaluate:
			t.Errorf("no statement takes an input AS %s", role.Name)
		case role.Train && !role.Optional && c.Roles[role.Name] == nil:
			t.Errorf("the case gives no input AS %s", role.Name)
		case role.Train && role.Optional:
			tr := training(c)
			tr.Roles = maps.Clone(c.Roles)
			delete(tr.Roles, role.Name)
			if err := guarded(func() error { return fresh(t, c).Train(background, tr) }); err != nil &&
				!errors.Is(err, kind.ErrNoData) {
				t.Errorf("without an input AS %s: %v", role.Name, err)
			}
		}
	}
}

// rankedInputs annotates documents of which there is one best output alone, without a probability, for kinds that ask
// for several or for prob.
func rankedInputs(t *testing.T, c Case) {
	m := trained(t, c, 1)
	docs := views(c.Test)
	for _, d := range docs {
		for _, u := range m.Schema().Reads {
			if l := d.Layer(u.Layer); l != nil && (u.NBest > 1 || u.Prob) {
				d.SetLayer(bestAlone(l, u))
			}
		}
	}
	for _, u := range units(m, docs) {
		if err := guarded(func() error { return m.Annotate(background, u, c.run(true, 0)) }); err != nil {
			t.Fatalf("one output alone, without prob: %v", err)
		}
	}
}

// metadata annotates documents with columns that the schema does not declare, which must change nothing, and without
// those that it does, which are NULL where a corpus lacks them.
func metadata(t *testing.T, c Case) {
	m := trained(t, c, 1)
	want := written(m, annotate(t, m, c.Test, c.run(false, 0)))
	more := views(c.Test)
	for i, d := range more {
		d.Fields = c.gold[i].Fields
	}
	if written(m, annotate(t, m, more, c.run(false, 0))) != want {
		t.Error("columns of documents that the schema does not declare change what is written")
	}
	schema := m.Schema()
	if len(schema.Fields) == 0 {
		return
	}
	none := views(c.Test)
	for _, d := range none {
		d.Fields = slices.DeleteFunc(slices.Clone(d.Fields), func(f text.Field) bool { return f.Name != schema.Group })
	}
	for _, u := range units(m, none) {
		if err := guarded(func() error { return m.Annotate(background, u, c.run(false, 0)) }); err != nil {
			t.Errorf("documents without %v: %v", schema.Fields, err)
		}
	}
}

// wholeUnits annotates groups, or corpora, from the last to the first, twice: none must know of another.
func wholeUnits(t *testing.T, c Case) {
	m := trained(t, c, 1)
	want := written(m, annotate(t, m, c.Test, c.run(false, 0)))
	for range 2 {
		docs := views(c.Test)
		list := units(m, docs)
		slices.Reverse(list)
		for _, u := range list {
			if err := m.Annotate(background, u, c.run(false, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if written(m, docs) != want {
			t.Fatal("a unit is annotated otherwise after others")
		}
	}
}

// bestAlone is a layer as a reader gets it from a model that gives neither n best outputs nor prob.
func bestAlone(l *text.Layer, u kind.LayerUse) *text.Layer {
	out := *l
	if l.Rank != nil {
		out = *l.Filter(func(i int) bool { return l.Rank[i] == 1 })
	}
	out.Rank, out.Prob = nil, slices.Repeat([]float64{math.NaN()}, out.N)
	if u.NBest > 1 {
		out.Rank = slices.Repeat([]int32{1}, out.N)
	}
	return &out
}

// guarded makes a panic an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
