package triples

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// clusters groups the entities by the sides of relations that they stand at, and returns the cluster of
// each, -1 for those that stand at none. A side counts by its rarity: of n entities, of which df stand there, it weighs
//
//	log((n + 1) / df)
//
// and vectors of sides are compared by their cosine. k = 0 leaves the number to chosen.
func (d *Data) clusters(ctx context.Context, k int, seed uint64, workers int) ([]int32, error) {
	p := d.profiles()
	find := p.clustered
	if k == 0 {
		find = d.chosen(p)
	}
	m, err := find(ctx, k, seed, workers)
	if err != nil {
		return nil, err
	}
	out := make([]int32, d.Entities.Len())
	for e := range out {
		out[e] = -1
	}
	for i, list := range p.members {
		for _, e := range list {
			out[e] = m.cluster[i]
		}
	}
	return out, nil
}

// profiles gathers the entities that stand at the same sides.
func (d *Data) profiles() *profiles {
	m := d.Relations.Len()
	at, df, n := make([][]int32, d.Entities.Len()), make([]float64, 2*m), 0.0
	for f := range int32(2 * m) {
		for _, e := range d.Index.seen(Side(f%2), f/2) {
			if len(at[e]) == 0 {
				n++
			}
			at[e] = append(at[e], f)
			df[f]++
		}
	}
	var order []int32
	for e, list := range at {
		if len(list) > 0 {
			order = append(order, int32(e))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(slices.Compare(at[a], at[b]), cmp.Compare(a, b)) })
	p := &profiles{sides: 2 * m, start: []int32{0}}
	for i, e := range order {
		if i > 0 && slices.Equal(at[e], at[order[i-1]]) {
			last := p.len() - 1
			p.count[last]++
			p.members[last] = append(p.members[last], e)
			continue
		}
		p.add(at[e], e, func(f int32) float64 { return math.Log((n + 1) / df[f]) })
	}
	return p
}

// add adds the profile of an entity.
func (p *profiles) add(sides []int32, entity int32, weight func(side int32) float64) {
	square := 0.0
	for _, f := range sides {
		square += weight(f) * weight(f)
	}
	for _, f := range sides {
		p.side, p.value = append(p.side, f), append(p.value, weight(f)/math.Sqrt(square))
	}
	p.start = append(p.start, int32(len(p.side)))
	p.count, p.members = append(p.count, 1), append(p.members, []int32{entity})
}
