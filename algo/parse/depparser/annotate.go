package depparser

import (
	"context"
	"fmt"
	"math"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/dual"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Layers of the kind's own.
var (
	parsesLayer = &text.LayerDef{Name: "parses", Doc: "how the tree of a sentence was found", Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
		{Name: "rank", Type: value.Integer, Doc: "place among the best trees, 1-based"},
		{Name: "score", Type: value.Float, Doc: "score of the tree: the sum over its parts"},
		{Name: "decoder", Type: value.Text, Doc: "what found it; another one than usual, often coarse to fine, for " +
			"sentences beyond max_length or of more parts than fit into memory"},
		{Name: "certified", Type: value.Integer, Doc: "1 if no tree of the candidate arcs scores more, else 0"},
		{Name: "iterations", Type: value.Integer, Doc: "iterations of dual decomposition, 0 for others"},
		{Name: "bound", Type: value.Float, Doc: "no tree of the candidate arcs scores more"}}}
	arcsLayer = &text.LayerDef{Name: "arcs", Doc: "arcs with a probability of 0.0001 and more", Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
		{Name: "tok", Type: value.Integer, Doc: "modifier, 1-based within the sentence"},
		{Name: "head", Type: value.Integer, Doc: "head, 0 is the root"},
		{Name: "prob", Type: value.Float, Doc: "share of the trees that have the arc, each weighing exp(score); with head " +
			"automata or histories, score is that of the arcs alone"}}}
	relationsLayer = &text.LayerDef{Name: "arc_relations",
		Doc: "arcs with a relation, with a probability of 0.0001 and more", Columns: []text.Column{
			{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
			{Name: "tok", Type: value.Integer, Doc: "modifier, 1-based within the sentence"},
			{Name: "head", Type: value.Integer, Doc: "head, 0 is the root"},
			{Name: "deprel", Type: value.Text, Doc: "relation"},
			{Name: "prob", Type: value.Float,
				Doc: "share of the trees with relations that have the arc with this one, each weighing exp(score)"}}}
)

// leastArc is the probability from which arcs are listed.
const leastArc = 1e-4

// parse is a tree that was found.
type parse struct {
	heads     []int32
	score     float64
	decoder   string
	certified bool
	steps     int
	bound     float64
	prob      float64 // share of the tree, exp(score)/Z, where it is asked for; NaN of long sentences
}

// annotator parses documents. It belongs to one goroutine.
type annotator struct {
	w      *worker
	sent   sentence
	known  *knowledge
	label  labelling
	labels []uint16
	list   []tree.Scored
	found  []parse
	mbr    tree.Decoder
	first  firstOrder // for sentences that are too long
	coarse *worker    // nil before the first of them
	keep   []bool
}

// pool keeps annotators.
type pool struct{ p sync.Pool }

func (p *pool) get(m *model) *annotator {
	if a, ok := p.p.Get().(*annotator); ok {
		return a
	}
	a := &annotator{w: m.parser.worker(), label: labelling{l: m.labeler}, first: m.parser.firstOrder()}
	if m.opt.decoder == mbr {
		a.mbr = tree.NewMBR(m.parser.firstOrder(), a.w.summer)
	}
	return a
}

func (p *pool) put(a *annotator) { p.p.Put(a) }

// output is the layers of a document as they grow.
type output struct {
	run             *kind.Run
	trees           *text.Layer
	sent, tok, head []int32
	rel             []string
	parses, arcs    rows
	relations       rows
	summed          bool // the model gives relations probabilities
}

// rows are those of a layer of the kind's own.
type rows struct {
	ints   [3][]int32
	floats [2][]float64
	names  []string
	flags  []int32
	probs  []float64
}

// document writes the wanted layers of a document.
func (a *annotator) document(ctx context.Context, m *model, in sided, run *kind.Run) error {
	d := in.doc
	o := &output{run: run, trees: text.NewLayer(text.Dependencies), summed: m.sumsRelations()}
	toks := d.Layer(text.Tokens.Name)
	bounds := d.SentenceTokens()
	known, err := a.known.of(ctx, in)
	if err != nil {
		return err
	}
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.sentence(ctx, m, o, toks, known, from, to, int32(s)); err != nil {
			return fmt.Errorf("document %s, sentence %d: %w", d.ID, s, err)
		}
	}
	o.set(d, m.labeler != nil)
	return nil
}

