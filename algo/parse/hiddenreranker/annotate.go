package hiddenreranker

import (
	"context"
	"strconv"

	"parlance/algo/engine/belief"
	"parlance/algo/kind"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Annotate writes the best trees, and the hidden values of their words. prob of a phrase is the sum of those of the
// trees that have it, which are shares of exp(score) among the candidates; with n best trees, that of the tree. Both
// are scores.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if err := ctx.Err(); err != nil || len(docs) == 0 {
		return err
	}
	base, err := m.opt.candidates.Parser(run.Resources)
	if err != nil {
		return err
	}
	by, err := m.senses(run.Resources)
	if err != nil {
		return err
	}
	s := m.scoring(by)
	for _, d := range docs {
		sentences, err := m.opt.candidates.Document(ctx, d, base)
		if err != nil {
			return err
		}
		k := max(1, run.NBest)
		w := constituent.NewWriter(d, run.Prob || k > 1, k > 1)
		h := hiddenWriter{d: d}
		for _, x := range sentences {
			if err := ctx.Err(); err != nil {
				return err
			}
			list := candidates.Order(x, m.inUse.total(s.scores(x)))
			candidates.Write(w, x, list, k)
			if run.Wants(hiddenLayer.Name) {
				h.sentence(s, x, list[0].Place)
			}
		}
		w.Set(run.Wants)
		if run.Wants(hiddenLayer.Name) {
			h.set()
		}
	}
	return ctx.Err()
}

// hiddenWriter gathers hidden values of a document.
type hiddenWriter struct {
	d             *text.Document
	sent, tok     []int32
	member, value []string
	of            []int32
}

// sentence adds the values of the words of a candidate.
func (h *hiddenWriter) sentence(s *scoring, x *candidates.Sentence, place int) {
	toks := h.d.Layer(text.Tokens.Name)
	b := &belief.Beliefs{}
	for i, c := range s.scorers {
		list := c.m.read(s.builders[i].x, x.List[place].Tree, x)
		c.sum(s.problems[i], c.m.theta, 1)
		_, h.of = b.Best(&c.forests[place], h.of)
		at := make([]int, len(x.Words)+1)
		for v := range list {
			at[list[v].token] = v
		}
		for token := 1; token < len(at); token++ {
			v := &list[at[token]]
			y := int(h.of[at[token]])
			h.sent, h.tok = append(h.sent, int32(x.Number)), append(h.tok, toks.Cols[1].Ints[x.Rows[token-1]])
			h.member = append(h.member, c.m.name)
			h.value = append(h.value, v.value(y, c.m.k))
		}
	}
}

// value names a value of a word whose classes have k values each.
func (v *classified) value(y, k int) string { return valueName(v.classes[y/k].name, y%k) }

// valueName names a hidden value: NNS_2 of NNS.
func valueName(class string, k int) string { return class + "_" + strconv.Itoa(k+1) }

func (h *hiddenWriter) set() {
	l := text.NewLayer(hiddenLayer)
	l.N = len(h.sent)
	l.SetInts("sent", h.sent)
	l.SetInts("tok", h.tok)
	l.SetStrs("member", h.member)
	l.SetStrs("value", h.value)
	h.d.SetLayer(l)
}

// Explain tells for each sentence what each scorer adds to the score of its tree, less that of the next one.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	var out kind.Explanation
	base, err := m.opt.candidates.Parser(run.Resources)
	if err != nil {
		return out, err
	}
	by, err := m.senses(run.Resources)
	if err != nil {
		return out, err
	}
	s := m.scoring(by)
	for _, d := range docs {
		sentences, err := m.opt.candidates.Document(ctx, d, base)
		if err != nil {
			return out, err
		}
		for _, x := range sentences {
			if at.Sent == 0 || at.Sent == x.Number {
				out.Decisions = append(out.Decisions, m.decision(d, x, s))
			}
		}
	}
	return out, ctx.Err()
}

func (m *model) decision(d *text.Document, x *candidates.Sentence, s *scoring) kind.Decision {
	scores := s.scores(x)
	list := candidates.Order(x, m.inUse.total(scores))
	out := kind.Decision{Doc: d.ID, Sent: x.Number, Outcome: list[0].Tree.Text(x.Words), Prob: list[0].Prob}
	sums := map[string]float64{}
	if len(list) > 1 {
		out.RunnerUp = list[1].Tree.Text(x.Words)
		a, b := scores[list[0].Place], scores[list[1].Place]
		for k, name := range m.scorers() {
			if share := m.inUse.Shares[k]; share != 0 {
				sums[name] = share * (a[k] - b[k])
			}
		}
	}
	out.Gather(sums, 0)
	return out
}
