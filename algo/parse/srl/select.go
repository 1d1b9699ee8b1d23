package srl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"parlance/algo/feature/place"
	"parlance/algo/parse/frame"
)

// choice is a step of the search for templates.
type choice struct {
	Action, Template string
	Before, After    float64
}

// trials are pairs with their features by template, each computed once: a trial is a choice of templates.
type trials struct {
	*trainer
	hashes   []uint64
	template []int32
	end      []int
	gold     []int
	held     []bool
	labels   int
	scored   map[string]float64
	scores   []float32
}

// choose searches templates greedily (Zhao and Kit 2008): begin with the best template; recruit those that help alone,
// the best first, each that still helps; then shake off those whose loss does not hurt; until nothing changes. Scores
// are F1 of the arguments of held-out sentences, label by label without the rule of core roles.
func (t *trainer) choose(ctx context.Context, senses [][][]string) error {
	x := &trials{trainer: t, labels: len(t.model.labels), scored: map[string]float64{}}
	every := max(1, int(math.Round(1/t.opt.share)))
	sampled := 0
	last := -1
	take := func(s int) bool { return s%every == 1%every }
	err := t.each(ctx, senses, take, func(p *pair) {
		if key := p.doc<<16 + p.sent; key != last {
			last = key
			sampled++
		}
		x.hashes, x.template = append(x.hashes, p.hashes...), append(x.template, p.template...)
		x.end, x.gold, x.held = append(x.end, len(x.hashes)), append(x.gold, p.gold), append(x.held, sampled%4 == 0)
	})
	if err != nil {
		return err
	}
	chosen, err := x.search(ctx, len(t.set.Templates()))
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		t.Notice("the search for templates finds none that helps; all are in use")
		return nil
	}
	names := t.set.Templates()
	notation := t.set.Header()
	for _, i := range chosen {
		notation += "\n" + names[i]
	}
	t.model.set, err = place.Parse(notation)
	return err
}

// search returns the templates that were chosen, in their order.
func (x *trials) search(ctx context.Context, n int) ([]int, error) {
	var in []int
	now := 0.0
	for {
		before := slices.Clone(in)
		var err error
		if in, now, err = x.recruit(ctx, in, n, now); err != nil {
			return nil, err
		}
		if in, now, err = x.shake(ctx, in, now); err != nil {
			return nil, err
		}
		if slices.Equal(in, before) {
			return in, nil
		}
	}
}

// recruit adds templates that help.
func (x *trials) recruit(ctx context.Context, in []int, n int, now float64) ([]int, float64, error) {
	type gain struct {
		template int
		score    float64
	}
	var better []gain
	for i := range n {
		if slices.Contains(in, i) {
			continue
		}
		s, err := x.score(ctx, with(in, i))
		if err != nil {
			return nil, 0, err
		}
		if s > now {
			better = append(better, gain{i, s})
		}
	}
	sort.SliceStable(better, func(a, b int) bool { return better[a].score > better[b].score })
	for _, g := range better {
		s, err := x.score(ctx, with(in, g.template))
		if err != nil {
			return nil, 0, err
		}
		x.note(s > now, "add", g.template, now, s)
		if s > now {
			in, now = with(in, g.template), s
		}
	}
	return in, now, nil
}

// shake drops templates that the others make up for.
func (x *trials) shake(ctx context.Context, in []int, now float64) ([]int, float64, error) {
	for _, i := range slices.Clone(in) {
		if len(in) == 1 {
			break
		}
		rest := slices.DeleteFunc(slices.Clone(in), func(k int) bool { return k == i })
		s, err := x.score(ctx, rest)
		if err != nil {
			return nil, 0, err
		}
		x.note(s >= now, "drop", i, now, s)
		if s >= now {
			in, now = rest, s
		}
	}
	return in, now, nil
}

func with(in []int, i int) []int {
	out := append(slices.Clone(in), i)
	slices.Sort(out)
	return out
}

// note adds a line to the trace.
func (x *trials) note(done bool, action string, template int, before, after float64) {
	if !done {
		action = "stay"
	}
	name := x.set.Templates()[template]
	x.trace = append(x.trace, choice{action, name, before, after})
	x.report(fmt.Sprintf("%s %s: F1 %.4f, was %.4f", action, name, after, before), math.NaN())
}

// trialEpochs are passes over the data of a trial.
const trialEpochs = 2

// score trains on the pairs that are not held out, with some templates, and scores the others.
func (x *trials) score(ctx context.Context, in []int) (float64, error) {
	key := fmt.Sprint(in)
	if s, known := x.scored[key]; known {
		return s, nil
	}
	row := x.rows(in)
	data := frame.NewExamples(x.labels)
	for i, gold := range x.gold {
		if !x.held[i] {
			data.Add(row(i), gold, nil)
		}
	}
	fit := frame.Fit{Epochs: trialEpochs, Rate: x.opt.rate, L2: x.opt.l2, Cutoff: x.opt.cutoff, Seed: x.Seed}
	m, err := data.Train(ctx, fit, func(int, float64) {})
	if err != nil {
		return 0, err
	}
	s := x.f1(m, row)
	x.scored[key] = s
	return s, nil
}

// rows returns what gives the features of a pair under some templates, until it is called again.
func (x *trials) rows(in []int) func(i int) []uint64 {
	use := map[int32]bool{}
	all := len(x.set.Templates())
	for tree := range x.opt.trees {
		for _, i := range in {
			use[int32(tree*all+i)] = true
		}
	}
	var hashes []uint64
	return func(i int) []uint64 {
		from := 0
		if i > 0 {
			from = x.end[i-1]
		}
		hashes = hashes[:0]
		for k := from; k < x.end[i]; k++ {
			if use[x.template[k]] {
				hashes = append(hashes, x.hashes[k])
			}
		}
		return hashes
	}
}

// f1 scores the arguments among the pairs that are held out.
func (x *trials) f1(m *frame.Softmax, row func(i int) []uint64) float64 {
	x.scores = slices.Grow(x.scores[:0], x.labels)[:x.labels]
	right, found, want := 0.0, 0.0, 0.0
	is := func(y int) bool { return y != none && !strings.HasPrefix(x.model.labels[y], "(") }
	for i, gold := range x.gold {
		if !x.held[i] {
			continue
		}
		m.Begin(x.scores)
		m.Add(row(i), x.scores)
		y := 0
		for z, s := range x.scores {
			if s > x.scores[y] {
				y = z
			}
		}
		if is(y) {
			found++
		}
		if is(gold) {
			want++
			if y == gold {
				right++
			}
		}
	}
	return 2 * right / max(1, found+want)
}
