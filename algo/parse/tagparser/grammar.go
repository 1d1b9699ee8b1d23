package tagparser

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// grammar is the spines of each tag and the triples of arcs that the treebank has.
type grammar struct {
	spines    [][]string // a tag with the phrases above it
	triples   []constituent.Triple
	tags      []string
	dict      [][]int32 // spines of a tag, the most frequent first
	kept      []int     // how many of them are used as long as that finds a tree
	open      int32     // tag that stands for tags that the treebank has not
	pairs     []pairCount
	rootLabel string
	crossed   bool // labels have parts that the treebank has between two tags, not only whole triples

	spineID  map[string]int32
	tripleID map[constituent.Triple]int32
	tagID    map[string]int32
	byPair   map[[3]int32][]pairCount // by tag of the head (−1 for the root), tag of the modifier, side
	share    []float64                // of a triple among all
	partID   map[string]int32         // of the phrases and tags of triples
	parts    [][3]int32               // of a triple: parent, head child, modifier
}

// pairCount tells how often an arc between two tags has a triple.
type pairCount struct {
	head, mod, side int32 // tags, −1 for the root; side 0 is left
	triple          int32
	count           int32
}

// pairWeight is that of the share of a triple among all, against one arc between the two tags.
const pairWeight = 0.5

// index makes what look-ups need.
func (g *grammar) index() {
	g.spineID, g.tripleID, g.tagID = map[string]int32{}, map[constituent.Triple]int32{}, map[string]int32{}
	g.byPair = map[[3]int32][]pairCount{}
	for i, s := range g.spines {
		g.spineID[spineKey(s)] = int32(i)
	}
	g.partID, g.parts = map[string]int32{}, make([][3]int32, len(g.triples))
	for i, t := range g.triples {
		g.tripleID[t] = int32(i)
		for k, name := range []string{t.Parent, t.Head, t.Modifier} {
			g.parts[i][k] = intern(g.partID, name, func() {})
		}
	}
	for i, t := range g.tags {
		g.tagID[t] = int32(i)
	}
	g.share = make([]float64, len(g.triples))
	total := 0.0
	for _, c := range g.pairs {
		k := [3]int32{c.head, c.mod, c.side}
		g.byPair[k] = append(g.byPair[k], c)
		g.share[c.triple] += float64(c.count)
		total += float64(c.count)
	}
	for i := range g.share {
		g.share[i] /= total
	}
}

// spineKey is a spine as text.
func spineKey(s []string) string { return fmt.Sprintf("%q", s) }

// tag is the number of a tag, that of open ones for unknown tags.
func (g *grammar) tag(name string) int32 {
	if t, ok := g.tagID[name]; ok {
		return t
	}
	return g.open
}

// example is a sentence to learn from.
type example struct {
	words   []string
	tags    []string
	heads   []int32 // by token; entry 0 is unused
	spine   []int32
	pos     []int32 // position in the head's spine
	triple  []int32
	regular []bool
	arcs    []candidate // what the pruner leaves
}

// reader turns a treebank into examples and counts.
type reader struct {
	g                     *grammar
	heads                 *constituent.HeadTable
	examples              []*example
	counts                map[pairCount]int32
	spines                map[[2]int32]int // by tag and spine
	forms                 map[int32]map[string]bool
	rootNames             map[string]int
	faults                constituent.Faults
	noTree                int
	tokens, most, tooLong int
}

// read reads the trees of documents.
func read(ctx context.Context, in kind.Input, m *model) (*reader, error) {
	heads, err := constituent.Heads(m.opt.heads)
	if err != nil {
		return nil, err
	}
	r := &reader{heads: heads, counts: map[pairCount]int32{}, spines: map[[2]int32]int{}, rootNames: map[string]int{},
		forms: map[int32]map[string]bool{}, most: m.opt.maxLength,
		g: &grammar{spineID: map[string]int32{}, tripleID: map[constituent.Triple]int32{}, tagID: map[string]int32{}}}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.document(ctx, d, m.opt.tags)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.examples) == 0 {
		return nil, fmt.Errorf("%w: there are no sentences with constituents", kind.ErrNoData)
	}
	r.finish(m.opt.spineMass)
	return r, nil
}

