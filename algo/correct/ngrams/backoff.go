package ngrams

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// probabilityTable is a back-off model.
var probabilityTable = kind.TableUse{Name: "probabilities",
	Doc: "n-grams of a back-off model, in any order, each with those that it begins with", Columns: []kind.Column{
		{Name: "ngram", Type: value.Text,
			Doc: "words, apart by spaces; <s> and </s> are the ends of sentences, <unk> any other word"},
		{Name: "log_prob", Type: value.Float, Infinite: true,
			Doc: "log10 of the probability of the last word after the others; -Infinity of <s>, which follows nothing"},
		{Name: "backoff", Type: value.Float, Optional: true,
			Doc: "log10 of the weight of backing off from these words; NULL is 0"},
	}}

// known is an n-gram of a back-off model.
type known struct {
	ids        []uint32
	prob, back float32
}

// noUnknown is log10 of the probability of an unknown word of a model without <unk>.
const noUnknown = -100

// largestLog bounds logarithms, which are kept in 32 bits and added up in ranges of equal numbers.
const largestLog = 1e30

// logsOf checks the numbers of a row. A back-off model gives <s> no probability, so some have −Infinity there.
func logsOf(r []value.Value, words []string) (prob, back float64, err error) {
	if r[1].IsNull() {
		return 0, 0, fmt.Errorf("%q has no log_prob", r[0].S)
	}
	prob = r[1].Float()
	if math.IsInf(prob, -1) && len(words) == 1 && strings.EqualFold(words[0], reserved[begin]) {
		prob = noUnknown
	}
	if !(prob <= 0 && prob >= -largestLog) {
		return 0, 0, fmt.Errorf("log_prob of %q is %v, where 0 is the most and %v the least", r[0].S, r[1], -largestLog)
	}
	if !r[2].IsNull() {
		back = r[2].Float()
	}
	if !(math.Abs(back) <= largestLog) {
		return 0, 0, fmt.Errorf("backoff of %q is %v, a number from %v to %v is wanted", r[0].S, r[2], -largestLog,
			largestLog)
	}
	return prob, back, nil
}

// readModel reads a back-off model: n-grams by the number of their words, in order, with the vocabulary of the single
// words.
func readModel(ctx context.Context, in kind.Table, order int) ([][]known, *vocabulary, error) {
	lists := make([][][]string, order)
	numbers := make([][][2]float32, order)
	n := 0
	for r, err := range in.Rows(ctx) {
		if err != nil {
			return nil, nil, err
		}
		n++
		words := text.Fields(r[0].S)
		switch {
		case r[0].IsNull() || len(words) == 0:
			return nil, nil, &RowError{n, errors.New("there is no n-gram")}
		case len(words) > order:
			return nil, nil, &RowError{n, fmt.Errorf("%q has %d words, more than option orders, %d", r[0].S, len(words), order)}
		}
		prob, back, err := logsOf(r, words)
		if err != nil {
			return nil, nil, &RowError{n, err}
		}
		for i, w := range words {
			if lower := strings.ToLower(w); slices.Contains(reserved[unknown:], lower) {
				words[i] = lower
			}
		}
		k := len(words) - 1
		lists[k] = append(lists[k], words)
		numbers[k] = append(numbers[k], [2]float32{float32(prob), float32(back)})
	}
	if n == 0 {
		return nil, nil, fmt.Errorf("%w: the table has no rows", kind.ErrNoData)
	}
	var single []string
	for _, w := range lists[0] {
		if !slices.Contains(reserved[unknown:], w[0]) {
			single = append(single, w[0])
		}
	}
	slices.Sort(single)
	v, err := newVocabulary(slices.Compact(single))
	if err != nil {
		return nil, nil, err
	}
	grams, err := knownGrams(lists, numbers, v)
	if err != nil {
		return nil, nil, err
	}
	return grams, v, ctx.Err()
}

// knownGrams replaces words by their numbers in the vocabulary, and sorts the n-grams of each order.
func knownGrams(lists [][][]string, numbers [][][2]float32, v *vocabulary) ([][]known, error) {
	grams := make([][]known, len(lists))
	for k, list := range lists {
		for i, words := range list {
			ids := make([]uint32, 0, k+1)
			for _, w := range words {
				id, ok := v.ids[w]
				if !ok && k > 0 {
					return nil, fmt.Errorf("%q is in n-grams, though no row of its own", w)
				}
				ids = append(ids, id)
			}
			grams[k] = append(grams[k], known{ids, numbers[k][i][0], numbers[k][i][1]})
		}
		slices.SortStableFunc(grams[k], func(a, b known) int { return slices.Compare(a.ids, b.ids) })
	}
	return grams, nil
}

// tree makes the nodes of the n-grams of a back-off model and their numbers. All have count 1, but for <unk>.
func tree(ctx context.Context, grams [][]known, v *vocabulary) ([]open, *estimates, error) {
	t, e := make([]open, len(grams)),
		&estimates{prob: make([][]float32, len(grams)), back: make([][]float32, len(grams)-1)}
	for k := range grams {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for i := range grams[k] {
			if i > 0 && slices.Equal(grams[k][i].ids, grams[k][i-1].ids) {
				return nil, nil, fmt.Errorf("%q stands in two rows", v.text(grams[k][i].ids))
			}
		}
		if k == 0 {
			singles(&t[0], e, grams[0], v.size())
			continue
		}
		children := make([]uint32, t[k-1].n) // of each node of the level before
		parent := 0
		for _, g := range grams[k] {
			if k == 1 {
				parent = int(g.ids[0])
			} else if parent = above(grams[k-1], parent, g.ids[:k]); parent < 0 {
				return nil, nil, fmt.Errorf("%q has a row, and %q, that it begins with, has none", v.text(g.ids),
					v.text(g.ids[:k]))
			}
			children[parent]++
			t[k].words = append(t[k].words, g.ids[k])
			e.take(k, g)
		}
		t[k].n = len(t[k].words)
		t[k].counts = newCounts(t[k].n, slices.Values(slices.Repeat([]uint64{1}, t[k].n)))
		end := uint32(0)
		for _, n := range children {
			end += n
			t[k-1].ends = append(t[k-1].ends, end)
		}
	}
	return t, e, ctx.Err()
}

// above is the place of an n-gram in a list in order, from a place on; −1 if it is not there.
func above(list []known, from int, ids []uint32) int {
	for ; from < len(list); from++ {
		if c := slices.Compare(list[from].ids, ids); c >= 0 {
			if c == 0 {
				return from
			}
			break
		}
	}
	return -1
}

func (e *estimates) take(k int, g known) {
	e.prob[k] = append(e.prob[k], g.prob)
	if k < len(e.back) {
		e.back[k] = append(e.back[k], g.back)
	}
}

// singles makes the level of single words, a node for each id.
func singles(l *open, e *estimates, list []known, ids int) {
	n := make([]uint64, ids)
	for id := range ids {
		one := known{prob: noUnknown}
		if id == begin {
			one.prob = 0
		}
		if len(list) > 0 && int(list[0].ids[0]) == id {
			one, list = list[0], list[1:]
			if id != unknown {
				n[id] = 1
			}
		}
		e.take(0, one)
	}
	l.n, l.counts = ids, newCounts(ids, slices.Values(n))
}
