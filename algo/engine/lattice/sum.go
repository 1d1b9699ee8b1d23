package lattice

import (
	"iter"
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/fastexp"
)

// sums holds logarithms of the sums over ways from the start to each node, and from each node to the end:
//
//	A(u) = log Σ_{k ends in u} exp(M(s_k) + φ_k)       M(s) = log Σ_u exp(A(u) + w(u, s))
//	B(u) = log Σ_s exp(w(u, s) + N(s))                 N(s) = log Σ_{k begins in s} exp(φ_k + B(u_k))
//
// Sums over pairs are products with exp(w), scaled by the largest A or N of their position; where that would lose
// digits, they are taken in logarithms.
type sums struct {
	done     bool
	logZ     float64
	forward  [2][]float64 // A and M
	backward [2][]float64 // B and N
	expPair  []float64    // exp(w) of each pair that is listed
	wide     []bool       // by position: a score of a pair is too far from 0 to be scaled
	scaled   []float64
	top      []float64
	probs    []float64
	onlyLogs bool // for tests: no scaling
}

// Limits of what is scaled: exp(±pairLimit) times exp(−700) is far below smallSum.
const (
	pairLimit  = 200
	smallSum   = 1e-100
	negligible = -40 // exponent of what is lost in a sum of ones
)

// sum runs forward and backward once.
func (l *Lattice) sum() *sums {
	q := &l.sums
	if q.done {
		return q
	}
	q.done = true
	for side := range l.nodes {
		n := len(l.nodes[side].state)
		q.forward[side], q.backward[side] = buffer.Resize(q.forward[side], n), buffer.Resize(q.backward[side], n)
	}
	l.exponentiate()
	l.sumForward()
	q.logZ = q.forward[beginning][l.last()]
	l.sumBackward()
	return q
}

// exponentiate sets exp(w) of all pairs.
func (l *Lattice) exponentiate() {
	q, b := &l.sums, &l.nodes[beginning]
	q.expPair, q.wide = buffer.Resize(q.expPair, len(l.pairScore)), buffer.Resize(q.wide, l.n+1)
	for p := range l.n + 1 {
		lo, hi := l.pairFirst[b.first[p]], l.pairFirst[b.first[p+1]]
		q.wide[p] = q.onlyLogs
		for s := b.first[p]; s < b.first[p+1]; s++ {
			q.wide[p] = q.wide[p] || l.rows[s] == column && l.trans.wide[l.trans.classOf(b.state[s])]
		}
		for i, w := range l.pairScore[lo:hi] {
			if math.Abs(w) > pairLimit {
				q.wide[p] = true
				break
			}
			q.expPair[int(lo)+i] = fastexp.Exp(w)
		}
	}
}

func (l *Lattice) sumForward() {
	q, e, b := &l.sums, &l.nodes[ending], &l.nodes[beginning]
	a, m := q.forward[ending], q.forward[beginning]
	for p := range l.n + 1 {
		lo, hi := e.first[p], e.first[p+1]
		for u := lo; u < hi; u++ {
			if e.state[u] < 0 {
				a[u] = 0
				continue
			}
			a[u] = l.logSumSpans(e.at(u), b.of, m)
		}
		top := q.scale(a[lo:hi])
		for s := b.first[p]; s < b.first[p+1]; s++ {
			v := 0.0
			if !q.wide[p] {
				v = l.dot(s, lo, hi)
			}
			if v > smallSum {
				m[s] = top + math.Log(v)
			} else {
				m[s] = l.logSumPairs(p, s)
			}
		}
	}
}

// logSumSpans returns log Σ_k exp(values[node of k] + φ_k).
func (l *Lattice) logSumSpans(spans, node []int32, values []float64) float64 {
	if len(spans) == 1 {
		return values[node[spans[0]]] + l.spans[spans[0]].Score
	}
	hi := math.Inf(-1)
	for _, k := range spans {
		hi = max(hi, values[node[k]]+l.spans[k].Score)
	}
	if math.IsInf(hi, -1) {
		return hi
	}
	var sum float64
	for _, k := range spans {
		if d := values[node[k]] + l.spans[k].Score - hi; d > negligible {
			sum += fastexp.Exp(d)
		}
	}
	return hi + math.Log(sum)
}

