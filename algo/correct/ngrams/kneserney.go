package ngrams

import (
	"context"
	"math"
)

// estimates is a back-off model of an open trie, log10, node by node.
type estimates struct {
	prob, back [][]float32
	discounts  [][4]float64 // by level, of counts 1, 2 and 3 or more
	fixed      []int        // orders whose counts give no discounts
}

// kneserNey estimates interpolated modified Kneser-Ney probabilities (Chen and Goodman 1999, sec. 4.4). With a(g) the
// number of different words to the left of g, and the count of g where g is of the highest order or begins with <s>,
//
//	p(w|h) = (a(hw) − D(a(hw))) / S(h) + γ(h) p(w|h'),   S(h) = Σ_w a(hw)
//	γ(h)   = (Σ_{kept} D(a(hw)) + Σ_{left out} a(hw)) / S(h)
//
// where h' is h without its first word, and single words are interpolated with 1/|V|. What occurs less than least
// times is left out of what backs off, though not of S and a.
func kneserNey(ctx context.Context, t []open, least uint64) (*estimates, error) {
	e := &estimates{}
	var links, next []uint32
	for k := range t {
		links, next = next, nil
		if k+1 < len(t) {
			var err error
			if next, err = link(ctx, t, k+1, links); err != nil {
				return nil, err
			}
		}
		a := adjusted(t, k, next)
		d, ok := discounts(a, t[k].n)
		if !ok {
			e.fixed = append(e.fixed, k+1)
		}
		e.discounts = append(e.discounts, d)
		if k == 0 {
			e.prob = append(e.prob, single(a, t[k].n, d))
			continue
		}
		probs, backs, err := interpolated(ctx, t, k, a, d, links, e.prob[k-1], least)
		if err != nil {
			return nil, err
		}
		logs(backs)
		logs(e.prob[k-1])
		e.prob, e.back = append(e.prob, probs), append(e.back, backs)
	}
	logs(e.prob[len(t)-1])
	e.prob[0][begin] = 0
	return e, ctx.Err()
}

// link finds for each node of level k the node of its words without the first one. The children of a node are among
// those of its own link.
func link(ctx context.Context, t []open, k int, above []uint32) ([]uint32, error) {
	if k == 1 {
		return t[1].words, nil
	}
	to := make([]uint32, len(t[k].words))
	for p := range t[k-1].n {
		if p&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q := int(above[p])
		at, last := t[k-2].start(q), int(t[k-2].ends[q])
		for i := t[k-1].start(p); i < int(t[k-1].ends[p]); i++ {
			at += gallop(t[k-1].words[at:last], t[k].words[i])
			to[i] = uint32(at)
		}
	}
	return to, nil
}

// gallop is the place of the first word of a rising list that is not below w: steps double, then a binary search.
func gallop(words []uint32, w uint32) int {
	step := 1
	for step < len(words) && words[step] < w {
		step *= 2
	}
	low, high := step/2, min(step, len(words))
	for low < high {
		m := (low + high) / 2
		if words[m] < w {
			low = m + 1
		} else {
			high = m
		}
	}
	return low
}

// leftWords is a(g) of the nodes of a level: the numbers of words to their left, but for those that have their counts.
type leftWords struct {
	n         []uint32 // nil where all nodes have their counts
	counts    *counts
	from, to  int // nodes with their counts: those that begin with <s>
	beginning int // node of <s>, whose a is 0; −1 at higher levels
}

func (a *leftWords) get(i int) uint64 {
	switch {
	case i == a.beginning:
		return 0
	case a.n == nil || i >= a.from && i < a.to:
		return a.counts.get(i)
	}
	return uint64(a.n[i])
}

// adjusted is a(g) for the nodes of level k; next are the links of the level after it.
func adjusted(t []open, k int, next []uint32) *leftWords {
	a := &leftWords{counts: &t[k].counts, beginning: -1}
	if k == 0 {
		a.beginning = begin
	}
	if k == len(t)-1 {
		return a
	}
	a.n = make([]uint32, t[k].n)
	for _, to := range next {
		a.n[to]++
	}
	a.from, a.to = begin, begin+1
	for j := range k {
		a.from, a.to = t[j].start(a.from), t[j].start(a.to)
	}
	return a
}

