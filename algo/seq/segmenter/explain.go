package segmenter

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares each word with the best analysis that lacks it.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.workers.Get().(*worker)
	defer m.workers.Put(w)
	for _, d := range docs {
		x := explainer{w: w, m: m, d: d, at: at}
		err := w.eachSentence(m, d, func(sent int32) error {
			if err := ctx.Err(); err != nil || at.Sent != 0 && int32(at.Sent) != sent {
				return err
			}
			return x.sentence(sent)
		})
		if err != nil {
			return out, err
		}
		out.Decisions = append(out.Decisions, x.decisions...)
	}
	return out, nil
}

// explainer explains the words of a document.
type explainer struct {
	w         *worker
	m         *model
	d         *text.Document
	at        kind.At
	decisions []kind.Decision
}

func (x *explainer) sentence(sent int32) error {
	w, l := x.w, &x.w.lat
	if err := w.load(x.m, true); err != nil {
		return err
	}
	best, _ := w.search.best(l)
	best = slices.Clone(best)
	words := l.read(nil, best)
	for i, y := range words {
		if !x.at.Token(i + 1) {
			continue
		}
		form := string(l.word(int(y.from), int(y.to)))
		d := kind.Decision{Doc: x.d.ID, Sent: int(sent), Tok: i + 1, Form: form, Outcome: x.name(form, y),
			Prob: max(w.marginals.prob(y), math.SmallestNonzeroFloat64)}
		if other := x.without(y); other != nil {
			x.contrast(&d, best, other, l.read(nil, other), y)
		}
		x.decisions = append(x.decisions, d)
	}
	return nil
}

// without returns the best path that does not spell a word, nil if all do. Such a path lacks the node of the word,
// and one at least of the nodes of its characters: it is the best of the best paths without one of these.
func (x *explainer) without(y span) (out []nodeID) {
	l := &x.w.lat
	from, to := l.startsAt(int(y.from))
	for k := from; k < to; k++ {
		if n := &l.nodes[k]; n.end == y.to && n.tag == y.tag {
			score := n.score
			n.score = math.Inf(-1)
			defer func() { n.score = score }()
		}
	}
	top := math.Inf(-1)
	for _, id := range l.spell(nil, y.from, y.to, y.tag) {
		kept := l.char[id]
		l.char[id] = math.Inf(-1)
		if path, score := x.w.search.best(l); score > top {
			top, out = score, slices.Clone(path)
		}
		l.char[id] = kept
	}
	return out
}

// name is a word with its tag, as words/tag.
func (x *explainer) name(form string, y span) string {
	if x.m.opt.layer == formColumn {
		return form
	}
	return form + "/" + x.m.weights.tagName(int(y.tag))
}

// contrast tells the features in which the best path differs from another, which lacks a word, and what that has
// instead.
func (x *explainer) contrast(d *kind.Decision, best, other []nodeID, words []span, y span) {
	l, w := &x.w.lat, x.m.weights
	for _, z := range words {
		if z.to > y.from && z.from < y.to {
			if d.RunnerUp != "" {
				d.RunnerUp += " "
			}
			d.RunnerUp += x.name(string(l.word(int(z.from), int(z.to))), z)
		}
	}
	sums, sign := map[string]float64{}, 1.0
	context := func(key uint64, column uint16) {
		if row, ok := w.contexts.find(key); ok {
			template, context := w.contextName(key)
			name := fmt.Sprintf("%s %s > %s", template, context, w.outcomeName(int(key>>56), int(column)))
			sums[name] += sign * w.rows.At(row, column)
		}
	}
	dense := func(at int) { sums[w.denseName(at)] += sign * w.dense.W[at] }
	node := func(id nodeID) { l.nodeFeatures(id, context) }
	edge := func(a, b nodeID) { l.edgeFeatures(a, b, context, dense) }
	var diff difference
	diff.each(l, best, other, node, edge)
	sign = -1
	diff.each(l, other, best, node, edge)
	d.Gather(sums, 0)
}

// denseName is the name of a dense weight: a pair of nodes, or types where two words meet.
func (w *weights) denseName(at int) string {
	if at < w.codes*w.codes {
		return "CB0 " + w.codeName(at/w.codes) + " > " + w.codeName(at%w.codes)
	}
	at -= w.codes * w.codes
	size := 1 + w.all
	before, after := at/size%size-1, at%size-1
	last, first := uint64(at/size/size)/uint64(types), uint64(at/size/size)%uint64(types)
	template, context := "TB3", typeName(last)+" "+typeName(first)
	switch {
	case before >= 0 && after >= 0:
		template = "TB6"
	case before >= 0:
		template = "TB5"
	case after >= 0:
		template = "TB4"
	}
	return template + " " + context + " > " + w.tagName(before) + " " + w.tagName(after)
}
