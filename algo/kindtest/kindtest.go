// Package kindtest is the test that every kind of model passes, and toy kinds of the shapes
// that the contract allows.
package kindtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Case is a kind with data that it can learn: documents, or tables.
type Case struct {
	Kind    kind.Kind
	Options []option.Arg
	Train   []*text.Document // with the gold layers
	Test    []*text.Document // of kinds that write layers: with what the model reads, and gold, which it does not see
	Resumes bool             // trainings keep checkpoints, after one step or more
	Anew    bool             // with these options the kind starts from no model, though it does with others

	Tables  kind.Tables           // what is learned from in place of Train
	Roles   map[string]kind.Input // further inputs of Train
	Gold    kind.Input            // what Evaluate scores, nil for kinds scored by layers
	Queries []Query               // one at least for each relation with arguments that must be given

	Clusters *Clusters // of kinds whose relation lists items with their clusters, may be nil

	Resources kind.Resources // what the kind looks into, may be nil

	models map[int]kind.Model // trained, by workers: they never change
	gold   []*text.Document   // Test as it was given
	name   string             // tells the cases of a test binary apart
}

// input is what the kind learns from.
func (c Case) input() kind.Input {
	if c.Tables != nil {
		return c.Tables
	}
	return kind.Documents(c.Train)
}

// Arg is an option by name.
func Arg(name string, v any) option.Arg {
	switch v := v.(type) {
	case int:
		return option.Arg{Name: name, Value: value.Int(int64(v))}
	case float64:
		return option.Arg{Name: name, Value: value.Real(v)}
	case bool:
		return option.Arg{Name: name, Value: value.Bool(v)}
	}
	return option.Arg{Name: name, Value: value.Str(fmt.Sprint(v))}
}

// Variants runs the case with further options, a subtest for each of the variants. Where the case has no documents, the
// kind learns from 20 of Sample and is tested on 10.
func Variants(t *testing.T, c Case, variants map[string][]option.Arg) {
	for name, opts := range variants {
		t.Run(name, func(t *testing.T) {
			now := c
			now.Options = slices.Concat(c.Options, opts)
			if c.Train == nil {
				docs := Sample(30)
				now.Train, now.Test = docs[:20], docs[20:]
			}
			Run(t, now)
		})
	}
}

// Run checks the kind against the contract. It trains one model with one worker, another with two
// and, but for short tests, one to compare with the first; what else is
// trained is said in its test.
func Run(t *testing.T, c Case) {
	c.models, c.name = map[int]kind.Model{}, caseName(t)
	c.gold, c.Test = c.Test, asked(fresh(t, c).Schema(), c.Test)
	if child(t, c) {
		return
	}
	if os.Getenv("PARLANCE_LARGE") == "only" {
		t.Run("large inputs", func(t *testing.T) { largeInputs(t, c) })
		return
	}
	t.Run("declaration", func(t *testing.T) { declaration(t, c) })
	t.Run("no data", func(t *testing.T) { noData(t, c) })
	t.Run("unreadable", func(t *testing.T) { unreadable(t, c) })
	t.Run("same bytes", func(t *testing.T) { sameBytes(t, c) })
	t.Run("save and load", func(t *testing.T) { saveLoad(t, c) })
	t.Run("fresh process", func(t *testing.T) { freshProcess(t, c) })
	t.Run("damage", func(t *testing.T) { damage(t, c) })
	t.Run("cancelled training", func(t *testing.T) { cancelledTraining(t, c) })
	runAnnotation(t, c)
	t.Run("odd numbers", func(t *testing.T) { numbers(t, c) })
	t.Run("lost errors", func(t *testing.T) { lostErrors(t, c) })
	t.Run("relations", func(t *testing.T) { relations(t, c) })
	t.Run("queries", func(t *testing.T) { queries(t, c) })
	t.Run("large inputs", func(t *testing.T) { largeInputs(t, c) })
	runOptional(t, c)
}

