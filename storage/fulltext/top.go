package fulltext

import (
	"math/bits"
	"slices"
)

// Scored is a unit with its score.
type Scored struct {
	Run   int // of those that were searched, in their order
	Unit  uint32
	Score float64
	place uint64 // of its document, 0 where runs are in order
}

// before tells whether a is ranked before b: the higher score, of equal ones the earlier unit.
func (a Scored) before(b Scored) bool {
	switch {
	case a.Score != b.Score:
		return a.Score > b.Score
	case a.place != b.place:
		return a.place < b.place
	case a.Run != b.Run:
		return a.Run < b.Run
	}
	return a.Unit < b.Unit
}

// Best keeps the K best of the units that are added.
type Best struct {
	K    int
	heap []Scored // the last one first
}

// add adds a unit.
func (b *Best) add(x Scored) {
	if len(b.heap) < b.K {
		b.heap = append(b.heap, x)
		for i := len(b.heap) - 1; i > 0 && b.heap[(i-1)/2].before(b.heap[i]); i = (i - 1) / 2 {
			b.heap[i], b.heap[(i-1)/2] = b.heap[(i-1)/2], b.heap[i]
		}
		return
	}
	if b.K == 0 || !x.before(b.heap[0]) {
		return
	}
	b.heap[0] = x
	for i := 0; ; {
		last := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(b.heap); c++ {
			if b.heap[last].before(b.heap[c]) {
				last = c
			}
		}
		if last == i {
			return
		}
		b.heap[i], b.heap[last] = b.heap[last], b.heap[i]
		i = last
	}
}

// passes tells whether a unit with at most such a score may be among the best. What sums of floating-point numbers lose
// by another order is allowed for.
func (b *Best) passes(score float64) bool {
	return len(b.heap) < b.K || b.K > 0 && score*(1+1e-9) >= b.heap[0].Score
}

// List returns the units, the best first.
func (b *Best) List() []Scored {
	out := slices.Clone(b.heap)
	slices.SortFunc(out, func(x, y Scored) int {
		if x.before(y) {
			return -1
		}
		return 1
	})
	return out
}

// Run is units that are searched for the best.
type Run struct {
	Index
	Number  int
	Lengths []int32
	Bounds  []float64 // by leaf: the greatest tf·(k1 + 1) / (tf + …) of its list, or more; nil: k1 + 1 for each
	Dead    []bool    // by unit; nil if all live

	// Place gives the place of the document of a unit in the order of all documents, from 1, where the documents of
	// runs interleave; nil if the runs are in order.
	Place func(unit uint32) (uint64, error)
}

// scored is a unit of the run with its place.
func (x *Run) scored(unit uint32, score float64) (Scored, error) {
	out := Scored{Run: x.Number, Unit: unit, Score: score}
	var err error
	if x.Place != nil {
		out.place, err = x.Place(unit)
	}
	return out, err
}

// window is the number of units whose scores are added up at once.
const window = 4096

// Top adds the units of a run that match to the best. Runs come in order, or have places. The scores are those of
// Scores.
//
// Where one of several words or phrases is enough, few units are looked at (Turtle and Flood 1995). Leaves stand by the
// greatest weight that they can add. The first ones, whose weights together are not enough for the best that there are,
// only decide about units that others have found: scores of those others are added up in a window of units, and the
// first ones are asked about what may still pass.
func (s *Search) Top(x *Run, st Statistics, best *Best) error {
	plain, phrases, ok := s.alternatives()
	if !ok || st.Tokens == 0 {
		return s.topOfAll(x, st, best)
	}
	t := &top{s: s, x: x, st: st, best: best, mean: float64(st.Tokens) / float64(st.Units), plain: make([]bool,
		len(s.Leaves))}
	for _, l := range plain {
		t.plain[l] = true
	}
	for _, n := range phrases {
		found, err := n.phrase(&x.Index)
		if err != nil {
			return err
		}
		t.phrases = append(t.phrases, found.units)
	}
	t.prepare()
	for base := 0; base < x.Units; base += window {
		t.window(uint32(base), uint32(min(base+window, x.Units)))
	}
	return t.err
}

// topOfAll finds all units that match.
func (s *Search) topOfAll(x *Run, st Statistics, best *Best) error {
	units, err := s.Units(&x.Index)
	if err != nil {
		return err
	}
	if x.Dead != nil {
		units = slices.DeleteFunc(slices.Clone(units), func(u uint32) bool { return x.Dead[u] })
	}
	for i, score := range s.Scores(units, x.Lists, x.Lengths, st) {
		if !best.passes(score) {
			continue
		}
		scored, err := x.scored(units[i], score)
		if err != nil {
			return err
		}
		best.add(scored)
	}
	return nil
}

