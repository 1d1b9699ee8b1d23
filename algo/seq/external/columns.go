package external

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/text"
)

// column is where the values of a column of a file are found in a document.
type column struct {
	name  string
	spans bool // a layer of spans, as BIO labels; else a column of tokens
}

var tokenColumns = []string{"form", "lemma", "upos", "xpos", "feats", "misc"}

// nothing stands in a column for a missing value, as in files of columns.
const nothing = "_"

// ColumnNames are what a column may hold: columns of tokens and layers of spans.
func ColumnNames() []string {
	out := slices.Clone(tokenColumns)
	for _, d := range text.Builtin {
		if d.Spans {
			out = append(out, d.Name)
		}
	}
	return out
}

func columnsOf(names []string) ([]column, error) {
	var out []column
	for _, n := range names {
		d := text.Builtins(n)
		switch {
		case slices.Contains(tokenColumns, n), n == nothing:
			out = append(out, column{name: n})
		case d != nil && d.Spans:
			out = append(out, column{n, true})
		default:
			return nil, fmt.Errorf("there is no column %s%s; columns are %s, and _ for one that is not read", n,
				option.DidYouMean(n, ColumnNames()), strings.Join(ColumnNames(), ", "))
		}
	}
	return out, nil
}

// values returns the values of the column for all tokens of a document.
func (c column) values(d *text.Document, tokens *text.Layer) []string {
	if c.spans {
		return spanValues(d, tokens, c.name)
	}
	v := tokens.Strs(c.name)
	if !slices.Contains(v, "") && len(v) == tokens.N {
		return v
	}
	out := make([]string, tokens.N)
	for i := range out {
		if out[i] = nothing; i < len(v) && v[i] != "" {
			out[i] = v[i]
		}
	}
	return out
}

// spanValues writes a layer of spans as labels of tokens.
func spanValues(d *text.Document, tokens *text.Layer, layer string) []string {
	out := make([]string, 0, tokens.N)
	var spans []text.Span
	if l := d.Layer(layer); l != nil {
		spans = l.Spans()
	}
	var labels []string
	for s := range d.Sentences() {
		n := 0
		for n < len(spans) && int(spans[n].Sent) <= s.Number {
			n++
		}
		k := 0
		for k < n && int(spans[k].Sent) < s.Number {
			k++
		}
		labels, _ = bio.BIO.Encode(labels, s.To-s.From, spans[k:n])
		out, spans = append(out, labels...), spans[n:]
	}
	return out
}

// IsSpans reports whether a column of this name is a layer of spans.
func IsSpans(name string) bool {
	d := text.Builtins(name)
	return d != nil && d.Spans
}
