package kindtest

import (
	"context"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// ParserKind hangs each token on the one before it, the first on the root; of the n best trees the
// second hangs each on the one after it. Besides dependencies it writes layers of its own: parses
// tells of each sentence what was asked, arcs lists both arcs of each token with their probability.
func ParserKind() kind.Kind {
	return kind.Kind{Name: "chain_parser", Doc: "hangs each token on its neighbour", Revision: 1,
		New: func() kind.Model { return &chainParser{} }}
}

var (
	toyParses = &text.LayerDef{Name: "parses", Doc: "what was asked of a sentence", Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence"}, {Name: "rank", Type: value.Integer, Doc: "place of the tree"},
		{Name: "asked", Type: value.Text, Doc: "wanted layers"}}}
	toyArcs = &text.LayerDef{Name: "arcs", Doc: "possible arcs", Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence"}, {Name: "tok", Type: value.Integer, Doc: "token"},
		{Name: "head", Type: value.Integer, Doc: "head"}, {Name: "prob", Type: value.Float, Doc: "probability"}}}
)

type chainParser struct {
	kind.Base
	deprel string
}

func (m *chainParser) Options(s *option.Set) {
	s.Text(&m.deprel, "deprel", "next", "relation of all arcs").In(option.Predict)
}

func (m *chainParser) Schema() kind.Schema {
	use := func(names ...string) (out []kind.LayerUse) {
		for _, n := range names {
			out = append(out, kind.LayerUse{Layer: n})
		}
		return out
	}
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}, Learns: use("dependencies"),
		Writes: use("dependencies", "parses", "arcs"), Prob: kind.Marginal,
		Ranked: []string{"dependencies", "parses"}, Defs: []*text.LayerDef{toyParses, toyArcs}}
}

func (m *chainParser) Train(ctx context.Context, t *kind.Training) error {
	for _, err := range t.On.Documents(ctx) {
		return err
	}
	return kind.ErrNoData
}

func (m *chainParser) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.Wants("dependencies") {
			d.SetLayer(m.trees(d, r))
		}
		if r.Wants("parses") {
			d.SetLayer(m.parses(d, r))
		}
		if r.Wants("arcs") {
			d.SetLayer(m.arcs(d))
		}
	}
	return nil
}

func (m *chainParser) sentences(d *text.Document, see func(sent, tokens int32)) {
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		see(int32(s), bounds[s]-bounds[s-1])
	}
}

func (m *chainParser) trees(d *text.Document, r *kind.Run) *text.Layer {
	l := text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var rel []string
	m.sentences(d, func(s, n int32) {
		for rank := int32(1); rank <= int32(min(2, max(1, r.NBest))); rank++ {
			for k := int32(1); k <= n; k++ {
				h, prob := k-1, 0.75
				if rank == 2 {
					h, prob = (k+1)%(n+1), 0.25
				}
				sent, tok, head, rel = append(sent, s), append(tok, k), append(head, h), append(rel, m.deprel)
				if r.Prob || r.NBest > 1 {
					l.Prob = append(l.Prob, prob)
				}
				if r.NBest > 1 {
					l.Rank = append(l.Rank, rank)
				}
			}
		}
	})
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", head)
	l.SetStrs("deprel", rel)
	return l
}

func (m *chainParser) parses(d *text.Document, r *kind.Run) *text.Layer {
	l := text.NewLayer(toyParses)
	var sent, rank []int32
	var asked []string
	what := ""
	for _, name := range []string{"dependencies", "parses", "arcs"} {
		if r.Wants(name) {
			what = strings.TrimSpace(what + " " + name)
		}
	}
	m.sentences(d, func(s, n int32) {
		for k := range int32(min(2, max(1, r.NBest))) {
			sent, rank, asked = append(sent, s), append(rank, k+1), append(asked, what)
			if r.NBest > 1 {
				l.Prob, l.Rank = append(l.Prob, []float64{0.75, 0.25}[k]), append(l.Rank, k+1)
			}
		}
	})
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("rank", rank)
	l.SetStrs("asked", asked)
	return l
}

func (m *chainParser) arcs(d *text.Document) *text.Layer {
	l := text.NewLayer(toyArcs)
	var sent, tok, head []int32
	var prob []float64
	m.sentences(d, func(s, n int32) {
		for k := int32(1); k <= n; k++ {
			sent, tok, head = append(sent, s, s), append(tok, k, k), append(head, k-1, (k+1)%(n+1))
			prob = append(prob, 0.75, 0.25)
		}
	})
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", head)
	l.Cols[3].Floats = prob
	return l
}

func (m *chainParser) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (m *chainParser) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}
