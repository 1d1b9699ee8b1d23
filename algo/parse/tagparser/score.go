package tagparser

import (
	"cmp"
	"slices"
	"sync"

	"parlance/algo/numeric/buffer"
)

// scorer makes charts of sentences: it prunes and scores. It belongs to one goroutine.
type scorer struct {
	g      *grammar
	t      *table
	pairs  *sync.Map // *pair by [4]int32{head, mod, side, wide}
	atoms  atoms
	tags   []int32
	keys   []uint64
	order  int // 1, or 2 with siblings and grandchildren
	chart  chart
	second second
	best   []float64 // by modifier: the highest probability of an arc with its label
	list   []candidate
	probs  []float64    // of arcs with a label, those of one arc after those of another
	from   []int        // of each of list, where they begin
	part   [3][]float64 // probabilities of the parts of labels of one arc

	gold, got [][3]int32 // third tokens of two derivations
}

func newScorer(g *grammar, t *table, pairs *sync.Map, order int) *scorer {
	return &scorer{g: g, t: t, pairs: pairs, order: order}
}

// pair is what arcs between two tags may be.
func (s *scorer) pair(head, mod, side int32, wide bool) *pair {
	k := [4]int32{head, mod, side, 0}
	if wide {
		k[3] = 1
	}
	if p, ok := s.pairs.Load(k); ok {
		if p, ok := p.(*pair); ok {
			return p
		}
	}
	p := s.g.newPair(head, mod, side, wide)
	s.pairs.Store(k, p)
	return p
}

// load makes the chart of a sentence. An arc with a label is kept if its probability is at least alpha times the
// highest one of an arc to the same token; wide takes all spines and labels.
func (s *scorer) load(words, tags []string, arcs []candidate, alpha float64, wide bool) {
	c := &s.chart
	c.n = len(words)
	s.atoms.load(words, tags)
	s.tags = append(s.tags[:0], -1)
	for _, t := range tags {
		s.tags = append(s.tags, s.g.tag(t))
	}
	s.tokens(wide)
	s.list = append(s.list[:0], arcs...)
	slices.SortFunc(s.list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.head, b.head), cmp.Compare(sideOf(a), sideOf(b)), cmp.Compare(lengthOf(a), lengthOf(b)))
	})
	s.weigh(wide)
	c.find = buffer.Zeros(c.find, (c.n+1)*(c.n+1))
	c.first = c.first[:0]
	used, roots := 0, 0
	for i, x := range s.list {
		probs := s.probs[s.from[i]:s.from[i+1]]
		if x.head == 0 {
			c.root, roots = grown(c.root, roots), roots+1
			s.arc(&c.root[roots-1], x, probs, alpha, wide)
			continue
		}
		for len(c.first) <= int(2*x.head+sideOf(x)) {
			c.first = append(c.first, int32(used))
		}
		c.arcs, used = grown(c.arcs, used), used+1
		a := &c.arcs[used-1]
		if s.arc(a, x, probs, alpha, wide); len(a.items) == 0 {
			used--
			continue
		}
		c.find[int(x.head)*(c.n+1)+int(x.mod)] = int32(used)
	}
	for len(c.first) <= 2*(c.n+1) {
		c.first = append(c.first, int32(used))
	}
	c.arcs, c.root = c.arcs[:used], c.root[:roots]
}

// weigh sets the probabilities of arcs with their labels, and the highest one to each token. That of an arc with a
// triple is the product of those with its parts, or, where the pruner has none, that of the arc times the share of the
// triple among arcs between the two tags.
func (s *scorer) weigh(wide bool) {
	s.best = buffer.Resize(s.best, s.chart.n+1)
	clear(s.best)
	s.probs, s.from = s.probs[:0], append(s.from[:0], 0)
	for i := range s.list {
		x := &s.list[i]
		p := s.of(*x, wide)
		if x.whole() {
			s.product(x, p, wide)
		} else {
			for _, share := range p.share {
				s.probs = append(s.probs, x.prob*share)
			}
		}
		for _, prob := range s.probs[s.from[i]:] {
			s.best[x.mod] = max(s.best[x.mod], prob)
		}
		s.from = append(s.from, len(s.probs))
	}
}

