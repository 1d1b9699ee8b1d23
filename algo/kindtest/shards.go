package kindtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// spread runs tasks over shards here, as a process on another machine would: with a new model for each call, and merges
// in a random order and grouping.
type spread struct {
	t       testing.TB
	c       Case
	inputs  []kind.Input
	parts   int
	rng     *rand.Rand
	tasks   int
	tamper  func(task kind.Task, found [][]byte) // of one shard, may be nil
	stopped context.CancelFunc                   // after the first task, may be nil
}

func (s *spread) shards() *kind.Shards { return &kind.Shards{Parts: s.parts, Run: s.run} }

// one is a model with the options of the case and nothing else.
func (s *spread) one() kind.Sharded { return kind.Unwrap(fresh(s.t, s.c)).(kind.Sharded) }

func (s *spread) run(ctx context.Context, task kind.Task) ([][]byte, error) {
	s.tasks++
	if s.stopped != nil {
		defer s.stopped()
	}
	n := len(s.inputs)
	if task.Items != nil {
		n = len(task.Items)
	}
	lists := make([][][]byte, s.parts)
	for _, i := range s.rng.Perm(n) {
		tr, item := training(s.c), []byte(nil)
		tr.On, tr.Workers = kind.Documents(nil), 1+s.rng.IntN(2)
		tr.Shards = &kind.Shards{Parts: s.parts}
		if task.Items != nil {
			item = bytes.Clone(task.Items[i])
		} else {
			tr.On = s.inputs[i]
		}
		found, err := s.one().MapShard(ctx, tr, task, item)
		if err != nil {
			return nil, err
		}
		if len(found) > s.parts && task.Items == nil {
			return nil, fmt.Errorf("%d parts, where %d are the most", len(found), s.parts)
		}
		if s.tamper != nil {
			s.tamper(task, found)
		}
		for k, f := range found {
			for k >= len(lists) {
				lists = append(lists, nil)
			}
			if f != nil {
				lists[k] = append(lists[k], f)
			}
		}
	}
	out := make([][]byte, len(lists))
	for k, list := range lists {
		if len(list) == 0 {
			continue
		}
		var err error
		if out[k], err = s.merge(ctx, task.Name, list); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// merge merges two of the list at a time, or all at once.
func (s *spread) merge(ctx context.Context, task string, list [][]byte) ([]byte, error) {
	s.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for len(list) > 1 && s.rng.IntN(4) > 0 {
		both, err := s.one().MergeShards(ctx, task, list[:2])
		if err != nil {
			return nil, err
		}
		list = append([][]byte{both}, list[2:]...)
	}
	return s.one().MergeShards(ctx, task, list)
}

// cutAtRandom deals the documents of the case out to n shards, some of which may be empty.
func cutAtRandom(c Case, n int, rng *rand.Rand) []kind.Input {
	shards := make([][]*text.Document, n)
	for _, i := range rng.Perm(len(c.Train)) {
		k := rng.IntN(n)
		shards[k] = append(shards[k], c.Train[i])
	}
	out := make([]kind.Input, n)
	for k, docs := range shards {
		out[k] = kind.Documents(docs)
	}
	return out
}

// overShards holds a Sharded kind to its laws: for any cut of the input and any order of merges, the model has the
// bytes of one process; damaged finds are refused; a context that has ended ends it.
func overShards(t *testing.T, c Case) {
	over := func(s *spread, ctx context.Context) (kind.Model, error) {
		m, tr := fresh(t, c), training(c)
		if c.Tables == nil {
			tr.On = kind.Documents(nil)
		}
		tr.Shards = s.shards()
		return m, m.Train(ctx, tr)
	}
	rng := rand.New(rand.NewPCG(7, 11))
	want := encoded(t, trained(t, c, 1))
	for round := range 4 {
		s := &spread{t: t, c: c, parts: 1 + round, rng: rng, inputs: cutAtRandom(c, 1+2*round, rng)}
		m, err := over(s, background)
		if errors.Is(err, kind.ErrOneProcess) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.tasks == 0 {
			t.Fatal("no task was run")
		}
		got := encoded(t, m)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%d shards, %d parts: section %s differs from that of one process", len(s.inputs), s.parts, name)
			}
		}
	}
	none := &spread{t: t, c: c, parts: 2, rng: rng, inputs: []kind.Input{kind.Documents(nil), kind.Documents(nil)}}
	if c.Tables == nil {
		if _, err := over(none, background); !errors.Is(err, kind.ErrNoData) {
			t.Errorf("shards without documents: %v, want ErrNoData", err)
		}
	}
	damagedShards(t, c, over, rng)
	ctx, cancel := context.WithCancel(background)
	s := &spread{t: t, c: c, parts: 2, rng: rng, inputs: cutAtRandom(c, 3, rng), stopped: cancel}
	if _, err := over(s, ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled after the first task: %v", err)
	}
}

// damagedShards cuts what shards find short, and flips a bit of it: training fails or gives a model, without a panic,
// and does not take the cut for whole.
func damagedShards(t *testing.T, c Case, over func(*spread, context.Context) (kind.Model, error), rng *rand.Rand) {
	for _, cut := range []bool{true, false} {
		done := false
		s := &spread{t: t, c: c, parts: 2, rng: rng, inputs: cutAtRandom(c, 3, rng)}
		s.tamper = func(_ kind.Task, found [][]byte) {
			for k, f := range found {
				if done || len(f) == 0 {
					continue
				}
				done = true
				if cut {
					found[k] = f[:len(f)-1]
				} else {
					found[k] = bytes.Clone(f)
					found[k][len(f)/2] ^= 0x10
				}
			}
		}
		if _, err := over(s, background); err == nil && cut {
			t.Error("a find that was cut short is taken for whole")
		}
	}
}
