package entityresolver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/resolve/hierarchy"
	"parlance/algo/resolve/layers"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
)

// run samples the blocks, some at a time. Each has random numbers of its own, so that nothing depends on the workers.
type run struct {
	*input
	t      *kind.Training
	began  time.Time
	until  time.Time
	keeper *checkpoint.Keeper
	weigh  *record.Weighing
	locals []*record.Localizer // of each worker
	bagOf  []uint8             // of the store, for trees
	late   int                 // blocks that time has not sufficed for
}

// batches is in about how many parts the records are sampled: after each there is a report, and maybe a checkpoint.
const batches = 16

// outcome is what became of a block. Numbers are places in it.
type outcome struct {
	labels  []int32
	samples [][]int32
	scores  []float64 // of the samples
	parent  []int32   // of items, then of inner nodes; nil without trees
	sweeps  []mcmc.Trace
	built   int64
	stopped bool
}

// all samples the blocks that are not done.
func (r *run) all(ctx context.Context) error {
	m := r.m
	r.weigh = r.store.Weigh(m.weights, m.Info.Bias)
	if m.opt.model == hierarchicalModel {
		r.bagOf = r.store.BagOf()
	}
	r.prepare()
	workers := max(1, r.t.Workers)
	for range workers {
		r.locals = append(r.locals, nil)
	}
	for m.Info.Done < len(r.blocks) {
		from, to, records := m.Info.Done, m.Info.Done, 0
		for to < len(r.blocks) && (to == from || records+len(r.blocks[to].Items) <= len(m.ids)/batches) {
			records += len(r.blocks[to].Items)
			to++
		}
		if err := r.batch(ctx, workers, from, to); err != nil {
			return err
		}
		m.Info.Done = to
		r.report(to)
		if to < len(r.blocks) {
			if err := r.keeper.Save(m.found); err != nil {
				return err
			}
		}
	}
	if r.late > 0 {
		r.t.Notice(fmt.Sprintf("time ran out after %.1f s in %s of %d: the best state so far is kept; init = "+
			"refines it",
			time.Since(r.began).Seconds(), plural(r.late, "block"), len(r.blocks)))
	}
	return nil
}

// prepare makes room for samples, trees and the trace.
func (r *run) prepare() {
	m := r.m
	if m.Info.Done > 0 {
		return
	}
	if m.opt.model == pairwiseModel {
		m.samples = nil
		m.Info.Chains, m.Info.Scores = m.opt.chains, make([]float64, m.opt.chains*m.opt.samples)
		for range m.Info.Scores {
			s := make([]uint32, len(m.ids))
			for i := range s {
				s[i] = uint32(i)
			}
			m.samples = append(m.samples, s)
		}
	} else {
		m.parent = make([]uint32, len(m.ids))
		for i := range m.parent {
			m.parent[i] = uint32(i)
		}
	}
	// Without init, and outside of blocks, each record is an entity.
	inside := make([]bool, len(m.ids))
	for _, b := range r.blocks {
		for _, i := range b.Items {
			inside[i] = true
		}
	}
	for i := range m.labels {
		if !inside[i] {
			m.labels[i] = uint32(i)
		}
	}
}

// batch samples some blocks and takes over what became of them, in order.
func (r *run) batch(ctx context.Context, workers, from, to int) error {
	out := make([]*outcome, to-from)
	if r.m.opt.model == layeredModel {
		workers = 1 // they are in the shards of each block
	}
	err := parallel.For(ctx, workers, to-from, func(worker, k int) (err error) {
		if r.locals[worker] == nil {
			r.locals[worker] = record.NewLocalizer(r.store)
		}
		out[k], err = r.block(ctx, r.locals[worker], from+k)
		return err
	})
	if err != nil {
		return err
	}
	for k, o := range out {
		r.take(from+k, o)
	}
	return nil
}

