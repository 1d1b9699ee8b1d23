package transitionparser

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"parlance/algo/kind"
	"parlance/algo/transition"
)

// The largest tables that are chosen without being asked for, and rows a token.
const (
	autoBits       = 21
	autoLabelBits  = 17
	rowsPerToken   = 8
	labelsPerToken = 1
)

// tableBits are the bits of a table with so many rows at least, up to a limit.
func tableBits(rows, limit int) int { return max(8, min(limit, bits.Len(uint(max(1, rows)-1)))) }

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	l, err := newTrainer(ctx, m, t)
	if err != nil {
		return err
	}
	best, err := l.fit(ctx, t)
	if err != nil {
		return err
	}
	if err := l.finish(ctx, t.On, best); err != nil {
		return err
	}
	m.trained = best
	return nil
}

// trainer learns moves and labels from trees.
type trainer struct {
	m       *model
	bank    *bank
	shape   *shape
	system  transition.System
	dynamic transition.Dynamic // nil with the static oracle
	moves   *learner
	label   *learner // nil without labels
	state   transition.State
	scratch transition.Scratch
	rows    []uint32
	scores  [transition.Moves]float32
	walk    walk
	explore float64 // of this epoch
	rng     *rand.Rand
}

func newTrainer(ctx context.Context, m *model, t *kind.Training) (*trainer, error) {
	states, arcs, err := m.sets()
	if err != nil {
		return nil, err
	}
	columns := columnsOf(states, arcs)
	b, err := read(ctx, t.On, columns, m)
	if err != nil {
		return nil, err
	}
	b.notice(t, m)
	if len(b.labels) == 1 {
		arcs = nil
	}
	l := &trainer{m: m, bank: b, system: system(m.opt.system), dynamic: m.costs()}
	size, labelSize := m.opt.bits, m.opt.labelBits
	if size == 0 {
		size = tableBits(rowsPerToken*b.tokens, autoBits)
	}
	if labelSize == 0 {
		labelSize = tableBits(labelsPerToken*b.tokens, autoLabelBits)
	}
	if l.shape, err = newShape(states, arcs, columns, size, labelSize); err != nil {
		return nil, err
	}
	l.init(arcs != nil)
	return l, nil
}

func (l *trainer) init(labels bool) {
	l.moves, l.rows = newLearner(l.shape.Bits, transition.Moves), make([]uint32, l.shape.states.Rows())
	if labels {
		l.label = newLearner(l.shape.LabelBits, len(l.bank.labels))
		l.walk.init(l.shape, len(l.bank.labels))
	}
}

// fit runs the epochs, each over the sentences in an order drawn from the seed and the epoch, and
// returns the last parser, or the best on held-out documents.
func (l *trainer) fit(ctx context.Context, t *kind.Training) (*trained, error) {
	var kept *trained
	top, stale := math.Inf(-1), 0
	started := time.Now()
	order := make([]int, len(l.bank.sentences))
	for epoch := 1; epoch <= l.m.opt.epochs; epoch++ {
		l.rng = rand.New(rand.NewPCG(t.Seed, uint64(epoch)))
		if err := l.pass(ctx, order, epoch); err != nil {
			return nil, err
		}
		p := kind.Progress{Step: epoch, Of: l.m.opt.epochs, Objective: float64(l.updates()), HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(), Note: fmt.Sprintf("epoch, %d updates", l.updates())}
		if t.Score == nil {
			t.Report(p)
			if l.updates() == 0 { // nor will there be any
				break
			}
			continue
		}
		now, err := l.score(ctx, t, &p)
		if err != nil {
			return nil, err
		}
		t.Report(p)
		if stale++; kept == nil || p.HeldOut > top {
			kept, top, stale = now, p.HeldOut, 0
		}
		if l.m.opt.patience > 0 && stale >= l.m.opt.patience {
			break
		}
	}
	if kept != nil {
		return kept, nil
	}
	return l.average(), nil
}

// score asks for the held-out score of the parser as it stands.
func (l *trainer) score(ctx context.Context, t *kind.Training, p *kind.Progress) (now *trained, err error) {
	now = l.average()
	m := &model{opt: l.m.opt, trained: now}
	p.HeldOut, p.Metric, err = t.Score(ctx, m)
	return now, err
}

