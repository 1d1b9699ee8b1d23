package engine

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/check"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// checkStatement is the table that CHECK CORPUS shows: check(corpus) without the number of findings.
func checkStatement(o *catalog.Object, with []ast.Option) *plan.Relation {
	f := relation.CheckFunction.CorpusFunction
	f.Columns = f.Columns[:len(f.Columns)-1]
	return bind.CorpusRelation(f, o, with)
}

// check runs CHECK CORPUS, which lists suspicious documents, or CHECK DATABASE, which verifies the file.
func (r *execution) check(ctx context.Context, s *ast.Check) (*operator.Result, error) {
	if s.Corpus == "" {
		return r.checkDatabase(ctx)
	}
	o, err := change.ObjectOf(r.Execution, s.Pos, s.Corpus, catalog.CorpusObject)
	if err != nil {
		return nil, err
	}
	n := checkStatement(o, s.With)
	op, err := relation.CheckCorpus(r.Execution, n)
	if err != nil {
		return nil, err
	}
	return &operator.Result{Columns: n.Columns(), Rows: op}, nil
}

func (r *execution) checkDatabase(ctx context.Context) (*operator.Result, error) {
	var found []string
	if err := r.Store.CheckDatabase(ctx, func(msg string) { found = append(found, msg) }); err != nil &&
		(len(found) == 0 || fault.IsCancel(err)) {
		return nil, err
	}
	if len(found) > 0 {
		return nil, &ast.Error{Code: "XX001", Msg: fmt.Sprintf("%d faults: %s", len(found), strings.Join(found, "; ")),
			Hint: "restore a backup, or COPY what can be read into a new database"}
	}
	return operator.Tag("CHECK ok"), nil
}

// checkRows lists the rules of CHECK CORPUS.
func checkRows(*execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, c := range check.Rules() {
		out = append(out, []value.Value{value.Str(c.Name), value.Str(string(c.Severity)), value.Str(c.About),
			value.Str(c.Doc)})
	}
	return out, nil
}
