package lookahead

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"parlance/algo/chain"
	"parlance/algo/kind"
	"parlance/algo/tagger"
	"parlance/algo/text"
	"parlance/algo/transition"
)

// arcs is a trained parser. The labels of its chain are numbers of actions.
type arcs struct {
	labels   []string // of arcs
	actions  []uint32 // that are possible, rising
	root     uint16   // label of the root
	alphabet *transition.Alphabet
	chain    *chain.Model
	workers  *sync.Pool
}

// newArcs makes a parser of weights, without the attributes that have none.
func newArcs(labels []string, actions []uint32, root uint16, a *transition.Alphabet, c *chain.Model) *arcs {
	p := c.Parts()
	keep := make([]bool, p.Attributes)
	start := []uint32{0}
	for i := range keep {
		if keep[i] = p.AttrStart[i+1] > p.AttrStart[i]; keep[i] {
			start = append(start, p.AttrStart[i+1])
		}
	}
	p.Attributes, p.AttrStart = len(start)-1, start
	c, err := chain.NewModel(p)
	if err != nil {
		panic(err) // the parts were those of a model
	}
	m := &arcs{labels: slices.Clone(labels), actions: actions, root: root, alphabet: a.Keep(keep), chain: c}
	m.prepare()
	return m
}

func (m *arcs) prepare() {
	m.workers = &sync.Pool{New: func() any { return newParser(m) }}
}

// score adds the weights of attributes to out, by action.
func (m *arcs) score(attrs []uint32, out []float64) {
	for _, attr := range attrs {
		labels, weights := m.chain.Row(attr)
		for i, a := range labels {
			out[a] += weights[i]
		}
	}
}

// name is an action as text: shift, left:nsubj.
func (m *arcs) name(a int) string {
	x := transition.Action(a)
	s := [...]string{"shift", "left", "right", "reduce"}[x.Move()]
	if l := m.labels[x.Label()]; l != "" && (x.Move() == transition.Left || x.Move() == transition.Right) {
		s += ":" + l
	}
	return s
}

func (m *arcs) names() []string {
	out := make([]string, len(m.labels)*transition.Moves)
	for a := range out {
		out[a] = m.name(a)
	}
	return out
}

// Bytes is what the parser takes in memory.
func (m *arcs) Bytes() int64 { return m.chain.Bytes() + m.alphabet.Bytes() }

// Encode writes the parser.
func (m *arcs) Encode(w *kind.Writer) error {
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	if err := w.JSON("root", m.root); err != nil {
		return err
	}
	if err := w.Uint32s("actions", m.actions); err != nil {
		return err
	}
	if err := m.alphabet.Encode(w); err != nil {
		return err
	}
	return tagger.Encode(w, m.chain)
}

// decodeArcs reads what Encode wrote.
func decodeArcs(r *kind.Reader) (*arcs, error) {
	m := &arcs{}
	var err error
	if m.labels, err = r.Strings("labels"); err != nil {
		return nil, err
	}
	if err := r.JSON("root", &m.root); err != nil {
		return nil, err
	}
	if len(m.labels) == 0 || len(m.labels) > transition.MaxLabels || int(m.root) >= len(m.labels) {
		return nil, kind.Corrupt("labels", "has no label of the root, or too many")
	}
	if m.actions, err = r.Uint32s("actions"); err != nil {
		return nil, err
	}
	if !m.complete() {
		return nil, kind.Corrupt("actions", "lacks a move, or has an action without label or out of order")
	}
	if m.alphabet, err = transition.DecodeAlphabet(r); err != nil {
		return nil, err
	}
	if m.chain, err = tagger.Decode(r); err != nil {
		return nil, err
	}
	if m.chain.Attributes() != m.alphabet.Len() || m.chain.Labels() != len(m.labels)*transition.Moves {
		return nil, kind.Corrupt("labels", "labels, attributes and weights differ in number")
	}
	for _, a := range m.chain.Parts().PairLabel {
		if _, ok := slices.BinarySearch(m.actions, uint32(a)); !ok {
			return nil, kind.Corrupt("actions", "a weight is of none of them")
		}
	}
	m.prepare()
	return m, nil
}

