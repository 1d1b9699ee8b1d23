package treeclassifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
	"parlance/algo/parse/treesvm"
	"parlance/algo/text"
)

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
	if err := m.ready(ctx); err != nil {
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
	gram, err := treekernel.NewGram(ctx, m.kernel, data.trees, mined, m.opt.normal)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("decay: %w", err)
	}
	set := treesvm.Settings{C: m.opt.c, Tolerance: m.opt.tolerance, Cache: m.opt.cache}
	m.labels = data.labels
	m.vectors, err = treesvm.Train(ctx, set, gram, data.shapes, data.gold, len(data.labels), func(y, n int) {
		report(y+1, steps, fmt.Sprintf("%s: %d steps", data.labels[y], n))
	})
	if err != nil {
		return err
	}
	if err := m.ready(ctx); err != nil {
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
		s, wrong := m.shape(ctx, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
		tree, err := s.TreeWithin(ctx, c.names)
		if err != nil {
			return nil, err
		}
		c.shapes, c.trees, c.gold = append(c.shapes, s), append(c.trees, tree), append(c.gold, y)
	}
	if faults > 0 {
		t.Notice(text.Countf("constituents of %d {document is|documents are} no trees, and are left out: %v", faults, fault))
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
		t.Notice(text.Countf("%d {document|documents} with labels are left out, for they have no tree, or none with a mark",
			without))
	}
	return c, nil
}

// list finds the subtrees that speak most for or against a class.
func (m *model) list(ctx context.Context, t *kind.Training) (err error) {
	o := treesvm.Listing{Size: m.opt.shown, Searches: m.opt.searches, Kept: m.opt.kept, Normal: m.opt.normal}
	m.subtrees, err = m.vectors.Subtrees(ctx, m.kernel, o)
	if errors.Is(err, treesvm.ErrMany) {
		t.Notice(fmt.Sprintf("the relation subtrees is empty, for there are more than %d; a smaller subtree_size "+
			"makes it", o.Searches))
		return nil
	}
	return err
}
