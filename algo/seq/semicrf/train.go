package semicrf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/semimarkov"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
)

// Train learns from gold segments, or from constraints.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	target, err := m.target()
	if err != nil {
		return err
	}
	if err := m.opt.Settings.Check(t); err != nil {
		return err
	}
	m.labels, m.wholes, m.reached = labelSet{}, nil, nil
	if in := t.Roles[taxonomyRole.Name]; in != nil {
		if err := m.labels.readTaxonomy(ctx, in); err != nil {
			return err
		}
	}
	var list []expectation.Constraint
	var triggers *expectation.Triggers
	if m.opt.Constrained() {
		if list, triggers, err = m.opt.Read(ctx, t); err != nil {
			return err
		}
		for _, l := range expectation.Labels(list) {
			if l != bio.Outside || m.opt.Outside {
				m.labels.id(l)
			}
		}
		if m.opt.Outside {
			m.labels.id(bio.Outside)
		}
	}
	c, labelled, err := m.read(ctx, t, target.Layer.Name, triggers)
	if err != nil {
		return err
	}
	longest, err := m.shape(c)
	if err != nil {
		return err
	}
	c.notices(t, longest)
	data, err := m.data(ctx, c, longest)
	if err != nil {
		return err
	}
	if m.opt.Constrained() {
		return m.constrained(ctx, t, data, labelled, c, list, triggers)
	}
	return m.likelihood(ctx, t, data)
}

// read reads all documents; the first labelled sentences have gold.
func (m *model) read(ctx context.Context, t *kind.Training, layer string, triggers *expectation.Triggers) (*corpus,
	int, error) {
	for i := range sorts {
		set, err := m.set(i)
		if err != nil {
			return nil, 0, err
		}
		m.alphabets[i] = nil
		if set != nil {
			m.alphabets[i] = feature.NewAlphabet(set)
		}
	}
	x, err := m.extraction(&m.alphabets, triggers, t.Resources)
	if err != nil {
		return nil, 0, err
	}
	c := &corpus{x: x}
	gold := t.On
	if m.opt.Constrained() {
		gold = t.Roles["labelled"]
	}
	if gold != nil {
		if err := c.read(ctx, gold, m, layer, true); err != nil {
			return nil, 0, err
		}
	}
	labelled := len(c.sentences)
	if m.opt.Constrained() {
		if err := c.read(ctx, t.On, m, layer, false); err != nil {
			return nil, 0, err
		}
	}
	switch {
	case m.opt.Constrained() && labelled == len(c.sentences):
		return nil, 0, fmt.Errorf("%w: there are no tokens", kind.ErrNoData)
	case !m.opt.Constrained() && c.longestLabelled(m.labels.Names) == 0:
		return nil, 0, fmt.Errorf("%w: no document has %s", kind.ErrNoData, layer)
	}
	return c, labelled, nil
}

// longestLabelled is the number of tokens of the longest gold segment that is one, 0 where all tokens are outside.
func (c *corpus) longestLabelled(names []string) (most int) {
	for i := range c.sentences {
		for _, g := range c.sentences[i].gold {
			if names[g.Label] != bio.Outside {
				most = max(most, int(g.End-g.Start))
			}
		}
	}
	return most
}

// shape decides the longest segment and whether labels repeat, and fixes the labels.
func (m *model) shape(c *corpus) (longest int, err error) {
	gold := c.longest()
	switch {
	case m.opt.maxLength > 0:
		longest = m.opt.maxLength
	case gold > 0:
		longest = min(gold, longestLearned)
	default:
		longest = longestUnknown
	}
	c.bound(longest)
	m.labels.Repeat = m.opt.repeat == "yes" || m.opt.repeat == "auto" && c.repeats(m.labels.Names)
	if len(m.labels.Names) == 1 && m.labels.Names[0] != bio.Outside {
		m.labels.Repeat = true // else longer sentences would have no segmentation
	}
	if m.opt.repeat == "no" && c.repeats(m.labels.Names) {
		return 0, errors.New("repeat = no, and neighbouring gold segments have the same label, or pieces of one " +
			"that is longer than max_length; give repeat = yes or a larger max_length")
	}
	m.space, err = m.labels.engine()
	return longest, err
}

