package mcmc

import (
	"context"
	"math"
)

// World is a factor graph with its current state. It belongs to one goroutine.
type World interface {
	// Propose draws a change of the state and keeps it until the next call; false where there is none.
	Propose(*Rand) bool
	// LogRatio is log q(y|y′) / q(y′|y) of the proposed change, −Inf where the change cannot be taken back.
	LogRatio() float64
	// Delta is Ψ(y′) − Ψ(y) of the proposed change, or its estimate, and how many factors were evaluated. What a
	// sampler draws comes from the stream, which has no other use.
	Delta(*Sampler, *Rand) (float64, int)
	// Accept makes the proposed change.
	Accept()
}

// Trace counts what a chain has done.
type Trace struct {
	Proposals, Accepted, Factors int64
	Gain                         float64 // sum of δ, or of its estimates, over the accepted changes
}

// Add adds the counts of another trace.
func (t *Trace) Add(o Trace) {
	t.Proposals += o.Proposals
	t.Accepted += o.Accepted
	t.Factors += o.Factors
	t.Gain += o.Gain
}

// Chain is a Metropolis-Hastings chain over a world. Proposals, acceptance and the draws of the sampler have a stream
// each, so that a sampler which evaluates all factors changes nothing.
type Chain struct {
	World       World
	Sampler     Sampler
	Temperature float64
	Hastings    bool // with the ratio of proposals, to sample from p^(1/τ); without it to search
	Gibbs       bool // steps draw from the distribution of a variable given the others; of Labels and Partition
	Trace       Trace

	propose, accept, draw *Rand
	unchecked             int64
}

// NewChain returns a chain of temperature 1 with the streams of a seed.
func NewChain(w World, seed uint64, stream ...uint64) *Chain {
	of := func(n uint64) *Rand { return NewRand(seed, append([]uint64{n}, stream...)...) }
	return &Chain{World: w, Temperature: 1, propose: of(1), accept: of(2), draw: of(3)}
}

// checkEvery is after how many factors and proposals together a chain looks at the context.
const checkEvery = 1 << 14

// Run makes n proposals.
func (c *Chain) Run(ctx context.Context, proposals int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for range proposals {
		n := c.Step()
		if c.unchecked += int64(n) + 1; c.unchecked >= checkEvery {
			c.unchecked = 0
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Step makes one proposal, or a Gibbs step, and returns how many factors it took.
func (c *Chain) Step() int {
	if w, ok := c.World.(resampler); ok && c.Gibbs {
		return c.gibbs(w)
	}
	if !c.World.Propose(c.propose) {
		return 0
	}
	delta, n := c.World.Delta(&c.Sampler, c.draw)
	c.Trace.Proposals++
	c.Trace.Factors += int64(n)
	x := delta / c.Temperature
	if c.Hastings {
		x += c.World.LogRatio()
	}
	if Metropolis(x, c.accept) {
		c.World.Accept()
		c.Trace.Accepted++
		c.Trace.Gain += delta
	}
	return n
}

// Metropolis accepts with probability min(1, eˣ).
func Metropolis(x float64, r *Rand) bool {
	return x >= 0 || x > -745 && r.Float64() <= math.Exp(x)
}

// Choose draws k with probability exp(score_k / τ) / Σ exp(score_l / τ): a Gibbs step over the values of a variable, or
// multiple-try sampling over candidates. Scores may be −Inf, but not all.
func Choose(scores []float64, temperature float64, r *Rand) int {
	best := math.Inf(-1)
	for _, s := range scores {
		best = max(best, s)
	}
	sum := 0.0
	for _, s := range scores {
		sum += math.Exp((s - best) / temperature)
	}
	return chosen(scores, temperature, best, r.Float64()*sum)
}

// chosen is the score at which the sum of all until it, from the first, reaches u, each as Choose weighs it; best is
// the greatest score. What has no weight is never chosen, whatever u.
func chosen(scores []float64, temperature, best, u float64) int {
	last := 0
	for k, s := range scores {
		w := math.Exp((s - best) / temperature)
		if w > 0 {
			last = k
		}
		if u -= w; u <= 0 && w > 0 {
			return k
		}
	}
	return last
}
