package chain

import "context"

// watch looks at a context while a search goes through a long sequence. The zero value has none.
type watch struct {
	ctx  context.Context
	over bool // the context has ended
}

// stretch is how many tokens are gone through between two looks.
const stretch = 1 << 12

// ended reports whether the context has ended; it looks at it at one token of a stretch.
func (w *watch) ended(t int) bool {
	if t&(stretch-1) == stretch-1 && w.ctx != nil && w.ctx.Err() != nil {
		w.over = true
	}
	return w.over
}

// err is the error of the context if a search has ended early.
func (w *watch) err() error {
	if w.over {
		return w.ctx.Err()
	}
	return nil
}

// Within has searches end early when the context ends, until the next call: Viterbi returns its error, and what other
// methods return is of no use then.
func (d *Decoder) Within(ctx context.Context) { d.lattice.watch = watch{ctx: ctx} }

// Within does so for a chain of second order.
func (d *SecondDecoder) Within(ctx context.Context) { d.states.Within(ctx) }

// scoreWithin scores a sequence, stretch by stretch.
func (m *Model) scoreWithin(w *watch, s Sequence, scores []float64) {
	clear(scores)
	l := m.parts.Labels
	for from := 0; from < s.Len(); from += stretch {
		to := min(from+stretch, s.Len())
		part := Sequence{AttrOffsets: s.AttrOffsets[from : to+1], Attrs: s.Attrs, Values: s.Values}
		m.AddScores(part, scores[from*l:to*l])
		if w.ended(from + stretch - 1) {
			return
		}
	}
}
