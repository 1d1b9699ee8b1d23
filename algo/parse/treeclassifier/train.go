package treeclassifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
	"parlance/algo/text"
)

// subtree is a row of the relation.
type subtree struct {
	Class             int
	Text              string
	Weight            float64
	Support, Subtrees int
}

// corpus is documents with trees and a label.
type corpus struct {
	shapes []*treekernel.Shape
	trees  []*treekernel.Tree
	names  *treekernel.Alphabet
	gold   []int
	labels []string
}

// Train trains a machine for each class against the others, or one machine for two classes.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	start := time.Now()
	report := func(step, of int, note string) {
		t.Report(kind.Progress{Step: step, Of: of, Objective: math.NaN(), HeldOut: math.NaN(),
			Seconds: time.Since(start).Seconds(), Note: note})
	}
	data, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	if err := m.ready(); err != nil {
		return err
	}
	var mined *treekernel.Mined
	steps := len(data.labels)
	if steps == 2 {
		steps = 1
	}
	if m.opt.method == "mined" {
		o := treekernel.Mining{Size: m.opt.size, Ratio: m.opt.ratio, Searches: m.opt.searches}
		if mined, err = treekernel.Mine(ctx, m.kernel, o, data.trees, data.names); err != nil {
			return err
		}
		if !mined.Whole {
			t.Notice(fmt.Sprintf("the trees share more than %d subtrees: kernels are found from the trees; a "+
				"smaller size makes vectors of them", m.opt.searches))
		}
		report(0, steps, fmt.Sprintf("%d trees, %d groups of subtrees, %.2f %% of the pairs compared without vectors",
			len(data.trees), len(mined.Groups), 100*mined.Direct.Rate()))
	}
	gram, err := treekernel.NewGram(m.kernel, data.trees, mined, m.opt.normal)
	if err != nil {
		return fmt.Errorf("decay: %w", err)
	}
	coef, bias, err := m.machines(ctx, data, gram, func(step int, note string) { report(step, steps, note) })
	if err != nil {
		return err
	}
	m.labels, m.bias = data.labels, bias
	m.keep(data, coef)
	if err := m.ready(); err != nil {
		return err
	}
	if err := m.list(ctx, t); err != nil || t.Score == nil {
		return err
	}
	p := kind.Progress{Step: steps, Of: steps, Objective: math.NaN(), Note: "held out"}
	if p.HeldOut, p.Metric, err = t.Score(ctx, m); err == nil {
		p.Seconds = time.Since(start).Seconds()
		t.Report(p)
	}
	return err
}

func (m *model) read(ctx context.Context, t *kind.Training) (*corpus, error) {
	c := &corpus{names: treekernel.NewAlphabet()}
	without, faults := 0, 0
	var fault error
	for d, err := range t.On.Documents(ctx) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		l := d.Layer(text.Labels.Name)
		if l == nil || l.N == 0 {
			continue
		}
		s, wrong := m.shape(d)
		if wrong != nil {
			faults++
			fault = cmp.Or(fault, wrong)
		}
		if len(s.Labels) == 0 || m.opt.marks != "none" && slices.Max(s.Marks) == "" {
			without++
			continue
		}
		label := l.Strs("label")[0]
		y := slices.Index(c.labels, label)
		if y < 0 {
			y = len(c.labels)
			c.labels = append(c.labels, label)
		}
		c.shapes, c.trees, c.gold = append(c.shapes, s), append(c.trees, s.Tree(c.names)), append(c.gold, y)
	}
	if faults > 0 {
		t.Notice(fmt.Sprintf("constituents of %d documents are no trees, and are left out: %v", faults, fault))
	}
	switch {
	case len(c.trees) == 0 && m.opt.marks != "none":
		return nil, fmt.Errorf("%w: no document with labels has constituents of the tokens of its %s",
			kind.ErrNoData, m.opt.marks)
	case len(c.trees) == 0:
		return nil, fmt.Errorf("%w: no document with labels has constituents", kind.ErrNoData)
	case len(c.labels) == 1:
		return nil, fmt.Errorf("%w: every document has the label %s; two labels are wanted at least",
			kind.ErrNoData, c.labels[0])
	case without > 0:
		t.Notice(fmt.Sprintf("%d documents with labels are left out, for they have no tree, or none with a mark",
			without))
	}
	return c, nil
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