// data gives attributes their numbers and makes sequences.
func (m *model) data(ctx context.Context, c *corpus, longest int) (*semimarkov.Data, error) {
	for i, a := range m.alphabets {
		if a == nil {
			continue
		}
		var err error
		if m.alphabets[i], err = feature.Prune(ctx, a, &c.x.rows[i], m.opt.minCount); err != nil {
			return nil, err
		}
		m.alphabets[i].Freeze()
	}
	c.growWholes(longest, m.opt.identity)
	m.wholes, m.wholeIndex = c.wholes, c.wholeIndex
	no := m.numbering(c.x.triggers, longest)
	d := &semimarkov.Data{Attributes: int(no.total), EdgeAttributes: int(size(m.alphabets[ofEdge])),
		LengthAttributes: int(no.total - no.lengths)}
	for i := range c.sentences {
		s := &c.sentences[i]
		if i&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q := c.x.sequence(s.first, s.n, s.hits, &no)
		q.Whole = c.x.wholesOf(s.forms, longest, m.opt.identity, m.wholeIndex, no.wholes)
		d.Sequences, d.Gold = append(d.Sequences, q), append(d.Gold, s.gold)
	}
	var err error
	all := semimarkov.Features{AllStates: m.opt.states == "all" || m.opt.Constrained(),
		AllPairs: m.opt.transitions == "all" || m.opt.Constrained(), AllEdges: m.opt.Constrained()}
	m.layout, err = semimarkov.NewLayout(d, m.space, longest, all)
	return d, err
}

// constrained learns from constraints; the first labelled sequences have gold.
func (m *model) constrained(ctx context.Context, t *kind.Training, d *semimarkov.Data, labelled int, c *corpus,
	list []expectation.Constraint, triggers *expectation.Triggers) error {
	p, err := expectation.NewProblem(list, triggers, constraintSpace(&m.labels, m.space, m.layout.Longest))
	if err != nil {
		return err
	}
	rows := make([]expectation.Row, len(c.sentences))
	for i, s := range c.sentences {
		rows[i] = expectation.Row{Tokens: s.n, Hits: s.hits}
	}
	x := &expectation.Training{Layout: m.layout, Problem: p, Sequences: d.Sequences[labelled:], Rows: rows[labelled:],
		L2: m.opt.l2}
	if labelled > 0 {
		gold := *d
		gold.Sequences, gold.Gold = d.Sequences[:labelled], d.Gold[:labelled]
		x.Labelled = &gold
	}
	unreached := make([]expectation.Reached, len(list)) // candidates find tokens by the constraints
	for i, c := range list {
		unreached[i].Constraint = c
	}
	m.reached = unreached
	reached, err := m.opt.Learn(ctx, t, x, rows[:labelled], func() (kind.Model, error) { return m.candidate(x.W) })
	if err != nil {
		return err
	}
	m.w, m.reached = x.W, reached
	return m.ready()
}

// candidate is the model with weights as they stand.
func (m *model) candidate(w []float64) (kind.Model, error) {
	now := *m
	now.w = slices.Clone(w)
	return &now, now.ready()
}

// scoreEvery is the iterations of L-BFGS between scores on held-out documents.
const scoreEvery = 10

// score scores weights on held-out documents.
func (m *model) score(ctx context.Context, t *kind.Training, w []float64) (float64, string, error) {
	now, err := m.candidate(w)
	if err != nil {
		return 0, "", err
	}
	return t.Score(ctx, now)
}

// likelihood fits the weights to gold segments.
func (m *model) likelihood(ctx context.Context, t *kind.Training, d *semimarkov.Data) error {
	o := &semimarkov.Objective{Layout: m.layout, Sequences: d.Sequences, Observed: semimarkov.Observe(m.layout, d),
		L2: m.opt.l2, Workers: t.Workers}
	by := optimize.LBFGS{Memory: m.opt.memory, Iterations: m.opt.iterations, Epsilon: m.opt.epsilon,
		Past: m.opt.period, Delta: m.opt.delta}
	if by.Delta == 0 {
		by.Past = 0
	}
	var resume *optimize.State
	if t.Resume != nil {
		b, err := t.Resume.Bytes("state")
		if err != nil {
			return err
		}
		if resume, err = optimize.DecodeState(bytes.NewReader(b)); err != nil {
			return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
		}
	}
	keep := checkpoint.NewKeeper(t)
	var failed error
	w := make([]float64, m.layout.Size())
	r, err := o.Fit(ctx, w, by, resume, func(i optimize.Iteration) bool {
		p := kind.Progress{Step: i.Step, Of: by.Iterations, Objective: i.Objective, HeldOut: math.NaN()}
		if t.Score != nil && i.Step%scoreEvery == 0 {
			if p.HeldOut, p.Metric, failed = m.score(ctx, t, i.State.X); failed != nil {
				return true
			}
		}
		t.Report(p)
		failed = keep.Save(func(w *kind.Writer) error {
			var b bytes.Buffer
			if err := i.State.Encode(&b); err != nil {
				return err
			}
			return w.Bytes("state", b.Bytes())
		})
		return failed != nil
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	t.Report(kind.Progress{Step: r.Iterations, Of: by.Iterations, Objective: r.Objective, HeldOut: math.NaN(),
		Note: r.Status.String()})
	if r.Status == optimize.Limit {
		t.Unconverged("iterations", by.Iterations)
	}
	m.w = w
	return m.ready()
}
