package pairrelation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// pairsUse is the table of pairs that is learned from and scored on.
var pairsUse = kind.TableUse{Name: "pairs",
	Doc: "pairs of terms with what people say of them: a row for each label that a rater gives a pair",
	Columns: []kind.Column{
		{Name: "term1", Type: value.Text, Doc: "term"},
		{Name: "term2", Type: value.Text, Doc: "other term, similar to it"},
		{Name: "rank", Type: value.Integer, Optional: true, Doc: "rank of term2 among the terms similar to term1, from 1"},
		{Name: "score", Type: value.Float, Optional: true, Infinite: true,
			Doc: "similarity; the larger the more similar; what is not finite counts as NULL"},
		{Name: "label", Type: value.Text, Optional: true,
			Doc: "code or name of a label; NULL for pairs that were not judged"},
		{Name: "direction", Type: value.Text, Optional: true, Doc: "of directed labels: forward where term1 is the acronym," +
			" alias, part, hypernym, earlier one or error, else backward"},
		{Name: "rater", Type: value.Text, Optional: true, Doc: "who judged"},
		{Name: "weight", Type: value.Float, Optional: true, Doc: "number of pairs that the row stands for; NULL is 1"},
		{Name: "count1", Type: value.Float, Optional: true, Doc: "frequency of term1"},
		{Name: "count2", Type: value.Float, Optional: true, Doc: "frequency of term2"},
		{Name: "contrast", Type: value.Float, Optional: true,
			Doc: "how often a contrast lists both, such as A rather than B"},
		{Name: "conjunction", Type: value.Float, Optional: true, Doc: "how often both are joined, such as A and B"},
		{Name: "such_as", Type: value.Float, Optional: true,
			Doc: "how often term1 introduces term2 as an example: A such as B"},
		{Name: "part_of", Type: value.Float, Optional: true, Doc: "how often term1 is said to be of term2: A of B"},
		{Name: "pmi", Type: value.Float, Optional: true, Infinite: true,
			Doc: "pointwise mutual information of both in the same sentence; what is not finite counts as NULL"},
	}}

// The columns of pairs.
const (
	colTerm1 = iota
	colTerm2
	colRank
	colScore
	colLabel
	colDirection
	colRater
	colWeight
	colCount1
	colCount2
	colContrast
	colConjunction
	colSuchAs
	colPartOf
	colPMI
)

// pair is a pair of terms at a rank with all that was said of it.
type pair struct {
	term1, term2 string
	weight       float64
	facts
	label   int8 // judged, or none
	dir     direction
	ratings []rating
}

// rating is a label that a rater gave; the rater is "" where none is named.
type rating struct {
	rater string
	label int8
	dir   direction
}

// maxWeight bounds the sum of weights.
const maxWeight = 1e15

// readPairs merges the rows of each pair, in the order of their first rows. It counts the rows of a
// term with itself, which are left out.
func readPairs(ctx context.Context, in kind.Input) (list []*pair, same int, err error) {
	t, ok := in.Table(pairsUse.Name)
	if !ok {
		return nil, 0, fmt.Errorf("%w: there is no table of pairs", kind.ErrNoData)
	}
	type key struct {
		term1, term2 string
		rank         int
	}
	index := map[key]*pair{}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, 0, err
		}
		n++
		p, err := readPair(row)
		if err != nil {
			return nil, 0, fmt.Errorf("row %d: %w", n, err)
		}
		if p == nil {
			same++
			continue
		}
		k := key{p.term1, p.term2, p.rank}
		if before := index[k]; before != nil {
			before.merge(p)
			continue
		}
		index[k] = p
		list = append(list, p)
	}
	for _, p := range list {
		p.label, p.dir = judge(p.ratings)
	}
	return list, same, ctx.Err()
}

