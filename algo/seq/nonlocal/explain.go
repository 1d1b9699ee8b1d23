package nonlocal

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Explain compares, at every asked token, the label of the best labelling with the other one of the
// highest total score, all other labels as they are. The margin is the difference of total scores;
// contributions are the weights that differ, times scale for local ones.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return out, err
	}
	err := w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		for _, p := range m.pieces(d) {
			if err := m.search(ctx, w, d, p, m.opt.predict); err != nil {
				return err
			}
			best := append([]uint16(nil), w.find.Labels(w.order[0], w.labels)...)
			s := 0
			for t := range best {
				for s+1 < len(p.starts) && int(p.starts[s+1]) <= t {
					s++
				}
				sent, tok := int(p.numbers[s]), t-int(p.starts[s])+1
				if at.Sent != 0 && at.Sent != sent || !at.Token(tok) {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				x := m.decision(w, p, best, t)
				x.Doc, x.Sent, x.Tok, x.Form = d.ID, sent, tok, tagger.Forms(d)[p.from+t]
				out.Decisions = append(out.Decisions, x)
			}
		}
		return nil
	})
	return out, err
}

// decision explains token t of a piece.
func (m *model) decision(w *worker, p piece, best []uint16, t int) kind.Decision {
	own := best[t]
	out := kind.Decision{Outcome: m.Labels[own]}
	for k := range w.scores {
		if w.find.Labels(k, w.labels)[t] == own {
			out.Prob += m.prob(w, k)
		}
	}
	out.Prob = min(1, out.Prob)
	other, top := -1, 0.0
	for k := range m.Labels {
		if k == int(own) {
			continue
		}
		if s := m.around(w, best, t, k) + m.changed(w, best, t, k); other < 0 || s > top {
			other, top = k, s
		}
	}
	if other < 0 {
		return out
	}
	m.contrast(w, p, best, t, other, &out)
	return out
}

// around is the local score that depends on label k of token t, in choosing.
func (m *model) around(w *worker, y []uint16, t, k int) float64 {
	local := func(b *table) float64 {
		s := b.nodes(t)[k]
		if t > 0 {
			s += b.edges(t, int(y[t-1]))[k]
		}
		if t+1 < b.n {
			s += b.edges(t+1, k)[y[t+1]]
		}
		return s
	}
	s := 0.0
	if m.scale != 0 {
		s = m.scale * local(&w.tab)
	}
	if m.second != nil {
		s += local(&w.choose)
	}
	return s
}

// changed is the score of non-local features with label k at token t.
func (m *model) changed(w *worker, y []uint16, t, k int) float64 {
	was := y[t]
	y[t] = uint16(k)
	s := m.beyondScore(w, y)
	y[t] = was
	return s
}

// contrast adds what speaks for the label of token t against another.
func (m *model) contrast(w *worker, p piece, y []uint16, t, other int, out *kind.Decision) {
	own := int(y[t])
	c := m.Contrast(out, own, other)
	weights, scale := m.Chain, m.scale
	if m.second != nil {
		weights, scale = m.second, 1
	}
	weight := func(attr uint32, label int) float64 {
		labels, values := weights.Row(attr)
		for i, l := range labels {
			if int(l) == label {
				return values[i]
			}
		}
		return 0
	}
	before := len(m.Labels)
	if t > 0 {
		before = int(y[t-1])
	}
	for _, a := range w.attrs(p.from + t) {
		if ok := true; m.Joint.Reads(a) != 0 {
			if a, ok = m.Joint.Find(a, before, before); !ok {
				continue
			}
		}
		c.Add(m.Name(a), scale, weight(a, own)-weight(a, other))
	}
	if t+1 < len(y) {
		for _, a := range w.attrs(p.from + t + 1) {
			if m.Joint.Reads(a) == 0 {
				continue
			}
			diff := 0.0
			if id, ok := m.Joint.Find(a, own, own); ok {
				diff += weight(id, int(y[t+1]))
			}
			if id, ok := m.Joint.Find(a, other, other); ok {
				diff -= weight(id, int(y[t+1]))
			}
			c.Add("next "+m.Alphabet.Name(a)+" label[1]="+m.Labels[y[t+1]], scale, diff)
		}
	}
	m.contrastBeyond(w, y, t, other, c.Add)
	c.Sort()
}

// contrastBeyond adds the non-local features whose values differ.
func (m *model) contrastBeyond(w *worker, y []uint16, t, other int, add func(name string, value, weight float64)) {
	if len(m.beyond) == 0 {
		return
	}
	diff := make(map[uint32]float64)
	var seen []uint32
	count := func(sign float64) {
		w.entries = w.counter.features(w.words, y, w.entries[:0])
		for _, e := range w.entries {
			if _, ok := diff[e.id]; !ok {
				seen = append(seen, e.id)
			}
			diff[e.id] += sign * e.value
		}
	}
	count(1)
	own := y[t]
	y[t] = uint16(other)
	count(-1)
	y[t] = own
	for _, id := range seen {
		if diff[id] != 0 {
			add(m.names[id], diff[id], m.beyond[id])
		}
	}
}
