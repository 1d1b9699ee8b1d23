package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// apart is what two words are alike by without their common contexts.
const apart = "(without common contexts)"

// Explain tells which contexts make two words alike: similarity(word1, word2). Contributions add up to
// the similarity, of dir_bhatt to its logarithm.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "similarity" || len(docs) > 0 || len(at.Args) != 2 {
		return kind.Explanation{}, fmt.Errorf("%w: similarity(word1, word2) is explained", kind.ErrNoExplain)
	}
	if m.vectors == nil {
		return kind.Explanation{}, errNoCounts
	}
	i, err := m.find(at.Args[0].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	j, err := m.find(at.Args[1].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	d := kind.Decision{Place: m.counts.Words[i], Form: m.counts.Words[i], Outcome: m.counts.Words[j], Prob: math.NaN()}
	d.Contributions = m.contributions(i, j)
	for _, c := range d.Contributions {
		d.Margin += c.Value * c.Weight
	}
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// contributions are the common contexts of two words and what is left, by falling size.
func (m *model) contributions(i, j int) []kind.Contribution {
	v, scale := m.vectors, 1.0
	rest := v.score(i, j, 0)
	switch v.measure {
	case bcb:
		scale = v.p[i] * v.p[j]
	case dirichlet:
		rest = math.Log(rest)
	}
	var out []kind.Contribution
	a, b := v.start[i], v.start[j]
	for a < v.start[i+1] && b < v.start[j+1] {
		switch f, g := v.ids[a], v.ids[b]; {
		case f < g:
			a++
		case g < f:
			b++
		default:
			c := kind.Contribution{Feature: m.counts.Contexts[f], Value: v.x[a], Weight: scale * v.x[b]}
			if v.sum != nil {
				if c.Value, c.Weight = 1, v.cell(a, b); v.measure != dirichlet {
					c.Weight *= 0.5 / math.Ln2
				}
			}
			out = append(out, c)
			a++
			b++
		}
	}
	if rest != 0 {
		out = append(out, kind.Contribution{Feature: apart, Value: 1, Weight: rest})
	}
	slices.SortStableFunc(out, func(x, y kind.Contribution) int {
		return cmp.Compare(math.Abs(y.Value*y.Weight), math.Abs(x.Value*x.Weight))
	})
	return out
}
