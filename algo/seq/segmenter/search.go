package segmenter

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// search finds the best paths of a lattice. With F of a node its best score from the beginning,
//
//	F(u) = s(u) + max over u' before u of F(u') + s(u', u)
//
// Where a character is among two nodes their pair depends on codes alone, so that of the words that end at a place the
// best of each tag stands for all, and codes that cannot win are left out by the greatest weight that follows them.
type search struct {
	*lattice
	char, word         []float64 // F
	charBack, wordBack []nodeID

	sources []source
	first   []float64 // by position B or S and tag: the best F(u') + s(u', u) at a place
	back    []nodeID
	tags    []float64 // the same by tag of a word
	tagBack []nodeID
	wanted  []uint16 // tags of words that start at the place
	chains  [4][]float64
	path    []nodeID
	nbest   nbest
}

// source is the best node of a code that ends at a place.
type source struct {
	f    float64
	code int
	id   nodeID
}

// Pairs inside of words.
const (
	chainBI = iota
	chainII
	chainBE
	chainIE
)

// best returns the best path, with the nodes of the beginning and the end, until the next call.
func (s *search) best(l *lattice) ([]nodeID, float64) {
	s.forward(l)
	s.path = s.path[:0]
	for id := nodeID(^(len(l.nodes) - 1)); ; {
		s.path = append(s.path, id)
		if id == ^0 {
			break
		}
		if id < 0 {
			id = s.wordBack[^id]
		} else {
			id = s.charBack[id]
		}
	}
	for i, j := 0, len(s.path)-1; i < j; i, j = i+1, j-1 {
		s.path[i], s.path[j] = s.path[j], s.path[i]
	}
	return s.path, s.word[len(l.nodes)-1]
}

// forward computes F of all nodes.
func (s *search) forward(l *lattice) {
	s.lattice = l
	w, plain := l.w, l.w.plain
	s.char, s.charBack = buffer.Resize(s.char, len(l.char)), buffer.Resize(s.charBack, len(l.char))
	s.word, s.wordBack = buffer.Resize(s.word, len(l.nodes)), buffer.Resize(s.wordBack, len(l.nodes))
	s.first, s.back = buffer.Resize(s.first, 2*plain), buffer.Resize(s.back, 2*plain)
	s.tags, s.tagBack = buffer.Resize(s.tags, w.all), buffer.Resize(s.tagBack, w.all)
	for i, p := range [4][2]int{{posB, posI}, {posI, posI}, {posB, posE}, {posI, posE}} {
		s.chains[i] = buffer.Resize(s.chains[i], plain)
		for t := range plain {
			s.chains[i][t] = w.transition(w.charCode(p[0]*plain + t))[w.charCode(p[1]*plain+t)]
		}
	}
	s.word[0], s.wordBack[0] = 0, 0
	for i := range l.n + 1 {
		s.gather(i)
		s.arrive(i)
		if i < l.n {
			s.begin(i)
			s.inside(i)
		}
		s.words(i)
	}
}

// gather lists the sources at a place, the best one first.
func (s *search) gather(i int) {
	l, plain := s.lattice, s.w.plain
	s.sources = s.sources[:0]
	for _, k := range l.endsAt(i) {
		x := source{s.word[k], int(l.nodes[k].tag), ^k}
		at := 0
		for at < len(s.sources) && s.sources[at].code != x.code {
			at++
		}
		if at == len(s.sources) {
			s.sources = append(s.sources, x)
		} else if x.f > s.sources[at].f {
			s.sources[at] = x
		}
	}
	if i > 0 {
		width := l.width()
		from := (i - 1) * width
		for _, p := range [2]int{posS, posE} {
			for t := range plain {
				if f := s.char[from+p*plain+t]; !math.IsInf(f, -1) {
					s.sources = append(s.sources, source{f, l.w.charCode(p*plain + t), nodeID(from + p*plain + t)})
				}
			}
		}
	}
	top := 0
	for k, x := range s.sources {
		if x.f > s.sources[top].f {
			top = k
		}
	}
	if len(s.sources) > 0 {
		s.sources[0], s.sources[top] = s.sources[top], s.sources[0]
	}
}

