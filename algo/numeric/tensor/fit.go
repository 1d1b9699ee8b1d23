package tensor

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"
)

// Init is how A starts.
type Init uint8

// The starts.
const (
	Eigen  Init = iota // eigenvectors of Σ_k (X_k + X_k') of the largest |values|, of more than 256 entities approximate
	Random             // normal values, by the seed
)

// Options of Fit.
type Options struct {
	Rank       int     // columns of A, at least 1; at most the number of entities is used
	L2         float64 // λ ≥ 0
	Iterations int
	Tolerance  float64 // stops where the objective changes by less than this part of ‖X‖²
	Global     bool    // with Sets: one system for all rows of A in place of one a set of types
	Safeguard  bool    // steps that raise the objective are halved, five times at most
	Init       Init
	Seed       uint64
	Workers    int
	Report     func(Step) error // may be nil; an error ends Fit with it, ErrStop without one
	From       *Iterate         // where to go on, nil to begin
}

// Iterate is what Fit goes on from after an iteration.
type Iterate struct {
	Number    int
	Objective float64
	A         []float64
	Best      []float64 // A of the least objective where that is an earlier one
	Least     float64
}

// ErrStop ends Fit with what there is.
var ErrStop = errors.New("stop")

var errNotFinite = errors.New("values are no longer finite; smaller weights of triples would help")

// Step is an iteration; number 0 is the start.
type Step struct {
	Number    int
	Objective float64 // ½ Σ ‖X_k − A_l R_k A_r'‖² + ½λ (‖A‖² + Σ ‖R_k‖²)
	Fit       float64 // 1 − ‖X − A R A'‖² / ‖X‖²
	Halved    int     // times
	Seconds   float64 // since the start
	Factors   func() *Factors
	Iterate   *Iterate // it shares memory with Fit, which goes on when the report returns; nil if it does not
}

// Factors is a decomposition: score(i, k, j) = a_i' R_k a_j.
type Factors struct {
	Entities, Rank int
	A              []float64   // one row an entity
	R              [][]float64 // one square matrix a relation, rows by subject
	Objective      float64
}

// fit is a decomposition under way.
type fit struct {
	Options
	t       *tensor
	r       int
	workers int

	a, last []float64   // A, and A before the step
	f       []float64   // Σ X_k A R_k' + X_k' A R_k, one row an entity
	rel     [][]float64 // R_k, turned as the slice
	loss    []float64   // of each relation
	sides   []side
	h       [][]float64 // of each set, the upper triangle of what its entities add to their system

	w, e    []float64 // X_k A, then X_k A R_k', and A of the rows, then A R_k: a row each of a batch
	scratch [][]float64
	groups  []group
	shared  []shared
	parts   []composition // of the sets
	square  float64       // ‖A‖²

	best      []float64
	bestValue float64
}

// rowBlock is how many rows at most go through a product between two looks at the context.
const rowBlock = 256

// share is how many rows of A are a task: few of a small A, so that workers have each some. It depends
// on nothing else, so that sums over the rows of a task come out the same.
func (t *tensor) share() int { return min(rowBlock, max(16, t.n/16)) }

// Fit decomposes. It takes two passes over the cells an iteration, O(cells·r + rows·r² + relations·r³)
// operations, and the memory of three copies of A, two buffers of at most 64 MB and two copies of R.
// The same problem, options and seed give the same bits with any number of workers.
func Fit(ctx context.Context, p *Problem, o Options) (*Factors, error) {
	o.Rank = max(1, min(o.Rank, p.Entities))
	t, err := compile(p, o.Rank)
	if err != nil {
		return nil, err
	}
	f := newFit(t, o)
	start := time.Now()
	done, value, err := f.begin(ctx, start)
	if err != nil {
		return f.end(ctx, value, err)
	}
	for it := done + 1; it <= o.Iterations; it++ {
		next, halved, err := f.iterate(ctx, value, it < o.Iterations)
		if errors.Is(err, errNotFinite) {
			err = ErrStop
		}
		done := math.Abs(value-next) < o.Tolerance*t.square
		step := Step{Number: it, Objective: next, Halved: halved}
		if err == nil && !done {
			step.Iterate = &Iterate{it, next, f.a, f.best, f.bestValue}
		}
		if err == nil {
			err = f.report(step, start)
		} else if errors.Is(err, ErrStop) {
			err = cmp.Or(f.report(step, start), err)
		}
		if value = next; err != nil || done {
			return f.end(ctx, value, err)
		}
	}
	return f.end(ctx, value, nil)
}