// sentence parses rows [from, to) of the tokens.
func (a *annotator) sentence(ctx context.Context, m *model, o *output, toks *text.Layer, known *aside, from, to int,
	s int32) error {
	a.sent.load(toks, m.columns(), from, to)
	a.known.load(&a.sent, toks, known, from, to)
	short := a.sent.n <= m.opt.maxLength || m.parser.factorization == tree.Arc && a.sent.n <= pieceLength
	if short {
		if err := a.parse(ctx, m, max(1, o.run.NBest)); err != nil {
			return err
		}
		short = !a.w.wide
	}
	if !short {
		a.found = append(a.found[:0], a.pieces(ctx, m))
		a.found[0].prob = math.NaN()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	related := o.summed && o.run.Wants(relationsLayer.Name)
	if short && (o.probable() || o.run.NBest > 1 || o.run.Wants(arcsLayer.Name) || related) {
		z := a.marginals()
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range a.found {
			score := a.found[k].score
			if a.w.summer == nil {
				score = a.w.arcScore(a.found[k].heads)
			}
			a.found[k].prob = math.Exp(min(score-z, 0))
		}
	}
	for k, p := range a.found {
		if o.run.Wants(parsesLayer.Name) {
			o.parse(s, int32(k+1), p)
		}
		if o.run.Wants(text.Dependencies.Name) {
			a.tree(m, o, s, int32(k+1), p, short)
		}
	}
	if short && related {
		o.related(a, m.labeler.labels, s)
	}
	if o.run.Wants(arcsLayer.Name) && short {
		p := &a.w.parts
		for t := 1; t <= a.sent.n; t++ {
			for _, x := range p.In(t) {
				if prob := a.w.mu[x]; prob >= leastArc {
					o.arcs.ints[0], o.arcs.ints[1], o.arcs.ints[2] = append(o.arcs.ints[0], s), append(o.arcs.ints[1], int32(t)),
						append(o.arcs.ints[2], p.Head[x])
					o.arcs.floats[0] = append(o.arcs.floats[0], prob)
				}
			}
		}
	}
	return nil
}

// related adds the arcs of a sentence with each of their relations:
//
//	p(arc, relation) = p(arc)·exp(score of the relation − ln Σ exp(scores of all relations of the arc))
func (o *output) related(x *annotator, names []string, s int32) {
	w := x.w
	p, j, r := &w.parts, w.joint, &o.relations
	for a, h := range p.Head {
		if w.mu[a] < leastArc {
			continue
		}
		for i, c := range j.arc(&x.sent, h, p.Mod[a]) {
			if prob := w.mu[a] * math.Exp(j.scores[i]-j.extra[a]); prob >= leastArc {
				r.ints[0], r.ints[1], r.ints[2] = append(r.ints[0], s), append(r.ints[1], p.Mod[a]), append(r.ints[2], h)
				r.names, r.probs = append(r.names, names[c]), append(r.probs, prob)
			}
		}
	}
}

// parse finds the k best trees of the sentence, none if it is too wide.
func (a *annotator) parse(ctx context.Context, m *model, k int) error {
	w := a.w
	w.load(ctx, &a.sent, nil)
	a.found = a.found[:0]
	if err := ctx.Err(); err != nil || w.wide {
		return err
	}
	if k > 1 {
		a.list = w.decoder.(tree.Lister).KBest(&w.parts, w.score, k, a.list[:0])
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, x := range a.list {
			a.found = append(a.found, parse{heads: x.Heads, score: x.Score, decoder: m.parser.usual(), certified: true,
				bound: a.list[0].Score})
		}
		return nil
	}
	w.heads = buffer.Resize(w.heads, a.sent.n+1)
	p := parse{heads: w.heads, decoder: m.parser.usual(), certified: true}
	switch d := w.decoder.(type) {
	case *dual.Decoder:
		r, err := d.Solve(ctx, &w.parts, w.score, w.heads)
		if err != nil {
			return err
		}
		p.score, p.certified, p.steps, p.bound = r.Score, r.Certified, r.Iterations, r.Bound
		if math.IsInf(r.Score, -1) { // no tree was seen
			p.score, _ = a.first.Best(&w.parts, w.score, w.heads)
			p.decoder, p.certified = m.parser.fallback(), false
		}
	default:
		if a.mbr != nil {
			a.mbr.Best(&w.parts, w.score, w.heads)
			p.decoder, p.score = mbr, tree.Score(m.parser.factorization, &w.parts, w.score, w.heads)
			p.certified, p.bound = false, math.Inf(1)
			break
		}
		p.score, _ = d.Best(&w.parts, w.score, w.heads)
		if p.bound = p.score; m.parser.decisions != nil {
			p.certified, p.bound = false, math.Inf(1)
		}
	}
	a.found = append(a.found, p)
	return ctx.Err()
}

// fallback is the decoder by arcs alone.
func (p *parser) fallback() string {
	if p.projective {
		return eisner + ", arcs"
	}
	return cle + ", arcs"
}

// pieceLength is how many tokens are parsed at once at most: a chart of n tokens takes n² numbers.
const pieceLength = 1000

// pieces parses a long sentence by the scores of arcs alone or from coarse to fine, in pieces if it is very long: the
// roots of the later ones are modifiers of that of the first.
func (a *annotator) pieces(ctx context.Context, m *model) parse {
	whole := a.sent
	out := parse{heads: make([]int32, whole.n+1), bound: math.Inf(1)}
	root := int32(0)
	for from := 0; from < whole.n && ctx.Err() == nil; from += pieceLength {
		part := whole.slice(from, min(from+pieceLength, whole.n))
		s, decoder, ok := a.piece(ctx, m, part)
		if !ok {
			break
		}
		out.score += s
		if from == 0 || decoder != refined {
			out.decoder = decoder
		}
		for t := 1; t <= part.n; t++ {
			h := a.w.heads[t]
			switch {
			case h > 0:
				h += int32(from)
			case from == 0 && root == 0:
				root = int32(t)
			case from > 0:
				h = root
			}
			out.heads[from+t] = h
		}
	}
	if whole.n > pieceLength {
		out.decoder += ", in pieces"
	}
	return out
}

// piece finds the heads of a long sentence, or a piece of one, and tells how.
func (a *annotator) piece(ctx context.Context, m *model, s *sentence) (score float64, decoder string, ok bool) {
	w := a.w
	w.heads = buffer.Resize(w.heads, s.n+1)
	if m.parser.refines() {
		if score, ok = a.refine(ctx, s, m.parser.threshold, m.opt.memory<<20/8); ok || ctx.Err() != nil {
			return score, refined, ok
		}
	}
	w.parts.Within(ctx)
	w.parts.Full(s.n)
	w.parts.Reset(tree.Dep)
	w.score = buffer.Resize(w.score, w.parts.Len())
	w.v.load(m.parser.scorer, s)
	scoreArcs(&w.v, &w.parts, w.score, m.parser.scorer.first.small())
	score, ok = a.first.Best(&w.parts, w.score, w.heads)
	return score, m.parser.fallback(), ok
}

// marginals sets the probabilities of arcs and returns ln Z; where trees cannot be summed, it is of the
// scores of arcs alone.
func (a *annotator) marginals() (z float64) {
	w := a.w
	w.mu = buffer.Resize(w.mu, w.parts.Len())
	if w.summer == nil {
		z, _ = a.first.Marginals(&w.parts, w.score, w.mu)
	} else {
		z, _ = w.summer.Marginals(&w.parts, w.score, w.mu)
	}
	for i, p := range w.mu { // sums of many parts round
		w.mu[i] = max(0, min(1, p))
	}
	return z
}

// arcScore sums the scores of the arcs of a tree alone, −∞ where one is no candidate.
func (w *worker) arcScore(heads []int32) float64 {
	sum := 0.0
	for m := 1; m < len(heads); m++ {
		a := w.parts.Find(int(heads[m]), m)
		if a < 0 {
			return math.Inf(-1)
		}
		sum += w.score[a]
	}
	return sum
}

// tree adds a tree to the dependencies.
func (a *annotator) tree(m *model, o *output, s, rank int32, p parse, short bool) {
	if m.labeler != nil {
		a.labels = buffer.Resize(a.labels, a.sent.n+1)
		a.relate(p.heads)
	}
	for t := 1; t <= a.sent.n; t++ {
		o.sent, o.tok, o.head = append(o.sent, s), append(o.tok, int32(t)), append(o.head, p.heads[t])
		if m.labeler != nil {
			o.rel = append(o.rel, m.labeler.labels[a.labels[t]])
		}
		if o.run.NBest > 1 {
			o.trees.Rank = append(o.trees.Rank, rank)
		}
		if o.probable() {
			prob := p.prob
			if short && o.run.NBest <= 1 {
				prob = 0
				if arc := a.w.parts.Find(int(p.heads[t]), t); arc >= 0 {
					prob = a.w.mu[arc]
				}
			}
			o.trees.Prob = append(o.trees.Prob, prob)
		}
	}
}

// relate sets the relations of a tree.
func (a *annotator) relate(heads []int32) {
	j := a.w.joint
	if j == nil {
		a.label.label(&a.sent, heads, a.labels)
		return
	}
	j.v.load(j.l.group, &a.sent)
	for t := 1; t <= a.sent.n; t++ {
		_, a.labels[t] = j.pool(j.arc(&a.sent, heads[t], int32(t)))
	}
}

// probable tells whether dependencies have probabilities.
func (o *output) probable() bool {
	return (o.run.Prob || o.run.NBest > 1) && o.run.Wants(text.Dependencies.Name)
}

func (o *output) parse(s, rank int32, p parse) {
	r := &o.parses
	r.ints[0], r.ints[1], r.ints[2] = append(r.ints[0], s), append(r.ints[1], rank), append(r.ints[2], int32(p.steps))
	r.floats[0], r.floats[1] = append(r.floats[0], p.score), append(r.floats[1], p.bound)
	r.names, r.probs = append(r.names, p.decoder), append(r.probs, p.prob)
	flag := int32(0)
	if p.certified {
		flag = 1
	}
	r.flags = append(r.flags, flag)
}

// set gives the wanted layers to the document.
func (o *output) set(d *text.Document, labelled bool) {
	if o.run.Wants(text.Dependencies.Name) {
		l := o.trees
		l.N = len(o.sent)
		l.SetInts("sent", o.sent)
		l.SetInts("tok", o.tok)
		l.SetInts("head", o.head)
		if labelled {
			l.SetStrs("deprel", o.rel)
		}
		d.SetLayer(l)
	}
	if o.run.Wants(parsesLayer.Name) {
		l, r := text.NewLayer(parsesLayer), &o.parses
		l.N = len(r.flags)
		l.SetInts("sent", r.ints[0])
		l.SetInts("rank", r.ints[1])
		l.SetInts("iterations", r.ints[2])
		l.SetInts("certified", r.flags)
		l.SetStrs("decoder", r.names)
		l.Cols[parsesLayer.Index("score")].Floats, l.Cols[parsesLayer.Index("bound")].Floats = r.floats[0], r.floats[1]
		if o.run.NBest > 1 {
			l.Rank, l.Prob = r.ints[1], r.probs
		}
		d.SetLayer(l)
	}
	if o.run.Wants(relationsLayer.Name) && o.summed {
		l, r := text.NewLayer(relationsLayer), &o.relations
		l.N = len(r.probs)
		l.SetInts("sent", r.ints[0])
		l.SetInts("tok", r.ints[1])
		l.SetInts("head", r.ints[2])
		l.SetStrs("deprel", r.names)
		l.Cols[relationsLayer.Index("prob")].Floats = r.probs
		d.SetLayer(l)
	}
	if o.run.Wants(arcsLayer.Name) {
		l, r := text.NewLayer(arcsLayer), &o.arcs
		l.N = len(r.ints[0])
		l.SetInts("sent", r.ints[0])
		l.SetInts("tok", r.ints[1])
		l.SetInts("head", r.ints[2])
		l.Cols[arcsLayer.Index("prob")].Floats = r.floats[0]
		d.SetLayer(l)
	}
}
