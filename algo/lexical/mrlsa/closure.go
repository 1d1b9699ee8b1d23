package mrlsa

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/algo/option"
)

// mostChains bounds the triples of a closure.
const mostChains = 50_000_000

// close adds to relations what follows by chains, once the relations are chosen.
func (m *model) close(ctx context.Context, r *thesaurus, chosen []string, inverses [][2]string) error {
	closures := map[string][]triple{}
	for _, name := range m.opt.transitive {
		if name == m.opt.pivot {
			return fmt.Errorf("option transitive: %s is the pivot; relations such as hypernym are closed", name)
		}
		if !slices.Contains(chosen, name) {
			return fmt.Errorf("option transitive: there is no relation %s%s", name, option.DidYouMean(name, chosen))
		}
		closed, err := closure(ctx, r.of(name, inverses))
		if err != nil {
			return fmt.Errorf("option transitive: %s: %w", name, err)
		}
		closures[name] = closed
	}
	maps.Copy(r.triples, closures) // at the end, for inverses are of the triples as they came
	return nil
}

// closure is the triples and those that chains of them make, (a, c) of (a, b) and (b, c), by rising
// length of the shortest chain. A triple that a chain makes has the product of its weights.
func closure(ctx context.Context, list []triple) ([]triple, error) {
	next := map[uint32][]triple{}
	var subjects []uint32
	for _, t := range list {
		if next[t.subject] == nil {
			subjects = append(subjects, t.subject)
		}
		next[t.subject] = append(next[t.subject], t)
	}
	var out []triple
	seen := map[uint32]int{} // by object: one more than the number of the subject that has reached it
	for n, s := range subjects {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from := len(out)
		seen[s] = n + 1
		reach := func(list []triple, weight float64) {
			for _, t := range list {
				if seen[t.object] != n+1 {
					seen[t.object] = n + 1
					out = append(out, triple{s, t.object, weight * t.weight})
				}
			}
		}
		reach(next[s], 1)
		for at := from; at < len(out); at++ {
			reach(next[out[at].object], out[at].weight)
		}
		if len(out) > mostChains {
			return nil, fmt.Errorf("its chains make more than %d triples", mostChains)
		}
	}
	return out, nil
}
