package latentclasses

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/numeric/packed"
)

// Over shards, the counts are read here and cut by words. A round sends each shard, with the parameters of its words,
// and the parameters of the contexts to where it is done; back come the sums of all, and each shard as it is now.

var _ kind.Sharded = (*model)(nil)

// iterateTask is the only task. Its parts are the sums, then the shards.
const iterateTask = "iterate"

// away is the words in shards elsewhere.
type away struct {
	shards *kind.Shards
	items  [][]byte // shards as MapShard gets them
}

// send cuts the words into shards.
func (a *away) send(s *Shard) {
	a.items = nil
	for i, part := range s.cut(max(a.shards.Parts, 1)) {
		a.items = append(a.items, packed.Bytes((&item{i, part}).write))
	}
}

// iterate does an iteration of all shards.
func (a *away) iterate(ctx context.Context, c *Contexts, sums *Sums, prune float64) error {
	shared := packed.Bytes(func(w *packed.Writer) {
		w.Float(prune)
		c.write(w)
	})
	found, err := a.shards.Run(ctx, kind.Task{Name: iterateTask, Shared: shared, Items: a.items})
	if err != nil {
		return err
	}
	if len(found) != 1+len(a.items) {
		return fmt.Errorf("%w: %d shards and sums came back of %d shards", packed.ErrDamaged, len(found), len(a.items))
	}
	*sums = Sums{}
	a.items = found[1:]
	if err := packed.Load(found[0], sums.read); err != nil {
		return err
	}
	if len(sums.counts) != len(c.p) {
		return fmt.Errorf("%w: the sums are not those of the model", packed.ErrDamaged)
	}
	return nil
}

// collect takes the parameters of the words back.
func (a *away) collect(s *Shard) error {
	at := 0
	for i, p := range a.items {
		var x item
		if err := packed.Load(p, x.read); err != nil {
			return err
		}
		if x.number != i || at+len(x.shard.words) > len(s.words) {
			return fmt.Errorf("%w: shard %d is another", packed.ErrDamaged, i)
		}
		at += copy(s.words[at:], x.shard.words)
	}
	if at != len(s.words) {
		return fmt.Errorf("%w: words are missing", packed.ErrDamaged)
	}
	return nil
}

// item is a shard with its number.
type item struct {
	number int
	shard  *Shard
}

func (x *item) write(w *packed.Writer) {
	w.Number(uint64(x.number))
	x.shard.write(w)
}

func (x *item) read(r *packed.Reader) {
	x.number, x.shard = r.Count(math.MaxInt32), &Shard{}
	x.shard.read(r)
}

// MapShard does an iteration of a shard.
func (m *model) MapShard(ctx context.Context, t *kind.Training, task kind.Task, p []byte) ([][]byte, error) {
	var x item
	var c Contexts
	prune := 0.0
	if err := packed.Load(p, x.read); err != nil {
		return nil, err
	}
	err := packed.Load(task.Shared, func(r *packed.Reader) {
		prune = r.Float()
		c.read(r)
	})
	if err != nil {
		return nil, err
	}
	if len(c.p) != x.shard.contexts*c.Classes || len(x.shard.words) != x.shard.rows.Len()*c.Classes {
		return nil, fmt.Errorf("%w: the shard is of another model", packed.ErrDamaged)
	}
	sums := &Sums{}
	if err := x.shard.Map(ctx, &c, sums, prune, t.Workers); err != nil {
		return nil, err
	}
	found := make([][]byte, 2+x.number)
	found[0], found[1+x.number] = packed.Bytes(sums.write), packed.Bytes(x.write)
	return found, nil
}

// MergeShards adds up sums. A shard is found once.
func (m *model) MergeShards(_ context.Context, _ string, found [][]byte) ([]byte, error) {
	if len(found) == 1 {
		return found[0], nil
	}
	total := &Sums{}
	for _, f := range found {
		s := &Sums{}
		if err := packed.Load(f, s.read); err != nil {
			return nil, err
		}
		if total.counts != nil && (len(s.counts) != len(total.counts) || len(s.classes) != len(total.classes)) {
			return nil, fmt.Errorf("%w: sums of other models", packed.ErrDamaged)
		}
		total.Add(s)
	}
	return packed.Bytes(total.write), nil
}
