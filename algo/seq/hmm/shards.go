package hmm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/numeric/packed"
)

// States are found over shards in rounds. First each shard counts its words, of which the symbols are made; then, once
// an iteration, its expected counts by the model that all are told. Both add up exactly.

var _ kind.Sharded = (*model)(nil)

// The tasks.
const (
	wordsTask  = "words"
	expectTask = "expect"
)

// MapShard counts words, or expected counts.
func (m *model) MapShard(ctx context.Context, t *kind.Training, task kind.Task, _ []byte) ([][]byte, error) {
	target, err := m.target()
	if err != nil {
		return nil, err
	}
	r, err := m.read(ctx, t, target)
	if errors.Is(err, kind.ErrNoData) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if task.Name == wordsTask {
		return countWords(ctx, r, t.Shards.Parts)
	}
	var g guess
	if err := packed.Load(task.Shared, g.read); err != nil {
		return nil, err
	}
	s, err := g.markov.expect(ctx, g.symbols.sentences(r), g.tokens, t.Workers)
	if err != nil {
		return nil, err
	}
	return [][]byte{packed.Bytes(s.write)}, nil
}

func countWords(ctx context.Context, r *corpus, parts int) (_ [][]byte, err error) {
	c := count.New[string](count.Options{})
	defer func() { err = errors.Join(err, c.Close()) }()
	w := c.Writer(ctx)
	for _, word := range r.words {
		if err = w.AddN(word, uint64(r.count[word])); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	if err = w.Close(); err != nil {
		return nil, err
	}
	return count.SaveParts(ctx, c, parts)
}

// MergeShards adds up counts.
func (m *model) MergeShards(ctx context.Context, task string, found [][]byte) ([]byte, error) {
	if task == wordsTask {
		return count.MergeParts(ctx, found)
	}
	total, err := mergeSums(found)
	if err != nil {
		return nil, err
	}
	return packed.Bytes(total.write), nil
}

func mergeSums(found [][]byte) (*sums, error) {
	var total *sums
	for _, f := range found {
		s := &sums{}
		if err := packed.Load(f, s.read); err != nil {
			return nil, err
		}
		if total == nil {
			total = s
			continue
		}
		if len(s.start) != len(total.start) || len(s.emit) != len(total.emit) {
			return nil, fmt.Errorf("%w: sums of other models", packed.ErrDamaged)
		}
		total.add(s)
	}
	return total, nil
}

// trainShards finds states.
func (m *model) trainShards(ctx context.Context, t *kind.Training) error {
	if m.opt.states == 0 {
		return fmt.Errorf("%w: labels are counted in one process; over shards, states are found (states = n)",
			kind.ErrOneProcess)
	}
	words, counts, err := sumWords(ctx, t)
	if err != nil {
		return err
	}
	m.symbols = newSymbols(words, counts, m.opt.minCount)
	err = m.find(ctx, t, counts, func(ctx context.Context, tokens int) (*sums, error) {
		g := guess{tokens, m.symbols, m.markov}
		found, err := t.Shards.Run(ctx, kind.Task{Name: expectTask, Shared: packed.Bytes(g.write)})
		if err != nil {
			return nil, err
		}
		s, err := mergeSums(found[:min(1, len(found))])
		if err == nil && (s == nil || len(s.start) != m.markov.states || len(s.emit) != len(m.markov.emit)) {
			err = fmt.Errorf("%w: the sums are not those of the model", packed.ErrDamaged)
		}
		return s, err
	})
	if err != nil {
		return err
	}
	return m.ready()
}

// sumWords is the words of all shards, in order, with their counts.
func sumWords(ctx context.Context, t *kind.Training) (words []string, counts map[string]int, err error) {
	parts, err := t.Shards.Run(ctx, kind.Task{Name: wordsTask})
	if err != nil {
		return nil, nil, err
	}
	c, err := count.LoadParts(ctx, parts, count.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	counts = map[string]int{}
	err = c.Each(ctx, 1, func(w string, n uint64) bool {
		words = append(words, w)
		counts[w] = int(n)
		return true
	})
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("%w: the documents have no tokens", kind.ErrNoData)
	}
	return words, counts, err
}

// guess is the model of an iteration, as shards are told it.
type guess struct {
	tokens  int // of all shards
	symbols *symbols
	markov  *markov
}

func (g *guess) write(w *packed.Writer) {
	w.Number(uint64(g.tokens))
	w.Number(uint64(g.markov.states))
	w.Number(uint64(len(g.symbols.names)))
	for _, s := range g.symbols.names {
		w.Number(uint64(len(s)))
		w.Text(s)
	}
	w.Floats(g.markov.start)
	w.Floats(g.markov.trans)
	w.Floats(g.markov.emit)
}

func (g *guess) read(r *packed.Reader) {
	g.tokens = r.Count(math.MaxInt)
	states, n := r.Count(maxStates), r.Count(math.MaxInt32)
	g.symbols = &symbols{ids: map[string]uint32{}}
	for i := 0; i < n && r.Err() == nil; i++ {
		g.symbols.add(r.Text(r.Count(1 << 24)))
	}
	g.markov = &markov{states: states, symbols: n, start: r.Floats(states), trans: r.Floats(states * states),
		emit: r.Floats(n * states)}
}

func (s *sums) write(w *packed.Writer) {
	w.Number(uint64(len(s.start)))
	w.Number(uint64(len(s.emit)))
	w.Integers([]int64{s.logLik})
	w.Integers(s.start)
	w.Integers(s.trans)
	w.Integers(s.emit)
}

func (s *sums) read(r *packed.Reader) {
	states, emit := r.Count(maxStates), r.Count(math.MaxInt)
	if l := r.Integers(1); r.Err() == nil {
		s.logLik = l[0]
	}
	s.start, s.trans, s.emit = r.Integers(states), r.Integers(states*states), r.Integers(emit)
}
