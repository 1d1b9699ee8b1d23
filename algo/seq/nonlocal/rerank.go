package nonlocal

import (
	"context"
	"math"
)

// list is the labellings of a text by a model that has not seen it.
type list struct {
	labels   [][]uint16
	features [][]entry
	gold     []entry
}

// reranker learns to choose from lists that stay, with the updates of algorithm 4.1.
type reranker struct {
	*learner
	lists []list
	local bool // local features choose, in place of the score of the first model
	// scoreAt is the number of that score among the features.
	scoreAt int
}

// rerank trains a first model on all texts, and a second one on the labellings of models of parts.
func (f *fitting) rerank(ctx context.Context) error {
	o, x := &f.m.opt, f.d.texts
	r := &reranker{local: o.algorithm == "rerank2", lists: make([]list, x.len()), scoreAt: x.width}
	folds := min(o.folds, x.len())
	for k := range folds {
		first, err := f.first(ctx, func(i int) bool { return folds == 1 || i%folds != k })
		if err != nil {
			return err
		}
		for i := k; i < x.len(); i += folds {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.lists[i] = r.label(ctx, first, i, o.candidates)
		}
	}
	first, err := f.first(ctx, func(int) bool { return true })
	if err != nil {
		return err
	}
	second := *x
	second.width++ // the score of the first model
	r.learner = newLearner(&second, settings{rule: candidate, total: f.m.margin}, o.average)
	return f.passes(ctx, r.learner, r.pass, func() (*model, error) {
		w := r.Mean()
		now, at := *f.m, x.local()
		var choosing weights
		if r.local {
			choosing = w[:at:at]
		}
		scale := w[at+x.width]
		return &now, now.adopt(f.d, first.W, choosing, scale, w[at:at+x.width:at+x.width])
	})
}

// first is a margin perceptron over the local features of some texts.
func (f *fitting) first(ctx context.Context, of func(i int) bool) (*learner, error) {
	x := *f.d.texts
	x.nonlocal, x.width = nil, 0
	l := newLearner(&x, settings{rule: margin, local: f.m.margin}, f.m.opt.average)
	for epoch := range f.m.opt.epochs {
		var list []int
		for _, i := range order(x.len(), int64(f.t.Seed&math.MaxInt64), epoch) {
			if of(i) {
				list = append(list, i)
			}
		}
		p, err := l.pass(ctx, list)
		if err != nil {
			return nil, err
		}
		if p.local == 0 {
			break
		}
	}
	l.W, l.U = l.Mean(), nil
	return l, nil
}

// label lists the labellings of text i by the first model.
func (r *reranker) label(ctx context.Context, first *learner, i, n int) (out list) {
	x := first.x
	gold := x.gold[x.start[i]:x.start[i+1]]
	first.x.fill(&first.tab, i, first.W)
	n = first.find.find(ctx, &first.tab, n)
	for k := range n {
		y := append([]uint16(nil), first.find.Labels(k, nil)...)
		out.labels = append(out.labels, y)
		out.features = append(out.features, r.score(first.find.Score(k)))
	}
	out.gold = r.score(first.tab.score(gold))
	return out
}

// score is the feature of the first model's score, if that chooses.
func (r *reranker) score(s float64) []entry {
	if r.local {
		return nil
	}
	return []entry{{uint32(r.scoreAt), s}}
}

// pass goes over the lists once.
func (r *reranker) pass(ctx context.Context, order []int) (out trace, err error) {
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if len(r.lists[i].labels) > 0 {
			r.choose(i, &out)
			r.Next()
		}
	}
	return out, nil
}

// complete adds the non-local features of a list, the first time.
func (r *reranker) complete(i int, gold []uint16) *list {
	l := &r.lists[i]
	if r.known[i] {
		return l
	}
	r.known[i] = true
	finish := func(f []entry, y []uint16) []entry {
		if r.x.nonlocal != nil {
			f = r.x.nonlocal(i, y, f)
		}
		return f
	}
	for k, y := range l.labels {
		l.features[k] = finish(l.features[k], y)
	}
	l.gold = finish(l.gold, gold)
	return l
}

// choose learns from list i: the gold labels must win over the best other labelling.
func (r *reranker) choose(i int, out *trace) {
	gold := r.x.gold[r.x.start[i]:r.x.start[i+1]]
	l := r.complete(i, gold)
	if r.local {
		r.x.fill(&r.tab, i, r.W)
	}
	total := func(f []entry, y []uint16) float64 {
		s := r.dot(f)
		if r.local {
			s += r.tab.score(y)
		}
		return s
	}
	goldScore := total(l.gold, gold)
	best, top, against, most := -1, blocked, -1, blocked
	for k, y := range l.labels {
		s := total(l.features[k], y)
		if best < 0 || s > top {
			best, top = k, s
		}
		if differ(y, gold) > 0 && (against < 0 || s > most) {
			against, most = k, s
		}
	}
	out.errors += differ(l.labels[best], gold)
	if against < 0 || goldScore-most > r.total {
		return
	}
	y := gold // the first model's score moves no local weight
	if r.local {
		y = l.labels[against]
	}
	r.update(i, gold, y, goldScore-most, l.gold, l.features[against])
	out.total++
}

func differ(a, b []uint16) int {
	n := 0
	for t := range a {
		if a[t] != b[t] {
			n++
		}
	}
	return n
}
