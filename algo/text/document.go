// Package text is the linguistic data model that storage, formats and algorithms share:
// documents with layers of annotation in columns.
//
// Offsets are bytes into Document.Text, 0-based and half-open. Sentences and tokens are
// numbered from 1, tokens within their sentence; 0 as a head is the root.
package text

import (
	"iter"
	"sort"

	"parlance/storage/value"
)

// Field is a metadata column of a document.
type Field struct {
	Name  string
	Value value.Value
}

// Document is a text with metadata and layers. Documents that queries hand to models are
// shared: a model adds layers by SetLayer and never changes rows that it did not make.
type Document struct {
	Seq    uint64 // internal sequence number, by which documents are in order; 0 for ad-hoc text
	ID     string // "" for ad-hoc text
	Text   string
	Fields []Field
	Layers []*Layer
}

// Col is one column of a layer in a document; exactly one slice is in use, by the column's
// type; all nil means that every row is NULL. An empty string stands for a missing value.
type Col struct {
	Ints   []int32
	Strs   []string
	Floats []float64 // NaN is NULL
}

// Layer is the rows of a layer in one document, in reading order. Cols parallels
// Def.Columns; derived columns stay nil.
type Layer struct {
	Def  *LayerDef
	Name string // Def.Name, or the model's name for stored predictions
	N    int
	Cols []Col
	Prob []float64 // nil unless asked for; NaN where the model has none
	Rank []int32   // nil unless n-best; 1 is best
}

// NewLayer returns an empty layer of the definition.
func NewLayer(def *LayerDef) *Layer {
	return &Layer{Def: def, Name: def.Name, Cols: make([]Col, len(def.Columns))}
}

// Layer returns the named layer, or nil.
func (d *Document) Layer(name string) *Layer {
	for _, l := range d.Layers {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// SetLayer adds the layer, replacing one of the same name. The slice of layers is copied,
// so views of the document that share it keep theirs.
func (d *Document) SetLayer(l *Layer) {
	out := make([]*Layer, 0, len(d.Layers)+1)
	for _, x := range d.Layers {
		if x.Name != l.Name {
			out = append(out, x)
		}
	}
	d.Layers = append(out, l)
}

// DropLayer removes the named layer, leaving other views of the document alone.
func (d *Document) DropLayer(name string) {
	if d.Layer(name) == nil {
		return
	}
	out := make([]*Layer, 0, len(d.Layers))
	for _, x := range d.Layers {
		if x.Name != name {
			out = append(out, x)
		}
	}
	d.Layers = out
}

// Bytes is about what the document takes in memory.
func (d *Document) Bytes() int {
	n := 100 + len(d.ID) + len(d.Text)
	for i := range d.Fields {
		n += 48 + len(d.Fields[i].Name) + len(d.Fields[i].Value.S)
	}
	for _, l := range d.Layers {
		n += 100 + 72*len(l.Cols) + 8*len(l.Prob) + 4*len(l.Rank)
		for i := range l.Cols {
			c := &l.Cols[i]
			n += 4*len(c.Ints) + 8*len(c.Floats) + 16*len(c.Strs) // texts of layers are shared
		}
	}
	return n
}

// Field returns the metadata value of the name, NULL if there is none.
func (d *Document) Field(name string) value.Value {
	for _, f := range d.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return value.Value{}
}

// Filter returns the layer with those of its rows that keep wants.
func (l *Layer) Filter(keep func(row int) bool) *Layer {
	var at []int
	for i := range l.N {
		if keep(i) {
			at = append(at, i)
		}
	}
	out := &Layer{Def: l.Def, Name: l.Name, N: len(at), Cols: make([]Col, len(l.Cols)), Prob: pick(l.Prob, at),
		Rank: pick(l.Rank, at)}
	for c := range l.Cols {
		out.Cols[c] = Col{Ints: pick(l.Cols[c].Ints, at), Strs: pick(l.Cols[c].Strs, at), Floats: pick(l.Cols[c].Floats, at)}
	}
	return out
}

// pick returns the values at some places, nil of nil.
func pick[T any](list []T, at []int) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = list[k]
	}
	return out
}

