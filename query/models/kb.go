package models

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// kbView is a knowledge base in memory, without the triples that are false. Names have numbers, and each text is there
// once.
type kbView struct {
	ids       map[string]int32 // of entities and relations
	names     []string
	entities  []bool // by number, as far as they go
	relations []string
	objects   adjacency // by subject and relation
	subjects  adjacency // by relation and object
	types     map[int32][]string
	aliases   map[int32][]string
	named     map[string][]kind.Candidate // by alias
	columns   []string                    // further columns of entities
	further   map[int32][]value.Value     // their values, of entities that have some
}

// adjacency is lists of names by pairs of numbers.
type adjacency struct {
	keys   [][2]int32 // ascending
	starts []int32    // of the lists, and the end of the last
	lists  []string
}

var _ kind.KB = (*kbView)(nil)

// View reads a knowledge base.
func (s *Resources) View(o *catalog.Object) (*kbView, error) {
	v := &kbView{ids: map[string]int32{}, types: map[int32][]string{}, aliases: map[int32][]string{},
		named: map[string][]kind.Candidate{}, further: map[int32][]value.Value{}}
	for _, c := range o.Table(catalog.Entities).Columns[entityColumns:] {
		v.columns = append(v.columns, c.Name)
	}
	alias := v.aliasReader(o.Table(catalog.Aliases))
	var triples [][3]int32
	for _, t := range []struct {
		name string
		use  func([]value.Value)
	}{
		{catalog.Relations, func(row []value.Value) { v.relations = append(v.relations, v.names[v.id(row[0].S)]) }},
		{catalog.Entities, v.entity},
		{catalog.Aliases, alias},
		{catalog.Triples, func(row []value.Value) {
			if isTrue := row[4].T != value.Boolean || row[4].N != 0; isTrue {
				triples = append(triples, [3]int32{v.id(row[0].S), v.id(row[1].S), v.id(row[2].S)})
			}
		}},
	} {
		if err := s.Rows(o.Table(t.name), t.use); err != nil {
			return nil, err
		}
	}
	v.objects, v.subjects = v.adjacent(triples, 0, 1, 2), v.adjacent(triples, 1, 2, 0)
	return v, nil
}

// adjacent makes lists of what stands at one place of triples, by what stands at two others, in the order of the
// triples.
func (v *kbView) adjacent(triples [][3]int32, first, second, listed int) (a adjacency) {
	order := make([]int32, len(triples))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		x, y := &triples[i], &triples[j]
		if c := cmp.Compare(x[first], y[first]); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(x[second], y[second]), cmp.Compare(i, j))
	})
	a.lists = make([]string, len(order))
	for n, i := range order {
		key := [2]int32{triples[i][first], triples[i][second]}
		if n == 0 || a.keys[len(a.keys)-1] != key {
			a.keys, a.starts = append(a.keys, key), append(a.starts, int32(n))
		}
		a.lists[n] = v.names[triples[i][listed]]
	}
	a.keys, a.starts = slices.Clip(a.keys), slices.Clip(append(a.starts, int32(len(order))))
	return a
}

// of returns the list of a pair, nil if there is none.
func (a *adjacency) of(key [2]int32) []string {
	i, ok := slices.BinarySearchFunc(a.keys, key, func(x, y [2]int32) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	if !ok {
		return nil
	}
	return a.lists[a.starts[i]:a.starts[i+1]:a.starts[i+1]]
}

// add appends to the list of a key.
func add[K comparable](m map[K][]string, k K, s string) { m[k] = append(m[k], s) }

// id returns the number of a name, a new one if need be.
func (v *kbView) id(name string) int32 {
	i, ok := v.ids[name]
	if !ok {
		i = int32(len(v.names))
		v.ids[name], v.names = i, append(v.names, name)
	}
	return i
}

// entity takes a row of the table of entities.
func (v *kbView) entity(row []value.Value) {
	i := v.id(row[0].S)
	for int(i) >= len(v.entities) {
		v.entities = append(v.entities, false)
	}
	v.entities[i] = true
	if !row[1].IsNull() {
		add(v.types, i, row[1].S)
	}
	for c, x := range row[entityColumns:] {
		if x.IsNull() {
			continue
		}
		if v.further[i] == nil {
			v.further[i] = make([]value.Value, len(v.columns))
		}
		if v.further[i][c].IsNull() { // an entity has a row for each of its types
			v.further[i][c] = x
		}
	}
}

// entityColumns is how many columns every table of entities has: entity and type.
const entityColumns = 2

// aliasReader takes rows of the table of aliases, which may have columns count and weight.
func (v *kbView) aliasReader(o *catalog.Object) func(row []value.Value) {
	count, weight := o.Column("count"), o.Column("weight")
	figure := func(row []value.Value, at int) float64 {
		if at < 0 || at >= len(row) {
			return math.NaN()
		}
		x, err := value.Cast(row[at], value.Float)
		if err != nil || x.IsNull() {
			return math.NaN()
		}
		return x.Float()
	}
	return func(row []value.Value) {
		i := v.id(row[0].S)
		add(v.aliases, i, row[1].S)
		c := kind.Candidate{Entity: v.names[i], Count: figure(row, count), Weight: figure(row, weight)}
		v.named[row[1].S] = append(v.named[row[1].S], c)
	}
}

// Has reports whether the entity is known.
func (v *kbView) Has(entity string) bool {
	i, ok := v.ids[entity]
	return ok && int(i) < len(v.entities) && v.entities[i]
}

// Relations lists the relations.
func (v *kbView) Relations() []string { return v.relations }

// Objects lists what a subject stands in a relation to.
func (v *kbView) Objects(subject, relation string) []string {
	return v.pair(&v.objects, subject, relation)
}

// Subjects lists what stands in a relation to an object.
func (v *kbView) Subjects(relation, object string) []string {
	return v.pair(&v.subjects, relation, object)
}

func (v *kbView) pair(m *adjacency, a, b string) []string {
	i, ok := v.ids[a]
	j, known := v.ids[b]
	if !ok || !known {
		return nil
	}
	return m.of([2]int32{i, j})
}

// Types lists the types that an entity was given.
func (v *kbView) Types(entity string) []string { return v.one(v.types, entity) }

// Candidates lists the entities that a name may mean.
func (v *kbView) Candidates(alias string) []kind.Candidate {
	list := v.named[alias]
	if !v.Has(alias) || slices.ContainsFunc(list, func(c kind.Candidate) bool { return c.Entity == alias }) {
		return slices.Clip(list)
	}
	return append(slices.Clip(list), kind.Candidate{Entity: alias, Count: math.NaN(), Weight: math.NaN()})
}

// Column is the value of a column of the table of entities beside entity and type.
func (v *kbView) Column(entity, column string) value.Value {
	i, ok := v.ids[entity]
	c := slices.Index(v.columns, column)
	if !ok || c < 0 || v.further[i] == nil {
		return value.Value{}
	}
	return v.further[i][c]
}

// Aliases lists the other names of an entity.
func (v *kbView) Aliases(entity string) []string { return v.one(v.aliases, entity) }

func (v *kbView) one(m map[int32][]string, entity string) []string {
	if i, ok := v.ids[entity]; ok {
		return m[i]
	}
	return nil
}
