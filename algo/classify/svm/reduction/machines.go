// Package reduction makes classifiers of many classes from support vector machines: one against
// the rest, one for each pair with votes, or one for all classes.
package reduction

import (
	"fmt"
	"math"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/engine/chain"
	"parlance/algo/text"
)

// Scheme is how machines make a classifier.
type Scheme uint8

// The schemes.
const (
	OneVersusRest Scheme = iota // a machine a class; the highest decision value wins
	Pairwise                    // a machine a pair of classes; the most votes win
	CrammerSinger               // one linear machine with a weight vector a class
)

var schemes = []string{"one_vs_rest", "pairwise", "crammer_singer"}

func (s Scheme) String() string { return schemes[s] }

// Count is the number of machines for n classes.
func (s Scheme) Count(classes int) int {
	if s == Pairwise {
		return classes * (classes - 1) / 2
	}
	return classes
}

// Pair is the classes of a pairwise machine, first < second. Machines are ordered by first, then
// by second.
func Pair(k, classes int) (first, second int) {
	for n := classes - 1; k >= n; n-- {
		k -= n
		first++
	}
	return first, first + 1 + k
}

// number is the machine of a pair.
func number(first, second, classes int) int {
	return first*(2*classes-first-1)/2 + second - first - 1
}

// Machines is a trained classifier. Classes are numbered by falling size; of equal votes or
// values the smaller number wins. It never changes and is safe for concurrent use.
type Machines struct {
	Scheme   Scheme
	Classes  int
	Label    []uint16 // by class: pairs of one label have no machine; nil: all pairs have one
	Kernel   solver.Kernel
	Weights  *chain.Model // linear: by column, the bias last, and machine; else nil
	Pool     *solver.Pool // of support vectors, for other kernels
	vectors  [][]uint32   // of each machine, places in the pool
	coefs    [][]float64
	offset   []float64        // b of each machine
	Sigmoids []solver.Sigmoid // of each machine; nil where probabilities are not fitted
}

// together reports whether two classes are one or share a label.
func (m *Machines) together(i, j int) bool {
	return i == j || m.Label != nil && m.Label[i] == m.Label[j]
}

// exists reports whether machine k has been trained.
func (m *Machines) exists(k int) bool {
	if m.Scheme != Pairwise || m.Label == nil {
		return true
	}
	i, j := Pair(k, m.Classes)
	return !m.together(i, j)
}

// Count is the number of machines that have been trained.
func (m *Machines) Count() int {
	n := 0
	for k := range m.Scheme.Count(m.Classes) {
		if m.exists(k) {
			n++
		}
	}
	return n
}

// Linear reports whether the machines are weights of columns.
func (m *Machines) Linear() bool { return m.Weights != nil }

// Vectors returns the support vectors of machine k, places in the pool, with their coefficients.
func (m *Machines) Vectors(k int) ([]uint32, []float64) { return m.vectors[k], m.coefs[k] }

// Offset is b of machine k; that of linear machines is the weight of the last column.
func (m *Machines) Offset(k int) float64 { return m.offset[k] }

// Bytes is what the machines take in memory.
func (m *Machines) Bytes() int64 {
	if m.Linear() {
		return m.Weights.Bytes()
	}
	n := m.Pool.Bytes()
	for _, v := range m.vectors {
		n += int64(12 * len(v))
	}
	return n
}

// Classifier classifies one sample after the other. It belongs to one goroutine.
type Classifier struct {
	m     *Machines
	query solver.Query
	score []float64      // decision value by machine; NaN: not known yet
	win   *solver.Winner // of pairs
	pairs [][]float64
	prob  []float64
	Asked int // machines asked since the start, for reports
}

// Classifier returns a classifier with memory of its own.
func (m *Machines) Classifier() *Classifier {
	c := &Classifier{m: m, score: make([]float64, m.Scheme.Count(m.Classes))}
	if m.Scheme == Pairwise {
		c.win = solver.NewWinner(m.Classes, m.Label)
	}
	return c
}

// Load takes a sample: columns and their values, nil where all are 1. Columns from Width on are
// unknown and left out by kernels; linear machines must not be given them.
func (c *Classifier) Load(cols []uint32, vals []float32) {
	if !c.m.Linear() {
		c.m.Pool.Kernels(&c.query, cols, vals)
		for i := range c.score {
			c.score[i] = math.NaN()
		}
		return
	}
	clear(c.score)
	for k, a := range cols {
		v := 1.0
		if vals != nil {
			v = float64(vals[k])
		}
		c.add(a, v)
	}
	c.add(uint32(c.m.Weights.Attributes()-1), 1)
}

