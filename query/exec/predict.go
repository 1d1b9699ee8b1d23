package exec

import (
	"context"
	"errors"
	"math"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

var explanationColumns = []plan.Column{
	{Name: "doc", Type: value.Text}, {Name: "sent", Type: value.Integer}, {Name: "tok", Type: value.Integer}, {Name: "form", Type: value.Text},
	{Name: "outcome", Type: value.Text}, {Name: "runner_up", Type: value.Text}, {Name: "prob", Type: value.Float}, {Name: "margin", Type: value.Float},
	{Name: "feature", Type: value.Text}, {Name: "value", Type: value.Float}, {Name: "weight", Type: value.Float},
}

// explainPrediction lists the features behind decisions, a row a contribution.
func (r *run) explainPrediction(ctx context.Context, s *ast.ExplainPrediction) (*Result, error) {
	m, err := r.Model(s.Model)
	if err != nil {
		return nil, err
	}
	c, err := r.configure(*m, request{prob: true})
	if err != nil {
		return nil, err
	}
	place, err := r.place(s, m)
	if err != nil {
		return nil, err
	}
	docs, err := r.explained(ctx, s, m)
	if err != nil {
		return nil, err
	}
	run := c.run
	run.Notice = r.tell
	x, err := c.model.Explain(ctx, docs, place, &run)
	if errors.Is(err, kind.ErrNoExplain) {
		return nil, plan.Errorf(s.Pos, plan.CodeFeature, "", "the kind %s explains no prediction%s", m.Kind, strings.TrimPrefix(err.Error(), kind.ErrNoExplain.Error()))
	}
	if err != nil {
		return nil, hinted(s.Pos, err, m, c.schema.Relations)
	}
	var rows [][]value.Value
	for _, d := range x.Decisions {
		head := []value.Value{optional(d.Doc), whole(d.Sent), whole(d.Tok), optional(d.Form), value.Str(d.Outcome), optional(d.RunnerUp), probability(d.Prob), value.Real(d.Margin)}
		for _, f := range d.Contributions {
			rows = append(rows, append(append([]value.Value{}, head...), value.Str(f.Feature), value.Real(f.Value), value.Real(f.Weight)))
		}
		if len(d.Contributions) == 0 {
			rows = append(rows, append(head, value.Value{}, value.Value{}, value.Value{}))
		}
	}
	return tableResult(explanationColumns, rows), nil
}

func optional(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

// probability is NULL where a kind has none.
func probability(p float64) value.Value {
	if math.IsNaN(p) {
		return value.Value{}
	}
	return value.Real(p)
}

func whole(n int) value.Value {
	if n == 0 {
		return value.Value{}
	}
	return value.Int(int64(n))
}

// place evaluates AT.
func (r *run) place(s *ast.ExplainPrediction, m *plan.ModelUse) (kind.At, error) {
	var at kind.At
	var nums []int
	for _, e := range s.At {
		n, err := r.number(e)
		if err != nil {
			return at, plan.Errorf(e.Position(), plan.CodeType, "AT sentence, token: numbers from 1", "the number of a sentence or token is wanted")
		}
		nums = append(nums, int(n))
	}
	switch len(nums) {
	case 1:
		at.Tok = nums[0]
	case 2:
		at.Sent, at.Tok = nums[0], nums[1]
	}
	if s.Relation != nil {
		at.Relation = s.Relation.Name
		args, err := r.binder().RelationArguments(*s.Relation, m)
		if err != nil {
			return at, err
		}
		for _, x := range args {
			v, err := r.scalar(x)
			if err != nil {
				return at, err
			}
			at.Args = append(at.Args, v)
		}
		decl := relationArgs(m.Schema.Relations, at.Relation)
		if i := missing(decl, at.Args); i >= 0 {
			return at, nullArgument(s.Relation.Pos, at.Relation, decl[i])
		}
	}
	return at, nil
}

// nullArgument refuses NULL where a relation needs a value.
func nullArgument(pos ast.Pos, relation string, a kind.Arg) error {
	return plan.Errorf(pos, plan.CodeInvalid, "", "argument %s of %s is NULL", a.Name, relation)
}

// relationArgs are the arguments that a relation of a kind declares.
func relationArgs(list []kind.Relation, name string) []kind.Arg {
	for _, rel := range list {
		if rel.Name == name {
			return rel.Args
		}
	}
	return nil
}

// explained returns the documents of FOR with the layers that the model reads.
func (r *run) explained(ctx context.Context, s *ast.ExplainPrediction, m *plan.ModelUse) ([]*text.Document, error) {
	switch {
	case s.Relation != nil:
		return nil, nil
	case s.Text != nil:
		return r.explainedText(ctx, s, m)
	}
	in, err := r.inputs([]ast.Input{*s.Corpus}, nil, m, useOf(&m.Schema, nil, false))
	if err != nil {
		return nil, err
	}
	const most = 100
	var out []*text.Document
	err = in.each(ctx, func(_, views []*text.Document) bool {
		out = append(out, views...)
		return len(out) < most
	})
	if err == nil && len(out) == 0 {
		err = plan.Errorf(s.Corpus.Pos, "02000", "", "no document is selected")
	}
	return out[:min(len(out), most)], err
}

// explainedText cuts the text and annotates what the model reads.
func (r *run) explainedText(ctx context.Context, s *ast.ExplainPrediction, m *plan.ModelUse) ([]*text.Document, error) {
	x, err := r.binder().Constant(s.Text)
	if err != nil {
		return nil, err
	}
	v, err := r.scalar(x)
	if err != nil || v.T != value.Text {
		return nil, plan.Errorf(s.Text.Position(), plan.CodeType, "", "text is wanted here")
	}
	d, err := r.cut(ctx, "", v.S, r.Tokenizer(m))
	if err != nil {
		return nil, err
	}
	models, err := r.binder().Supply(s.Pos, m)
	if err != nil {
		return nil, err
	}
	n := &plan.Layer{Models: models}
	a, err := r.annotators(n)
	if err != nil {
		return nil, err
	}
	return a.apply(ctx, []*text.Document{d})
}

// relation opens a relation of a model or a table of the catalog.
func (r *run) relation(n *plan.Relation) (Operator, error) {
	args := make([]value.Value, len(n.Args))
	for i, a := range n.Args {
		v, err := r.scalar(a)
		if err != nil {
			return nil, expr.Evaluated(ast.Pos{}, err)
		}
		args[i] = v
	}
	if n.Corpus != nil {
		return r.corpusFunction(n, args)
	}
	if n.Rows {
		return r.rowFunction(n, args)
	}
	if n.Function {
		return r.features(n, args[0])
	}
	if n.Model == nil {
		return r.system(n)
	}
	if t := ownRelation(n.Rel); t != nil {
		if len(n.Options) > 0 {
			return nil, plan.Errorf(n.Options[0].Pos, plan.CodeWrongKind, "", "%s takes no options", n.Name)
		}
		rows, err := t.rows(r, n.Model)
		if err != nil {
			return nil, err
		}
		return newRows(n.Columns(), rows), nil
	}
	return r.modelRelation(n, args)
}

// modelRelation opens a relation of the kind of a model. An argument that a row of another table gives and
// that is NULL makes it empty where the relation needs it.
func (r *run) modelRelation(n *plan.Relation, args []value.Value) (Operator, error) {
	opts, err := options(n.Options, r.env)
	if err != nil {
		return nil, err
	}
	c, err := r.configure(*n.Model, request{options: opts, only: true})
	if err != nil {
		return nil, optionError(err, n.Options)
	}
	decl := relationArgs(c.schema.Relations, n.Rel)
	if i := missing(decl, args); i >= 0 {
		if fromRow(n.Args[i]) {
			return newRows(n.Columns(), nil), nil
		}
		return nil, nullArgument(n.Pos, n.Rel, decl[i])
	}
	run := c.run
	run.Notice = r.tell
	if run.Prefix, err = r.beginning(n); err != nil {
		return nil, err
	}
	return &relationRows{open: func(ctx context.Context) (kind.Rows, error) {
		rows, err := c.open(ctx, n.Rel, args, &run)
		if nameless(err, n.Args, args) {
			return emptyRelation{}, nil
		}
		return rows, hinted(n.Pos, err, n.Model, c.schema.Relations)
	}}, nil
}

// beginning is what the texts begin with that a condition on a relation lets through, "" without such a condition.
func (r *run) beginning(n *plan.Relation) (string, error) {
	x, pattern := n.Beginning()
	if x == nil {
		return "", nil
	}
	v, err := r.scalar(x)
	if err != nil {
		return "", expr.Evaluated(ast.Pos{}, err)
	}
	switch {
	case v.IsNull():
		return "", nil
	case pattern:
		return expr.LikePrefix(v.String()), nil
	}
	return v.String(), nil
}

// relationRows opens the relation at the first batch.
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
