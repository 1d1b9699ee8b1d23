package transitionparser

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/numeric/pool"
	"parlance/algo/parse/transition"
)

// The largest tables that are chosen without being asked for, and rows a token.
const (
	autoBits       = 21
	autoLabelBits  = 17
	rowsPerToken   = 8
	labelsPerToken = 1
)

// tableBits are the bits of a table with n rows at least, up to a limit.
func tableBits(rows, limit int) int { return max(8, min(limit, bits.Len(uint(max(1, rows)-1)))) }

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	l, err := newTrainer(ctx, m, t)
	if err != nil {
		return err
	}
	defer l.pool.Close()
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
	m           *model
	bank        *bank
	shape       *shape
	system      transition.System
	dynamic     transition.Dynamic // nil with the static oracle
	moves       *learner
	label       *learner // nil without labels
	seed        uint64
	epoch       int
	explore     float64 // of this epoch
	readers     []*reader
	pool        *pool.Pool       // of as many workers
	size        int              // sentences of a batch
	turn        []int            // those of a batch, the longest first
	corrections [2][]corrections // of moves and of labels, by sentence of the batch
}

// newTrainer reads the trees. Who is done with it closes its pool.
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
	l := &trainer{m: m, bank: b, system: system(m.opt.system), dynamic: m.costs(), seed: t.Seed}
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
	l.init(arcs != nil, max(1, t.Workers))
	return l, nil
}

func (l *trainer) init(labels bool, workers int) {
	l.moves = newLearner(l.shape.Bits, transition.Moves)
	if labels {
		l.label = newLearner(l.shape.LabelBits, len(l.bank.labels))
	}
	for range workers {
		l.readers = append(l.readers, newReader(l))
	}
	l.pool = pool.New(workers)
	l.batches(batchOf(len(l.bank.sentences)))
}

// fit runs the epochs, each over the sentences in an order drawn from the seed and the epoch, and
// returns the last parser, or the best on held-out documents.
func (l *trainer) fit(ctx context.Context, t *kind.Training) (*trained, error) {
	best := checkpoint.Best{New: func() kind.Model { return &model{opt: l.m.opt} }}
	state, keep := l.state(&best), checkpoint.NewKeeper(t)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return nil, err
		}
	}
	started := time.Now()
	order := make([]int, len(l.bank.sentences))
	for l.epoch < l.m.opt.epochs {
		if err := l.pass(ctx, order, l.epoch+1); err != nil {
			return nil, err
		}
		p := kind.Progress{Step: l.epoch, Of: l.m.opt.epochs, Objective: float64(l.updates()), HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(), Note: fmt.Sprintf("epoch, %d updates", l.updates())}
		more := t.Score != nil || l.updates() > 0 // else nor will there be any
		if t.Score != nil {
			now, err := l.score(ctx, t, &p)
			if err != nil {
				return nil, err
			}
			best.Better(now, p.HeldOut, l.epoch)
			more = l.m.opt.patience == 0 || best.Stale < l.m.opt.patience
		}
		t.Report(p)
		if !more {
			break
		}
		if err := keep.Save(state.Write); err != nil {
			return nil, err
		}
	}
	if kept, ok := best.Model.(*model); ok {
		return kept.trained, nil
	}
	return l.average(), nil
}

// state is what a training goes on from between two epochs.
func (l *trainer) state(best *checkpoint.Best) checkpoint.State {
	s := checkpoint.State{}.With("epoch", checkpoint.Value(&l.epoch)).With("best", best)
	s = append(s, l.moves.state("moves")...)
	if l.label != nil {
		s = append(s, l.label.state("labels")...)
	}
	return s
}

// score asks for the held-out score of the parser as it stands.
func (l *trainer) score(ctx context.Context, t *kind.Training, p *kind.Progress) (now *model, err error) {
	now = &model{opt: l.m.opt, trained: l.average()}
	p.HeldOut, p.Metric, err = t.Score(ctx, now)
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
	out := &trained{shape: l.shape, system: l.system, labels: l.bank.labels, ends: l.bank.ends,
		moves: l.moves.average(l.pool), unit: [2]float64{1, 1}}
	out.lifting, _ = l.m.lift()
	if l.label != nil {
		out.label = l.label.average(l.pool)
	}
	out.prepare()
	return out
}
