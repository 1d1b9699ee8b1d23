package lookahead

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// explainTags explains the asked tokens.
func (m *model) explainTags(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.tags.workers.Get().(*worker)
	defer m.tags.workers.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return out, err
	}
	w.naive = nil
	err := w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		for s := range at.Sentences(d) {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, x := range m.decisions(w, d, s.Number, s.From, s.To) {
				if at.Token(x.Tok) {
					out.Decisions = append(out.Decisions, x)
				}
			}
		}
		return nil
	})
	return out, err
}

// decisions explains the tokens of a sentence in their order.
func (m *model) decisions(w *worker, d *text.Document, sent, from, to int) []kind.Decision {
	m.load(w, from, to)
	var out []kind.Decision
	last, second := start, start
	for t := range to - from {
		y := m.decide(w, t, last, second)
		item := m.item(from, to, t)
		x := kind.Decision{Doc: d.ID, Sent: sent, Tok: item - from + 1, Form: form(d.Layer("tokens"), item),
			Outcome: m.tags.Labels[y], Prob: m.share(w.values, y)}
		if other := m.second(w.values, y); other >= 0 {
			own := slices.Clone(w.window.follow(t, last, y))
			m.contrast(w, &x, item, last, second, own, w.window.follow(t, last, other))
		}
		out = append(out, x)
		last, second = y, last
	}
	if m.tags.reverse {
		slices.Reverse(out)
	}
	return out
}

// form is the form of a row of tokens, "" where a model reads none.
func form(toks *text.Layer, row int) string {
	if list := toks.Strs("form"); row < len(list) {
		return list[row]
	}
	return ""
}

// second returns the best label but one, -1 if the rules leave no other.
func (m *model) second(values []float64, best int) int {
	other := -1
	for y, v := range values {
		if y != best && v > -1e300 && (other < 0 || v > values[other]) {
			other = y
		}
	}
	return other
}

// contrast adds what speaks for one sequence of labels against another.
func (m *model) contrast(w *worker, x *kind.Decision, item, last, second int, own, other []uint16) {
	step, n := 1, len(m.tags.Labels)
	if m.tags.reverse {
		step = -1
	}
	var c *tagger.Contrast
	history := func(prefix string, last, second, y int, sign float64) {
		if last == start {
			return
		}
		if v := m.tags.free[last*n+y]; v != 0 {
			c.Add(fmt.Sprintf("%slabel[%d]=%s → %s", prefix, -step, m.tags.Labels[last], m.tags.Labels[y]), sign, v)
		}
		if second == start || m.tags.triple == nil {
			return
		}
		if v := m.tags.triple[(second*n+last)*n+y]; v != 0 {
			c.Add(fmt.Sprintf("%slabel[%d]|label[%d]=%s|%s → %s", prefix, -2*step, -step, m.tags.Labels[second],
				m.tags.Labels[last], m.tags.Labels[y]), sign, v)
		}
	}
	before := [2][2]int{{last, second}, {last, second}}
	for k := range own {
		y, z := int(own[k]), int(other[k])
		prefix := ""
		if k > 0 {
			prefix = fmt.Sprintf("%+d: ", k*step)
		}
		if y != z {
			c = m.tags.Contrast(x, y, z)
			at := item + k*step
			for _, a := range w.rows.Attrs[w.rows.Offsets[at]:w.rows.Offsets[at+1]] {
				c.Attribute(a, prefix+m.tags.Alphabet.Name(a), 1)
			}
		}
		if y != z || before[0] != before[1] {
			history(prefix, before[0][0], before[0][1], y, 1)
			history(prefix, before[1][0], before[1][1], z, -1)
		}
		before[0], before[1] = [2]int{y, before[0][0]}, [2]int{z, before[1][0]}
	}
	x.RunnerUp = m.tags.Labels[other[0]]
	c.Sort()
}
