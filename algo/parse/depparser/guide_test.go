package depparser

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/text"
)

// chain is a model that attaches every token to the one before, the first of a sentence to the last, and that to a
// token that is none.
type chain struct {
	kind.Model
	schema kind.Schema
	fails  error
	seen   []string // layers of the documents that it was given
}

func (c *chain) Schema() kind.Schema { return c.schema }

func (c *chain) Annotate(_ context.Context, docs []*text.Document, run *kind.Run) error {
	if !slices.Equal(run.Wanted, []string{text.Dependencies.Name}) {
		return errors.New("what is wanted are dependencies")
	}
	for _, d := range docs {
		for _, l := range d.Layers {
			c.seen = append(c.seen, l.Name)
		}
		l, toks := text.NewLayer(text.Dependencies), d.Layer(text.Tokens.Name)
		var head []int32
		var rel []string
		sent, tok := toks.Ints("sent"), toks.Ints("tok")
		for i, k := range tok {
			h, r := k-1, "chain"
			switch {
			case i+1 == toks.N || sent[i+1] != sent[i]:
				h, r = k+1, "beyond"
			case k == 1:
				h, r = last(sent[i:]), "around"
			}
			head, rel = append(head, h), append(rel, r)
		}
		l.N = toks.N
		l.SetInts("sent", sent)
		l.SetInts("tok", tok)
		l.SetInts("head", head)
		l.SetStrs("deprel", rel)
		d.SetLayer(l)
	}
	return c.fails
}

// last is the last token of the first sentence.
func last(sent []int32) (n int32) {
	for int(n) < len(sent) && sent[n] == sent[0] {
		n++
	}
	return n
}

// TestGuideIsAParser: the model of a guide annotates documents with dependencies, and reads nothing that this one
// does not.
func TestGuideIsAParser(t *testing.T) {
	arcs := []kind.LayerUse{{Layer: "entities"}, {Layer: "dependencies", Columns: []string{"head"}}}
	here := kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form", "upos"}}}}
	for name, x := range map[string]struct {
		schema kind.Schema
		err    string // "" for none
	}{
		"a parser": {kind.Schema{Writes: arcs}, ""},
		"forms": {kind.Schema{Writes: arcs,
			Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}}, ""},
		"forms and tags": {kind.Schema{Writes: arcs,
			Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"upos", "form"}}}}, ""},
		"of groups":   {kind.Schema{Unit: kind.PerGroup, Writes: arcs}, "does not parse documents into dependencies"},
		"of a corpus": {kind.Schema{Unit: kind.PerCorpus, Writes: arcs}, "does not parse documents into dependencies"},
		"a tagger": {kind.Schema{
			Writes: []kind.LayerUse{{Layer: "tokens", Columns: []string{"upos"}}}},
			"does not parse documents into dependencies"},
		"of nothing": {kind.Schema{}, "does not parse documents into dependencies"},
		"another layer": {kind.Schema{Writes: arcs, Reads: []kind.LayerUse{{Layer: "chunks"}}},
			"reads the layer chunks, which is not read here"},
		"another column": {kind.Schema{Writes: arcs,
			Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form", "xpos"}}}},
			"reads tokens.xpos, and tokens [form upos] are read here"},
		"another layer, second": {kind.Schema{Writes: arcs,
			Reads: []kind.LayerUse{{Layer: "tokens"}, {Layer: "chunks"}}}, "reads the layer chunks"},
	} {
		g, err := newGuide(kind.Trained{Model: &chain{schema: x.schema}, Label: "other@3"}, here)
		switch {
		case x.err == "" && (err != nil || g == nil || g.Label != "other@3"):
			t.Errorf("%s: guide %v, error %v", name, g, err)
		case x.err != "" && (err == nil || !strings.Contains(err.Error(), "option guide: model other@3 "+x.err)):
			t.Errorf("%s: error %v, want %q", name, err, x.err)
		}
	}
}

// TestGuideTrees: a guide sees the document without its trees, which stay as they are; a head that is no token of the
// sentence is none.
func TestGuideTrees(t *testing.T) {
	d := treed(kindtest.Sample(2))[1]
	gold := slices.Clone(d.Layer("dependencies").Ints("head"))
	c := &chain{}
	out, err := (&guide{kind.Trained{Model: c, Label: "other@3"}}).trees(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(c.seen, "tokens") || slices.Contains(c.seen, "dependencies") {
		t.Errorf("the guide sees the layers %v", c.seen)
	}
	if !slices.Equal(d.Layer("dependencies").Ints("head"), gold) {
		t.Error("the trees of the document are others")
	}
	toks := d.Layer("tokens")
	sent, tok := toks.Ints("sent"), toks.Ints("tok")
	if len(out.heads) != toks.N || len(out.relations) != toks.N {
		t.Fatalf("%d heads and %d relations of %d tokens", len(out.heads), len(out.relations), toks.N)
	}
	for i, k := range tok {
		head, rel := k-1, "chain"
		switch {
		case i+1 == toks.N || sent[i+1] != sent[i]:
			head, rel = -1, "beyond"
		case k == 1:
			head, rel = last(sent[i:]), "around"
		}
		if out.heads[i] != head || out.relations[i] != hashString(rel) {
			t.Errorf("sentence %d, token %d has head %d, want %d with %s", sent[i], k, out.heads[i], head, rel)
		}
	}
	c.fails = errors.New("no room")
	_, err = (&guide{kind.Trained{Model: c, Label: "other@3"}}).trees(context.Background(), d)
	if err == nil || err.Error() != "guide other@3: no room" {
		t.Errorf("error %v", err)
	}
}

// TestGuideOfTraining: the option guide is refused where the model is no parser, before anything is learned.
func TestGuideOfTraining(t *testing.T) {
	for _, x := range []struct {
		unit kind.Unit
		err  string
	}{{kind.PerDocument, ""}, {kind.PerGroup, "does not parse documents"}} {
		m := configured(t, arg("factorization", "arc"), arg("guide", "other"))
		res := models{named: map[string]kind.Trained{"other": {Model: &chain{schema: kind.Schema{Unit: x.unit,
			Writes: []kind.LayerUse{{Layer: "dependencies"}}}}, Label: "other@1"}}}
		tr := &kind.Training{On: kind.Documents(treed(kindtest.Sample(5))),
			Resources: res, Seed: 1, Workers: 1, Notice: func(string) {}, Report: func(kind.Progress) {}}
		err := m.Train(context.Background(), tr)
		if (err == nil) != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("unit %v: error %v, want %q", x.unit, err, x.err)
		}
	}
}

// models are those that options name.
type models struct {
	kind.Resources
	named map[string]kind.Trained
}

func (m models) Model(name string) (kind.Trained, error) {
	t, ok := m.named[name]
	if !ok {
		return t, errors.New("no model " + name)
	}
	return t, nil
}

// TestKeepGuess: a token to which the guide gives no head, or itself, adds no arc.
func TestKeepGuess(t *testing.T) {
	s := made("a", "b", "c")
	s.guess = []int32{-1, -1, 2, 1}
	keep := make([]bool, 16)
	s.keepGuess(keep)
	want := make([]bool, 16)
	want[1*4+3] = true
	if !slices.Equal(keep, want) {
		t.Errorf("arcs %v, want that from 1 to 3 alone", keep)
	}
}