// begin starts, or goes on from an iterate, and returns the number of its iteration and the objective.
func (f *fit) begin(ctx context.Context, start time.Time) (int, float64, error) {
	from := f.From
	if from != nil && (len(from.A) != len(f.a) || len(from.Best) != 0 && len(from.Best) != len(f.a)) {
		return 0, 0, errors.New("an iterate of another decomposition")
	}
	if from == nil {
		if err := f.start(ctx); err != nil {
			return 0, 0, err
		}
	} else {
		copy(f.a, from.A)
		f.best = append(f.best, from.Best...)
	}
	number := 0
	if from != nil {
		number = from.Number
	}
	value, err := f.pass(ctx, number < f.Iterations)
	if err != nil {
		return 0, 0, err
	}
	if from != nil {
		f.bestValue = from.Least
		return number, from.Objective, nil
	}
	f.bestValue = value
	return 0, value, f.report(Step{Objective: value}, start)
}

func newFit(t *tensor, o Options) *fit {
	f := &fit{Options: o, t: t, r: o.Rank, workers: max(1, o.Workers)}
	size, rows := t.n*f.r, 0
	f.a, f.last, f.f = make([]float64, size), make([]float64, size), make([]float64, size)
	f.rel, f.loss = make([][]float64, len(t.slices)), make([]float64, len(t.slices))
	for k := range f.rel {
		f.rel[k] = make([]float64, f.r*f.r)
	}
	for _, b := range t.batches {
		rows = max(rows, b.rows)
	}
	f.w, f.e = make([]float64, rows*f.r), make([]float64, rows*f.r)
	f.sides, f.h = make([]side, len(t.uses)), make([][]float64, len(t.uses))
	f.scratch = make([][]float64, f.workers)
	for i := range f.scratch {
		f.scratch[i] = make([]float64, f.r*max(rowBlock, 3*f.r))
	}
	f.group()
	return f
}

// iterate takes one step and returns the new objective and how often it was halved.
func (f *fit) iterate(ctx context.Context, value float64, more bool) (float64, int, error) {
	if err := f.solveRows(ctx); errors.Is(err, errNotFinite) {
		return value, 0, ErrStop
	} else if err != nil {
		return 0, 0, err
	}
	// f now holds the new A; the old one is kept until the objective is known.
	f.a, f.last, f.f = f.f, f.a, f.last
	next, err := f.pass(ctx, more)
	halved := 0
	for ; f.Safeguard && err == nil && next > value && halved < 5; halved++ {
		for i, x := range f.last {
			f.a[i] = (f.a[i] + x) / 2
		}
		next, err = f.pass(ctx, more)
	}
	if err != nil && !errors.Is(err, errNotFinite) {
		return 0, 0, err
	}
	if f.Safeguard && next > value {
		f.a, f.last = f.last, f.a // no step goes down: back, and done
		if next, err = f.pass(ctx, more); err == nil {
			err = ErrStop
		}
		return next, halved, err
	}
	f.keep(value, next)
	return next, halved, err
}

// keep copies the A before the step where it is the best so far and the step made it worse.
func (f *fit) keep(value, next float64) {
	if next > value && value <= f.bestValue {
		f.best = append(f.best[:0], f.last...)
	}
	f.bestValue = min(f.bestValue, next)
}

func (f *fit) report(s Step, start time.Time) error {
	if f.Report == nil {
		return nil
	}
	s.Seconds = time.Since(start).Seconds()
	s.Fit = 1 - 2*f.residual()/f.t.square
	s.Factors = func() *Factors { return f.factors(s.Objective) }
	return f.Report(s)
}

// residual is ½ ‖X − A R A'‖², the objective without its penalties.
func (f *fit) residual() float64 {
	penalty := f.square
	for _, r := range f.rel {
		penalty += dot(r, r)
	}
	return f.objective() - f.L2*penalty/2
}

// end goes back to the best iterate.
func (f *fit) end(ctx context.Context, value float64, err error) (*Factors, error) {
	if err != nil && !errors.Is(err, ErrStop) {
		return nil, err
	}
	if value > f.bestValue {
		copy(f.a, f.best)
		if value, err = f.pass(ctx, false); err != nil {
			return nil, err
		}
	}
	return f.factors(value), nil
}

// factors copies A and the R_k, rows by subject.
func (f *fit) factors(value float64) *Factors {
	out := &Factors{Entities: f.t.n, Rank: f.r, A: append([]float64(nil), f.a...), R: make([][]float64, len(f.rel)),
		Objective: value}
	for k, r := range f.rel {
		m := append([]float64(nil), r...)
		if f.t.slices[k].turned {
			for i := range f.r {
				for j := range f.r {
					m[j*f.r+i] = r[i*f.r+j]
				}
			}
		}
		out.R[k] = m
	}
	return out
}

// Score is a_i' R_k a_j.
func (f *Factors) Score(i, k, j int) float64 {
	r, a, b := f.Rank, f.A[i*f.Rank:(i+1)*f.Rank], f.A[j*f.Rank:(j+1)*f.Rank]
	sum := 0.0
	for x, v := range a {
		if v != 0 {
			sum += v * dot(f.R[k][x*r:(x+1)*r], b)
		}
	}
	return sum
}
