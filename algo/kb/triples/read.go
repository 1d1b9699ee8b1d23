package triples

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// Data is an input to learn from.
type Data struct {
	*Graph
	Weights []float64 // of the facts, above 0
	Domain  [][]int32 // types that the subjects of each relation are declared for, in order; empty: any
	Range   [][]int32 // the same of objects
	parents [][]int32 // of types
}

// Row is a row of the triples of an input.
type Row struct {
	Subject, Relation, Object string
	Weight                    float64
	Truth                     bool
}

// Rows reads the triples of an input in order, without those of weight 0. A weight that is negative
// or no number is an error that names the row.
func Rows(ctx context.Context, in kind.Input, each func(Row) error) error {
	t, ok := in.Table(tripleTable.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table of triples", kind.ErrNoData)
	}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		n++
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			return fmt.Errorf("row %d of the triples lacks a subject, a relation or an object", n)
		}
		r := Row{row[0].S, row[1].S, row[2].S, 1, true}
		if !row[3].IsNull() {
			r.Weight = row[3].Float()
		}
		if !row[4].IsNull() {
			r.Truth = row[4].Bool()
		}
		if !(r.Weight >= 0) || math.IsInf(r.Weight, 1) {
			return fmt.Errorf("row %d of the triples, (%s, %s, %s), has the weight %v; weights are numbers from 0", n,
				r.Subject, r.Relation, r.Object, r.Weight)
		}
		if r.Weight == 0 {
			continue
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// interner numbers names in order of appearance.
type interner struct {
	ids  map[string]int32
	list []string
}

func (n *interner) id(name string) int32 {
	if n.ids == nil {
		n.ids = map[string]int32{}
	}
	id, ok := n.ids[name]
	if !ok {
		id = int32(len(n.list))
		n.ids[name] = id
		n.list = append(n.list, name)
	}
	return id
}

// sorted returns the names in order, and their new numbers.
func (n *interner) sorted() (*Names, []int32) {
	names, to := NewNames(n.list), make([]int32, len(n.list))
	for i, s := range n.list {
		to[i], _ = names.Find(s)
	}
	return names, to
}

// reader is an input half read.
type reader struct {
	entities, relations, types interner
	facts, denied              []Triple
	weights                    []float64
	typed                      [][2]int32
	domain, ranges, parents    [][2]int32
}

// Read reads the tables that Learns tells. Of a triple that comes more than once the greatest weight
// counts; what is both a fact and denied is denied. Entities are those of triples and those that have
// a row in the table of entities; relations are those of triples.
func Read(ctx context.Context, in kind.Input) (*Data, error) {
	var r reader
	err := Rows(ctx, in, func(row Row) error {
		t := Triple{r.entities.id(row.Subject), r.relations.id(row.Relation), r.entities.id(row.Object)}
		if !row.Truth {
			r.denied = append(r.denied, t)
			return nil
		}
		r.facts, r.weights = append(r.facts, t), append(r.weights, row.Weight)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(r.facts) == 0 {
		return nil, fmt.Errorf("%w: the input has no triple that is true", kind.ErrNoData)
	}
	if err := r.schema(ctx, in); err != nil {
		return nil, err
	}
	d := r.data()
	if len(d.Facts) == 0 {
		return nil, fmt.Errorf("%w: all triples of the input are denied too", kind.ErrNoData)
	}
	return d, nil
}

// schema reads the tables besides the triples.
func (r *reader) schema(ctx context.Context, in kind.Input) error {
	err := pairs(ctx, in, "entities", func(row []value.Value) {
		e := r.entities.id(row[0].S)
		if !row[1].IsNull() {
			r.typed = append(r.typed, [2]int32{e, r.types.id(row[1].S)})
		}
	})
	if err != nil {
		return err
	}
	err = pairs(ctx, in, "relations", func(row []value.Value) {
		rel, ok := r.relations.ids[row[0].S]
		if !ok {
			return // says nothing of the facts
		}
		if !row[1].IsNull() {
			r.domain = append(r.domain, [2]int32{rel, r.types.id(row[1].S)})
		}
		if !row[2].IsNull() {
			r.ranges = append(r.ranges, [2]int32{rel, r.types.id(row[2].S)})
		}
	})
	if err != nil {
		return err
	}
	return pairs(ctx, in, "types", func(row []value.Value) {
		if !row[1].IsNull() {
			r.parents = append(r.parents, [2]int32{r.types.id(row[0].S), r.types.id(row[1].S)})
		}
	})
}

// pairs reads the rows of a table whose first column is not NULL.
func pairs(ctx context.Context, in kind.Input, name string, each func([]value.Value)) error {
	t, ok := in.Table(name)
	if !ok {
		return nil
	}
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		if !row[0].IsNull() {
			each(row)
		}
	}
	return nil
}

// data numbers names in their order and sorts the rest by number.
func (r *reader) data() *Data {
	d := &Data{Graph: &Graph{}}
	var entity, relation, kindOf []int32
	d.Entities, entity = r.entities.sorted()
	d.Relations, relation = r.relations.sorted()
	d.Types, kindOf = r.types.sorted()
	number := func(t Triple) Triple { return Triple{entity[t.Subject], relation[t.Relation], entity[t.Object]} }
	for _, t := range r.denied {
		d.Denied = append(d.Denied, number(t))
	}
	d.Denied = sortedFacts(d.Denied)
	for i, t := range r.facts {
		r.facts[i] = number(t)
	}
	d.setFacts(r.facts, r.weights)
	for i, p := range r.typed {
		r.typed[i] = [2]int32{entity[p[0]], kindOf[p[1]]}
	}
	d.setTypes(r.typed)
	d.Domain = lists(d.Relations.Len(), r.domain, relation, kindOf)
	d.Range = lists(d.Relations.Len(), r.ranges, relation, kindOf)
	d.parents = lists(d.Types.Len(), r.parents, kindOf, kindOf)
	return d
}

// setFacts sorts the facts that are not denied, the greatest weight of equal ones first.
func (d *Data) setFacts(facts []Triple, weights []float64) {
	order := make([]int32, 0, len(facts))
	for i, t := range facts {
		if _, no := slices.BinarySearchFunc(d.Denied, t, compare); !no {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := compare(facts[a], facts[b]); c != 0 {
			return c
		}
		if weights[a] != weights[b] {
			return map[bool]int{true: -1, false: 1}[weights[a] > weights[b]]
		}
		return int(a - b)
	})
	for _, i := range order {
		if n := len(d.Facts); n > 0 && d.Facts[n-1] == facts[i] {
			continue
		}
		d.Facts, d.Weights = append(d.Facts, facts[i]), append(d.Weights, weights[i])
	}
	d.index()
}

// lists gathers the second numbers of pairs by the first, in order and without duplicates.
func lists(n int, pairs [][2]int32, first, second []int32) [][]int32 {
	out := make([][]int32, n)
	for _, p := range pairs {
		i := first[p[0]]
		out[i] = append(out[i], second[p[1]])
	}
	for i := range out {
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// Number is the triple of a row by the names of a graph. What the graph does not know is -1.
func (g *Graph) Number(r Row) Triple {
	number := func(n *Names, name string) int32 {
		if i, ok := n.Find(name); ok {
			return i
		}
		return -1
	}
	return Triple{number(g.Entities, r.Subject), number(g.Relations, r.Relation), number(g.Entities, r.Object)}
}

// Triples reads the true triples of an input by the names of a graph, as Number does.
func (g *Graph) Triples(ctx context.Context, in kind.Input) ([]Triple, error) {
	var out []Triple
	err := Rows(ctx, in, func(r Row) error {
		if r.Truth {
			out = append(out, g.Number(r))
		}
		return nil
	})
	return out, err
}

// Named reports whether all three of a triple have a number.
func (t Triple) Named() bool { return t.Subject >= 0 && t.Relation >= 0 && t.Object >= 0 }

// Known reads the facts of the role known of a training, nil without. What the graph has no names for
// is left out.
func (g *Graph) Known(ctx context.Context, t *kind.Training) ([]Triple, error) {
	in := t.Roles[KnownRole]
	if in == nil {
		return nil, nil
	}
	list, err := g.Triples(ctx, in)
	return keepNamed(list), err
}

// Unneeded refuses the role known in a training that draws no triples.
func Unneeded(t *kind.Training) error {
	if t.Roles[KnownRole] != nil {
		return fmt.Errorf("the role known has no use in this training, which draws no triples; EVALUATE takes it")
	}
	return nil
}
