package segmenter

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// nodeID names a node of a lattice: number·positions·tags of a character, or ^k for word node k.
type nodeID = int32

// node is a word of the dictionary with a tag over the characters [start, end).
type node struct {
	start, end  int32
	entry, word int32
	tag         uint16
	score       float64
}

// Shapes of lattices.
const (
	hybridLattice    = "hybrid"
	characterLattice = "characters"
	wordLattice      = "words"
)

// lattice is the nodes of a sentence with their scores. Nodes of characters, one for each position and tag at each
// place, are numbers in char; word nodes are listed, the first is the beginning of the sentence and the last its end.
type lattice struct {
	*characters
	w      *weights
	mask   bool      // artificial unknown words have no nodes
	walls  bool      // no word goes across white space
	n      int       // characters
	char   []float64 // by place, position, tag; −Inf for nodes that are not there
	nodes  []node    // by start
	starts []int32   // nodes that start at place i, from −1 on, are starts[i+1] to starts[i+2]
	ending []int32   // nodes by end
	ends   []int32   // nodes that end at place i are ending[ends[i]:ends[i+1]]
	pairs  []float64 // by node: scores with the word nodes that end where it starts, in the order of ending
	pairAt []int32

	windows       windows
	keys          []uint64
	after, before []float64 // by node and tag
}

// width is the number of nodes of characters at a place.
func (l *lattice) width() int { return positions * l.w.plain }

// startsAt returns the word nodes that start at a place: a range of nodes.
func (l *lattice) startsAt(i int) (from, to int32) { return l.starts[i+1], l.starts[i+2] }

// endsAt returns the word nodes that end at a place.
func (l *lattice) endsAt(i int) []int32 { return l.ending[l.ends[i]:l.ends[i+1]] }

// load makes and scores the lattice of a sentence of one character or more.
func (l *lattice) load(w *weights, c *characters, shape string) {
	l.characters, l.w, l.n = c, w, c.len()
	l.list(shape != characterLattice)
	l.sortEnds()
	l.scoreCharacters(shape == wordLattice)
	l.scorePairs()
}

// list lists the word nodes, with their own scores.
func (l *lattice) list(words bool) {
	w, d := l.w, l.w.dict
	l.nodes, l.starts = append(l.nodes[:0], w.begin()), append(l.starts[:0], 0)
	for i := range l.n {
		l.starts = append(l.starts, int32(len(l.nodes)))
		if !words {
			continue
		}
		d.match(l.word(i, l.reach(i)), func(word int32, length int) {
			from, to := d.of(word)
			for e := from; e < to; e++ {
				if l.mask && d.entries[e].kind != known {
					continue
				}
				n := node{int32(i), int32(i + length), e, word, d.entries[e].tag, 0}
				n.score = w.entryScore(&n)
				l.nodes = append(l.nodes, n)
			}
		})
	}
	l.starts = append(l.starts, int32(len(l.nodes)), int32(len(l.nodes)+1))
	l.nodes = append(l.nodes, w.end(l.n))
}

// reach is the place up to which a word that starts at a place may go.
func (l *lattice) reach(i int) int {
	if !l.walls {
		return l.n
	}
	to := i + 1
	for to < l.n && !l.space[to] {
		to++
	}
	return to
}

// sortEnds lists the nodes by end.
func (l *lattice) sortEnds() {
	l.ends = buffer.Zeros(l.ends, l.n+3)
	for _, n := range l.nodes {
		l.ends[n.end+1]++
	}
	for i := range l.n + 2 {
		l.ends[i+1] += l.ends[i]
	}
	l.ending = buffer.Resize(l.ending, len(l.nodes))
	for k := len(l.nodes) - 1; k >= 0; k-- {
		at := &l.ends[l.nodes[k].end+1]
		*at--
		l.ending[*at] = int32(k)
	}
	// Each ends[i+1] is now where i begins.
	copy(l.ends, l.ends[1:])
	l.ends[l.n+2] = int32(len(l.nodes))
}

// entryScore is the sum of the weights of a word alone.
func (w *weights) entryScore(n *node) (sum float64) {
	if w.caches != nil {
		return w.caches.entries[n.entry]
	}
	w.unigram(n, func(key uint64, column uint16) {
		if row, ok := w.contexts.find(key); ok {
			sum += w.rows.At(row, column)
		}
	})
	return sum
}

// scoreCharacters fills the scores of the nodes of characters. In a lattice of words each character may be a word of
// its own, and that is all.
func (l *lattice) scoreCharacters(single bool) {
	w, width, plain := l.w, l.width(), l.w.plain
	l.char = buffer.Resize(l.char, l.n*width)
	clear(l.char)
	for i := range l.n {
		out := l.char[i*width : (i+1)*width]
		l.scoreTypes(out, i)
		l.keys = w.windowKeys(l.keys[:0], l.characters, i)
		w.addRows(l.keys, out)
		first := i == 0 || single || l.walls && l.space[i]
		last := i == l.n-1 || single
		if first {
			forbid(out[posI*plain:])
		}
		if last {
			forbid(out[posB*plain : (posB+1)*plain])
			forbid(out[posI*plain : (posI+1)*plain])
		}
	}
}