// arrive computes the best ways from the sources to each position and tag that begins a word, and each tag of a word.
func (s *search) arrive(i int) {
	l, w := s.lattice, s.w
	s.wanted = s.wanted[:0]
	from, to := l.startsAt(i)
	for k := from; k < to; k++ {
		if t := l.nodes[k].tag; len(s.wanted) == 0 || !has(s.wanted, t) {
			s.wanted = append(s.wanted, t)
			s.tags[t], s.tagBack[t] = math.Inf(-1), 0
		}
	}
	for c := range s.first {
		s.first[c] = math.Inf(-1)
	}
	least, leastTag := math.Inf(-1), math.Inf(-1)
	if i == l.n {
		least = math.Inf(1)
	}
	if len(s.wanted) == 0 {
		leastTag = math.Inf(1)
	}
	for _, x := range s.sources {
		top := x.f + w.rowMax[x.code]
		row := w.transition(x.code)
		if top > least && i < l.n {
			least = s.improve(x, row[w.all:w.all+len(s.first)])
		}
		if x.code >= w.all && top > leastTag {
			leastTag = s.improveTags(x, row)
		}
	}
}

func has(list []uint16, x uint16) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// improve takes the ways over a source that are better, and returns the score of the worst of the best.
func (s *search) improve(x source, row []float64) float64 {
	least, first := math.Inf(1), s.first[:len(row)]
	for c, v := range row {
		v += x.f
		if v > first[c] {
			first[c], s.back[c] = v, x.id
		} else {
			v = first[c]
		}
		if v < least {
			least = v
		}
	}
	return least
}

func (s *search) improveTags(x source, row []float64) float64 {
	least := math.Inf(1)
	for _, t := range s.wanted {
		if v := x.f + row[t]; v > s.tags[t] {
			s.tags[t], s.tagBack[t] = v, x.id
		}
		least = min(least, s.tags[t])
	}
	return least
}

// begin sets F of the characters at a place that begin a word.
func (s *search) begin(i int) {
	from := i * s.width()
	out, back, own := s.char[from:], s.charBack[from:], s.lattice.char[from:]
	for c, v := range s.first {
		out[c], back[c] = v+own[c], s.back[c]
	}
}

// inside sets F of the characters at a place that go on with a word.
func (s *search) inside(i int) {
	plain, width := s.w.plain, s.width()
	out := s.char[i*width : (i+1)*width]
	if i == 0 {
		forbid(out[posI*plain:])
		return
	}
	own, back := s.lattice.char[i*width:(i+1)*width], s.charBack[i*width:(i+1)*width]
	from := (i - 1) * width
	b, in := s.char[from+posB*plain:][:plain], s.char[from+posI*plain:][:plain]
	for _, to := range [2]struct{ pos, b, in int }{{posI, chainBI, chainII}, {posE, chainBE, chainIE}} {
		afterB, afterI := s.chains[to.b][:plain], s.chains[to.in][:plain]
		at := to.pos * plain
		for t := range plain {
			v, id := b[t]+afterB[t], from+posB*plain+t
			if x := in[t] + afterI[t]; x > v {
				v, id = x, from+posI*plain+t
			}
			out[at+t], back[at+t] = v+own[at+t], nodeID(id)
		}
	}
}

// words sets F of the word nodes that start at a place.
func (s *search) words(i int) {
	l := s.lattice
	ending := l.endsAt(i)
	from, to := l.startsAt(i)
	for k := from; k < to; k++ {
		n := &l.nodes[k]
		v, id := s.tags[n.tag], s.tagBack[n.tag]
		for e, x := range l.pairs[l.pairAt[k]:l.pairAt[k+1]] {
			if x += s.word[ending[e]]; x > v {
				v, id = x, ^ending[e]
			}
		}
		s.word[k], s.wordBack[k] = v+n.score, id
	}
}

// nbest is the queue of a search backwards: partial paths from the end, whose best completions F tells exactly.
//
// What a partial path loses against the best path is the sum of what its steps lose against the best step back from
// the same node, so that a step that loses nothing does not fall behind by rounding, and of equal paths the longest
// goes on. A node is taken k times at most: the partial paths after it that come first have the best k completions.
type nbest struct {
	parts []part
	queue []int32 // a heap of parts, the best completion on top
	next  []arc
	paths [][]nodeID
	score []float64
	times [2][]int32 // how often a node was taken: of characters, of words
}

// part is a node and the partial path after it.
type part struct {
	id    nodeID
	after int32   // part, −1 at the end
	loss  float64 // of the best completion against the best path
}

// arc leads to a node before.
type arc struct {
	id   nodeID
	edge float64
	f    float64
}

