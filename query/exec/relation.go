package exec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/value"
)

// relation makes the operator of what stands in FROM and is neither a layer nor a table: a table of the catalog, a
// table function, a relation of a model.
func (r *Execution) relation(n *plan.Relation) (operator.Operator, error) {
	args := make([]value.Value, len(n.Args))
	for i, a := range n.Args {
		v, err := r.Scalar(a)
		if err != nil {
			return nil, expr.ErrorAt(ast.Pos{}, err)
		}
		args[i] = v
	}
	if n.Model == nil && n.Corpus == nil && !n.Rows && !n.Function {
		return r.Host.OpenSystem(r, n)
	}
	if op, ok, err := r.Sources.Open(r, n, args); ok || err != nil {
		return op, err
	}
	return r.modelRelation(n, args)
}

// modelRelation opens a relation that the kind of a model declares. It is empty if a row of another table gives NULL
// for an argument that it needs.
func (r *Execution) modelRelation(n *plan.Relation, args []value.Value) (operator.Operator, error) {
	opts, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	c, err := r.Configure(*n.Model, models.Request{Options: opts, Only: true})
	if err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	decl := RelationArgs(c.Schema.Relations, n.Rel)
	if i := FirstMissing(decl, args); i >= 0 {
		if fromRow(n.Args[i]) {
			return operator.NewRows(n.Columns(), nil), nil
		}
		return nil, NullArgument(n.Pos, n.Rel, decl[i])
	}
	run := c.Run
	run.Notice, run.Limit = r.NoticeOnce, n.Limit
	if run.Prefix, err = r.textPrefix(n); err != nil {
		return nil, err
	}
	return &relationRows{open: func(ctx context.Context) (kind.Rows, error) {
		rows, err := c.Open(ctx, n.Rel, args, &run)
		if unknownInRow(err, n.Args, args) {
			return emptyRelation{}, nil
		}
		return rows, WithNameHint(n.Pos, err, n.Model, c.Schema.Relations)
	}}, nil
}

// RelationNote is what EXPLAIN adds to the line of a relation whose kind estimates the work. Its arguments must be
// constants.
func (r *Execution) RelationNote(n plan.Node) string {
	rel, ok := n.(*plan.Relation)
	own := func(x kind.Relation) bool { return ok && strings.EqualFold(x.Name, rel.Rel) }
	if !ok || rel.Model == nil || slices.ContainsFunc(r.Catalog.Declared.ModelRelations, own) {
		return ""
	}
	args := make([]value.Value, len(rel.Args))
	for i, a := range rel.Args {
		c, ok := a.(*expr.Const)
		if !ok {
			return ""
		}
		args[i] = c.V
	}
	l, err := r.Fetch(rel.Model.Name, rel.Model.Version)
	if err != nil {
		return ""
	}
	if m, ok := l.Model.(kind.Estimated); ok {
		if count, what := m.Estimate(rel.Rel, args); count > 0 {
			return fmt.Sprintf("  estimated %s=%d", what, count)
		}
	}
	return ""
}

// textPrefix is how texts begin that a condition on a relation lets through, "" without such a condition.
func (r *Execution) textPrefix(n *plan.Relation) (string, error) {
	x, pattern := n.PrefixValue()
	if x == nil {
		return "", nil
	}
	v, err := r.Scalar(x)
	if err != nil {
		return "", expr.ErrorAt(ast.Pos{}, err)
	}
	switch {
	case v.IsNull():
		return "", nil
	case pattern:
		return expr.LikePrefix(v.String()), nil
	}
	return v.String(), nil
}

// relationRows reads a relation, which it opens when the first batch is asked for.
type relationRows struct {
	open func(context.Context) (kind.Rows, error)
	rows kind.Rows
}

func (o *relationRows) Next(ctx context.Context) (*value.Batch, error) {
	if o.rows == nil {
		rows, err := o.open(ctx)
		if err != nil {
			return nil, err
		}
		o.rows = rows
	}
	return o.rows.Next(ctx)
}

func (o *relationRows) Close() error {
	if o.rows == nil {
		return nil
	}
	return o.rows.Close()
}

// NullArgument refuses NULL where a relation needs a value.
func NullArgument(pos ast.Pos, relation string, a kind.Arg) error {
	return plan.Errorf(pos, plan.CodeInvalid, "", "argument %s of %s is NULL", a.Name, relation)
}

// RelationArgs are the arguments that a relation of a kind declares.
func RelationArgs(list []kind.Relation, name string) []kind.Arg {
	for _, rel := range list {
		if rel.Name == name {
			return rel.Args
		}
	}
	return nil
}
