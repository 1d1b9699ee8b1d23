package nonlocal

import (
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// data is texts for training, with the names of their numbers.
type data struct {
	read    *tagger.Data
	texts   *texts
	edgeOf  []int32 // by static attribute: its number among edges, −1 for nodes
	words   []*wording
	scheme  *scheme
	rules   *chain.Constraints
	counter *counter // nil without non-local features
}

// mostWeights bounds the weights, which are kept for all labels: 8 GB.
const mostWeights = 1 << 30

func (m *model) readData(ctx context.Context, t *kind.Training) (*data, error) {
	read, err := m.opt.Read(ctx, t)
	if err != nil {
		return nil, err
	}
	d := &data{read: read, scheme: newScheme(read.Names)}
	d.split()
	if n := d.texts.size(); n > mostWeights {
		return nil, fmt.Errorf("%d attributes and %d labels make %d weights, at most %d can be; raise min_count or use "+
			"fewer templates with label[-1]", read.Alphabet.Len(), read.Labels, n, mostWeights)
	}
	if err := m.cut(ctx, t, d); err != nil {
		return nil, err
	}
	if m.opt.constrained {
		d.rules = m.opt.Rules(read.Names)
		d.texts.forbid = func(i int, b *table) { forbid(b, d.rules, d.words[i].starts) }
	}
	if g := m.groups(); len(g) > 0 {
		d.counter = newCounter(d.scheme, g)
		d.texts.width = d.counter.width
		d.texts.nonlocal = func(i int, y []uint16, out []entry) []entry { return d.counter.features(d.words[i], y, out) }
	}
	return d, nil
}

// split sorts attributes into those that read the label before and the others.
func (d *data) split() {
	a, r := d.read.Alphabet, d.read
	x := &texts{labels: r.Labels, nodes: a.Len(), gold: r.Gold, node: lists{from: []uint32{0}},
		edge: lists{from: []uint32{0}}}
	d.edgeOf = make([]int32, a.Len())
	for i := range d.edgeOf {
		d.edgeOf[i] = -1
		if a.History(uint32(i)) != 0 {
			d.edgeOf[i] = int32(x.edges)
			x.edges++
		}
	}
	for t := range r.Tokens() {
		for _, at := range r.Attrs[r.AttrOffsets[t]:r.AttrOffsets[t+1]] {
			if e := d.edgeOf[at]; e >= 0 {
				x.edge.list = append(x.edge.list, uint32(e))
			} else {
				x.node.list = append(x.node.list, at)
			}
		}
		x.node.from, x.edge.from = append(x.node.from, uint32(len(x.node.list))),
			append(x.edge.from, uint32(len(x.edge.list)))
	}
	d.texts = x
}

// cut cuts the tokens into texts: documents or sentences.
func (m *model) cut(ctx context.Context, t *kind.Training, d *data) error {
	d.texts.start = []uint32{0}
	at := uint32(0)
	for doc, err := range t.On.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		for _, p := range m.pieces(doc) {
			at += uint32(p.to - p.from)
			d.texts.start = append(d.texts.start, at)
			d.words = append(d.words, p.wording(doc, m.opt.foldCase))
		}
	}
	return nil
}

// piece is tokens [from, to) of a document that are labelled as a whole.
type piece struct {
	from, to int
	starts   []int32 // first tokens of its sentences, counted from the piece
	numbers  []int32 // of the sentences, 1-based
}

// pieces cuts a document. Empty sentences are in no piece of sentences.
func (m *model) pieces(d *text.Document) []piece {
	if d.Layer(text.Tokens.Name) == nil {
		return nil
	}
	bounds := d.SentenceTokens()
	var out []piece
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		if m.opt.unit == "sentence" || len(out) == 0 {
			out = append(out, piece{from: from})
		}
		p := &out[len(out)-1]
		p.starts, p.numbers, p.to = append(p.starts, int32(from-p.from)), append(p.numbers, int32(s)), to
	}
	return out
}

// wording numbers the words of a piece.
func (p piece) wording(d *text.Document, foldCase bool) *wording {
	forms := d.Layer(text.Tokens.Name).Strs("form")
	if forms == nil {
		return newText(make([]string, p.to-p.from), p.starts, foldCase)
	}
	return newText(forms[p.from:p.to], p.starts, foldCase)
}

// forbid blocks what the scheme rules out within and between sentences.
func forbid(b *table, rules *chain.Constraints, starts []int32) {
	for k := range b.labels {
		for _, s := range starts {
			if !rules.AllowedStart(k) {
				b.nodes(int(s))[k] = blocked
			}
			if s > 0 && !rules.AllowedEnd(k) {
				b.nodes(int(s) - 1)[k] = blocked
			}
		}
		if b.n > 0 && !rules.AllowedEnd(k) {
			b.nodes(b.n - 1)[k] = blocked
		}
	}
	last := b.n
	if b.stride == 0 {
		last = min(last, 2) // the edges of all tokens
	}
	for t := 1; t < last; t++ {
		for j := range b.labels {
			edge := b.edges(t, j)
			for k := range edge {
				if !rules.Allowed(j, k) {
					edge[k] = blocked
				}
			}
		}
	}
}
