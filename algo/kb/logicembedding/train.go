package logicembedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Streams of random numbers of one seed.
const (
	streamInit = iota
	streamGround
	streamEpochs
)

// Train reads facts and rules, and learns vectors or closes the facts. Time is proportional to
// epochs · (facts + negatives + instances · atoms of the rule) · k.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	first, _ := t.Init.(*model)
	if t.Init != nil && (first == nil || m.opt.variant != embedded || first.emb == nil) {
		return errors.New("init: only a model of variant embed can be started from, by variant embed")
	}
	if first != nil {
		m.know = first.know.clone()
	}
	news, err := m.know.read(ctx, t.On)
	if err != nil {
		return err
	}
	m.notices(ctx, t)
	if m.opt.variant != embedded {
		if err := m.close(ctx); err != nil {
			return err
		}
		t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
			Note: fmt.Sprintf("%d facts", len(m.hold.truth))})
		return nil
	}
	if err := m.begin(first, t); err != nil {
		return err
	}
	s, err := m.stream(ctx, first, news, t)
	if err != nil {
		return err
	}
	return m.descend(ctx, s, t)
}

// begin draws the first values, or takes those of the first model and draws what it lacks.
func (m *model) begin(first *model, t *kind.Training) error {
	k := m.opt.k
	if first != nil {
		if k != 0 && k != first.emb.k {
			return fmt.Errorf("k = %d, and the vectors of init have %d", k, first.emb.k)
		}
		k = first.emb.k
	}
	if k == 0 {
		if k = 50; m.know.domain.Len() <= 100 {
			k = 4
		}
	}
	m.emb = &embedding{k: k}
	if first != nil {
		m.emb.pairs = append(m.emb.pairs, first.emb.pairs...)
		m.emb.relations = append(m.emb.relations, first.emb.relations...)
	}
	m.emb.grow(m.know.domain.Len(), m.know.relations.Len(), m.opt.initSD, rand.New(rand.NewPCG(t.Seed, streamInit)))
	return nil
}

// stream prepares what an epoch takes: all, or with a first model what is new with a sample of the rest.
func (m *model) stream(ctx context.Context, first *model, news *added, t *kind.Training) (*stream, error) {
	k := m.know
	s := &stream{know: k, opt: &m.opt, cells: newCells(k)}
	if err := s.cells.check(&m.opt); err != nil {
		return nil, err
	}
	if m.opt.spare {
		if err := s.spare(ctx, &m.derived); err != nil {
			return nil, err
		}
	}
	fresh := map[int32]bool{}
	for _, f := range news.facts {
		fresh[f] = true
	}
	for i := range int32(len(k.facts)) {
		if first == nil || fresh[i] {
			s.facts = append(s.facts, i)
		} else if s.usable(i) {
			s.old = append(s.old, item{ofFact, i})
		}
	}
	newRule := map[int]bool{}
	for _, r := range news.rules {
		newRule[r] = true
	}
	if err := m.ground(ctx, s, t); err != nil {
		return nil, err
	}
	s.share(func(r int) bool { return first == nil || newRule[r] })
	return s, nil
}

// ground lists the instances of the rules.
func (m *model) ground(ctx context.Context, s *stream, t *kind.Training) error {
	k := m.know
	s.learned = make([]*instances, len(k.rules))
	if !m.opt.rules {
		return nil
	}
	rng := rand.New(rand.NewPCG(t.Seed, streamGround))
	var idle []string
	for i, r := range k.rules {
		if r.weight == 0 {
			continue
		}
		all := k.domain.Instances(ctx, r.bound)
		if m.opt.ground == "active" {
			c, err := m.derived.of(ctx, k, maxDerived)
			if err != nil {
				return err
			}
			if active, ok := c.Active(ctx, &k.domain, r.bound); ok {
				all = active
			}
		}
		list := sample(all, len(r.bound.Atoms), maxInstances, rng)
		if err := ctx.Err(); err != nil {
			return err
		}
		if list.seen == 0 {
			idle = append(idle, r.text)
			continue
		}
		if list.seen > list.count() {
			t.Notice(text.Countf("rule %s has %d {instance|instances}; %d of them, drawn at random, are learned from", r.text,
				list.seen, list.count()))
		}
		s.learned[i] = list
	}
	if len(idle) > 0 {
		t.Notice(fmt.Sprintf("rules without an instance among the known pairs teach nothing: %d, first %s",
			len(idle), idle[0]))
	}
	return nil
}

