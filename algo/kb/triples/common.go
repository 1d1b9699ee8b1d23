package triples

// Source is a model that embeds Answers, so that others can score with it.
type Source interface{ Source() *Answers }

// Source returns the answers themselves.
func (a *Answers) Source() *Answers { return a }

// Common is what several models know all: the names that every one has, the facts that one of them was
// trained on, what one knows not to hold, and the entities that those with types allow all.
type Common struct {
	Graph     *Graph
	Sets      *Sets     // nil where no model has types
	Entities  [][]int32 // by model and entity of the graph, the number that the entity has there
	Relations [][]int32
}

// NewCommon joins models. Entities have the types of the first model.
func NewCommon(models []*Answers) *Common {
	c := &Common{Graph: &Graph{Types: models[0].Graph.Types}}
	c.Graph.Entities, c.Entities = common(models, func(g *Graph) *Names { return g.Entities })
	c.Graph.Relations, c.Relations = common(models, func(g *Graph) *Names { return g.Relations })
	for i, m := range models {
		entity, relation := inverse(c.Entities[i], m.Graph.Entities.Len()), inverse(c.Relations[i], m.Graph.Relations.Len())
		add := func(to, from []Triple) []Triple {
			for _, t := range from {
				if x := (Triple{entity[t.Subject], relation[t.Relation], entity[t.Object]}); x.Named() {
					to = append(to, x)
				}
			}
			return to
		}
		c.Graph.Facts, c.Graph.Denied = add(c.Graph.Facts, m.Graph.Facts), add(c.Graph.Denied, m.Graph.Denied)
	}
	c.Graph.Facts, c.Graph.Denied = sortedFacts(c.Graph.Facts), sortedFacts(c.Graph.Denied)
	c.Graph.index()
	var types [][2]int32
	for e, there := range c.Entities[0] {
		for _, t := range models[0].Graph.TypesOf(there) {
			types = append(types, [2]int32{int32(e), t})
		}
	}
	c.Graph.setTypes(types)
	c.allow(models)
	return c
}

// common lists the names that all models have, and the number of each in every model.
func common(models []*Answers, of func(*Graph) *Names) (*Names, [][]int32) {
	n, to := &Names{}, make([][]int32, len(models))
next:
	for _, name := range of(models[0].Graph).All {
		at := make([]int32, len(models))
		for i, m := range models {
			k, ok := of(m.Graph).Find(name)
			if !ok {
				continue next
			}
			at[i] = k
		}
		n.All = append(n.All, name)
		for i, k := range at {
			to[i] = append(to[i], k)
		}
	}
	return n, to
}

// inverse numbers n things by where they stand in a list, -1 for what is not there.
func inverse(list []int32, n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = -1
	}
	for i, x := range list {
		out[x] = int32(i)
	}
	return out
}

// allow sets what all models with types allow.
func (c *Common) allow(models []*Answers) {
	b, typed := newBuilder(c.Graph.Relations.Len(), c.Graph.Entities.Len()), false
	for _, m := range models {
		typed = typed || m.Sets != nil
	}
	if !typed {
		return
	}
	for _, side := range []Side{Subject, Object} {
		for r := range int32(c.Graph.Relations.Len()) {
			var list []int32
		entities:
			for e := range int32(c.Graph.Entities.Len()) {
				for i, m := range models {
					if m.Sets != nil && !m.Sets.Allows(side, c.Relations[i][r], c.Entities[i][e]) {
						continue entities
					}
				}
				list = append(list, e)
			}
			b.add(side, r, list)
		}
	}
	c.Sets = b.sets()
}
