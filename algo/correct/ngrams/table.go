package ngrams

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// gramTable is n-grams with counts.
var gramTable = kind.TableUse{Name: "ngrams", Doc: "n-grams with their counts, in any order", Columns: []kind.Column{
	{Name: "ngram", Type: value.Text,
		Doc: "words, apart by spaces; <s> and </s> are the ends of sentences, <unk> any other word"},
	{Name: "count", Type: value.Integer, Doc: "how often it occurs"},
}}

// table is n-grams of a table, by the number of their words.
type table struct {
	grams  [][]row
	sorted []string
}

type row struct {
	words []string
	count uint64
}

// readTable reads n-grams of at most order words.
func readTable(ctx context.Context, in kind.Table, order int, lower bool) (*table, error) {
	t := &table{grams: make([][]row, order)}
	seen := map[string]bool{}
	n := 0
	for r, err := range in.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		words := text.Fields(r[0].S)
		switch {
		case r[0].IsNull() || len(words) == 0:
			return nil, fmt.Errorf("row %d has no n-gram", n)
		case r[1].IsNull() || r[1].Int() < 1:
			return nil, fmt.Errorf("row %d: the count of %q is %v, where 1 is the least", n, r[0].S, r[1])
		case len(words) > order:
			return nil, fmt.Errorf("row %d: %q has %d words, more than option orders, %d", n, r[0].S, len(words), order)
		}
		for i, w := range words {
			if upper := strings.ToLower(w); slices.Contains(reserved[unknown:], upper) {
				words[i] = upper
				continue
			}
			if lower {
				words[i] = strings.ToLower(w)
			}
			seen[words[i]] = true
		}
		t.grams[len(words)-1] = append(t.grams[len(words)-1], row{words, uint64(r[1].Int())})
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: the table has no rows", kind.ErrNoData)
	}
	for w := range seen {
		t.sorted = append(t.sorted, w)
	}
	slices.Sort(t.sorted)
	return t, ctx.Err()
}

// entry is a window with its count.
type entry struct {
	key count.Tuple
	n   uint64
}

// windows makes the windows that the counts of a table come from. What a longer n-gram begins or ends with, and the
// table lacks, is added with the counts of the longer ones.
func (t *table) windows(ctx context.Context, v *vocabulary, g count.Grams) ([]entry, error) {
	longer := map[count.Tuple]uint64{} // counts of the n-grams one word longer that begin with a key
	suffix := map[count.Tuple]uint64{} // that end with it
	var all []entry
	var ids []uint32
	for k := len(t.grams) - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		given := map[count.Tuple]uint64{}
		for _, r := range t.grams[k] {
			ids = v.find(ids[:0], r.words)
			given[g.Pack(ids)] += r.count
		}
		for key, n := range longer {
			if have, ok := given[key]; ok && have < n {
				return nil, fmt.Errorf("the count of %q is %d, less than those of the n-grams that begin with it, %d",
					v.text(g.IDs(nil, key)), have, n)
			}
			if _, ok := given[key]; !ok {
				given[key] = max(n, suffix[key])
			}
		}
		for key, n := range suffix {
			if _, ok := given[key]; !ok {
				given[key] = n
			}
		}
		nextLonger, nextSuffix := map[count.Tuple]uint64{}, map[count.Tuple]uint64{}
		for key, n := range given {
			if rest := n - longer[key]; rest > 0 {
				all = append(all, entry{key, rest})
			}
			if ids = g.IDs(ids[:0], key); k > 0 {
				nextLonger[g.Pack(ids[:k])] += n
				nextSuffix[g.Pack(ids[1:])] += n
			}
		}
		longer, suffix = nextLonger, nextSuffix
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key.Hi, b.key.Hi), cmp.Compare(a.key.Lo, b.key.Lo))
	})
	return all, nil
}

func listed(all []entry) rows {
	return func(yield func(count.Tuple, uint64) error) error {
		for _, e := range all {
			if err := yield(e.key, e.n); err != nil {
				return err
			}
		}
		return nil
	}
}
