package classpatterns

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/storage/value"
)

// pathTable is the relation paths of a store.
var pathTable = kind.TableUse{Name: "paths",
	Doc: "pairs of nouns with the path between them and their counts; what comes twice is added",
	Columns: []kind.Column{
		{Name: "noun1", Type: value.Text, Doc: "first noun"}, {Name: "noun2", Type: value.Text, Doc: "second noun"},
		{Name: "path", Type: value.Text, Doc: "path from X, the first noun, to Y"},
		{Name: "count", Type: value.Float, Doc: "how often, above 0"},
		{Name: "doc", Type: value.Text, Doc: "document of a sentence with it", Optional: true},
		{Name: "sent", Type: value.Integer, Doc: "number of the sentence", Optional: true}}}

// classTable is classes of words.
var classTable = kind.TableUse{Name: "classes",
	Doc: "classes of words, as the relation memberships of latent_classes has them; a word may have several",
	Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "word"}, {Name: "class", Type: value.Text, Doc: "its class"},
		{Name: "prob", Type: value.Float, Doc: "probability of the class; NULL: 1", Optional: true}}}

// instance is an ordered pair of nouns: source, target.
type instance struct{ source, target uint32 }

// place is a sentence.
type place struct {
	doc  uint32 // number of the document + 1, 0 for none
	sent int32
}

// index is patterns by instances. A path gives two patterns, 2k as it is read and 2k+1 from Y to X, whose instances are
// turned over.
type index struct {
	nouns     []string
	docs      []string
	paths     []string // canonical, sorted
	instances []instance
	rows      *cooccurrence.Index // of each pattern its instances
	where     []place             // beside the cells
	ofPattern []float64           // sums
	ofPair    []float64
	total     float64
}

// pattern writes a pattern with X for the source.
func (x *index) pattern(p int) string {
	if p%2 == 0 {
		return x.paths[p/2]
	}
	return template.Mirror(x.paths[p/2])
}

// find is the pattern that a text stands for, X being the source.
func (x *index) find(text string) (int, bool) {
	if text[0] == 'Y' { // Y … X: read it from its end
		text = template.Mirror("X" + text[1:len(text)-1] + "Y")
	}
	c, turned := template.Canonical(text)
	k, ok := slices.BinarySearch(x.paths, c)
	if turned {
		return 2*k + 1, ok
	}
	return 2 * k, ok
}

// cell is a row of the table.
type cell struct {
	path, noun1, noun2 uint32
	count              float64
	at                 place
}

// read reads the pairs of paths that have enough of them.
func read(ctx context.Context, t kind.Table, minPairs int) (*index, error) {
	paths, nouns, docs := cooccurrence.NewTexts(), cooccurrence.NewTexts(), cooccurrence.NewTexts()
	var cells []cell
	turned := map[string]bool{}
	canonical := map[string]uint32{}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() || row[3].IsNull() {
			return nil, fmt.Errorf("row %d of the paths: noun1, noun2, path and count may not be NULL", n)
		}
		if c := row[3].Float(); c == 0 || !cooccurrence.IsCount(c) {
			return nil, fmt.Errorf("row %d of the paths: the count is %v, a number from %v to %v is wanted", n, c,
				cooccurrence.MinCount, cooccurrence.MaxCount)
		}
		k, ok := canonical[row[2].S]
		if !ok {
			if !template.IsPath(row[2].S) {
				return nil, fmt.Errorf("row %d of the paths: '%s' is no path such as 'X <nsubj cause >obj Y'", n,
					row[2].S)
			}
			c, mirrored := template.Canonical(row[2].S)
			k = paths.Number(c)
			canonical[row[2].S], turned[row[2].S] = k, mirrored
		}
		c := cell{path: k, noun1: nouns.Number(row[0].S), noun2: nouns.Number(row[1].S), count: row[3].Float()}
		if turned[row[2].S] {
			c.noun1, c.noun2 = c.noun2, c.noun1
		}
		if len(row) > 5 && !row[4].IsNull() && !row[5].IsNull() {
			c.at = place{docs.Number(row[4].S) + 1, int32(row[5].Int())}
		}
		cells = append(cells, c)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return build(paths.List, nouns.List, docs.List, cells, minPairs, n)
}