// scale sets scaled to exp(v − max v) and returns the maximum.
func (q *sums) scale(values []float64) float64 {
	top := math.Inf(-1)
	for _, v := range values {
		top = max(top, v)
	}
	q.scaled = buffer.Resize(q.scaled, len(values))
	for i, v := range values {
		q.scaled[i] = 0
		if d := v - top; d > -700 {
			q.scaled[i] = fastexp.Exp(d)
		}
	}
	return top
}

// weights returns exp(w) of the pairs of a beginning node, by class of the ending where they are a column.
func (l *Lattice) weights(s int32) []float64 {
	if l.rows[s] == column {
		n := l.trans.Classes
		return l.trans.exp[int(l.trans.classOf(l.nodes[beginning].state[s]))*n:][:n]
	}
	return l.sums.expPair[l.pairFirst[s]:l.pairFirst[s+1]]
}

// dot returns Σ_u scaled[u − lo] · exp(w(u, s)) over the endings lo to hi−1.
func (l *Lattice) dot(s, lo, hi int32) (sum float64) {
	scaled, w := l.sums.scaled[:hi-lo], l.weights(s)
	switch l.rows[s] {
	case column:
		for i, c := range l.classes[lo:hi] {
			sum += scaled[i] * w[c]
		}
	case dense:
		for i, x := range scaled[:len(w)] {
			sum += x * w[i]
		}
	default:
		for i, u := range l.pairFrom[l.pairFirst[s]:][:len(w)] {
			sum += scaled[u-lo] * w[i]
		}
	}
	return sum
}

// logSumPairs returns log Σ_u exp(A(u) + w(u, s)).
func (l *Lattice) logSumPairs(p int, s int32) float64 {
	from, scores := l.before(p, s)
	a := l.sums.forward[ending]
	hi := math.Inf(-1)
	for i, u := range from {
		hi = max(hi, a[u]+scores[i])
	}
	if math.IsInf(hi, -1) {
		return hi
	}
	var sum float64
	for i, u := range from {
		if d := a[u] + scores[i] - hi; d > negligible {
			sum += math.Exp(d)
		}
	}
	return hi + math.Log(sum)
}

func (l *Lattice) sumBackward() {
	q, e, b := &l.sums, &l.nodes[ending], &l.nodes[beginning]
	to, n := q.backward[ending], q.backward[beginning]
	for p := l.n; p >= 0; p-- {
		lo, hi := b.first[p], b.first[p+1]
		for s := lo; s < hi; s++ {
			if b.state[s] < 0 {
				n[s] = 0
				continue
			}
			n[s] = l.logSumSpans(b.at(s), e.of, to)
		}
		if q.wide[p] || !l.pairsBackward(p) {
			l.logPairsBackward(p)
		}
	}
}

// pairsBackward sets B at a position by products. It reports false where digits would be lost.
func (l *Lattice) pairsBackward(p int) bool {
	q, e, b := &l.sums, &l.nodes[ending], &l.nodes[beginning]
	lo, base := b.first[p], e.first[p]
	top := q.scale(q.backward[beginning][lo:b.first[p+1]])
	sum := q.backward[ending][base:e.first[p+1]]
	clear(sum)
	for s := lo; s < b.first[p+1]; s++ {
		x := q.scaled[s-lo]
		w := l.weights(s)
		switch l.rows[s] {
		case column:
			for i, c := range l.classes[base:e.first[p+1]] {
				sum[i] += x * w[c]
			}
		case dense:
			for i, v := range w {
				sum[i] += x * v
			}
		default:
			for i, u := range l.pairFrom[l.pairFirst[s]:][:len(w)] {
				sum[u-base] += x * w[i]
			}
		}
	}
	for _, v := range sum {
		if v <= smallSum {
			return false
		}
	}
	for i, v := range sum {
		sum[i] = top + math.Log(v)
	}
	return true
}

