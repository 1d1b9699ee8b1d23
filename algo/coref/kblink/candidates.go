package kblink

import (
	"cmp"
	"slices"
)

// Candidate is an entity that names of a cluster may mean.
type Candidate struct {
	Entity    string
	Count     int     // names that may mean it, 1 or more
	Relevance float64 // for the name that it fits best; relevance for different names is not comparable
}

// Candidates are the entities that the names of a cluster may mean, each once: by falling count, of equal ones by
// falling relevance, then by name.
type Candidates []Candidate

func compare(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(a.Entity, b.Entity))
}

// Top is the entity of a cluster, "" where no name means any.
func (c Candidates) Top() string {
	if len(c) == 0 {
		return ""
	}
	return c[0].Entity
}

// Has reports whether an entity is among the candidates.
func (c Candidates) Has(entity string) bool {
	return slices.ContainsFunc(c, func(x Candidate) bool { return x.Entity == entity })
}

// Merge is the union of two multisets. Neither the order nor the grouping of merges changes the outcome. What it is
// given stays as it is.
func Merge(a, b Candidates) Candidates {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := append(slices.Clip(slices.Clone(a)), b...)
	slices.SortFunc(out, func(x, y Candidate) int { return cmp.Compare(x.Entity, y.Entity) })
	n := 0
	for _, x := range out {
		if n > 0 && out[n-1].Entity == x.Entity {
			out[n-1].Count += x.Count
			out[n-1].Relevance = max(out[n-1].Relevance, x.Relevance)
			continue
		}
		out[n] = x
		n++
	}
	slices.SortFunc(out[:n], compare)
	return out[:n]
}
