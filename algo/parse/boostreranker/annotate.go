package boostreranker

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Annotate writes the best trees. prob of a phrase is the sum of those of the trees that have it, which are shares of
// exp(F) among the candidates; with n best trees, that of the tree. Both are scores.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if err := ctx.Err(); err != nil || len(docs) == 0 {
		return err
	}
	base, err := m.parser(run.Resources)
	if err != nil {
		return err
	}
	l := m.lister(base)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		sentences, err := l.document(ctx, d)
		if err != nil {
			return err
		}
		k := max(1, run.NBest)
		w := constituent.NewWriter(d, run.Prob || k > 1, k > 1)
		for _, x := range sentences {
			m.write(w, x, l.order(x), k)
		}
		w.Set(run.Wants)
	}
	return nil
}

// ranked is a candidate with its score and its share.
type ranked struct {
	*candidate
	score, prob float64
}

// order scores the candidates of a sentence: the best comes first, of equal ones the one before in the list of the
// base.
func (l *lister) order(x *sentence) []ranked {
	l.features(x, nil)
	out := make([]ranked, len(x.list))
	for i := range x.list {
		c := &x.list[i]
		out[i] = ranked{candidate: c, score: l.m.learned.Base * c.log}
		for _, h := range c.features {
			if k, ok := l.m.numbers[h]; ok {
				out[i].score += l.m.weights[k]
			}
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	sum := 0.0
	for i := range out {
		out[i].prob = math.Exp(out[i].score - out[0].score)
		sum += out[i].prob
	}
	for i := range out {
		out[i].prob /= sum
	}
	return out
}

// write gives the k best trees to the layer.
func (m *model) write(w *constituent.Writer, x *sentence, list []ranked, k int) {
	shares := map[span]float64{}
	if w.Probs && k == 1 {
		for _, c := range list {
			seen := map[span]bool{}
			spans(c.tree, func(s span) {
				if !seen[s] {
					seen[s] = true
					shares[s] += c.prob
				}
			})
		}
	}
	for i, c := range list[:min(k, len(list))] {
		w.Tree(x.Sentence, i+1, c.tree, x.root, func(n *constituent.Node, from, to int) float64 {
			switch {
			case k > 1:
				return c.prob
			case constituent.IsRoot(n.Label):
				return 1
			}
			return min(1, shares[span{n.Label, from, to}])
		})
	}
}

// span is a phrase by its label and tokens.
type span struct {
	label    string
	from, to int
}

func spans(n *constituent.Node, visit func(span)) {
	if n.Leaf() {
		return
	}
	from, to := n.Span()
	visit(span{n.Label, from, to})
	for _, c := range n.Children {
		spans(c, visit)
	}
}

// Explain tells for each sentence what speaks for its tree and against the next one.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	base, err := m.parser(run.Resources)
	if err != nil {
		return kind.Explanation{}, err
	}
	l := m.lister(base)
	var out kind.Explanation
	for _, d := range docs {
		sentences, err := l.document(ctx, d)
		if err != nil {
			return out, err
		}
		for _, x := range sentences {
			if at.Sent == 0 || at.Sent == x.Number {
				out.Decisions = append(out.Decisions, l.decision(d, x))
			}
		}
	}
	return out, ctx.Err()
}

func (l *lister) decision(d *text.Document, x *sentence) kind.Decision {
	list := l.order(x)
	out := kind.Decision{Doc: d.ID, Sent: x.Number, Outcome: list[0].tree.Text(x.words), Prob: list[0].prob}
	sums := map[string]float64{}
	if len(list) > 1 {
		out.RunnerUp = list[1].tree.Text(x.words)
		for i, sign := range []float64{1, -1} {
			c := list[i]
			sums["log-probability of the base"] += sign * l.m.learned.Base * c.log
			for _, h := range c.features {
				if k, ok := l.m.numbers[h]; ok {
					sums[l.m.names[k]] += sign * l.m.weights[k]
				}
			}
		}
	}
	out.Gather(sums, 0)
	return out
}
