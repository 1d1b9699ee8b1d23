package crf

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/semimarkov"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// reading is documents for a training by constraints: sentences as sequences of segments of one token each.
type reading struct {
	target   tagger.Target
	extract  *feature.Extractor
	rows     feature.Rows
	triggers *expectation.Triggers
	phrases  kind.Gazetteer
	names    []string // labels of tokens
	index    map[string]int32

	list   []expectation.Row
	bounds [][2]int
	gold   [][]semimarkov.Segment // nil without gold
}

// label returns the number of a label, a new one if need be.
func (r *reading) label(name string) int32 {
	i, ok := r.index[name]
	if !ok {
		i = int32(len(r.names))
		r.index[name], r.names = i, append(r.names, name)
	}
	return i
}

// labels adds the labels of tokens that a label of constraints stands for.
func (r *reading) labels(name string) {
	if !r.target.Spans() || name == bio.Outside {
		r.label(name)
		return
	}
	for _, mark := range r.target.Scheme.Marks() {
		r.label(mark + "-" + name)
	}
}

// read adds the sentences of documents. Sentences of labelled documents with a token without label are left out.
func (r *reading) read(ctx context.Context, in kind.Input, labelled bool) error {
	for d, err := range in.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if toks := d.Layer("tokens"); toks == nil || toks.N == 0 {
			continue
		}
		first := r.rows.Len()
		if err := r.extract.GrowUntil(ctx, d, &r.rows); err != nil {
			return err
		}
		if err := r.document(d, first, labelled); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) document(d *text.Document, first int, labelled bool) error {
	var spans []text.Span
	if l := d.Layer(r.target.Layer.Name); labelled && r.target.Spans() && l != nil {
		spans = l.Spans()
	}
	forms, bounds := tagger.Forms(d), d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		from, to := bounds[s-1], bounds[s]
		if from == to {
			continue
		}
		var gold []semimarkov.Segment
		if labelled {
			own := slices.DeleteFunc(slices.Clone(spans), func(x text.Span) bool { return x.Sent != int32(s) })
			labels, _, ok := r.target.Gold(nil, d, s, from, to, own)
			if !ok {
				continue
			}
			for i, l := range labels {
				gold = append(gold, semimarkov.Segment{Start: int32(i), End: int32(i + 1), Label: r.label(l)})
			}
			if len(r.names) > semimarkov.MaxLabels {
				return fmt.Errorf("more than %d labels", semimarkov.MaxLabels)
			}
		}
		r.list = append(r.list, expectation.Row{Tokens: int(to - from),
			Hits: r.triggers.Match(nil, forms[from:to], r.phrases)})
		r.bounds = append(r.bounds, [2]int{first + int(from), first + int(to)})
		r.gold = append(r.gold, gold)
	}
	return nil
}

// data makes sequences of the rows.
func (r *reading) data(attributes int) *semimarkov.Data {
	d := &semimarkov.Data{Attributes: attributes, Gold: r.gold}
	for _, b := range r.bounds {
		d.Sequences = append(d.Sequences, semimarkov.Sequence{N: b[1] - b[0],
			Token: semimarkov.Rows{Offsets: r.rows.Offsets[b[0] : b[1]+1], Attrs: r.rows.Attrs}})
	}
	return d
}

// engine returns the labels as a semi-Markov model of segments of one token, under the rules of the scheme.
func (r *reading) engine() (*semimarkov.Labels, error) {
	n := len(r.names)
	l := semimarkov.Labels{N: n}
	if !r.target.Spans() {
		return semimarkov.NewLabels(l)
	}
	rules := r.target.Scheme.Constraints(r.names)
	l.Forbid, l.NoStart, l.NoEnd = make([]bool, n*n), make([]bool, n), make([]bool, n)
	for y := range n {
		l.NoStart[y], l.NoEnd[y] = !rules.AllowedStart(y), !rules.AllowedEnd(y)
		for z := range n {
			l.Forbid[y*n+z] = !rules.Allowed(y, z)
		}
	}
	return semimarkov.NewLabels(l)
}

// space returns the labels of tokens that labels of constraints stand for.
func (r *reading) space() *expectation.Space {
	s := &expectation.Space{N: len(r.names), Longest: 1, Chain: true, Token: map[string][]bool{}}
	if r.target.Spans() {
		s.Begin = map[string][]bool{}
	}
	mark := func(to map[string][]bool, name string, y int) {
		if to[name] == nil {
			to[name] = make([]bool, s.N)
		}
		to[name][y] = true
	}
	for y, l := range r.names {
		if !r.target.Spans() {
			mark(s.Token, l, y)
			continue
		}
		m, what := bio.Split(l)
		if m == bio.Outside {
			what, s.Outside = l, l
		}
		mark(s.Token, what, y)
		if m != "I" && m != "E" {
			mark(s.Begin, what, y)
		}
	}
	return s
}

