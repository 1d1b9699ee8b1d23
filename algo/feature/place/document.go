package place

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// document is what extraction reads of a document, as numbers.
type document struct {
	rows      int       // tokens
	bounds    []int32   // of sentences
	sents     []int32   // by token: the sentence, from 0
	columns   [][]int32 // of tokens: numbers of texts, nil for columns that are not read
	heads     []int32   // by token: the row of the head, none for a root, missing without a head
	begin     []int32   // by token: where its children begin among below
	below     []int32   // children of one token after the other
	nodes     nodes
	layers    []layer  // by place
	mentions  []int32  // first tokens, ascending
	described mentions // descriptions, where they are read
}

// missing is the head of a token that has none.
const missing = -2

// nodes is constituents by row.
type nodes struct {
	parent, label, sent, from, to []int32
	first                         []int32 // by sentence: where its rows begin
}

// layer is the rows of a place.
type layer struct {
	from, to []int32     // tokens
	cells    [][]int32   // by instruction that reads a column or a description: numbers of texts, or numbers
	lists    [][][]int32 // by instruction that reads a list of a description, by row
}

// bind reads a document. It fails only when the context has ended.
func (d *document) bind(ctx context.Context, x *Extractor, doc *text.Document) error {
	need := x.set.needs()
	d.bounds = doc.SentenceTokens()
	d.rows = int(d.bounds[len(d.bounds)-1])
	d.sents = d.sents[:0]
	for s := 1; s < len(d.bounds); s++ {
		for range d.bounds[s] - d.bounds[s-1] {
			d.sents = append(d.sents, int32(s-1))
		}
	}
	if d.bindColumns(ctx, x, doc); ctx.Err() != nil {
		return ctx.Err()
	}
	if need&(needHeads|needRelations) != 0 {
		if d.bindTree(ctx, x, doc, need); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if need&needNodes != 0 {
		if d.bindNodes(ctx, x, doc.Layer("constituents")); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if need&needMentions != 0 {
		from, _ := d.ranges(doc.Layer("mentions"), d.mentions[:0], nil)
		slices.Sort(from)
		d.mentions = from
	}
	return d.bindLayers(ctx, x, doc)
}

// bindColumns reads columns of tokens as far as the context lets it, as the steps after it do with theirs.
func (d *document) bindColumns(ctx context.Context, x *Extractor, doc *text.Document) {
	if d.columns == nil {
		d.columns = make([][]int32, len(tokenColumns))
	}
	toks := doc.Layer("tokens")
	for _, c := range x.set.tokenColumns() {
		i := slices.Index(tokenColumns, c)
		var strs []string
		if toks != nil {
			strs = toks.Strs(c)
		}
		out := d.columns[i][:0]
		for t := range d.rows {
			if kind.Ended(ctx, t) {
				return
			}
			v := int32(none)
			if strs != nil && strs[t] != "" {
				v = x.id(strs[t])
			}
			out = append(out, v)
		}
		d.columns[i] = out
	}
}

// bindTree reads heads, relations and children.
func (d *document) bindTree(ctx context.Context, x *Extractor, doc *text.Document, need needs) {
	relation := len(tokenColumns) - 1
	rel := d.columns[relation][:0]
	d.heads = d.heads[:0]
	for s := range kind.While(ctx, treebank.Sentences(doc)) {
		for t := 1; t <= s.Len() && !kind.Ended(ctx, t); t++ {
			h := int32(missing)
			switch w := int(s.Heads[t]); {
			case w == 0:
				h = none
			case w > 0 && w <= s.Len() && w != t:
				h = int32(s.From + w - 1)
			}
			d.heads = append(d.heads, h)
			v := int32(none)
			if need&needRelations != 0 && s.Labels[t] != "" {
				v = x.id(s.Labels[t])
			}
			rel = append(rel, v)
		}
	}
	if ctx.Err() != nil {
		return
	}
	for len(d.heads) < d.rows {
		d.heads, rel = append(d.heads, missing), append(rel, none)
	}
	d.columns[relation] = rel
	d.bindChildren()
}

// bindChildren sorts tokens by head: counts, sums, places.
func (d *document) bindChildren() {
	d.begin = slices.Grow(d.begin[:0], d.rows+2)[:d.rows+2]
	clear(d.begin)
	for _, h := range d.heads {
		if h >= 0 {
			d.begin[h+2]++
		}
	}
	for i := 1; i < len(d.begin); i++ {
		d.begin[i] += d.begin[i-1]
	}
	n := int(d.begin[len(d.begin)-1])
	d.below = slices.Grow(d.below[:0], n)[:n]
	for t, h := range d.heads {
		if h >= 0 {
			d.below[d.begin[h+1]] = int32(t)
			d.begin[h+1]++
		}
	}
}

// ranges appends the rows of tokens that the rows of a layer cover; none for those that cover none.
func (d *document) ranges(l *text.Layer, from, to []int32) (_, _ []int32) {
	if l == nil {
		return from, to
	}
	sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
	for i := range l.N {
		f, t := int32(none), int32(none)
		if sent != nil && first != nil && last != nil && sent[i] >= 1 && int(sent[i]) < len(d.bounds) {
			base := d.bounds[sent[i]-1]
			f, t = base+first[i]-1, base+last[i]
			if first[i] < 1 || t > d.bounds[sent[i]] || f >= t {
				f, t = none, none
			}
		}
		from, to = append(from, f), append(to, t)
	}
	return from, to
}

func (d *document) bindNodes(ctx context.Context, x *Extractor, l *text.Layer) {
	n := &d.nodes
	n.parent, n.label, n.sent = n.parent[:0], n.label[:0], n.sent[:0]
	n.from, n.to = d.ranges(l, n.from[:0], n.to[:0])
	n.first = append(n.first[:0], make([]int32, len(d.bounds))...)
	if l == nil {
		return
	}
	sent, node, parent, label := l.Ints("sent"), l.Ints("node"), l.Ints("parent"), l.Strs("label")
	if sent == nil || node == nil {
		return
	}
	for i := range l.N {
		if i&63 == 0 && ctx.Err() != nil { // the parent is looked for in the whole sentence
			return
		}
		above, v := int32(none), int32(none)
		for j := i - 1; j >= 0 && sent[j] == sent[i] && parent != nil; j-- {
			if node[j] == parent[i] {
				above = int32(j)
				break
			}
		}
		if label != nil && label[i] != "" {
			v = x.id(label[i])
		}
		n.parent, n.label, n.sent = append(n.parent, above), append(n.label, v), append(n.sent, sent[i]-1)
		if s := int(sent[i]); s < len(n.first) {
			n.first[s] = int32(i + 1)
		}
	}
	for s := 1; s < len(n.first); s++ {
		n.first[s] = max(n.first[s], n.first[s-1])
	}
}

func (d *document) bindLayers(ctx context.Context, x *Extractor, doc *text.Document) error {
	if d.layers == nil {
		d.layers = make([]layer, len(x.set.places))
		for i := range d.layers {
			d.layers[i].cells, d.layers[i].lists = make([][]int32, len(x.set.code)), make([][][]int32, len(x.set.code))
		}
	}
	if x.set.needs()&needDescriptions != 0 {
		if err := d.described.read(ctx, doc); err != nil {
			return err
		}
	}
	for i, p := range x.set.places {
		if p.Layer == "" {
			continue
		}
		l, in := &d.layers[i], doc.Layer(p.Layer)
		l.from, l.to = d.ranges(in, l.from[:0], l.to[:0])
		for k, c := range x.set.code {
			if c.step != nil && c.step.row && c.place == i {
				l.cells[k] = cells(ctx, x, in, &c, l.cells[k][:0])
			}
			if c.step != nil && c.step.described() && c.place == i {
				d.describe(ctx, x, k, l)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// cells reads a column of a layer; a number below 0 counts as none.
func cells(ctx context.Context, x *Extractor, in *text.Layer, c *instruction, out []int32) []int32 {
	if in == nil {
		return out
	}
	if c.typ == numberType {
		return append(out, in.Ints(c.texts[0])...)
	}
	for i, s := range in.Strs(c.texts[0]) {
		if kind.Ended(ctx, i) {
			break
		}
		v := int32(none)
		if s != "" {
			v = x.id(s)
		}
		out = append(out, v)
	}
	return out
}

// resolve checks a place and completes it.
func (x *Extractor) resolve(i int, r Ref) (Ref, error) {
	p := x.set.places[i]
	if p.Layer != "" {
		l := &x.layers[i]
		if r.Row < 0 || int(r.Row) >= len(l.from) || p.Type == "node" && int(r.Row) >= len(x.nodes.parent) {
			return r, errors.New("the layer " + p.Layer + " has no such row")
		}
		if r.From, r.To = l.from[r.Row], l.to[r.Row]; r.From < 0 {
			return r, errors.New("the row covers no tokens")
		}
		return r, nil
	}
	if r.From < 0 || r.From >= r.To || int(r.To) > x.rows || p.Type == "token" && r.To != r.From+1 {
		return r, errors.New("there are no such tokens")
	}
	if x.sents[r.From] != x.sents[r.To-1] {
		return r, errors.New("the tokens are of several sentences")
	}
	r.Row = none
	return r, nil
}

func (d *document) sentence(t int32) int32 { return d.sents[t] }

// column returns the number of the text of a token in a column.
func (d *document) column(c int, t int32) int32 {
	if int(t) >= len(d.columns[c]) {
		return none
	}
	return d.columns[c][t]
}

func (x *Extractor) cell(k int, row int32) int32 {
	c := x.layers[x.set.code[k].place].cells[k]
	if int(row) >= len(c) {
		return none
	}
	return c[row]
}

func (d *document) children(t int32) []int32 { return d.below[d.begin[t]:d.begin[t+1]] }

// side is the children before (-1) or after (1) a token.
func (d *document) side(t int32, side int) []int32 {
	all := d.children(t)
	n, _ := slices.BinarySearch(all, t)
	if side < 0 {
		return all[:n]
	}
	return all[n:]
}

// child is the first (0) or last (-1) child on a side of a token.
func (d *document) child(t int32, which, side int) int32 {
	list := d.side(t, side)
	if len(list) == 0 {
		return none
	}
	if which < 0 {
		return list[len(list)-1]
	}
	return list[0]
}

// climb appends what is above an entry of a tree, up to the root. Trees with a cycle end after as many steps as there
// are entries.
func climb(above []int32, at int32, out []int32) []int32 {
	for range above {
		if at = above[at]; at < 0 {
			break
		}
		out = append(out, at)
	}
	return out
}

// up is the first token above that is wanted; or, with orLast, else the root, which may be the token itself.
func (d *document) up(t int32, wanted func(int32) bool, orLast bool) int32 {
	for range d.rows {
		h := d.heads[t]
		if h < 0 {
			break
		}
		if t = h; wanted(t) {
			return t
		}
	}
	if orLast {
		return t
	}
	return none
}

// headOf is the first token of a range whose head is outside, the last token where no token has a head.
func (d *document) headOf(from, to int32) int32 {
	if int(to) > len(d.heads) {
		return to - 1
	}
	for t := from; t < to; t++ {
		if h := d.heads[t]; h != missing && (h < from || h >= to) {
			return t
		}
	}
	return to - 1
}

// cover is the lowest constituent that covers a range: the shortest one, of several the last.
func (d *document) cover(from, to int32) int32 {
	n, s := &d.nodes, d.sents[from]
	best := int32(none)
	for r := n.first[s]; r < n.first[s+1]; r++ {
		if n.from[r] >= 0 && n.from[r] <= from && n.to[r] >= to &&
			(best < 0 || n.to[r]-n.from[r] <= n.to[best]-n.from[best]) {
			best = r
		}
	}
	return best
}

// setNode sets a node by its row, or none.
func (x *Extractor) setNode(out *val, row int32) {
	if out.none = row < 0 || x.nodes.from[row] < 0; !out.none {
		out.a, out.b, out.row = x.nodes.from[row], x.nodes.to[row], row
	}
}

// rank is how many mentions begin before a token.
func (d *document) rank(t int32) int32 {
	n, _ := slices.BinarySearch(d.mentions, t)
	return int32(n)
}

// morphology is the value of a feature of a token, or all of them.
func (x *Extractor) morphology(k int, t int32) int32 {
	all := x.column(4, t)
	if len(x.set.code[k].texts) == 0 {
		return all
	}
	return x.remember(k, all, func(s string) string {
		for _, f := range strings.Split(s, "|") {
			if key, v, _ := strings.Cut(f, "="); key == x.set.code[k].texts[0] {
				return v
			}
		}
		return ""
	})
}
