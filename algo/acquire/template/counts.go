// Package template holds templates, verbs with one of their slots, as rows of the nouns that fill it: counts read from
// the relation tuples of a store, pointwise mutual information, and the similarities that follow from it.
//
// With c(f,t) how often noun f fills template t, c(t) and c(f) its sums and N the sum of all,
//
//	w_t(f) = ln( c(f,t)·N / (c(t)·c(f)) )     where it is positive
//
// and F_t the nouns with w_t(f) > 0, the measures of measures.go compare rows.
package template

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/storage/value"
)

// Table is the relation tuples of a store, or any table like it.
var Table = kind.TableUse{Name: "tuples",
	Doc: "nouns in the slots of verbs with their counts; what comes twice is added", Columns: []kind.Column{
		{Name: "noun", Type: value.Text, Doc: "noun"},
		{Name: "slot", Type: value.Text, Doc: "slot"},
		{Name: "predicate", Type: value.Text, Doc: "verb"},
		{Name: "count", Type: value.Float, Doc: "how often, above 0"},
		{Name: "negated", Type: value.Boolean, Doc: "the verb is denied", Optional: true},
		{Name: "passive", Type: value.Boolean, Doc: "the verb is in the passive voice", Optional: true},
		{Name: "name", Type: value.Boolean, Doc: "the noun is a name", Optional: true}}}

// Template is a verb with a slot.
type Template struct{ Predicate, Slot string }

// String is obj:eat, as it is written in relations.
func (t Template) String() string { return t.Slot + " of " + t.Predicate }

// Compare orders templates by verb, then slot.
func Compare(a, b Template) int {
	if c := strings.Compare(a.Predicate, b.Predicate); c != 0 {
		return c
	}
	return strings.Compare(a.Slot, b.Slot)
}

// Filter says which tuples count.
type Filter struct {
	Slots   []string // none: all
	Vague   []string // verbs that are left out
	Passive bool     // passives count
	Negated bool     // denied verbs count
	Names   bool     // names count as nouns
	Least   float64  // templates with a smaller sum are left out, after all else
}

// Counts are templates, sorted, with their nouns, sorted; sums are of what is left after the filter.
type Counts struct {
	Templates []Template
	Nouns     []string
	Rows      *cooccurrence.Index // of each template its nouns
	Columns   *cooccurrence.Index // of each noun its templates
	OfRow     []float64           // c(t)
	OfColumn  []float64           // c(f)
	Total     float64             // N
}

// reading is tuples as they come.
type reading struct {
	number map[Template]uint32
	list   []Template
	nouns  *cooccurrence.Texts
	cells  []cell
	rows   int
}

type cell struct {
	template, noun uint32
	count          float64
}

// Read reads the tuples that a filter lets pass. It takes 40 bytes a row besides the texts.
func Read(ctx context.Context, t kind.Table, f Filter) (*Counts, error) {
	r := &reading{number: map[Template]uint32{}, nouns: cooccurrence.NewTexts()}
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if r.rows++; r.rows&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := r.take(row, &f); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.counts(f.Least)
}

// take takes a row.
func (r *reading) take(row []value.Value, f *Filter) error {
	if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() || row[3].IsNull() {
		return fmt.Errorf("row %d of the tuples: noun, slot, predicate and count may not be NULL", r.rows)
	}
	c := row[3].Float()
	if c == 0 || !cooccurrence.IsCount(c) {
		return fmt.Errorf("row %d of the tuples: the count of '%s' with '%s' is %v, a number from %v to %v is wanted",
			r.rows, row[0].S, row[2].S, c, cooccurrence.MinCount, cooccurrence.MaxCount)
	}
	if !f.passes(row) {
		return nil
	}
	k := Template{row[2].S, row[1].S}
	i, ok := r.number[k]
	if !ok {
		i = uint32(len(r.list))
		k = Template{strings.Clone(k.Predicate), strings.Clone(k.Slot)}
		r.number[k] = i
		r.list = append(r.list, k)
	}
	r.cells = append(r.cells, cell{i, r.nouns.Number(row[0].S), c})
	return nil
}

