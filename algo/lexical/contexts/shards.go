package contexts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
)

// Over shards, each counts its pairs by their texts, word, frame and the word that fills it; the counts add up, and
// what is kept is chosen of the sums as in one process.

var _ kind.Sharded = (*model)(nil)

// countTask is the only task.
const countTask = "count"

// MapShard counts the pairs of a shard.
func (m *model) MapShard(ctx context.Context, t *kind.Training, _ kind.Task, _ []byte) (_ [][]byte, err error) {
	c := m.newCounter(ctx, t.Workers)
	defer func() { err = errors.Join(err, c.pairs.Close()) }()
	if err := m.count(ctx, t, c); errors.Is(err, kind.ErrNoData) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	texts := count.New[string](count.Options{Memory: m.memory})
	defer func() { err = errors.Join(err, texts.Close()) }()
	w := texts.Writer(ctx)
	var key []byte
	var failed error
	err = c.pairs.Each(ctx, 1, func(pair, n uint64) bool {
		context := c.list[uint32(pair)]
		key = count.AppendWord(key[:0], true, c.words.List[pair>>32])
		key = count.AppendWord(key, false, c.frames.List[context>>32])
		key = count.AppendWord(key, false, c.words.List[uint32(context)])
		failed = w.AddN(string(key), n)
		return failed == nil
	})
	if err = errors.Join(err, failed, w.Close()); err != nil {
		return nil, err
	}
	return count.SaveParts(ctx, texts, t.Shards.Parts)
}

// MergeShards adds up counts.
func (m *model) MergeShards(ctx context.Context, _ string, found [][]byte) ([]byte, error) {
	return count.MergeParts(ctx, found)
}

// trainShards chooses of what the shards have counted.
func (m *model) trainShards(ctx context.Context, t *kind.Training) (err error) {
	if m.opt.contexts == byCounts {
		return fmt.Errorf("%w: contexts = counts reads a table; over shards, texts are counted", kind.ErrOneProcess)
	}
	parts, err := t.Shards.Run(ctx, kind.Task{Name: countTask})
	if err != nil {
		return err
	}
	sums, err := count.LoadParts(ctx, parts, count.Options{Workers: t.Workers, Memory: m.memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sums.Close()) }()
	s, err := summed(ctx, sums)
	if err != nil {
		return err
	}
	return m.choose(ctx, t, s)
}

// summed numbers the words and contexts of sums, and yields their pairs.
func summed(ctx context.Context, sums *count.Counter[string]) (source, error) {
	if err := sums.Compact(ctx); err != nil {
		return source{}, err
	}
	words, contexts := cooccurrence.NewTexts(), cooccurrence.NewTexts()
	var parts []string
	cells := func(yield func(uint32, uint32, float64) bool) error {
		return sums.Each(ctx, 1, func(key string, n uint64) bool {
			word, rest, _ := strings.Cut(key, "\x00")
			return yield(words.Number(word), contexts.Number(rest), float64(n))
		})
	}
	if err := cells(func(uint32, uint32, float64) bool { return true }); err != nil {
		return source{}, err
	}
	if len(words.List) == 0 {
		return source{}, fmt.Errorf("%w: there is no word with a context", kind.ErrNoData)
	}
	names := make([]string, len(words.List))
	for i, w := range words.List {
		names[i] = count.WordOf(w)
	}
	name := func(k uint32) string {
		parts = count.SplitKey(parts[:0], contexts.List[k])
		return strings.Replace(count.WordOf(parts[0]), slot, count.WordOf(parts[1]), 1)
	}
	return source{names, name, len(contexts.List), cells}, nil
}
