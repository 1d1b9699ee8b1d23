package argumentrecognizer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/parse/treekernel"
	"parlance/algo/parse/treesvm"
	"parlance/algo/text"
)

// examples are marked trees with their classes.
type examples struct {
	shapes []*treekernel.Shape
	gold   []int
}

func (x *examples) add(s *treekernel.Shape, y int) {
	x.shapes, x.gold = append(x.shapes, s), append(x.gold, y)
}

// gathered is what the machines learn from.
type gathered struct {
	nodes, roles       examples
	labels             []string
	arguments, without int // gold, and those whose tokens are no node
	predicates, used   int
	documents, faults  int
	fault              error
}

// Train learns predicates and senses, then arguments, then roles.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	start := time.Now()
	step, steps := 0, 2
	report := func(note string, objective float64) {
		t.Report(kind.Progress{Step: step, Of: steps, Objective: objective, HeldOut: math.NaN(),
			Seconds: time.Since(start).Seconds(), Note: note})
	}
	set, err := m.opt.settings()
	if err != nil {
		return err
	}
	x, err := m.gather(ctx, t)
	if err != nil {
		return err
	}
	set.Seed = t.Seed
	m.found, err = frame.Train(ctx, set, t.On.Documents, t.Resources, func(what string, epoch int, loss float64) {
		report(fmt.Sprintf("%s, pass %d", what, epoch), loss)
	})
	if err != nil {
		return err
	}
	if m.opt.classify {
		steps += len(x.labels)
	}
	if err := m.ready(ctx); err != nil {
		return err
	}
	step++
	sides := []string{"arguments"}
	if m.vectors, err = m.machines(ctx, t, m.kernel, m.opt.c, &x.nodes, 2, func(y, n int) {
		step++
		report(fmt.Sprintf("%s: %d trees, %d steps", sides[y], len(x.nodes.gold), n), math.NaN())
	}); err != nil {
		return err
	}
	m.vectors = m.vectors.First()
	if m.opt.classify {
		m.labels = x.labels
		if m.roles, err = m.machines(ctx, t, m.roleKernel, m.opt.roleC, &x.roles, len(x.labels), func(y, n int) {
			step++
			report(fmt.Sprintf("role %s: %d trees, %d steps", x.labels[y], len(x.roles.gold), n), math.NaN())
		}); err != nil {
			return err
		}
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

// machines trains machines on marked trees; a single class has no machine, and gets all.
func (m *model) machines(ctx context.Context, t *kind.Training, k treekernel.Kernel, c float64,
	x *examples, classes int,
	report func(y, steps int)) (*treesvm.Vectors, error) {
	if classes == 1 {
		return &treesvm.Vectors{Bias: []float64{0}}, nil
	}
	names := treekernel.NewAlphabet()
	var trees []*treekernel.Tree
	for _, s := range x.shapes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		trees = append(trees, s.Tree(names))
	}
	var mined *treekernel.Mined
	if m.opt.method == "mined" {
		o := treekernel.Mining{Size: m.opt.size, Ratio: m.opt.ratio, Searches: m.opt.searches}
		var err error
		if mined, err = treekernel.Mine(ctx, k, o, trees, names); err != nil {
			return nil, err
		}
		if !mined.Whole {
			t.Notice(fmt.Sprintf("the trees share more than %d subtrees: kernels are found from the trees; a smaller size "+
				"makes vectors of them", m.opt.searches))
		}
	}
	gram, err := treekernel.NewGram(ctx, k, trees, mined, true)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("decay: %w", err)
	}
	set := treesvm.Settings{C: c, Tolerance: m.opt.tolerance, Cache: m.opt.cache}
	return treesvm.Train(ctx, set, gram, x.shapes, x.gold, classes, report)
}

// gather makes the examples: class 0 of nodes is an argument.
func (m *model) gather(ctx context.Context, t *kind.Training) (*gathered, error) {
	x := &gathered{}
	rng := rand.New(rand.NewPCG(t.Seed, 0x61726773))
	var every []examples // of roles, by document
	for d, err := range t.On.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		of, err := x.document(ctx, m, d, rng)
		if err != nil {
			return nil, err
		}
		every = append(every, of)
	}
	x.spread(every, m.opt.roleTrees)
	if x.faults > 0 {
		t.Notice(text.Countf("constituents of %d {document is|documents are} no trees, and are left out: %v", x.faults,
			x.fault))
	}
	switch {
	case x.predicates == 0:
		return nil, fmt.Errorf("%w: no document has roles", kind.ErrNoData)
	case len(x.roles.gold) == 0:
		return nil, fmt.Errorf("%w: no argument in the layer roles has the tokens of a constituent", kind.ErrNoData)
	case !slices.Contains(x.nodes.gold, 1):
		return nil, fmt.Errorf("%w: all constituents are arguments", kind.ErrNoData)
	case x.without > 0:
		t.Notice(text.Countf("%d of %d {argument is|arguments are} left out, for no constituent has their tokens",
			x.without, x.arguments))
	}
	if x.used < x.predicates {
		t.Notice(fmt.Sprintf("the machine that finds arguments learns from the first %d of %d predicates; the option trees "+
			"raises the limit", x.used, x.predicates))
	}
	return x, nil
}

// document adds the examples of a document, and returns those of roles.
func (x *gathered) document(ctx context.Context, m *model, d *text.Document, rng *rand.Rand) (roles examples,
	err error) {
	list, fault := m.sentences(ctx, d)
	if ctx.Err() != nil {
		return roles, ctx.Err()
	}
	if x.documents++; fault != nil {
		x.faults, x.fault = x.faults+1, fault
		return roles, nil
	}
	for _, s := range list {
		for _, f := range s.frames {
			if err := ctx.Err(); err != nil {
				return roles, err
			}
			v := s.node(f.Predicate)
			if x.predicates++; v < 0 {
				continue
			}
			gold := map[int32]bool{}
			for _, a := range f.Args {
				n, ok := s.byTokens[[2]int{a.First, a.Last}]
				if x.arguments++; !ok || n == v {
					x.without++
					continue
				}
				gold[n] = true
				y := slices.Index(x.labels, a.Label)
				if y < 0 {
					y = len(x.labels)
					x.labels = append(x.labels, a.Label)
				}
				roles.add(s.marked(v, n), y)
			}
			if len(x.nodes.gold) >= m.opt.trees {
				continue
			}
			x.used++
			for _, n := range s.candidates(&m.opt, v) {
				switch {
				case gold[n]:
					x.nodes.add(s.marked(v, n), 0)
				case rng.Float64() < m.opt.negatives:
					x.nodes.add(s.marked(v, n), 1)
				}
			}
		}
	}
	return roles, nil
}

// spread takes at most n examples of roles, evenly over the documents.
func (x *gathered) spread(every []examples, most int) {
	total := 0
	for _, e := range every {
		total += len(e.gold)
	}
	seen := 0
	for _, e := range every {
		for i, y := range e.gold {
			if seen*most/max(total, most) != (seen+1)*most/max(total, most) {
				x.roles.add(e.shapes[i], y)
			}
			seen++
		}
	}
}