// runAnnotation runs the tests of kinds that annotate documents.
func runAnnotation(t *testing.T, c Case) {
	if len(c.Test) > 0 {
		t.Run("layers", func(t *testing.T) { layers(t, c) })
		t.Run("baseline", func(t *testing.T) { baseline(t, c) })
		t.Run("odd documents", func(t *testing.T) { oddDocuments(t, c) })
		t.Run("inputs stay", func(t *testing.T) { inputsStay(t, c) })
		t.Run("prob", func(t *testing.T) { prob(t, c) })
		t.Run("concurrent", func(t *testing.T) { concurrent(t, c) })
		t.Run("cancel", func(t *testing.T) { cancelled(t, c) })
		t.Run("explain", func(t *testing.T) { explain(t, c) })
		t.Run("metadata", func(t *testing.T) { metadata(t, c) })
	}
	if len(c.Test) > 0 && fresh(t, c).Schema().Unit != kind.PerDocument {
		t.Run("units", func(t *testing.T) { wholeUnits(t, c) })
	}
}

// runOptional runs the tests of what only some kinds have.
func runOptional(t *testing.T, c Case) {
	if c.Clusters != nil {
		t.Run("clusters of items", func(t *testing.T) { clustersOfItems(t, c) })
	}
	if c.Gold != nil {
		t.Run("evaluate", func(t *testing.T) { evaluated(t, c) })
	}
	if len(fresh(t, c).Schema().Ranked) > 0 {
		t.Run("n best", func(t *testing.T) { nBest(t, c) })
	}
	if s := fresh(t, c).Schema(); len(c.Test) > 0 && s.Unit != kind.PerDocument &&
		slices.ContainsFunc(s.Writes, func(u kind.LayerUse) bool { return u.Layer == text.Mentions.Name }) {
		t.Run("clusters across documents", func(t *testing.T) { clustersAcrossDocuments(t, c) })
	}
	if len(c.Test) > 0 && len(fresh(t, c).Schema().Writes) > 1 {
		t.Run("some layers", func(t *testing.T) { someLayers(t, c) })
	}
	if len(fresh(t, c).Schema().Roles) > 0 {
		t.Run("roles", func(t *testing.T) { roles(t, c) })
	}
	asks := func(u kind.LayerUse) bool { return u.NBest > 1 || u.Prob }
	if len(c.Test) > 0 && slices.ContainsFunc(fresh(t, c).Schema().Reads, asks) {
		t.Run("ranked inputs", func(t *testing.T) { rankedInputs(t, c) })
	}
	if len(fresh(t, c).Schema().Resources) > 0 {
		t.Run("missing resources", func(t *testing.T) { missingResources(t, c) })
	}
	if c.Kind.Starts && !c.Anew {
		t.Run("init", func(t *testing.T) { starts(t, c) })
	}
	if _, ok := kind.Unwrap(fresh(t, c)).(kind.Sharded); ok {
		t.Run("shards", func(t *testing.T) { overShards(t, c) })
	}
	if c.Resumes {
		t.Run("resume", func(t *testing.T) { resume(t, c) })
	}
}

