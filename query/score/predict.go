package score

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

var ExplanationColumns = []plan.Column{
	{Name: "doc", Type: value.Text}, {Name: "sent", Type: value.Integer}, {Name: "tok", Type: value.Integer},
	{Name: "form", Type: value.Text},
	{Name: "outcome", Type: value.Text}, {Name: "runner_up", Type: value.Text}, {Name: "prob", Type: value.Float},
	{Name: "margin", Type: value.Float},
	{Name: "feature", Type: value.Text}, {Name: "value", Type: value.Float}, {Name: "weight", Type: value.Float},
}

// ExplainPrediction lists the features that contribute to decisions of a model, one contribution a row.
func ExplainPrediction(r *exec.Execution, ctx context.Context, s *ast.ExplainPrediction) (*operator.Result, error) {
	m, err := r.Model(s.Model)
	if err != nil {
		return nil, err
	}
	c, err := r.Configure(*m, models.Request{Prob: true})
	if err != nil {
		return nil, err
	}
	place, err := place(r, s, m)
	if err != nil {
		return nil, err
	}
	docs, err := explained(r, ctx, s, m)
	if err != nil {
		return nil, err
	}
	if err := noSuchToken(s, place, docs); err != nil {
		return nil, err
	}
	run := c.Run
	run.Notice = r.NoticeOnce
	x, err := c.Model.Explain(ctx, docs, place, &run)
	if errors.Is(err, kind.ErrNoExplain) {
		return nil, plan.Errorf(s.Pos, plan.CodeFeature, "", "the kind %s explains no prediction%s", m.Kind,
			strings.TrimPrefix(err.Error(), kind.ErrNoExplain.Error()))
	}
	if err != nil {
		return nil, exec.WithNameHint(s.Pos, err, m, c.Schema.Relations)
	}
	var rows [][]value.Value
	for _, d := range x.Decisions {
		head := []value.Value{exec.TextOrNull(d.Doc), exec.IntOrNull(d.Sent), exec.IntOrNull(d.Tok), exec.TextOrNull(d.Form),
			value.Str(d.Outcome), exec.TextOrNull(d.RunnerUp), probability(d.Prob), value.Real(d.Margin)}
		for _, f := range d.Contributions {
			rows = append(rows, append(append([]value.Value{}, head...), value.Str(f.Feature), value.Real(f.Value),
				value.Real(f.Weight)))
		}
		if len(d.Contributions) == 0 {
			rows = append(rows, append(head, value.Value{}, value.Value{}, value.Value{}))
		}
	}
	return operator.TableResult(ExplanationColumns, rows), nil
}

// noSuchToken returns an error if AT names a token that no document has.
func noSuchToken(s *ast.ExplainPrediction, at kind.At, docs []*text.Document) error {
	if at.Tok == 0 || len(docs) == 0 {
		return nil
	}
	for _, d := range docs {
		t := d.Layer(text.Tokens.Name)
		if t == nil {
			continue
		}
		sents, toks := t.Ints("sent"), t.Ints("tok")
		for i := range toks {
			if int(toks[i]) == at.Tok && (at.Sent == 0 || int(sents[i]) == at.Sent) {
				return nil
			}
		}
	}
	where := ""
	if at.Sent != 0 {
		where = fmt.Sprintf(" of sentence %d", at.Sent)
	}
	return plan.Errorf(s.At[len(s.At)-1].Position(), plan.CodeInvalid, "AT sentence, token: numbers from 1",
		"there is no token "+
			"%d%s", at.Tok, where)
}

// probability is NULL if a kind has none.
func probability(p float64) value.Value {
	if math.IsNaN(p) {
		return value.Value{}
	}
	return value.Real(p)
}

// place evaluates AT.
func place(r *exec.Execution, s *ast.ExplainPrediction, m *plan.ModelUse) (kind.At, error) {
	var at kind.At
	var nums []int
	for _, e := range s.At {
		n, err := r.JobNumber(e)
		if err != nil {
			return at, plan.Errorf(e.Position(), plan.CodeType, "AT sentence, token: numbers from 1",
				"the number of a sentence or token is wanted")
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
		args, err := r.Binder().RelationArguments(*s.Relation, m)
		if err != nil {
			return at, err
		}
		for _, x := range args {
			v, err := r.Scalar(x)
			if err != nil {
				return at, err
			}
			at.Args = append(at.Args, v)
		}
		decl := exec.RelationArgs(m.Schema.Relations, at.Relation)
		if i := exec.FirstMissing(decl, at.Args); i >= 0 {
			return at, exec.NullArgument(s.Relation.Pos, at.Relation, decl[i])
		}
	}
	return at, nil
}

// explained returns the documents of FOR with the layers that the model reads.
func explained(r *exec.Execution, ctx context.Context, s *ast.ExplainPrediction,
	m *plan.ModelUse) ([]*text.Document, error) {
	switch {
	case s.Relation != nil:
		return nil, nil
	case s.Text != nil:
		return explainedText(r, ctx, s, m)
	}
	in, err := input.Inputs(r, []ast.Input{*s.Corpus}, nil, m, input.UseOf(&m.Schema, nil, false))
	if err != nil {
		return nil, err
	}
	const most = 100
	var out []*text.Document
	err = in.Each(ctx, func(_, views []*text.Document) bool {
		out = append(out, views...)
		return len(out) < most
	})
	if err == nil && len(out) == 0 {
		err = plan.Errorf(s.Corpus.Pos, "02000", "", "no document is selected")
	}
	return out[:min(len(out), most)], err
}

// explainedText tokenises the text and annotates the layers that the model reads.
func explainedText(r *exec.Execution, ctx context.Context, s *ast.ExplainPrediction,
	m *plan.ModelUse) ([]*text.Document, error) {
	x, err := r.Binder().Constant(s.Text)
	if err != nil {
		return nil, err
	}
	v, err := r.Scalar(x)
	switch {
	case err != nil:
		return nil, expr.ErrorAt(s.Text.Position(), err)
	case v.T != value.Text:
		return nil, plan.Errorf(s.Text.Position(), plan.CodeType, "", "text is wanted here")
	}
	d, err := r.Documents.Make(ctx, "", v.S, r.Tokenizer(m))
	if err != nil {
		return nil, err
	}
	models, err := r.Binder().Supply(s.Pos, m)
	if err != nil {
		return nil, err
	}
	n := &plan.Layer{Models: models}
	a, err := r.Annotator(n, nil)
	if err != nil {
		return nil, err
	}
	return a.Apply(ctx, []*text.Document{d})
}
