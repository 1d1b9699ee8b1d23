package documents

import (
	"iter"
	"slices"
	"sort"

	"parlance/algo/stem"
	"parlance/algo/text"
)

// FulltextIndex identifies a full-text index: what it indexes and how.
type FulltextIndex struct {
	Layer  string `json:"layer,omitempty"` // "" for the text of documents
	Column string `json:"column"`
	Case   string `json:"case"`           // lower or exact
	Stem   string `json:"stem,omitempty"` // language of stem.Of, for words in lower case; "" for whole words
}

// Rows reports whether the units of retrieval are the rows of a layer, not documents.
func (x FulltextIndex) Rows() bool { return x.Layer != "" && x.Layer != "tokens" }

// Forms reports whether the terms are the forms of tokens.
func (x FulltextIndex) Forms() bool { return x.Column == "text" || x.Column == "form" }

// Fold returns the term of a token.
func (x FulltextIndex) Fold(token string) string { return stem.Of(x.Stem, x.FoldCase(token)) }

// FoldCase returns a token in the letter case of the index: the beginning of a term is no word and has no stem.
func (x FulltextIndex) FoldCase(token string) string {
	if x.Case == "exact" {
		return token
	}
	return text.Fold(token)
}

// IndexState is a full-text index of a corpus.
type IndexState struct {
	FulltextIndex
	Part uint16 `json:"part"`
}

// RunMeta describes a run of a full-text index.
type RunMeta struct {
	First  uint32 `json:"first"` // segments
	Last   uint32 `json:"last"`
	Blocks uint32 `json:"blocks"` // after the head
	Units  int    `json:"units"`
	Tokens int64  `json:"tokens"`
	Bytes  int64  `json:"bytes"`
}

// IndexOf finds the full-text index on a column. The text of documents and the forms of their
// tokens are the same.
func (c *Corpus) IndexOf(layer, column string) *IndexState {
	for i := range c.Indexes {
		x := &c.Indexes[i]
		if x.Layer == layer && x.Column == column || !x.Rows() && x.Forms() && isText(layer, column) {
			return x
		}
	}
	return nil
}

func isText(layer, column string) bool {
	return layer == "" && column == "text" || layer == "tokens" && column == "form"
}

func orForm(column string) string {
	if column == "text" {
		return "form"
	}
	return column
}

// Want returns what Terms reads of documents.
func (x FulltextIndex) Want() Want {
	if !x.Rows() {
		return Want{Layers: []LayerWant{{Name: "tokens", Columns: []string{orForm(x.Column)}}}}
	}
	return Want{Layers: []LayerWant{{Name: "tokens", Columns: []string{"form", "char_start", "char_end"}},
		{Name: x.Layer, Columns: []string{"char_start", "char_end"}}}}
}

// Units yields the units of a document, each as the tokens that become its terms: the document itself, or each row of
// the layer of the index with the forms of the tokens that it covers.
func (x FulltextIndex) Units(d *text.Document) iter.Seq[[]string] {
	return x.units(d, func(forms []string) []string { return forms })
}

// Terms returns the terms of the units of a document.
func (x FulltextIndex) Terms(d *text.Document) [][]string {
	return slices.Collect(x.units(d, func(forms []string) []string {
		terms := make([]string, len(forms))
		for i, f := range forms {
			terms[i] = x.Fold(f)
		}
		return terms
	}))
}

// units yields the units of a document, whose tokens are changed first.
func (x FulltextIndex) units(d *text.Document, change func(forms []string) []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		toks := d.Layer("tokens")
		var terms []string
		if toks != nil {
			terms = change(toks.Strs(orForm(x.Column)))
		}
		if !x.Rows() {
			yield(terms)
			return
		}
		l := d.Layer(x.Layer)
		if l == nil {
			return
		}
		for i := range l.N {
			var unit []string
			if first, last := covered(l, toks, i); last <= len(terms) {
				unit = terms[first:last]
			}
			if !yield(unit) {
				return
			}
		}
	}
}

// covered returns the tokens [first, last) that lie in row i of a layer, by offsets in bytes.
func covered(l, toks *text.Layer, i int) (first, last int) {
	start, end := l.Ints("char_start"), l.Ints("char_end")
	if toks == nil || start == nil || end == nil {
		return 0, 0
	}
	from, to := toks.Ints("char_start"), toks.Ints("char_end")
	if from == nil || to == nil {
		return 0, 0
	}
	first = sort.Search(toks.N, func(t int) bool { return to[t] > start[i] })
	last = first + sort.Search(toks.N-first, func(t int) bool { return from[first+t] >= end[i] })
	return first, last
}
