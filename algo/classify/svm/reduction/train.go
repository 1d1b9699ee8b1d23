package reduction

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"parlance/algo/checkpoint"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
)

// Options are the settings of a training.
type Options struct {
	Scheme      Scheme
	Label       []uint16 // by class; pairs of one label are left out of Pairwise. nil: none are
	Kernel      solver.Kernel
	C           float64
	Squared     bool    // squared hinge loss, for linear machines
	Bias        float64 // of linear machines: value of the column for the bias; 0: none
	Epsilon     float64
	Iterations  int // passes of linear machines at most
	Shrinking   bool
	Cache       int64 // bytes of kernel rows for all machines under way
	Probability bool  // fits sigmoids to decision values of cross-validation
	Seed        uint64
	Workers     int
	Report      func(done, of int, dual float64) // as machines end; may be nil
	Keep        *checkpoint.Keeper               // of checkpoints, after machines or passes of CrammerSinger; may be nil
	Resume      *kind.Reader                     // checkpoint to go on from, or nil
}

// folds of the cross-validation for probabilities.
const folds = 5

// job is one binary machine: the samples ids with y by place in ids.
type job struct {
	ids []uint32
	y   []int8
}

// learned is what a job gave.
type learned struct {
	cols    []uint32 // of linear machines
	weights []float64
	ids     []uint32 // support vectors of others
	coefs   []float64
	b       float64
	dual    float64
	sigmoid solver.Sigmoid
}

// trainer trains the machines of one classifier.
type trainer struct {
	Options
	x       *solver.Rows
	class   []uint16
	classes int
	by      [][]uint32 // samples by class
	of      int        // machines to train
	done    int
	dual    float64
	mu      sync.Mutex
}

// Train trains a classifier for the classes of samples, numbered from 0 by falling size. The
// answer does not depend on the number of workers.
func Train(ctx context.Context, x *solver.Rows, class []uint16, classes int, o Options) (*Machines, error) {
	if err := x.Check(); err != nil {
		return nil, err
	}
	if n := o.Scheme.Count(classes); n > chain.MaxLabels {
		return nil, fmt.Errorf(
			"%d classes need %d pairwise machines, at most %d are possible; use multiclass = 'one_vs_rest'", classes, n,
			chain.MaxLabels)
	}
	t := &trainer{Options: o, x: x, class: class, classes: classes, by: make([][]uint32, classes)}
	for i, c := range class {
		t.by[c] = append(t.by[c], uint32(i))
	}
	if o.Scheme == CrammerSinger {
		return t.joint(ctx)
	}
	all := make([]*learned, o.Scheme.Count(classes))
	order := t.missing(all, t.bySize(len(all)))
	t.of = len(order)
	if o.Resume != nil {
		if err := (&ended{all, &t.dual}).Read(o.Resume, machinesSection); err != nil {
			return nil, err
		}
		order = slices.DeleteFunc(order, func(k int) bool { return all[k] != nil })
		t.done = t.of - len(order)
	}
	var maps sync.Pool
	maps.New = func() any { return solver.NewColumnMap(x.Width) }
	err := parallel.For(ctx, o.Workers, len(order), func(_, i int) error {
		m := maps.Get().(*solver.ColumnMap)
		defer maps.Put(m)
		l, err := t.one(ctx, t.job(order[i]), m)
		if err != nil {
			return err
		}
		return t.ends(all, order[i], l)
	})
	if err != nil {
		return nil, err
	}
	return t.assemble(all)
}

// ends takes a machine that is trained.
func (t *trainer) ends(all []*learned, k int, l *learned) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	all[k] = l
	t.done++
	t.dual += l.dual
	if t.Report != nil {
		t.Report(t.done, t.of, t.dual)
	}
	if t.Keep == nil || t.done == t.of {
		return nil
	}
	return t.Keep.Save(func(w *kind.Writer) error { return (&ended{all, &t.dual}).Write(w, machinesSection) })
}

// bySize orders machines, those with the most samples first.
func (t *trainer) bySize(n int) []int {
	size := make([]int, n)
	for k := range size {
		if t.Scheme == OneVersusRest {
			size[k] = len(t.by[k])
			continue
		}
		i, j := Pair(k, t.classes)
		size[k] = len(t.by[i]) + len(t.by[j])
	}
	return solver.ByFallingSize(size)
}

// missing gives machines of one label an empty place and returns the others in their order.
func (t *trainer) missing(all []*learned, order []int) []int {
	m := t.empty()
	left := order[:0]
	for _, k := range order {
		if m.exists(k) {
			left = append(left, k)
		} else {
			all[k] = &learned{}
		}
	}
	return left
}