// complete tells whether the actions are sound and no state is without one.
func (m *arcs) complete() bool {
	var moves [transition.Moves]int
	for i, a := range m.actions {
		x := transition.Action(a)
		if i > 0 && a <= m.actions[i-1] || int(a) >= len(m.labels)*transition.Moves || x.Move() == transition.Shift && x.Label() != 0 {
			return false
		}
		moves[x.Move()]++
	}
	return moves[transition.Shift] == 1 && moves[transition.Left] > 0 && moves[transition.Right] > 0
}

// parser analyses one sentence after the other.
type parser struct {
	*parsing
	search searcher
	prob   []float64 // of the action that attached a token
}

func newParser(m *arcs) *parser {
	p := &parser{parsing: newParsing(m.alphabet, transition.NewExtractor(m.alphabet, false), m, m.actions)}
	p.search.p = p.parsing
	return p
}

// annotateArcs parses every sentence of the documents.
func (m *model) annotateArcs(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	p := m.arcs.workers.Get().(*parser)
	defer m.arcs.workers.Put(p)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.trees(ctx, p, d, run.Prob); err != nil {
			return err
		}
	}
	return nil
}

// trees parses a document.
func (m *model) trees(ctx context.Context, p *parser, d *text.Document, prob bool) error {
	out := text.NewLayer(text.Dependencies)
	toks := d.Layer(text.Tokens.Name)
	bounds := d.SentenceTokens()
	var sent, tok, head []int32
	var rel []string
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		if err := m.parse(ctx, p, toks, from, to, nil); err != nil {
			return err
		}
		t := p.state.Tree(m.arcs.root)
		for i := 1; i <= to-from; i++ {
			sent, tok, head = append(sent, int32(s)), append(tok, int32(i)), append(head, t.Heads[i])
			rel = append(rel, m.arcs.labels[t.Labels[i]])
			if prob {
				out.Prob = append(out.Prob, p.prob[i])
			}
		}
	}
	out.N = len(sent)
	out.SetInts("sent", sent)
	out.SetInts("tok", tok)
	out.SetInts("head", head)
	if m.opt.labelled {
		out.SetStrs("deprel", rel)
	}
	d.SetLayer(out)
	return nil
}

// parse analyses the rows [from, to) of tokens; each, if not nil, sees every decision before it is
// done.
func (m *model) parse(ctx context.Context, p *parser, toks *text.Layer, from, to int, each func(roots []root, chosen int)) error {
	if err := p.extract.Load(toks, from, to); err != nil {
		return err
	}
	p.prob = resize(p.prob, to-from+1)
	for i := range p.prob {
		p.prob[i] = 1 // the root is what remains
	}
	for p.init(to - from); !p.sys.Terminal(&p.state); {
		if p.state.Steps()&15 == 15 && ctx.Err() != nil {
			return ctx.Err()
		}
		roots := p.search.search(m.opt.depth)
		best := 0
		for i, r := range roots {
			if r.score+r.tail > roots[best].score+roots[best].tail {
				best = i
			}
		}
		a := roots[best].action
		if each != nil {
			each(roots, best)
		}
		p.prob[p.subject(a)] = m.actionShare(p, roots, roots[best].score+roots[best].tail)
		p.do(a)
	}
	return nil
}

// subject is the token that an action shifts or attaches.
func (p *parser) subject(a int) int32 {
	switch transition.Action(a).Move() {
	case transition.Shift:
		return 0
	case transition.Left:
		return p.state.Stack(1)
	}
	return p.state.Stack(0)
}

// actionShare is the probability of the best action among all, labels of arcs told apart, as
// model.share gives it.
func (m *model) actionShare(p *parser, roots []root, best float64) float64 {
	unit, sum := math.Max(1, m.opt.margin), 0.0
	scores := p.byAction(p.scores())
	for _, r := range roots {
		for _, a := range p.possible[transition.Action(r.action).Move()] {
			sum += math.Exp((scores[a] + r.tail - best) / unit)
		}
	}
	return 1 / sum
}