func (c *Classifier) add(column uint32, v float64) {
	ks, ws := c.m.Weights.Row(column)
	for i, k := range ks {
		c.score[k] += v * ws[i]
	}
}

// Value is the decision value of machine k.
func (c *Classifier) Value(k int) float64 {
	if f := c.score[k]; !math.IsNaN(f) {
		return f
	}
	c.Asked++
	f, coefs := c.m.offset[k], c.m.coefs[k]
	for i, v := range c.m.vectors[k] {
		f += coefs[i] * c.query.Values[v]
	}
	c.score[k] = f
	return f
}

// Best is the class that wins.
func (c *Classifier) Best() int {
	if c.m.Scheme == Pairwise {
		best, _ := c.win.Find(func(i, j int) bool { return c.Value(number(i, j, c.m.Classes)) > 0 })
		return best
	}
	best := 0
	for k := range c.score {
		if c.Value(k) > c.Value(best) {
			best = k
		}
	}
	return best
}

// RunnerUp is the class that would win without the best one and those of its label, −1 if there is
// none.
func (c *Classifier) RunnerUp(best int) int {
	n := c.m.Classes
	if n < 2 {
		return -1
	}
	points := make([]float64, n)
	for k := range c.score {
		if c.m.Scheme != Pairwise {
			points[k] = c.Value(k)
			continue
		}
		i, j := Pair(k, n)
		if c.m.together(i, best) || c.m.together(j, best) {
			continue
		}
		if c.m.together(i, j) || c.Value(k) > 0 {
			points[i]++
		}
		if c.m.together(i, j) || c.Value(k) <= 0 {
			points[j]++
		}
	}
	top := -1
	for k := range points {
		if !c.m.together(k, best) && (top < 0 || points[k] > points[top]) {
			top = k
		}
	}
	return top
}

// Probabilities is p(class | sample) by class: decision values through the fitted sigmoids,
// coupled for pairs (Wu, Lin and Weng 2004), normalised for one against the rest. Without fitted
// sigmoids it is what the decision values would say if they were log odds, and softmax for
// machines of whole classes. It holds until the next call.
func (c *Classifier) Probabilities() []float64 {
	n := c.m.Classes
	if len(c.prob) != n {
		c.prob = make([]float64, n)
	}
	switch {
	case n == 1:
		c.prob[0] = 1
	case c.m.Scheme == Pairwise:
		copy(c.prob, solver.Couple(c.coupled()))
	case c.m.Sigmoids != nil:
		sum := 0.0
		for k := range c.prob {
			c.prob[k] = math.Max(c.m.Sigmoids[k].Of(c.Value(k)), least)
			sum += c.prob[k]
		}
		for k := range c.prob {
			c.prob[k] /= sum
		}
	default:
		c.softmax()
	}
	return c.prob
}

const least = 1e-7 // probability of a pair, away from 0 and 1

func (c *Classifier) coupled() [][]float64 {
	n := c.m.Classes
	if c.pairs == nil {
		c.pairs = make([][]float64, n)
		for i := range c.pairs {
			c.pairs[i] = make([]float64, n)
		}
	}
	for k := range c.score {
		i, j := Pair(k, n)
		if c.m.together(i, j) {
			continue // both stay 0
		}
		s := solver.Sigmoid{A: -1}
		if c.m.Sigmoids != nil {
			s = c.m.Sigmoids[k]
		}
		p := min(max(s.Of(c.Value(k)), least), 1-least)
		c.pairs[i][j], c.pairs[j][i] = p, 1-p
	}
	return c.pairs
}

func (c *Classifier) softmax() {
	top, sum := math.Inf(-1), 0.0
	for k := range c.prob {
		top = max(top, c.Value(k))
	}
	for k := range c.prob {
		c.prob[k] = math.Max(math.Exp(c.Value(k)-top), least)
		sum += c.prob[k]
	}
	for k := range c.prob {
		c.prob[k] /= sum
	}
}

// Kernel is the kernel of the loaded sample with a support vector.
func (c *Classifier) Kernel(vector uint32) float64 { return c.query.Values[vector] }

// Summary tells how many classes, machines and support vectors there are.
func (m *Machines) Summary() string {
	s := text.Countf("%d {class|classes}, %d {machine|machines}", m.Classes, m.Count())
	if m.Linear() {
		return s
	}
	n := 0
	for _, v := range m.vectors {
		n += len(v)
	}
	return s + fmt.Sprintf(", %d support vectors, which stand %d times in machines", m.Pool.Len(), n)
}
