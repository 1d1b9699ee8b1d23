package optimise

import (
	"testing"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// table returns a table with columns k and v, and an index on k if indexed.
func table(name string, indexed bool) *plan.Table {
	o := &catalog.Object{Name: name, Kind: catalog.LexiconObject}
	if indexed {
		o.Indexes = [][]string{{"k"}}
	}
	return &plan.Table{Object: o, Need: make([]bool, 2), Cols: []plan.Column{
		{Table: name, Name: "k", Type: value.Integer}, {Table: name, Name: "v", Type: value.Integer}}}
}

// join joins two tables; conditions come by Push or PushOn.
func join(kind string, left, right plan.Node) *plan.Join {
	return &plan.Join{Kind: kind, Left: left, Right: right,
		Cols: append(append([]plan.Column{}, left.Columns()...), right.Columns()...)}
}

// equals is column i = n.
func equals(cols []plan.Column, i int, n int64) expr.Expr {
	return &expr.Compare{Op: "=", X: plan.Col(cols, i), Y: &expr.Const{V: value.Int(n), T: value.Integer}}
}

// sameKeys is a.k = b.k over the columns of a join of both.
func sameKeys(cols []plan.Column) expr.Expr {
	return &expr.Compare{Op: "=", X: plan.Col(cols, 0), Y: plan.Col(cols, 2)}
}

// TestPush prints plans after conditions of WHERE, on the left side, the right side and both, were pushed down.
func TestPush(t *testing.T) {
	for kind, want := range map[string]string{
		"CROSS": "inner hash join on k = k\n  filter v = 1\n    scan lexicon a\n  filter v = 2\n    scan lexicon b\n",
		"LEFT":  "filter v = 2 AND k = k\n  left join\n    filter v = 1\n      scan lexicon a\n    scan lexicon b\n",
	} {
		j := join(kind, table("a", false), table("b", false))
		conds := []expr.Expr{equals(j.Cols, 1, 1), equals(j.Cols, 3, 2), sameKeys(j.Cols)}
		if got := plan.String(Push(j, conds), nil); got != want {
			t.Errorf("%s:\n%swant:\n%s", kind, got, want)
		}
	}
}

// TestPushOn pushes conditions of ON: those of a LEFT JOIN never reach its left side, whose rows all stay.
func TestPushOn(t *testing.T) {
	for kind, rest := range map[string]int{"INNER": 1, "LEFT": 2} {
		j := join(kind, table("a", false), table("b", false))
		conds := []expr.Expr{equals(j.Cols, 1, 1), equals(j.Cols, 3, 2), sameKeys(j.Cols)}
		if left := PushOn(j, conds, false); len(left) != rest {
			t.Errorf("%s: %d conditions are left, want %d", kind, len(left), rest)
		}
		if _, ok := j.Left.(*plan.Filter); ok == (kind == "LEFT") {
			t.Errorf("%s: the left side is\n%s", kind, plan.String(j.Left, nil))
		}
		if _, ok := j.Right.(*plan.Filter); !ok {
			t.Errorf("%s: the right side is\n%s", kind, plan.String(j.Right, nil))
		}
	}
}

// TestIndexLookup lets a join look up the table that has an index on its key. The rows of the left side of a LEFT JOIN
// all stay, so that side is never looked up.
func TestIndexLookup(t *testing.T) {
	for _, c := range []struct {
		kind        string
		left, right bool // which sides have an index
		want        string
	}{
		{"INNER", false, true, "b"},
		{"INNER", true, false, "a"},
		{"INNER", true, true, "b"},
		{"INNER", false, false, ""},
		{"LEFT", true, false, ""},
		{"LEFT", false, true, "b"},
	} {
		j := join(c.kind, table("a", c.left), table("b", c.right))
		j.AddConditions([]expr.Expr{sameKeys(j.Cols)})
		Optimise(j, nil)
		got := ""
		if j.Lookup != nil {
			got = j.Lookup.Table.Object.Name
		}
		if got != c.want {
			t.Errorf("%+v: %q is looked up", c, got)
		}
		off := join(c.kind, table("a", c.left), table("b", c.right))
		off.AddConditions([]expr.Expr{sameKeys(off.Cols)})
		if Optimise(off, map[string]bool{"index_lookup": true}); off.Lookup != nil {
			t.Errorf("%+v: the rule is off", c)
		}
	}
}
