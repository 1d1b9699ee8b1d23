package ngrams

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
)

// Over shards, each counts the windows of its sentences by their texts. A word begins a window wherever it stands, so
// that the first words of the windows are the vocabulary; texts of windows have the order of their ids. So the sums are
// read as the windows of one process are.

var _ kind.Sharded = (*model)(nil)

// countTask is the only task.
const countTask = "count"

// marks are the ends of sentences in keys.
var marks = map[string]uint32{count.FirstMark: begin, count.SecondMark: end}

// MapShard counts the windows of a shard.
func (m *model) MapShard(ctx context.Context, t *kind.Training, _ kind.Task, _ []byte) (_ [][]byte, err error) {
	s, err := newSpool(m.opt.lower)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.read(ctx, t); errors.Is(err, kind.ErrNoData) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	v, err := newVocabulary(s.sorted())
	if err != nil {
		return nil, err
	}
	g, err := grams(m.opt.orders, v)
	if err != nil {
		return nil, err
	}
	c, err := s.tally(ctx, v, g, count.Options{Workers: t.Workers, Memory: m.memory, Keys: s.tokens})
	if err != nil {
		return nil, err
	}
	parts, ids, key := count.NewParts(t.Shards.Parts), []uint32(nil), []byte(nil)
	err = counted(ctx, c)(func(window count.Tuple, n uint64) error {
		ids, key = g.IDs(ids[:0], window), key[:0]
		for i, id := range ids {
			switch id {
			case begin:
				key = count.AppendMark(key, i == 0, count.FirstMark)
			case end:
				key = count.AppendMark(key, i == 0, count.SecondMark)
			default:
				key = count.AppendWord(key, i == 0, v.word(id))
			}
		}
		return parts.Add(string(key), n)
	})
	if err = errors.Join(err, c.Close()); err != nil {
		return nil, err
	}
	return parts.Close()
}

// MergeShards adds up counts.
func (m *model) MergeShards(ctx context.Context, _ string, found [][]byte) ([]byte, error) {
	return count.MergeParts(ctx, found)
}

// trainShards makes the model of what the shards have counted.
func (m *model) trainShards(ctx context.Context, t *kind.Training) (err error) {
	if m.opt.source != byText {
		return fmt.Errorf("%w: source = %s reads a table; over shards, texts are counted", kind.ErrOneProcess, m.opt.source)
	}
	parts, err := t.Shards.Run(ctx, kind.Task{Name: countTask})
	if err != nil {
		return err
	}
	sums, err := count.LoadParts(ctx, parts, count.Options{Workers: t.Workers, Memory: m.memory})
	if err != nil {
		return err
	}
	if err = sums.Compact(ctx); err == nil {
		err = m.trainSums(ctx, t, sums)
	}
	return errors.Join(err, sums.Close())
}

func (m *model) trainSums(ctx context.Context, t *kind.Training, sums *count.Counter[string]) error {
	words, err := firstWords(ctx, sums)
	if err != nil {
		return err
	}
	v, number, err := m.start(t, words)
	if err != nil {
		return err
	}
	g, err := grams(m.opt.orders, v)
	if err != nil {
		return err
	}
	windows := func(yield func(count.Tuple, uint64) error) error {
		var parts []string
		var ids []uint32
		var failed error
		err := sums.Each(ctx, 1, func(key string, n uint64) bool {
			parts, ids = count.SplitKey(parts[:0], key), ids[:0]
			for _, p := range parts {
				id, mark := marks[p]
				if !mark {
					id = v.ids[count.WordOf(p)]
				}
				ids = append(ids, id)
			}
			failed = yield(g.Pack(ids), n)
			return failed == nil
		})
		return errors.Join(failed, err)
	}
	return m.build(ctx, t, v, g, windows, number, sums.Close) // closing again does nothing
}

// firstWords is the words that begin windows, in order.
func firstWords(ctx context.Context, sums *count.Counter[string]) ([]string, error) {
	var words []string
	last, begun := "", false
	err := sums.Each(ctx, 1, func(key string, _ uint64) bool {
		first, _, _ := strings.Cut(key, "\x00")
		if _, mark := marks[first]; mark || begun && first == last {
			return true
		}
		last, begun = strings.Clone(first), true
		words = append(words, count.WordOf(last))
		return true
	})
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("%w: there are no tokens", kind.ErrNoData)
	}
	return words, err
}