// updates counts those of an epoch.
func (l *trainer) updates() int {
	if l.label == nil {
		return l.moves.updates
	}
	return l.moves.updates + l.label.updates
}

// average returns the parser of the averages so far.
func (l *trainer) average() *trained {
	out := &trained{shape: l.shape, system: l.system, labels: l.bank.labels, ends: l.bank.ends, moves: l.moves.average(), unit: [2]float64{1, 1}}
	out.lifting, _ = l.m.lift()
	if l.label != nil {
		out.label = l.label.average()
	}
	out.prepare()
	return out
}

// pass is one epoch.
func (l *trainer) pass(ctx context.Context, order []int, epoch int) error {
	for i := range order {
		order[i] = i
	}
	l.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	l.explore = 0
	if l.dynamic != nil && epoch > l.m.opt.exploreAfter {
		l.explore = l.m.opt.explore
	}
	l.moves.updates = 0
	if l.label != nil {
		l.label.updates = 0
	}
	for k, i := range order {
		if k&15 == 15 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := &l.bank.sentences[i]
		if s.moves {
			if err := l.learnMoves(ctx, s); err != nil {
				return err
			}
		}
		if l.label != nil {
			if err := l.learnLabels(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// learnMoves parses a sentence. The right move is the best one of the least cost; it is followed, or,
// exploring, the best one.
func (l *trainer) learnMoves(ctx context.Context, s *sentence) error {
	l.state.Init(s.tree.Len())
	for step := 1; !l.system.Terminal(&l.state); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		mask := legal(l.system, &l.state)
		if single(mask) {
			move, _ := best(&l.scores, mask)
			l.system.Do(&l.state, transition.NewAction(transition.Move(move), 0))
			continue
		}
		l.shape.states.State(&l.state, &s.words, &l.scratch, l.rows)
		l.moves.add4(l.rows, &l.scores)
		l.system.Do(&l.state, transition.NewAction(transition.Move(l.decide(s, mask)), 0))
	}
	return nil
}

// decide updates the weights where a costly move is not behind the right one by the margin, and returns
// the move to follow.
func (l *trainer) decide(s *sentence, mask uint8) int {
	l.moves.decisions++
	free := l.free(s, mask)
	right, _ := best(&l.scores, free)
	wrong, _ := best(&l.scores, mask&^free)
	if wrong < 0 || l.scores[right] > l.scores[wrong]+float32(l.m.opt.margin) {
		return right
	}
	l.moves.update(l.rows, right, wrong)
	if l.explore > 0 && l.scores[wrong] >= l.scores[right] && l.rng.Float64() < l.explore {
		return wrong
	}
	return right
}

// free returns the moves of the least cost among those of a mask.
func (l *trainer) free(s *sentence, mask uint8) (out uint8) {
	if l.dynamic == nil {
		return 1 << l.system.Oracle(&l.state, &s.tree).Move()
	}
	least := math.MaxInt
	for m := transition.Move(0); m < transition.Moves; m++ {
		if mask>>m&1 == 0 {
			continue
		}
		switch c := l.dynamic.Cost(&l.state, &s.tree, m); {
		case c < least:
			least, out = c, 1<<m
		case c == least:
			out |= 1 << m
		}
	}
	return out
}

// learnLabels labels the arcs of a gold tree with the parser's own labels of the arcs before.
func (l *trainer) learnLabels(ctx context.Context, s *sentence) error {
	l.state.Load(&s.tree)
	for i := range s.tree.Labels {
		l.state.Relabel(int32(i), 0)
	}
	w := &l.walk
	w.begin(&l.state)
	for step := 1; w.next(); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l.label.decisions++
		right := int(s.tree.Labels[w.dependent])
		l.shape.arcs.Arc(&l.state, &s.words, w.dependent, w.previous, &l.scratch, w.rows)
		l.label.add(w.rows, w.values)
		wrong := w.bestBut(l.bank.ends[w.end()], right)
		if right != 0 && wrong != 0 && w.values[wrong]+float32(l.m.opt.margin) >= w.values[right] {
			l.label.update(w.rows, right, wrong)
		}
		if wrong != 0 && (right == 0 || w.values[wrong] > w.values[right]) {
			right = wrong
		}
		l.state.Relabel(w.dependent, uint16(right))
	}
	return nil
}
