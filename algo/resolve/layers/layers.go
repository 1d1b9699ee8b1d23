// Package layers finds entities in rounds over shards of records, with sub-entities and super-entities (Singh,
// Subramanya, Pereira and McCallum 2011).
//
// Three layers have the same model of pairs, each with its items and its bias: records in sub-entities, sub-entities in
// entities, entities in super-entities. The vector of a group is the sum of those of its members. A round is
//
//	map      in each shard, alone: move records between the sub-entities of their entity, then sub-entities between
//	         entities (shard.go)
//	reduce   move entities between super-entities, then deal these out to the shards (reduce)
//
// so that records which may be of one entity come together in a shard. Moves of different shards share no factor.
package layers

import (
	"cmp"
	"context"
	"slices"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
	"parlance/algo/numeric/parallel"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
)

// Options are the biases of the layers and how they are sampled.
type Options struct {
	Weights                  []float64
	Bias, SubBias, SuperBias float64
	Sub, Super               bool // layers that there are
	Shards, Rounds           int
	Sweeps                   int // of each layer in each round, with a proposal for each of its items
	Schedule                 mcmc.Schedule
	Proposal                 mcmc.Proposal
	Gibbs                    int // up to how many items of a layer they are drawn into a group given all others
	Evaluation               pairwise.Evaluation
	Seed                     uint64
	Watch                    func(round int, labels []int32,
		total mcmc.Trace) `json:"-"` // may be nil: after each round
	// maps the shards of a round in other processes; nil: here
	Away func(context.Context, []*Shard) error `json:"-"`
}

// Task is the records of a block. Numbers are places in Items.
type Task struct {
	Store  *record.Store
	Items  []int32
	Labels []int32    // entities to begin with, nil for one each
	Must   []int32    // for each item the first of those that it must be with, nil for none
	Cannot [][2]int32 // items that must not be together
	Stream uint64
	Until  time.Time
}

// Result is what became of a block.
type Result struct {
	Sub, Entity, Super []int32 // of each item, numbered by first items
	Rounds             []mcmc.Trace
	Stopped            bool
}

// state is the layers of a block.
type state struct {
	t     *Task
	o     *Options
	store *record.Store // of the items
	sub   []int32
	ent   []int32
	super []int32
	shard []int32 // of each item
}

// Run samples a block in rounds. Workers change nothing but the time.
func Run(ctx context.Context, t *Task, workers int, o *Options) (*Result, error) {
	s := start(t, o)
	out := &Result{}
	total := mcmc.Trace{}
	for round := range o.Rounds {
		if !t.Until.IsZero() && time.Now().After(t.Until) {
			out.Stopped = true
			break
		}
		trace, err := s.round(ctx, round, workers)
		if err != nil {
			return nil, err
		}
		out.Rounds = append(out.Rounds, trace)
		total.Add(trace)
		if o.Watch != nil {
			o.Watch(round, s.ent, total)
		}
	}
	out.Sub, out.Entity, out.Super = s.sub, s.ent, s.super
	return out, nil
}

// start is the state to begin with: each item alone on all layers, but for entities that are given and items that must
// be together.
func start(t *Task, o *Options) *state {
	n := len(t.Items)
	s := &state{t: t, o: o, store: t.Store.Subset(t.Items), sub: make([]int32, n), super: make([]int32, n),
		shard: make([]int32, n)}
	for i := range n {
		s.sub[i] = int32(i)
		if t.Must != nil {
			s.sub[i] = t.Must[i]
		}
	}
	task := pairwise.Task{Local: &record.Local{N: n}, Labels: t.Labels, Must: t.Must, Cannot: t.Cannot}
	s.ent = task.Start().Labels(nil)
	copy(s.super, s.ent)
	s.deal(mcmc.NewRand(o.Seed, t.Stream, 4))
	return s
}

// round is one of map and reduce.
func (s *state) round(ctx context.Context, round, workers int) (mcmc.Trace, error) {
	files := s.cut(round)
	var total mcmc.Trace
	if err := s.mapped(ctx, files, workers); err != nil {
		return total, err
	}
	for _, f := range files {
		s.take(f)
		total.Add(f.Trace)
	}
	number(s.sub)
	number(s.ent)
	if s.o.Super {
		t, err := s.regroup(ctx, round)
		if err != nil {
			return total, err
		}
		total.Add(t)
	}
	s.deal(mcmc.NewRand(s.o.Seed, s.t.Stream, 5, uint64(round)))
	return total, nil
}

