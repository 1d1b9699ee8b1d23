package latentclasses

import (
	"context"

	"parlance/algo/lexical/cooccurrence"
)

// mixture is p(w,f) = Σ_a p(a) p(w|a) p(f|a) on its way, all words being one shard.
type mixture struct {
	shard   *Shard
	c       *Contexts
	sums    Sums
	skipped int64    // pairs that the last iteration left out, for no class foresaw them
	names   []string // of the contexts
	classes int
	workers int
	away    *away // where words are in shards elsewhere, nil where they are here
}

// newMixture prepares counts for any number of starts.
func newMixture(m *cooccurrence.Matrix, classes, workers int) *mixture {
	return &mixture{shard: Cut(m, 1)[0], names: m.Contexts, classes: classes, workers: max(workers, 1)}
}

// start draws positive parameters.
func (x *mixture) start(ctx context.Context, seed, run uint64) error {
	var sums Sums
	err := x.shard.Start(ctx, &sums, x.classes, seed, run, x.workers)
	if err == nil {
		x.c = sums.Begin(x.names, x.shard.total, seed, run)
	}
	if err == nil && x.away != nil {
		x.away.send(x.shard)
	}
	return err
}

// step is one iteration; it returns the log-likelihood before it, Σ n(w,f) ln p(w,f).
func (x *mixture) step(ctx context.Context, prune float64) (float64, error) {
	err := error(nil)
	if x.away != nil {
		err = x.away.iterate(ctx, x.c, &x.sums, prune)
	} else {
		err = x.shard.Map(ctx, x.c, &x.sums, prune, x.workers)
	}
	if err != nil {
		return 0, err
	}
	x.skipped = x.sums.skipped
	return x.sums.Reduce(ctx, x.c, x.shard.total, prune, x.workers)
}