// counts are the templates with the least sum at least.
func (r *reading) counts(least float64) (*Counts, error) {
	sum := make([]float64, len(r.list))
	for _, c := range r.cells {
		sum[c.template] += c.count
	}
	var kept []Template
	for i, t := range r.list {
		if sum[i] >= least {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("%w: of %d templates in %d rows none occurs %v times in the slots that are wanted",
			kind.ErrNoData, len(r.list), r.rows, least)
	}
	slices.SortFunc(kept, Compare)
	final := make([]int, len(r.list)) // of each template its number among the sorted ones, -1 for none
	for i, t := range r.list {
		final[i] = -1
		if k, ok := slices.BinarySearchFunc(kept, t, Compare); ok {
			final[i] = k
		}
	}
	m := map[uint64]float64{}
	used := make([]bool, len(r.nouns.List))
	for _, c := range r.cells {
		if k := final[c.template]; k >= 0 {
			m[uint64(k)<<32|uint64(c.noun)] += c.count
			used[c.noun] = true
		}
	}
	return build(kept, r.nouns.List, used, m), nil
}

// build sorts the nouns and makes the matrix.
func build(templates []Template, nouns []string, used []bool, cells map[uint64]float64) *Counts {
	c := &Counts{Templates: templates}
	for i, w := range nouns {
		if used[i] {
			c.Nouns = append(c.Nouns, w)
		}
	}
	slices.Sort(c.Nouns)
	place := map[string]uint64{}
	for i, w := range c.Nouns {
		place[w] = uint64(i)
	}
	keys := make([]uint64, 0, len(cells))
	counts := make(map[uint64]float64, len(cells))
	for k, n := range cells {
		key := k>>32<<32 | place[nouns[uint32(k)]]
		keys = append(keys, key)
		counts[key] = n
	}
	slices.Sort(keys)
	x := &cooccurrence.Index{Start: make([]int, len(templates)+1)}
	for _, k := range keys {
		x.IDs, x.Counts = append(x.IDs, uint32(k)), append(x.Counts, counts[k])
		x.Start[k>>32+1]++
	}
	for i := range templates {
		x.Start[i+1] += x.Start[i]
	}
	c.Rows = x
	c.Ready()
	return c
}

// Ready computes the sums and the columns of the rows.
func (c *Counts) Ready() {
	c.Columns = c.Rows.Transpose(len(c.Nouns))
	c.OfRow, c.OfColumn, c.Total = make([]float64, len(c.Templates)), make([]float64, len(c.Nouns)), 0
	for i := range c.Templates {
		c.OfRow[i] = c.Rows.Sum(i)
		c.Total += c.OfRow[i]
	}
	for i := range c.Nouns {
		c.OfColumn[i] = c.Columns.Sum(i)
	}
}

// passes tells whether a row counts.
func (f *Filter) passes(row []value.Value) bool {
	yes := func(i int) bool { return i < len(row) && !row[i].IsNull() && row[i].Bool() }
	return (len(f.Slots) == 0 || slices.Contains(f.Slots, row[1].S)) && !slices.Contains(f.Vague, row[2].S) &&
		(f.Negated || !yes(4)) && (f.Passive || !yes(5)) && (f.Names || !yes(6))
}

// Find is the number of a template.
func (c *Counts) Find(t Template) (int, bool) {
	return slices.BinarySearchFunc(c.Templates, t, Compare)
}

// FindNoun is the number of a noun.
func (c *Counts) FindNoun(noun string) (int, bool) { return slices.BinarySearch(c.Nouns, noun) }

// Of is the templates [from, to) of a verb.
func (c *Counts) Of(predicate string) (from, to int) {
	from, _ = slices.BinarySearchFunc(c.Templates, Template{predicate, ""}, Compare)
	for to = from; to < len(c.Templates) && c.Templates[to].Predicate == predicate; to++ {
	}
	return from, to
}

// Predicates are the verbs, sorted.
func (c *Counts) Predicates() (out []string) {
	for i, t := range c.Templates {
		if i == 0 || t.Predicate != c.Templates[i-1].Predicate {
			out = append(out, t.Predicate)
		}
	}
	return out
}

// Bytes is what the counts take in memory.
func (c *Counts) Bytes() int64 {
	n := int64(24*len(c.Rows.IDs) + 24*(len(c.Templates)+len(c.Nouns)))
	for _, t := range c.Templates {
		n += int64(len(t.Predicate)+len(t.Slot)) + 32
	}
	for _, w := range c.Nouns {
		n += int64(len(w)) + 16
	}
	return n
}

// Encode writes the counts as sections.
func (c *Counts) Encode(w *kind.Writer) error {
	var names []string
	for _, t := range c.Templates {
		names = append(names, t.Predicate, t.Slot)
	}
	start := make([]uint64, len(c.Rows.Start))
	for i, s := range c.Rows.Start {
		start[i] = uint64(s)
	}
	for _, step := range []func() error{
		func() error { return w.Strings("templates", names) },
		func() error { return w.Strings("nouns", c.Nouns) },
		func() error { return w.Uint64s("starts", start) },
		func() error { return w.Uint32s("fillers", c.Rows.IDs) },
		func() error { return w.Float64s("counts", c.Rows.Counts) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func Decode(r *kind.Reader) (*Counts, error) {
	names, err := r.Strings("templates")
	if err != nil {
		return nil, err
	}
	c := &Counts{Rows: &cooccurrence.Index{}}
	if c.Nouns, err = r.Strings("nouns"); err != nil {
		return nil, err
	}
	start, err := r.Uint64s("starts")
	if err != nil {
		return nil, err
	}
	if c.Rows.IDs, err = r.Uint32s("fillers"); err != nil {
		return nil, err
	}
	if c.Rows.Counts, err = r.Float64s("counts"); err != nil {
		return nil, err
	}
	n := len(c.Rows.IDs)
	if len(names)%2 != 0 || len(start) != len(names)/2+1 || start[0] != 0 || start[len(start)-1] != uint64(n) ||
		len(c.Rows.Counts) != n || !slices.IsSorted(start) {
		return nil, kind.Corrupt("starts", "does not fit the templates and counts")
	}
	for i := 0; i < len(names); i += 2 {
		c.Templates = append(c.Templates, Template{names[i], names[i+1]})
	}
	if !slices.IsSortedFunc(c.Templates, Compare) || !slices.IsSorted(c.Nouns) {
		return nil, kind.Corrupt("templates", "are not in order")
	}
	for _, s := range start {
		c.Rows.Start = append(c.Rows.Start, int(s))
	}
	for i := range c.Templates {
		ids, counts := c.Rows.Row(i)
		for k, id := range ids {
			if int(id) >= len(c.Nouns) || k > 0 && ids[k-1] >= id || !(counts[k] > 0 && counts[k] <= 1e300) {
				return nil, kind.Corrupt("fillers", fmt.Sprintf("has a wrong row %d", i))
			}
		}
	}
	c.Ready()
	return c, nil
}

// Clauses is the relation clauses of a store: pairs of events.
var Clauses = kind.TableUse{Name: "clauses",
	Doc: "pairs of clauses with a noun in a slot of each, the first event first; what comes twice is added",
	Columns: []kind.Column{
		{Name: "noun1", Type: value.Text, Doc: "noun of the first event"},
		{Name: "slot1", Type: value.Text, Doc: "its slot"},
		{Name: "predicate1", Type: value.Text, Doc: "its verb"},
		{Name: "negated1", Type: value.Boolean, Doc: "the verb is denied"},
		{Name: "noun2", Type: value.Text, Doc: "noun of the second event"},
		{Name: "slot2", Type: value.Text, Doc: "its slot"},
		{Name: "predicate2", Type: value.Text, Doc: "its verb"},
		{Name: "negated2", Type: value.Boolean, Doc: "the verb is denied"},
		{Name: "connective", Type: value.Text, Doc: "what joins the clauses"},
		{Name: "type", Type: value.Text, Doc: "and or but"},
		{Name: "causal", Type: value.Boolean, Doc: "the connective says that one event is a cause"},
		{Name: "count", Type: value.Float, Doc: "how often, above 0"},
		{Name: "name1", Type: value.Boolean, Doc: "the first noun is a name", Optional: true},
		{Name: "name2", Type: value.Boolean, Doc: "the second noun is a name", Optional: true}}}
