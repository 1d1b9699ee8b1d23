package feature

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
)

// oddForms are forms that a file of columns could confuse.
var oddForms = []string{"New", "York", "a", "b", "_", "_B-1", "_B+1", "_x-1", "_x+#", "␣", "␣20;", "a b", " ", "a|b",
	"|", "a\tb", "a\u00a0b", "ab|", "é", "B-CITY", ""}

// oddDocument draws sentences of odd forms, whose lemma and xpos are odd too.
func oddDocument(rng *rand.Rand) *text.Document {
	d := document(strings.Repeat("x/y ", 1+rng.IntN(4)), strings.Repeat("x/y ", 1+rng.IntN(3)))
	l := d.Layer("tokens")
	for _, c := range []string{"form", "lemma", "xpos"} {
		v := make([]string, l.N)
		for i := range v {
			v[i] = oddForms[rng.IntN(len(oddForms))]
		}
		l.SetStrs(c, v)
	}
	return d
}

// TestCells: templates over the cells of documents, as CRF++ and Wapiti read them, make the attributes that the set
// makes.
func TestCells(t *testing.T) {
	const notation = "bias, form[-1..1], lower[0], lemma[-2], xpos[1], form[-1]|form[0], form[0]|lemma[0]|xpos[1], " +
		"prefix(1)[0], suffix(1)[-1], shape[0], bos, eos[1], bias[-1], bos|shape[0], is_title[1], gazetteer(cities)[0], " +
		"lexicon(clusters, bits)[-1], length[0]"
	a := NewAlphabet(must(t, notation))
	e, err := NewExtractor(a, resources{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var docs []*text.Document
	for range 300 {
		docs = append(docs, oddDocument(rng))
		e.Grow(docs[len(docs)-1], &Rows{})
	}
	a.Freeze()
	templates, err := a.Set().CellTemplates()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]uint32{}
	for i := range uint32(a.Len()) {
		k, values := a.Values(i, nil)
		for j, v := range values {
			values[j] = Escaped(v)
		}
		name := fmt.Sprint(k, ":", strings.Join(values, "|"))
		if other, ok := known[name]; ok {
			t.Fatalf("%s is %s and %s", name, a.Name(i), a.Name(other))
		}
		known[name] = i
	}
	cells, err := NewCells(a.Set(), resources{})
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		docs = append(docs, oddDocument(rng))
	}
	for _, outside := range []string{"_B", "_x"} {
		for _, d := range docs {
			checkCells(t, e, cells, templates, known, d, outside)
		}
	}
}

func checkCells(t *testing.T, e *Extractor, cells *Cells, templates [][]Cell, known map[string]uint32, d *text.Document,
	outside string) {
	t.Helper()
	var rows Rows
	e.Extract(d, &rows)
	columns, err := cells.Document(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	bounds, token := d.SentenceTokens(), 0
	for s := 1; s < len(bounds); s++ {
		for i := int(bounds[s-1]); i < int(bounds[s]); i++ {
			var got []uint32
			for k, list := range templates {
				var values []string
				for _, c := range list {
					switch at := i + c.Offset; {
					case at < int(bounds[s-1]):
						values = append(values, fmt.Sprintf("%s-%d", outside, int(bounds[s-1])-at))
					case at >= int(bounds[s]):
						values = append(values, fmt.Sprintf("%s+%d", outside, at-int(bounds[s])+1))
					default:
						values = append(values, Escaped(columns[c.Column][at]))
					}
				}
				if strings.ContainsAny(strings.Join(values, ""), " \t\n|") {
					t.Fatalf("cells %q", values)
				}
				if x, ok := known[fmt.Sprint(k, ":", strings.Join(values, "|"))]; ok {
					got = append(got, x)
				}
			}
			want := slices.Clone(rows.Attrs[rows.Offsets[token]:rows.Offsets[token+1]])
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("token %d of %q: %v, want %v", i, columns, got, want)
			}
			token++
		}
	}
}

// TestCellsRefused: what is no fixed number of columns is refused.
func TestCellsRefused(t *testing.T) {
	for notation, want := range map[string]string{
		"form[0], substring(2)[0]": "substring(2)[0] gives a token several values",
		"word_cache(-1, 1)":        "word_cache(-1, 1) gives a token several values",
		"label[-1]|form[0]":        "reads labels",
		"word":                     "of documents",
	} {
		if _, err := must(t, notation).CellNames(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", notation, err)
		}
	}
}

// TestCellsForget: values are remembered up to a bound.
func TestCellsForget(t *testing.T) {
	cells, err := NewCells(must(t, "form[0], suffix(9)[0]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := document(strings.Repeat("x/y ", maxCells/16))
	for round := range 24 {
		forms := d.Layer("tokens").Strs("form")
		for i := range forms {
			forms[i] = fmt.Sprint("form ", round, " ", i)
		}
		columns, err := cells.Document(context.Background(), d)
		if err != nil || columns[0][5] != fmt.Sprint("form ", round, " 5") {
			t.Fatalf("%v, %v", columns[0][5], err)
		}
		if n := len(cells.e.a.values[0].texts); n > maxCells {
			t.Fatalf("%d forms are remembered", n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := cells.Document(ctx, d); err == nil {
		t.Error("a context that had ended")
	}
}
