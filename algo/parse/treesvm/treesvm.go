// Package treesvm has support vector machines over trees of phrases: machines on a matrix of tree kernels, a machine a
// class against the others, and support vectors as they are stored.
package treesvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
)

// Settings are those of training.
type Settings struct {
	C         float64
	Tolerance float64
	Cache     int // megabytes of kernels that are kept
}

// Vectors are support vectors: f_y(x) = Σ_i Coef[i·k+y]·K(x_i, x) + Bias[y] for class y of k.
type Vectors struct {
	Shapes []*treekernel.Shape
	Coef   []float64 // by vector and class
	Bias   []float64 // by class
}

// kept is a matrix whose rows are shared by the machines, as many as fit.
type kept struct {
	*treekernel.Gram
	rows [][]float64
	left int
}

// Row copies a row that is kept.
func (k *kept) Row(i int, dst []float64) {
	if k.rows[i] != nil {
		copy(dst, k.rows[i])
		return
	}
	k.Gram.Row(i, dst)
	if k.left > 0 {
		k.left--
		k.rows[i] = slices.Clone(dst)
	}
}

// stopping gives no more rows when the context has ended; the solver stops soon then.
type stopping struct {
	kept
	ctx context.Context
}

// Row leaves dst as it is when the context has ended.
func (s *stopping) Row(i int, dst []float64) {
	if s.ctx.Err() == nil {
		s.kept.Row(i, dst)
	}
}

// Train trains a machine for each of two classes or more against the others, one for two classes, and returns the trees
// that have a coefficient. gold are the classes of the trees; report gets the steps of each machine.
func Train(ctx context.Context, o Settings, gram *treekernel.Gram, shapes []*treekernel.Shape, gold []int, classes int,
	report func(class, steps int)) (*Vectors, error) {
	n := len(gold)
	half := int64(o.Cache) << 19
	g := &stopping{kept: kept{Gram: gram, rows: make([][]float64, n), left: int(half / int64(8*max(1, n)))}, ctx: ctx}
	m := solver.Machine{C: o.C, Epsilon: o.Tolerance, Shrinking: true, Cache: half}
	coef, bias := make([]float64, n*classes), make([]float64, classes)
	for y := range classes {
		if classes == 2 && y == 1 { // the same machine, seen from the other side
			for i := range n {
				coef[2*i+1] = -coef[2*i]
			}
			bias[1] = -bias[0]
			break
		}
		side := make([]int8, n)
		for i, l := range gold {
			side[i] = -1
			if l == y {
				side[i] = 1
			}
		}
		s, err := m.TrainGram(ctx, g, side)
		if err = cmp.Or(ctx.Err(), err); err != nil { // what the solver says of rows that ended early means nothing
			if errors.Is(err, solver.ErrInvalid) {
				err = fmt.Errorf("%w; or normalise = true", err)
			}
			return nil, err
		}
		for i, b := range s.Coef {
			coef[i*classes+y] = b
		}
		bias[y] = s.B
		report(y, s.Iterations)
	}
	out := &Vectors{Bias: bias}
	for i, s := range shapes {
		row := coef[i*classes : (i+1)*classes]
		if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
			out.Shapes, out.Coef = append(out.Shapes, s), append(out.Coef, row...)
		}
	}
	return out, nil
}

// Bytes is what the vectors take in memory.
func (v *Vectors) Bytes() (n int64) {
	for _, s := range v.Shapes {
		n += int64(len(s.Labels)) * 80
	}
	return n + int64(len(v.Coef))*8
}

// Encode writes the vectors.
func (v *Vectors) Encode(w *kind.Writer) error {
	number := map[string]uint32{}
	var names []string
	id := func(s string) uint32 {
		i, known := number[s]
		if !known {
			i = uint32(len(names))
			number[s], names = i, append(names, s)
		}
		return i
	}
	sizes := make([]uint32, len(v.Shapes))
	var nodes []uint32 // label, parent and mark of each
	for i, s := range v.Shapes {
		sizes[i] = uint32(len(s.Labels))
		for n, l := range s.Labels {
			nodes = append(nodes, id(l), uint32(s.Parent[n]+1), id(s.Marks[n]))
		}
	}
	for _, write := range []func() error{
		func() error { return w.Strings("names", names) },
		func() error { return w.Uint32s("sizes", sizes) },
		func() error { return w.Uint32s("nodes", nodes) },
		func() error { return w.Float64s("coefficients", v.Coef) },
		func() error { return w.Float64s("bias", v.Bias) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote, for a number of classes.
func Decode(r *kind.Reader, classes int) (*Vectors, error) {
	v := &Vectors{}
	var names []string
	var sizes, nodes []uint32
	var err error
	for _, read := range []func(){
		func() { names, err = r.Strings("names") },
		func() { sizes, err = r.Uint32s("sizes") },
		func() { nodes, err = r.Uint32s("nodes") },
		func() { v.Coef, err = r.Float64s("coefficients") },
		func() { v.Bias, err = r.Float64s("bias") },
	} {
		if read(); err != nil {
			return nil, err
		}
	}
	if len(v.Bias) != classes || len(v.Coef) != len(sizes)*classes {
		return nil, kind.Corrupt("coefficients", "does not fit the labels")
	}
	v.Shapes, err = shapes(names, sizes, nodes)
	return v, err
}

// shapes reads trees; a parent comes before its children, and is the node before or above it.
func shapes(names []string, sizes, nodes []uint32) (out []*treekernel.Shape, err error) {
	for _, size := range sizes {
		s := &treekernel.Shape{}
		if uint64(size)*3 > uint64(len(nodes)) {
			return nil, kind.Corrupt("nodes", "is too short")
		}
		var open []int32
		for i := range size {
			label, parent, mark := nodes[3*i], int64(nodes[3*i+1])-1, nodes[3*i+2]
			if int(label) >= len(names) || int(mark) >= len(names) {
				return nil, kind.Corrupt("nodes", "has a name that does not exist")
			}
			for len(open) > 0 && int64(open[len(open)-1]) != parent {
				open = open[:len(open)-1]
			}
			if parent >= 0 && len(open) == 0 {
				return nil, kind.Corrupt("nodes", "has a node out of order")
			}
			open = append(open, s.Add(int32(parent), names[label], names[mark]))
		}
		nodes = nodes[3*size:]
		out = append(out, s)
	}
	if len(nodes) > 0 {
		return nil, kind.Corrupt("nodes", "is too long")
	}
	return out, nil
}

// First are the vectors of the first class alone.
func (v *Vectors) First() *Vectors {
	out := &Vectors{Shapes: v.Shapes, Bias: v.Bias[:1]}
	for i := range v.Shapes {
		out.Coef = append(out.Coef, v.Coef[i*len(v.Bias)])
	}
	return out
}