// trainExpectation learns from constraints: the chain is a semi-Markov model of segments of one token.
func (m *model) trainExpectation(ctx context.Context, t *kind.Training) error {
	if t.Init != nil {
		return errors.New("objective = alternating_projections starts from no model; leave init out")
	}
	r := &reading{index: map[string]int32{}}
	var list []expectation.Constraint
	var err error
	if r.target, err = m.opt.Target(); err != nil {
		return err
	}
	if list, r.triggers, err = m.expect.Read(ctx, t); err != nil {
		return err
	}
	if r.phrases, err = m.expect.Phrases(t.Resources); err != nil {
		return err
	}
	set, err := m.opt.Set()
	if err != nil {
		return err
	}
	alphabet := feature.NewAlphabet(set)
	if r.extract, err = feature.NewExtractor(alphabet, t.Resources); err != nil {
		return err
	}
	for _, l := range expectation.Labels(list) {
		if l != bio.Outside || !r.target.Spans() {
			r.labels(l)
		}
	}
	if r.target.Spans() && m.expect.Outside {
		r.label(bio.Outside)
	}
	labelled := 0
	if in := t.Roles["labelled"]; in != nil {
		if err := r.read(ctx, in, true); err != nil {
			return err
		}
		labelled = len(r.list)
	}
	if err := r.read(ctx, t.On, false); err != nil {
		return err
	}
	if labelled == len(r.list) {
		return fmt.Errorf("%w: there are no tokens", kind.ErrNoData)
	}
	if alphabet, err = feature.Prune(ctx, alphabet, &r.rows, m.opt.MinCount); err != nil {
		return err
	}
	alphabet.Freeze()
	return m.project(ctx, t, r, alphabet, list, labelled)
}

// project trains and keeps the weights as those of a chain. The first labelled sequences have gold.
func (m *model) project(ctx context.Context, t *kind.Training, r *reading, alphabet *feature.Alphabet,
	list []expectation.Constraint, labelled int) error {
	labels, err := r.engine()
	if err != nil {
		return err
	}
	d := r.data(alphabet.Len())
	layout, err := semimarkov.NewLayout(d, labels, 1, semimarkov.Features{AllStates: true, AllPairs: true})
	if err != nil {
		return err
	}
	p, err := expectation.NewProblem(list, r.triggers, r.space())
	if err != nil {
		return err
	}
	x := &expectation.Training{Layout: layout, Problem: p, Sequences: d.Sequences[labelled:], Rows: r.list[labelled:],
		L2: m.opt.L2}
	if labelled > 0 {
		gold := *d
		gold.Sequences, gold.Gold = d.Sequences[:labelled], d.Gold[:labelled]
		x.Labelled = &gold
	}
	candidate := func() (kind.Model, error) {
		c, err := chainOf(layout, slices.Clone(x.W))
		now := *m
		now.Trained = tagger.Trained{Labels: r.names, Alphabet: alphabet, Chain: c}
		if err == nil {
			err = now.ready()
		}
		return &now, err
	}
	if m.reached, err = m.expect.Learn(ctx, t, x, r.list[:labelled], candidate); err != nil {
		return err
	}
	c, err := chainOf(layout, x.W)
	if err != nil {
		return err
	}
	if err := m.Keep(ctx, &tagger.Data{Names: r.names, Alphabet: alphabet}, c); err != nil {
		return err
	}
	return m.ready()
}

// chainOf makes a chain of weights of attributes and pairs.
func chainOf(l *semimarkov.Layout, w []float64) (*chain.Model, error) {
	n := uint32(l.Labels.N)
	p := chain.Parts{Labels: int(n), Attributes: l.States.Attributes(), AttrStart: l.States.Start,
		Weights: w[:len(l.States.Cols)]}
	for _, y := range l.States.Cols {
		p.PairLabel = append(p.PairLabel, uint16(y))
	}
	for _, pair := range l.Pairs {
		p.TransFrom, p.TransTo = append(p.TransFrom, uint16(pair/n)), append(p.TransTo, uint16(pair%n))
	}
	p.TransWeights = w[len(l.States.Cols):]
	return chain.NewModel(p)
}
