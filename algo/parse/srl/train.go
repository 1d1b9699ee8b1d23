package srl

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
)

// trainer is a training under way.
type trainer struct {
	*model
	*kind.Training
	start       time.Time
	step, steps int
	settings    frame.Settings
	number      map[string]int // of labels
	lost, total int            // gold arguments that are no candidates
}

func (t *trainer) report(note string, objective float64) {
	t.Report(kind.Progress{Step: t.step, Of: t.steps, Objective: objective, HeldOut: math.NaN(),
		Seconds: time.Since(t.start).Seconds(), Note: note})
}

// Train learns predicates and senses, then the labels of candidates.
func (m *model) Train(ctx context.Context, in *kind.Training) error {
	t := &trainer{model: m, Training: in, start: time.Now(), number: map[string]int{}}
	var err error
	if t.settings, err = m.opt.settings(); err != nil {
		return err
	}
	t.settings.Seed = in.Seed
	if m.set, err = m.opt.pairs(); err != nil {
		return err
	}
	folds := 1
	if m.opt.senseFolds > 1 {
		folds += m.opt.senseFolds
	}
	t.steps = (1 + folds) * m.opt.epochs
	if err := t.tables(ctx); err != nil {
		return err
	}
	if m.finder, err = t.find(ctx, in.On.Documents, "predicates and senses"); err != nil {
		return err
	}
	senses, err := t.senses(ctx)
	if err != nil {
		return err
	}
	if m.opt.selects {
		if err := t.choose(ctx, senses); err != nil {
			return err
		}
	}
	x, err := t.examples(ctx, senses)
	if err != nil {
		return err
	}
	fit := frame.Fit{Epochs: m.opt.epochs, Rate: m.opt.rate, L2: m.opt.l2, Cutoff: m.opt.cutoff, Seed: in.Seed}
	m.pairs, err = x.Train(ctx, fit, func(epoch int, loss float64) {
		t.step++
		t.report(text.Countf("%d {pair|pairs}, %d {feature|features}, pass %d", x.Len(), x.Features(), epoch), loss)
	})
	if err != nil {
		return err
	}
	if t.lost > 0 {
		in.Notice(text.Countf("%d of %d {argument is|arguments are} no candidates (option candidates), and not learned",
			t.lost, t.total))
	}
	m.ready()
	if in.Score == nil {
		return nil
	}
	p := kind.Progress{Step: t.steps, Of: t.steps, Objective: math.NaN(), Note: "held out"}
	if p.HeldOut, p.Metric, err = in.Score(ctx, m); err == nil {
		p.Seconds = time.Since(t.start).Seconds()
		in.Report(p)
	}
	return err
}

// find trains a finder.
func (t *trainer) find(ctx context.Context, docs frame.Docs, what string) (*frame.Finder, error) {
	return frame.Train(ctx, t.settings, docs, t.Resources, func(which string, epoch int, loss float64) {
		if which == "senses" {
			t.step++
			t.report(fmt.Sprintf("%s, pass %d", what, epoch), loss)
		}
	})
}

// tables counts roles by sense, and numbers labels: none, then those of arguments by name.
func (t *trainer) tables(ctx context.Context) error {
	counts, labels := map[[2]string]int{}, map[string]bool{}
	predicates := 0
	for d, err := range t.On.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		frames, _ := frame.Read(d)
		for _, list := range frames {
			for _, f := range list {
				predicates++
				for _, a := range f.Args {
					labels[a.Label] = true
					t.wide = t.wide || a.First < a.Last
					counts[[2]string{f.Sense, a.Label}]++
				}
			}
		}
	}
	switch {
	case predicates == 0:
		return fmt.Errorf("%w: no document has roles", kind.ErrNoData)
	case len(labels) > 60_000:
		return fmt.Errorf("%d roles; 60,000 are the most", len(labels))
	}
	t.model.labels = []string{""}
	if t.opt.stop {
		t.model.labels = append(t.model.labels, stopLabel)
	}
	t.model.labels = append(t.model.labels, slices.Sorted(maps.Keys(labels))...)
	for y, l := range t.model.labels {
		t.number[l] = y
	}
	for _, k := range slices.SortedFunc(maps.Keys(counts),
		func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		t.counts = append(t.counts, [3]string{k[0], k[1], strconv.Itoa(counts[k])})
	}
	return nil
}

