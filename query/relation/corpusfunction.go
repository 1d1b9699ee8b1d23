package relation

import (
	"context"

	"parlance/algo/option"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// corpusFunction is a table function over a corpus.
type corpusFunction struct {
	bind.CorpusFunction
	options func() *option.Set
	open    func(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error)
}

// corpusFunctions lists them.
func corpusFunctions() []corpusFunction {
	return []corpusFunction{CheckFunction, placeFunction, tokenFunction, pairFunction}
}

// CorpusFunctions returns the table functions over a corpus, for the reference.
func CorpusFunctions() []bind.CorpusFunction {
	var out []bind.CorpusFunction
	for _, f := range corpusFunctions() {
		out = append(out, f.CorpusFunction)
	}
	return out
}

// CorpusFunctionOptions returns the options of a table function over a corpus.
func CorpusFunctionOptions(name string) []*option.Set {
	for _, f := range corpusFunctions() {
		if f.Name == name {
			return []*option.Set{f.options()}
		}
	}
	return nil
}

// openCorpusFunction opens a table function over a corpus.
func openCorpusFunction(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error) {
	for _, f := range corpusFunctions() {
		if f.Name == n.Rel {
			return f.open(r, n, args)
		}
	}
	return nil, fault.New(plan.CodeUndefinedFunction, "there is no table function %s", n.Rel)
}

// lazyRows yields rows that are computed at the first batch.
type lazyRows struct {
	columns []plan.Column
	rows    func(ctx context.Context) ([][]value.Value, error)
	out     *operator.Rows
}

func (o *lazyRows) Next(ctx context.Context) (*value.Batch, error) {
	if o.out == nil {
		rows, err := o.rows(ctx)
		if err != nil {
			return nil, err
		}
		o.out = operator.NewRows(o.columns, rows)
	}
	return o.out.Next(ctx)
}

func (o *lazyRows) Close() error { return nil }
