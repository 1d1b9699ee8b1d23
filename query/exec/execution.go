package exec

import (
	"fmt"
	"math/rand/v2"
	"time"

	"parlance/query/annotate"
	"parlance/query/expr"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Execution is the state of one execution of a plan.
type Execution struct {
	*Database
	models.Resolver
	Session *Session
	Host    Host
	Status  *Status            // nil where nobody sees it
	Began   time.Time          // the statement
	Opened  time.Time          // the transaction block, or the statement outside of one
	Floats  uint64             // parameters that are floats, the first at bit 0
	Stats   *operator.Analysis // nil unless analysing
	Shared  *annotate.Shared   // results of models between the nodes of a plan; nil for none
	Withs   *WithResults       // rows of WITH clauses that are computed once
	// documents that joins around a node have a use for
	dynamicFilters map[*plan.Layer]dynamicFilter
	// rows of tables that joins around them have a use for
	lookupKeys map[*plan.Table][][]value.Value
	// rows of the last steps of recursive selects around a node
	WorkTables map[*plan.WorkTable]*WorkTable
	// what joins of the step of a recursive select hold of sides that no step changes; nil outside
	BuildSides     map[*plan.Join]*operator.BuildSide
	result         operator.Result     // of a query
	Random         *rand.PCG           // nil before random() is called
	adhocAnnotator *annotate.Annotator // of a query over an ad-hoc text
	warned         map[string]bool     // notices that say the same once a statement
	reusesScratch  bool                // it computes expressions over the rows of one text
}

// Build makes the operator of a node.
func (r *Execution) Build(n plan.Node) (operator.Operator, error) {
	op, err := r.operator(n)
	if err != nil || r.Stats == nil {
		return op, err
	}
	return operator.NewTimed(op, r.Stats.Of(n)), nil
}

func (r *Execution) operator(n plan.Node) (operator.Operator, error) {
	switch n := n.(type) {
	case *plan.Layer:
		return r.layer(n)
	case *plan.Table:
		return r.Table(n)
	case *plan.Relation:
		return r.relation(n)
	case *plan.Evaluate:
		return r.Evaluation.Open(r, n)
	case plan.OneRow:
		return operator.NewOneRow(), nil
	case *plan.Rename:
		return r.Build(n.Input)
	case *plan.Filter:
		if c, ok := n.Cond.(*expr.Const); ok && !c.V.Bool() {
			return operator.NewUnion(), nil
		}
		return unary(r, n.Input, func(in operator.Operator) operator.Operator { return operator.NewFilter(in, n.Cond, r.Env) })
	case *plan.Project:
		return unary(r, n.Input, func(in operator.Operator) operator.Operator { return operator.NewProject(in, n.Exprs, r.Env) })
	case *plan.Join:
		return r.join(n)
	case *plan.Apply:
		return unary(r, n.Left, func(in operator.Operator) operator.Operator { return &apply{r: r, n: n, left: in} })
	case *plan.CTE:
		return r.readWith(n)
	case *plan.Window:
		return unary(r, n.Input, func(in operator.Operator) operator.Operator { return operator.NewWindow(in, n, r.Env, r.budget()) })
	case *plan.Aggregate:
		return unary(r, n.Input, func(in operator.Operator) operator.Operator {
			return operator.NewAggregate(in, n, r.Env, r.budget())
		})
	case *plan.Distinct:
		return unary(r, n.Input, func(in operator.Operator) operator.Operator {
			return operator.NewDistinct(in, operator.TypesOf(n.Columns()), r.budget())
		})
	case *plan.Sort:
		return unary(r, n.Input, func(in operator.Operator) operator.Operator { return operator.NewSorter(in, n, r.budget()) })
	case *plan.Limit:
		return r.limit(n)
	case *plan.Recursive:
		return r.recursive(n)
	case *plan.WorkTable:
		return r.workTable(n)
	case *plan.Union:
		var parts []operator.Operator
		for _, p := range n.Parts {
			op, err := r.Build(p)
			if err != nil {
				operator.NewUnion(parts...).Close()
				return nil, err
			}
			parts = append(parts, op)
		}
		return operator.NewUnion(parts...), nil
	}
	return nil, fmt.Errorf("no operator for %T", n)
}

func unary(r *Execution, input plan.Node, wrap func(operator.Operator) operator.Operator) (operator.Operator, error) {
	in, err := r.Build(input)
	if err != nil {
		return nil, err
	}
	return wrap(in), nil
}
