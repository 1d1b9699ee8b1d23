// Package pairwise finds the entities of a block of records under factors of pairs (Singh, Wick and McCallum 2012):
// annealed Metropolis-Hastings over partitions, then states sampled from the model.
package pairwise

import (
	"context"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
	"parlance/algo/resolve/record"
)

// Evaluation says how the factors of a proposal are added up. All ways give the same numbers.
type Evaluation uint8

// The evaluations.
const (
	Auto  Evaluation = iota // Dense for small blocks, else Sums
	Pairs                   // pair by pair
	Sums                    // with the sum of the vectors of each entity
	Dense                   // with the matrix of all pairs
)

// Evaluations are their names.
var Evaluations = []string{"auto", "pairs", "sums", "dense"}

// mostDense is up to how many records Auto takes the matrix, and manyDense the most that Dense takes at all.
const (
	mostDense = 1024
	manyDense = 8192
)

// Options are how blocks are sampled.
type Options struct {
	Evaluation  Evaluation
	Sampler     mcmc.Sampler // other than of all factors only with Pairs
	Proposal    mcmc.Proposal
	Merge       int // whole entities of at most so many records join others too
	Sweeps      int // of annealing, each with as many proposals as the block has records
	Schedule    mcmc.Schedule
	Samples     int     // states kept after that
	Every       int     // sweeps from one kept state to the next
	Temperature float64 // of the samples
	Seed        uint64
	Watch       func(sweep int, state *partition.Partition,
		total mcmc.Trace) // may be nil: after each sweep of annealing
}

// Task is a block with what is known of it. Numbers are places in the block.
type Task struct {
	Local    *record.Local
	Partners mcmc.Partners
	Labels   []int32    // entities to begin with, nil for one each
	Must     []int32    // for each item the first of those that it must be with, nil for none
	Cannot   [][2]int32 // items that must not be together
	Stream   uint64     // number of the block, for its random numbers
	Until    time.Time  // when to stop, if not zero
}

// Result is what became of a block.
type Result struct {
	Labels  []int32   // the last state of annealing, numbered by first items
	Samples [][]int32 // states sampled from the model
	Sweeps  []mcmc.Trace
	Built   int64 // factors evaluated before the first proposal
	Stopped bool  // time ran out
}

// Run anneals a block and samples from it.
func Run(ctx context.Context, t *Task, o *Options) (*Result, error) {
	state := t.Start()
	out := &Result{}
	affinity := o.affinity(t.Local, state, out)
	po := mcmc.PartitionOptions{Proposal: o.Proposal, Partners: t.Partners, Merge: o.Merge, Must: t.Must,
		Cannot: t.Cannot}
	chain := mcmc.NewChain(mcmc.NewPartition(state, affinity, po), o.Seed, t.Stream)
	chain.Sampler = o.Sampler
	for sweep := range o.Sweeps {
		if !t.Until.IsZero() && time.Now().After(t.Until) {
			out.Stopped = true
			break
		}
		before := chain.Trace
		chain.Temperature = o.Schedule.At(sweep, o.Sweeps)
		if err := chain.Run(ctx, t.Local.N); err != nil {
			return nil, err
		}
		out.Sweeps = append(out.Sweeps, minus(chain.Trace, before))
		if o.Watch != nil {
			o.Watch(sweep, state, chain.Trace)
		}
	}
	out.Labels = state.Labels(nil)
	if out.Stopped {
		return out, nil
	}
	po.Merge = 0 // it cannot be taken back
	return out, o.sample(ctx, t, mcmc.NewPartition(state, affinity, po), out)
}

func minus(a, b mcmc.Trace) mcmc.Trace {
	return mcmc.Trace{Proposals: a.Proposals - b.Proposals, Accepted: a.Accepted - b.Accepted,
		Factors: a.Factors - b.Factors, Gain: a.Gain - b.Gain}
}

// sample keeps states of a chain that goes on from the last state of annealing.
func (o *Options) sample(ctx context.Context, t *Task, w *mcmc.Partition, out *Result) error {
	chain := mcmc.NewChain(w, o.Seed, t.Stream, 1)
	chain.Sampler, chain.Temperature, chain.Hastings = o.Sampler, o.Temperature, true
	for range o.Samples {
		if err := chain.Run(ctx, t.Local.N*o.Every); err != nil {
			return err
		}
		out.Samples = append(out.Samples, w.State.Labels(nil))
	}
	return nil
}

// Start is the state to begin with, which keeps to what must and must not be together.
func (t *Task) Start() *partition.Partition {
	state := partition.New(t.Local.N)
	if t.Labels != nil {
		state = partition.FromLabels(t.Labels)
	}
	if t.Must != nil {
		for i, first := range t.Must {
			state.Move(i, state.Cluster(int(first)))
		}
	}
	for _, c := range t.Cannot {
		if state.Cluster(int(c[0])) != state.Cluster(int(c[1])) {
			continue
		}
		if t.Must == nil {
			state.Isolate(int(c[1]))
			continue
		}
		to := -1
		for i, first := range t.Must {
			switch {
			case first != t.Must[c[1]]:
			case to < 0:
				to = state.Isolate(i)
			default:
				state.Move(i, to)
			}
		}
	}
	return state
}

// affinity chooses how factors are added up.
func (o *Options) affinity(l *record.Local, state *partition.Partition, out *Result) mcmc.Affinity {
	e := o.Evaluation
	if e == Auto {
		if e = Sums; l.N <= mostDense {
			e = Dense
		}
	}
	switch {
	case e == Dense && l.N <= manyDense:
		d := record.NewDense(l, state)
		out.Built = d.Built()
		return d
	case e == Pairs:
		return record.NewPairs(l)
	}
	return record.NewBags(l, state)
}