// task is a block as a chain sees it, without vectors if there is no localizer.
func (r *run) task(z *record.Localizer, b int) *pairwise.Task {
	block := &r.blocks[b]
	t := &pairwise.Task{Stream: uint64(b), Until: r.until}
	if z != nil {
		t.Local = z.Local(block.Items, r.weigh)
	}
	t.Partners = mcmc.Partners{Items: block.Lists, Lists: block.Of}
	t.Labels = make([]int32, len(block.Items))
	place := map[int32]int32{}
	if r.must != nil || len(r.cannot) > 0 {
		for i, item := range block.Items {
			place[item] = int32(i)
		}
	}
	names := map[uint32]int32{}
	for i, item := range block.Items {
		l := r.m.labels[item]
		if _, ok := names[l]; !ok {
			names[l] = int32(len(names))
		}
		t.Labels[i] = names[l]
	}
	if r.must != nil {
		t.Must = make([]int32, len(block.Items))
		for i, item := range block.Items {
			t.Must[i] = place[r.must[item]]
		}
	}
	for _, c := range r.cannot {
		x, ok := place[c[0]]
		y, both := place[c[1]]
		if ok && both {
			t.Cannot = append(t.Cannot, [2]int32{x, y})
		}
	}
	return t
}

// block samples a block by the model of the options.
func (r *run) block(ctx context.Context, z *record.Localizer, b int) (*outcome, error) {
	switch r.m.opt.model {
	case hierarchicalModel:
		return r.hierarchical(ctx, b)
	case layeredModel:
		return r.layered(ctx, b)
	}
	return r.pairwise(ctx, r.task(z, b))
}

// layered finds the entities of a block in rounds over shards, on which the workers are.
func (r *run) layered(ctx context.Context, b int) (*outcome, error) {
	o := &r.m.opt
	t, s := r.task(nil, b), o.sampling(0)
	l := layers.Options{Weights: r.m.weights, Bias: r.m.Info.Bias, SubBias: o.subBias, SuperBias: o.superBias,
		Sub: o.layers == "sub" || o.layers == "combined", Super: o.layers == "super" || o.layers == "combined",
		Shards: o.shards, Rounds: o.rounds, Sweeps: o.sweeps, Schedule: s.Schedule, Proposal: s.Proposal,
		Gibbs: s.Gibbs, Evaluation: s.Evaluation, Seed: r.t.Seed}
	if r.t.Shards != nil && len(r.blocks[b].Items) >= r.m.away {
		l.Away = r.away
	}
	x, err := layers.Run(ctx, &layers.Task{Store: r.store, Items: r.blocks[b].Items, Labels: t.Labels, Must: t.Must,
		Cannot: t.Cannot, Stream: t.Stream, Until: t.Until}, r.t.Workers, &l)
	if err != nil {
		return nil, err
	}
	return &outcome{labels: x.Entity, parent: nested(x.Sub, x.Entity, x.Super), sweeps: x.Rounds,
		stopped: x.Stopped}, nil
}

// nested are the parents of items, then of sub-entities, entities and super-entities, which lie in each other. Groups
// of one are left out.
func nested(levels ...[]int32) []int32 {
	n := len(levels[0])
	parent := make([]int32, n)
	top := make([]int32, n) // the highest node over each item so far
	for i := range parent {
		parent[i], top[i] = int32(i), int32(i)
	}
	for _, level := range levels {
		below := map[int32][]int32{} // the different nodes of each group
		var order []int32
		for i, l := range level {
			if below[l] == nil {
				order = append(order, l)
			}
			if list := below[l]; !slices.Contains(list[max(0, len(list)-1):], top[i]) {
				below[l] = append(list, top[i])
			}
		}
		for _, l := range order {
			slices.Sort(below[l])
			list := slices.Compact(below[l])
			if len(list) < 2 {
				continue
			}
			node := int32(len(parent))
			parent = append(parent, node)
			for _, x := range list {
				parent[x] = node
			}
		}
		for i := range top {
			for parent[top[i]] != top[i] {
				top[i] = parent[top[i]]
			}
		}
	}
	return parent
}

