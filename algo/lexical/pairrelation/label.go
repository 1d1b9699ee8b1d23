package pairrelation

import (
	"context"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
)

// answer is what the model says of a pair.
type answer struct {
	label int8
	dir   direction
	prob  float64 // 1 of rules; of y that of the most probable label
	rule  string  // that the label goes by; of maxent the one that agrees, "" for none
}

// label labels a pair: y where the highest probability is too low.
func (m *model) label(k *knowledge, term1, term2 string, f facts) answer {
	p := k.rules.pair(term1, term2, f)
	hits := k.rules.hits(p)
	if m.classifier == nil {
		h := k.rules.decide(p, hits)
		return answer{h.label, h.dir, 1, h.rule}
	}
	a := m.classified(k, p, hits)
	if a.prob < m.opt.least {
		return answer{labelY, neither, a.prob, ""}
	}
	return a
}

// classified takes the label of the highest probability, of equal ones that of the highest priority.
// Both orders of the terms are looked at, so that the answer to the swapped pair is the same.
func (m *model) classified(k *knowledge, p *pairOf, hits []hit) answer {
	var probs [len3]float64
	for i, prob := range m.both(k, p, hits) {
		c := m.classifier.classes[i]
		probs[3*int(c.label)+int(c.dir)+1] = prob
	}
	a := answer{label: none}
	for l := range leaves {
		if sum := probs[3*l] + probs[3*l+1] + probs[3*l+2]; a.label == none || sum > a.prob+1e-15 {
			a.label, a.prob = int8(l), sum
		}
	}
	at := 3 * int(a.label)
	if back, front := probs[at], probs[at+2]; back > front {
		a.dir = backward
	} else if front > back {
		a.dir = forward
	}
	for _, h := range hits {
		if h.label == a.label {
			a.rule = h.rule
			if a.dir == neither {
				a.dir = h.dir
			}
			break
		}
	}
	a.prob = min(1, a.prob)
	return a
}

// len3 is a place for every label and direction.
const len3 = 3 * 18

// both returns the probabilities of the classes, the mean over both orders of the terms.
func (m *model) both(k *knowledge, p *pairOf, hits []hit) []float64 {
	c := m.classifier
	one := probabilities(c.scores(k.rules.features(p, hits)))
	other := probabilities(c.scores(k.rules.features(p.swapped(), swapHits(hits))))
	out := make([]float64, len(one))
	for i, x := range c.classes {
		out[i] = one[i] / 2
		if j := slices.Index(c.classes, class{x.label, -x.dir}); j >= 0 {
			out[i] += other[j] / 2
		}
	}
	return out
}

// labelAll labels pairs, to which it adds what resources tell of them.
func (m *model) labelAll(ctx context.Context, k *knowledge, list []*pair, run *kind.Run) ([]answer, error) {
	if err := m.complete(ctx, k, list, run); err != nil {
		return nil, err
	}
	out := make([]answer, len(list))
	err := parallel.For(ctx, run.Workers, len(list), func(_, i int) error {
		out[i] = m.label(k, list[i].term1, list[i].term2, list[i].facts)
		return nil
	})
	return out, err
}