// senses are the senses of predicates as features, by document, sentence and predicate; nil where gold ones serve.
func (t *trainer) senses(ctx context.Context) ([][][]string, error) {
	folds := t.opt.senseFolds
	if folds < 2 {
		return nil, nil
	}
	out := [][][]string{}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		frames, _ := frame.Read(d)
		out = append(out, make([][]string, len(frames)))
	}
	if len(out) < 2*folds {
		return nil, nil // too few documents for folds
	}
	for fold := range folds {
		part := func(in bool) frame.Docs {
			return func(ctx context.Context) iter.Seq2[*text.Document, error] {
				return func(yield func(*text.Document, error) bool) {
					i := 0
					for d, err := range t.On.Documents(ctx) {
						if (i%folds == fold) == in && !yield(d, err) {
							return
						}
						i++
					}
				}
			}
		}
		f, err := t.find(ctx, part(false), fmt.Sprintf("senses of part %d", fold+1))
		if err != nil {
			return nil, err
		}
		r, err := f.With(t.given()).Reader(t.Resources)
		if err != nil {
			return nil, err
		}
		i := fold
		for d, err := range part(true)(ctx) {
			if err != nil {
				return nil, err
			}
			if out[i], err = sensesOf(ctx, f, r, d); err != nil {
				return nil, err
			}
			i += folds
		}
	}
	return out, nil
}

// given are the settings with predicates that are given.
func (t *trainer) given() frame.Settings {
	s := t.settings
	s.Given = true
	return s
}

// sensesOf are the senses that a finder gives to the predicates of a document.
func sensesOf(ctx context.Context, f *frame.Finder, r *frame.Reader, d *text.Document) ([][]string, error) {
	frames, _ := frame.Read(d)
	out := make([][]string, len(frames))
	if toks := d.Layer(text.Tokens.Name); toks == nil || toks.N == 0 || toks.Strs("form") == nil {
		return out, ctx.Err()
	}
	if err := r.Bind(ctx, f.View(d)); err != nil {
		return nil, err
	}
	for s, list := range frames {
		if len(list) == 0 {
			continue
		}
		found, err := r.Predicates(ctx, s, list)
		if err != nil {
			return nil, err
		}
		for _, g := range found {
			out[s] = append(out[s], g.Sense)
		}
	}
	return out, ctx.Err()
}

// pair is a candidate of training: its features by template, and its label.
type pair struct {
	doc, sent, predicate int
	hashes               []uint64
	template             []int32
	gold                 int
	last                 bool // the last candidate of its predicate
}

// each calls do with all pairs of the documents for which take is true; what is in the pair is valid until do returns.
func (t *trainer) each(ctx context.Context, senses [][][]string, take func(sentence int) bool, do func(x *pair)) error {
	r, err := newPairReader(t.set, t.opt.trees, t.Resources)
	if err != nil {
		return err
	}
	doc, seen := -1, 0
	var x pair
	for d, err := range t.On.Documents(ctx) {
		doc++
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		toks := d.Layer(text.Tokens.Name)
		if toks == nil || toks.N == 0 || toks.Strs("form") == nil {
			continue
		}
		gold, _ := frame.Read(d)
		bound := false
		err = sentences(ctx, d, gold, func(s *sentence) error {
			if seen++; !take(seen) {
				return nil
			}
			if !bound {
				if err := r.bind(ctx, t.finder.View(d), withSenses(gold, senses, doc)); err != nil {
					return err
				}
				bound = true
			}
			for k, f := range s.frames {
				x.doc, x.sent, x.predicate = doc, s.number, f.Predicate
				if err := t.predicate(ctx, r, s, k, &x, do); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withSenses replaces gold senses.
func withSenses(gold [][]frame.Frame, senses [][][]string, doc int) [][]frame.Frame {
	if senses == nil {
		return gold
	}
	out := make([][]frame.Frame, len(gold))
	for s, list := range gold {
		out[s] = slices.Clone(list)
		for k := range out[s] {
			out[s][k].Sense = senses[doc][s][k]
		}
	}
	return out
}

// predicate calls do with the candidates of predicate k of a sentence. After the last argument stop_label has one more
// candidate, with that label.
func (t *trainer) predicate(ctx context.Context, r *pairReader, s *sentence, k int, x *pair, do func(x *pair)) error {
	f := s.frames[k]
	gold := map[int32]int{}
	for _, a := range f.Args {
		h := int32(frame.Head(s.tree.heads, a.First, a.Last))
		if _, known := gold[h]; !known {
			gold[h] = t.number[a.Label]
		}
	}
	list := s.tree.candidates(&t.opt, f.Predicate)
	end, found := 0, 0
	for i, a := range list {
		if _, ok := gold[a]; ok {
			end = i + 1
			found++
		}
	}
	t.total += len(f.Args)
	t.lost += len(f.Args) - found
	for i, a := range list {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.gold = gold[a]
		if t.opt.stop && i == end {
			x.gold = stop
		}
		var err error
		if x.hashes, err = r.features(s.number, s.first+k, f.Predicate, int(a)); err != nil {
			return err
		}
		x.template = r.template
		if x.last = i == len(list)-1 || x.gold == stop && t.opt.stop; x.last {
			do(x)
			break
		}
		do(x)
	}
	return nil
}

// examples are all pairs.
func (t *trainer) examples(ctx context.Context, senses [][][]string) (*frame.Examples, error) {
	x := frame.NewExamples(len(t.model.labels))
	t.lost, t.total = 0, 0
	err := t.each(ctx, senses, func(int) bool { return true }, func(p *pair) { x.Add(p.hashes, p.gold, nil) })
	return x, err
}
