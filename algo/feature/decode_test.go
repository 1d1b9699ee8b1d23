package feature

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"parlance/algo/kind"
)

// written are the sections of an alphabet of form[0] and form[-1]|form[0]: values, and the templates and values of its
// attributes.
func written(t *testing.T, texts []string, tmpl, vals []uint32) sections {
	t.Helper()
	s := sections{}
	w := s.writer()
	for _, err := range []error{w.Strings("alphabet.values.0", texts), w.Uint32s("alphabet.templates", tmpl),
		w.Uint32s("alphabet.attributes", vals), w.Uint64s("alphabet.documents", []uint64{0}),
		w.Uint32s("alphabet.frequencies", nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestDecodeRefuses: texts and attributes are different, and templates and values those that there are.
func TestDecodeRefuses(t *testing.T) {
	texts := []string{"a", "longer than seven", "b", "as long as that"}
	for name, c := range map[string]struct {
		texts      []string
		tmpl, vals []uint32
		want       string // a part of the error; "" if it is sound
	}{
		"sound":           {texts, []uint32{0, 0, 1, 1}, []uint32{1, 4, 1, 2, 2, 1}, ""},
		"nothing":         {nil, nil, nil, ""},
		"short twice":     {[]string{"a", "b", "a"}, nil, nil, "value is there twice"},
		"long twice":      {[]string{"longer than seven", "b", "longer than seven"}, nil, nil, "value is there twice"},
		"single twice":    {texts, []uint32{0, 1, 0}, []uint32{3, 3, 3, 3}, "attribute is there twice"},
		"joined twice":    {texts, []uint32{1, 0, 1}, []uint32{1, 2, 1, 1, 2}, "attribute is there twice"},
		"template":        {texts, []uint32{2}, []uint32{1}, "no such template"},
		"value 0":         {texts, []uint32{1}, []uint32{1, 0}, "value is unknown"},
		"value too large": {texts, []uint32{0}, []uint32{5}, "value is unknown"},
		"last value":      {texts, []uint32{0}, []uint32{4}, ""},
		"too few values":  {texts, []uint32{0, 1}, []uint32{1, 2}, "value is unknown"},
		"too many values": {texts, []uint32{0}, []uint32{1, 2}, "too many values"},
	} {
		a, err := DecodeAlphabet(must(t, "form[0], form[-1]|form[0]"), written(t, c.texts, c.tmpl, c.vals).reader())
		if c.want == "" {
			if err != nil || a.Len() != len(c.tmpl) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, kind.ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeFinds: every attribute has its number and name again, whatever the number of texts and combinations; tables
// are at most half full, and no larger than that.
func TestDecodeFinds(t *testing.T) {
	for n := range 70 {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprint("w", i), fmt.Sprint("a long word ", i))
		}
		var tmpl, vals []uint32
		var names []string
		for i := range texts {
			tmpl, vals, names = append(tmpl, 0), append(vals, uint32(i+1)), append(names, "form[0]="+texts[i])
			for k := range min(i, 3) {
				tmpl, vals = append(tmpl, 1), append(vals, uint32(i+1), uint32(k+1))
				names = append(names, "form[-1]|form[0]="+texts[i]+"|"+texts[k])
			}
		}
		a, err := DecodeAlphabet(must(t, "form[0], form[-1]|form[0]"), written(t, texts, tmpl, vals).reader())
		if err != nil {
			t.Fatal(err)
		}
		for id, tp := range tmpl {
			k := len(a.set.templates[tp].atoms)
			if got := a.find(int(tp), vals[:k]); got != uint32(id+1) || a.Name(uint32(id)) != names[id] {
				t.Fatalf("%d texts: attribute %d is %d, %s, want %s", len(texts), id, got, a.Name(uint32(id)), names[id])
			}
			vals = vals[k:]
		}
		for i, s := range texts {
			if got := a.values[0].find(s); got != uint32(i+1) {
				t.Fatalf("%q has number %d, want %d", s, got, i+1)
			}
		}
		for _, x := range []struct{ keys, slots, least int }{
			{n, len(a.values[0].short.slots), 8}, {n, len(a.values[0].slots), 8},
			{a.families[0].steps[1].n, len(a.families[0].steps[1].slots), 16},
		} {
			want := 0
			if x.keys > 0 {
				want = max(x.least, 1<<bits.Len(uint(2*x.keys-1)))
			}
			if x.slots != want {
				t.Errorf("%d keys in %d slots, want %d", x.keys, x.slots, want)
			}
		}
	}
}

// BenchmarkDecodeAlphabet decodes the attributes of chunks of CoNLL-2000.
func BenchmarkDecodeAlphabet(b *testing.B) {
	set, _ := Builtin("chunk")
	a := NewAlphabet(set)
	e, _ := NewExtractor(a, nil)
	var r Rows
	for _, d := range chunkDocuments(b) {
		e.Grow(d, &r)
	}
	s := sections{}
	if err := a.Encode(s.writer()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := DecodeAlphabet(set, s.reader()); err != nil {
			b.Fatal(err)
		}
	}
}
