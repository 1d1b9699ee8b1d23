package plan

import (
	"fmt"
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/value"
)

// Bounds of what CUBE and products of several groupings may stand for.
const (
	maxGroupings = 4096
	maxCube      = 12 // expressions
)

// groupings collects the keys of GROUP BY while its entries become lists of places of keys.
type groupings struct {
	b     *Binder
	s     *scope
	items []ast.Item
	keys  []expr.Expr
	texts []string // keys as the statement writes them
}

// of returns the groupings of a select; nil where all of its keys group at once. Several entries are
// combined, each grouping of one with each of the others.
func (g *groupings) of(sel *ast.Select) ([][]int, error) {
	sets, plain := [][]int{{}}, true
	for _, e := range sel.GroupBy {
		own, err := g.entry(e)
		if err != nil {
			return nil, err
		}
		if _, ok := e.(*ast.GroupingSets); ok {
			plain = false
		}
		var next [][]int
		for _, x := range sets {
			for _, y := range own {
				next = append(next, union(x, y))
			}
			if len(next) > maxGroupings {
				return nil, tooMany(e)
			}
		}
		sets = next
	}
	if plain {
		return nil, nil
	}
	if sel.GroupOnce {
		sets = distinctSets(sets)
	}
	return sets, nil
}

func tooMany(e ast.Expr) error {
	return Errorf(e.Position(), "54001", "write those that are wanted in GROUPING SETS", "GROUP BY stands for more than %d groupings", maxGroupings)
}

// entry returns the groupings that one entry stands for.
func (g *groupings) entry(e ast.Expr) ([][]int, error) {
	sets, ok := e.(*ast.GroupingSets)
	if !ok {
		one, err := g.list(e)
		return [][]int{one}, err
	}
	if sets.Kind == "GROUPING SETS" {
		var out [][]int
		for _, x := range sets.Items {
			own, err := g.entry(x)
			if err != nil {
				return nil, err
			}
			if out = append(out, own...); len(out) > maxGroupings {
				return nil, tooMany(e)
			}
		}
		return out, nil
	}
	lists := make([][]int, len(sets.Items))
	for i, x := range sets.Items {
		var err error
		if lists[i], err = g.list(x); err != nil {
			return nil, err
		}
	}
	if sets.Kind == "ROLLUP" {
		return prefixes(lists), nil
	}
	if len(lists) > maxCube {
		return nil, Errorf(sets.Pos, "54011", "write those that are wanted in GROUPING SETS", "CUBE takes at most %d expressions, not %d", maxCube, len(lists))
	}
	return subsets(lists), nil
}

// list returns the places of the keys of one expression, or of several in parentheses.
func (g *groupings) list(e ast.Expr) ([]int, error) {
	if t, ok := e.(*ast.Tuple); ok {
		out := []int{}
		for _, x := range t.Items {
			one, err := g.list(x)
			if err != nil {
				return nil, err
			}
			out = union(out, one)
		}
		return out, nil
	}
	e, err := groupKey(e, g.s, g.items)
	if err != nil {
		return nil, err
	}
	x, err := g.b.bind(e, g.s)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(g.keys, func(k expr.Expr) bool { return equal(k, x) }); i >= 0 && !expr.Volatile(x) && g.texts[i] != "" {
		return []int{i}, nil
	}
	g.keys, g.texts = append(g.keys, x), append(g.texts, e.String())
	return []int{len(g.keys) - 1}, nil
}

