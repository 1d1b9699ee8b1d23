package plan

import (
	"slices"

	"parlance/query/expr"
	"parlance/storage/value"
)

// KeyedJoin makes a join run one side first; where that has few rows, an index of a table of the other
// side finds the rows that they meet.
type KeyedJoin struct {
	FromRight bool // the right side runs first
	Table     *Table
	Keys      []int // of the join, by the columns that Table.Joined names
}

// keyedRule looks at the joins from the top. The side with conditions runs first, else the left one.
func keyedRule(root Node) {
	each(root, func(n Node) {
		j, ok := n.(*Join)
		if !ok || j.Semi != nil || len(j.LeftKeys) == 0 {
			return
		}
		if j.Kind == "INNER" && narrow(j.Right) && !narrow(j.Left) && j.keyed(true) {
			return
		}
		if !j.keyed(false) && j.Kind == "INNER" {
			j.keyed(true)
		}
	})
}

// keyed finds a table on one side whose index begins with columns that the join compares.
func (n *Join) keyed(fromRight bool) bool {
	second, keys, others := n.Right, n.RightKeys, n.LeftKeys
	if fromRight {
		second, keys, others = n.Left, n.LeftKeys, n.RightKeys
	}
	t, at := sought(second, keys, typesOf(others))
	if t == nil {
		return false
	}
	n.Keyed = &KeyedJoin{FromRight: fromRight, Table: t, Keys: at}
	return true
}

// sought finds a table below n with an index that begins with columns which are among the keys, and lets it
// look rows up by them; at is the places of those among the keys. The keys are compared with values of the types.
func sought(n Node, keys []expr.Expr, types []value.Type) (t *Table, at []int) {
	var names []string
	for i, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || !SameKeys(types[i], col.T) {
			continue
		}
		x, c := tableOrigin(n, col.Index)
		if x == nil || x.Joined != nil || t != nil && t != x || slices.Contains(names, x.cols[c].Name) {
			continue
		}
		t, at, names = x, append(at, i), append(names, x.cols[c].Name)
	}
	if t == nil {
		return nil, nil
	}
	t.Joined = names
	if u, _ := t.JoinIndex(); u == nil {
		t.Joined = nil
		return nil, nil
	}
	return t, at
}

func typesOf(list []expr.Expr) []value.Type {
	out := make([]value.Type, len(list))
	for i, x := range list {
		out[i] = x.Type()
	}
	return out
}

// seek lets a subselect look up the rows whose first columns equal the keys of few outer rows; nil where no
// index finds them.
func (b *Binder) seek(n Node, keys []expr.Expr) expr.Seek {
	if b.Off["keyed"] {
		return nil
	}
	firsts := make([]expr.Expr, len(keys))
	for i := range keys {
		firsts[i] = col(n.Columns(), i)
	}
	t, at := sought(n, firsts, typesOf(keys))
	if t == nil {
		return nil
	}
	t.Outer = true
	run := b.Catalog.Sought
	return func(env *expr.Env, keys [][]value.Value, total int) ([][]value.Value, bool, error) {
		of := make([][]value.Value, len(keys))
		for i, key := range keys {
			for _, k := range at {
				of[i] = append(of[i], key[k])
			}
		}
		return run(env, n, t, of, total)
	}
}

// tableOrigin finds the table whose column is column i of n, if dropping rows of it only drops rows
// of n with their values.
func tableOrigin(n Node, i int) (*Table, int) {
	switch n := n.(type) {
	case *Table:
		return n, i
	case *Filter:
		return tableOrigin(n.Input, i)
	case *Distinct:
		return tableOrigin(n.Input, i)
	case *Rename:
		if _, ok := n.Input.(*Shared); !ok {
			return tableOrigin(n.Input, i)
		}
	case *Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return tableOrigin(n.Input, c.Index)
		}
	case *Aggregate:
		if n.areKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return tableOrigin(n.Input, c.Index)
			}
		}
	case *Join:
		if k := len(n.Left.Columns()); i < k {
			return tableOrigin(n.Left, i)
		} else if n.Kind == "INNER" {
			return tableOrigin(n.Right, i-k)
		}
	}
	return nil, 0
}

// narrow reports whether conditions leave few rows of a node, as far as its form tells.
func narrow(n Node) bool {
	switch n := n.(type) {
	case *Table:
		return n.Outer || n.Index() != nil
	case *Filter, *Limit, *Relation, *Working:
		return true
	case *Join:
		return narrow(n.Left) || n.Kind == "INNER" && narrow(n.Right)
	}
	return slices.ContainsFunc(n.Inputs(), narrow)
}

// JoinIndex returns how an index finds rows by the columns in Joined, together with conditions: the values of a
// column that is joined are left out of Equal, and from tells its place in Joined, -1 for others. It is nil
// if no index begins with such columns.
func (n *Table) JoinIndex() (use *IndexUse, from []int) {
	of := map[string]*known{}
	for _, c := range n.Conds {
		gather(of, c, func(i int) string { return n.cols[i].Name })
	}
	for _, cols := range n.Object.Indexes {
		u, places, keys, joined := &IndexUse{Columns: cols}, []int(nil), 1, false
		for _, c := range cols {
			at := slices.Index(n.Joined, c)
			if at < 0 && (of[c] == nil || of[c].equal.List == nil) {
				break
			}
			if at >= 0 {
				joined = true
				u.Equal = append(u.Equal, Values{})
			} else {
				keys *= of[c].equal.Count()
				u.Equal = append(u.Equal, of[c].equal)
			}
			places = append(places, at)
		}
		if joined && keys <= maxJoined && (use == nil || len(u.Equal) > len(use.Equal)) {
			use, from = u, places
		}
	}
	return use, from
}

// maxJoined bounds the values that conditions give to columns of an index besides those of a join.
const maxJoined = 16
