package latentclasses

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"parlance/algo/numeric/parallel"
)

// A start draws p(w|a) and p(f|a): relative frequencies of words and contexts, each times a number of the exponential
// distribution; p(a) is the same for all. What is drawn for a word or context depends on its text alone, so it is the
// same in whatever shard it stands.

// draw fills the numbers of a word or context.
func draw(name string, frequency float64, seed, run uint64, out []float64) {
	h := fnv.New64a()
	h.Write([]byte(name))
	rng := rand.New(rand.NewPCG(seed^h.Sum64(), run))
	for a := range out {
		out[a] = frequency * (rng.ExpFloat64() + 1e-9)
	}
}

// largestDraw is more than what the exponential distribution gives in practice; greater draws are this.
const largestDraw = 60

// Start draws the parameters of the words, which Begin of the sums of all shards scales, and adds the counts of
// contexts to the sums, which are new.
func (s *Shard) Start(ctx context.Context, sums *Sums, classes int, seed, run uint64, workers int) error {
	quantum, _ := quanta(s.total * largestDraw)
	s.words, s.active = make([]float64, s.rows.Len()*classes), newActive(s.rows.Len())
	sums.counts, sums.classes = make([]int64, s.contexts), make([]int64, classes)
	parts := make([][]int64, parallel.Blocks(s.rows.Len(), blockRows))
	for i, f := range s.rows.IDs {
		sums.counts[f] += int64(s.rows.Counts[i] * quantum)
	}
	return parallel.Reduce(ctx, workers, len(parts), func(_, b int) error {
		parts[b] = make([]int64, classes)
		from, to := parallel.Block(b, s.rows.Len(), blockRows)
		for w := from; w < to; w++ {
			row := s.words[w*classes : (w+1)*classes]
			draw(s.names[w], s.rows.Sum(w), seed, run, row)
			for a, v := range row {
				row[a] = min(v, largestDraw*s.rows.Sum(w))
				parts[b][a] += int64(row[a] * quantum)
			}
		}
		return nil
	}, func(b int) {
		addCounts(sums.classes, parts[b])
		parts[b] = nil
	})
}

// Begin makes the first parameters of the sums of Start of all shards. names are those of the contexts.
func (s *Sums) Begin(names []string, total float64, seed, run uint64) *Contexts {
	classes := len(s.classes)
	quantum, _ := quanta(total * largestDraw)
	c := &Contexts{Classes: classes, p: make([]float64, len(names)*classes), start: make([]float64, classes)}
	masses := make([]float64, classes)
	for f, name := range names {
		row := c.p[f*classes : (f+1)*classes]
		draw("\x00"+name, float64(s.counts[f])/quantum, seed, run, row)
		for a, v := range row {
			masses[a] += v
		}
	}
	for i := range c.p {
		c.p[i] /= masses[i%classes]
	}
	for a, v := range s.classes {
		c.start[a] = 1 / float64(classes) / math.Max(float64(v)/quantum, math.SmallestNonzeroFloat64)
	}
	return c
}
