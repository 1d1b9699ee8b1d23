package fulltext

import "sort"

// Index is what a query is evaluated on: units numbered from 0.
type Index struct {
	Units     int
	Lists     []List                             // by leaf of the search
	Positions func(leaf int) (*Positions, error) // of a leaf that is no prefix
}

// set is some units, or all others.
type set struct {
	units []uint32
	not   bool
}

// Units returns the units that match, ascending.
func (s *Search) Units(x *Index) ([]uint32, error) {
	out, err := s.root.units(x)
	if err != nil || !out.not {
		return out.units, err
	}
	all := make([]uint32, 0, x.Units-len(out.units))
	k := 0
	for u := range uint32(x.Units) {
		if k < len(out.units) && out.units[k] == u {
			k++
		} else {
			all = append(all, u)
		}
	}
	return all, nil
}

func (n *node) units(x *Index) (set, error) {
	switch n.kind {
	case phrase:
		return n.phrase(x)
	case without:
		s, err := n.inputs[0].units(x)
		s.not = !s.not
		return s, err
	case both, either:
		sets := make([]set, len(n.inputs))
		for i, in := range n.inputs {
			s, err := in.units(x)
			if err != nil {
				return s, err
			}
			s.not = s.not != (n.kind == either) // a or b is not (not a and not b)
			sets[i] = s
		}
		out := all(sets)
		out.not = out.not != (n.kind == either)
		return out, nil
	}
	return set{units: x.Lists[n.leaf].Units}, nil
}

// all is what is in every set, the smallest first.
func all(sets []set) set {
	sort.SliceStable(sets, func(i, j int) bool {
		if sets[i].not != sets[j].not {
			return !sets[i].not
		}
		return len(sets[i].units) < len(sets[j].units)
	})
	out := sets[0]
	for _, s := range sets[1:] {
		switch {
		case out.not: // so is s
			out.units = union(out.units, s.units)
		case s.not:
			out.units = common(out.units, s.units, false)
		default:
			out.units = common(out.units, s.units, true)
		}
	}
	return out
}

func union(a, b []uint32) []uint32 {
	out := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// common returns the units of a that are in b, or that are not.
func common(a, b []uint32, in bool) []uint32 {
	out := make([]uint32, 0, len(a))
	for _, u := range a {
		b = from(b, u)
		if (len(b) > 0 && b[0] == u) == in {
			out = append(out, u)
		}
	}
	return out
}

// from drops what is below u, by doubling steps.
func from(b []uint32, u uint32) []uint32 {
	step := 1
	for step < len(b) && b[step] < u {
		step *= 2
	}
	lo, hi := step/2, min(step+1, len(b))
	return b[lo+sort.Search(hi-lo, func(i int) bool { return b[lo+i] >= u }):]
}

// phrase returns the units in which the terms follow each other. In each unit the rarest terms
// are looked at first; the positions of others are read only where these follow.
func (n *node) phrase(x *Index) (set, error) {
	var sets []set
	at := map[int]*cursor{}
	slots := make([]slot, len(n.terms))
	for i, l := range n.terms {
		units := x.Lists[l].Units
		if len(units) == 0 {
			return set{}, nil
		}
		if at[l] == nil {
			at[l] = &cursor{units: units}
			sets = append(sets, set{units: units})
		}
		slots[i] = slot{at[l], int32(i)}
	}
	candidates := all(sets).units
	if len(candidates) == 0 {
		return set{}, nil
	}
	for l, c := range at {
		var err error
		if c.positions, err = x.Positions(l); err != nil {
			return set{}, err
		}
	}
	sort.SliceStable(slots, func(i, j int) bool { return len(slots[i].units) < len(slots[j].units) })
	var out []uint32
	var starts []int32
	for _, u := range candidates {
		starts = starts[:0]
		for i, s := range slots {
			places, err := s.of(u)
			if err != nil {
				return set{}, err
			}
			if starts = s.filter(starts, places, i == 0); len(starts) == 0 {
				break
			}
		}
		if len(starts) > 0 {
			out = append(out, u)
		}
	}
	return set{units: out}, nil
}

// slot is a term of a phrase and its place there.
type slot struct {
	*cursor
	place int32
}

// filter keeps the starts of a phrase at which the term stands in its place; the first term
// gives them.
func (s slot) filter(starts, places []int32, first bool) []int32 {
	if first {
		for _, p := range places {
			starts = append(starts, p-s.place)
		}
		return starts
	}
	kept := starts[:0]
	k := 0
	for _, p := range starts {
		for k < len(places) && places[k] < p+s.place {
			k++
		}
		if k < len(places) && places[k] == p+s.place {
			kept = append(kept, p)
		}
	}
	return kept
}

// cursor walks through a list and its positions.
type cursor struct {
	units     []uint32
	passed    int
	positions *Positions
}

// of returns the positions in a unit of the list; units must not descend.
func (c *cursor) of(u uint32) ([]int32, error) {
	if c.passed < len(c.units) && c.units[c.passed] < u {
		if c.passed++; c.units[c.passed] < u {
			c.passed = len(c.units) - len(from(c.units[c.passed:], u))
		}
	}
	return c.positions.At(c.passed)
}
