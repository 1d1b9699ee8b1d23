package entityresolver

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/numeric/packed"
	"parlance/algo/resolve/layers"
)

// Over shards, the records are read here. Each round of model = layered sends the shards of a block to where they are
// sampled, and deals out what comes back.

var _ kind.Sharded = (*model)(nil)

// roundTask is the only task. Its items and its parts are the shards.
const roundTask = "round"

// fewRecords make a block that is sampled here: sending it would take longer.
const fewRecords = 1000

// away samples the shards of a round elsewhere.
func (r *run) away(ctx context.Context, shards []*layers.Shard) error {
	items := make([][]byte, len(shards))
	for i, s := range shards {
		p, err := numbered(i, s)
		if err != nil {
			return err
		}
		items[i] = p
	}
	found, err := r.t.Shards.Run(ctx, kind.Task{Name: roundTask, Items: items})
	if err != nil {
		return err
	}
	if len(found) != len(items) {
		return fmt.Errorf("%w: %d shards came back of %d", packed.ErrDamaged, len(found), len(items))
	}
	for i, p := range found {
		n, s, err := r.m.shard(p)
		if err != nil {
			return err
		}
		if n != i || len(s.Items) != len(shards[i].Items) {
			return fmt.Errorf("%w: shard %d is another", packed.ErrDamaged, i)
		}
		shards[i].Sub, shards[i].Entity, shards[i].Trace = s.Sub, s.Entity, s.Trace
	}
	return nil
}

// numbered is a shard with its number.
func numbered(i int, s *layers.Shard) ([]byte, error) {
	p, err := s.MarshalBinary()
	return packed.Bytes(func(w *packed.Writer) {
		w.Number(uint64(i))
		w.Number(uint64(len(p)))
		w.Text(string(p))
	}), err
}

// shard reads what numbered wrote.
func (m *model) shard(p []byte) (i int, s *layers.Shard, err error) {
	var inner string
	err = packed.Load(p, func(r *packed.Reader) {
		i = r.Count(1 << 30)
		inner = r.Text(r.Count(len(p)))
	})
	if err == nil {
		s, err = layers.ReadShard(m.opt.attributes, []byte(inner))
	}
	return i, s, err
}

// MapShard samples a shard.
func (m *model) MapShard(ctx context.Context, _ *kind.Training, _ kind.Task, item []byte) ([][]byte, error) {
	i, s, err := m.shard(item)
	if err != nil {
		return nil, err
	}
	if err := s.Map(ctx); err != nil {
		return nil, err
	}
	found := make([][]byte, i+1)
	found[i], err = numbered(i, s)
	return found, err
}

// MergeShards returns what was found of a shard, which is found once.
func (m *model) MergeShards(_ context.Context, _ string, found [][]byte) ([]byte, error) {
	if len(found) != 1 {
		return nil, fmt.Errorf("%w: a shard was found %d times", packed.ErrDamaged, len(found))
	}
	return found[0], nil
}