// discounts are D of 1, 2 and 3 or more, with n_i the number of n-grams with a = i:
//
//	D_i = i − (i+1) Y n_{i+1} / n_i,   Y = n_1 / (n_1 + 2 n_2)
//
// Where they are undefined or no discounts, they are 0.5, 1 and 1.5, and the answer is false.
func discounts(a *leftWords, nodes int) (d [4]float64, ok bool) {
	var n [5]float64
	for i := range nodes {
		if c := a.get(i); c < 5 {
			n[c]++
		}
	}
	y := n[1] / (n[1] + 2*n[2])
	for i := 1; i <= 3; i++ {
		d[i] = float64(i) - float64(i+1)*y*n[i+1]/n[i]
		if !(d[i] >= 0 && d[i] <= float64(i)) || n[i] == 0 {
			return [4]float64{0, 0.5, 1, 1.5}, false
		}
	}
	return d, true
}

// single is the probabilities of single words:
//
//	p(w) = (a(w) − D(a(w))) / S + γ / |V|,   |V| without <s>
func single(a *leftWords, words int, d [4]float64) []float32 {
	total, kept := 0.0, 0.0
	for w := range words {
		c := a.get(w)
		total += float64(c)
		kept += d[min(c, 3)]
	}
	p := make([]float32, words)
	for w := unknown; w < words; w++ {
		if total == 0 {
			p[w] = float32(1 / float64(words-2))
			continue
		}
		p[w] = float32((float64(a.get(w))-d[min(a.get(w), 3)])/total + kept/total/float64(words-2))
	}
	return p
}

// interpolated is the probabilities of level k, and the back-off weights of the level above.
func interpolated(ctx context.Context, t []open, k int, a *leftWords, d [4]float64, links []uint32, lower []float32,
	least uint64) (probs, backs []float32, err error) {
	probs, backs = make([]float32, t[k].n), make([]float32, t[k-1].n)
	for h := range backs {
		if h&0xfff == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		from, to := t[k-1].start(h), int(t[k-1].ends[h])
		total, freed := uint64(0), 0.0
		for i := from; i < to; i++ {
			n := a.get(i)
			total += n
			if least > 1 && t[k].counts.get(i) < least {
				freed += float64(n)
			} else {
				freed += d[min(n, 3)]
			}
		}
		back := 1.0
		if total > 0 {
			back = freed / float64(total)
		}
		backs[h] = float32(back)
		for i := from; i < to; i++ {
			p := back * float64(lower[links[i]])
			if total > 0 {
				n := a.get(i)
				p += (float64(n) - d[min(n, 3)]) / float64(total)
			}
			probs[i] = float32(p)
		}
	}
	return probs, backs, nil
}

// logs puts log10 in the place of numbers.
func logs(v []float32) {
	for i, x := range v {
		v[i] = float32(math.Log10(max(float64(x), math.SmallestNonzeroFloat32)))
	}
}

// prune drops the n-grams of two words and more with a count below least, of the estimates too, which may be nil.
func prune(t []open, e *estimates, least uint64) {
	if least <= 1 {
		return
	}
	for k := 1; k < len(t); k++ {
		kept := 0
		l, above := &t[k], &t[k-1]
		next := 0
		for p := range above.ends {
			for ; next < int(above.ends[p]); next++ {
				if l.counts.get(next) < least {
					continue
				}
				l.words[kept] = l.words[next]
				if l.ends != nil {
					// Children keep their old places until their own turn; those of what was dropped are dropped too.
					l.ends[kept] = l.ends[next]
				}
				e.keep(k, kept, next)
				kept++
			}
			above.ends[p] = uint32(kept)
		}
		old, n := l.counts, l.n
		l.counts = newCounts(kept, func(yield func(uint64) bool) {
			for i := range n {
				if c := old.get(i); c >= least && !yield(c) {
					return
				}
			}
		})
		l.words, l.n = l.words[:kept], kept
		if l.ends != nil {
			l.ends = l.ends[:kept]
		}
		e.cut(k, kept)
	}
}

func (e *estimates) keep(k, to, from int) {
	if e == nil {
		return
	}
	e.prob[k][to] = e.prob[k][from]
	if k < len(e.back) {
		e.back[k][to] = e.back[k][from]
	}
}

func (e *estimates) cut(k, n int) {
	if e == nil {
		return
	}
	e.prob[k] = e.prob[k][:n]
	if k < len(e.back) {
		e.back[k] = e.back[k][:n]
	}
}
