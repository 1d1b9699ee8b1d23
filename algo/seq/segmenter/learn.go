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
)

// settings say how weights are learned.
type settings struct {
	groups
	learner string
	shape   string // of lattices
	k       int    // outputs of an update of MIRA
	clip    float64
	fp, fn  float64 // what a node too much and a missing one cost
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
	gold   []nodeID
	path   []nodeID
	at     []nodeID // by place: the node of a path that starts there
	deltas []online.Vector
	losses []float64
	terms  []online.Term
	keys   []uint64
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
			l.deltas, l.losses = append(l.deltas, append(online.Vector(nil), d...)), append(l.losses, l.loss(p)-(gold-scores[i]))
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
	l.mark(l.gold)
	shared := 0
	for _, id := range path[1 : len(path)-1] {
		if l.on(id) {
			shared++
		}
	}
	return l.set.fp*float64(len(path)-2-shared) + l.set.fn*float64(len(l.gold)-2-shared)
}

// mark notes the nodes of a path by where they start.
func (l *learner) mark(path []nodeID) {
	l.at = l.at[:0]
	for range l.n + 1 {
		l.at = append(l.at, nodeID(0))
	}
	for _, id := range path[1:] {
		l.at[l.start(id)] = id + 1
	}
}

// on tells whether the marked path has a node.
func (l *learner) on(id nodeID) bool { return id == ^0 || l.at[l.start(id)] == id+1 }

// delta returns the features of the reference less those of a path. Nodes and edges that both have cancel out.
func (l *learner) delta(path []nodeID) online.Vector {
	l.terms = l.terms[:0]
	l.mark(path)
	l.features(l.gold, 1)
	l.mark(l.gold)
	l.features(path, -1)
	v := online.Collect(l.terms)
	kept := v[:0]
	for _, t := range v {
		if t.Value != 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

// features appends what a path has and the marked one has not.
func (l *learner) features(path []nodeID, sign float64) {
	before := true // the node before is shared
	for i, id := range path {
		shared := l.on(id)
		if !shared {
			l.node(id, sign)
		}
		if i > 0 && !(shared && before) {
			l.edgeFeatures(path[i-1], id, sign)
		}
		before = shared
	}
}

func (l *learner) add(key uint64, column uint16, sign float64) {
	l.terms = append(l.terms, online.Term{At: uint64(l.row(key))<<16 | uint64(column), Value: sign})
}

func (l *learner) node(id nodeID, sign float64) {
	if id < 0 {
		l.unigram(&l.nodes[^id], func(key uint64, column uint16) { l.add(key, column, sign) })
		return
	}
	column := uint16(int(id) % l.width())
	l.keys = l.charKeys(l.keys[:0], l.characters, l.start(id))
	for _, k := range l.keys {
		l.add(k, column, sign)
	}
}

func (l *learner) edgeFeatures(a, b nodeID, sign float64) {
	if a >= 0 || b >= 0 {
		at := l.code(a)*l.codes + l.code(b)
		l.terms = append(l.terms, online.Term{At: denseTerm + uint64(at), Value: sign})
		return
	}
	x, y := &l.nodes[^a], &l.nodes[^b]
	l.keys = l.afterKeys(l.keys[:0], x)
	for _, k := range l.keys {
		if l.afterAny(k) {
			l.add(k, 0, sign)
		}
		l.add(k, tagColumn(y.tag), sign)
	}
	l.keys = l.beforeKeys(l.keys[:0], y)
	for _, k := range l.keys {
		l.add(k, tagColumn(x.tag), sign)
	}
	if l.TB {
		_, _, last := l.shape(x)
		_, first, _ := l.shape(y)
		for _, at := range l.typePlaces(last, first, x.tag, y.tag) {
			l.terms = append(l.terms, online.Term{At: denseTerm + uint64(at), Value: sign})
		}
	}
	if l.B {
		k := key(ctxTwoWords, uint64(x.word), uint64(y.word))
		for _, c := range l.pairColumns(x.tag, y.tag) {
			l.add(k, c, sign)
		}
	}
}

// afterAny tells which contexts of the word before have a feature without the tag of the next word: TB0.
func (w *weights) afterAny(key uint64) bool { return key>>56 == ctxPrevType }