// Ints returns an integer column, nil if absent. The name must be one of the layer's.
func (l *Layer) Ints(name string) []int32 {
	if i := l.Def.Index(name); i >= 0 {
		return l.Cols[i].Ints
	}
	return nil
}

// Strs returns a text column, nil if absent.
func (l *Layer) Strs(name string) []string {
	if i := l.Def.Index(name); i >= 0 {
		return l.Cols[i].Strs
	}
	return nil
}

// SetInts sets an integer column.
func (l *Layer) SetInts(name string, v []int32) { l.Cols[l.Def.Index(name)].Ints = v }

// SetStrs sets a text column.
func (l *Layer) SetStrs(name string, v []string) { l.Cols[l.Def.Index(name)].Strs = v }

// SentenceTokens returns the range [first, end) of rows of the tokens layer for each
// sentence: sentence s (1-based) is rows bounds[s-1] to bounds[s]. Sentences without tokens
// are empty ranges.
func (d *Document) SentenceTokens() []int32 {
	toks := d.Layer("tokens")
	if toks == nil {
		return []int32{0}
	}
	sent := toks.Cols[0].Ints
	n := int32(0)
	if len(sent) > 0 {
		n = sent[len(sent)-1]
	}
	bounds := make([]int32, n+1)
	for i, row := 1, 0; i <= int(n); i++ {
		for row < len(sent) && int(sent[row]) <= i {
			row++
		}
		bounds[i] = int32(row)
	}
	return bounds
}

// Sentence is a sentence of a document: its number from 1, and the rows [From, To) of its tokens.
type Sentence struct{ Number, From, To int }

// Sentences yields the sentences that have tokens.
func (d *Document) Sentences() iter.Seq[Sentence] {
	return func(yield func(Sentence) bool) {
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			if from, to := int(bounds[s-1]), int(bounds[s]); from < to && !yield(Sentence{s, from, to}) {
				return
			}
		}
	}
}

// Span is a labelled span of tokens in one sentence.
type Span struct {
	Sent, First, Last int32 // tokens 1-based, Last inclusive
	Label             string
}

// SpanLayer builds a span layer over the document's tokens: offsets and text come from
// the tokens. Spans must be in reading order.
func (d *Document) SpanLayer(def *LayerDef, spans []Span) *Layer {
	n := len(spans)
	ints := make([]int32, 5*n)
	strs := make([]string, 2*n)
	l := NewLayer(def)
	l.N = n
	for c := range 5 {
		l.Cols[c].Ints = ints[c*n : (c+1)*n : (c+1)*n]
	}
	l.Cols[5].Strs, l.Cols[6].Strs = strs[:n:n], strs[n:]
	toks := d.Layer("tokens")
	if toks == nil || n == 0 {
		return l
	}
	sent, start, end := toks.Cols[0].Ints, toks.Cols[2].Ints, toks.Cols[3].Ints
	base, cur := 0, int32(-1)
	for i, s := range spans {
		if s.Sent != cur {
			base = sort.Search(len(sent), func(k int) bool { return sent[k] >= s.Sent })
			cur = s.Sent
		}
		a, b := start[base+int(s.First)-1], end[base+int(s.Last)-1]
		l.Cols[0].Ints[i], l.Cols[1].Ints[i], l.Cols[2].Ints[i] = s.Sent, a, b
		l.Cols[3].Ints[i], l.Cols[4].Ints[i] = s.First, s.Last
		l.Cols[5].Strs[i], l.Cols[6].Strs[i] = s.Label, d.Text[a:b]
	}
	return l
}

// Spans reads a span layer.
func (l *Layer) Spans() []Span {
	out := make([]Span, l.N)
	sent, first, last, label := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs("label")
	for i := range out {
		out[i] = Span{sent[i], first[i], last[i], label[i]}
	}
	return out
}
