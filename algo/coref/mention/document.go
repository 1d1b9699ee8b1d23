package mention

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// Document is a document as descriptions read it. Columns are by row of the tokens, from 0; texts are "" where they are
// missing.
type Document struct {
	Forms, Lower, Lemmas, Upos, Xpos, Feats, Rels []string // Lower is Forms in small letters, Rels the relations to heads
	Heads                                         []int32  // row of the head; Root of a root, None without a tree
	Sents                                         []int32  // sentence, from 0
	Bounds                                        []int32  // sentence s is rows Bounds[s] to Bounds[s+1]
	Speakers                                      []string // who says the token, "" where unknown
	Quoted                                        []bool   // between quotation marks
	Tree                                          bool     // some token has a head

	entities []entity
	nodes    []node
	first    []int32   // by sentence: where its nodes begin, and the end
	below    [][]int32 // children by token
	extents  []Span    // by token
}

// Root is the head of a root.
const Root = -2

// entity is a named entity.
type entity struct {
	Span
	label string
}

// node is a constituent.
type node struct {
	Span
	label  string
	parent int32 // its row, None of a root
}

// Read prepares a document. Nothing of it is changed. It fails only when the context has ended.
func Read(ctx context.Context, doc *text.Document) (*Document, error) {
	d := &Document{Bounds: doc.SentenceTokens()}
	n := int(d.Bounds[len(d.Bounds)-1])
	toks := doc.Layer(text.Tokens.Name)
	column := func(name string) []string {
		if toks != nil {
			if c := toks.Strs(name); c != nil {
				return c[:n]
			}
		}
		return make([]string, n)
	}
	d.Forms, d.Lemmas, d.Upos = column("form"), column("lemma"), column("upos")
	d.Xpos, d.Feats = column("xpos"), column("feats")
	d.Lower = make([]string, n)
	for i, f := range d.Forms {
		if kind.Ended(ctx, i) {
			return nil, ctx.Err()
		}
		d.Lower[i] = strings.ToLower(f)
	}
	for s := 1; s < len(d.Bounds); s++ {
		for range d.Bounds[s] - d.Bounds[s-1] {
			d.Sents = append(d.Sents, int32(s-1))
		}
	}
	for _, step := range []func(){
		func() { d.readTree(ctx, doc, n) },
		func() { d.setExtents(ctx) },
		func() { d.readEntities(ctx, doc) },
		func() { d.readNodes(ctx, doc) },
		func() { d.readSpeakers(ctx, column("misc")) },
	} {
		if step(); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return d, nil
}

// readTree reads heads and relations as far as the context lets it, as the steps after it do with theirs.
func (d *Document) readTree(ctx context.Context, doc *text.Document, n int) {
	d.Heads, d.Rels = make([]int32, n), make([]string, n)
	for i := range d.Heads {
		d.Heads[i] = None
	}
	for s := range kind.While(ctx, treebank.Sentences(doc)) {
		for t := 1; t <= s.Len(); t++ {
			row := s.From + t - 1
			switch h := int(s.Heads[t]); {
			case h == 0:
				d.Heads[row], d.Tree = Root, true
			case h > 0 && h <= s.Len() && h != t:
				d.Heads[row], d.Tree = int32(s.From+h-1), true
			}
			d.Rels[row] = s.Labels[t]
		}
	}
	d.below = make([][]int32, n)
	for i, h := range d.Heads {
		if kind.Ended(ctx, i) {
			return
		}
		if h >= 0 {
			d.below[h] = append(d.below[h], int32(i))
		}
	}
}

// span is the span of a row of a layer, false where it covers no tokens of a sentence.
func (d *Document) span(l *text.Layer, row int) (Span, bool) {
	sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
	if sent == nil || first == nil || last == nil || sent[row] < 1 || int(sent[row]) >= len(d.Bounds) {
		return Span{}, false
	}
	from, to := d.Bounds[sent[row]-1], d.Bounds[sent[row]]
	s := Span{from + first[row] - 1, from + last[row]}
	return s, first[row] >= 1 && s.Start < s.End && s.End <= to
}

func (d *Document) readEntities(ctx context.Context, doc *text.Document) {
	l := doc.Layer(text.Entities.Name)
	if l == nil {
		return
	}
	label := l.Strs("label")
	for i := range l.N {
		if kind.Ended(ctx, i) {
			return
		}
		if s, ok := d.span(l, i); ok && (l.Rank == nil || l.Rank[i] == 1) && label != nil {
			d.entities = append(d.entities, entity{s, label[i]})
		}
	}
	slices.SortStableFunc(d.entities, func(a, b entity) int { return a.Compare(b.Span) })
}

func (d *Document) readNodes(ctx context.Context, doc *text.Document) {
	l := doc.Layer(text.Constituents.Name)
	if l == nil {
		return
	}
	sent, number, parent, label := l.Ints("sent"), l.Ints("node"), l.Ints("parent"), l.Strs("label")
	if sent == nil || number == nil || parent == nil || label == nil {
		return
	}
	defer func() {
		for len(d.first) < len(d.Bounds) {
			d.first = append(d.first, int32(len(d.nodes)))
		}
	}()
	type key struct{ sent, node int32 }
	at := map[key]int32{}
	for i := range l.N {
		if kind.Ended(ctx, i) {
			return
		}
		s, ok := d.span(l, i)
		if !ok || l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		above, known := at[key{sent[i], parent[i]}]
		if !known {
			above = None
		}
		at[key{sent[i], number[i]}] = int32(len(d.nodes))
		for len(d.first) < int(sent[i]) {
			d.first = append(d.first, int32(len(d.nodes)))
		}
		d.nodes = append(d.nodes, node{s, label[i], above})
	}
}

// Children returns the tokens whose head is the token, in order.
func (d *Document) Children(token int32) []int32 { return d.below[token] }

// Spans returns the spans of the layer of mentions and their rows, in reading order. Rows without tokens and rows below
// rank 1 are left out.
func (d *Document) Spans(doc *text.Document) (spans []Span, rows []int32) {
	l := doc.Layer(text.Mentions.Name)
	if l == nil {
		return nil, nil
	}
	for i := range l.N {
		if s, ok := d.span(l, i); ok && (l.Rank == nil || l.Rank[i] == 1) {
			spans, rows = append(spans, s), append(rows, int32(i))
		}
	}
	if slices.IsSortedFunc(spans, Span.Compare) {
		return spans, rows
	}
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return spans[a].Compare(spans[b]) })
	sorted, sortedRows := make([]Span, len(spans)), make([]int32, len(spans))
	for i, k := range order {
		sorted[i], sortedRows[i] = spans[k], rows[k]
	}
	return sorted, sortedRows
}