// logPairsBackward does so in logarithms.
func (l *Lattice) logPairsBackward(p int) {
	q, e, b := &l.sums, &l.nodes[ending], &l.nodes[beginning]
	base := e.first[p]
	sum := q.backward[ending][base:e.first[p+1]]
	clear(sum)
	q.top = buffer.Resize(q.top, len(sum))
	for i := range q.top {
		q.top[i] = math.Inf(-1)
	}
	for pass := range 2 {
		for s := b.first[p]; s < b.first[p+1]; s++ {
			from, scores := l.before(p, s)
			for i, u := range from {
				v, top := scores[i]+q.backward[beginning][s], &q.top[u-base]
				if pass == 0 {
					*top = max(*top, v)
				} else if d := v - *top; d > negligible { // not where both are −Inf
					sum[u-base] += math.Exp(d)
				}
			}
		}
	}
	for i, v := range sum {
		sum[i] = q.top[i] + math.Log(v)
	}
}

// LogZ returns the log of the sum of exp(score) over all paths, −Inf if there is none.
func (l *Lattice) LogZ() float64 { return l.sum().logZ }

// Prob returns the probability that a span is used.
func (l *Lattice) Prob(span int) float64 {
	q := l.sum()
	u := l.nodes[ending].of[span]
	if u < 0 || math.IsInf(q.logZ, -1) {
		return 0
	}
	m := q.forward[beginning][l.nodes[beginning].of[span]]
	return probability(m + l.spans[span].Score + q.backward[ending][u] - q.logZ)
}

// ProbOf returns the probability that a path has all of some spans, each of which begins where the one before ends.
// Spans that do not, and pairs that transitions forbid, are together with probability 0.
func (l *Lattice) ProbOf(spans []int32) float64 {
	q, b, e := l.sum(), &l.nodes[beginning], &l.nodes[ending]
	if len(spans) == 0 {
		return 1
	}
	first, last := b.of[spans[0]], e.of[spans[len(spans)-1]]
	if first < 0 || last < 0 || math.IsInf(q.logZ, -1) {
		return 0
	}
	sum := q.forward[beginning][first] + q.backward[ending][last] - q.logZ
	for i, k := range spans {
		if b.of[k] < 0 || i > 0 && l.spans[spans[i-1]].End != l.spans[k].Start {
			return 0
		}
		if sum += l.spans[k].Score; i > 0 {
			sum += l.pairOf(int(l.spans[k].Start), e.of[spans[i-1]], b.of[k])
		}
	}
	return probability(sum)
}

// probability returns exp(log), at most 1: logarithms of large sums are off by some roundings.
func probability(log float64) float64 {
	if log < -700 {
		return 0
	}
	return fastexp.Exp(min(log, 0))
}

// Probs returns the probabilities of all spans: ∂log Z / ∂φ_k.
func (l *Lattice) Probs() []float64 {
	q := l.sum()
	q.probs = buffer.Resize(q.probs, len(l.spans))
	for k := range q.probs {
		q.probs[k] = l.Prob(k)
	}
	return q.probs
}

// Pair is two neighbouring labels at a position, −1 for the ends of the sentence. Where a table alone scores pairs
// they are classes, and 0 under Markov order 0.
type Pair struct{ At, From, To int32 }

// PairProbs yields each pair that is allowed with its probability: ∂log Z / ∂w at that position. A sum over positions
// is an expectation of the gradient.
func (l *Lattice) PairProbs() iter.Seq2[Pair, float64] {
	return func(yield func(Pair, float64) bool) {
		q, e, b := l.sum(), &l.nodes[ending], &l.nodes[beginning]
		if math.IsInf(q.logZ, -1) {
			return
		}
		for p := range int32(l.n) + 1 {
			for s := b.first[p]; s < b.first[p+1]; s++ {
				from, scores := l.before(int(p), s)
				after := q.backward[beginning][s] - q.logZ
				for i, u := range from {
					pair := Pair{p, e.state[u], b.state[s]}
					if !yield(pair, probability(q.forward[ending][u]+scores[i]+after)) {
						return
					}
				}
			}
		}
	}
}