// machines gives coefficients by tree and class, and the biases.
func (m *model) machines(ctx context.Context, data *corpus, gram *treekernel.Gram, report func(int,
	string)) (coef, bias []float64, err error) {
	n, classes := len(data.trees), len(data.labels)
	half := int64(m.opt.cache) << 19
	g := &stopping{kept: kept{Gram: gram, rows: make([][]float64, n), left: int(half / int64(8*n))}, ctx: ctx}
	o := solver.Machine{C: m.opt.c, Epsilon: m.opt.tolerance, Shrinking: true, Cache: half}
	coef, bias = make([]float64, n*classes), make([]float64, classes)
	for y := range classes {
		if classes == 2 && y == 1 { // the same machine, seen from the other side
			for i := range n {
				coef[2*i+1] = -coef[2*i]
			}
			bias[1] = -bias[0]
			break
		}
		side := make([]int8, n)
		for i, l := range data.gold {
			side[i] = -1
			if l == y {
				side[i] = 1
			}
		}
		s, err := o.TrainGram(ctx, g, side)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			if errors.Is(err, solver.ErrInvalid) {
				err = fmt.Errorf("%w; or normalise = true", err)
			}
			return nil, nil, err
		}
		for i, b := range s.Coef {
			coef[i*classes+y] = b
		}
		bias[y] = s.B
		report(y+1, fmt.Sprintf("%s: %d steps", data.labels[y], s.Iterations))
	}
	return coef, bias, nil
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

// keep keeps the trees that have a coefficient.
func (m *model) keep(data *corpus, coef []float64) {
	k := len(data.labels)
	m.shapes, m.coef = nil, nil
	for i, s := range data.shapes {
		row := coef[i*k : (i+1)*k]
		if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
			m.shapes, m.coef = append(m.shapes, s), append(m.coef, row...)
		}
	}
}

// list finds the subtrees of the support vectors, and their weights, W·Σ_i β_i·#(i)/√K(i, i); the largest are kept.
func (m *model) list(ctx context.Context, t *kind.Training) error {
	k := len(m.labels)
	trees := make([]*treekernel.Tree, len(m.trees))
	for i, x := range m.trees {
		trees[i] = x.Tree
	}
	o := treekernel.Mining{Size: m.opt.shown, Searches: m.opt.searches, All: true}
	mined, err := treekernel.Mine(ctx, m.kernel, o, trees, m.names)
	if err != nil {
		return err
	}
	if !mined.Whole {
		t.Notice(fmt.Sprintf("the relation subtrees is empty, for there are more than %d; a smaller subtree_size "+
			"makes it", o.Searches))
	}
	sum := make([]float64, len(mined.Groups)*k)
	for i := range trees {
		mined.Each(i, func(g int, count float64) {
			for y := range k {
				sum[g*k+y] += m.coef[i*k+y] * m.scale[i] * count * mined.Groups[g].Weight
			}
		})
	}
	for y := range k {
		var order []int
		for g := range mined.Groups {
			if sum[g*k+y] != 0 {
				order = append(order, g)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(math.Abs(sum[b*k+y]),
				math.Abs(sum[a*k+y]))
		})
		for _, g := range order[:min(len(order), m.opt.kept)] {
			m.subtrees = append(m.subtrees, subtree{y, mined.Text(g), sum[g*k+y], mined.Support(g),
				mined.Groups[g].Subtrees})
		}
	}
	return nil
}
