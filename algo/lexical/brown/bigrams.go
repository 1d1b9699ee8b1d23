package brown

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// vocabulary is the words that are clustered, the most frequent first, equal counts by text. Word 0
// is the boundary before, between and after sentences, whatever its count.
type vocabulary struct {
	words  []string // "" is the boundary
	counts []uint32
}

// reading is the tokens of the inputs in the order of the text.
type reading struct {
	ids    map[string]uint32
	words  []string // by first occurrence
	counts []uint32
	stream []uint32 // 0 is the boundary
}

// maxTokens keeps counts within 32 bits.
const maxTokens = math.MaxInt32

// read numbers the words of all sentences; it takes 4 bytes a token besides the vocabulary.
func read(ctx context.Context, in kind.Input, lower bool) (*reading, error) {
	r := &reading{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
	r.boundary()
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		toks := d.Layer(text.Tokens.Name)
		if toks == nil {
			continue
		}
		forms := toks.Strs("form")
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds) && forms != nil; s++ {
			if s&255 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.sentence(forms[bounds[s-1]:bounds[s]], lower)
		}
		if len(r.stream) > maxTokens {
			return nil, fmt.Errorf("the corpus has more than %d tokens", maxTokens)
		}
	}
	if len(r.words) == 1 {
		return nil, fmt.Errorf("%w: there are no words", kind.ErrNoData)
	}
	return r, ctx.Err()
}

func (r *reading) boundary() {
	r.stream = append(r.stream, 0)
	r.counts[0]++
}

func (r *reading) sentence(forms []string, lower bool) {
	n := len(r.stream)
	for _, f := range forms {
		if lower {
			f = strings.ToLower(f)
		}
		if f == "" {
			continue
		}
		id, ok := r.ids[f]
		if !ok {
			f = strings.Clone(f)
			id = uint32(len(r.words))
			r.ids[f] = id
			r.words, r.counts = append(r.words, f), append(r.counts, 0)
		}
		r.counts[id]++
		r.stream = append(r.stream, id)
	}
	if len(r.stream) > n {
		r.boundary()
	}
}

// dropped stands in the stream for words that are too rare.
const dropped = math.MaxUint32

// rank makes the vocabulary of words that occur minCount times and numbers the stream by it.
func (r *reading) rank(minCount int) *vocabulary {
	order := make([]uint32, 0, len(r.words))
	for id := 1; id < len(r.words); id++ {
		if int(r.counts[id]) >= minCount {
			order = append(order, uint32(id))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r.counts[b], r.counts[a]), cmp.Compare(r.words[a], r.words[b]))
	})
	v := &vocabulary{words: []string{""}, counts: []uint32{r.counts[0]}}
	number := make([]uint32, len(r.words))
	for i := 1; i < len(number); i++ {
		number[i] = dropped
	}
	for i, id := range order {
		number[id] = uint32(i + 1)
		v.words, v.counts = append(v.words, r.words[id]), append(v.counts, r.counts[id])
	}
	for i, id := range r.stream {
		r.stream[i] = number[id]
	}
	return v
}

// adjacency is the neighbours on one side of each word, with counts, by number.
type adjacency struct {
	offsets []uint32
	words   []uint32
	counts  []int32
}

func (a *adjacency) of(w int) ([]uint32, []int32) {
	from, to := a.offsets[w], a.offsets[w+1]
	return a.words[from:to], a.counts[from:to]
}

// bigrams counts pairs of neighbours; pairs with a dropped word do not count.
type bigrams struct {
	next, prev  adjacency
	left, right []int64 // pairs that a word begins, and that it ends
	total       int64
}

// count counts the pairs of a stream over words 0 to n-1 in 8 bytes a pair.
func count(ctx context.Context, stream []uint32, n int) (*bigrams, error) {
	b := &bigrams{left: make([]int64, n), right: make([]int64, n)}
	at := make([]uint32, n+1)
	pairs := func(use func(x, y uint32)) {
		for i := 1; i < len(stream); i++ {
			if i&(1<<16-1) == 0 && ctx.Err() != nil {
				return
			}
			if x, y := stream[i-1], stream[i]; x != dropped && y != dropped {
				use(x, y)
			}
		}
	}
	pairs(func(x, y uint32) {
		at[x+1]++
		b.left[x]++
		b.right[y]++
		b.total++
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := range n {
		at[i+1] += at[i]
	}
	seconds := make([]uint32, b.total)
	pairs(func(x, y uint32) {
		seconds[at[x]] = y
		at[x]++
	})
	b.next = tally(ctx, seconds, at[:n])
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.prev = b.next.transposed(n)
	return b, nil
}

// tally counts equal neighbours, until the context ends; those of word w end at ends[w].
func tally(ctx context.Context, seconds, ends []uint32) adjacency {
	a := adjacency{offsets: make([]uint32, 1, len(ends)+1)}
	from := uint32(0)
	for w, to := range ends {
		if w&255 == 0 && ctx.Err() != nil {
			return a
		}
		list := seconds[from:to]
		slices.Sort(list)
		for i, w := range list {
			if i > 0 && list[i-1] == w {
				a.counts[len(a.counts)-1]++
				continue
			}
			a.words, a.counts = append(a.words, w), append(a.counts, 1)
		}
		a.offsets = append(a.offsets, uint32(len(a.words)))
		from = to
	}
	return a
}

func (a *adjacency) transposed(n int) adjacency {
	t := adjacency{offsets: make([]uint32, n+1), words: make([]uint32, len(a.words)), counts: make([]int32, len(a.words))}
	for _, w := range a.words {
		t.offsets[w+1]++
	}
	for i := range n {
		t.offsets[i+1] += t.offsets[i]
	}
	at := slices.Clone(t.offsets)
	for w := range n {
		words, counts := a.of(w)
		for i, x := range words {
			t.words[at[x]], t.counts[at[x]] = uint32(w), counts[i]
			at[x]++
		}
	}
	return t
}
