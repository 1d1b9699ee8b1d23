package segmenter

import (
	"context"
	"math/rand/v2"

	"parlance/algo/engine/online"
)

// Learners.
const (
	miraLearner       = "mira"
	perceptronLearner = "perceptron"
	logLinearLearner  = "loglinear"
)

// settings say how weights are learned.
type settings struct {
	groups
	learner string
	shape   string // of lattices
	k       int    // outputs of an update of MIRA
	clip    float64
	fp, fn  float64 // what a node too much and a missing one cost
	rate    float64 // of steps along a gradient
	mask    bool    // nodes of artificial unknown words are left out in training
}

// learner learns weights from examples.
type learner struct {
	*weights
	set  settings
	data *corpus
	of   []int32 // words of the corpus in the dictionary
	lattice
	search search
	sums   *marginals
	gold   []nodeID
	diff   difference
	deltas []online.Vector
	losses []float64
	terms  []online.Term
	sign   float64 // of the terms that are collected
}

func newLearner(w *weights, set settings, data *corpus, of []int32) *learner {
	return &learner{weights: w, set: set, data: data, of: of, lattice: lattice{mask: set.mask}}
}

// pass is one pass over examples in an order drawn from the seed. It returns how many updates were made.
func (l *learner) pass(ctx context.Context, examples []int, seed uint64, number int) (updates int, err error) {
	order := append([]int(nil), examples...)
	rng := rand.New(rand.NewPCG(seed, uint64(number)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return updates, err
		}
		moved, err := l.learn(&l.data.examples[i])
		if err != nil {
			return updates, err
		}
		if moved {
			updates++
		}
	}
	return updates, nil
}

// learn makes one step of learning.
func (l *learner) learn(x *example) (moved bool, err error) {
	l.lattice.load(l.weights, &x.characters, l.set.shape)
	l.reference(x)
	if l.set.learner == logLinearLearner {
		err := l.logLinear()
		l.dense.Next()
		return true, err
	}
	best, score := l.search.best(&l.lattice)
	if l.set.learner == perceptronLearner {
		moved = l.perceptron(best)
		l.dense.Next()
		return moved, nil
	}
	return l.mira(best, score)
}

// reference sets the path that is learned: of each word its node in the dictionary, or those of its characters if it
// counts as unknown.
func (l *learner) reference(x *example) {
	l.gold = append(l.gold[:0], ^0)
	from := int32(0)
	for k, to := range x.ends {
		id := nodeID(0)
		if l.set.shape != characterLattice {
			id = l.wordNode(from, to, l.of[x.word[k]], x.tag[k])
		}
		if id < 0 {
			l.gold = append(l.gold, id)
		} else {
			l.gold = l.lattice.spell(l.gold, from, to, x.tag[k])
		}
		from = to
	}
	l.gold = append(l.gold, nodeID(^(len(l.nodes) - 1)))
}

// wordNode finds the node of a gold word, 0 if it is learned by its characters.
func (l *learner) wordNode(from, to, word int32, tag uint16) nodeID {
	e := l.dict.find(word, tag)
	if e < 0 || l.dict.entries[e].kind != known && l.set.shape == hybridLattice {
		return 0
	}
	first, past := l.startsAt(int(from))
	for k := first; k < past; k++ {
		if l.nodes[k].end == to && l.nodes[k].entry == e {
			return ^k
		}
	}
	return 0
}

// spell appends the nodes of the characters of a word.
func (l *lattice) spell(dst []nodeID, from, to int32, tag uint16) []nodeID {
	for i := from; i < to; i++ {
		pos := posI
		switch {
		case to == from+1:
			pos = posS
		case i == from:
			pos = posB
		case i == to-1:
			pos = posE
		}
		dst = append(dst, nodeID(int(i)*l.width()+pos*l.w.plain+int(tag)))
	}
	return dst
}

// perceptron moves the weights from the best path to the reference, if they differ.
func (l *learner) perceptron(best []nodeID) bool {
	delta := l.delta(best)
	l.weights.move(delta, online.Perceptron.Step(0, float64(len(delta)), 0, 0))
	return len(delta) > 0
}

// mira moves the weights by the least step after which the reference is ahead of each of the k best paths by its loss
// (Kruengkrai et al. 2009, algorithm 1).
func (l *learner) mira(best []nodeID, score float64) (moved bool, err error) {
	paths, scores := [][]nodeID{best}, []float64{score}
	if l.set.k > 1 {
		paths, scores = l.search.kBest(l.set.k)
	}
	gold := l.lattice.score(l.gold)
	l.deltas, l.losses = l.deltas[:0], l.losses[:0]
	for i, p := range paths {
		if d := l.delta(p); len(d) > 0 {
			l.deltas = append(l.deltas, append(online.Vector(nil), d...))
			l.losses = append(l.losses, l.loss(p)-(gold-scores[i]))
		}
	}
	for j, a := range online.Hildreth(l.deltas, l.losses, l.set.clip) {
		if a > 0 {
			l.weights.move(l.deltas[j], a)
			moved = true
		}
	}
	l.dense.Next()
	return moved, nil
}

// loss counts the nodes of a path that the reference has not, and the other way round.
func (l *learner) loss(path []nodeID) float64 {
	l.diff.mark(&l.lattice, l.gold)
	shared := 0
	for _, id := range path[1 : len(path)-1] {
		if l.diff.on(&l.lattice, id) {
			shared++
		}
	}
	return l.set.fp*float64(len(path)-2-shared) + l.set.fn*float64(len(l.gold)-2-shared)
}

// delta returns the features of the reference less those of a path. Nodes and edges that both have cancel out.
func (l *learner) delta(path []nodeID) online.Vector {
	l.terms = l.terms[:0]
	edge := func(a, b nodeID) { l.edgeFeatures(a, b, l.context, l.pair) }
	node := func(id nodeID) { l.nodeFeatures(id, l.context) }
	l.sign = 1
	l.diff.each(&l.lattice, l.gold, path, node, edge)
	l.sign = -1
	l.diff.each(&l.lattice, path, l.gold, node, edge)
	v := online.Collect(l.terms)
	kept := v[:0]
	for _, t := range v {
		if t.Value != 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

// context and pair collect a feature of a context, and one of the dense ones.
func (l *learner) context(key uint64, column uint16) {
	l.terms = append(l.terms, online.Term{At: uint64(l.row(key))<<16 | uint64(column), Value: l.sign})
}

func (l *learner) pair(at int) {
	l.terms = append(l.terms, online.Term{At: denseTerm + uint64(at), Value: l.sign})
}
