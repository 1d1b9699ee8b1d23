package maxent

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// tag labels the tokens of a document.
func (m *model) tag(ctx context.Context, w *worker, d *text.Document, run *kind.Run) error {
	res := m.pool.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		m.sentence(w, int(bounds[s-1]), int(bounds[s]))
		if run.Prob {
			w.forward()
		}
		if !m.pool.target.Spans() {
			for t, l := range w.path {
				p := 0.0
				if run.Prob {
					p = w.marginal(t, int(l))
				}
				res.Tag(m.Labels[l], p)
			}
			continue
		}
		w.names = w.names[:0]
		for _, l := range w.path {
			w.names = append(w.names, m.Labels[l])
		}
		w.spans = m.pool.target.Scheme.Decode(w.spans[:0], int32(s), w.names)
		for _, sp := range w.spans {
			p := 0.0
			if run.Prob {
				p = m.spanProb(w, sp)
			}
			res.Span(sp, p, 1)
		}
	}
	res.Set(run.Prob, false)
	return nil
}

// sentence finds labels of the items [from, to): argmax Π_t p(y_t | x_t, labels before), or as near
// to it as the decoder comes.
func (m *model) sentence(w *worker, from, to int) {
	w.scorer.Load(&w.rows, from, to, false)
	switch m.opt.decoder {
	case "greedy":
		w.path = w.decoder.Greedy(w.scorer)
	case "beam":
		w.path, _ = w.decoder.Beam(w.scorer, m.opt.beam)
	default:
		w.path, _ = w.decoder.Viterbi(w.scorer)
	}
}

// at sets w.scores to log p(y | token t, labels before).
func (w *worker) at(t, last, second int) []float64 {
	w.scorer.At(t, last, second, w.scores)
	normalise(w.scores)
	return w.scores
}

// states is the number of labellings of the tokens before that scores can tell apart.
func (w *worker) states() int {
	if w.scorer.Order() == 2 {
		return w.scorer.Labels() + 1
	}
	return 1
}

// forward fills w.alpha. Later tokens do not matter, for each step is normalised. With order 2
// there is one value a token, label before and label, else one a token and label:
//
//	α_t(y) = Σ_b α_{t−1}(b)·p(y | x_t, b)     α_t(b, y) = Σ_c α_{t−1}(c, b)·p(y | x_t, b, c)
func (w *worker) forward() {
	n, labels, states := len(w.path), w.scorer.Labels(), w.states()
	w.alpha = append(w.alpha[:0], make([]float64, n*states*labels)...)
	for t := range n {
		now := w.alpha[t*states*labels:][:states*labels]
		if t == 0 {
			for y, s := range w.at(0, labels, labels) {
				now[(states-1)*labels+y] = math.Exp(s)
			}
			continue
		}
		before := w.alpha[(t-1)*states*labels:][:states*labels]
		for second := range states {
			for last := range labels {
				a := before[second*labels+last]
				if a == 0 {
					continue
				}
				to := now
				if states > 1 {
					to = now[last*labels:]
				}
				for y, s := range w.at(t, last, w.second(second)) {
					to[y] += a * math.Exp(s)
				}
			}
		}
	}
}

// second is the label two tokens back that a state stands for.
func (w *worker) second(state int) int {
	if w.states() == 1 {
		return w.scorer.Labels()
	}
	return state
}

// marginal is p(y_t = label | x).
func (w *worker) marginal(t, label int) float64 {
	labels, states, sum := w.scorer.Labels(), w.states(), 0.0
	for b := range states {
		sum += w.alpha[(t*states+b)*labels+label]
	}
	return min(1, sum)
}

// spanProb is the probability that the tokens of a span have exactly their labels and the token
// after it does not continue it.
func (m *model) spanProb(w *worker, s text.Span) float64 {
	labels, states := w.scorer.Labels(), w.states()
	first, last := int(s.First-1), int(s.Last-1)
	total := 0.0
	for b := range states {
		p := w.alpha[(first*states+b)*labels+int(w.path[first])]
		if p == 0 {
			continue
		}
		second := w.second(b)
		for t := first + 1; t <= last; t++ {
			p *= math.Exp(w.at(t, int(w.path[t-1]), second)[w.path[t]])
			second = int(w.path[t-1])
		}
		if last+1 < len(w.path) {
			rest := 1.0
			scores := w.at(last+1, int(w.path[last]), second)
			for _, y := range m.pool.continues[s.Label] {
				rest -= math.Exp(scores[y])
			}
			p *= max(0, rest)
		}
		total += p
	}
	return total
}