// hierarchical finds the entities of a block as trees.
func (r *run) hierarchical(ctx context.Context, b int) (*outcome, error) {
	o := &r.m.opt
	t := r.task(nil, b)
	h := &hierarchy.Task{Store: r.store, BagOf: r.bagOf, Items: r.blocks[b].Items, Partners: t.Partners,
		Labels: t.Labels, Must: t.Must,
		Cannot: t.Cannot, Stream: t.Stream, Until: t.Until}
	x, err := hierarchy.Run(ctx, h, r.m.weights, &hierarchy.Options{RootCost: o.rootCost, NodeCost: o.nodeCost,
		Ideal:       o.ideal,
		ExcludeSelf: o.excludeSelf, Exact: o.scoring == "exact", MaxDepth: o.maxDepth, Sweeps: o.sweeps,
		Schedule: o.sampling(0).Schedule, Seed: r.t.Seed})
	if err != nil {
		return nil, err
	}
	return &outcome{labels: x.Labels, parent: x.Parent, sweeps: x.Sweeps, stopped: x.Stopped}, nil
}

func (r *run) pairwise(ctx context.Context, t *pairwise.Task) (*outcome, error) {
	o := r.m.opt.sampling(r.t.Seed)
	x, err := pairwise.Run(ctx, t, &o)
	if err != nil {
		return nil, err
	}
	return &outcome{labels: x.Labels, samples: x.Samples, scores: x.Scores, sweeps: x.Sweeps, built: x.Built,
		stopped: x.Stopped}, nil
}

// take writes what became of a block into the state.
func (r *run) take(b int, o *outcome) {
	m, items := r.m, r.blocks[b].Items
	m.Info.Blocks[b].Entities = rename(items, o.labels, m.labels)
	for k, s := range o.samples {
		rename(items, s, m.samples[k])
		m.Info.Scores[k] += o.scores[k]
	}
	if o.stopped {
		r.late++
		for k := range m.samples {
			rename(items, o.labels, m.samples[k])
		}
	}
	r.graft(items, o.parent)
	for k, s := range o.sweeps {
		if k == len(m.Info.Sweeps) {
			m.Info.Sweeps = append(m.Info.Sweeps, sweep{Temperature: r.temperature(k)})
		}
		x := &m.Info.Sweeps[k]
		x.Proposals, x.Accepted = x.Proposals+s.Proposals, x.Accepted+s.Accepted
		x.Factors, x.Gain = x.Factors+s.Factors, x.Gain+s.Gain
	}
	m.Info.Built += o.built
}

// temperature is that of a sweep of the trace.
func (r *run) temperature(k int) float64 {
	o := r.m.opt.sampling(0)
	n := r.m.opt.sweeps
	if r.m.opt.model == layeredModel {
		n = r.m.opt.rounds
	}
	return o.Schedule.At(k, n)
}

// graft adds the tree of a block to those of the state: inner nodes get numbers behind those there are.
func (r *run) graft(items []int32, parent []int32) {
	m := r.m
	if parent == nil {
		return
	}
	n, base := len(items), len(m.parent)
	number := func(k int32) uint32 {
		if int(k) < n {
			return uint32(items[k])
		}
		return uint32(base + int(k) - n)
	}
	for range len(parent) - n {
		m.parent = append(m.parent, 0)
	}
	for k, p := range parent {
		m.parent[number(int32(k))] = number(p)
	}
}

// rename writes labels of items as the number of the first item of each, and returns how many there are.
func rename(items, labels []int32, into []uint32) int {
	first := map[int32]uint32{}
	for i, item := range items {
		if _, ok := first[labels[i]]; !ok {
			first[labels[i]] = uint32(item)
		}
		into[item] = first[labels[i]]
	}
	return len(first)
}

// finish drops what only a training needs.
func (m *model) finish() {
	m.Info.Done = 0
	m.ends = slices.Clip(m.ends)
}
