package excitation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/acquire/template"
)

// facts are what follows from the values.
type facts struct {
	nouns          []string        // sorted
	phrases        []phrase        // attested ones of templates that contradict others, by template, then noun
	contradictions []contradiction // the best ones first
	causalities    []causality
	hypotheses     []hypothesis
}

// phrase is a noun in a template, with its occurrences.
type phrase struct {
	template, noun uint32
	count          float64
}

// contradiction is two templates of opposite signs.
type contradiction struct {
	exc, inh uint32
	sim      float64 // Lin
	score    float64 // Ct
}

// causality is two events that follow each other.
type causality struct {
	first, second uint32 // templates
	noun1, noun2  uint32
	not1, not2    bool
	count         float64 // occurrences with connectives that say nothing of causes
	npfreq        float64 // of the pair of nouns with the polarity of the pair
	score         float64 // Cs
}

// hypothesis is two events that contradict those of a causality.
type hypothesis struct {
	first, second uint32
	noun1, noun2  uint32
	from          uint32 // the causality
	score         float64
}

// follow ranks contradictions, causalities and hypotheses.
func (m *model) follow(ctx context.Context, e *events, c *template.Counts) (*facts, error) {
	f := &facts{}
	renumber := f.name(e.nouns, c.Nouns)
	var err error
	if f.contradictions, err = m.contradict(ctx, c); err != nil {
		return nil, err
	}
	f.phrases = m.attested(f, c)
	f.causalities = m.causes(e, renumber)
	f.hypotheses = m.hypothesise(f, e, renumber)
	return f, ctx.Err()
}

// name gives the facts all nouns, and returns the numbers of those of the events.
func (f *facts) name(events, tuples []string) []uint32 {
	f.nouns = slices.Concat(events, tuples)
	slices.Sort(f.nouns)
	f.nouns = slices.Compact(f.nouns)
	out := make([]uint32, len(events))
	for i, w := range events {
		k, _ := slices.BinarySearch(f.nouns, w)
		out[i] = uint32(k)
	}
	return out
}

// contradict ranks pairs of an excitatory and an inhibitory template by Ct = |s1|·|s2|·Lin.
func (m *model) contradict(ctx context.Context, c *template.Counts) ([]contradiction, error) {
	w, row, order := c.Weigh(), rowsOf(m.net.templates, c), m.net.ranked()
	var exc, inh []int
	for k, i := range order {
		if k < m.opt.topExc && m.net.value[i] > 0 && row[i] >= 0 {
			exc = append(exc, i)
		}
	}
	for k := range order {
		if i := order[len(order)-1-k]; k < m.opt.topInh && m.net.value[i] < 0 && row[i] >= 0 {
			inh = append(inh, i)
		}
	}
	var out []contradiction
	for _, i := range exc {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, j := range inh {
			if m.net.templates[i].Predicate == m.net.templates[j].Predicate {
				continue
			}
			if sim := w.Lin(row[i], row[j]); sim > 0 {
				out = append(out, contradiction{uint32(i), uint32(j), sim,
					contradictionScore(m.net.value[i], m.net.value[j], sim)})
			}
		}
	}
	slices.SortFunc(out, func(a, b contradiction) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.exc, b.exc), cmp.Compare(a.inh, b.inh))
	})
	return slices.Clone(out[:min(len(out), m.opt.contradictions)]), nil
}

// contradictionScore is Ct.
func contradictionScore(s1, s2, sim float64) float64 { return math.Abs(s1) * math.Abs(s2) * sim }

// attested is the phrases of the templates that contradict others.
func (m *model) attested(f *facts, c *template.Counts) (out []phrase) {
	used := make([]bool, len(m.net.templates))
	for _, x := range f.contradictions {
		used[x.exc], used[x.inh] = true, true
	}
	for i, r := range rowsOf(m.net.templates, c) {
		if !used[i] || r < 0 {
			continue
		}
		ids, counts := c.Rows.Row(r)
		for k, id := range ids {
			n, _ := slices.BinarySearch(f.nouns, c.Nouns[id])
			out = append(out, phrase{uint32(i), uint32(n), counts[k]})
		}
	}
	return out // both are sorted by name, so nouns rise
}

// of is the phrases of a template.
func (f *facts) of(t uint32) []phrase {
	from, _ := slices.BinarySearchFunc(f.phrases, t, func(p phrase, t uint32) int { return cmp.Compare(p.template, t) })
	to, _ := slices.BinarySearchFunc(f.phrases, t+1, func(p phrase, t uint32) int { return cmp.Compare(p.template, t) })
	return f.phrases[from:to]
}

// has tells whether a phrase is attested.
func (f *facts) has(t, noun uint32) bool {
	list := f.of(t)
	_, ok := slices.BinarySearchFunc(list, noun, func(p phrase, n uint32) int { return cmp.Compare(p.noun, n) })
	return ok
}

