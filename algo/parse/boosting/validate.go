package boosting

import (
	"context"

	"parlance/algo/parse/candidates"
)

// Choice is what held-out sentences say of the number of rounds.
type Choice struct{ F1, All, Base float64 } // F1 with the rounds kept, with all, and of what the base answers

// Validate keeps the number of rounds whose trees of held-out sentences, one at least, have the best F1, the first of
// equal ones. All are tried: a round changes the scores of few trees. It takes the features of the examples.
func (m *Model) Validate(ctx context.Context, list []*Example) (Choice, error) {
	h := m.newHeldOut(list)
	best, most := 0, h.f1()
	for r, step := range m.Learned.Steps {
		if r%256 == 0 && ctx.Err() != nil {
			return Choice{}, ctx.Err()
		}
		h.step(step.Feature, step.Delta)
		if f := h.f1(); f > most {
			best, most = r+1, f
		}
	}
	m.Rounds = best
	m.Ready(0)
	return Choice{most, h.f1(), h.base()}, nil
}

// heldOut has the scores of held-out trees as rounds change them.
type heldOut struct {
	examples []*Example
	scores   [][]float64
	chosen   []int
	having   map[int32][][2]int32 // sentences and candidates with a feature
	counts   candidates.Counts    // of the chosen trees
}

func (m *Model) newHeldOut(examples []*Example) *heldOut {
	h := &heldOut{examples: examples, having: map[int32][][2]int32{}}
	for i, e := range examples {
		var scores []float64
		for j, log := range e.Logs {
			scores = append(scores, m.Learned.Base*log)
			for _, f := range e.features[j] {
				k := m.numbers[f]
				h.having[k] = append(h.having[k], [2]int32{int32(i), int32(j)})
			}
			e.features[j] = nil
		}
		h.scores, h.chosen = append(h.scores, scores), append(h.chosen, first(scores))
		h.count(i, 1)
	}
	return h
}

// first is the place of the highest score, the first of equal ones.
func first(scores []float64) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}

func (h *heldOut) count(i, sign int) {
	h.counts.Add(&h.examples[i].Tally, h.chosen[i], sign)
}

// step changes the weight of a feature.
func (h *heldOut) step(k int32, by float64) {
	list := h.having[k]
	for _, x := range list {
		h.scores[x[0]][x[1]] += by
	}
	for n, x := range list {
		if i := int(x[0]); n == 0 || list[n-1][0] != x[0] {
			h.count(i, -1)
			h.chosen[i] = first(h.scores[i])
			h.count(i, 1)
		}
	}
}

func (h *heldOut) f1() float64 { return h.counts.F1() }

// base is F1 of what the base answers.
func (h *heldOut) base() float64 {
	var c candidates.Counts
	for _, e := range h.examples {
		c.Add(&e.Tally, e.Answer, 1)
	}
	return c.F1()
}