func declaration(t *testing.T, c Case) {
	if c.Kind.Name == "" || c.Kind.Doc == "" {
		t.Error("name and doc are wanted")
	}
	m, s := c.Kind.New(), &option.Set{}
	m.Options(s)
	for _, d := range s.Decls() {
		if d.Doc == "" {
			t.Errorf("option %s has no doc", d.Name)
		}
	}
	if err := s.Apply([]option.Arg{Arg("no_such_option", 1)}); err == nil {
		t.Error("an unknown option is accepted")
	}
	phases := []option.Phase{option.Train, option.Predict, option.Run}
	again, restored := c.Kind.New(), &option.Set{}
	again.Options(restored)
	if err := s.Apply(c.Options); err != nil {
		t.Errorf("the options of the case: %v", err)
	} else if err := restored.Recall(s.Values(phases...)); err != nil {
		t.Errorf("its own values do not come back: %v", err)
	} else if got, want := restored.Values(phases...), s.Values(phases...); !slices.Equal(got, want) {
		t.Errorf("its own values come back as %v, want %v", got, want)
	}
	schema := fresh(t, c).Schema()
	if len(schema.Writes) == 0 && len(schema.Relations) == 0 {
		t.Error("it writes no layer and has no relation")
	}
	for _, name := range schema.Ranked {
		if !slices.ContainsFunc(schema.Writes, func(w kind.LayerUse) bool { return w.Layer == name }) {
			t.Errorf("n best %s are announced and not written", name)
		}
	}
	for _, d := range schema.Defs {
		if d.Doc == "" || text.Builtins(d.Name) != nil ||
			!slices.ContainsFunc(schema.Writes, func(w kind.LayerUse) bool { return w.Layer == d.Name }) {
			t.Errorf("layer %s of its own lacks a doc, has the name of another or is not written", d.Name)
		}
	}
	for _, r := range schema.Relations {
		if r.Doc == "" || len(r.Columns) == 0 {
			t.Errorf("relation %s lacks doc or columns", r.Name)
		}
	}
}

func noData(t *testing.T, c Case) {
	if c.Tables != nil {
		noRows(t, c)
		return
	}
	if len(fresh(t, c).Schema().Learns) == 0 {
		t.Skip("the kind learns no layer")
	}
	m, tr := fresh(t, c), training(c)
	tr.On = kind.Documents(nil)
	if err := m.Train(background, tr); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without documents: %v, want ErrNoData", err)
	}
	one := c
	one.Train = c.Train[:1]
	m = fresh(t, one)
	if err := m.Train(background, training(one)); err != nil && !errors.Is(err, kind.ErrNoData) {
		t.Errorf("with one document: %v", err)
	}
}

func sameBytes(t *testing.T, c Case) {
	want := encoded(t, trained(t, c, 1))
	equal := func(m kind.Model) bool { return maps.EqualFunc(want, encoded(t, m), bytes.Equal) }
	if !testing.Short() && !equal(train(t, c, 1)) {
		t.Error("two trainings give different bytes")
	}
	if !equal(trained(t, c, 2)) {
		t.Error("2 workers give other bytes than 1")
	}
}

func saveLoad(t *testing.T, c Case) {
	m := trained(t, c, 1)
	again := fresh(t, c)
	if err := again.Decode(encoded(t, m).reader()); err != nil {
		t.Fatal(err)
	}
	r := c.run(true, 0)
	if x, y := written(m, annotate(t, m, c.Test, r))+c.answers(t, m), written(again, annotate(t, again, c.Test, r))+
		c.answers(t, again); x != y {
		t.Errorf("the loaded model answers otherwise:\n%s\n%s", x, y)
	}
	if !maps.EqualFunc(encoded(t, m), encoded(t, again), bytes.Equal) {
		t.Error("the loaded model encodes to other bytes")
	}
	sameSchemas(t, m.Schema(), again.Schema())
}

// sameSchemas checks that the schema which training records, as JSON, is that of the loaded model: statements are bound
// by either.
func sameSchemas(t *testing.T, trained, loaded kind.Schema) {
	p, err := json.Marshal(trained)
	if err != nil {
		t.Fatal(err)
	}
	var recorded kind.Schema
	if err := json.Unmarshal(p, &recorded); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(recorded, loaded) {
		t.Errorf("the recorded schema is not that of the loaded model:\n%+v\n%+v", recorded, loaded)
	}
}

