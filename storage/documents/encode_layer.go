package documents

import (
	"bytes"
	"math"
	"slices"

	"parlance/algo/text"
	"parlance/storage/block"
	"parlance/storage/value"
)

// The block of a layer: column 0 is the number of rows of each document, column 1+c is column
// c of the definition. Where documents differ in whether they have an integer or float column
// at all, one more column tells which do not: a bitmap, bit c·documents+i for column c of
// document i. Of predictions with prob or rank that column is always there, if only as a missing one, and prob and rank
// come after it.

// layerEncoder encodes one layer of a segment.
type layerEncoder struct {
	docs   []*text.Document
	layers []*text.Layer // by document; nil where it has none
	def    *text.LayerDef
	rows   int
	w      *block.Writer
	absent []byte
}

// EncodeLayer returns the block of the rows of a layer.
func EncodeLayer(docs []*text.Document, l *Layer) ([]byte, LayerMeta) {
	g := &layerEncoder{docs: docs, layers: make([]*text.Layer, len(docs)), def: l.Def}
	counts := make([]int32, len(docs))
	for i, d := range docs {
		if x := d.Layer(l.Name); x != nil && x.N > 0 {
			g.layers[i], counts[i] = x, int32(x.N)
			g.rows += x.N
		}
	}
	g.w = block.NewWriter(g.rows)
	g.absent = make([]byte, (len(docs)*len(l.Def.Columns)+7)/8)
	meta := LayerMeta{Rows: g.rows}
	g.w.Ints(counts)
	for c := range l.Def.Columns {
		if g.column(c) {
			meta.Present |= 1 << c
		}
	}
	hidden := l.Model != "" && slices.ContainsFunc(g.layers, func(x *text.Layer) bool {
		return x != nil &&
			(x.Prob != nil || x.Rank != nil)
	})
	switch {
	case bytes.Trim(g.absent, "\x00") != nil:
		g.w.Bytes(g.absent)
	case hidden:
		g.w.None()
	}
	if hidden {
		meta.Prob, meta.Rank = g.prob(), g.rank()
	}
	return g.w.Finish(), meta
}

// prob writes the probabilities and reports whether there are any; rows of documents without have none, NaN.
func (g *layerEncoder) prob() bool {
	v, any := make([]float64, 0, g.rows), false
	for _, l := range g.layers {
		switch {
		case l == nil:
		case l.Prob == nil:
			v = append(v, slices.Repeat([]float64{math.NaN()}, l.N)...)
		default:
			v, any = append(v, l.Prob...), true
		}
	}
	if any {
		g.w.Floats(v)
	} else {
		g.w.None()
	}
	return any
}

// rank writes the ranks and reports whether there are any; rows of documents without are the best, 1.
func (g *layerEncoder) rank() bool {
	v, any := make([]int32, 0, g.rows), false
	for _, l := range g.layers {
		switch {
		case l == nil:
		case l.Rank == nil:
			v = append(v, slices.Repeat([]int32{1}, l.N)...)
		default:
			v, any = append(v, l.Rank...), true
		}
	}
	if any {
		g.w.Ints(v)
	} else {
		g.w.None()
	}
	return any
}

// column writes one column and reports whether it has values.
func (g *layerEncoder) column(c int) bool {
	col := g.def.Columns[c]
	switch {
	case !col.Stored() && !(g.def.Spans && col.Name == "text"):
		g.w.None()
		return true
	case col.Role == text.Form:
		return g.forms(c)
	case col.Type == value.Integer:
		return g.integers(c)
	case col.Type == value.Float:
		return g.floats(c)
	}
	return g.texts(c)
}

// mark records the documents that lack a column; have tells which have it. It reports whether any has it.
func (g *layerEncoder) mark(c int, have func(*text.Col) bool) bool {
	any, all := false, true
	for _, l := range g.layers {
		if l != nil {
			h := have(&l.Cols[c])
			any, all = any || h, all && h
		}
	}
	if any && !all {
		for i, l := range g.layers {
			if l != nil && !have(&l.Cols[c]) {
				bit := c*len(g.docs) + i
				g.absent[bit/8] |= 1 << (bit % 8)
			}
		}
	}
	return any
}