// product adds the probabilities of an arc with triples; wide gives those of unlikely parts the share of the triple.
func (s *scorer) product(x *candidate, p *pair, wide bool) {
	for k, list := range x.parts {
		s.part[k] = buffer.Resize(s.part[k], len(s.g.partID))
		clear(s.part[k])
		for _, y := range list {
			s.part[k][y.part] = float64(y.prob)
		}
	}
	for i, t := range p.labels {
		parts := s.g.parts[t]
		prob := s.part[0][parts[0]] * s.part[1][parts[1]] * s.part[2][parts[2]]
		if wide {
			prob = max(prob, x.prob*p.share[i])
		}
		s.probs = append(s.probs, prob)
	}
}

// grown has room for element n.
func grown(list []arc, n int) []arc {
	if n < len(list) {
		return list
	}
	if n < cap(list) {
		return list[:n+1]
	}
	return append(list, arc{})
}

func sideOf(x candidate) int32 {
	if x.mod > x.head {
		return right
	}
	return left
}

func lengthOf(x candidate) int32 { return max(x.mod-x.head, x.head-x.mod) }

func (s *scorer) of(x candidate, wide bool) *pair {
	return s.pair(s.tags[x.head], s.tags[x.mod], sideOf(x), wide)
}

// tokens sets the spines of all tokens, with scores.
func (s *scorer) tokens(wide bool) {
	c := &s.chart
	for len(c.tokens) <= c.n {
		c.tokens = append(c.tokens, token{})
	}
	for i := 1; i <= c.n; i++ {
		t := &c.tokens[i]
		t.spines = s.g.used(s.tags[i], wide)
		t.score, t.from, t.owner = t.score[:0], append(t.from[:0], 0), t.owner[:0]
		s.keys = s.atoms.spineKeys(i, s.keys)
		for k, id := range t.spines {
			t.score = append(t.score, s.t.sum(s.keys, ofSpine(id)))
			for range len(s.g.spines[id]) - 1 {
				t.owner = append(t.owner, int32(k))
			}
			t.from = append(t.from, int32(len(t.owner)))
		}
	}
}

// arc sets the labels and items of an arc.
func (s *scorer) arc(a *arc, x candidate, probs []float64, alpha float64, wide bool) {
	p := s.of(x, wide)
	a.head, a.mod, a.labels = x.head, x.mod, p.labels
	a.items = a.items[:0]
	a.score = buffer.Resize(a.score, 2*len(p.labels))
	least, any := alpha*s.best[x.mod], false
	for i, prob := range probs {
		a.score[2*i], a.score[2*i+1] = none, none
		if prob >= least {
			a.score[2*i], any = 0, true
		}
	}
	if !any {
		return
	}
	s.keys = s.atoms.arcKeys(int(x.head), int(x.mod), s.keys)
	bare := s.t.sum(s.keys, ofArc)
	for i, l := range p.labels {
		if a.score[2*i] == none {
			continue
		}
		a.score[2*i] = bare + s.t.sum(s.keys, ofLabel(l, false))
		if t := s.g.triples[l]; t.Parent == t.Head {
			a.score[2*i+1] = bare + s.t.sum(s.keys, ofLabel(l, true))
		}
	}
	spine := s.chart.tokens[x.mod].score
	for _, e := range p.entries {
		it := item{entry: e, sister: none, sisterCopy: none, regular: none}
		if e.first >= 0 {
			it.sister = a.score[2*e.first] + spine[e.mod]
		}
		if e.copies >= 0 {
			it.sisterCopy, it.regular = a.score[2*e.copies]+spine[e.mod], a.score[2*e.copies+1]+spine[e.mod]
		}
		if it.sister > none || it.sisterCopy > none {
			a.items = append(a.items, it)
		}
	}
}