// job gathers the samples of machine k, those of pairs in their order too.
func (t *trainer) job(k int) job {
	var j job
	if t.Scheme == OneVersusRest {
		j.ids, j.y = make([]uint32, len(t.class)), make([]int8, len(t.class))
		for i, c := range t.class {
			j.ids[i], j.y[i] = uint32(i), -1
			if int(c) == k {
				j.y[i] = 1
			}
		}
		return j
	}
	first, second := Pair(k, t.classes)
	a, b := t.by[first], t.by[second]
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] < b[0] {
			j.ids, j.y, a = append(j.ids, a[0]), append(j.y, 1), a[1:]
		} else {
			j.ids, j.y, b = append(j.ids, b[0]), append(j.y, -1), b[1:]
		}
	}
	return j
}

// one trains a machine and fits its sigmoid. Of a pair with an empty class the other always wins.
func (t *trainer) one(ctx context.Context, j job, m *solver.ColumnMap) (*learned, error) {
	l, err := t.fit(ctx, j, m)
	if err != nil || !t.Probability {
		return l, err
	}
	values, err := t.heldOut(ctx, j, m)
	if err != nil {
		return nil, err
	}
	l.sigmoid = solver.FitSigmoid(values, j.y)
	return l, nil
}

func oneSided(y []int8) bool {
	for _, l := range y {
		if l != y[0] {
			return false
		}
	}
	return true
}

func (t *trainer) fit(ctx context.Context, j job, m *solver.ColumnMap) (*learned, error) {
	if oneSided(j.y) {
		l := &learned{}
		if len(j.y) > 0 {
			l.b = float64(j.y[0])
		}
		return l, nil
	}
	if t.Kernel.Shape == solver.Dot {
		return t.linear(ctx, j, m)
	}
	o := solver.Machine{Kernel: t.Kernel, C: t.C, Epsilon: t.Epsilon, Shrinking: t.Shrinking,
		Cache: t.Cache / int64(max(1, t.Workers))}
	s, err := o.Train(ctx, t.x, j.ids, j.y, m)
	if err != nil {
		return nil, err
	}
	l := &learned{b: s.B, dual: s.Dual}
	for i, b := range s.Coef {
		if b != 0 {
			l.ids, l.coefs = append(l.ids, j.ids[i]), append(l.coefs, b)
		}
	}
	return l, nil
}

func (t *trainer) settings() solver.Linear {
	return solver.Linear{C: t.C, Squared: t.Squared, Bias: t.Bias, Epsilon: t.Epsilon, Iterations: t.Iterations,
		Shrinking: t.Shrinking, Seed: t.Seed}
}

// linear trains on the columns that the samples have.
func (t *trainer) linear(ctx context.Context, j job, m *solver.ColumnMap) (*learned, error) {
	x, columns, o := t.x, []uint32(nil), t.settings()
	if len(j.ids) < t.x.Len() {
		x, columns = t.x.Subset(j.ids, 1, m)
	}
	r, err := o.Binary(ctx, x, j.y, m)
	if err != nil {
		return nil, err
	}
	l := &learned{b: r.Weights[x.Width] * t.Bias, dual: r.Dual}
	for c, w := range r.Weights[:x.Width] {
		if w == 0 {
			continue
		}
		id := uint32(c)
		if columns != nil {
			id = columns[c]
		}
		l.cols, l.weights = append(l.cols, id), append(l.weights, w)
	}
	return l, nil
}

// heldOut is the decision values of machines trained without the samples they decide.
func (t *trainer) heldOut(ctx context.Context, j job, m *solver.ColumnMap) ([]float64, error) {
	out := make([]float64, len(j.ids))
	rng := rand.New(rand.NewPCG(t.Seed, 0xcf))
	order := rng.Perm(len(j.ids))
	n := min(folds, len(order))
	for f := range n {
		var rest job
		var held []int
		for i, p := range order {
			if i%n == f {
				held = append(held, p)
				continue
			}
			rest.ids, rest.y = append(rest.ids, j.ids[p]), append(rest.y, j.y[p])
		}
		l, err := t.fit(ctx, rest, m)
		if err != nil {
			return nil, err
		}
		if err := t.decide(ctx, l, j.ids, held, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decide sets out at the held places.
func (t *trainer) decide(ctx context.Context, l *learned, ids []uint32, held []int, out []float64) error {
	if t.Kernel.Shape == solver.Dot {
		w := make([]float64, t.x.Width+1)
		for i, c := range l.cols {
			w[c] = l.weights[i]
		}
		for _, p := range held {
			out[p] = t.x.Decide(w, 0, int(ids[p])) + l.b
		}
		return nil
	}
	pool := solver.NewPool(t.Kernel, t.x.Select(l.ids))
	var q solver.Query
	for k, p := range held {
		if k&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cols, vals := t.x.Row(int(ids[p]))
		pool.Kernels(&q, cols, vals)
		f := l.b
		for i, v := range q.Values {
			f += l.coefs[i] * v
		}
		out[p] = f
	}
	return nil
}
