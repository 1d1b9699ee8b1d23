package exec

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// recursive is WITH RECURSIVE. It yields the rows of the base; then it runs the step again and again, each time over
// the work table, the rows that were new in the last step, until a step gives no new row. Rows are passed on as they
// are found.
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

// WorkTable is the rows that a step of a recursive select reads.
type WorkTable struct{ Rows *operator.Materialized }

// recursive makes the operator of a recursive select.
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

// step begins the next step; it returns false if the last one gave no rows.
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

// pass returns the rows of a batch that are new, nil for none, and keeps them for the next step.
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
		hint += "; a condition in the step or a LIMIT outside ends it; SET max_recursion_rows = 0 lifts the limit"
		return nil, plan.Errorf(c.n.Pos, CodeStatementBytes, hint,
			"the recursive select %s gives more than max_recursion_rows, %d {row|rows}", c.n.Name, most)
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

// keepBuildSide lets a join of a step keep the hash table of a side whose rows no step changes for the next steps.
func (r *Execution) keepBuildSide(n *plan.Join, j *operator.Join) {
	switch {
	case r.unchanging(n.Right):
		j.ReuseBuildSides(false, r.BuildSides)
	case n.Kind != "LEFT" && r.unchanging(n.Left):
		j.ReuseBuildSides(true, r.BuildSides)
	}
}

// unchanging reports whether no step changes the rows of a side of a join: it reads no work table, and no join around
// it filters what it reads.
func (r *Execution) unchanging(n plan.Node) bool {
	return plan.LoopInvariant(n) && !r.filtered(n)
}

// filtered reports whether a join around a node has lookup keys or a dynamic filter for something in it.
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

// workTable makes the operator that reads a work table.
func (r *Execution) workTable(n *plan.WorkTable) (operator.Operator, error) {
	w := r.WorkTables[n]
	if w == nil || w.Rows == nil {
		return nil, fmt.Errorf("%s outside of its recursive select", n.Name)
	}
	return w.Rows.Reader()
}