// layers checks what is written as the database does.
func layers(t *testing.T, c Case) {
	m := trained(t, c, 1)
	schema := m.Schema()
	runs := []*kind.Run{c.run(false, 0), c.run(true, 0)}
	if len(schema.Ranked) > 0 {
		runs = append(runs, c.run(true, 3))
	}
	for _, r := range runs {
		for i, d := range annotate(t, m, c.Test, r) {
			for _, w := range schema.Writes {
				def := schema.Def(w.Layer)
				if def == nil {
					def = text.Builtins(w.Layer)
				}
				if l := d.Layer(w.Layer); l != nil && def == nil {
					t.Errorf("%s: nothing declares the layer %s", d.ID, w.Layer)
				} else if l != nil && w.CutsText() {
					if err := d.VerifyTokens(l); err != nil {
						t.Errorf("%s: %s: %v", d.ID, w.Layer, err)
					}
				} else if l != nil {
					if err := d.Verify(l, def, c.Test[i].Layer(text.Tokens.Name)); err != nil {
						t.Errorf("%s: %s: %v", d.ID, w.Layer, err)
					}
				}
			}
		}
	}
}

func oddDocuments(t *testing.T, c Case) {
	m := trained(t, c, 1)
	empty := &text.Document{ID: "empty"}
	empty.SetLayer(text.NewLayer(text.Tokens))
	for _, d := range []*text.Document{{ID: "bare", Text: "no layers"}, empty} {
		v := *d
		v.Fields = c.Test[0].Fields
		if err := m.Annotate(background, []*text.Document{&v}, c.run(true, 0)); err != nil {
			t.Errorf("document %s: %v", d.ID, err)
		}
	}
	if err := m.Annotate(background, nil, c.run(false, 0)); err != nil {
		t.Errorf("no documents: %v", err)
	}
}

func inputsStay(t *testing.T, c Case) {
	m := trained(t, c, 1)
	before := fmt.Sprintf("%+v", deep(c.Test))
	annotate(t, m, c.Test, c.run(true, 0))
	if fmt.Sprintf("%+v", deep(c.Test)) != before {
		t.Error("annotation changes what it reads")
	}
}

// deep makes layers printable.
func deep(docs []*text.Document) []any {
	var out []any
	for _, d := range docs {
		for _, l := range d.Layers {
			out = append(out, d.ID, l.Name, fmt.Sprint(l.Cols))
		}
	}
	return out
}

func prob(t *testing.T, c Case) {
	m := trained(t, c, 1)
	with := annotate(t, m, c.Test, c.run(true, 0))
	for _, d := range with {
		for _, w := range m.Schema().Writes {
			l := d.Layer(w.Layer)
			if l == nil {
				continue
			}
			if len(m.Schema().Defs) > 0 && !slices.Contains(text.Builtin, l.Def) {
				l.Prob = nil
				continue
			}
			if err := soundProb(m.Schema().Prob, l); err != nil {
				t.Fatalf("%s: %v", d.ID, err)
			}
			l.Prob = nil
		}
	}
	without := annotate(t, m, c.Test, c.run(false, 0))
	if x, y := written(m, with), written(m, without); x != y {
		t.Errorf("asking for prob changes the answer:\n%s\n%s", x, y)
	}
}

// soundProb checks prob of a layer against what the schema says of it. Rows without prob are NaN.
func soundProb(what kind.Probability, l *text.Layer) error {
	if what == kind.NoProb && l.Prob == nil {
		return nil
	}
	if len(l.Prob) != l.N {
		return fmt.Errorf("%d probabilities for %d rows", len(l.Prob), l.N)
	}
	for _, p := range l.Prob {
		if what == kind.NoProb && !math.IsNaN(p) || what != kind.NoProb && !(p >= 0 && p <= 1) {
			return fmt.Errorf("probability %v, and the schema says that prob is %s", p, what)
		}
	}
	return nil
}

