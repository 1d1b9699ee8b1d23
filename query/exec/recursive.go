package exec

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// recursive yields the rows of a base, then those of a step over the rows that came last, until a
// step gives none. Rows are passed on as they are found.
type recursive struct {
	r      *Execution // in which the step reads the last rows
	n      *plan.Recursive
	in     operator.Operator    // base or step; nil between steps
	seen   *operator.GroupTable // the rows so far; nil where rows may come again
	work   *WorkTable
	budget *operator.Budget       // of seen
	next   *operator.Materialized // of the step that runs
	rows   int64
}

// WorkTable is the rows of the last step.
type WorkTable struct{ Rows *operator.Materialized }

func (r *Execution) recursive(n *plan.Recursive) (operator.Operator, error) {
	inner := *r
	if inner.WorkTables = maps.Clone(r.WorkTables); inner.WorkTables == nil {
		inner.WorkTables = map[*plan.WorkTable]*WorkTable{}
	}
	c := &recursive{r: &inner, n: n, work: &WorkTable{}, next: operator.NewMaterialized(r.budget()), budget: r.budget()}
	inner.WorkTables[n.WorkTable] = c.work
	inner.BuildSides = map[*plan.Join]*operator.BuildSide{}
	if !n.All {
		c.seen = operator.NewGroupTable(len(n.Columns()))
	}
	in, err := r.Build(n.Base)
	c.in = in
	return c, err
}

func (c *recursive) Next(ctx context.Context) (*value.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if c.in == nil {
			if more, err := c.step(); err != nil || !more {
				return nil, err
			}
		}
		b, err := c.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			err, c.in = c.in.Close(), nil
			if err != nil {
				return nil, err
			}
			continue
		}
		if b, err = c.pass(b); b != nil || err != nil {
			return b, err
		}
	}
}

// step begins the next step, if the last one gave rows.
func (c *recursive) step() (bool, error) {
	err := c.work.Rows.Close()
	c.work.Rows, c.next = c.next, operator.NewMaterialized(c.r.budget())
	if err != nil || c.work.Rows.Rows == 0 {
		return false, err
	}
	c.r.Status.Recursive.Store(&c.n.Name)
	if st := c.r.Stats.Of(c.n); st != nil {
		st.Steps++
	}
	c.in, err = c.r.Build(c.n.Step)
	return err == nil, err
}

// pass keeps the rows of a batch that the next step reads and returns them; nil for none.
func (c *recursive) pass(b *value.Batch) (*value.Batch, error) {
	if c.seen != nil {
		_, first := c.seen.Assign(b.Cols, b.N)
		if c.budget.Exceeded(c.seen.Bytes()) {
			return nil, fmt.Errorf("the rows of the recursive select %s: %w", c.n.Name, c.budget.Err())
		}
		if len(first) < b.N {
			b = b.Select(first)
		}
	}
	if b.N == 0 {
		return nil, nil
	}
	c.rows += int64(b.N)
	if most := int64(c.r.Session.Settings.MaxRecursionRows); most > 0 && c.rows > most {
		hint := "UNION in place of UNION ALL leaves out rows that were there before"
		if !c.n.All {
			hint = "a column that counts steps makes every row a new one"
		}
		return nil, &ast.Error{Pos: c.n.Pos, Code: CodeStatementBytes, Msg: fmt.Sprintf("the recursive select %s gives more than max_recursion_rows, %d rows", c.n.Name, most),
			Hint: hint + "; a condition in the step or a LIMIT outside ends it; SET max_recursion_rows = 0 lifts the limit"}
	}
	return b, c.next.Add(b)
}

func (c *recursive) Close() error {
	c.budget.Release()
	var err error
	if c.in != nil {
		err = c.in.Close()
		c.in = nil
	}
	return errors.Join(err, c.work.Rows.Close(), c.next.Close())
}

// keepBuildSide lets a join of a step hold the side whose rows no step changes, from one step to the next.
func (r *Execution) keepBuildSide(n *plan.Join, j *operator.Join) {
	switch {
	case r.unchanging(n.Right):
		j.KeepSides(false, r.BuildSides)
	case n.Kind != "LEFT" && r.unchanging(n.Left):
		j.KeepSides(true, r.BuildSides)
	}
}

// unchanging reports whether no step changes the rows of a side of a join and no join around restricts them.
func (r *Execution) unchanging(n plan.Node) bool {
	return plan.LoopInvariant(n) && !r.filtered(n)
}

func (r *Execution) filtered(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Table:
		if r.lookupKeys[n] != nil {
			return true
		}
	case *plan.Layer:
		if _, ok := r.dynamicFilters[n]; ok {
			return true
		}
	}
	return slices.ContainsFunc(n.Inputs(), r.filtered)
}

// workTable reads the rows that the last step gave.
func (r *Execution) workTable(n *plan.WorkTable) (operator.Operator, error) {
	w := r.WorkTables[n]
	if w == nil || w.Rows == nil {
		return nil, fmt.Errorf("%s outside of its recursive select", n.Name)
	}
	return w.Rows.Reader()
}
