package subtrees

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/text/treebank"
)

// forest is the trees that were read, 8 bytes a token: words by first occurrence and heads.
type forest struct {
	ctx    context.Context
	ids    map[string]uint32
	words  []string
	counts []uint32
	forms  []uint32 // of all tokens
	heads  []int32  // of all tokens, from 1; 0 is the root, less is none
	ends   []int    // of sentences in forms
	arcs   int      // between words
}

// read takes the trees of the inputs.
func read(ctx context.Context, t *kind.Training, lower bool) (*forest, error) {
	f := &forest{ctx: ctx, ids: map[string]uint32{}}
	done, of := 0, t.On.Count()
	every := max(1, of/20)
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		for s := range treebank.Sentences(d) {
			if s.Number&255 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			forms := d.Layer("tokens").Strs("form")
			if forms == nil || s.Len() == 0 {
				continue
			}
			f.sentence(forms[s.From:s.To], s.Heads[1:], lower)
		}
		if len(f.forms) > math.MaxInt32 {
			return nil, fmt.Errorf("the corpus has more than %d tokens", math.MaxInt32)
		}
		if done++; done%every == 0 {
			t.Report(kind.Progress{Step: done, Of: max(of, done), Objective: math.NaN(), Note: fmt.Sprintf("%d arcs", f.arcs)})
		}
	}
	if f.arcs == 0 {
		return nil, fmt.Errorf("%w: there are no dependencies between words", kind.ErrNoData)
	}
	return f, ctx.Err()
}

func (f *forest) sentence(forms []string, heads []int32, lower bool) {
	for i, w := range forms {
		if lower {
			w = strings.ToLower(w)
		}
		id, ok := f.ids[w]
		if !ok {
			w = strings.Clone(w)
			id = uint32(len(f.words))
			f.ids[w] = id
			f.words, f.counts = append(f.words, w), append(f.counts, 0)
		}
		f.counts[id]++
		h := heads[i]
		if int(h) > len(heads) || int(h) == i+1 {
			h = treebank.Missing
		}
		if h > 0 {
			f.arcs++
		}
		f.forms, f.heads = append(f.forms, id), append(f.heads, h)
	}
	f.ends = append(f.ends, len(f.forms))
}

// rank numbers the words that occur minCount times from 1, the most frequent first, and turns the
// others into 0: no subtree with them can occur more often than they do.
func (f *forest) rank(minCount int) (words []string, left int) {
	var order []uint32
	for id, n := range f.counts {
		if int(n) >= minCount && f.words[id] != "" {
			order = append(order, uint32(id))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(f.counts[b], f.counts[a]), cmp.Compare(f.words[a], f.words[b]))
	})
	if len(order) > maxWords {
		left = len(order) - maxWords
		order = order[:maxWords]
	}
	number := make([]uint32, len(f.words))
	for i, id := range order {
		number[id] = uint32(i + 1)
		words = append(words, f.words[id])
	}
	for i, id := range f.forms {
		f.forms[i] = number[id]
	}
	return words, left
}

// sentences yields words and heads of each sentence, until the context ends.
func (f *forest) sentences(use func(words []uint32, heads []int32) error) error {
	from := 0
	for i, to := range f.ends {
		if i&255 == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if err := use(f.forms[from:to], f.heads[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// keys yields the keys of a list, until an error.
type keys func(yield func(uint64) error) error

// pairs are the arcs between words.
func (f *forest) pairs(yield func(uint64) error) error {
	return f.sentences(func(words []uint32, heads []int32) error {
		for i, h := range heads {
			if h > 0 && words[i] != 0 && words[h-1] != 0 {
				if err := yield(pairKey(words[h-1], words[i], int(h) < i+1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// triples are heads with adjacent dependents on the same side.
func (f *forest) triples(yield func(uint64) error) error {
	return f.adjacent(func(head, first, second uint32, right bool) error {
		if head == 0 {
			return nil
		}
		return yield(tripleKey(head, first, second, right))
	})
}

// siblings are adjacent dependents on the same side of any head.
func (f *forest) siblings(yield func(uint64) error) error {
	return f.adjacent(func(_, first, second uint32, right bool) error { return yield(pairKey(first, second, right)) })
}

// chains are a head, a dependent of it, and a dependent of that.
func (f *forest) chains(yield func(uint64) error) error {
	return f.sentences(func(words []uint32, heads []int32) error {
		for i, h := range heads {
			if h <= 0 || heads[h-1] <= 0 || int(heads[h-1]) == i+1 {
				continue
			}
			top := heads[h-1]
			a, b, c := words[top-1], words[h-1], words[i]
			if a == 0 || b == 0 || c == 0 || max(a, b, c) > maxChained {
				continue
			}
			if err := yield(chainKey(a, b, c, lexical.OrderOf(int(top), int(h), i+1))); err != nil {
				return err
			}
		}
		return nil
	})
}

// adjacent yields head, first and second of adjacent dependents on the same side of a head.
func (f *forest) adjacent(yield func(head, first, second uint32, right bool) error) error {
	var last [2][]int // by side and head: the dependent before, from 1
	return f.sentences(func(words []uint32, heads []int32) error {
		for side := range last {
			last[side] = append(last[side][:0], make([]int, len(words)+1)...)
		}
		for i, h := range heads {
			if h <= 0 {
				continue
			}
			side := 0
			if int(h) < i+1 {
				side = 1
			}
			if d := last[side][h]; d != 0 && words[d-1] != 0 && words[i] != 0 {
				if err := yield(words[h-1], words[d-1], words[i], side == 1); err != nil {
					return err
				}
			}
			last[side][h] = i + 1
		}
		return nil
	})
}

// list is subtrees by falling count, equal ones by key.
type list struct {
	keys   []uint64
	counts []uint32
}

// top is the number of subtrees whose rank, the number of those with a greater count, is below a
// share of all.
func (l list) top(share float64) int {
	least := share*float64(len(l.keys)) - 1e-9 // shares such as 0.1 are not exact
	n := 0
	for n < len(l.keys) && float64(n) < least {
		for c := l.counts[n]; n < len(l.keys) && l.counts[n] == c; n++ {
		}
	}
	return n
}
