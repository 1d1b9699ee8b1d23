package universalschema

import (
	"slices"
	"sort"

	"parlance/algo/kb/triples"
)

// pairs numbers the pairs of entities that have a fact, by subject and object, from 0.
type pairs struct {
	start    []int32 // of the pairs of each subject, and the end
	object   []int32 // of each pair
	subject  []int32
	inverse  []int32 // pairs by object
	ends     []int32 // of the pairs of each object in inverse, from a 0
	columns  []int32 // of the relations of each pair in relation, and the end
	relation []int32
}

func newPairs(g *triples.Graph) pairs {
	facts := slices.Clone(g.Facts)
	slices.SortFunc(facts, func(a, b triples.Triple) int {
		switch {
		case a.Subject != b.Subject:
			return int(a.Subject - b.Subject)
		case a.Object != b.Object:
			return int(a.Object - b.Object)
		}
		return int(a.Relation - b.Relation)
	})
	n := g.Entities.Len()
	p := pairs{start: make([]int32, n+1), ends: make([]int32, n+1)}
	for i, f := range facts {
		if i == 0 || facts[i-1].Subject != f.Subject || facts[i-1].Object != f.Object {
			p.subject, p.object = append(p.subject, f.Subject), append(p.object, f.Object)
			p.columns = append(p.columns, int32(i))
		}
		p.relation = append(p.relation, f.Relation)
	}
	p.columns = append(p.columns, int32(len(facts)))
	p.inverse = make([]int32, len(p.object))
	for i := range p.object {
		p.start[p.subject[i]+1] = int32(i + 1)
		p.ends[p.object[i]+1]++
		p.inverse[i] = int32(i)
	}
	for e := range n {
		p.start[e+1] = max(p.start[e], p.start[e+1])
		p.ends[e+1] += p.ends[e]
	}
	slices.SortStableFunc(p.inverse, func(a, b int32) int { return int(p.object[a] - p.object[b]) })
	return p
}

// find returns the number of a pair, -1 for one without a fact.
func (p *pairs) find(subject, object int32) int32 {
	from, to := p.start[subject], p.start[subject+1]
	list := p.object[from:to]
	i := sort.Search(len(list), func(i int) bool { return list[i] >= object })
	if i < len(list) && list[i] == object {
		return from + int32(i)
	}
	return -1
}

// of lists the pairs that have an entity at a side.
func (p *pairs) of(side triples.Side, entity int32, each func(pair, other int32)) {
	if side == triples.Subject {
		for i := p.start[entity]; i < p.start[entity+1]; i++ {
			each(i, p.object[i])
		}
		return
	}
	for _, i := range p.inverse[p.ends[entity]:p.ends[entity+1]] {
		each(i, p.subject[i])
	}
}

// relations of a pair, in order.
func (p *pairs) relations(pair int32) []int32 {
	return p.relation[p.columns[pair]:p.columns[pair+1]]
}
