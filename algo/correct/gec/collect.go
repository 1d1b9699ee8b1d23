package gec

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
)

// said is what a module says of an edit.
type said struct {
	by int // module
	evidence.Proposal
}

// correction is an edit that one module or several propose.
type correction struct {
	confusion.Edit
	said  []said
	score float64 // log-odds, less those of the threshold
	prob  float64
}

// collect gathers the options of a sentence, in order.
func collect(members []member, s *confusion.Sentence) []correction {
	at := map[confusion.Edit]int{}
	var out []correction
	for k := range members {
		for _, p := range members[k].work.Propose(s) {
			i, ok := at[p.Edit]
			if !ok {
				i = len(out)
				at[p.Edit] = i
				out = append(out, correction{Edit: p.Edit})
			}
			out[i].said = append(out[i].said, said{k, p})
		}
	}
	slices.SortStableFunc(out, func(a, b correction) int { return a.Edit.Compare(b.Edit) })
	return out
}

// The inputs of the regression by module.
const (
	inBias = iota
	inLogit
	inLM
	inPrior
	inputs
)

// least is the least log-odds of a module that count.
const least = -8

// each yields the inputs of an option.
func (o *correction) each(put func(at uint32, v float64)) {
	for i := range o.said {
		p := &o.said[i]
		at := uint32(p.by * inputs)
		put(at+inBias, 1)
		put(at+inLogit, max(evidence.Logit(p.Prob), least)/2)
		put(at+inLM, evidence.Clip(p.LM, 4)/2)
		put(at+inPrior, evidence.Clip(p.Prior, 8)/4)
	}
}

// pairKey names what a module exchanges for what.
func (m *model) pairKey(p *said) string {
	return m.names[p.by] + " " + p.Source + " " + p.Label
}

// rate sets score and prob of options.
func (m *model) rate(members []member, list []correction) {
	for i := range list {
		o := &list[i]
		if m.combine == union {
			m.rateUnion(members, o)
			continue
		}
		sum := 0.0
		o.each(func(at uint32, v float64) { sum += m.weights[at] * v })
		for k := range o.said {
			if w := m.pairs[m.pairKey(&o.said[k])]; w != nil {
				sum += w[0]
			}
		}
		o.score, o.prob = sum-m.limit(), evidence.Sigmoid(sum)
	}
}

// rateUnion takes the module that is furthest above its threshold, or least below.
func (m *model) rateUnion(members []member, o *correction) {
	o.score = math.Inf(-1)
	for k := range o.said {
		p := &o.said[k]
		if members[p.by].Ignores(&p.Proposal) {
			continue
		}
		if s := evidence.Logit(p.Prob) - m.thresholds[p.by]; s > o.score {
			o.score, o.prob = s, p.Prob
		}
	}
}

// limit is the log-odds of the threshold.
func (m *model) limit() float64 {
	if m.threshold > 0 {
		return evidence.Logit(m.threshold)
	}
	return m.tuned
}

// module names the models that propose an edit.
func (m *model) module(o *correction) string {
	var names []string
	for i := range o.said {
		names = append(names, m.names[o.said[i].by])
	}
	return strings.Join(names, "+")
}

// main is what the surest module says.
func (o *correction) main() *said {
	best := &o.said[0]
	for i := range o.said {
		if cmp.Compare(o.said[i].Prob, best.Prob) > 0 {
			best = &o.said[i]
		}
	}
	return best
}
