package srl

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
)

// worker is what one goroutine needs to answer.
type worker struct {
	m       *model
	reader  *frame.Reader
	pairs   *pairReader
	scores  []float32
	probs   []float64
	logs    [][]float64
	explain func(s *sentence, k, a int, label int, probs []float64) // for EXPLAIN
}

// Annotate writes frames and predicates. prob of a predicate is that of the token times that of its sense, of an
// argument that of its label among those of the candidate; all are scores.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.free.Get().(*worker)
	defer m.free.Put(w)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if toks := d.Layer(text.Tokens.Name); toks == nil || toks.N == 0 || toks.Strs("form") == nil {
			continue
		}
		if err := w.document(ctx, d, run); err != nil {
			return err
		}
	}
	return nil
}

// document adds the layers to a document.
func (w *worker) document(ctx context.Context, d *text.Document, run *kind.Run) error {
	view, frames, err := w.frames(ctx, d, run.Resources)
	if err != nil {
		return err
	}
	spans := w.m.spansOf(d, view)
	roles := frame.NewWriter(d, run.Prob)
	l := text.NewLayer(predicateLayer)
	var sent, tok []int32
	var lemma, sense []string
	lemmas, bounds := view.Layer(text.Tokens.Name).Strs("lemma"), d.SentenceTokens()
	for s, list := range frames {
		for _, f := range list {
			for i, a := range f.Args {
				f.Args[i].First, f.Args[i].Last = spans.of(s, f.Predicate, a.First)
			}
			roles.Add(s, f)
			sent, tok, sense = append(sent, int32(s)), append(tok, int32(f.Predicate)), append(sense, f.Sense)
			lemma = append(lemma, lemmas[int(bounds[s-1])+f.Predicate-1])
		}
	}
	if run.Wants(text.Roles.Name) {
		d.SetLayer(roles.Layer())
	}
	if run.Wants(predicateLayer.Name) {
		l.N = len(sent)
		l.SetInts("sent", sent)
		l.SetInts("tok", tok)
		l.SetStrs("lemma", lemma)
		l.SetStrs("sense", sense)
		d.SetLayer(l)
	}
	return nil
}

// frames are the predicates of a document with their arguments, each one token, by sentence from 1.
func (w *worker) frames(ctx context.Context, d *text.Document,
	res kind.Resources) (*text.Document, [][]frame.Frame, error) {
	var err error
	if w.reader == nil {
		if w.reader, err = w.m.finder.Reader(res); err != nil {
			return nil, nil, err
		}
		if w.pairs, err = newPairReader(w.m.set, w.m.opt.trees, res); err != nil {
			w.reader = nil
			return nil, nil, err
		}
	}
	given, _ := frame.Read(d)
	view := w.m.finder.View(d)
	if err := w.reader.Bind(ctx, view); err != nil {
		return nil, nil, err
	}
	frames := make([][]frame.Frame, len(given))
	for s := 1; s < len(frames); s++ {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if frames[s], err = w.reader.Predicates(ctx, s, given[s]); err != nil {
			return nil, nil, err
		}
	}
	if err := w.pairs.bind(ctx, view, frames); err != nil {
		return nil, nil, err
	}
	err = sentences(ctx, d, frames, func(s *sentence) error {
		for k := range s.frames {
			if err := w.arguments(ctx, s, k); err != nil {
				return err
			}
		}
		return nil
	})
	return view, frames, err
}

// arguments labels the candidates of predicate k of a sentence.
func (w *worker) arguments(ctx context.Context, s *sentence, k int) error {
	m, f := w.m, &s.frames[k]
	n := len(m.labels)
	if len(w.scores) < n {
		w.scores = make([]float32, n)
	}
	list := s.tree.candidates(&m.opt, f.Predicate)
	w.probs, w.logs = w.probs[:0], w.logs[:0]
	for i, a := range list {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		hashes, err := w.pairs.features(s.number, s.first+k, f.Predicate, int(a))
		if err != nil {
			return err
		}
		m.pairs.Begin(w.scores)
		m.pairs.Add(hashes, w.scores[:n])
		w.scores[none] += float32(m.opt.noneBias)
		for len(w.probs) < (i+1)*n {
			w.probs = append(w.probs, 0)
		}
		p := w.probs[i*n : (i+1)*n]
		frame.Normalise(w.scores[:n], p)
		if m.opt.stop {
			if best(p) == stop {
				list = list[:i]
				break
			}
			p[stop] = 0
		}
	}
	for i := range list {
		row := make([]float64, n)
		for y, p := range w.probs[i*n : (i+1)*n] {
			row[y] = math.Log(max(p, 1e-300))
		}
		w.logs = append(w.logs, row)
	}
	labels, err := frame.Decode(ctx, w.logs, m.core)
	if err != nil {
		return err
	}
	for i, y := range labels {
		p := w.probs[i*n : (i+1)*n]
		if w.explain != nil {
			w.explain(s, k, int(list[i]), y, p)
		}
		if y != none {
			a := int(list[i])
			f.Args = append(f.Args, frame.Argument{Label: m.labels[y], First: a, Last: a, Prob: p[y]})
		}
	}
	return nil
}

// best is the place of the largest number, the first one of several.
func best(p []float64) int {
	at := 0
	for i, v := range p {
		if v > p[at] {
			at = i
		}
	}
	return at
}
