package expectation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Conflicts tells which constraints exclude each other whatever the rows are: bounds from below on the same tokens,
// or segments, for labels that exclude each other, which add up to more than 1; and a bound from below that is above
// one from above. Those that exclude each other in other ways are left to training, which comes as near as it can.
func (p *Problem) Conflicts() []string {
	groups := map[string][]int{}
	var order []string
	for i := range p.parts {
		x := &p.parts[i]
		if x.penalty > 0 || x.per == rows {
			continue
		}
		key := fmt.Sprint(x.trigger, x.unit, x.per)
		if x.per == segments {
			key += " " + p.List[x.constraint].Label
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	var out []string
	for _, key := range order {
		out = append(out, p.crowded(groups[key])...)
		out = append(out, p.crossed(groups[key])...)
	}
	return out
}

// what is what a part counts of its base: a mask, or a table.
func (p *Problem) what(i int) []bool {
	x := &p.parts[i]
	if x.counted == nil || x.per == tokens {
		return x.mask
	}
	out := make([]bool, len(x.counted))
	for k, v := range x.counted {
		out[k] = v != 0
	}
	return out
}

// crowded finds bounds from below that have no room beside each other.
func (p *Problem) crowded(group []int) []string {
	lower := slices.DeleteFunc(slices.Clone(group), func(i int) bool { return p.parts[i].upper })
	slices.SortStableFunc(lower, func(a, b int) int { return cmp.Compare(p.parts[b].rate, p.parts[a].rate) })
	var taken []bool
	var list []int
	sum := 0.0
	for _, i := range lower {
		w := p.what(i)
		if taken == nil {
			taken = make([]bool, len(w))
		}
		if meet(w, taken) {
			continue
		}
		for k, in := range w {
			taken[k] = taken[k] || in
		}
		list = append(list, i)
		sum += p.parts[i].rate
	}
	if sum <= 1+1e-9 {
		return nil
	}
	return []string{fmt.Sprintf("constraints exclude each other: %s add up to %.4g", p.names(list), sum)}
}

// crossed finds bounds from below that are above bounds from above on the same or on more.
func (p *Problem) crossed(group []int) (out []string) {
	for _, i := range group {
		for _, k := range group {
			a, b := &p.parts[i], &p.parts[k]
			if a.constraint == b.constraint || a.upper || b.lower || !(a.rate > b.rate) ||
				!within(p.what(i), p.what(k)) {
				continue
			}
			if !a.lower && !b.upper && i > k { // two equalities are told once
				continue
			}
			out = append(out, "constraints exclude each other: "+p.names([]int{i, k}))
		}
	}
	return out
}

func (p *Problem) names(list []int) string {
	var names []string
	for _, i := range list {
		names = append(names, p.List[p.parts[i].constraint].String())
	}
	return strings.Join(names, ", ")
}

func meet(a, b []bool) bool {
	for k, in := range a {
		if in && b[k] {
			return true
		}
	}
	return false
}

func within(a, b []bool) bool {
	for k, in := range a {
		if in && !b[k] {
			return false
		}
	}
	return true
}