func nBest(t *testing.T, c Case) {
	m := trained(t, c, 1)
	one, five := annotate(t, m, c.Test, c.run(false, 0)), annotate(t, m, c.Test, c.run(false, 5))
	for i, d := range five {
		for _, name := range m.Schema().Ranked {
			l, first := d.Layer(name), one[i].Layer(name)
			if len(l.Rank) != l.N || len(l.Prob) != l.N {
				t.Fatalf("%s: %d ranks and %d probabilities for %d rows", d.ID, len(l.Rank), len(l.Prob), l.N)
			}
			best := 0
			for k, r := range l.Rank {
				if r == 1 {
					best++
				}
				if r < 1 || r > 5 {
					t.Fatalf("%s: rank %d", d.ID, r)
				}
				for j, q := range l.Rank {
					same := l.Def == text.Labels || l.Cols[0].Ints[j] == l.Cols[0].Ints[k]
					if same && q > r && l.Prob[j] > l.Prob[k]+1e-9 {
						t.Fatalf("%s: rank %d has probability %v, rank %d %v", d.ID, r, l.Prob[k], q, l.Prob[j])
					}
				}
			}
			if best != first.N {
				t.Fatalf("%s: %d rows of rank 1, the best output has %d", d.ID, best, first.N)
			}
		}
	}
}

// someLayers asks for one layer at a time: it is as among all of them. All that are declared are written somewhere.
func someLayers(t *testing.T, c Case) {
	m := trained(t, c, 1)
	all := annotate(t, m, c.Test, c.run(true, 0))
	for _, w := range m.Schema().Writes {
		r := c.run(true, 0)
		r.Wanted = []string{w.Layer}
		some, there := annotate(t, m, c.Test, r), false
		for i, d := range all {
			want, got := d.Layer(w.Layer), some[i].Layer(w.Layer)
			there = there || want != nil
			if want != nil && (got == nil || got.N != want.N) {
				t.Fatalf("%s: %s alone is %v, among all %v", d.ID, w.Layer, got, want)
			}
		}
		if !there {
			t.Errorf("no document gets the declared layer %s", w.Layer)
		}
	}
}

func concurrent(t *testing.T, c Case) {
	m := trained(t, c, 2)
	want := written(m, annotate(t, m, c.Test, c.run(true, 0)))
	got := make([]string, 4)
	parallel.Each(len(got), len(got), func(_, i int) {
		docs := views(c.Test)
		for _, u := range units(m, docs) {
			if err := m.Annotate(background, u, c.run(true, 0)); err != nil {
				got[i] = err.Error()
				return
			}
		}
		got[i] = written(m, docs)
	})
	for _, g := range got {
		if g != want {
			t.Fatal("concurrent annotation gives another answer")
		}
	}
}

func cancelledTraining(t *testing.T, c Case) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := fresh(t, c).Train(ctx, training(c)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled training gives %v", err)
	}
}

func cancelled(t *testing.T, c Case) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	m := trained(t, c, 1)
	if err := m.Annotate(ctx, units(m, views(c.Test))[0], c.run(false, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled annotation gives %v", err)
	}
}

// explain checks that the margin of a decision is the sum of what speaks for and against it.
func explain(t *testing.T, c Case) {
	m := trained(t, c, 1)
	docs := views(c.Test)
	if testing.Short() {
		docs = units(m, docs)[0]
	}
	x, err := m.Explain(background, docs, kind.At{}, c.run(true, 0))
	if errors.Is(err, kind.ErrNoExplain) {
		t.Skip("the kind explains no prediction")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Decisions) < len(docs) {
		t.Errorf("%d decisions on %d documents", len(x.Decisions), len(docs))
	}
	for _, d := range x.Decisions {
		sum, last := 0.0, math.Inf(1)
		for _, f := range d.Contributions {
			sum += f.Value * f.Weight
			if size := math.Abs(f.Value * f.Weight); size > last+1e-12 {
				t.Fatalf("%s %d,%d: %s is out of order", d.Doc, d.Sent, d.Tok, f.Feature)
			} else {
				last = size
			}
		}
		if math.Abs(sum-d.Margin) > 1e-9*(1+math.Abs(sum)) || !(d.Prob > 0 && d.Prob <= 1) || d.Outcome == "" ||
			d.Outcome == d.RunnerUp {
			t.Fatalf("%s %d,%d: %s against %s, margin %v, contributions sum to %v, probability %v", d.Doc, d.Sent, d.Tok,
				d.Outcome, d.RunnerUp, d.Margin, sum, d.Prob)
		}
	}
}
