package solver

import (
	"fmt"
	"math"
	"strings"
)

// Shape is a kind of kernel.
type Shape uint8

// The kernels, of z = x·x′.
const (
	Dot        Shape = iota // z
	Polynomial              // (γ·z + r)^d
	Radial                  // exp(−γ·|x − x′|²)
)

var shapes = []string{"linear", "poly", "rbf"}

// Shapes lists the names of the kernels.
func Shapes() []string { return shapes }

// ParseShape returns the kernel of the name.
func ParseShape(name string) (Shape, error) {
	for i, s := range shapes {
		if s == name {
			return Shape(i), nil
		}
	}
	return 0, fmt.Errorf("%w: kernel %q is not one of %s", ErrInvalid, name, strings.Join(shapes, ", "))
}

func (s Shape) String() string { return shapes[s] }

// Kernel is a kernel with its parameters.
type Kernel struct {
	Shape  Shape
	Degree int     // d
	Gamma  float64 // γ
	Coef0  float64 // r
}

// of is the kernel of x·x′ = z (for Radial, of |x − x′|² = z).
func (k Kernel) of(z float64) float64 {
	switch k.Shape {
	case Polynomial:
		base, out := k.Gamma*z+k.Coef0, 1.0
		for range k.Degree {
			out *= base
		}
		return out
	case Radial:
		return math.Exp(-k.Gamma * z)
	}
	return z
}

// table holds the kernel of every z from 0 to n.
func (k Kernel) table(n int) []float64 {
	out := make([]float64, n+1)
	for z := range out {
		out[z] = k.of(float64(z))
	}
	return out
}
