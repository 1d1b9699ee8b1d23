package brown

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// vocabulary is the words that are clustered, the most frequent first, equal counts by text. Word 0
// is the boundary before, between and after sentences, whatever its count.
type vocabulary struct {
	words  []string // "" is the boundary
	counts []uint32
	number []uint32 // by the number of a word in the corpus; dropped for those that are too rare
}

// corpus is the tokens of the inputs in the order of the text.
type corpus struct {
	ids    map[string]uint32
	words  []string // by first occurrence
	counts []uint32
	stream []uint32 // 0 is the boundary
}

// maxTokens keeps counts within 32 bits.
const maxTokens = math.MaxInt32

// read numbers the words of all sentences; it takes 4 bytes a token besides the vocabulary.
func read(ctx context.Context, in kind.Input, lower bool) (*corpus, error) {
	r := &corpus{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
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

func (r *corpus) boundary() {
	r.stream = append(r.stream, 0)
	r.counts[0]++
}

func (r *corpus) sentence(forms []string, lower bool) {
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

// rank makes the vocabulary of words that occur minCount times.
func (r *corpus) rank(minCount int) *vocabulary {
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
	v.number = make([]uint32, len(r.words))
	for i := 1; i < len(v.number); i++ {
		v.number[i] = dropped
	}
	for i, id := range order {
		v.number[id] = uint32(i + 1)
		v.words, v.counts = append(v.words, r.words[id]), append(v.counts, r.counts[id])
	}
	return v
}

// renumber numbers the stream by the vocabulary.
func (r *corpus) renumber(v *vocabulary) {
	for i, id := range r.stream {
		r.stream[i] = v.number[id]
	}
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

// countPairs counts the pairs of a stream over words 0 to n-1.
func countPairs(ctx context.Context, stream []uint32, n int, o count.Options) (*bigrams, error) {
	b := newBigrams(n)
	err := eachPair(ctx, stream, n, o, b.add)
	b.close()
	return b, err
}

// eachPair yields the pairs of a stream over words 0 to n-1 with their counts, by rising pair.
func eachPair(ctx context.Context, stream []uint32, n int, o count.Options,
	yield func(x, y uint32, times uint64)) (err error) {
	width := bits.Len(uint(n - 1))
	o.Keys = len(stream)
	c := count.New[uint64](o)
	defer func() { err = errors.Join(err, c.Close()) }()
	pairs := c.Writer(ctx)
	for i := 1; i < len(stream); i++ {
		x, y := stream[i-1], stream[i]
		if x == dropped || y == dropped {
			continue
		}
		if err := pairs.Add(uint64(x)<<width | uint64(y)); err != nil {
			return err
		}
	}
	if err := pairs.Close(); err != nil {
		return err
	}
	return c.Each(ctx, 1, func(key, times uint64) bool {
		yield(uint32(key>>width), uint32(key&(1<<width-1)), times)
		return true
	})
}

func newBigrams(n int) *bigrams {
	return &bigrams{left: make([]int64, n), right: make([]int64, n), next: adjacency{offsets: make([]uint32, n+1)}}
}

// add takes a pair with its count. Pairs come in rising order.
func (b *bigrams) add(x, y uint32, times uint64) {
	b.next.words, b.next.counts = append(b.next.words, y), append(b.next.counts, int32(times))
	b.next.offsets[x+1]++
	b.left[x] += int64(times)
	b.right[y] += int64(times)
	b.total += int64(times)
}

// close ends the adding.
func (b *bigrams) close() {
	n := len(b.left)
	for i := range n {
		b.next.offsets[i+1] += b.next.offsets[i]
	}
	b.prev = b.next.transposed(n)
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
