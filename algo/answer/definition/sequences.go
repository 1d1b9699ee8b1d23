package definition

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parlance/algo/engine/count"
)

// span is an n-gram that was kept, at places [from, to) of a sentence.
type span struct{ gram, from, to int32 }

// chain is two or three n-grams in order with tokens between them.
type chain struct {
	hash  uint64
	parts [3]span
	n     int
}

// chains yields the chains of f.spans: n-grams of one representation and of one class, each at least one token behind
// the one before, that the root lies within.
func (f *finder) chains(m *marked, yield func(chain)) {
	group := func(s span) int {
		g := int(f.kept[s.gram].rep) * 2
		if f.classes[s.gram] {
			g++
		}
		return g
	}
	slices.SortFunc(f.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(group(a), group(b)), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	root := int32(m.root)
	for i, a := range f.spans {
		g := group(a)
		if a.from > root {
			continue
		}
		head := mix(seed(sequenceSeed, int(f.kept[a.gram].rep)), f.kept[a.gram].hash)
		for j := i + 1; j < len(f.spans) && group(f.spans[j]) == g; j++ {
			b := f.spans[j]
			if b.from <= a.to {
				continue
			}
			h := mix(head, f.kept[b.gram].hash)
			if b.to > root {
				yield(chain{h, [3]span{a, b}, 2})
			}
			if f.opt.parts < 3 {
				continue
			}
			for k := j + 1; k < len(f.spans) && group(f.spans[k]) == g; k++ {
				if c := f.spans[k]; c.from > b.to && c.to > root {
					yield(chain{mix(h, f.kept[c.gram].hash), [3]span{a, b, c}, 3})
				}
			}
		}
	}
}

// rep is the representation of a chain.
func (f *finder) rep(c *chain) int { return int(f.kept[c.parts[0].gram].rep) }

// counted yields what a sentence has of something that is counted, as hashes.
type counted func(d labelled, yield func(h uint64))

// frequent are the hashes in least definitions or in least other sentences, with both numbers. It takes bounded memory
// for what is rarer.
func frequent(ctx context.Context, data []labelled, least, workers int, of counted) (map[uint64]*tally, error) {
	var counters [2]*count.Counter[uint64]
	for i := range counters {
		counters[i] = count.New[uint64](count.Options{Workers: max(1, workers)})
		defer counters[i].Close()
		if err := fill(ctx, counters[i], data, i == 0, of); err != nil {
			return nil, err
		}
	}
	out := map[uint64]*tally{}
	for _, c := range counters {
		if err := c.Each(ctx, uint64(least), func(h, _ uint64) bool {
			if out[h] == nil {
				out[h] = &tally{}
			}
			return true
		}); err != nil {
			return nil, err
		}
	}
	for i, c := range counters {
		if err := c.Each(ctx, 1, func(h, n uint64) bool {
			if t := out[h]; t != nil {
				*[]*uint32{&t.pos, &t.neg}[i] = uint32(n)
			}
			return true
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fill counts the sentences of one class by hash.
func fill(ctx context.Context, c *count.Counter[uint64], data []labelled, positive bool, of counted) error {
	w := c.Writer(ctx)
	var seen []uint64
	for i, d := range data {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if d.positive != positive {
			continue
		}
		seen = seen[:0]
		of(d, func(h uint64) { seen = append(seen, h) })
		slices.Sort(seen)
		for _, h := range slices.Compact(seen) {
			if err := w.Add(h); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// mineSequences finds subsequences of the n-grams that f finds.
func mineSequences(ctx context.Context, f *finder, data []labelled, least [reps]int, workers int, n names) ([]pattern,
	error) {
	all := func(d labelled, yield func(chain)) {
		f.find(d.marked)
		if d.root >= 0 {
			f.chains(d.marked, yield)
		}
	}
	counts, err := frequent(ctx, data, slices.Min(least[:]), workers, func(d labelled, yield func(uint64)) {
		all(d, func(c chain) { yield(c.hash) })
	})
	if err != nil {
		return nil, err
	}
	var out []pattern
	for _, d := range data { // each in the first sentence that has it
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all(d, func(c chain) {
			t := counts[c.hash]
			if t == nil {
				return
			}
			delete(counts, c.hash)
			rep := f.rep(&c)
			if int(max(t.pos, t.neg)) < least[rep] {
				return
			}
			var parts []string
			for _, s := range c.parts[:c.n] {
				parts = append(parts, spell(d.symbols[rep][s.from:s.to], n))
			}
			out = append(out, pattern{hash: c.hash, kind: ofSequences, rep: uint8(rep), pos: t.pos, neg: t.neg,
				text: strings.Join(parts, " * ")})
		})
	}
	return out, nil
}
