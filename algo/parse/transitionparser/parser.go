package transitionparser

import (
	"context"
	"math"

	"parlance/algo/parse/transition"
	"parlance/algo/text"
)

// parser analyses one sentence after the other. It belongs to one goroutine.
type parser struct {
	m       *trained
	state   transition.State
	words   *transition.Words
	scratch transition.Scratch
	rows    []uint32 // of a state
	scores  [transition.Moves]float32
	walk    walk
	prob    []float64 // of what attached a token
}

func newParser(m *trained) *parser {
	p := &parser{m: m, words: transition.NewWords(m.Columns), rows: make([]uint32, m.states.Rows())}
	if m.arcs != nil {
		p.walk.init(m.shape, len(m.labels))
	}
	return p
}

// legal returns the possible moves as bits.
func legal(sys transition.System, s *transition.State) (mask uint8) {
	for m := transition.Move(0); m < transition.Moves; m++ {
		if sys.Legal(s, m) {
			mask |= 1 << m
		}
	}
	return mask
}

// best returns the move of the highest score among those of a mask, the first of equals; second is the
// next one, -1 if there is none.
func best(scores *[transition.Moves]float32, mask uint8) (first, second int) {
	first, second = -1, -1
	for k, v := range scores {
		switch {
		case mask>>k&1 == 0:
		case first < 0 || v > scores[first]:
			first, second = k, first
		case second < 0 || v > scores[second]:
			second = k
		}
	}
	return first, second
}

// single tells whether a mask has one move only.
func single(mask uint8) bool { return mask&(mask-1) == 0 }

// seer sees every choice of a parse before it is made: one among moves, and the label of an arc among
// those that it may have.
type seer interface {
	move(mask uint8, move int)
	label(among []uint32, label int)
}

// parse analyses the rows [from, to) of tokens, setting p.prob if asked; see may be nil.
func (p *parser) parse(ctx context.Context, toks *text.Layer, from, to int, prob bool, see seer) error {
	p.words.Load(toks, from, to)
	p.state.Init(to - from)
	if prob {
		p.certain(to - from)
	}
	sys := p.m.system
	for step := 1; !sys.Terminal(&p.state); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		mask := legal(sys, &p.state)
		move, _ := best(&p.scores, mask)
		if !single(mask) {
			p.m.states.State(&p.state, p.words, &p.scratch, p.rows)
			p.m.moves.add4(p.rows, &p.scores)
			if move, _ = best(&p.scores, mask); see != nil {
				see.move(mask, move)
			}
			if prob {
				p.prob[p.subject(move)] *= p.share(mask, move)
			}
		}
		sys.Do(&p.state, transition.NewAction(transition.Move(move), 0))
	}
	if p.m.label != nil {
		return p.relations(ctx, prob, see)
	}
	return nil
}

// certain sets probabilities to 1.
func (p *parser) certain(n int) {
	p.prob = p.prob[:0]
	for range n + 1 {
		p.prob = append(p.prob, 1)
	}
}

// relations labels the arcs of the tree.
func (p *parser) relations(ctx context.Context, prob bool, see seer) error {
	w := &p.walk
	w.begin(&p.state)
	for step := 1; w.next(); step++ {
		if step&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p.m.arcs.Arc(&p.state, p.words, w.dependent, w.previous, &p.scratch, w.rows)
		p.m.label.add(w.rows, w.values)
		among := p.m.ends[w.end()]
		y := w.best(among)
		if see != nil {
			see.label(among, y)
		}
		p.state.Relabel(w.dependent, uint16(y))
		if prob {
			p.prob[w.dependent] *= w.share(among, y, p.m.unit[1]*p.m.temperature)
		}
	}
	return nil
}

// subject is the token that a move attaches, 0 if it attaches none.
func (p *parser) subject(move int) int32 {
	switch m := transition.Move(move); {
	case m == transition.Left && p.m.system.Name() == "arc_standard":
		return p.state.Stack(1)
	case m == transition.Left:
		return p.state.Stack(0)
	case m == transition.Right && p.m.system.Name() == "arc_eager":
		return p.state.Buffer(0)
	case m == transition.Right:
		return p.state.Stack(0)
	}
	return 0
}

// share is the probability of a move among the possible ones: the softmax of the scores in units of
// the mean distance of the best two in training, divided by the temperature.
func (p *parser) share(mask uint8, move int) float64 {
	unit, sum := p.m.unit[0]*p.m.temperature, 0.0
	for k, v := range p.scores {
		if mask>>k&1 != 0 {
			sum += math.Exp(float64(v-p.scores[move]) / unit)
		}
	}
	return 1 / sum
}
