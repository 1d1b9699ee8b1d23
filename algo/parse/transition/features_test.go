package transition

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

func sentence(words ...string) *text.Layer {
	l := text.NewLayer(text.Tokens)
	l.N = len(words)
	var forms, tags []string
	for _, w := range words {
		f, t, _ := strings.Cut(w, "/")
		forms, tags = append(forms, f), append(tags, t)
	}
	l.SetStrs("form", forms)
	l.SetStrs("upos", tags)
	return l
}

func TestKeys(t *testing.T) {
	set, err := Parse("s0.form, s1.upos|s0.upos, s0.lc.form|q0.form|s2.form|q1.lower, s0.lc.lc.upos")
	if err != nil {
		t.Fatal(err)
	}
	a := NewAlphabet(set)
	e := NewExtractor(a, true)
	if err := e.Load(sentence("A/DET", "Dog/NOUN", "barks/VERB"), 0, 3); err != nil {
		t.Fatal(err)
	}
	var s State
	sys := ArcStandard{}
	s.Init(3)
	for _, m := range []Move{Shift, Shift, Left} {
		sys.Do(&s, NewAction(m, 0))
	}
	g := set.Signature(&s)
	var names []string
	for _, k := range e.Keys(&g, nil) {
		names = append(names, a.Name(a.Add(k)))
	}
	want := []string{"s0.form=Dog", "s1.upos|s0.upos=none|NOUN", "s0.lc.form|q0.form|s2.form|q1.lower=A|barks|none|none",
		"s0.lc.lc.upos=none"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got, err := Parse(set.String()); err != nil || got.String() != set.String() {
		t.Errorf("%s does not come back: %v", set, err)
	}
	// Values that are not known give no key that is.
	later := NewExtractor(a, false)
	if err := later.Load(sentence("A/DET", "cat/X", "barks/VERB"), 0, 3); err != nil {
		t.Fatal(err)
	}
	var known []bool
	for _, k := range later.Keys(&g, nil) {
		_, ok := a.Find(k)
		known = append(known, ok)
	}
	if !slices.Equal(known, []bool{false, false, true, true}) {
		t.Errorf("known: %v", known)
	}
	if got := a.NewFinder().Find(e.Keys(&g, nil), nil); !slices.Equal(got, []uint32{0, 1, 2, 3}) {
		t.Errorf("found %v", got)
	}
}

func TestTemplateErrors(t *testing.T) {
	for notation, want := range map[string]string{
		"":                 "there is no template",
		"s0":               "no address and column",
		"s0.frm":           "did you mean form",
		"b0.form":          "no place",
		"s0.mc.form":       "no dependent",
		"s0.form, s0.form": "there twice",
		"s0.form|s1.form|s2.form|s3.form|q0.form": "at most 4",
	} {
		if _, err := Parse(notation); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", notation, err, want)
		}
	}
	for _, b := range Builtins() {
		if _, err := Resolve(b.Name); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func TestAlphabetGrows(t *testing.T) {
	set, err := Parse("s0.form|s1.form")
	if err != nil {
		t.Fatal(err)
	}
	a := NewAlphabet(set)
	var keys []Key
	for i := range uint64(5000) {
		k := Key{i << 1, i * 7}
		keys = append(keys, k)
		if id := a.Add(k); id != uint32(i) {
			t.Fatalf("key %d has number %d", i, id)
		}
	}
	for i, k := range keys {
		if id, ok := a.Find(k); !ok || id != uint32(i) || a.Key(id) != k {
			t.Fatalf("key %d is found as %d, %v", i, id, ok)
		}
	}
	if _, ok := a.Find(Key{1, 1}); ok {
		t.Error("a key that was never added is found")
	}
	if got := set.Layers(); !slices.EqualFunc(got, []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		func(a, b kind.LayerUse) bool {
			return a.Layer == b.Layer && slices.Equal(a.Columns, b.Columns)
		}) {
		t.Errorf("it reads %v", got)
	}
}