// Node is a constituent.
type Node struct {
	Span
	Label string
}

// Nodes returns the constituents in the order of the layer.
func (d *Document) Nodes() []Node {
	out := make([]Node, len(d.nodes))
	for i, n := range d.nodes {
		out[i] = Node{n.Span, n.label}
	}
	return out
}

// Entities returns the spans of the named entities in reading order.
func (d *Document) Entities() []Span {
	out := make([]Span, len(d.entities))
	for i, e := range d.entities {
		out[i] = e.Span
	}
	return out
}

// Extent is the range of tokens that a token and all below it reach over in the tree.
func (d *Document) Extent(token int32) Span { return d.extents[token] }

// setExtents computes the extents from the leaves up. What hangs in a cycle reaches over itself alone.
func (d *Document) setExtents(ctx context.Context) {
	n := len(d.Heads)
	d.extents = make([]Span, n)
	open := make([]int, n)
	var ready []int32
	for i := range d.extents {
		d.extents[i] = Span{int32(i), int32(i) + 1}
		if open[i] = len(d.below[i]); open[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for step := 0; len(ready) > 0 && !kind.Ended(ctx, step); step++ {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		h := d.Heads[t]
		if h < 0 {
			continue
		}
		e := &d.extents[h]
		e.Start, e.End = min(e.Start, d.extents[t].Start), max(e.End, d.extents[t].End)
		if open[h]--; open[h] == 0 {
			ready = append(ready, h)
		}
	}
}

// CaseOf is the case of the pronoun that a form is in the tables, NoCase of other words.
func (d *Document) CaseOf(token int32) Case { return words().pronouns[d.Lower[token]].kase }
