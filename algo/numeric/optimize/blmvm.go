package optimize

import (
	"context"
	"fmt"
	"math"
)

// BLMVM minimises over a box: limited-memory variable metric steps along the projected gradient
// (Benson and Moré 2001). The zero value of a field is its default.
type BLMVM struct {
	Memory     int       // pairs of differences kept; 0 is 5
	Iterations int       // limit of iterations; 0 is no limit
	Epsilon    float64   // converged when no part of the projected gradient is larger; 0 is 1e-6
	Lower      []float64 // bounds of the variables; nil: none
	Upper      []float64
	From       *BoxState             // state of the same minimisation to go on from; nil: none
	Save       func(*BoxState) error // after iterations that others follow; the state is live; may be nil
}

// BoxState is a minimisation over a box between two iterations.
type BoxState struct {
	Iteration int
	Objective float64
	X, G      []float64   // the point and its gradient
	S, Y      [][]float64 // differences of points and of projected gradients, the newest last
}

// Minimize starts at x, moved into the box, and leaves the best point in it. report is called after
// every iteration and may be nil; true ends the minimisation. Reaching the limit is no error.
func (o *BLMVM) Minimize(ctx context.Context, x []float64, f Objective,
	report func(step int, objective, gradientNorm float64) bool) (Status, float64, error) {
	b := box{o: o, x: x, grad: make([]float64, len(x)), dir: make([]float64, len(x)), f: f}
	if o.From == nil {
		b.clip(x)
		return b.run(ctx, 0, report)
	}
	if err := b.restore(o.From); err != nil {
		return Stopped, 0, err
	}
	return b.run(ctx, o.From.Iteration, report)
}

// box is a minimisation under way.
type box struct {
	o                *BLMVM
	f                Objective
	x, grad, dir     []float64
	value            float64
	s, y             [][]float64 // differences of points and of projected gradients
	nextX, nextG, pg []float64
}

const (
	armijo   = 1e-4
	halvings = 60
)

// restore sets the state.
func (b *box) restore(s *BoxState) error {
	n := len(b.x)
	if len(s.X) != n || len(s.G) != n || len(s.S) != len(s.Y) || s.Iteration < 1 {
		return fmt.Errorf("%w: the state is not of %d variables", ErrInvalid, n)
	}
	for i := range s.S {
		if len(s.S[i]) != n || len(s.Y[i]) != n {
			return fmt.Errorf("%w: the state has differences of other than %d variables", ErrInvalid, n)
		}
	}
	copy(b.x, s.X)
	copy(b.grad, s.G)
	b.value, b.s, b.y = s.Objective, s.S, s.Y
	return nil
}

// run goes on after n iterations.
func (b *box) run(ctx context.Context, done int, report func(int, float64, float64) bool) (Status, float64, error) {
	n := len(b.x)
	b.nextX, b.nextG, b.pg = make([]float64, n), make([]float64, n), make([]float64, n)
	if done == 0 {
		var err error
		if b.value, err = b.f(ctx, b.x, b.grad); err != nil {
			return Stopped, b.value, err
		}
	}
	epsilon := b.o.Epsilon
	if epsilon == 0 {
		epsilon = 1e-6
	}
	b.project(b.x, b.grad, b.pg)
	for step := done + 1; ; step++ {
		if largest(b.pg) <= epsilon {
			return Converged, b.value, nil
		}
		if b.o.Iterations > 0 && step > b.o.Iterations {
			return Limit, b.value, nil
		}
		if step > done+1 && b.o.Save != nil {
			if err := b.o.Save(&BoxState{step - 1, b.value, b.x, b.grad, b.s, b.y}); err != nil {
				return Stopped, b.value, err
			}
		}
		moved, err := b.step(ctx)
		if err != nil {
			return Stopped, b.value, err
		}
		if !moved {
			return Stalled, b.value, nil
		}
		if report != nil && report(step, b.value, math.Sqrt(product(b.pg, b.pg))) {
			return Stopped, b.value, nil
		}
	}
}

// project sets out to the gradient without what points out of the box.
func (b *box) project(x, g, out []float64) {
	for i, v := range g {
		if b.o.Lower != nil && x[i] <= b.o.Lower[i] && v > 0 || b.o.Upper != nil && x[i] >= b.o.Upper[i] && v < 0 {
			v = 0
		}
		out[i] = v
	}
}

func (b *box) clip(x []float64) {
	for i := range x {
		if b.o.Lower != nil {
			x[i] = max(x[i], b.o.Lower[i])
		}
		if b.o.Upper != nil {
			x[i] = min(x[i], b.o.Upper[i])
		}
	}
}

// step moves along the direction, halving until the value falls enough.
func (b *box) step(ctx context.Context) (bool, error) {
	for {
		b.direct()
		t := 1.0
		for range halvings {
			for i, d := range b.dir {
				b.nextX[i] = b.x[i] + t*d
			}
			b.clip(b.nextX)
			value, err := b.f(ctx, b.nextX, b.nextG)
			if err != nil {
				return false, err
			}
			gain := 0.0
			for i, v := range b.nextX {
				gain += b.pg[i] * (v - b.x[i])
			}
			if value <= b.value+armijo*gain && gain < 0 {
				b.accept(value)
				return true, nil
			}
			t /= 2
		}
		if len(b.s) == 0 {
			return false, nil
		}
		b.s, b.y = nil, nil // once more along the gradient
	}
}

// accept moves to the next point and keeps the differences.
func (b *box) accept(value float64) {
	s, y := make([]float64, len(b.x)), make([]float64, len(b.x))
	for i, v := range b.nextX {
		s[i], y[i] = v-b.x[i], -b.pg[i]
	}
	b.x, b.grad, b.nextG, b.value = assign(b.x, b.nextX), b.nextG, b.grad, value
	b.project(b.x, b.grad, b.pg)
	for i, v := range b.pg {
		y[i] += v
	}
	if sy := product(s, y); sy > 1e-12*math.Sqrt(product(s, s)*product(y, y)) {
		memory := b.o.Memory
		if memory == 0 {
			memory = 5
		}
		if len(b.s) == memory {
			b.s, b.y = b.s[1:], b.y[1:]
		}
		b.s, b.y = append(b.s, s), append(b.y, y)
	}
}

func assign(dst, src []float64) []float64 { copy(dst, src); return dst }

// direct sets the direction: the two-loop recursion on the projected gradient, within the variables
// that may move; the gradient itself where that does not fall.
func (b *box) direct() {
	d := b.dir
	copy(d, b.pg)
	a := make([]float64, len(b.s))
	for i := len(b.s) - 1; i >= 0; i-- {
		a[i] = product(b.s[i], d) / product(b.s[i], b.y[i])
		addTo(d, -a[i], b.y[i])
	}
	if k := len(b.s) - 1; k >= 0 {
		scale := product(b.s[k], b.y[k]) / product(b.y[k], b.y[k])
		for i := range d {
			d[i] *= scale
		}
	}
	for i := range b.s {
		addTo(d, a[i]-product(b.y[i], d)/product(b.s[i], b.y[i]), b.s[i])
	}
	for i, g := range b.pg {
		if d[i] = -d[i]; g == 0 {
			d[i] = 0
		}
	}
	if !(product(d, b.pg) < 0) {
		b.s, b.y = nil, nil
		for i, g := range b.pg {
			d[i] = -g
		}
	}
}

func addTo(x []float64, f float64, y []float64) {
	for i, v := range y {
		x[i] += f * v
	}
}

func product(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func largest(x []float64) float64 {
	top := 0.0
	for _, v := range x {
		top = max(top, math.Abs(v))
	}
	return top
}
