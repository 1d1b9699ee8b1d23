// Package sparse serves classifiers of numbered features that other programs have trained: LIBLINEAR's linear models
// and LIBSVM's support vector classifiers. A document is a vector: its text is pairs such as 3:0.5, an index from 1 and
// a value. Readers of the files are in algo/foreign.
package sparse

import (
	"fmt"
	"math"

	"parlance/algo/kind"
)

// Model is a classifier trained elsewhere. It never changes.
//
// A linear one has a column of weights for each class, or one column for two classes, and the decision values
//
//	d_k(x) = Σ_i w[i, k]·x_i + bias·w[n+1, k]
//
// One of support vectors has decision values of pairs of classes i < j, over the vectors s of both
//
//	d_ij(x) = Σ_s α[s, ij]·K(s, x) − ρ_ij
//
// whose sign votes for i or j.
type Model struct {
	Head
	Weights []float64 // of a linear model: feature·columns + column, the bias last
	// of support vectors
	Coef  []float64 // vector·(classes−1) + k
	Start []uint32  // entries of vector s are Start[s] to Start[s+1]
	Index []uint32  // from 1, rising
	Value []float64
}

// Head is what a model says of itself beside its weights.
type Head struct {
	Labels   []string `json:"labels"` // in the order of the file, which ties follow
	Columns  int      `json:"columns,omitempty"`
	Features int      `json:"features,omitempty"`
	Bias     float64  `json:"bias"` // below 0: none
	Logistic bool     `json:"logistic,omitempty"`

	Kernel Kernel    `json:"kernel"`
	Counts []int     `json:"counts,omitempty"` // support vectors of each class
	Rho    []float64 `json:"rho,omitempty"`    // of the pairs 1-2, 1-3, …, 2-3, …
	ProbA  []float64 `json:"prob_a,omitempty"` // of the pairs; nil for a model without probabilities
	ProbB  []float64 `json:"prob_b,omitempty"`
	ByProb bool      `json:"by_prob,omitempty"` // the label is the most probable one, in place of that with most votes
}

// Kernel is a kernel of LIBSVM; its name is empty for linear models of LIBLINEAR.
type Kernel struct {
	Name   string  `json:"name,omitempty"` // linear, polynomial, rbf or sigmoid
	Degree int     `json:"degree,omitempty"`
	Gamma  float64 `json:"gamma,omitempty"`
	Coef0  float64 `json:"coef0,omitempty"`
}

// Kernels are the names.
var Kernels = []string{"linear", "polynomial", "rbf", "sigmoid"}

const prefix = "sparse"

// Section tells by its presence that stored weights are those of this package.
const Section = prefix + ".head"

// Encode writes the model.
func (m *Model) Encode(w *kind.Writer) error {
	if err := w.JSON(Section, m.Head); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		v    []float64
	}{{"weights", m.Weights}, {"coef", m.Coef}, {"value", m.Value}} {
		if err := w.Float64s(prefix+"."+s.name, s.v); err != nil {
			return err
		}
	}
	if err := w.Uint32s(prefix+".start", m.Start); err != nil {
		return err
	}
	return w.Uint32s(prefix+".index", m.Index)
}

// Decode reads what Encode wrote.
func Decode(r *kind.Reader) (*Model, error) {
	m := &Model{}
	if err := r.JSON(Section, &m.Head); err != nil {
		return nil, err
	}
	var err error
	for _, s := range []struct {
		name string
		v    *[]float64
	}{{"weights", &m.Weights}, {"coef", &m.Coef}, {"value", &m.Value}} {
		if *s.v, err = r.Float64s(prefix + "." + s.name); err != nil {
			return nil, err
		}
	}
	if m.Start, err = r.Uint32s(prefix + ".start"); err != nil {
		return nil, err
	}
	if m.Index, err = r.Uint32s(prefix + ".index"); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

// Check reports parts that do not belong together.
func (m *Model) Check() error {
	if len(m.Labels) < 2 {
		return fmt.Errorf("%d labels, at least two are wanted", len(m.Labels))
	}
	seen := map[string]bool{}
	for _, l := range m.Labels {
		if l == "" || seen[l] {
			return fmt.Errorf("the label %q is empty, or comes twice", l)
		}
		seen[l] = true
	}
	for _, list := range [][]float64{m.Weights, m.Coef, m.Value, m.Rho, m.ProbA, m.ProbB} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the number %g, want a finite one", v)
			}
		}
	}
	if m.Kernel.Name == "" {
		return m.checkLinear()
	}
	return m.checkVectors()
}

func (m *Model) checkLinear() error {
	rows := m.Features
	if m.Bias >= 0 {
		rows++
	}
	if m.Columns != len(m.Labels) && (m.Columns != 1 || len(m.Labels) != 2) || m.Features < 0 ||
		len(m.Weights) != rows*m.Columns {
		return fmt.Errorf("%d weights in %d columns for %d features and %d labels", len(m.Weights), m.Columns, m.Features,
			len(m.Labels))
	}
	return nil
}

func (m *Model) checkVectors() error {
	k, n := len(m.Labels), len(m.Start)-1
	pairs := k * (k - 1) / 2
	switch {
	case n < 0 || len(m.Coef) != n*(k-1) || len(m.Index) != len(m.Value) || len(m.Rho) != pairs || len(m.Counts) != k:
		return fmt.Errorf("%d support vectors with %d coefficients, %d thresholds and %d counts, for %d labels", n,
			len(m.Coef), len(m.Rho), len(m.Counts), k)
	case len(m.ProbA) != len(m.ProbB) || m.ProbA != nil && len(m.ProbA) != pairs:
		return fmt.Errorf("%d and %d parameters of probabilities, want %d", len(m.ProbA), len(m.ProbB), pairs)
	case m.Start[0] != 0 || int(m.Start[n]) != len(m.Index):
		return fmt.Errorf("the entries of the support vectors do not add up")
	}
	for s := range n {
		if m.Start[s+1] < m.Start[s] || int(m.Start[s+1]) > len(m.Index) {
			return fmt.Errorf("support vector %d is out of order", s+1)
		}
		for i := m.Start[s] + 1; i < m.Start[s+1]; i++ {
			if m.Index[i] <= m.Index[i-1] {
				return fmt.Errorf("the indices of support vector %d do not rise", s+1)
			}
		}
	}
	total := 0
	for _, c := range m.Counts {
		if total += c; c < 0 {
			return fmt.Errorf("%d support vectors of a class", c)
		}
	}
	if total != n {
		return fmt.Errorf("%d support vectors, the classes have %d", n, total)
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *Model) Bytes() int64 {
	return 8*int64(len(m.Weights)+len(m.Coef)+len(m.Value)) + 4*int64(len(m.Start)+len(m.Index))
}

// HasProb reports whether the model has probabilities.
func (m *Model) HasProb() bool { return m.Logistic || m.ProbA != nil }
