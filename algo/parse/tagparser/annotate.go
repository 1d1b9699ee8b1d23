package tagparser

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Annotate parses every sentence. prob of an arc is the share of the derivations that have it, each weighing
// exp(score); that of a phrase is estimated from derivations that are drawn; with n best trees, prob is that of the
// derivation.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	p, _ := m.pool.Get().(*parser)
	defer m.pool.Put(p)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := output{m: m, p: p, d: d, run: run, k: max(1, run.NBest)}
		if err := o.document(ctx); err != nil {
			return err
		}
	}
	return nil
}

// output is the layers of a document as they grow.
type output struct {
	m   *model
	p   *parser
	d   *text.Document
	run *kind.Run
	k   int
	w   *constituent.Writer

	arcs            *text.Layer
	sent, tok, head []int32
	rel             []string
}

func (o *output) document(ctx context.Context) error {
	probs := o.run.Prob || o.k > 1
	o.w, o.arcs = constituent.NewWriter(o.d, probs, o.k > 1), text.NewLayer(text.Dependencies)
	sentences, words, tags := o.m.sentences(o.d)
	arcs, err := o.m.pruner.arcs(ctx, o.m.g, words, tags)
	if err != nil {
		return err
	}
	at := 0
	for _, s := range sentences {
		pieces := (len(s.Rows) + o.m.opt.maxLength - 1) / o.m.opt.maxLength
		o.sentence(ctx, s, words[at:at+pieces], tags[at:at+pieces], arcs[at:at+pieces])
		if err := ctx.Err(); err != nil {
			return err
		}
		at += pieces
	}
	o.set()
	return nil
}

// sentences are those of a document with tokens, and the words and tags of their pieces of max_length tokens.
func (m *model) sentences(d *text.Document) (sentences []*constituent.Sentence, words, tags [][]string) {
	for s := range constituent.Sentences(d, m.opt.tags) {
		if len(s.Rows) == 0 {
			continue
		}
		forms := d.Layer(text.Tokens.Name).Strs("form")
		list := make([]string, len(s.Rows))
		for i, row := range s.Rows {
			if forms != nil {
				list[i] = forms[row]
			}
		}
		for from := 0; from < len(list); from += m.opt.maxLength {
			to := min(len(list), from+m.opt.maxLength)
			words, tags = append(words, list[from:to]), append(tags, s.Tags[from:to])
		}
		sentences = append(sentences, s)
	}
	return sentences, words, tags
}

// sentence parses a sentence, which may be in pieces, and writes its trees.
func (o *output) sentence(ctx context.Context, s *constituent.Sentence, words, tags [][]string, arcs [][]candidate) {
	q := request{beam: o.m.opt.beam, k: o.k, seed: o.run.Seed + uint64(s.Number)<<20}
	if o.run.Prob && o.k <= 1 {
		q.samples = o.m.opt.samples
	}
	p := o.p
	if len(words) == 1 {
		p.parse(ctx, words[0], tags[0], arcs[0], q)
	} else {
		o.pieces(ctx, words, tags, arcs, q)
	}
	for i, x := range p.list {
		o.tree(s, i+1, x)
	}
}

// pieces joins the trees of the parts of a long sentence; the heads of later parts depend on that of the first.
func (o *output) pieces(ctx context.Context, words, tags [][]string, arcs [][]candidate, q request) {
	p := o.p
	whole := found{tree: &constituent.Node{Label: constituent.Root}, heads: []int32{0}, rel: []string{""},
		score: math.NaN(), prob: math.NaN()}
	brackets, arcProb, from, top := map[bracket]float64{}, map[[2]int32]float64{}, 0, int32(0)
	q.k = 1
	for i := range words {
		p.parse(ctx, words[i], tags[i], arcs[i], q)
		x := p.list[0]
		for _, leaf := range x.tree.Leaves(nil) {
			leaf.Token += from
		}
		whole.tree.Children = append(whole.tree.Children, x.tree.Children...)
		for m := 1; m < len(x.heads); m++ {
			h := x.heads[m] + int32(from)
			if x.heads[m] == 0 {
				h = top
				if top == 0 {
					top = int32(m + from)
				}
			}
			arcProb[[2]int32{h, int32(m + from)}] = p.arcProb[[2]int32{x.heads[m], int32(m)}]
			whole.heads, whole.rel = append(whole.heads, h), append(whole.rel, x.rel[m])
		}
		for b, y := range p.brackets {
			brackets[bracket{b.label, b.first + from, b.last + from}] = y
		}
		from += len(words[i])
	}
	p.list = append(p.list[:0], whole)
	p.search, p.brackets, p.arcProb = "pieces", brackets, arcProb
}

// tree writes a tree with its arcs.
func (o *output) tree(s *constituent.Sentence, rank int, x found) {
	p := o.p
	whole := x.prob
	if math.IsNaN(whole) {
		whole = 1
	}
	o.w.Tree(s, rank, x.tree, o.m.g.rootLabel, func(n *constituent.Node, first, last int) float64 {
		switch {
		case o.k > 1:
			return whole
		case constituent.IsRoot(n.Label):
			return 1
		}
		return min(1, p.brackets[bracket{n.Label, first, last}])
	})
	o.w.Parse(s, rank, x.score, p.search, whole)
	toks := o.d.Layer(text.Tokens.Name)
	number := func(t int32) int32 { // of the token in the sentence, traces counted
		if t == 0 {
			return 0
		}
		return toks.Cols[1].Ints[s.Rows[t-1]]
	}
	for m := 1; m < len(x.heads); m++ {
		o.sent, o.tok = append(o.sent, int32(s.Number)), append(o.tok, number(int32(m)))
		o.head, o.rel = append(o.head, number(x.heads[m])), append(o.rel, x.rel[m])
		if o.run.Prob || o.k > 1 {
			prob := whole
			if o.k <= 1 {
				prob = min(1, p.arcProb[[2]int32{x.heads[m], int32(m)}])
			}
			o.arcs.Prob = append(o.arcs.Prob, prob)
		}
		if o.k > 1 {
			o.arcs.Rank = append(o.arcs.Rank, int32(rank))
		}
	}
}

// set gives the document the layers that are wanted.
func (o *output) set() {
	o.w.Set(o.run.Wants)
	if !o.run.Wants(text.Dependencies.Name) {
		return
	}
	l := o.arcs
	l.N = len(o.sent)
	l.SetInts("sent", o.sent)
	l.SetInts("tok", o.tok)
	l.SetInts("head", o.head)
	l.SetStrs("deprel", o.rel)
	if (o.run.Prob || o.k > 1) && l.Prob == nil {
		l.Prob = []float64{}
	}
	o.d.SetLayer(l)
}
