package solver

import (
	"context"
	"errors"
	"math"
	"testing"
)

var background = context.Background()

func machine(k Kernel, c float64) Machine {
	return Machine{Kernel: k, C: c, Epsilon: 1e-9, Shrinking: true, Cache: 1 << 20}
}

func all(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}

// dense makes rows of a table of numbers.
func dense(table [][]float32) *Rows {
	x := &Rows{Width: len(table[0]), Offsets: []uint32{0}, Values: []float32{}}
	for _, row := range table {
		for c, v := range row {
			if v != 0 {
				x.Columns, x.Values = append(x.Columns, uint32(c)), append(x.Values, v)
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
	}
	return x
}

// binary drops the values, all of them 1.
func binary(x *Rows) *Rows {
	return &Rows{Width: x.Width, Offsets: x.Offsets, Columns: x.Columns}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// decision is Σ β·k(x_i, x) + b by definition.
func decision(k Kernel, x *Rows, s *Solution, i int) float64 {
	f := s.B
	for j, b := range s.Coef {
		f += b * k.pair(x, j, i)
	}
	return f
}

// pair is the kernel of two samples by definition.
func (k Kernel) pair(x *Rows, i, j int) float64 {
	w := make([]float64, x.Width)
	x.add(w, i, 1)
	z := x.dot(w, j)
	if k.Shape == Radial {
		z = x.square(i) + x.square(j) - 2*z
	}
	return k.of(z)
}

type expected struct {
	name  string
	k     Kernel
	c     float64
	x     *Rows
	y     []int8
	alpha []float64 // nil: not unique
	f     []float64
	b     float64
	dual  float64
}

func TestWorkedExamples(t *testing.T) {
	two := dense([][]float32{{1, 0}, {-1, 0}})
	xor := dense([][]float32{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}})
	bits := dense([][]float32{{1, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 1}})
	yb, yx := []int8{1, 1, -1, -1, -1}, []int8{1, -1, -1, 1}
	small := []float64{-0.97, -0.97, -1, -1, -0.995}
	for _, e := range []expected{
		{"two points", Kernel{}, 1, two, []int8{1, -1}, []float64{.5, .5}, []float64{1, -1}, 0, .5},
		{"two points, bounded", Kernel{}, .25, two, []int8{1, -1}, []float64{.25, .25}, []float64{.5, -.5}, 0, .375},
		{"xor", Kernel{Polynomial, 2, 1, 1}, 1e6, xor, yx, []float64{.125, .125, .125, .125},
			[]float64{1, -1, -1, 1}, 0, .25},
		{"xor, small scale", Kernel{Polynomial, 2, .01, 1}, 1, xor, yx, []float64{1, 1, 1, 1},
			[]float64{.0008, -.0008, -.0008, .0008}, 0, 3.9984},
		{"bits", Kernel{}, 1, bits, yb, nil, []float64{1, 1, -1, -1, -1}, 0, 1.5},
		{"bits, small C", Kernel{}, .01, bits, yb, nil, small, -.985, .039725},
		{"bits, scaled", Kernel{Polynomial, 1, .01, 1}, 1, bits, yb, nil, small, -.985, 3.9725},
		{"bits, poly", Kernel{Polynomial, 2, 1, 1}, 1, bits, yb, []float64{.170455, .170455, .079545, .079545, .181818}, nil,
			-.090909, .340909},
	} {
		t.Run(e.name, func(t *testing.T) {
			e.check(t, e.x)
			if e.x == bits {
				e.check(t, binary(e.x))
			}
		})
	}
}

func (e expected) check(t *testing.T, x *Rows) {
	s, err := machine(e.k, e.c).Train(background, x, all(x.Len()), e.y, NewColumnMap(x.Width))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the dual", s.Dual, e.dual, 1e-6)
	near(t, "b", s.B, e.b, 1e-5)
	for i, a := range e.alpha {
		near(t, "alpha", math.Abs(s.Coef[i]), a, 1e-6)
	}
	for i, f := range e.f {
		near(t, "f", decision(e.k, x, s, i), f, 1e-5)
	}
}

// TestKernelTooLarge: a kernel whose values are no numbers is refused, not learned from.
func TestKernelTooLarge(t *testing.T) {
	for _, k := range []Kernel{{Shape: Polynomial, Degree: 2, Gamma: 1e300},
		{Shape: Polynomial, Degree: 2, Gamma: 1, Coef0: 1e300}, {Shape: Polynomial, Degree: 300, Gamma: 10, Coef0: 1}} {
		for _, x := range []*Rows{dense([][]float32{{1, 0.5}, {0, 2}}), binary(dense([][]float32{{1, 1}, {0, 1}}))} {
			if _, err := machine(k, 1).Train(background, x, all(2), []int8{1, -1}, NewColumnMap(x.Width)); !errors.Is(err,
				ErrInvalid) {
				t.Errorf("%+v gives %v", k, err)
			}
		}
	}
}
