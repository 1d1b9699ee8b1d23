package relationacquirer

import (
	"context"
	"math"

	"parlance/algo/acquire/tuples"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Annotate writes the relations of documents: the candidates whose score is high enough. The arguments are the head
// words of the nouns. prob is 1/(1+e^−f), a score.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if !run.Wants(text.Relations.Name) {
		return ctx.Err()
	}
	r := tuples.NewReader(m.opt.ReaderOptions)
	var x scan
	var q solver.Query
	var room []uint32
	steps := 0
	for _, d := range docs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l := text.NewLayer(text.Relations)
		var sent, columns = []int32{}, [4][]int32{}
		var labels []string
		tokens := d.Layer(text.Tokens.Name)
		for s := range kind.While(ctx, r.Sentences(d)) {
			if !m.look(s, &x) && m.opt.candidates != "class" {
				continue
			}
			m.candidates(&x, m.opt.candidates, func(a, b int) {
				if steps++; kind.Ended(ctx, steps) {
					return
				}
				room = m.known(&x, a, b, room[:0])
				f := m.score(&q, room)
				if f < m.opt.least {
					return
				}
				sent, labels = append(sent, int32(s.Number)), append(labels, m.opt.label)
				for k, i := range [2]int{x.Nouns[a], x.Nouns[b]} {
					row := s.From + i - 1
					columns[2*k] = append(columns[2*k], tokens.Ints("char_start")[row])
					columns[2*k+1] = append(columns[2*k+1], tokens.Ints("char_end")[row])
				}
				if run.Prob {
					l.Prob = append(l.Prob, 1/(1+math.Exp(-f)))
				}
			})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.N = len(sent)
		l.SetInts("sent", sent)
		l.SetStrs("label", labels)
		for k, name := range []string{"subject_start", "subject_end", "object_start", "object_end"} {
			l.SetInts(name, columns[k])
		}
		if run.Prob && l.Prob == nil {
			l.Prob = []float64{}
		}
		d.SetLayer(l)
	}
	return ctx.Err()
}
