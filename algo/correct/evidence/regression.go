package evidence

import (
	"context"
	"math"

	"parlance/algo/numeric/optimize"
)

// Rows is sparse vectors with what is right of each.
type Rows struct {
	At    []uint32
	Value []float32
	Begin []int // of each row, and the end
	Gold  []bool
}

// Add adds a row, whose features are appended with Put before.
func (r *Rows) Add(gold bool) {
	if len(r.Begin) == 0 {
		r.Begin = append(r.Begin, 0)
	}
	r.Begin, r.Gold = append(r.Begin, len(r.At)), append(r.Gold, gold)
}

// Put adds a feature to the row that Add ends.
func (r *Rows) Put(at uint32, value float64) {
	if value != 0 {
		r.At, r.Value = append(r.At, at), append(r.Value, float32(value))
	}
}

// Score is w·x of a row.
func (r *Rows) Score(i int, w []float64) (sum float64) {
	for k := r.Begin[i]; k < r.Begin[i+1]; k++ {
		sum += w[r.At[k]] * float64(r.Value[k])
	}
	return sum
}

// Fit finds the weights of Σ log(1 + exp(−y·w·x)) + Σ_f l2_f/2·w_f², over the rows that use wants, nil for all. It
// begins at the weights that it is given.
func (r *Rows) Fit(ctx context.Context, w, l2 []float64, use func(i int) bool, iterations int) error {
	fit := optimize.LBFGS{Iterations: iterations, Past: 5, Delta: 1e-5}
	_, err := fit.Minimize(ctx, w, func(ctx context.Context, w, grad []float64) (float64, error) {
		return r.objective(ctx, w, l2, grad, use)
	}, func(optimize.Iteration) bool { return false })
	return err
}

func (r *Rows) objective(ctx context.Context, w, l2, grad []float64, use func(i int) bool) (float64, error) {
	sum := 0.0
	for i, x := range w {
		sum += l2[i] / 2 * x * x
		grad[i] = l2[i] * x
	}
	for i, gold := range r.Gold {
		if i&4095 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if use != nil && !use(i) {
			continue
		}
		score := r.Score(i, w)
		d := Sigmoid(score)
		if gold {
			d--
			score = -score
		}
		sum += max(score, 0) + math.Log1p(math.Exp(-math.Abs(score)))
		for k := r.Begin[i]; k < r.Begin[i+1]; k++ {
			grad[r.At[k]] += d * float64(r.Value[k])
		}
	}
	return sum, nil
}

// Sigmoid is 1/(1 + exp(−x)).
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Logit is the inverse of Sigmoid, finite for 0 and 1 too.
func Logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// Clip keeps x within −by and by.
func Clip(x, by float64) float64 { return min(max(x, -by), by) }
