package definition

import (
	"context"
	"math"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/text"
)

// scorer scores sentences with their terms. It serves one goroutine.
type scorer struct {
	m       *model
	find    *finder
	windows *windowed
}

func (m *model) finder() *finder {
	return newFinder(&m.opt, m.kept, m.index, m.sizes[0], m.sizes[1])
}

func (m *model) scorer() *scorer {
	if m.opt.method == byWindows {
		return &scorer{m: m, windows: m.machine.reader(&m.opt)}
	}
	return &scorer{m: m, find: m.finder()}
}

// score is g(x) = w·x + b of a sentence with words [from, to) as its term.
func (s *scorer) score(x *sentences.Sentence, from, to int) float64 {
	v := mark(x, from, to, nil)
	if s.windows != nil {
		return s.windows.score(v)
	}
	sum := s.m.bias
	for _, k := range s.find.find(v) {
		sum += s.m.weights[k]
	}
	return sum
}

// best is the phrase that scores best as the term, the first of equal ones; -Inf without a phrase.
func (s *scorer) best(x *sentences.Sentence, terms [][2]int) (at int, score float64) {
	score = math.Inf(-1)
	for i, t := range terms {
		if g := s.score(x, t[0], t[1]); g > score {
			at, score = i, g
		}
	}
	return at, score
}

// found is a definition in a document.
type found struct {
	s     *sentences.Sentence
	term  [2]int
	score float64
}

// definitions are the definitions of a document.
func (s *scorer) definitions(ctx context.Context, r *sentences.Reader, d *text.Document) (out []found, err error) {
	for x := range kind.While(ctx, r.Sentences(d)) {
		terms := candidates(x)
		if at, score := s.best(x, terms); score > s.m.opt.threshold {
			out = append(out, found{x, terms[at], score})
		}
	}
	return out, ctx.Err()
}

// Annotate writes the definitions: of each sentence at most one.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if !run.Wants(sentences.Definitions.Name) {
		return ctx.Err()
	}
	type tools struct {
		s *scorer
		r *sentences.Reader
	}
	own := make([]*tools, parallel.Workers(run.Workers))
	return parallel.For(ctx, run.Workers, len(docs), func(w, i int) error {
		if own[w] == nil {
			own[w] = &tools{m.scorer(), &sentences.Reader{Tags: m.opt.tags}}
		}
		list, err := own[w].s.definitions(ctx, own[w].r, docs[i])
		if err == nil {
			docs[i].SetLayer(layer(list, run.Prob))
		}
		return err
	})
}

// sigmoid is 1/(1 + e^−x), which orders scores as they are and is above 0.
func sigmoid(x float64) float64 { return max(1/(1+math.Exp(-x)), math.SmallestNonzeroFloat64) }

func layer(list []found, prob bool) *text.Layer {
	l := text.NewLayer(sentences.Definitions)
	l.N = len(list)
	ints := make([][]int32, 5)
	terms, scores := make([]string, len(list)), make([]float64, len(list))
	for i, f := range list {
		w, t := f.s.Words, f.term
		for k, v := range []int32{int32(f.s.Number), w[0].Start, w[len(w)-1].End, w[t[0]].Start, w[t[1]-1].End} {
			ints[k] = append(ints[k], v)
		}
		terms[i], scores[i] = f.s.Term(t[0], t[1]), f.score
	}
	for k, name := range []string{"sent", "char_start", "char_end", "form_start", "form_end"} {
		l.SetInts(name, ints[k])
	}
	if prob {
		l.Prob = make([]float64, len(list))
		for i, f := range list {
			l.Prob[i] = sigmoid(f.score)
		}
	}
	l.SetStrs("term", terms)
	l.Cols[sentences.Definitions.Index("score")].Floats = scores
	return l
}
