package transitionparser

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Sentences are read in batches with the same weights, whose mistakes become updates in order: the
// weights do not depend on the number of workers (Zhao and Huang 2013). Small corpora have small batches; a
// sentence alone updates after each mistake.
const (
	maxBatch       = 8
	batchesAnEpoch = 1000
)

// batchOf is the number of sentences of a batch of a corpus of n.
func batchOf(sentences int) int { return max(1, min(maxBatch, sentences/batchesAnEpoch)) }

// batches sets the number of sentences of a batch.
func (l *trainer) batches(size int) {
	l.size = size
	for i := range l.corrections {
		l.corrections[i] = make([]corrections, size)
	}
}

// pass is one epoch, in an order drawn from the seed and the epoch.
func (l *trainer) pass(ctx context.Context, order []int, epoch int) error {
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(l.seed, uint64(epoch)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	l.epoch, l.explore, l.moves.updates = epoch, 0, 0
	if l.dynamic != nil && epoch > l.m.opt.exploreAfter {
		l.explore = l.m.opt.explore
	}
	if l.label != nil {
		l.label.updates = 0
	}
	for from := 0; from < len(order); from += l.size {
		if err := l.read(ctx, order[from:min(from+l.size, len(order))]); err != nil {
			return err
		}
		l.update()
	}
	return nil
}

// read reads sentences with the weights as they are: first the labels, which take longer, then moves.
func (l *trainer) read(ctx context.Context, now []int) error {
	for i := range l.corrections {
		l.corrections[i] = l.corrections[i][:len(now)]
	}
	tasks, turn := len(now), l.longest(now)
	if l.label != nil {
		tasks *= 2
	}
	l.each(tasks, func(r *reader, task int) {
		i := turn[task%len(now)]
		if task < tasks-len(now) {
			r.labels(ctx, &l.bank.sentences[now[i]], &l.corrections[1][i])
			return
		}
		r.moves(ctx, &l.bank.sentences[now[i]], uint64(now[i]), &l.corrections[0][i])
	})
	return ctx.Err()
}

// longest numbers the sentences of a batch, the longest first, so that no worker waits long for another.
func (l *trainer) longest(now []int) []int {
	l.turn = l.turn[:0]
	for i := range now {
		l.turn = append(l.turn, i)
	}
	slices.SortStableFunc(l.turn, func(a, b int) int {
		return l.bank.sentences[now[b]].tree.Len() - l.bank.sentences[now[a]].tree.Len()
	})
	return l.turn
}

// update learns from the corrections of a batch. Each worker has rows of its own, so that their number changes
// nothing.
func (l *trainer) update() {
	found := l.moves.count(l.corrections[0])
	if l.label != nil {
		found += l.label.count(l.corrections[1])
	}
	shards := len(l.readers)
	if found == 0 {
		return
	}
	l.each(shards, func(_ *reader, shard int) {
		l.moves.learn(l.corrections[0], shard, shards)
		if l.label != nil {
			l.label.learn(l.corrections[1], shard, shards)
		}
	})
}

// meanwhile learns at once from what a sentence taught so far, where it is alone in its batch.
func (l *trainer) meanwhile(of *learner, x *corrections) {
	if l.size > 1 {
		return
	}
	one := []corrections{*x}
	of.count(one)
	of.learn(one, 0, 1)
	x.reset()
}

// each calls f for 0..n−1, each time with the reader that is free.
func (l *trainer) each(n int, f func(r *reader, i int)) {
	l.pool.Each(n, func(worker, i int) { f(l.readers[worker], i) })
}
