package nonlocal

import (
	"context"
	"math/rand/v2"

	"parlance/algo/engine/online"
)

// texts is what is learned from: texts of tokens with attributes. Attribute a has the weights
// node[a·labels + y] for label y; an attribute that reads the label before has
// edge[(a·(labels+1) + y′)·labels + y] after label y′, the last row at the start.
type texts struct {
	labels       int
	nodes, edges int // attributes
	start        []uint32
	gold         []uint16
	node, edge   lists
	// forbid sets −Inf in the table of text i; nil for none.
	forbid func(i int, b *table)
	// nonlocal appends the features of a labelling of text i; nil for none.
	nonlocal func(i int, y []uint16, out []entry) []entry
	width    int // of the features
}

// lists has the attributes of token t at list[from[t]:from[t+1]].
type lists struct {
	from, list []uint32
}

func (l *lists) of(t int) []uint32 { return l.list[l.from[t]:l.from[t+1]] }

// entry is a feature of a labelling with its value.
type entry struct {
	id    uint32
	value float64
}

func (x *texts) len() int { return len(x.start) - 1 }

// weights are those of the local features, and of the others from x.local() on.
type weights []float64

func (x *texts) edgeBase() int { return x.nodes * x.labels }
func (x *texts) local() int    { return x.edgeBase() + x.edges*(x.labels+1)*x.labels }
func (x *texts) size() int     { return x.local() + x.width }

// fill scores text i.
func (x *texts) fill(b *table, i int, w weights) {
	from, to := int(x.start[i]), int(x.start[i+1])
	l := x.labels
	b.resize(l, to-from, x.same(from, to))
	for t := from; t < to; t++ {
		row := b.nodes(t - from)
		for _, a := range x.node.of(t) {
			for y, v := range w[int(a)*l:][:l] {
				row[y] += v
			}
		}
		for _, a := range x.edge.of(t) {
			base := x.edgeBase() + int(a)*(l+1)*l
			switch {
			case t == from:
				for y, v := range w[base+l*l:][:l] {
					row[y] += v
				}
			case b.stride > 0 || t == from+1:
				edge := b.edge[(t-from)*b.stride:][:l*l]
				for k, v := range w[base:][:l*l] {
					edge[k] += v
				}
			}
		}
	}
	if x.forbid != nil {
		x.forbid(i, b)
	}
}

// same tells whether all tokens but the first read the label before in the same way.
func (x *texts) same(from, to int) bool {
	for t := from + 2; t < to; t++ {
		a, b := x.edge.of(t), x.edge.of(t-1)
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
	}
	return true
}

// rule is an algorithm of Kazama and Torisawa (2007).
type rule uint8

const (
	plain     rule = iota
	margin         // algorithm 3.1
	candidate      // algorithm 4.1
	proposed       // algorithm 4.2
)

// settings are those of a learner.
type settings struct {
	rule          rule
	local, total  float64 // margins C_l and C_a, absolute scores
	n             int     // labellings to choose from
	conservative  bool    // local updates only while the gold labels are not among them
	priorityLocal bool
}

// learner holds the weights of a training under way.
type learner struct {
	settings
	*online.Weights
	x     *texts
	tab   table
	find  search
	gold  [][]entry // features of the gold labels by text, once known
	known []bool
	found []entry // features of the labellings found, all in one
	ends  []int
	totalScores
	labels []uint16
	onStep func(gap, square float64) // told of every update: s(y*) − s(y) and |ΔΦ|²; for tests
}

// totalScores are the best and the second of the labellings by total score, numbers from 0, −1 for none.
type totalScores struct {
	scores       []float64
	first, after int
}

func newLearner(x *texts, s settings, averaged bool) *learner {
	return &learner{settings: s, Weights: online.NewWeights(x.size(), averaged), x: x,
		gold: make([][]entry, x.len()), known: make([]bool, x.len())}
}

// trace tells what a pass did.
type trace struct {
	total, local int // updates (A) and (B)
	errors       int // tokens labelled wrongly
}

// order is the texts of an epoch, shuffled by the seed unless that is negative.
func order(n int, seed int64, epoch int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	if seed >= 0 {
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(epoch)))
		rng.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// pass goes over the texts once.
func (l *learner) pass(ctx context.Context, order []int) (out trace, err error) {
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if l.x.start[i+1] == l.x.start[i] {
			continue
		}
		l.text(ctx, i, &out)
		l.Next()
	}
	return out, ctx.Err()
}

// text learns from text i.
func (l *learner) text(ctx context.Context, i int, out *trace) {
	gold := l.x.gold[l.x.start[i]:l.x.start[i+1]]
	l.x.fill(&l.tab, i, l.W)
	n := l.n
	if l.rule < candidate {
		n = 1 + int(l.rule)
	}
	if n = l.find.find(ctx, &l.tab, n); n == 0 {
		return // nothing is allowed
	}
	goldScore := l.tab.score(gold)
	if l.rule < candidate {
		out.errors += l.errors(0, gold)
		l.repair(i, gold, goldScore, out)
		return
	}
	l.rank(i, n)
	out.errors += l.errors(l.first, gold)
	if l.priorityLocal && l.rule == proposed && l.repair(i, gold, goldScore, out) {
		return
	}
	if l.choose(i, gold, goldScore+l.dot(l.goldFeatures(i, gold)), out) || l.rule == candidate || l.priorityLocal {
		return
	}
	if l.conservative && l.among(gold, n) {
		return
	}
	l.repair(i, gold, goldScore, out)
}