// kBest returns the k best paths by falling score, fewer if there are no more, until the next call. forward has run.
func (s *search) kBest(k int) ([][]nodeID, []float64) {
	q, last := &s.nbest, len(s.nodes)-1
	q.parts, q.queue, q.paths, q.score = q.parts[:0], q.queue[:0], q.paths[:0], q.score[:0]
	if math.IsInf(s.word[last], -1) {
		return nil, nil
	}
	q.times[0], q.times[1] = buffer.Zeros(q.times[0], len(s.char)), buffer.Zeros(q.times[1], len(s.nodes))
	q.push(part{nodeID(^last), -1, 0})
	for len(q.queue) > 0 && len(q.paths) < k {
		at := q.pop()
		p := q.parts[at]
		if p.id == ^0 {
			q.paths, q.score = append(q.paths, q.path(at)), append(q.score, s.word[last]-p.loss)
			continue
		}
		if q.taken(p.id) > k {
			continue
		}
		s.predecessors(p.id)
		q.keep(k)
		for i := len(q.next) - 1; i >= 0; i-- { // the best last, which goes first among equals
			x := q.next[i]
			q.push(part{x.id, at, p.loss + (q.next[0].edge + q.next[0].f - x.edge - x.f)})
		}
	}
	return q.paths, q.score
}

// taken counts how often a node is taken.
func (q *nbest) taken(id nodeID) int {
	n := &q.times[0]
	if id < 0 {
		n, id = &q.times[1], ^id
	}
	(*n)[id]++
	return int((*n)[id])
}

func (q *nbest) path(at int32) (out []nodeID) {
	for ; at >= 0; at = q.parts[at].after {
		out = append(out, q.parts[at].id)
	}
	return out
}

// keep leaves the k best of next, in their order.
func (q *nbest) keep(k int) {
	for i := 1; i < len(q.next); i++ {
		x := q.next[i]
		j := min(i, k)
		if i >= k && x.f+x.edge <= q.next[k-1].f+q.next[k-1].edge {
			continue
		}
		for j--; j >= 0 && q.next[j].f+q.next[j].edge < x.f+x.edge; j-- {
			if j+1 < k {
				q.next[j+1] = q.next[j]
			}
		}
		q.next[j+1] = x
	}
	q.next = q.next[:min(k, len(q.next))]
}

// predecessors lists the nodes before one, with the scores of the pairs.
func (s *search) predecessors(id nodeID) {
	l, plain, q := s.lattice, s.w.plain, &s.nbest
	q.next = q.next[:0]
	add := func(from nodeID, edge, f float64) {
		if !math.IsInf(f, -1) {
			q.next = append(q.next, arc{from, edge, f})
		}
	}
	i, width := l.start(id), l.width()
	if id >= 0 && int(id)%width >= posI*plain {
		pos, t := int(id)%width/plain, int(id)%plain
		from := (i - 1) * width
		chains := [2]int{chainBI, chainII}
		if pos == posE {
			chains = [2]int{chainBE, chainIE}
		}
		for k, p := range [2]int{posB, posI} {
			at := from + p*plain + t
			add(nodeID(at), s.chains[chains[k]][t], s.char[at])
		}
		return
	}
	code := l.code(id)
	for e, j := range l.endsAt(i) {
		edge := 0.0
		if id < 0 {
			edge = l.pairs[int(l.pairAt[^id])+e]
		} else {
			edge = s.w.transition(int(l.nodes[j].tag))[code]
		}
		add(^j, edge, s.word[j])
	}
	if i > 0 {
		from := (i - 1) * width
		for c := posS * plain; c < width; c++ {
			if c == (posS+1)*plain {
				c = posE * plain
			}
			add(nodeID(from+c), s.w.transition(s.w.charCode(c))[code], s.char[from+c])
		}
	}
}

func (q *nbest) push(p part) {
	q.parts = append(q.parts, p)
	q.queue = append(q.queue, int32(len(q.parts)-1))
	h := q.queue
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.before(h[i], h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (q *nbest) pop() int32 {
	h := q.queue
	top, last := h[0], len(h)-1
	h[0], q.queue = h[last], h[:last]
	h = q.queue
	for i := 0; ; {
		k := 2*i + 1
		if k >= len(h) {
			return top
		}
		if k+1 < len(h) && q.before(h[k+1], h[k]) {
			k++
		}
		if !q.before(h[k], h[i]) {
			return top
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}

// before orders by rising loss; of equal ones the later is first, so that paths come to an end.
func (q *nbest) before(a, b int32) bool {
	x, y := q.parts[a].loss, q.parts[b].loss
	return x < y || x == y && a > b
}
