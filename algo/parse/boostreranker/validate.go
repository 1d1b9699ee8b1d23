package boostreranker

import (
	"context"
	"fmt"
	"math"
	"time"

	"parlance/algo/kind"
)

// validate keeps the number of rounds whose trees of held-out sentences have the best F1, the first of equal ones. All
// are tried: a round changes the scores of few trees.
func (m *model) validate(ctx context.Context, t *kind.Training, base kind.Trained) error {
	start := time.Now()
	if err := m.ready(); err != nil { // the features of the rounds
		return err
	}
	s, err := m.read(ctx, t.Validate, t, base, false)
	if err != nil {
		return err
	}
	if len(s.examples) == 0 {
		t.Notice("VALIDATE has no sentence with constituents for which the base has trees: all rounds are kept")
		return nil
	}
	h := m.newHeldOut(s.examples)
	best, most := 0, h.f1()
	for r, step := range m.learned.Steps {
		if r%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h.step(step.Feature, step.Delta)
		if f := h.f1(); f > most {
			best, most = r+1, f
		}
	}
	m.rounds = best
	n := len(m.learned.Steps)
	t.Report(kind.Progress{Step: max(1, n), Of: max(1, n), Objective: math.NaN(), HeldOut: most, Metric: "f1",
		Seconds: time.Since(start).Seconds(),
		Note: fmt.Sprintf("rounds kept: %d, F1 of held-out sentences %.4f, with all %d rounds %.4f, of the base %.4f",
			best, most, n, h.f1(),
			h.base())})
	return nil
}

// heldOut has the scores of held-out trees as rounds change them.
type heldOut struct {
	examples []*example
	scores   [][]float64
	chosen   []int
	having   map[int32][][2]int32 // sentences and candidates with a feature
	common   int                  // of the chosen trees, with gold
	all      int                  // brackets of the chosen trees and of gold
}

func (m *model) newHeldOut(examples []*example) *heldOut {
	h := &heldOut{examples: examples, having: map[int32][][2]int32{}}
	for i, e := range examples {
		var scores []float64
		for j, log := range e.logs {
			scores = append(scores, m.learned.Base*log)
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
	e, k := h.examples[i], h.chosen[i]
	h.common += sign * e.common[k]
	h.all += sign * (e.brackets[k] + e.gold)
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

func (h *heldOut) f1() float64 { return f1(h.common, h.all) }

// base is F1 of what the base answers.
func (h *heldOut) base() float64 {
	common, all := 0, 0
	for _, e := range h.examples {
		common += e.common[e.answer]
		all += e.brackets[e.answer] + e.gold
	}
	return f1(common, all)
}

func f1(common, all int) float64 {
	if all == 0 {
		return 1
	}
	return 2 * float64(common) / float64(all)
}
