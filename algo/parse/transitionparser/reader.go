package transitionparser

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/parse/transition"
)

// corrections are the decisions about a sentence and the mistakes among them.
type corrections struct {
	decisions int
	mistakes  []mistake
	rows      []uint32 // of the mistakes, one after the other
}

// mistake is a wrong outcome that is not behind the right one by the margin.
type mistake struct{ right, wrong uint16 }

func (x *corrections) reset() { x.decisions, x.mistakes, x.rows = 0, x.mistakes[:0], x.rows[:0] }

func (x *corrections) add(rows []uint32, right, wrong int) {
	x.mistakes, x.rows = append(x.mistakes, mistake{uint16(right), uint16(wrong)}), append(x.rows, rows...)
}

// reader finds mistakes in sentences. It belongs to one goroutine and changes no weights.
type reader struct {
	l       *trainer
	state   transition.State
	scratch transition.Scratch
	rows    []uint32
	scores  [transition.Moves]float32
	walk    walk
	pcg     rand.PCG
	rng     *rand.Rand
}

func newReader(l *trainer) *reader {
	r := &reader{l: l, rows: make([]uint32, l.shape.states.Rows())}
	r.rng = rand.New(&r.pcg)
	if l.label != nil {
		r.walk.init(l.shape, len(l.bank.labels))
	}
	return r
}

// moves parses sentence i of the bank. The right move is the best one of the least cost; it is followed,
// or, exploring, the best one. Once ctx ends, so does it.
func (r *reader) moves(ctx context.Context, s *sentence, i uint64, x *corrections) {
	x.reset()
	if !s.moves {
		return
	}
	l := r.l
	r.pcg.Seed(l.seed, i<<32+uint64(l.epoch)+1<<31)
	r.state.Init(s.tree.Len())
	for step := 1; !l.system.Terminal(&r.state); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return
		}
		mask := legal(l.system, &r.state)
		move, _ := best(&r.scores, mask)
		if !single(mask) {
			l.shape.states.State(&r.state, &s.words, &r.scratch, r.rows)
			l.moves.add4(r.rows, &r.scores)
			move = r.decide(s, mask, x)
		}
		l.system.Do(&r.state, transition.NewAction(transition.Move(move), 0))
	}
}

// decide notes a mistake where a costly move is not behind the right one by the margin, and returns the
// move to follow.
func (r *reader) decide(s *sentence, mask uint8, x *corrections) int {
	x.decisions++
	free := r.free(s, mask)
	right, _ := best(&r.scores, free)
	wrong, _ := best(&r.scores, mask&^free)
	if wrong < 0 || r.scores[right] > r.scores[wrong]+float32(r.l.m.opt.margin) {
		return right
	}
	x.add(r.rows, right, wrong)
	r.l.meanwhile(r.l.moves, x)
	if r.l.explore > 0 && r.scores[wrong] >= r.scores[right] && r.rng.Float64() < r.l.explore {
		return wrong
	}
	return right
}

// free returns the moves of the least cost among those of a mask.
func (r *reader) free(s *sentence, mask uint8) (out uint8) {
	if r.l.dynamic == nil {
		return 1 << r.l.system.Oracle(&r.state, &s.tree).Move()
	}
	least := math.MaxInt
	for m := transition.Move(0); m < transition.Moves; m++ {
		if mask>>m&1 == 0 {
			continue
		}
		switch c := r.l.dynamic.Cost(&r.state, &s.tree, m); {
		case c < least:
			least, out = c, 1<<m
		case c == least:
			out |= 1 << m
		}
	}
	return out
}

// labels labels the arcs of a gold tree with the parser's own labels of the arcs before, unless ctx ends.
func (r *reader) labels(ctx context.Context, s *sentence, x *corrections) {
	x.reset()
	l, w := r.l, &r.walk
	r.state.Load(&s.tree)
	for i := range s.tree.Labels {
		r.state.Relabel(int32(i), 0)
	}
	w.begin(&r.state)
	for step := 1; w.next(); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return
		}
		x.decisions++
		right := int(s.tree.Labels[w.dependent])
		l.shape.arcs.Arc(&r.state, &s.words, w.dependent, w.previous, &r.scratch, w.rows)
		l.label.add(w.rows, w.values)
		wrong := w.bestBut(l.bank.ends[w.end()], right)
		if right != 0 && wrong != 0 && w.values[wrong]+float32(l.m.opt.margin) >= w.values[right] {
			x.add(w.rows, right, wrong)
			l.meanwhile(l.label, x)
		}
		if wrong != 0 && (right == 0 || w.values[wrong] > w.values[right]) {
			right = wrong
		}
		r.state.Relabel(w.dependent, uint16(right))
	}
}