func (l *learner) among(gold []uint16, n int) bool {
	for k := range n {
		if l.errors(k, gold) == 0 {
			return true
		}
	}
	return false
}

// errors counts where labelling k differs from the gold labels.
func (l *learner) errors(k int, gold []uint16) int {
	l.labels = l.find.Labels(k, l.labels)
	n := 0
	for t, y := range gold {
		if l.labels[t] != y {
			n++
		}
	}
	return n
}

// rank finds the two best of the n labellings by total score; of equal ones the earlier.
func (l *learner) rank(i, n int) {
	l.found, l.ends, l.scores = l.found[:0], l.ends[:0], l.scores[:0]
	l.first, l.after = -1, -1
	for k := range n {
		at := len(l.found)
		if l.x.nonlocal != nil {
			l.labels = l.find.Labels(k, l.labels)
			l.found = l.x.nonlocal(i, l.labels, l.found)
		}
		l.ends = append(l.ends, len(l.found))
		s := l.find.Score(k) + l.dot(l.found[at:])
		l.scores = append(l.scores, s)
		switch {
		case l.first < 0 || s > l.scores[l.first]:
			l.first, l.after = k, l.first
		case l.after < 0 || s > l.scores[l.after]:
			l.after = k
		}
	}
}

func (l *learner) features(k int) []entry {
	if k == 0 {
		return l.found[:l.ends[0]]
	}
	return l.found[l.ends[k-1]:l.ends[k]]
}

func (l *learner) goldFeatures(i int, gold []uint16) []entry {
	if !l.known[i] && l.x.nonlocal != nil {
		l.gold[i], l.known[i] = l.x.nonlocal(i, gold, nil), true
	}
	return l.gold[i]
}

func (l *learner) dot(f []entry) float64 {
	s, w := 0.0, l.W[l.x.local():]
	for _, e := range f {
		s += e.value * w[e.id]
	}
	return s
}

// choose is update (A) of algorithm 4.2: the gold labels must win over the best other labelling
// by total score.
func (l *learner) choose(i int, gold []uint16, goldScore float64, out *trace) bool {
	against := l.first
	if l.errors(l.first, gold) == 0 {
		against = l.after
	} else if goldScore-l.scores[l.first] > l.total {
		return false // then they win over the second as well
	}
	if against < 0 || goldScore-l.scores[against] > l.total {
		return false
	}
	l.labels = l.find.Labels(against, l.labels)
	l.update(i, gold, l.labels, goldScore-l.scores[against], l.goldFeatures(i, gold), l.features(against))
	out.total++
	return true
}

// repair is update (B), and algorithm 3.1: the gold labels must win by local score.
func (l *learner) repair(i int, gold []uint16, goldScore float64, out *trace) bool {
	against, least := 0, blocked
	if l.errors(0, gold) == 0 {
		if against, least = 1, l.settings.local; l.rule == plain || l.find.Len() < 2 {
			return false
		}
	}
	gap := goldScore - l.find.Score(against)
	if against == 1 && gap > least {
		return false
	}
	l.labels = l.find.Labels(against, l.labels)
	l.update(i, gold, l.labels, gap, nil, nil)
	out.local++
	return true
}

// update adds Φ(gold) − Φ(y): only where labels differ, and the features given.
func (l *learner) update(i int, gold, y []uint16, gap float64, plus, minus []entry) {
	var before float64
	if l.onStep != nil {
		before = l.square(i, gold, y, plus, minus)
	}
	from, n := int(l.x.start[i]), l.x.labels
	for t, g := range gold {
		k := y[t]
		if g != k {
			for _, a := range l.x.node.of(from + t) {
				l.Add(int(a)*n+int(g), 1)
				l.Add(int(a)*n+int(k), -1)
			}
		}
		if before, was := label(gold, t, n), label(y, t, n); g != k || before != was {
			for _, a := range l.x.edge.of(from + t) {
				base := l.x.edgeBase() + int(a)*(n+1)*n
				l.Add(base+before*n+int(g), 1)
				l.Add(base+was*n+int(k), -1)
			}
		}
	}
	for _, e := range plus {
		l.Add(l.x.local()+int(e.id), e.value)
	}
	for _, e := range minus {
		l.Add(l.x.local()+int(e.id), -e.value)
	}
	if l.onStep != nil {
		l.onStep(gap, before)
	}
}

// label is the label before token t.
func label(y []uint16, t, start int) int {
	if t == 0 {
		return start
	}
	return int(y[t-1])
}

// square is |Φ(gold) − Φ(y)|².
func (l *learner) square(i int, gold, y []uint16, plus, minus []entry) float64 {
	probe := &learner{x: l.x, Weights: online.NewWeights(l.x.size(), false)}
	probe.update(i, gold, y, 0, plus, minus)
	s := 0.0
	for _, v := range probe.W {
		s += v * v
	}
	return s
}
