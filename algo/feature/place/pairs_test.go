package place

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
)

// everyKind is templates with each function and type of value that pairs have a loop for, and some that they have none
// for.
const everyKind = `over (n mention, m mention)
each (alone, m.class, m.class & n.class) {
  bias, m.head.form, n.head.form.lower, n.length & m.length, n.head.form & m.head.form
  equals(n.number, m.number), equals(n.head.head, m.head.head), equals(n.length, m.length), equals(n, m)
  contains(n.text.lower, m.head.form.lower), contains(n.tokens.form, m.head.form), contains(m.tokens.lemma, n.head.lemma)
  share(n.modifiers, m.modifiers), share(m.tokens.lemma, n.tokens.lemma)
  sentence_distance(n, m).bins(0, 1, 2), sentence_distance(n, m), mention_distance(n, m).bins(1, 2, 90), mention_distance(m, n)
  order(n, m), order(m, n), compatible(n, m), compatible_between(n, m).bins(0, 1), compatible_between(m, n)
  distance(n, m).bins(1, 5), between(n, m).form.seq, order(n, m).suffix(2), path(n.head, m.head).steps
  equals(n.kind, m.kind) & n.kind, n.cluster & m.kind.only(ANIMAL), equals(order(n, m), m.kind)
}`

// agree compares what blocks give with what the extractor gives pair by pair.
func agree(t *testing.T, notation string, d *text.Document, block int) {
	t.Helper()
	s, err := Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPairs(s, resources{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewExtractor(s, resources{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Bind(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	bind(x, d)
	_, _, names := p.Templates()
	rows := d.Layer("mentions").N
	for m := range rows {
		for from := 0; from < rows; from += block {
			to := min(rows, from+block)
			b, err := p.Block(m, from, to)
			if err != nil {
				t.Fatal(err)
			}
			for r := from; r < to; r++ {
				var got, want []uint32
				for i := range names {
					got = append(got, b[i*(to-from)+r-from])
				}
				got = append(append(got, p.First(r)...), p.Second(m)...)
				got = slices.DeleteFunc(got, func(h uint32) bool { return h == 0 })
				var f Found
				if err := x.Extract([]Ref{Row(r), Row(m)}, &f); err != nil {
					t.Fatal(err)
				}
				for _, h := range f.Hashes {
					want = append(want, uint32(h>>32))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("rows %d and %d: %d features, not the %d of the extractor", r, m, len(got), len(want))
				}
			}
		}
	}
}

func TestPairsAreThoseOfTheExtractor(t *testing.T) {
	coref, _ := Builtin("coref_wordnet")
	for _, block := range []int{1, 2, 64} {
		agree(t, everyKind, sample(t), block)
		agree(t, coref, sample(t), block)
	}
}

// TestPairsOfNextDocument: nothing of a document stays for the next one, not even where texts are numbered anew.
func TestPairsOfNextDocument(t *testing.T) {
	s, err := Parse(everyKind)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPairs(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	block := func() []uint32 {
		b, err := p.Block(3, 0, 3)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(b)
	}
	if err := p.Bind(context.Background(), sample(t)); err != nil {
		t.Fatal(err)
	}
	first := block()
	if err := p.Bind(context.Background(), &text.Document{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Block(0, 0, 1); err == nil {
		t.Error("a document without mentions has pairs")
	}
	p.x.id("a text that moves the others")
	p.x.forget()
	if err := p.Bind(context.Background(), sample(t)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(block(), first) {
		t.Error("the same pairs have other features after other documents")
	}
}

func TestPairsRefused(t *testing.T) {
	for notation, want := range map[string]string{
		"over (p token, a token) p.form":                         "two places of one layer",
		"over (n mention, m span(entities)) n.text":              "two places of one layer",
		"over (n mention, m mention) n.tokens.form & m.text":     "bag or seq",
		"over (n mention, m mention, k mention) n.text & k.text": "two places of one layer",
	} {
		s, err := Parse(notation)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewPairs(s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", notation, err)
		}
	}
}

// TestPairsWithRowsWithoutTokens: such rows have no features.
func TestPairsWithRowsWithoutTokens(t *testing.T) {
	d := sample(t)
	d.Layer("mentions").Ints("tok_start")[1] = 0
	s, err := Parse(everyKind)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPairs(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Bind(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	b, err := p.Block(3, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(b); i += 3 {
		if b[i] != 0 || b[i-1] == 0 && i == 1 {
			t.Fatalf("template %d: %d for a row without tokens, %d for the one before", i/3, b[i], b[i-1])
		}
	}
}
