package tagparser

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/engine/hypergraph"
	"parlance/algo/parse/constituent"
)

// found is a derivation with what is known of it.
type found struct {
	tree  *constituent.Node
	heads []int32
	rel   []string
	score float64 // NaN of a flat tree
	prob  float64 // share of the derivation
	made  []attachment
}

// bracket is a phrase over tokens, from 1.
type bracket struct {
	label       string
	first, last int
}

// parser parses sentences. It belongs to one goroutine.
type parser struct {
	*scorer
	m        *trained
	forest   forest
	list     []found
	search   string
	brackets map[bracket]float64
	arcProb  map[[2]int32]float64 // by head and modifier
}

func newParser(m *trained) *parser {
	return &parser{m: m, scorer: newScorer(m.g, &m.t, m.pairs, m.order)}
}

// allLength is how many tokens a sentence may have so that all arcs are tried where pruning leaves no derivation.
const allLength = 40

// request is what is wanted of a sentence.
type request struct {
	beam    float64
	k       int // trees
	samples int // 0: without probabilities
	seed    uint64
}

// parse finds the derivations of a sentence, in which arcs are what the pruner leaves, into list. The caller asks the
// context for its error, and does not use what was found if there is one.
func (p *parser) parse(ctx context.Context, words, tags []string, arcs []candidate, q request) {
	p.list, p.search, p.brackets, p.arcProb = p.list[:0], "pruned", nil, nil
	p.chart.ended = func() bool { return ctx.Err() != nil }
	for try := range 3 {
		switch {
		case try == 0:
			p.load(words, tags, arcs, q.beam, false)
		case try == 1:
			p.load(words, tags, arcs, q.beam/100, true)
		case len(words) > allLength:
			continue
		default:
			p.load(words, tags, everyArc(len(words), arcs), q.beam/1e5, true)
		}
		score := p.decode()
		if p.chart.ended() { // the chart is half filled
			break
		}
		if score > none {
			p.read(q, score)
			return
		}
		p.search = "widened"
	}
	p.flat(tags)
}

// leastArc is the probability of arcs that the pruner leaves out.
const leastArc = 1e-4

// everyArc adds those that are not there.
func everyArc(n int, arcs []candidate) []candidate {
	has := map[[2]int32]bool{}
	out := append([]candidate(nil), arcs...)
	for _, a := range arcs {
		has[[2]int32{a.head, a.mod}] = true
	}
	for h := range int32(n + 1) {
		for m := int32(1); m <= int32(n); m++ {
			if h != m && !has[[2]int32{h, m}] {
				out = append(out, candidate{head: h, mod: m, prob: leastArc})
			}
		}
	}
	return out
}

// flat is the answer where there is no derivation: the tokens under the root, the first one their head.
func (p *parser) flat(tags []string) {
	p.search = "flat"
	x := found{tree: constituent.Flat(tags), score: math.NaN(), prob: math.NaN(), heads: make([]int32, len(tags)+1),
		rel: make([]string, len(tags)+1)}
	for m := 2; m <= len(tags); m++ {
		x.heads[m] = 1
	}
	p.list = append(p.list, x)
}

// read takes what is wanted from a filled chart.
func (p *parser) read(q request, score float64) {
	c := &p.chart
	all := make([]attachment, 0, c.n)
	for m := 1; m <= c.n; m++ {
		all = append(all, attachment{c.heads[m], int32(m), c.spine[m], c.pos[m], c.triple[m], c.regular[m]})
	}
	best := p.found(all, score)
	if q.k <= 1 && q.samples == 0 {
		p.list = append(p.list, best)
		return
	}
	root := p.derivations()
	if c.ended() { // half of the derivations
		p.list = append(p.list, best)
		return
	}
	z := p.forest.g.Marginals()
	best.prob = math.Exp(min(0, p.m.scale*best.score-z))
	if q.samples > 0 && root != hypergraph.Impossible && !math.IsInf(z, -1) {
		p.probabilities(root, q)
	}
	if q.k <= 1 || root == hypergraph.Impossible {
		p.list = append(p.list, best)
		return
	}
	p.best(root, q.k, z)
}