// spare finds the derived cells about known pairs.
func (s *stream) spare(ctx context.Context, d *derivation) error {
	all, err := d.of(ctx, s.know, maxDerived)
	if err != nil {
		return err
	}
	s.spared = map[cell]bool{}
	for _, f := range all.Facts {
		if p, ok := s.know.domain.Find(f.Pair); ok && !f.False {
			s.spared[cell{f.Relation, p}] = true
		}
	}
	return nil
}

// share gives the instances of new rules to every epoch, and those of others to what is replayed.
func (s *stream) share(isNew func(rule int) bool) {
	s.instances = make([]*instances, len(s.learned))
	for r, list := range s.learned {
		switch {
		case list == nil:
		case isNew(r):
			s.instances[r] = list
		default:
			for i := range list.count() {
				s.old = append(s.old, item{int32(r), int32(i)})
			}
		}
	}
}

// descend runs the epochs, from the checkpoint on if there is one.
func (m *model) descend(ctx context.Context, s *stream, t *kind.Training) error {
	start := time.Now()
	source := rand.NewPCG(t.Seed, streamEpochs)
	done, keep := 0, checkpoint.NewKeeper(t)
	state := checkpoint.State{}.With("epoch", checkpoint.Value(&done)).With("random", checkpoint.Random(source)).
		With("pairs", checkpoint.Float64s(m.emb.pairs)).With("relations", checkpoint.Float64s(m.emb.relations))
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	rng := rand.New(source)
	step := &stepper{embedding: m.emb, squared: m.opt.loss == "squared", eta: m.opt.eta, l2: m.opt.l2}
	for done < m.opt.epochs {
		e := done + 1
		if m.opt.decay {
			step.eta = m.opt.eta * float64(m.opt.epochs-e+1) / float64(m.opt.epochs)
		}
		items := s.epoch(rng)
		if len(items) == 0 && len(s.old) == 0 {
			return fmt.Errorf("%w: no fact or instance has a weight", kind.ErrNoData)
		}
		loss, err := s.pass(ctx, step, items)
		if err != nil {
			return err
		}
		p := kind.Progress{Step: e, Of: m.opt.epochs, Objective: loss, HeldOut: math.NaN(),
			Seconds: time.Since(start).Seconds(), Note: fmt.Sprintf("%d items", len(items))}
		if t.Score != nil {
			if p.HeldOut, p.Metric, err = t.Score(ctx, m); err != nil {
				return err
			}
			p.Seconds = time.Since(start).Seconds()
		}
		t.Report(p)
		if math.IsNaN(loss) || math.IsInf(loss, 0) || !m.emb.finite() {
			return fmt.Errorf("the values grew beyond bounds in epoch %d; eta = %v or l2 = %v is too large", e,
				m.opt.eta, m.opt.l2)
		}
		done = e
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	return nil
}

// pass takes one step an item and returns the sum of the losses.
func (s *stream) pass(ctx context.Context, step *stepper, items []item) (float64, error) {
	loss := 0.0
	for n, it := range items {
		if n%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		switch it.rule {
		case ofFact:
			f := &s.know.facts[it.at]
			target := logic.True
			if f.false {
				target = logic.False
			}
			loss += step.fact(f.relation, f.pair, target, f.weight)
		case ofNegative:
			c := s.drawn[it.at]
			loss += step.fact(c.relation, c.pair, logic.False, 1)
		default:
			r := &s.know.rules[it.rule]
			loss += step.instance(r.bound, s.learned[it.rule].at(it.at), r.weight)
		}
	}
	return loss, nil
}
