package transitionparser

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/transition"
	"parlance/algo/treebank"
)

// finish reads the documents once more for what is told of the weights: the units of probabilities, and
// the names of the heaviest features.
func (l *trainer) finish(ctx context.Context, in kind.Input, best *trained) error {
	f := &finisher{p: newParser(best), moves: heaviestOf(best.moves, l.m.opt.named)}
	f.moveNames = namesOf(f.moves)
	if best.label != nil {
		f.labels = heaviestOf(best.label, l.m.opt.named)
		f.labelNames = namesOf(f.labels)
	}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		if err := f.document(ctx, d); err != nil {
			return err
		}
	}
	best.unit = [2]float64{f.gaps[0].mean(), f.gaps[1].mean()}
	for _, x := range f.moves {
		best.heaviest = append(best.heaviest, heavy{f.moveNames.name(x.row), moveName(transition.Move(x.outcome)), best.moves.scale * float64(x.weight)})
	}
	for _, x := range f.labels {
		best.heaviest = append(best.heaviest, heavy{f.labelNames.name(x.row), best.labels[x.outcome], best.label.scale * float64(x.weight)})
	}
	slices.SortStableFunc(best.heaviest, func(a, b heavy) int {
		return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight))
	})
	best.heaviest = slices.DeleteFunc(best.heaviest, func(h heavy) bool { return h.feature == "" })
	best.heaviest = best.heaviest[:min(l.m.opt.named, len(best.heaviest))]
	return nil
}

// finisher parses the training documents.
type finisher struct {
	p                     *parser
	moves, labels         []place
	moveNames, labelNames *names
	gaps                  [2]gap
}

// gap is distances between the best and the second score.
type gap struct {
	sum float64
	n   int
}

func (g *gap) add(d float32) { g.sum, g.n = g.sum+float64(d), g.n+1 }

// mean is the mean distance, 1 where there is none.
func (g *gap) mean() float64 {
	if g.n == 0 || g.sum == 0 {
		return 1
	}
	return g.sum / float64(g.n)
}

func (f *finisher) document(ctx context.Context, d *text.Document) error {
	toks := d.Layer(text.Tokens.Name)
	if d.Layer(text.Dependencies.Name) == nil {
		return nil
	}
	p := f.p
	for s := range treebank.Sentences(d) {
		if s.Len() == 0 || !s.Attached() {
			continue
		}
		form := texts(toks, s.From)
		err := p.parse(ctx, toks, s.From, s.To, false, func(mask uint8, move int) {
			_, second := best(&p.scores, mask)
			f.gaps[0].add(p.scores[move] - p.scores[second])
			f.moveNames.see(p.rows, func(i int) string { return p.m.states.Name(i, &p.state, &p.scratch, form, p.relation) })
		})
		if err != nil {
			return err
		}
		if p.m.label != nil {
			f.arcs(form)
		}
	}
	return nil
}

// arcs goes over the arcs of the tree just parsed.
func (f *finisher) arcs(form func(string, int32) string) {
	p := f.p
	w := &p.walk
	for t := range p.state.Len() + 1 {
		p.state.Relabel(int32(t), 0)
	}
	for w.begin(&p.state); w.next(); {
		p.m.arcs.Arc(&p.state, p.words, w.dependent, w.previous, &p.scratch, w.rows)
		p.m.label.add(w.rows, w.values)
		among := p.m.ends[w.end()]
		y := w.best(among)
		if other := w.bestBut(among, y); other != 0 {
			f.gaps[1].add(w.values[y] - w.values[other])
		}
		f.labelNames.see(w.rows, func(i int) string { return p.m.arcs.Name(i, &p.state, &p.scratch, form, p.relation) })
		p.state.Relabel(w.dependent, uint16(y))
	}
}