// complete reports whether every document with rows has the integer column.
func (g *layerEncoder) complete(c int) bool {
	for _, l := range g.layers {
		if l != nil && l.Cols[c].Ints == nil {
			return false
		}
	}
	return true
}

func (g *layerEncoder) floats(c int) bool {
	if !g.mark(c, func(col *text.Col) bool { return col.Floats != nil }) {
		g.w.None()
		return false
	}
	v := make([]float64, 0, g.rows)
	for _, l := range g.layers {
		if l != nil {
			f := l.Cols[c].Floats
			v = append(v, f...)
			v = append(v, make([]float64, l.N-len(f))...)
		}
	}
	g.w.Floats(v)
	return true
}

func (g *layerEncoder) integers(c int) bool {
	if !g.mark(c, func(col *text.Col) bool { return col.Ints != nil }) {
		g.w.None()
		return false
	}
	col := g.def.Columns[c]
	switch {
	case g.def == text.Dependencies && c < 2 && g.likeTokens(c), g.def == text.Tokens && c == 1 && g.counted():
		g.w.Same()
		return true
	case g.def == text.Tokens && col.Role == text.Offset && g.complete(2) && g.complete(3):
		g.w.DeltasAs(block.Gaps, g.gaps(c))
		return true
	case g.def == text.Dependencies && col.Name == "head" && g.complete(1):
		if v, ok := g.arcs(c); ok {
			g.w.IntsAs(block.Arcs, v)
			return true
		}
	}
	v := make([]int32, 0, g.rows)
	for _, l := range g.layers {
		if l != nil {
			x := l.Cols[c].Ints
			v = append(v, x...)
			v = append(v, make([]int32, l.N-len(x))...)
		}
	}
	if col.Name == "sent" || col.Role == text.Offset {
		g.w.Deltas(v)
	} else {
		g.w.Ints(v)
	}
	return true
}

// likeTokens reports whether column c equals that of the tokens layer in all documents.
func (g *layerEncoder) likeTokens(c int) bool {
	for i, d := range g.docs {
		toks, l := d.Layer("tokens"), g.layers[i]
		if l == nil {
			if toks != nil && toks.N > 0 {
				return false
			}
			continue
		}
		if toks == nil || toks.Def != text.Tokens || !equalInts(toks.Cols[c].Ints, l.Cols[c].Ints, l.N) {
			return false
		}
	}
	return true
}