func (r *reader) document(ctx context.Context, d *text.Document, column string) {
	forms := d.Layer(text.Tokens.Name).Strs("form")
	for s := range kind.While(ctx, constituent.Sentences(d, column)) {
		if s.Fault != nil {
			r.faults.Add(d.ID, s.Fault)
			continue
		}
		tree := constituent.Clean(s.Best())
		switch {
		case tree == nil:
			r.noTree++
			continue
		case len(s.Rows) > r.most:
			r.tooLong++
			continue
		}
		r.rootNames[constituent.RootLabel(s.Best())]++
		x := &example{tags: slices.Clone(s.Tags)}
		for _, row := range s.Rows {
			x.words = append(x.words, forms[row])
		}
		r.add(x, constituent.Extract(tree, r.heads, len(s.Rows)))
		r.tokens += len(s.Rows)
	}
}

func intern[K comparable](ids map[K]int32, k K, isNew func()) int32 {
	id, ok := ids[k]
	if !ok {
		id = int32(len(ids))
		ids[k] = id
		isNew()
	}
	return id
}

// add takes in a derivation.
func (r *reader) add(x *example, d *constituent.Derivation) {
	g, n := r.g, d.Len()
	x.heads, x.spine, x.pos = make([]int32, n+1), make([]int32, n+1), make([]int32, n+1)
	x.triple, x.regular = make([]int32, n+1), make([]bool, n+1)
	later := d.Later()
	tags := make([]int32, n+1)
	tags[0] = -1
	for m := 1; m <= n; m++ {
		tags[m] = intern(g.tagID, d.Spines[m][0], func() { g.tags = append(g.tags, d.Spines[m][0]) })
		if r.forms[tags[m]] == nil {
			r.forms[tags[m]] = map[string]bool{}
		}
		r.forms[tags[m]][x.words[m-1]] = true
	}
	for m := 1; m <= n; m++ {
		a := d.Arcs[m]
		x.heads[m], x.pos[m], x.regular[m] = a.Head, int32(a.Position), a.Regular
		x.spine[m] = intern(g.spineID, spineKey(d.Spines[m]), func() { g.spines = append(g.spines, d.Spines[m]) })
		t := d.Triple(m, later[m])
		x.triple[m] = intern(g.tripleID, t, func() { g.triples = append(g.triples, t) })
		side := int32(0)
		if int(a.Head) < m {
			side = 1
		}
		r.counts[pairCount{tags[a.Head], tags[m], side, x.triple[m], 0}]++
		r.spines[[2]int32{tags[m], x.spine[m]}]++
	}
	r.examples = append(r.examples, x)
}

// finish sorts what was counted. mass is the share of the tokens of a tag whose spines are in its dictionary.
func (r *reader) finish(mass float64) {
	g := r.g
	g.rootLabel = constituent.MostFrequent(r.rootNames)
	for k, n := range r.counts {
		k.count = n
		g.pairs = append(g.pairs, k)
	}
	slices.SortFunc(g.pairs, func(a, b pairCount) int {
		return cmp.Or(cmp.Compare(a.head, b.head), cmp.Compare(a.mod, b.mod), cmp.Compare(a.side, b.side),
			cmp.Compare(b.count, a.count), cmp.Compare(a.triple, b.triple))
	})
	g.dict, g.kept = make([][]int32, len(g.tags)), make([]int, len(g.tags))
	for k := range r.spines {
		g.dict[k[0]] = append(g.dict[k[0]], k[1])
	}
	most := 0
	for t, list := range g.dict {
		count := func(s int32) int { return r.spines[[2]int32{int32(t), s}] }
		slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(count(b), count(a)), cmp.Compare(a, b)) })
		total, sum := 0, 0
		for _, s := range list {
			total += count(s)
		}
		for _, s := range list {
			if float64(sum) >= mass*float64(total) {
				break
			}
			sum += count(s)
			g.kept[t]++
		}
		if n := len(r.forms[int32(t)]); n > most {
			most, g.open = n, int32(t)
		}
	}
	g.index()
}