// build sorts what was read. Nouns and documents keep the order that they came in.
func build(paths, nouns, docs []string, cells []cell, minPairs, rows int) (*index, error) {
	slices.SortStableFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(paths[a.path], paths[b.path]), cmp.Compare(a.noun1, b.noun1),
			cmp.Compare(a.noun2, b.noun2))
	})
	merged := cells[:0]
	for _, c := range cells {
		if k := len(merged) - 1; k >= 0 && merged[k].path == c.path && merged[k].noun1 == c.noun1 &&
			merged[k].noun2 == c.noun2 {
			merged[k].count += c.count
			continue
		}
		merged = append(merged, c)
	}
	x := &index{nouns: nouns, docs: docs, rows: &cooccurrence.Index{Start: []int{0}}}
	number := map[instance]uint32{}
	add := func(c cell, i instance) {
		k, ok := number[i]
		if !ok {
			k = uint32(len(x.instances))
			number[i] = k
			x.instances = append(x.instances, i)
			x.ofPair = append(x.ofPair, 0)
		}
		x.rows.IDs, x.rows.Counts, x.where = append(x.rows.IDs, k), append(x.rows.Counts, c.count),
			append(x.where, c.at)
		x.ofPair[k] += c.count
		x.total += c.count
	}
	for from := 0; from < len(merged); {
		to := from
		for to < len(merged) && merged[to].path == merged[from].path {
			to++
		}
		if to-from >= minPairs {
			x.paths = append(x.paths, paths[merged[from].path])
			for turned := range 2 {
				sum := 0.0
				for _, c := range merged[from:to] {
					i := instance{c.noun1, c.noun2}
					if turned == 1 {
						i = instance{c.noun2, c.noun1}
					}
					add(c, i)
					sum += c.count
				}
				x.ofPattern = append(x.ofPattern, sum)
				x.rows.Start = append(x.rows.Start, len(x.rows.IDs))
			}
		}
		from = to
	}
	if len(x.paths) == 0 {
		return nil, fmt.Errorf("%w: of %d paths in %d rows none has %d pairs of nouns", kind.ErrNoData, len(paths),
			rows, minPairs)
	}
	return x, nil
}

// association is the discounted mutual information of an instance and a pattern, with their counts (Pantel and
// Pennacchiotti 2006):
//
//	pmi = ln( c(i,p)·N / (c(i)·c(p)) ) · c(i,p)/(c(i,p)+1) · m/(m+1),   m = min(c(i), c(p))
func association(both, pair, pattern, total float64) float64 {
	if both == 0 {
		return 0
	}
	m := min(pair, pattern)
	return math.Log(both*total/(pair*pattern)) * (both / (both + 1)) * (m / (m + 1))
}

// associations are those of all cells, divided by their maximum.
func (x *index) associations() []float64 {
	out, most := make([]float64, len(x.rows.IDs)), 0.0
	for p := range x.ofPattern {
		for k := x.rows.Start[p]; k < x.rows.Start[p+1]; k++ {
			out[k] = association(x.rows.Counts[k], x.ofPair[x.rows.IDs[k]], x.ofPattern[p], x.total)
			most = max(most, out[k])
		}
	}
	if most > 0 {
		for k := range out {
			out[k] /= most
		}
	}
	return out
}

// classes are those of each noun, none for "all of one class".
type classes struct {
	names []string
	of    [][]uint32 // of each noun
}

// probability is that of a class of a noun; 1 if the row has none.
func probability(row []value.Value) float64 {
	if len(row) < 3 || row[2].IsNull() {
		return 1
	}
	return row[2].Float()
}

// readClasses reads the classes that are probable enough. Without a table every noun is of the one class.
func readClasses(ctx context.Context, in kind.Input, x *index, threshold float64) (*classes, error) {
	c := &classes{of: make([][]uint32, len(x.nouns))}
	if in == nil {
		c.names = []string{""}
		for i := range c.of {
			c.of[i] = []uint32{0}
		}
		return c, nil
	}
	table, ok := in.Table(classTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input classes has no table %s", classTable.Name)
	}
	number := map[string]int{}
	for i, w := range x.nouns {
		number[w] = i
	}
	names := cooccurrence.NewTexts()
	known, n := 0, 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if p := probability(row); math.IsNaN(p) || math.IsInf(p, 0) {
			return nil, fmt.Errorf("row %d of the classes: prob is %v, a number from 0 to 1 is wanted", n, p)
		}
		if row[0].IsNull() || row[1].IsNull() || probability(row) < threshold {
			continue
		}
		if i, ok := number[row[0].S]; ok {
			if k := names.Number(row[1].String()); !slices.Contains(c.of[i], k) {
				c.of[i] = append(c.of[i], k)
				known++
			}
		}
	}
	if known == 0 {
		return nil,
			fmt.Errorf("%w: no noun of the paths has a class; are they of the same language and form of words?",
				kind.ErrNoData)
	}
	c.names = names.List
	return c, ctx.Err()
}