// mapped maps the shards.
func (s *state) mapped(ctx context.Context, files []*Shard, workers int) error {
	if s.o.Away != nil {
		return s.o.Away(ctx, files)
	}
	return parallel.For(ctx, workers, len(files), func(_, k int) error { return files[k].Map(ctx) })
}

// number renames labels by the first item of each; labels of different shards differ.
func number(labels []int32) {
	first := map[int32]int32{}
	for i, l := range labels {
		if _, ok := first[l]; !ok {
			first[l] = int32(i)
		}
		labels[i] = first[l]
	}
}

// cut makes a file of each shard that has records.
func (s *state) cut(round int) []*Shard {
	var out []*Shard
	lists := make([][]int32, s.o.Shards)
	for i, k := range s.shard {
		lists[k] = append(lists[k], int32(i))
	}
	place := make([]int32, len(s.shard))
	for k, items := range lists {
		if len(items) == 0 {
			continue
		}
		f := &Shard{Options: *s.o, Store: s.store.Subset(items), Items: items, Seed: s.o.Seed,
			Stream:      []uint64{s.t.Stream, uint64(round), uint64(k)},
			Temperature: s.o.Schedule.At(round, s.o.Rounds)}
		for j, i := range items {
			place[i] = int32(j)
			f.Sub, f.Entity = append(f.Sub, s.sub[i]), append(f.Entity, s.ent[i])
		}
		if s.t.Must != nil {
			f.Must = make([]int32, len(items))
			for j, i := range items {
				f.Must[j] = place[s.t.Must[i]]
			}
		}
		for _, c := range s.t.Cannot {
			if int(s.shard[c[0]]) == k && int(s.shard[c[1]]) == k {
				f.Cannot = append(f.Cannot, [2]int32{place[c[0]], place[c[1]]})
			}
		}
		out = append(out, f)
	}
	return out
}

// take takes the labels of a shard over.
func (s *state) take(f *Shard) {
	for j, i := range f.Items {
		s.sub[i], s.ent[i] = f.Items[f.Sub[j]], f.Items[f.Entity[j]]
	}
}

// regroup moves entities between super-entities. New ones begin in that of their first item.
func (s *state) regroup(ctx context.Context, round int) (mcmc.Trace, error) {
	members, order := groups(s.ent)
	labels := make([]int32, len(order))
	for k, e := range order {
		labels[k] = s.super[e]
	}
	l := level{store: s.store.Group(members), bias: s.o.SuperBias, labels: dense(labels)}
	t, err := l.run(ctx, s.o, s.o.Schedule.At(round, s.o.Rounds), s.o.Seed, []uint64{s.t.Stream, uint64(round),
		1 << 40})
	if err != nil {
		return t, err
	}
	for k, list := range members {
		for _, i := range list {
			s.super[i] = l.labels[k]
		}
	}
	number(s.super)
	return t, nil
}

// deal gives super-entities, or entities where there are none, to shards: in a random order, each to the one that has
// fewest records. A super-entity of more than a fair share is dealt entity by entity.
func (s *state) deal(r *mcmc.Rand) {
	labels := s.ent
	if s.o.Super {
		labels = slices.Clone(s.super)
		n := map[int32]int{}
		for _, l := range labels {
			n[l]++
		}
		for i, l := range labels {
			if n[l] > (len(labels)+s.o.Shards-1)/s.o.Shards {
				labels[i] = int32(len(labels)) + s.ent[i]
			}
		}
	}
	members, _ := groups(labels)
	for k := len(members) - 1; k > 0; k-- {
		j := r.Intn(k + 1)
		members[k], members[j] = members[j], members[k]
	}
	slices.SortStableFunc(members, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	load := make([]int, s.o.Shards)
	for _, list := range members {
		least := 0
		for k := range load {
			if load[k] < load[least] {
				least = k
			}
		}
		load[least] += len(list)
		for _, i := range list {
			s.shard[i] = int32(least)
		}
	}
}

// groups lists the items of each label, in the order of first items, with the labels.
func groups(labels []int32) (members [][]int32, order []int32) {
	at := map[int32]int{}
	for i, l := range labels {
		k, ok := at[l]
		if !ok {
			k = len(members)
			at[l] = k
			members, order = append(members, nil), append(order, l)
		}
		members[k] = append(members[k], int32(i))
	}
	return members, order
}

// dense numbers labels from 0.
func dense(labels []int32) []int32 { return partition.FromLabels(labels).Labels(nil) }