// labels are the triples that an arc between two tags may have, with their shares: those seen between them, where
// crossed is set those whose parts were, and, where all is wanted, all others.
func (g *grammar) labels(head, mod, side int32, all bool) ([]int32, []float64) {
	seen := g.byPair[[3]int32{head, mod, side}]
	total := pairWeight
	for _, c := range seen {
		total += float64(c.count)
	}
	var list []int32
	var share []float64
	has := map[int32]bool{}
	for _, c := range seen {
		list, share = append(list, c.triple), append(share, (float64(c.count)+pairWeight*g.share[c.triple])/total)
		has[c.triple] = true
	}
	all = all || len(seen) == 0
	if !all && !g.crossed {
		return list, share
	}
	var known [3]map[int32]bool
	for k := range known {
		known[k] = map[int32]bool{}
		for _, c := range seen {
			known[k][g.parts[c.triple][k]] = true
		}
	}
	for t, p := range g.parts {
		if !has[int32(t)] && (all || known[0][p[0]] && known[1][p[1]] && known[2][p[2]]) {
			list, share = append(list, int32(t)), append(share, math.Max(1e-12, pairWeight*g.share[t]/total))
		}
	}
	return list, share
}

// entry is one way for an arc: a position of a spine of the head, with a spine of the modifier, and the places in the
// pair's labels of the two triples it may have, −1 for none.
type entry struct {
	pos, mod      int32
	first, copies int32 // where the child with the head is the spine below; where it is the same phrase
}

// pair is what arcs between two tags may be.
type pair struct {
	labels  []int32 // triples
	share   []float64
	entries []entry
}

// newPair makes that of two tags; wide takes all spines and triples. head is −1 for the root.
func (g *grammar) newPair(head, mod, side int32, wide bool) *pair {
	p := &pair{}
	p.labels, p.share = g.labels(head, mod, side, wide)
	at := make(map[constituent.Triple]int32, len(p.labels))
	for i, t := range p.labels {
		at[g.triples[t]] = int32(i)
	}
	find := func(t constituent.Triple) int32 {
		if i, ok := at[t]; ok {
			return i
		}
		return -1
	}
	heads := [][]string{constituent.RootSpine}
	if head >= 0 {
		heads = nil
		for _, s := range g.used(head, wide) {
			heads = append(heads, g.spines[s])
		}
	}
	pos := int32(0)
	for _, h := range heads {
		for i := 1; i < len(h); i++ {
			for t, s := range g.used(mod, wide) {
				top := g.spines[s][len(g.spines[s])-1]
				e := entry{pos, int32(t), find(constituent.Triple{Parent: h[i], Head: h[i-1], Modifier: top}), -1}
				if head >= 0 {
					e.copies = find(constituent.Triple{Parent: h[i], Head: h[i], Modifier: top})
				}
				if e.first >= 0 || e.copies >= 0 {
					p.entries = append(p.entries, e)
				}
			}
			pos++
		}
	}
	p.compact()
	return p
}

// compact drops labels that no entry has.
func (p *pair) compact() {
	number := make([]int32, len(p.labels))
	for i := range number {
		number[i] = -1
	}
	labels, share := p.labels, p.share
	p.labels, p.share = nil, nil
	renumber := func(l *int32) {
		if *l < 0 {
			return
		}
		if number[*l] < 0 {
			number[*l] = int32(len(p.labels))
			p.labels, p.share = append(p.labels, labels[*l]), append(p.share, share[*l])
		}
		*l = number[*l]
	}
	for i := range p.entries {
		renumber(&p.entries[i].first)
		renumber(&p.entries[i].copies)
	}
}

// used are the spines of a tag.
func (g *grammar) used(tag int32, wide bool) []int32 {
	if wide {
		return g.dict[tag]
	}
	return g.dict[tag][:g.kept[tag]]
}