// equalInts reports whether a and b hold the same n values.
func equalInts(a, b []int32, n int) bool {
	if len(a) != n || len(b) != n {
		return false
	}
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

// counted reports whether tokens are numbered from 1 in each sentence.
func (g *layerEncoder) counted() bool {
	for _, l := range g.layers {
		if l == nil {
			continue
		}
		sent, tok := l.Cols[0].Ints, l.Cols[1].Ints
		if sent == nil || tok == nil {
			return false
		}
		next := int32(1)
		for i := range tok {
			if i > 0 && sent[i] != sent[i-1] {
				next = 1
			}
			if tok[i] != next {
				return false
			}
			next++
		}
	}
	return true
}

// gaps returns, for char_start of tokens, the gap to the end before it, and for char_end the
// length, summed up so that differences give them back.
func (g *layerEncoder) gaps(c int) []int32 {
	out := make([]int32, 0, g.rows)
	sum := int32(0)
	for _, l := range g.layers {
		if l == nil {
			continue
		}
		start, end := l.Cols[2].Ints, l.Cols[3].Ints
		last := int32(0)
		for i := range l.N {
			if c == 2 {
				sum += start[i] - last
			} else {
				sum += end[i] - start[i]
			}
			out = append(out, sum)
			last = end[i]
		}
	}
	return out
}

// arcs writes heads as head − tok in zigzag plus one, and 0 for the root; ok is false where
// that would overflow.
func (g *layerEncoder) arcs(c int) (out []int32, ok bool) {
	const bound = 1 << 28
	out = make([]int32, 0, g.rows)
	for _, l := range g.layers {
		if l == nil {
			continue
		}
		heads, tok := l.Cols[c].Ints, l.Cols[1].Ints
		if heads == nil {
			heads = make([]int32, l.N)
		}
		for i, h := range heads {
			if h < 0 || h > bound || tok[i] < 0 || tok[i] > bound {
				return nil, false
			}
			if h == 0 {
				out = append(out, 0)
			} else {
				out = append(out, 1+int32(block.Zigzag(h-tok[i])))
			}
		}
	}
	return out, true
}

func (g *layerEncoder) texts(c int) bool {
	any := false
	for _, l := range g.layers {
		any = any || l != nil && l.Cols[c].Strs != nil
	}
	switch {
	case !any:
		g.w.None()
	case g.def == text.Tokens && g.def.Columns[c].Name == "lemma":
		g.w.WordsAs(block.Edits, g.edits(c))
	default:
		v := make([]string, 0, g.rows)
		for _, l := range g.layers {
			if l != nil {
				v = append(v, l.Cols[c].Strs...)
				v = append(v, make([]string, l.N-len(l.Cols[c].Strs))...)
			}
		}
		g.w.Words(v)
	}
	return any
}

// forms writes the forms that differ from the text between the offsets of their tokens, each after a mark; nothing if
// there are none. Forms that are not written are read from the text.
func (g *layerEncoder) forms(c int) bool {
	v := make([]string, 0, g.rows)
	differ, any := false, false
	for i, l := range g.layers {
		if l == nil {
			continue
		}
		cut, forms := newCutter(g.docs[i], l), l.Cols[c].Strs
		any = any || forms != nil || cut.start != nil
		if forms == nil {
			v = append(v, make([]string, l.N)...)
			continue
		}
		for k, form := range forms {
			if s, ok := cut.at(k); ok && s == form {
				v = append(v, "")
				continue
			}
			v = append(v, "="+form)
			differ = true
		}
	}
	switch {
	case differ:
		g.w.Words(v)
	case any:
		g.w.Same()
	default:
		g.w.None()
	}
	return any
}

// edits writes lemmas as edits of the forms.
func (g *layerEncoder) edits(c int) []string {
	out := make([]string, 0, g.rows)
	for i, l := range g.layers {
		if l == nil {
			continue
		}
		lemmas, forms := l.Cols[c].Strs, l.Cols[4].Strs
		if lemmas == nil {
			out = append(out, make([]string, l.N)...)
			continue
		}
		cut := newCutter(g.docs[i], l)
		for k, lemma := range lemmas {
			form, _ := cut.at(k)
			if forms != nil {
				form = forms[k]
			}
			out = append(out, edit(form, lemma))
		}
	}
	return out
}

// cutter slices tokens from the text by their offsets.
type cutter struct {
	text       string
	start, end []int32 // nil where the layer lacks them
}

func newCutter(d *text.Document, l *text.Layer) cutter {
	from, to := l.Def.Index("char_start"), l.Def.Index("char_end")
	if from < 0 || to < 0 || len(l.Cols[from].Ints) != l.N || len(l.Cols[to].Ints) != l.N {
		return cutter{}
	}
	return cutter{d.Text, l.Cols[from].Ints, l.Cols[to].Ints}
}

// at returns the text of row i; ok is false where there is none.
func (c cutter) at(i int) (s string, ok bool) {
	if c.start == nil || c.start[i] < 0 || c.start[i] > c.end[i] || int(c.end[i]) > len(c.text) {
		return "", false
	}
	return c.text[c.start[i]:c.end[i]], true
}