// readPair reads one row, nil for a term with itself.
func readPair(row []value.Value) (*pair, error) {
	p := &pair{term1: strings.Clone(strings.TrimSpace(row[colTerm1].S)),
		term2: strings.Clone(strings.TrimSpace(row[colTerm2].S)), weight: 1, facts: unknown, label: none}
	if p.term1 == "" || p.term2 == "" {
		return nil, fmt.Errorf("term1 or term2 is empty")
	}
	if p.term1 == p.term2 {
		return nil, nil
	}
	for _, c := range []struct {
		column int
		to     *float64
	}{{colWeight, &p.weight}, {colCount1, &p.count1}, {colCount2, &p.count2}, {colContrast, &p.contrast},
		{colConjunction, &p.conjunction}, {colSuchAs, &p.suchAs}, {colPartOf, &p.partOf}} {
		if row[c.column].IsNull() {
			continue
		}
		if *c.to = row[c.column].Float(); !(*c.to >= 0 && *c.to <= maxWeight) {
			return nil, fmt.Errorf("%s is %v, want a number from 0 to %g", pairsUse.Columns[c.column].Name, *c.to, maxWeight)
		}
	}
	p.score, p.scored = number(row[colScore])
	p.pmi, p.hasPMI = number(row[colPMI])
	if v := row[colRank]; !v.IsNull() {
		if v.Int() < 1 || v.Int() > math.MaxInt32 {
			return nil, fmt.Errorf("rank is %d, want 1 or more", v.Int())
		}
		p.rank = int(v.Int())
	}
	return p, p.judged(row)
}

// number is a value that is there and finite.
func number(v value.Value) (float64, bool) {
	f := v.Float()
	if v.IsNull() || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// judged reads the label of a row.
func (p *pair) judged(row []value.Value) error {
	if row[colLabel].IsNull() || strings.TrimSpace(row[colLabel].S) == "" {
		return nil
	}
	r := rating{rater: strings.Clone(row[colRater].S)}
	var ok bool
	if r.label, ok = parse(row[colLabel].S); !ok {
		return fmt.Errorf("there is no label %s; %s", row[colLabel].S, labelHint(row[colLabel].S))
	}
	switch s := strings.ToLower(row[colDirection].S); {
	case s == "" || !leaves[r.label].directed:
	case s == forward.String():
		r.dir = forward
	case s == backward.String():
		r.dir = backward
	default:
		return fmt.Errorf("direction is %s, want forward, backward or NULL", row[colDirection].S)
	}
	p.ratings = append(p.ratings, r)
	return nil
}

// merge takes over the ratings of another row of the pair, and what was not known before.
func (p *pair) merge(o *pair) {
	p.ratings = append(p.ratings, o.ratings...)
	if !p.scored {
		p.score, p.scored = o.score, o.scored
	}
	if !p.hasPMI {
		p.pmi, p.hasPMI = o.pmi, o.hasPMI
	}
	for _, f := range [][2]*float64{{&p.count1, &o.count1}, {&p.count2, &o.count2}, {&p.contrast, &o.contrast},
		{&p.conjunction, &o.conjunction}, {&p.suchAs, &o.suchAs}, {&p.partOf, &o.partOf}} {
		if *f[0] < 0 {
			*f[0] = *f[1]
		}
	}
}

// byRater resolves the labels that each rater gave, raters in order of name.
func byRater(list []rating) []rating {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b rating) int {
		return cmp.Or(cmp.Compare(a.rater, b.rater), cmp.Compare(a.label, b.label))
	})
	return slices.CompactFunc(list, func(a, b rating) bool { return a.rater == b.rater })
}

// judge returns the label of a pair: the one that most raters give it, of equally many, and of those
// that one rater gives, that of the highest priority. Its direction is that of the first who tells one.
func judge(list []rating) (int8, direction) {
	one := byRater(list)
	votes := make([]int, len(leaves))
	best := none
	for _, r := range one {
		votes[r.label]++
	}
	for l, n := range votes {
		if n > 0 && (best == none || n > votes[best]) {
			best = int8(l)
		}
	}
	for _, r := range one {
		if r.label == best && r.dir != neither {
			return best, r.dir
		}
	}
	return best, neither
}
