package argumentrecognizer

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
	"parlance/algo/parse/treesvm"
	"parlance/storage/value"
)

var subtreeRelation = kind.Relation{Name: "subtrees",
	Doc: "shared subtrees that speak most for or against an argument (label " +
		"ARG), and a role, those of the largest weights first; 0 marks the predicate, 1 the argument", Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "ARG, or a role"},
		{Name: "subtree", Type: value.Text,
			Doc: "in brackets; one of the smallest of those that occur in the same trees equally often"},
		{Name: "weight", Type: value.Float,
			Doc: "what an occurrence adds to the score, before the division by the kernel of the " +
				"tree with itself; where several occur in the same trees, together"},
		{Name: "support", Type: value.Integer, Doc: "support vectors that have it"},
		{Name: "subtrees", Type: value.Integer, Doc: "how many occur in the same trees equally often"}}}

// anyArgument is the label of the machine that finds arguments.
const anyArgument = "ARG"

// list finds the subtrees of the relation.
func (m *model) list(ctx context.Context, t *kind.Training) error {
	m.subtrees = nil
	o := treesvm.Listing{Size: m.opt.shown, Searches: m.opt.searches, Kept: m.opt.kept, Normal: true}
	for i, v := range []*treesvm.Vectors{m.vectors, m.roles} {
		if v == nil {
			continue
		}
		list, err := v.Subtrees(ctx, []treekernel.Kernel{m.kernel, m.roleKernel}[i], o)
		if errors.Is(err, treesvm.ErrMany) {
			t.Notice(fmt.Sprintf("the relation subtrees is empty, for there are more than %d; a smaller subtree_size makes it",
				o.Searches))
			m.subtrees = nil
			return nil
		}
		if err != nil {
			return err
		}
		for _, s := range list {
			s.Class += i
			m.subtrees = append(m.subtrees, s)
		}
	}
	return nil
}

// Open opens the subtrees.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if name != subtreeRelation.Name {
		return nil, kind.ErrNoRelation
	}
	return kind.RowsOf(subtreeRelation, func(yield func([]value.Value) bool) {
		for _, x := range m.subtrees {
			label := anyArgument
			if x.Class > 0 {
				label = m.labels[x.Class-1]
			}
			if !yield([]value.Value{value.Str(label), value.Str(x.Text), value.Real(x.Weight), value.Int(int64(x.Support)),
				value.Int(int64(x.Subtrees))}) {
				return
			}
		}
	}), nil
}