// alternatives are the words and phrases of which one is enough; ok is false for other queries.
func (s *Search) alternatives() (plain []int, phrases []*node, ok bool) {
	inputs := []*node{s.root}
	if s.root.kind == either {
		inputs = s.root.inputs
	}
	for _, n := range inputs {
		switch n.kind {
		case word:
			plain = append(plain, n.leaf)
		case phrase:
			phrases = append(phrases, n)
		default:
			return nil, nil, false
		}
	}
	return plain, phrases, true
}

// top is a search for the best units of a run.
type top struct {
	s       *Search
	x       *Run
	st      Statistics
	best    *Best
	mean    float64
	plain   []bool     // leaves that are enough
	phrases [][]uint32 // units with each phrase
	leaves  []topLeaf  // by rising bound
	sums    []float64  // of the bounds up to each
	scores  [window]float64
	touched [window / 64]uint64
	err     error // of places
}

// topLeaf is a list under way.
type topLeaf struct {
	leaf  int
	idf   float64
	bound float64
	units []uint32
	freqs []uint32
}

func (t *top) prepare() {
	for l, list := range t.x.Lists {
		if len(list.Units) == 0 || t.s.Leaves[l].Excluded {
			continue
		}
		idf, most := IDF(t.st.Units, t.st.DF[l]), K1+1
		if t.x.Bounds != nil {
			most = t.x.Bounds[l]
		}
		t.leaves = append(t.leaves, topLeaf{l, idf, idf * most, list.Units, list.Freqs})
	}
	slices.SortStableFunc(t.leaves, func(a, b topLeaf) int {
		switch {
		case a.bound < b.bound:
			return -1
		case a.bound > b.bound:
			return 1
		}
		return 0
	})
	sum := 0.0
	for i := range t.leaves {
		sum += t.leaves[i].bound
		t.sums = append(t.sums, sum)
	}
}

// window adds the units [base, end).
func (t *top) window(base, end uint32) {
	first := 0 // leaves before it are not enough together
	for first < len(t.leaves) && !t.best.passes(t.sums[first]) {
		first++
	}
	for i := first; i < len(t.leaves); i++ {
		l := &t.leaves[i]
		l.units, l.freqs = skip(l.units, l.freqs, base)
		k := 0
		for ; k < len(l.units) && l.units[k] < end; k++ {
			u := l.units[k]
			t.scores[u-base] += Weight(l.idf, float64(l.freqs[k]), float64(t.x.Lengths[u]), t.mean)
			t.touched[(u-base)/64] |= 1 << ((u - base) % 64)
		}
		l.units, l.freqs = l.units[k:], l.freqs[k:]
	}
	for w, set := range t.touched {
		for ; set != 0; set &= set - 1 {
			at := uint32(w*64 + bits.TrailingZeros64(set))
			t.unit(base+at, t.scores[at], first)
			t.scores[at] = 0
		}
		t.touched[w] = 0
	}
}

// skip drops what is below a unit from a list.
func skip(units, freqs []uint32, u uint32) ([]uint32, []uint32) {
	if len(units) == 0 || units[0] >= u {
		return units, freqs
	}
	rest := from(units, u)
	return rest, freqs[len(units)-len(rest):]
}

// unit adds a unit whose score of the leaves from first on is known.
func (t *top) unit(u uint32, score float64, first int) {
	for i := first - 1; i >= 0; i-- {
		if !t.best.passes(score + t.sums[i]) {
			return
		}
		l := &t.leaves[i]
		if l.units, l.freqs = skip(l.units, l.freqs, u); len(l.units) > 0 && l.units[0] == u {
			score += Weight(l.idf, float64(l.freqs[0]), float64(t.x.Lengths[u]), t.mean)
		}
	}
	if !t.best.passes(score) || t.x.Dead != nil && t.x.Dead[u] {
		return
	}
	exact, ok := t.exact(u)
	if !ok {
		return
	}
	scored, err := t.x.scored(u, exact)
	if err != nil {
		t.err = err
		return
	}
	t.best.add(scored)
}

// exact is the score of a unit, added up in the order of the leaves as Scores does, and whether it matches.
func (t *top) exact(u uint32) (score float64, matches bool) {
	for l, list := range t.x.Lists {
		if t.s.Leaves[l].Excluded {
			continue
		}
		if k, ok := slices.BinarySearch(list.Units, u); ok {
			matches = matches || t.plain[l]
			score += Weight(IDF(t.st.Units, t.st.DF[l]), float64(list.Freqs[k]), float64(t.x.Lengths[u]), t.mean)
		}
	}
	for i := 0; i < len(t.phrases) && !matches; i++ {
		_, matches = slices.BinarySearch(t.phrases[i], u)
	}
	return score, matches
}

// Bound is the greatest tf·(k1 + 1) / (tf + k1·(1 − b + b·length/mean)) of a list.
func Bound(l List, lengths []int32, mean float64) (most float64) {
	for i, u := range l.Units {
		most = max(most, Weight(1, float64(l.Freqs[i]), float64(lengths[u]), mean))
	}
	return most
}
