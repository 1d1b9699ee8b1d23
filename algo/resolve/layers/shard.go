package layers

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"

	"parlance/algo/engine/mcmc"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
)

// Shard is some whole entities with all that their sampling needs: Map is a function of it alone, wherever it runs.
// Numbers of Sub and Entity are names of before, and places in the shard after Map.
type Shard struct {
	Options     Options
	Store       *record.Store
	Items       []int32 // what they are called outside
	Sub, Entity []int32
	Must        []int32
	Cannot      [][2]int32
	Seed        uint64
	Stream      []uint64
	Temperature float64
	Trace       mcmc.Trace
}

// Map samples the shard: records within their entities, then sub-entities.
func (f *Shard) Map(ctx context.Context) error {
	f.Entity, f.Sub = dense(f.Entity), dense(f.Sub)
	if f.Options.Sub {
		if err := f.within(ctx); err != nil {
			return err
		}
	}
	if err := f.between(ctx); err != nil {
		return err
	}
	number(f.Sub)
	number(f.Entity)
	return nil
}

// within moves records between the sub-entities of each entity.
func (f *Shard) within(ctx context.Context) error {
	members, _ := groups(f.Entity)
	next := int32(0)
	for k, list := range members {
		if len(list) == 1 {
			f.Sub[list[0]] = next
			next++
			continue
		}
		l := level{store: f.Store.Subset(list), bias: f.Options.SubBias}
		labels, place := make([]int32, len(list)), map[int32]int32{}
		for j, i := range list {
			labels[j], place[i] = f.Sub[i], int32(j)
		}
		l.labels = dense(labels)
		if f.Must != nil {
			for _, i := range list {
				l.must = append(l.must, place[f.Must[i]])
			}
		}
		t, err := l.run(ctx, &f.Options, f.Temperature, f.Seed, append([]uint64{1, uint64(k)}, f.Stream...))
		if err != nil {
			return err
		}
		f.Trace.Add(t)
		top := next
		for j, i := range list {
			f.Sub[i] = next + l.labels[j]
			top = max(top, f.Sub[i]+1)
		}
		next = top
	}
	return nil
}

// between moves sub-entities, or records where there are none, between entities.
func (f *Shard) between(ctx context.Context) error {
	members, store := make([][]int32, len(f.Items)), f.Store
	of := make([]int32, len(f.Items)) // sub-entity of each record, by number
	if f.Options.Sub {
		members, _ = groups(f.Sub)
		store = f.Store.Group(members)
	} else {
		for i := range members {
			members[i] = []int32{int32(i)}
		}
	}
	l := level{store: store, bias: f.Options.Bias}
	labels := make([]int32, len(members))
	for k, list := range members {
		labels[k] = f.Entity[list[0]]
		for _, i := range list {
			of[i] = int32(k)
		}
	}
	l.labels = dense(labels)
	if f.Must != nil && !f.Options.Sub {
		l.must = f.Must
	}
	for _, c := range f.Cannot {
		l.cannot = append(l.cannot, [2]int32{of[c[0]], of[c[1]]})
	}
	t, err := l.run(ctx, &f.Options, f.Temperature, f.Seed, append([]uint64{2}, f.Stream...))
	if err != nil {
		return err
	}
	f.Trace.Add(t)
	for i, k := range of {
		f.Entity[i] = l.labels[k]
	}
	return nil
}

// level is a layer: items with the groups that they are in.
type level struct {
	store  *record.Store
	bias   float64
	labels []int32
	must   []int32
	cannot [][2]int32
}

// run moves items between groups.
func (l *level) run(ctx context.Context, o *Options, temperature float64, seed uint64, stream []uint64) (mcmc.Trace,
	error) {
	n := l.store.Len()
	if n < 2 {
		return mcmc.Trace{}, nil
	}
	items := make([]int32, n)
	for i := range items {
		items[i] = int32(i)
	}
	id := uint64(0)
	for _, x := range stream {
		id = mcmc.NewRand(id, x).Uint64()
	}
	t := &pairwise.Task{Local: record.NewLocalizer(l.store).Local(items, l.store.Weigh(o.Weights, l.bias)),
		Labels: l.labels, Must: l.must, Cannot: l.cannot, Stream: id}
	x, err := pairwise.Run(ctx, t, &pairwise.Options{Proposal: o.Proposal, Gibbs: o.Gibbs, Evaluation: o.Evaluation,
		Sweeps: o.Sweeps, Seed: seed, Temperature: 1,
		Schedule: mcmc.Schedule{First: temperature, Last: temperature}})
	if err != nil {
		return mcmc.Trace{}, err
	}
	l.labels = x.Labels
	var total mcmc.Trace
	for _, s := range x.Sweeps {
		total.Add(s)
	}
	total.Factors += x.Built
	return total, nil
}

// head is what of a shard is written as JSON.
type head struct {
	Options     Options
	Items       []int32
	Sub, Entity []int32
	Must        []int32
	Cannot      [][2]int32
	Seed        uint64
	Stream      []uint64
	Temperature float64
	Trace       mcmc.Trace
}

// MarshalBinary writes a shard file; the attributes of the records are not in it.
func (f *Shard) MarshalBinary() ([]byte, error) {
	p, err := json.Marshal(head{f.Options, f.Items, f.Sub, f.Entity, f.Must, f.Cannot, f.Seed, f.Stream, f.Temperature,
		f.Trace})
	if err != nil {
		return nil, err
	}
	out := binary.AppendUvarint(nil, uint64(len(p)))
	return f.Store.AppendRecords(append(out, p...)), nil
}

var errShard = errors.New("damaged shard file")

// ReadShard reads a shard file.
func ReadShard(list []record.Attribute, p []byte) (*Shard, error) {
	n, k := binary.Uvarint(p)
	if k <= 0 || n > uint64(len(p)-k) {
		return nil, errShard
	}
	var h head
	d := json.NewDecoder(bytes.NewReader(p[k : k+int(n)]))
	if err := d.Decode(&h); err != nil {
		return nil, errShard
	}
	store, _, err := record.ReadRecords(list, p[k+int(n):])
	if err != nil {
		return nil, err
	}
	m := store.Len()
	if len(h.Items) != m || len(h.Sub) != m || len(h.Entity) != m || h.Must != nil && len(h.Must) != m {
		return nil, errShard
	}
	return &Shard{h.Options, store, h.Items, h.Sub, h.Entity, h.Must, h.Cannot, h.Seed, h.Stream, h.Temperature,
		h.Trace}, nil
}