// addRows adds the weights of contexts to out, by column.
func (w *weights) addRows(keys []uint64, out []float64) {
	for _, k := range keys {
		if row, ok := w.contexts.find(k); ok {
			w.rows.AddRow(row, out)
		}
	}
}

func forbid(scores []float64) {
	for i := range scores {
		scores[i] = math.Inf(-1)
	}
}

// scorePairs scores the pairs of word nodes that meet.
func (l *lattice) scorePairs() {
	l.outcomes()
	l.pairs, l.pairAt = l.pairs[:0], append(l.pairAt[:0], 0)
	for k := range l.nodes {
		if n := &l.nodes[k]; n.start >= 0 {
			for _, j := range l.endsAt(int(n.start)) {
				l.pairs = append(l.pairs, l.pair(j, int32(k)))
			}
		}
		l.pairAt = append(l.pairAt, int32(len(l.pairs)))
	}
}

// outcomes sums for each node the weights of its contexts by tag of the next word, and of the one before.
func (l *lattice) outcomes() {
	w := l.w
	size := w.all + 1
	l.after, l.before = buffer.Resize(l.after, len(l.nodes)*size), buffer.Resize(l.before, len(l.nodes)*size)
	clear(l.after)
	clear(l.before)
	for k := range l.nodes {
		n := &l.nodes[k]
		after, before := l.after[k*size:(k+1)*size], l.before[k*size:(k+1)*size]
		if n.end <= int32(l.n) {
			if from, to := l.startsAt(int(n.end)); to > from && w.caches != nil {
				w.caches.after.AddRow(uint32(n.entry), after)
			} else if to > from {
				l.keys = w.afterKeys(l.keys[:0], n)
				w.addRows(l.keys, after)
			}
		}
		if n.start < 0 || len(l.endsAt(int(n.start))) == 0 {
			continue
		}
		if w.caches != nil {
			w.caches.before.AddRow(uint32(n.entry), before)
			continue
		}
		l.keys = w.beforeKeys(l.keys[:0], n)
		w.addRows(l.keys, before)
	}
}

// pair is the score of word node k after word node j.
func (l *lattice) pair(j, k int32) float64 {
	w, a, b := l.w, &l.nodes[j], &l.nodes[k]
	size := int32(w.all + 1)
	s := l.after[j*size] + l.after[j*size+1+int32(b.tag)] + l.before[k*size+1+int32(a.tag)]
	if w.TB {
		_, _, last := w.shape(a)
		_, first, _ := w.shape(b)
		for _, at := range w.typePlaces(last, first, a.tag, b.tag) {
			s += w.dense.W[at]
		}
	}
	if w.B {
		if row, ok := w.contexts.find(key(ctxTwoWords, uint64(a.word), uint64(b.word))); ok {
			columns := w.pairColumns(a.tag, b.tag)
			for _, c := range w.rows.Row(row) {
				if x := c.Column; x == columns[0] || x == columns[1] || x == columns[2] || x == columns[3] {
					s += float64(c.W)
				}
			}
		}
	}
	return s
}

// typePlaces are the places of TB3 to TB6.
func (w *weights) typePlaces(last, first uint8, before, after uint16) [4]int {
	a, b := int(before), int(after)
	return [4]int{w.typeAt(last, first, -1, -1), w.typeAt(last, first, -1, b), w.typeAt(last, first, a, -1),
		w.typeAt(last, first, a, b)}
}

// pairColumns are the columns of B0, B4, B6 and B8.
func (w *weights) pairColumns(before, after uint16) [4]uint16 {
	return [4]uint16{0, tagColumn(after), w.beforeColumn(before), uint16(w.pairColumn(int(before), int(after)))}
}

// code is that of a node in pairs.
func (l *lattice) code(id nodeID) int {
	if id < 0 {
		return int(l.nodes[^id].tag)
	}
	return l.w.charCode(int(id) % l.width())
}

// start and finish are the places between which a node lies.
func (l *lattice) start(id nodeID) int {
	if id < 0 {
		return int(l.nodes[^id].start)
	}
	return int(id) / l.width()
}

func (l *lattice) finish(id nodeID) int {
	if id < 0 {
		return int(l.nodes[^id].end)
	}
	return int(id)/l.width() + 1
}

// unigramScore is the score of a node.
func (l *lattice) unigramScore(id nodeID) float64 {
	if id < 0 {
		return l.nodes[^id].score
	}
	return l.char[id]
}

// edge is the score of two nodes that follow each other.
func (l *lattice) edge(a, b nodeID) float64 {
	if a < 0 && b < 0 {
		k := ^b
		for i, j := range l.endsAt(int(l.nodes[k].start)) {
			if j == ^a {
				return l.pairs[int(l.pairAt[k])+i]
			}
		}
	}
	return l.w.transition(l.code(a))[l.code(b)]
}

// score is the score of a path from the beginning to the end.
func (l *lattice) score(path []nodeID) (sum float64) {
	for i, id := range path {
		sum += l.unigramScore(id)
		if i > 0 {
			sum += l.edge(path[i-1], id)
		}
	}
	return sum
}
