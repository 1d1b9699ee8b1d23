package logicembedding

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain tells what speaks for and against a formula, asked as truth(formula): of one atom the
// coordinates of its pair, times those of its relation; of others their atoms, with the slope of the
// formula by each. A formula with variables is explained by its least true instance.
func (m *model) Explain(ctx context.Context, _ []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != truthRelation.Name || len(at.Args) != 1 || at.Args[0].IsNull() {
		return kind.Explanation{}, kind.ErrNoExplain
	}
	b, err := m.formula(at.Args[0].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	s, err := m.summarise(ctx, b, math.MaxInt)
	if err != nil {
		return kind.Explanation{}, err
	}
	if s.count == 0 {
		return kind.Explanation{}, fmt.Errorf("%s is about a pair that is unknown; the relation pairs lists those that "+
			"are known", b.Rule.Body)
	}
	e := m.evaluator(b)
	truth := m.truth(e.value(s.worst))
	d := kind.Decision{Place: m.instanceText(b, b.Rule.Body, s.worst), Outcome: "true", RunnerUp: "false", Prob: truth,
		Margin: 2*truth - 1}
	if truth < m.opt.threshold {
		d.Outcome, d.RunnerUp, d.Margin = "false", "true", -d.Margin
	}
	if len(b.Tree.Nodes) == 1 && m.emb != nil {
		d.Contributions = m.coordinates(b.Atoms[0].Relation, s.worst[0])
	} else {
		d.Contributions = m.atoms(b, e, s.worst)
	}
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// coordinates are the parts of t − f = Σ_j (R_1j − R_2j)·p_j.
func (m *model) coordinates(relation, pair int32) []kind.Contribution {
	p, r := m.emb.pair(pair), m.emb.relation(relation)
	out := make([]kind.Contribution, len(p))
	for j, x := range p {
		out[j] = kind.Contribution{Feature: fmt.Sprintf("coordinate %d", j+1), Value: x, Weight: r[j] - r[len(p)+j]}
	}
	return out
}

// atoms are the values t − f of the atoms with the sums of their slopes.
func (m *model) atoms(b *logic.Bound, e *evaluator, pairs []int32) []kind.Contribution {
	out := make([]kind.Contribution, len(b.Atoms))
	for i, a := range b.Tree.Atoms {
		out[i] = kind.Contribution{Feature: m.instanceText(b, a, pairs), Value: e.values[i][0] - e.values[i][1]}
	}
	for i, s := range b.Tree.Slopes(e.nodes) {
		if a := b.Tree.Nodes[i].Atom; a >= 0 {
			out[a].Weight += s
		}
	}
	return out
}