// union is x, then what of y is not in x.
func union(x, y []int) []int {
	out := slices.Clone(x)
	for _, i := range y {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// prefixes are all lists, then all but the last one, down to none.
func prefixes(lists [][]int) [][]int {
	out := make([][]int, len(lists)+1)
	out[len(lists)] = []int{}
	for i, l := range lists {
		var before []int
		if i > 0 {
			before = out[len(lists)-i]
		}
		out[len(lists)-i-1] = union(before, l)
	}
	return out
}

// subsets are all choices among the lists, those with the first list before the others.
func subsets(lists [][]int) [][]int {
	if len(lists) == 0 {
		return [][]int{{}}
	}
	rest := subsets(lists[1:])
	out := make([][]int, 0, 2*len(rest))
	for _, r := range rest {
		out = append(out, union(lists[0], r))
	}
	return append(out, rest...)
}

// distinctSets leaves out groupings that have the keys of one before.
func distinctSets(sets [][]int) [][]int {
	var out [][]int
	seen := map[string]bool{}
	for _, s := range sets {
		key := fmt.Sprint(slices.Sorted(slices.Values(s)))
		if !seen[key] {
			seen[key] = true
			out = append(out, s)
		}
	}
	return out
}

// isGrouping reports whether a call is GROUPING(…), which tells the groupings of a row apart.
func isGrouping(c *ast.Call) bool { return strings.EqualFold(c.Name, "grouping") && c.Over == nil }

// maxGrouping bounds the arguments of GROUPING, each a bit of an integer.
const maxGrouping = 31

// bindGrouping binds GROUPING(key, …): a bit for each key, the last one lowest, set where the grouping of
// the row leaves it out.
func (b *Binder) bindGrouping(c *ast.Call, s *scope) (expr.Expr, error) {
	if len(c.Args) == 0 || len(c.Args) > maxGrouping || c.Star || c.Distinct || c.Filter != nil || len(c.OrderBy) > 0 {
		return nil, Errorf(c.Pos, ast.CodeSyntax, "", "GROUPING takes 1 to %d keys of GROUP BY", maxGrouping)
	}
	call := AggregateCall{T: value.Integer}
	for _, a := range c.Args {
		x, err := b.bind(a.Value, s.inner)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(s.groups, func(k expr.Expr) bool { return equal(k, x) }) {
			return nil, Errorf(a.Pos, CodeGrouping, "add it to GROUP BY", "GROUPING takes keys of GROUP BY, which %s is not", a.Value)
		}
		call.Args = append(call.Args, x)
	}
	if !s.sets {
		return &expr.Const{V: value.Int(0)}, nil
	}
	return s.called(call), nil
}

// Grouping is the value of a call of GROUPING in the rows of a grouping.
func (n *Aggregate) Grouping(c AggregateCall, set []int) int64 {
	bits := int64(0)
	for _, x := range c.Args {
		bits <<= 1
		if !slices.ContainsFunc(set, func(k int) bool { return equal(n.Keys[k], x) }) {
			bits |= 1
		}
	}
	return bits
}

// Part groups by the keys of one grouping and computes all calls but those of GROUPING.
func (n *Aggregate) Part(set []int) *Aggregate {
	part := &Aggregate{Input: n.Input}
	for _, k := range set {
		part.Keys, part.cols = append(part.Keys, n.Keys[k]), append(part.cols, n.cols[k])
	}
	for i, c := range n.Calls {
		if c.F != nil {
			part.Calls, part.cols = append(part.Calls, c), append(part.cols, n.cols[len(n.Keys)+i])
		}
	}
	return part
}

// always reports whether columns, of which there are some, are keys by which all rows are grouped.
func (n *Aggregate) always(cols []int) bool {
	for _, i := range cols {
		if i >= len(n.Keys) || slices.ContainsFunc(n.Sets, func(set []int) bool { return !slices.Contains(set, i) }) {
			return false
		}
	}
	return len(cols) > 0
}

// setsLine prints the groupings.
func (n *Aggregate) setsLine() string {
	parts := make([]string, len(n.Sets))
	for i, set := range n.Sets {
		keys := make([]expr.Expr, len(set))
		for j, k := range set {
			keys[j] = n.Keys[k]
		}
		parts[i] = "(" + list(keys) + ")"
	}
	return strings.Join(parts, ", ")
}
