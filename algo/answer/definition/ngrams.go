package definition

import (
	"context"
	"strings"

	"parlance/algo/numeric/parallel"
)

// tally counts sentences with a pattern, each once.
type tally struct {
	pos, neg uint32
	last     int32 // sentence that was counted last + 1
}

// labelled is a marked sentence that is a definition or none.
type labelled struct {
	*marked
	positive bool
}

// seed is what the hash of a pattern of a representation begins with.
func seed(kind uint64, rep int) uint64 { return mix(kind, uint64(rep+1)) }

// grams yields the n-grams of a representation in a sentence: place, length and hash, of each place the shorter ones
// first. Where yield returns false, longer ones at the place are left out.
func (m *marked) grams(rep, longest int, yield func(at, n int, h uint64) bool) {
	symbols := m.symbols[rep]
	for at := range symbols {
		h := mix(seed(ngramSeed, rep), symbols[at])
		for n := 2; n <= longest && at+n <= len(symbols); n++ {
			if h = mix(h, symbols[at+n-1]); !yield(at, n, h) {
				break
			}
		}
	}
}

// mineGrams counts n-grams of 2 to longest tokens in one representation and returns those that are in least definitions
// or in least other sentences. An n-gram is counted only if its beginning of n − 1 tokens is one of them (Agrawal and
// Srikant 1994): it is in no more sentences than that.
func mineGrams(ctx context.Context, data []labelled, rep, longest, least int, n names) ([]pattern, error) {
	var out []pattern
	var before map[uint64]*tally
	for length := 2; length <= longest; length++ {
		counts, first := map[uint64]*tally{}, map[uint64][2]int32{}
		for i, d := range data {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			d.grams(rep, length, func(at, n int, h uint64) bool {
				if n < length {
					return n < length-1 || before[h] != nil
				}
				t := counts[h]
				if t == nil {
					t = &tally{}
					counts[h], first[h] = t, [2]int32{int32(i), int32(at)}
				}
				t.add(int32(i), d.positive)
				return false
			})
		}
		for h, t := range counts {
			if int(max(t.pos, t.neg)) < least {
				delete(counts, h)
				continue
			}
			at := first[h]
			out = append(out, pattern{hash: h, kind: ofNgrams, rep: uint8(rep), pos: t.pos, neg: t.neg,
				text: spell(data[at[0]].symbols[rep][at[1]:int(at[1])+length], n)})
		}
		if before = counts; len(counts) == 0 {
			break
		}
	}
	return out, nil
}

func (t *tally) add(sentence int32, positive bool) {
	if t.last == sentence+1 {
		return
	}
	t.last = sentence + 1
	if positive {
		t.pos++
	} else {
		t.neg++
	}
}

func spell(symbols []uint64, n names) string {
	parts := make([]string, len(symbols))
	for i, s := range symbols {
		parts[i] = n.text(s)
	}
	return strings.Join(parts, " ")
}

func (n names) text(h uint64) string {
	switch h {
	case startHash:
		return startName
	case termHash:
		return termName
	}
	return n[h]
}

// mineAllGrams mines all representations.
func (o *options) mineAllGrams(ctx context.Context, data []labelled, least [reps]int, workers int,
	n names) ([]pattern, error) {
	var lists [reps][]pattern
	err := parallel.For(ctx, workers, reps, func(_, rep int) (err error) {
		lists[rep], err = mineGrams(ctx, data, rep, o.longest, least[rep], n)
		return err
	})
	var out []pattern
	for _, l := range lists {
		out = append(out, l...)
	}
	return out, err
}
