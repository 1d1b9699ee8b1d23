package plan

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/value"
)

// Matched finds the rows of a target that a condition ties to rows of other tables. Its columns are those of
// the target, the number of the row among those that Row yields, then those of the tables.
type Matched struct {
	Target Node
	Row    *Working    // some rows of the target and their numbers, which the executor fills in
	Rows   Node        // pairs of Row and the tables for which the condition holds
	Own    []expr.Expr // parts of the condition that read the target alone
}

// Columns are those of the pairs.
func (n *Matched) Columns() []Column { return n.Rows.Columns() }

// Inputs returns the pairs.
func (n *Matched) Inputs() []Node { return []Node{n.Rows} }

// Line prints "match".
func (n *Matched) Line() string { return "match " + n.Row.Name }

// Matched plans the FROM of an UPDATE or the USING of a DELETE.
func (b *Binder) Matched(at ast.Pos, name string, target Node, tables []ast.TableRef, where ast.Expr) (*Matched, error) {
	cols := target.Columns()
	row := &Working{Name: name, cols: append(cols[:len(cols):len(cols)], Column{Hidden: true, Type: value.Integer})}
	others, err := b.from(tables)
	if err != nil {
		return nil, err
	}
	n, err := b.join(&ast.Join{Pos: at, Kind: "CROSS"}, row, others, nil)
	if err != nil {
		return nil, err
	}
	m := &Matched{Target: target, Row: row, Rows: n}
	if where == nil {
		return m, nil
	}
	s := &scope{cols: n.Columns(), mark: marker(m)}
	x, err := b.bind(where, s)
	if err != nil {
		return nil, err
	}
	if err := condition(where, x); err != nil {
		return nil, err
	}
	conds := expr.Conjuncts(x)
	for _, c := range conds {
		if side(c, len(cols)) == 1 && !holdsSubselect(c) && !expr.Volatile(c) {
			m.Own = append(m.Own, c)
		}
	}
	if b.Off["push"] {
		m.Rows = &Filter{Input: n, Cond: x}
	} else {
		m.Rows = push(n, b.seekMembers(conds))
	}
	return m, nil
}

// Seek finds the join of the pairs, which are planned, that ties rows of the target to those of the tables, and lets an
// index of the target look rows up by its keys; at is their places among those of the join. It is nil where no index does.
func (n *Matched) Seek(pairs Node, target *Table) (j *Join, at []int) {
	for j == nil {
		switch x := pairs.(type) {
		case *Filter:
			pairs = x.Input
		case *Join:
			if x.Kind != "INNER" || x.Semi != nil {
				return nil, nil
			}
			if pairs = x.Left; n.filtered(pairs) {
				j = x
			}
		default:
			return nil, nil
		}
	}
	t, at := sought(target, j.LeftKeys, typesOf(j.RightKeys))
	if t == nil {
		return nil, nil
	}
	return j, at
}

// filtered reports whether a node is the rows of the target, under conditions.
func (n *Matched) filtered(x Node) bool {
	f, ok := x.(*Filter)
	return ok && n.filtered(f.Input) || x == Node(n.Row)
}
