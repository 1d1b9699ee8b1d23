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

// MostDense is up to how many records Auto takes the matrix, and manyDense the most that Dense takes at all.
const (
	MostDense = 1024
	manyDense = 8192
)

// Options are how blocks are sampled.
type Options struct {
	Evaluation  Evaluation
	Sampler     mcmc.Sampler // other than of all factors only with Pairs
	Proposal    mcmc.Proposal
	Gibbs       int // in blocks of at most this many records they are drawn into an entity given all others
	Chains      int // run alike with random numbers of their own; 1 and less stand for one
	Merge       int // whole entities of at most this many records join others too
	Sweeps      int // of annealing, each with as many proposals as the block has records
	Schedule    mcmc.Schedule
	Samples     int     // states that each chain keeps after that
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
	Labels  []int32      // of the chain whose annealing ended best, numbered by first items
	Samples [][]int32    // states sampled from the model, chain after chain
	Scores  []float64    // of the sampled states, less that of the state to begin with
	Sweeps  []mcmc.Trace // of all chains; Gain is that of the best
	Built   int64        // factors evaluated before the first proposals
	Stopped bool         // time ran out; there are no samples then
}

// Run anneals the chains of a block and samples from them.
func Run(ctx context.Context, t *Task, o *Options) (*Result, error) {
	var out *Result
	best := 0.0
	for k := range max(1, o.Chains) {
		r, gain, err := o.chain(ctx, t, uint64(k))
		if err != nil {
			return nil, err
		}
		if out == nil {
			out, best = r, gain
			continue
		}
		out.Stopped = out.Stopped || r.Stopped
		out.Samples, out.Scores = append(out.Samples, r.Samples...), append(out.Scores, r.Scores...)
		out.Built += r.Built
		better := gain > best
		if better {
			out.Labels, best = r.Labels, gain
		}
		for i, s := range r.Sweeps {
			if i == len(out.Sweeps) {
				out.Sweeps = append(out.Sweeps, mcmc.Trace{})
			}
			kept := out.Sweeps[i].Gain
			out.Sweeps[i].Add(s)
			if out.Sweeps[i].Gain = kept; better {
				out.Sweeps[i].Gain = s.Gain
			}
		}
	}
	if out.Stopped {
		out.Samples, out.Scores = nil, nil
	}
	return out, nil
}

// chain anneals and samples with the random numbers of chain k, and returns what annealing has gained.
func (o *Options) chain(ctx context.Context, t *Task, k uint64) (*Result, float64, error) {
	state := t.Start()
	out := &Result{}
	affinity := o.affinity(t.Local, state, out)
	po := mcmc.PartitionOptions{Proposal: o.Proposal, Partners: t.Partners, Merge: o.Merge, Must: t.Must,
		Cannot: t.Cannot}
	streams := [2][]uint64{{t.Stream}, {t.Stream, 1}}
	if k > 0 {
		streams = [2][]uint64{{t.Stream, 2, k}, {t.Stream, 3, k}}
	}
	chain := mcmc.NewChain(mcmc.NewPartition(state, affinity, po), o.Seed, streams[0]...)
	chain.Sampler, chain.Gibbs = o.Sampler, t.Local.N <= o.Gibbs
	for sweep := range o.Sweeps {
		if !t.Until.IsZero() && time.Now().After(t.Until) {
			out.Stopped = true
			break
		}
		before := chain.Trace
		chain.Temperature = o.Schedule.At(sweep, o.Sweeps)
		if err := chain.Run(ctx, t.Local.N); err != nil {
			return nil, 0, err
		}
		out.Sweeps = append(out.Sweeps, minus(chain.Trace, before))
		if o.Watch != nil {
			o.Watch(sweep, state, chain.Trace)
		}
	}
	out.Labels = state.Labels(nil)
	gain := chain.Trace.Gain
	if out.Stopped {
		return out, gain, nil
	}
	po.Merge = 0 // it cannot be taken back
	chain = mcmc.NewChain(mcmc.NewPartition(state, affinity, po), o.Seed, streams[1]...)
	chain.Sampler, chain.Gibbs, chain.Temperature, chain.Hastings = o.Sampler, t.Local.N <= o.Gibbs, o.Temperature, true
	for range o.Samples {
		if err := chain.Run(ctx, t.Local.N*o.Every); err != nil {
			return nil, 0, err
		}
		out.Samples = append(out.Samples, state.Labels(nil))
		out.Scores = append(out.Scores, gain+chain.Trace.Gain)
	}
	return out, gain, nil
}

func minus(a, b mcmc.Trace) mcmc.Trace {
	return mcmc.Trace{Proposals: a.Proposals - b.Proposals, Accepted: a.Accepted - b.Accepted,
		Factors: a.Factors - b.Factors, Gain: a.Gain - b.Gain}
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
		if e = Sums; l.N <= MostDense {
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