// explainArcs compares, at every action of a parse, the best leaf below it with the best one below
// the runner-up.
func (m *model) explainArcs(ctx context.Context, docs []*text.Document, at kind.At) (kind.Explanation, error) {
	var out kind.Explanation
	p := m.arcs.workers.Get().(*parser)
	defer m.arcs.workers.Put(p)
	for _, d := range docs {
		toks := d.Layer(text.Tokens.Name)
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			from, to := int(bounds[s-1]), int(bounds[s])
			if from == to || at.Sent != 0 && at.Sent != s {
				continue
			}
			forms := toks.Strs("form")[from:to]
			err := m.parse(ctx, p, toks, from, to, func(roots []root, chosen int) {
				x := m.actionDecision(p, roots, chosen)
				x.Doc, x.Sent, x.Form, x.Place = d.ID, s, forms[x.Tok-1], fmt.Sprintf("action %d", p.state.Steps()+1)
				if at.Tok == 0 || at.Tok == x.Tok {
					out.Decisions = append(out.Decisions, x)
				}
			})
			if err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// actionDecision explains an action before it is done.
func (m *model) actionDecision(p *parser, roots []root, chosen int) kind.Decision {
	own := roots[chosen]
	token := p.subject(own.action)
	if token == 0 {
		token = p.state.Buffer(0)
	}
	x := kind.Decision{Tok: int(token), Outcome: m.arcs.name(own.action), Prob: m.actionShare(p, roots, own.score+own.tail)}
	scores := p.byAction(p.scores())
	other, path := choice{action: -1}, []int(nil)
	if c := p.other(scores, own.action); c.action >= 0 {
		other, path = choice{c.action, c.score + own.tail}, own.path
	}
	for i, r := range roots {
		if i != chosen && (other.action < 0 || r.score+r.tail > other.score) {
			other, path = choice{r.action, r.score + r.tail}, r.path
		}
	}
	if other.action < 0 {
		return x
	}
	x.RunnerUp = m.arcs.name(other.action)
	sums := map[contribution]float64{}
	m.gather(p, append([]int{own.action}, own.path...), 1, sums)
	m.gather(p, append([]int{other.action}, path...), -1, sums)
	m.contributions(&x, sums)
	return x
}

// contribution is a feature of a step of a sequence of actions.
type contribution struct {
	step, action int
	attr         uint32
}

// gather adds the weights of the features of actions from the present state on, with a sign.
func (m *model) gather(p *parser, path []int, sign float64, sums map[contribution]float64) {
	row := make([]float64, p.size)
	for i, a := range path {
		g := p.set.Signature(&p.state)
		p.keys = p.extract.Keys(&g, p.keys[:0])
		for _, k := range p.keys {
			if attr, ok := p.alphabet.Find(k); ok {
				clear(row)
				m.arcs.score([]uint32{attr}, row)
				sums[contribution{i, a, attr}] += sign * row[a]
			}
		}
		p.do(a)
	}
	for range path {
		p.undo()
	}
}

// contributions puts sums into a decision, those of later actions with the distance before them.
func (m *model) contributions(x *kind.Decision, sums map[contribution]float64) {
	for c, w := range sums {
		if w == 0 {
			continue
		}
		name := m.arcs.alphabet.Name(c.attr) + " → " + m.arcs.name(c.action)
		if c.step > 0 {
			name = fmt.Sprintf("%+d: %s", c.step, name)
		}
		x.Contributions = append(x.Contributions, kind.Contribution{Feature: name, Value: 1, Weight: w})
	}
	sort.Slice(x.Contributions, func(i, j int) bool {
		a, b := x.Contributions[i], x.Contributions[j]
		if y, z := math.Abs(a.Weight), math.Abs(b.Weight); y != z {
			return y > z
		}
		return a.Feature < b.Feature
	})
	for _, c := range x.Contributions {
		x.Margin += c.Weight
	}
}
