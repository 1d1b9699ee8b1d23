package expectation

import (
	"context"
	"math"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// Reached is a constraint with what a training reached.
type Reached struct {
	Constraint
	Matches    float64 // what the target is a share of: tokens, rows, expected segments
	Expected   float64 // under the model: share, or number a row
	Projected  float64 // under q
	Multiplier float64 // of a box, that of the bound that holds it
	Observed   float64 // in labelled sequences; NaN without
	Status     string
}

// met is by how much an expectation may miss its bound and count as met.
const met = 0.01

// Report tells what was reached. It reads all rows twice.
func (t *Training) Report(ctx context.Context, labelled []Row) ([]Reached, error) {
	p := t.Problem
	var rates [2][2][]float64 // of p and q: counted, base
	for k, mu := range [][]float64{nil, t.Mu} {
		counted, base := make([]float64, len(p.parts)), make([]float64, len(p.parts))
		var c, b [shards][]float64
		for i := range shards {
			c[i], b[i] = make([]float64, len(p.parts)), make([]float64, len(p.parts))
		}
		err := t.pass(ctx, t.W, mu, func(shard, i int, e *semimarkov.Expected) {
			p.Rates(c[shard], b[shard], &t.Rows[i], e)
		}, func(shard int) {
			for i := range counted {
				counted[i] += c[shard][i]
				base[i] += b[shard][i]
			}
		})
		if err != nil {
			return nil, err
		}
		rates[k] = [2][]float64{counted, base}
	}
	seen, of := make([]float64, len(p.parts)), make([]float64, len(p.parts))
	if t.Labelled != nil {
		for i := range labelled {
			p.Rates(seen, of, &labelled[i], semimarkov.Indicator(t.Layout, &t.Labelled.Sequences[i],
				t.Labelled.Gold[i]))
		}
	}
	return t.reached(rates, seen, of), nil
}

func (t *Training) reached(rates [2][2][]float64, seen, of []float64) []Reached {
	out := make([]Reached, len(t.Problem.List))
	for i, c := range t.Problem.List {
		out[i] = Reached{Constraint: c}
	}
	for k := range t.Problem.parts {
		x := &t.Problem.parts[k]
		r := &out[x.constraint]
		r.Matches = rates[0][1][k]
		r.Expected, r.Projected, r.Observed = share(rates[0][0][k], rates[0][1][k]), share(rates[1][0][k],
			rates[1][1][k]), share(seen[k], of[k])
		if t.Mu[k] != 0 {
			r.Multiplier = t.Mu[k]
		}
		switch {
		case r.Matches == 0:
			r.Status = "nothing matches"
		case r.holds():
			r.Status = "met"
		case math.Abs(r.Multiplier) >= t.Cap:
			r.Status = "not met, multiplier at its bound"
		default:
			r.Status = "not met"
		}
	}
	return out
}

func share(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// holds tells whether the model meets the constraint.
func (r *Reached) holds() bool {
	d := r.Expected - r.Target
	switch r.Direction {
	case AtLeast:
		return d >= -met
	case AtMost:
		return d <= met
	case Equal:
		return math.Abs(d) <= met
	}
	return math.Abs(d) <= r.Width+met
}

// Relation lists the constraints of a trained model.
var Relation = kind.Relation{Name: "constraints", Doc: "constraints of the training with target and reached " +
	"expectation", Columns: []kind.Column{
	{Name: "constraint", Type: value.Integer, Doc: "row of the table of constraints, 1-based"},
	{Name: "kind", Type: value.Text, Doc: "kind"}, {Name: "value", Type: value.Text,
		Doc: "what the tokens are, or lengths"},
	{Name: "label", Type: value.Text, Doc: "label"}, {Name: "direction", Type: value.Text, Doc: "direction"},
	{Name: "target", Type: value.Float, Doc: "target"},
	{Name: "matches", Type: value.Float, Doc: "what the target is a share of: tokens found, tokens, rows, or " +
		"expected segments"},
	{Name: "expectation", Type: value.Float, Doc: "share that the model expects"},
	{Name: "projection", Type: value.Float, Doc: "share that the distribution next to the model expects that the " +
		"multipliers make"},
	{Name: "multiplier", Type: value.Float, Doc: "its multiplier μ at the end of the training"},
	{Name: "observed", Type: value.Float, Doc: "share in the labelled documents of the training"},
	{Name: "status", Type: value.Text, Doc: "met, not met, or nothing matches"}}}

// Rows opens the relation.
func Rows(list []Reached) kind.Rows {
	real := func(v float64) value.Value {
		if math.IsNaN(v) {
			return value.Value{}
		}
		return value.Real(v)
	}
	str := func(s string) value.Value {
		if s == "" {
			return value.Value{}
		}
		return value.Str(s)
	}
	return kind.RowsOf(Relation, func(yield func([]value.Value) bool) {
		for _, r := range list {
			if !yield([]value.Value{value.Int(int64(r.Row)), value.Str(r.Kind), str(r.Value), str(r.Label),
				value.Str(r.Direction),
				value.Real(r.Target), real(r.Matches), real(r.Expected), real(r.Projected), value.Real(r.Multiplier),
				real(r.Observed), value.Str(r.Status)}) {
				return
			}
		}
	})
}
