package lookahead

import (
	"context"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/algo/parse/transition"
)

// trainArcs learns to parse.
func (m *model) trainArcs(ctx context.Context, t *kind.Training) error {
	set, err := m.stateFeatures()
	if err != nil {
		return err
	}
	bank, err := readTrees(ctx, t.On, set, m.opt.labelled)
	if err != nil {
		return err
	}
	bank.notice(t)
	if err := bank.prune(ctx, m.opt.MinCount); err != nil {
		return err
	}
	best, err := m.fit(ctx, t, newArcLearner(m, bank))
	if err != nil {
		return err
	}
	*m = *best
	return nil
}

// arcLearner is the margin perceptron over the actions of a parser, as tagLearner is over labels.
type arcLearner struct {
	m         *model
	bank      *treebank
	actions   []uint32
	w         *weights
	parse     *parsing
	search    searcher
	decisions float64
	right     []int
	wrong     []int
}

func newArcLearner(m *model, b *treebank) *arcLearner {
	l := &arcLearner{m: m, bank: b, actions: b.actions(), w: newWeights(b.alphabet.Len(), len(b.labels)*transition.Moves)}
	l.parse = newParsing(b.alphabet, transition.NewExtractor(b.alphabet, false), l.w, l.actions)
	l.search.p = l.parse
	return l
}

func (l *arcLearner) sentences() int { return len(l.bank.trees) }

func (l *arcLearner) learn(ctx context.Context, i int) (updates int, err error) {
	p, gold := l.parse, &l.bank.trees[i]
	p.extract.Restore(l.bank.values[i])
	for p.init(gold.Len()); !p.sys.Terminal(&p.state); {
		if p.state.Steps()&15 == 15 && ctx.Err() != nil {
			return updates, ctx.Err()
		}
		p.trim()
		a := int(p.sys.Oracle(&p.state, gold))
		if l.decide(a) {
			updates++
			p.memo.clear()
		}
		p.do(a)
	}
	return updates, nil
}

// decide compares the best leaf below the right action, less the margin, with the best other one,
// and updates the weights where it is behind.
func (l *arcLearner) decide(gold int) bool {
	roots := l.search.search(l.m.opt.depth)
	x := l.parse.scores()
	scores := l.parse.byAction(x)
	move := transition.Action(gold).Move()
	top := choice{-1, 0}
	consider := func(c choice) {
		if top.action < 0 || c.score > top.score || c.score == top.score && c.action < top.action {
			top = c
		}
	}
	right, tail := 0.0, []int(nil)
	for _, r := range roots {
		if transition.Action(r.action).Move() != move {
			consider(choice{r.action, r.score + r.tail})
			continue
		}
		right, tail = scores[gold]+r.tail-l.m.opt.margin, r.path
		if c := l.parse.other(scores, gold); c.action >= 0 {
			consider(choice{c.action, c.score + r.tail})
		}
	}
	defer func() { l.decisions++ }()
	if top.action < 0 || top.score < right || top.score == right && gold < top.action {
		return false
	}
	l.right = append(append(l.right[:0], gold), tail...)
	l.wrong = append(l.wrong[:0], top.action)
	if transition.Action(top.action).Move() == move {
		l.right = l.right[:1] // what follows is the same
	} else {
		for _, r := range roots {
			if r.action == top.action {
				l.wrong = append(l.wrong, r.path...)
			}
		}
	}
	l.update(l.right, 1)
	l.update(l.wrong, -1)
	return true
}

// update adds delta to the weights of the features of actions from the present state on.
func (l *arcLearner) update(path []int, delta float64) {
	p := l.parse
	for _, a := range path {
		g := p.set.Signature(&p.state)
		p.keys = p.extract.Keys(&g, p.keys[:0])
		for _, k := range p.keys {
			attr, known := p.alphabet.Find(k)
			switch {
			case known:
			case l.bank.pruned:
				continue
			default:
				attr = p.alphabet.Add(k)
				l.w.Spans = append(l.w.Spans, online.RowSpan{})
			}
			l.w.Move(attr, uint16(a), delta, l.decisions)
		}
		p.do(a)
	}
	for range path {
		p.undo()
	}
}

// model returns the average of the weights so far.
func (l *arcLearner) model() (*model, error) {
	var parts chain.Parts
	l.w.average(&parts, max(1, l.decisions))
	c, err := chain.NewModel(parts)
	if err != nil {
		return nil, err
	}
	now := *l.m
	now.arcs, err = newArcs(l.bank.labels, l.actions, l.bank.root(), l.bank.alphabet, c)
	return &now, err
}
