package transitionparser

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// parsedAtOnce is how many sentences are gathered for the workers to parse.
const parsedAtOnce = 256

// finish reads the documents once more for what is told of the weights: the units of probabilities, and
// the names of the heaviest features.
func (l *trainer) finish(ctx context.Context, in kind.Input, best *trained) error {
	moves, labels := heaviestOf(best.moves, l.m.opt.named), []place(nil)
	if best.label != nil {
		labels = heaviestOf(best.label, l.m.opt.named)
	}
	fs := make([]*finisher, l.pool.Workers())
	for i := range fs {
		fs[i] = newFinisher(best, moves, labels)
	}
	var list []span
	parse := func() error {
		l.pool.Each(len(list), func(worker, i int) { fs[worker].parse(ctx, list[i]) })
		list = list[:0]
		return ctx.Err()
	}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		if list = spans(list, d); len(list) >= parsedAtOnce {
			if err := parse(); err != nil {
				return err
			}
		}
	}
	if err := parse(); err != nil {
		return err
	}
	for _, f := range fs[1:] {
		fs[0].merge(f)
	}
	best.unit = [2]float64{fs[0].gaps[0].mean(), fs[0].gaps[1].mean()}
	best.heaviest = fs[0].heaviest(moves, labels, l.m.opt.named)
	return nil
}

// span is the rows of a sentence in its tokens.
type span struct {
	toks     *text.Layer
	from, to int
}

// spans appends the sentences of a document that have trees.
func spans(list []span, d *text.Document) []span {
	if d.Layer(text.Dependencies.Name) == nil {
		return list
	}
	for s := range treebank.Sentences(d) {
		if s.Len() > 0 && s.Attached() {
			list = append(list, span{d.Layer(text.Tokens.Name), s.From, s.To})
		}
	}
	return list
}

// finisher parses training sentences. It belongs to one goroutine.
type finisher struct {
	p                     *parser
	form                  func(column string, token int32) string // of the sentence
	moveNames, labelNames *names
	gaps                  [2]gap
}

func newFinisher(best *trained, moves, labels []place) *finisher {
	f := &finisher{p: newParser(best), moveNames: namesOf(moves, best.Bits)}
	if best.label != nil {
		f.labelNames = namesOf(labels, best.LabelBits)
	}
	return f
}

// parse looks at the choices of a sentence, unless ctx ends.
func (f *finisher) parse(ctx context.Context, s span) {
	f.form = texts(s.toks, s.from)
	_ = f.p.parse(ctx, s.toks, s.from, s.to, false, f)
}

func (f *finisher) move(mask uint8, move int) {
	p := f.p
	_, second := best(&p.scores, mask)
	f.gaps[0].add(p.scores[move] - p.scores[second])
	f.moveNames.see(p.rows, func(dst []byte, i int) []byte {
		return p.m.states.AppendName(dst, i, &p.state, &p.scratch, f.form, p.relation)
	})
}

func (f *finisher) label(among []uint32, y int) {
	p, w := f.p, &f.p.walk
	if other := w.bestBut(among, y); other != 0 {
		f.gaps[1].add(w.values[y] - w.values[other])
	}
	f.labelNames.see(w.rows, func(dst []byte, i int) []byte {
		return p.m.arcs.AppendName(dst, i, &p.state, &p.scratch, f.form, p.relation)
	})
}

// merge adds what another one saw.
func (f *finisher) merge(other *finisher) {
	f.moveNames.merge(other.moveNames)
	if f.labelNames != nil {
		f.labelNames.merge(other.labelNames)
	}
	for i, g := range other.gaps {
		f.gaps[i].sum += g.sum
		f.gaps[i].n += g.n
	}
}

// heaviest names the heaviest n weights of moves and labels.
func (f *finisher) heaviest(moves, labels []place, n int) (out []heavy) {
	m := f.p.m
	for _, x := range moves {
		out = append(out, heavy{f.moveNames.name(x.row), moveName(transition.Move(x.outcome)),
			m.moves.scale * float64(x.weight)})
	}
	for _, x := range labels {
		out = append(out, heavy{f.labelNames.name(x.row), m.labels[x.outcome], m.label.scale * float64(x.weight)})
	}
	slices.SortStableFunc(out, func(a, b heavy) int { return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight)) })
	out = slices.DeleteFunc(out, func(h heavy) bool { return h.feature == "" })
	return out[:min(n, len(out))]
}

// gap is distances between the best and the second score, whole numbers: the sum is the same in any order.
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
