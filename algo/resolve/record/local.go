package record

import "math"

// Local is some records of a store, numbered from 0, with the components that two of them at least share: what a chain
// over a block looks into. Factors of pairs are
//
//	f(i, j) = Σ over features of weight · feature(i, j) − bias
//
// in units of 1/Unit; sums of them are exact.
type Local struct {
	N       int
	Bias    int64
	offset  []int32
	entries []component
	keys    int
	room    *room
}

// room is memory for the numbers of a block, which the next block takes over.
type room struct{ numbers []int64 }

// take returns n numbers, which are anything.
func (r *room) take(n int) []int64 {
	if r == nil {
		return make([]int64, n)
	}
	if cap(r.numbers) < n {
		r.numbers = make([]int64, n)
	}
	return r.numbers[:n]
}

// component is a component of a record with its product with the weight.
type component struct {
	key, value, weighted int32
}

// Weighing turns weights of features and the bias into the numbers of Local.
type Weighing struct {
	parts []int32
	bias  int64
}

// Weigh returns the numbers of the weights of the features and of the bias.
func (s *Store) Weigh(weights []float64, bias float64) *Weighing {
	w := &Weighing{bias: int64(math.Round(bias * Unit))}
	for _, x := range partWeights(s.Attributes, weights) {
		w.parts = append(w.parts, int32(math.Round(max(-2*mostWeight, min(2*mostWeight, x))*weightScale)))
	}
	return w
}

// Localizer makes locals of a store. It belongs to one goroutine, which has one for all its blocks.
type Localizer struct {
	store *Store
	local []int32 // of each key
	seen  []int32 // in how many items it occurs
	used  []int32
	room  room
}

// NewLocalizer returns one; it takes 8 bytes for each key of the store.
func NewLocalizer(s *Store) *Localizer {
	return &Localizer{store: s, local: make([]int32, s.keys), seen: make([]int32, s.keys)}
}

// Local returns the items, in the order given.
func (z *Localizer) Local(items []int32, w *Weighing) *Local {
	l := &Local{N: len(items), Bias: w.bias, offset: make([]int32, 1, len(items)+1), room: &z.room}
	total := 0
	for _, i := range items {
		for _, e := range z.store.of(i) {
			if w.parts[e.part] == 0 || e.value == 0 {
				continue
			}
			if z.seen[e.key]++; z.seen[e.key] == 1 {
				z.used = append(z.used, e.key)
			}
			total++
		}
	}
	for _, k := range z.used {
		z.local[k] = -1
		if z.seen[k] > 1 {
			z.local[k] = int32(l.keys)
			l.keys++
		} else {
			total--
		}
	}
	l.entries = make([]component, 0, total)
	for _, i := range items {
		for _, e := range z.store.of(i) {
			if p := w.parts[e.part]; p != 0 && e.value != 0 && z.local[e.key] >= 0 {
				l.entries = append(l.entries, component{z.local[e.key], int32(e.value), p * int32(e.value)})
			}
		}
		l.offset = append(l.offset, int32(len(l.entries)))
	}
	for _, k := range z.used {
		z.seen[k] = 0
	}
	z.used = z.used[:0]
	return l
}

func (l *Local) of(i int32) []component { return l.entries[l.offset[i]:l.offset[i+1]] }

// Pairs is the affinity of a Local by its pairs: the selected item lies in a dense vector, from when a pair is asked
// for.
type Pairs struct {
	l           *Local
	item, dense int32 // the selected one, and the one in the vector; −1 for none
	vector      []int64
}

// NewPairs returns the affinity.
func NewPairs(l *Local) *Pairs {
	return &Pairs{l: l, item: -1, dense: -1, vector: make([]int64, l.keys)}
}

// Select makes an item the one whose factors are asked for.
func (p *Pairs) Select(item int32) { p.item = item }

// spread puts the selected item into the vector.
func (p *Pairs) spread() {
	if p.dense >= 0 {
		for _, e := range p.l.of(p.dense) {
			p.vector[e.key] = 0
		}
	}
	for _, e := range p.l.of(p.item) {
		p.vector[e.key] += int64(e.weighted)
	}
	p.dense = p.item
}

// Pair is the factor with another item.
func (p *Pairs) Pair(other int32) int64 {
	if p.dense != p.item {
		p.spread()
	}
	sum := -p.l.Bias
	for _, e := range p.l.of(other) {
		sum += p.vector[e.key] * int64(e.value)
	}
	return sum
}
