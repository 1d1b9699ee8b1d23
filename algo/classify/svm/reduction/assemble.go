package reduction

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
)

// empty is the classifier without its machines.
func (t *trainer) empty() *Machines {
	return &Machines{Scheme: t.Scheme, Classes: t.classes, Label: t.Label, Kernel: t.Kernel}
}

// assemble puts trained machines together.
func (t *trainer) assemble(all []*learned) (*Machines, error) {
	m := t.empty()
	if t.Probability {
		for _, l := range all {
			m.Sigmoids = append(m.Sigmoids, l.sigmoid)
		}
	}
	if t.Kernel.Shape == solver.Dot {
		var err error
		m.Weights, err = t.weights(all)
		return m, err
	}
	var union []uint32
	for _, l := range all {
		union = append(union, l.ids...)
	}
	slices.Sort(union)
	union = slices.Compact(union)
	for _, l := range all {
		at := make([]uint32, len(l.ids))
		for i, id := range l.ids {
			p, _ := slices.BinarySearch(union, id)
			at[i] = uint32(p)
		}
		m.vectors, m.coefs, m.offset = append(m.vectors, at), append(m.coefs, l.coefs), append(m.offset, l.b)
	}
	vectors := t.x.Select(union)
	vectors.Width = maxWidth(vectors)
	m.Pool = solver.NewPool(t.Kernel, vectors)
	return m, nil
}

// weights makes a table of columns and machines from the weights of linear machines; their b is
// the last column.
func (t *trainer) weights(all []*learned) (*chain.Model, error) {
	p := chain.Parts{Labels: len(all), Attributes: t.x.Width + 1, AttrStart: make([]uint32, t.x.Width+2)}
	if len(all) == 0 { // a single class
		p.Labels = 1
	}
	for _, l := range all {
		for _, c := range l.cols {
			p.AttrStart[c+1]++
		}
		if l.b != 0 {
			p.AttrStart[t.x.Width+1]++
		}
	}
	for c := range p.AttrStart[1:] {
		p.AttrStart[c+1] += p.AttrStart[c]
	}
	n := p.AttrStart[t.x.Width+1]
	p.PairLabel, p.Weights = make([]uint16, n), make([]float64, n)
	next := slices.Clone(p.AttrStart)
	put := func(c uint32, k int, w float64) {
		p.PairLabel[next[c]], p.Weights[next[c]] = uint16(k), w
		next[c]++
	}
	for k, l := range all {
		for i, c := range l.cols {
			put(c, k, l.weights[i])
		}
		if l.b != 0 {
			put(uint32(t.x.Width), k, l.b)
		}
	}
	return chain.NewModel(p)
}

// joint trains one machine for all classes.
func (t *trainer) joint(ctx context.Context) (*Machines, error) {
	o := t.settings()
	var restore, save func(*solver.JointState) error
	if t.Resume != nil {
		restore = func(s *solver.JointState) error { return jointState(s).Read(t.Resume) }
	}
	if t.Keep != nil {
		save = func(s *solver.JointState) error { return t.Keep.Save(jointState(s).Write) }
	}
	r, err := o.CrammerSinger(ctx, t.x, t.class, t.classes, func(pass int, violation float64) {
		if t.Report != nil {
			t.Report(pass, o.Iterations, violation)
		}
	}, restore, save)
	if err != nil {
		return nil, err
	}
	all := make([]*learned, t.classes)
	for c := range all {
		l := &learned{b: r.Weights[t.x.Width*t.classes+c] * t.Bias}
		for col := range t.x.Width {
			if w := r.Weights[col*t.classes+c]; w != 0 {
				l.cols, l.weights = append(l.cols, uint32(col)), append(l.weights, w)
			}
		}
		all[c] = l
	}
	return t.assemble(all)
}

// Names are the names of classes that Renumber has numbered.
func Names(order []int, names []string) []string {
	out := make([]string, len(order))
	for i, old := range order {
		out[i] = names[old]
	}
	return out
}

// Score reports what a trained model scores on held-out documents, where there are any.
func Score(ctx context.Context, t *kind.Training, m kind.Model) error {
	if t.Score == nil {
		return nil
	}
	score, metric, err := t.Score(ctx, m)
	if err == nil {
		t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: score, Metric: metric})
	}
	return err
}

// Renumber numbers classes by falling size, equal ones in their order, in place, and returns the
// old numbers by the new ones.
func Renumber(class []uint16, classes int) []int {
	size := make([]int, classes)
	for _, c := range class {
		size[c]++
	}
	order := make([]int, classes)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	number := make([]uint16, classes)
	for i, c := range order {
		number[c] = uint16(i)
	}
	for i, c := range class {
		class[i] = number[c]
	}
	return order
}
