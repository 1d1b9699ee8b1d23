package trouble

import (
	"cmp"
	"context"
	"slices"
)

// pair is an object with one of its troubles.
type pair struct {
	object, trouble string
	count           float64 // of the trouble of the object
	score           float64 // I
	verb            string  // that the object is used with and the trouble stops; "" where there is none
}

// joinPairs ranks objects with the first candidates of the list, by I. With the filter only pairs remain whose trouble
// stops one of the verbs that the object stands with most.
func (m *model) joinPairs(ctx context.Context, e *evidence, ranked []int) ([]pair, error) {
	place := map[string]bool{}
	for _, i := range ranked[:min(len(ranked), m.opt.troubles)] {
		place[e.items[i].noun] = true
	}
	var out []pair
	verbs := map[string][]string{}
	n := 0
	for key, count := range e.genitive {
		if n++; n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		object, trouble := key[0], key[1]
		if object == trouble || !place[trouble] || e.uses[object] <= float64(m.opt.minObject) {
			continue
		}
		top, ok := verbs[object]
		if !ok {
			top = topVerbs(e.verbs[object], m.opt.k)
			verbs[object] = top
		}
		p := pair{object: object, trouble: trouble, count: count,
			score: association(count, e.freq[object], e.freq[trouble])}
		for _, v := range top {
			if e.denied[trouble][v] {
				p.verb = v
				break
			}
		}
		if m.opt.filter == "dnv" && p.verb == "" {
			continue
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count), cmp.Compare(a.object, b.object),
			cmp.Compare(a.trouble, b.trouble))
	})
	return slices.Clone(out[:min(len(out), m.opt.nbest)]), nil
}

// association is I = f(both) / (f(object)·f(trouble)), 0 where a frequency is not known.
func association(both, object, trouble float64) float64 {
	if object <= 0 || trouble <= 0 {
		return 0
	}
	return both / (object * trouble)
}

// topVerbs is the k verbs with the highest counts; of equal ones the first by name.
func topVerbs(counts map[string]float64, k int) []string {
	out := make([]string, 0, len(counts))
	for v := range counts {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), k)]
}
