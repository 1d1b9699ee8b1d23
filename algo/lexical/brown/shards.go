package brown

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
)

// Over shards, each counts its words and its pairs of neighbours by their texts; the counts add up, and the words are
// clustered by the sums as in one process. The boundary is a mark in the keys.

var _ kind.Sharded = (*model)(nil)

// countTask is the only task.
const countTask = "count"

// MapShard counts the words and pairs of a shard.
func (m *model) MapShard(ctx context.Context, t *kind.Training, _ kind.Task, _ []byte) (_ [][]byte, err error) {
	r, err := read(ctx, t.On, m.opt.lower)
	if errors.Is(err, kind.ErrNoData) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r.counts[0]-- // the boundary before the first sentence is that of all shards
	texts := count.New[string](count.Options{})
	defer func() { err = errors.Join(err, texts.Close()) }()
	w := texts.Writer(ctx)
	var key []byte
	for id, n := range r.counts {
		if err = w.AddN(string(r.append(key[:0], true, uint32(id))), uint64(n)); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	var failed error
	err = eachPair(ctx, r.stream, len(r.words), count.Options{Workers: t.Workers}, func(x, y uint32, n uint64) {
		key = r.append(r.append(key[:0], true, x), false, y)
		failed = cmp.Or(failed, w.AddN(string(key), n))
	})
	if err = errors.Join(err, failed, w.Close()); err != nil {
		return nil, err
	}
	return count.SaveParts(ctx, texts, t.Shards.Parts)
}

// append adds a word or the boundary to a key.
func (r *corpus) append(key []byte, first bool, id uint32) []byte {
	if id == 0 {
		return count.AppendMark(key, first, count.FirstMark)
	}
	return count.AppendWord(key, first, r.words[id])
}

// MergeShards adds up counts.
func (m *model) MergeShards(ctx context.Context, _ string, found [][]byte) ([]byte, error) {
	return count.MergeParts(ctx, found)
}

// trainShards clusters what the shards have counted.
func (m *model) trainShards(ctx context.Context, t *kind.Training) (err error) {
	parts, err := t.Shards.Run(ctx, kind.Task{Name: countTask})
	if err != nil {
		return err
	}
	sums, err := count.LoadParts(ctx, parts, count.Options{Workers: t.Workers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sums.Close()) }()
	if err := sums.Compact(ctx); err != nil {
		return err
	}
	r, err := summedWords(ctx, sums)
	if err != nil {
		return err
	}
	v, err := m.rank(t, r)
	if err != nil {
		return err
	}
	big, err := summedPairs(ctx, sums, v)
	if err != nil {
		return err
	}
	return m.cluster(ctx, t, v, big)
}

// summedWords is the words of sums, without a stream.
func summedWords(ctx context.Context, sums *count.Counter[string]) (*corpus, error) {
	r := &corpus{words: []string{""}, counts: []uint32{1}}
	total := uint64(0)
	err := sums.Each(ctx, 1, func(key string, n uint64) bool {
		if strings.Contains(key, "\x00") {
			return true
		}
		if total += n; total > maxTokens {
			return false
		}
		if key == count.FirstMark {
			r.counts[0] += uint32(n)
		} else {
			r.words, r.counts = append(r.words, count.WordOf(key)), append(r.counts, uint32(n))
		}
		return true
	})
	switch {
	case err != nil:
		return nil, err
	case total > maxTokens:
		return nil, fmt.Errorf("the corpus has more than %d tokens", maxTokens)
	case len(r.words) == 1:
		return nil, fmt.Errorf("%w: there are no words", kind.ErrNoData)
	}
	return r, nil
}

// summedPairs is the pairs of sums over the words of a vocabulary. It takes 16 bytes a pair beside the bigrams.
func summedPairs(ctx context.Context, sums *count.Counter[string], v *vocabulary) (*bigrams, error) {
	type pair struct {
		x, y  uint32
		times uint64
	}
	number := make(map[string]uint32, len(v.words))
	for i, w := range v.words {
		number[w] = uint32(i)
	}
	find := func(part string) (uint32, bool) {
		if part == count.FirstMark {
			return 0, true
		}
		i, ok := number[count.WordOf(part)]
		return i, ok
	}
	var pairs []pair
	err := sums.Each(ctx, 1, func(key string, n uint64) bool {
		a, b, ok := strings.Cut(key, "\x00")
		x, first := find(a)
		y, second := find(b)
		if ok && first && second {
			pairs = append(pairs, pair{x, y, n})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	big := newBigrams(len(v.words))
	for _, p := range pairs {
		big.add(p.x, p.y, p.times)
	}
	big.close()
	return big, nil
}
