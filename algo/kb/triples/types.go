package triples

import (
	"context"
	"errors"
	"slices"

	"parlance/algo/option"
)

// Types are the options that tell where Sets come from.
type Types struct {
	from     string
	clusters int
}

// Options declares the options.
func (o *Types) Options(s *option.Set, def string) {
	s.Choice(&o.from, "types", def, []string{"none", "induced", "clusters", "stored", "observed", "declared"},
		"entities that relations allow as subjects, and as objects: all; "+
			"those that share a type with one that stands there in a fact, "+
			"the type of an entity without any in the input being its cluster; "+
			"the same by clusters alone; the same by types of the input alone; "+
			"those that stand there; those of the domain and the range")
	s.Int(&o.clusters, "clusters", 0, 0, 1<<20,
		"clusters of entities by the relations that they stand in as subjects and as objects; "+
			"0: one for eight different combinations of these, up to 200, "+
			"or so few that 95 of 100 facts would be allowed if they were not known")
	s.Only("clusters", "types", "induced", "clusters")
	s.Check("type_check", func() error {
		if d := s.Lookup("type_check"); o.from == "none" && d != nil && d.Value() == "true" {
			return errNoTypes
		}
		return nil
	})
}

var errNoTypes = errors.New("type_check = true wants a model that was trained with types; it has none")

// Sets returns the sets by the option types, nil for none.
//
//	induced   entities that share a type with a subject (object) of a fact of the relation; those without
//	          a type in the input have the cluster as type, by the sides of relations that they stand at;
//	          what stands nowhere and has no type is allowed everywhere
//	clusters  the same, without the types of the input
//	stored    the same, without clusters: entities without a type are allowed everywhere
//	observed  those that stand there
//	declared  entities that have a type of the domain (range) or a type below it, or no type at all;
//	          all, where none is declared
//
// (Chang et al. 2014, sections 3.1 and 4). Time and memory grow with relations times entities, the time of
// clusters with those, too.
func (d *Data) Sets(ctx context.Context, o Types, seed uint64, workers int) (*Sets, error) {
	switch o.from {
	case "induced", "clusters":
		return d.induced(ctx, o, seed, workers)
	case "stored":
		return d.shared(d.typings(nil, true)), nil
	case "observed":
		return d.observed(), nil
	case "declared":
		return d.declared(), nil
	}
	return nil, nil
}

// declares reports whether a relation has a domain or a range.
func (d *Data) declares() bool {
	for r := range d.Relations.Len() {
		if len(d.Domain[r])+len(d.Range[r]) > 0 {
			return true
		}
	}
	return false
}

// induced finds the sets by clusters, and by types where they count and entities have some.
func (d *Data) induced(ctx context.Context, o Types, seed uint64, workers int) (*Sets, error) {
	stored := o.from == "induced" && d.Typed()
	lacks := func(t Triple) bool { return len(d.TypesOf(t.Subject)) == 0 || len(d.TypesOf(t.Object)) == 0 }
	if stored && !slices.ContainsFunc(d.Facts, lacks) {
		return d.shared(d.typings(nil, true)), nil
	}
	found, err := d.clusters(ctx, o.clusters, seed, workers)
	if err != nil {
		return nil, err
	}
	return d.shared(d.typings(found, stored)), nil
}

// typing is the types of an entity: those that let it in, and those that it lets others in by.
type typing struct{ has, gives []int32 }

// typings lists the types of each entity, clusters after those of the input. An entity with a type in the input is
// not let in by its cluster.
func (d *Data) typings(clusters []int32, stored bool) []typing {
	out := make([]typing, d.Entities.Len())
	for e := range out {
		t := &out[e]
		if stored {
			t.has = d.TypesOf(int32(e))
		}
		t.gives = t.has
		if clusters == nil || clusters[e] < 0 {
			continue
		}
		cluster := []int32{int32(d.Types.Len()) + clusters[e]}
		if t.gives = append(t.has[:len(t.has):len(t.has)], cluster...); len(t.has) == 0 {
			t.has = cluster
		}
	}
	return out
}

// shared allows the entities that share a type with one that stands there, those that stand there, and those
// without a type.
func (d *Data) shared(types []typing) *Sets {
	most := int32(0)
	for _, t := range types {
		for _, k := range t.gives {
			most = max(most, k+1)
		}
	}
	b := newBuilder(d.Relations.Len(), d.Entities.Len())
	allowed := make([]bool, most)
	for _, side := range []Side{Subject, Object} {
		for r := range int32(d.Relations.Len()) {
			seen := d.Index.seen(side, r)
			clear(allowed)
			for _, e := range seen {
				for _, k := range types[e].gives {
					allowed[k] = true
				}
			}
			b.add(side, r, union(seen, having(types, allowed)))
		}
	}
	return b.sets()
}

// having lists the entities with an allowed type, or without a type.
func having(types []typing, allowed []bool) []int32 {
	var out []int32
	for e, t := range types {
		if len(t.has) == 0 || slices.ContainsFunc(t.has, func(k int32) bool { return allowed[k] }) {
			out = append(out, int32(e))
		}
	}
	return out
}