// derivations makes the hypergraph of the chart and returns its last node.
func (p *parser) derivations() int32 {
	if p.order == 2 {
		return p.forest.buildSecond(&p.second, p.m.scale)
	}
	return p.forest.build(&p.chart, p.m.scale)
}

// found makes the tree of a derivation.
func (p *parser) found(all []attachment, score float64) found {
	c := &p.chart
	d := constituent.Derivation{Spines: make([][]string, c.n+1), Arcs: make([]constituent.Arc, c.n+1)}
	x := found{heads: make([]int32, c.n+1), rel: make([]string, c.n+1), score: score, prob: math.NaN(), made: all}
	d.Spines[0] = constituent.RootSpine
	for _, a := range all {
		d.Spines[a.mod] = p.g.spines[c.tokens[a.mod].spines[a.spine]]
		d.Arcs[a.mod] = constituent.Arc{Head: a.head, Position: int(a.pos), Regular: a.regular}
		t := p.g.triples[a.triple]
		x.heads[a.mod], x.rel[a.mod] = a.head, t.Parent+"|"+t.Head+"|"+t.Modifier
	}
	x.tree = d.Build()
	return x
}

// best lists the k best derivations with different trees.
func (p *parser) best(root int32, k int, z float64) {
	l := hypergraph.NewLister(&p.forest.g)
	seen := map[string]bool{}
	for i := int32(0); len(p.list) < k && int(i) < 4*k+16 && l.Find(root, i); i++ {
		x := p.found(p.listed(l, root, i, nil), l.At(root, i).Score/p.m.scale)
		if key := x.tree.String(); !seen[key] {
			seen[key] = true
			x.prob = math.Exp(min(0, p.m.scale*x.score-z))
			p.list = append(p.list, x)
		}
	}
}

// listed appends the arcs of the i-th derivation of a node.
func (p *parser) listed(l *hypergraph.Lister, v, i int32, dst []attachment) []attachment {
	if v == hypergraph.Empty {
		return dst
	}
	d := l.At(v, i)
	e := l.Edge(d.Edge)
	if e.Label >= 0 {
		dst = append(dst, p.forest.made[e.Label])
	}
	return p.listed(l, e.Tail[1], d.At[1], p.listed(l, e.Tail[0], d.At[0], dst))
}

// probabilities sums those of arcs, and draws derivations for those of phrases: how many of them have the phrase.
func (p *parser) probabilities(root int32, q request) {
	g := &p.forest.g
	p.arcProb = map[[2]int32]float64{}
	for v := int32(1); int(v) < g.Nodes(); v++ {
		for e, to := g.Of(v); e < to && g.Mass[v] > 0; e++ {
			if k := g.Edges[e].Label; k >= 0 {
				a := p.forest.made[k]
				p.arcProb[[2]int32{a.head, a.mod}] += g.Mass[v] * g.Share[e]
			}
		}
	}
	p.brackets = map[bracket]float64{}
	rng := rand.New(rand.NewPCG(q.seed, uint64(p.chart.n)))
	for range q.samples {
		x := p.found(p.draw(rng, root, nil), 0)
		has := map[bracket]bool{}
		mark(x.tree, has)
		for b := range has {
			p.brackets[b] += 1 / float64(q.samples)
		}
	}
}

// mark notes the phrases of a tree.
func mark(n *constituent.Node, has map[bracket]bool) {
	if n.Leaf() {
		return
	}
	first, last := n.Span()
	has[bracket{n.Label, first, last}] = true
	for _, c := range n.Children {
		mark(c, has)
	}
}

// draw appends the arcs of a derivation of a node, drawn by its share.
func (p *parser) draw(rng *rand.Rand, v int32, dst []attachment) []attachment {
	if v == hypergraph.Empty {
		return dst
	}
	g := &p.forest.g
	e, to := g.Of(v)
	for u := rng.Float64() - g.Share[e]; u > 0 && e < to-1; {
		e++
		u -= g.Share[e]
	}
	x := &g.Edges[e]
	if x.Label >= 0 {
		dst = append(dst, p.forest.made[x.Label])
	}
	return p.draw(rng, x.Tail[1], p.draw(rng, x.Tail[0], dst))
}
