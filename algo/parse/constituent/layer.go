package constituent

import (
	"fmt"
	"iter"
	"slices"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Ranked is one of the trees of a sentence.
type Ranked struct {
	Rank int     // 1 is the best
	Prob float64 // of its root, 0 where there is none
	Root *Node   // as it was written, under a node without label if there are several or none that covers all
}

// Sentence is the trees of a sentence.
type Sentence struct {
	Number int      // in the document, from 1
	Rows   []int    // of its tokens in the layer of tokens, without traces; token t is Rows[t-1]
	Tags   []string // of these tokens, "" where they have none
	Trees  []Ranked // by rank
	Fault  error    // what makes rows of the layer no tree; the trees are without it
}

// Best is the tree of rank 1, nil if there is none.
func (s *Sentence) Best() *Node {
	if len(s.Trees) > 0 && s.Trees[0].Rank == 1 {
		return s.Trees[0].Root
	}
	return nil
}

// Sentences yields the sentences of a document that have tokens, with their trees; tags is the column of tokens that
// the labels of leaves come from. Tokens with the tag -NONE- are left out, and phrases over nothing else.
func Sentences(d *text.Document, tags string) iter.Seq[*Sentence] {
	return func(yield func(*Sentence) bool) {
		toks := d.Layer(text.Tokens.Name)
		if toks == nil {
			return
		}
		rows := rowsOf(d.Layer(text.Constituents.Name))
		bounds := d.SentenceTokens()
		column := toks.Strs(tags)
		for i := 1; i < len(bounds); i++ {
			if bounds[i] == bounds[i-1] {
				continue
			}
			s := &Sentence{Number: i}
			number := make([]int, bounds[i]-bounds[i-1]+1) // of tokens with traces
			for row := int(bounds[i-1]); row < int(bounds[i]); row++ {
				tag := ""
				if column != nil {
					tag = column[row]
				}
				if tag != Trace {
					s.Rows, s.Tags = append(s.Rows, row), append(s.Tags, tag)
					number[row-int(bounds[i-1])+1] = len(s.Rows)
				}
			}
			for _, k := range rows[int32(i)] {
				s.tree(k, number)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// treeRows is the rows of one tree.
type treeRows struct {
	layer *text.Layer
	rank  int
	rows  []int
}

// rowsOf are the trees of a layer by sentence, by rank.
func rowsOf(l *text.Layer) map[int32][]treeRows {
	out := map[int32][]treeRows{}
	if l == nil {
		return out
	}
	for i, s := range l.Ints("sent") {
		rank := 1
		if l.Rank != nil {
			rank = int(l.Rank[i])
		}
		list := out[s]
		k := slices.IndexFunc(list, func(t treeRows) bool { return t.rank == rank })
		if k < 0 {
			k = len(list)
			list = append(list, treeRows{layer: l, rank: rank})
		}
		list[k].rows = append(list[k].rows, i)
		out[s] = list
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b treeRows) int { return a.rank - b.rank })
	}
	return out
}

// tree adds the tree of some rows; number gives tokens without traces those with them.
func (s *Sentence) tree(t treeRows, number []int) {
	first, last, labels := t.layer.Ints("tok_start"), t.layer.Ints("tok_end"), t.layer.Strs("label")
	if first == nil || last == nil || labels == nil {
		s.Fault = fmt.Errorf("sentence %d: constituents without tokens or labels", s.Number)
		return
	}
	root := &Node{}
	open, ends := []*Node{root}, []int{len(number) - 1}
	next := 1
	upTo := func(tok int) { // places the tokens before one
		for ; next < tok; next++ {
			for len(open) > 1 && ends[len(ends)-1] < next {
				open, ends = open[:len(open)-1], ends[:len(ends)-1]
			}
			if k := number[next]; k > 0 {
				at := open[len(open)-1]
				at.Children = append(at.Children, &Node{Label: s.Tags[k-1], Token: k})
			}
		}
	}
	for _, row := range t.rows {
		a, z := int(first[row]), int(last[row])
		if a < 1 || z < a || z >= len(number) || a < next {
			s.Fault = fmt.Errorf("sentence %d: constituent %s of tokens %d to %d is out of order, or not of its %d tokens",
				s.Number, labels[row], a, z, len(number)-1)
			return
		}
		upTo(a)
		for len(open) > 1 && ends[len(ends)-1] < a {
			open, ends = open[:len(open)-1], ends[:len(ends)-1]
		}
		if ends[len(ends)-1] < z {
			s.Fault = fmt.Errorf("sentence %d: constituent %s of tokens %d to %d crosses another one", s.Number,
				labels[row], a, z)
			return
		}
		n := &Node{Label: labels[row]}
		open[len(open)-1].Children = append(open[len(open)-1].Children, n)
		open, ends = append(open, n), append(ends, z)
	}
	upTo(len(number))
	if root = withoutEmpty(root); root == nil {
		return
	}
	if len(root.Children) == 1 {
		root = root.Children[0]
	}
	x := Ranked{Rank: t.rank, Root: root}
	if t.layer.Prob != nil {
		x.Prob = t.layer.Prob[t.rows[0]]
	}
	s.Trees = append(s.Trees, x)
}

// withoutEmpty drops phrases over nothing; nil if all is.
func withoutEmpty(n *Node) *Node {
	if n.Leaf() {
		return n
	}
	kept := n.Children[:0]
	for _, c := range n.Children {
		if c = withoutEmpty(c); c != nil {
			kept = append(kept, c)
		}
	}
	if n.Children = kept; len(kept) == 0 {
		return nil
	}
	return n
}

// Parses is a layer that tells how the trees of a sentence were found.
var Parses = &text.LayerDef{Name: "parses", Doc: "how the trees of a sentence were found", Columns: []text.Column{
	{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
	{Name: "rank", Type: value.Integer, Doc: "place among the best trees, 1-based"},
	{Name: "score", Type: value.Float, Doc: "score of the tree under the model; NULL of a flat one"},
	{Name: "search", Type: value.Text,
		Doc: "pruned: as always; widened: nothing was found at first, and more was tried; " +
			"pieces: too long, parsed in pieces under one root; flat: no tree was found, the root alone stands " +
			"over the tokens"}}}

// Writer gathers trees of a document for its layers.
type Writer struct {
	Probs, Ranks bool // rows have prob, and rank
	d            *text.Document
	l            *text.Layer
	sent         []int32
	node, parent []int32
	label        []string
	start, end   []int32
	first, last  []int32
	parses       *text.Layer
	pSent, pRank []int32
	pScore       []float64
	pSearch      []string
}

// NewWriter returns a writer of the trees of a document.
func NewWriter(d *text.Document, probs, ranks bool) *Writer {
	return &Writer{Probs: probs, Ranks: ranks, d: d, l: text.NewLayer(text.Constituents), parses: text.NewLayer(Parses)}
}

// Tree adds a tree of a sentence. A root of the label Root is written as label root, or not at all if that is "". prob
// gives that of a node, with its tokens.
func (w *Writer) Tree(s *Sentence, rank int, n *Node, root string, prob func(n *Node, first, last int) float64) {
	if n.Label == Root && root == "" {
		at := int32(0)
		for _, c := range n.Children {
			w.add(s, rank, c, 0, &at, prob)
		}
		return
	}
	at := int32(0)
	if n.Label == Root && root != Root {
		n = &Node{Label: root, Children: n.Children}
	}
	w.add(s, rank, n, 0, &at, prob)
}

func (w *Writer) add(s *Sentence, rank int, n *Node, parent int32, at *int32, prob func(*Node, int, int) float64) {
	if n.Leaf() {
		return
	}
	toks := w.d.Layer(text.Tokens.Name)
	first, last := n.Span()
	from, to := s.Rows[first-1], s.Rows[last-1]
	*at++
	number := *at
	w.sent, w.node, w.parent = append(w.sent, int32(s.Number)), append(w.node, number), append(w.parent, parent)
	w.label = append(w.label, n.Label)
	w.start, w.end = append(w.start, toks.Cols[2].Ints[from]), append(w.end, toks.Cols[3].Ints[to])
	w.first, w.last = append(w.first, toks.Cols[1].Ints[from]), append(w.last, toks.Cols[1].Ints[to])
	if w.Probs {
		w.l.Prob = append(w.l.Prob, prob(n, first, last))
	}
	if w.Ranks {
		w.l.Rank = append(w.l.Rank, int32(rank))
	}
	for _, c := range n.Children {
		w.add(s, rank, c, number, at, prob)
	}
}

// Parse adds a row of Parses.
func (w *Writer) Parse(s *Sentence, rank int, score float64, search string, prob float64) {
	w.pSent, w.pRank = append(w.pSent, int32(s.Number)), append(w.pRank, int32(rank))
	w.pScore, w.pSearch = append(w.pScore, score), append(w.pSearch, search)
	if w.Ranks {
		w.parses.Prob, w.parses.Rank = append(w.parses.Prob, prob), append(w.parses.Rank, int32(rank))
	}
}

// Set gives the document the layers that are wanted.
func (w *Writer) Set(wants func(layer string) bool) {
	if wants(text.Constituents.Name) {
		l := w.l
		l.N = len(w.sent)
		for name, v := range map[string][]int32{"sent": w.sent, "node": w.node, "parent": w.parent, "char_start": w.start,
			"char_end": w.end, "tok_start": w.first, "tok_end": w.last} {
			l.SetInts(name, v)
		}
		l.SetStrs("label", w.label)
		if w.Probs && l.Prob == nil {
			l.Prob = []float64{}
		}
		if w.Ranks && l.Rank == nil {
			l.Rank = []int32{}
		}
		w.d.SetLayer(l)
	}
	if wants(Parses.Name) {
		l := w.parses
		l.N = len(w.pSent)
		l.SetInts("sent", w.pSent)
		l.SetInts("rank", w.pRank)
		l.SetStrs("search", w.pSearch)
		l.Cols[Parses.Index("score")].Floats = w.pScore
		w.d.SetLayer(l)
	}
}