// causes ranks pairs of events, which are seen with a connective of the type and that does not say that one is a cause,
// by Cs = |s1|·|s2|; of equal ones the more frequent come first.
func (m *model) causes(e *events, number []uint32) []causality {
	type key struct {
		first, second, noun1, noun2 uint32
		not1, not2                  bool
	}
	npfreq := m.polar(e)
	sums, stated := map[key]float64{}, map[key]bool{}
	pairs := map[key]uint64{}
	for _, x := range e.list {
		if !x.and || m.net.value[x.first] == 0 || m.net.value[x.second] == 0 || x.first == x.second &&
			x.noun1 == x.noun2 {
			continue
		}
		k := key{x.first, x.second, number[x.noun1], number[x.noun2], x.not1, x.not2}
		if x.causal {
			stated[k] = true
			continue
		}
		sums[k] += x.count
		pairs[k] = pairOf(x.noun1, x.noun2)
	}
	var out []causality
	for k, n := range sums {
		if m.opt.strict && stated[k] {
			continue
		}
		s1, s2 := m.net.value[k.first], m.net.value[k.second]
		out = append(out, causality{k.first, k.second, k.noun1, k.noun2, k.not1, k.not2, n, npfreq[pairs[k]],
			math.Abs(s1) * math.Abs(s2)})
	}
	slices.SortFunc(out, func(a, b causality) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count), cmp.Compare(a.first, b.first),
			cmp.Compare(a.second, b.second), cmp.Compare(a.noun1, b.noun1), cmp.Compare(a.noun2, b.noun2),
			compareBools(a.not1, b.not1), compareBools(a.not2, b.not2))
	})
	return slices.Clone(out[:min(len(out), m.opt.causalities)])
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// polar is npfreq of pairs of nouns, by the numbers of the events: how often they stand in events with a connective of
// the type and whose polarity is that of the pair, which is the sign of Σ count·a·s1·s2 over all of them.
func (m *model) polar(e *events) map[uint64]float64 {
	sign := func(x event) float64 {
		v := m.net.value[x.first] * m.net.value[x.second] * float64(x.sign)
		switch {
		case v > 0:
			return 1
		case v < 0:
			return -1
		}
		return 0
	}
	class, freq := map[uint64]float64{}, map[uint64]float64{}
	for _, x := range e.list {
		class[pairOf(x.noun1, x.noun2)] += x.count * sign(x)
	}
	for _, x := range e.list {
		if k := pairOf(x.noun1, x.noun2); x.and && sign(x)*class[k] > 0 {
			freq[k] += x.count
		}
	}
	return freq
}

// hypothesise makes hypotheses of causalities: both events are replaced by attested phrases that contradict them, the
// best ones first, unless these two stand in a pair of clauses themselves.
func (m *model) hypothesise(f *facts, e *events, number []uint32) []hypothesis {
	opposite := map[uint32][]contradiction{}
	for _, x := range f.contradictions {
		opposite[x.exc] = append(opposite[x.exc], x)
		opposite[x.inh] = append(opposite[x.inh], x)
	}
	type key struct{ first, noun1, second, noun2 uint32 }
	written := map[key]bool{}
	for _, x := range e.list {
		a, b := number[x.noun1], number[x.noun2]
		written[key{x.first, a, x.second, b}] = true
		written[key{x.second, b, x.first, a}] = true
	}
	if m.opt.hypotheses == 0 {
		return nil
	}
	best, floor := map[key]hypothesis{}, 0.0
	memo := map[uint64][]contradiction{}
	against := func(t, noun uint32) []contradiction {
		list, ok := memo[pairOf(t, noun)]
		if !ok {
			list = m.against(f, opposite[t], t, noun)
			memo[pairOf(t, noun)] = list
		}
		return list
	}
	for i, c := range f.causalities {
		if c.not1 || c.not2 {
			continue
		}
		twos := against(c.second, c.noun2)
		for _, x := range against(c.first, c.noun1) {
			for _, y := range twos {
				if x.score*y.score*c.score*c.npfreq < floor {
					break // those after it have lower scores
				}
				h := hypothesis{other(x, c.first), other(y, c.second), c.noun1, c.noun2, uint32(i),
					x.score * y.score * c.score * c.npfreq}
				k := key{h.first, h.noun1, h.second, h.noun2}
				if old, ok := best[k]; h.score > 0 && !written[k] && (!ok || h.score > old.score) {
					best[k] = h
				}
			}
		}
		if len(best) > 2*m.opt.hypotheses+1000 {
			kept := cut(best, m.opt.hypotheses)
			clear(best)
			for _, h := range kept {
				best[key{h.first, h.noun1, h.second, h.noun2}] = h
			}
			floor = kept[len(kept)-1].score
		}
	}
	return cut(best, m.opt.hypotheses)
}

// cut is the n best hypotheses, the best first.
func cut[K comparable](all map[K]hypothesis, n int) []hypothesis {
	out := make([]hypothesis, 0, len(all))
	for _, h := range all {
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b hypothesis) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second),
			cmp.Compare(a.noun1, b.noun1), cmp.Compare(a.noun2, b.noun2))
	})
	return slices.Clone(out[:min(len(out), n)])
}

// against is the first contradictions of a template whose other side is attested with the noun.
func (m *model) against(f *facts, list []contradiction, t, noun uint32) (out []contradiction) {
	for _, x := range list {
		if len(out) == m.opt.perTemplate {
			break
		}
		if f.has(other(x, t), noun) {
			out = append(out, x)
		}
	}
	return out
}

// other is the other side of a contradiction.
func other(x contradiction, t uint32) uint32 {
	if x.exc == t {
		return x.inh
	}
	return x.exc
}
