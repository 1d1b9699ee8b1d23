package plan

import (
	"slices"
	"strings"

	"parlance/query/expr"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// IndexUse is how an index answers conditions: its first columns each equal one of some values, and the column after
// them lies in a range.
type IndexUse struct {
	Columns           []string  // of the index
	Equal             []Values  // of the first columns, what each may equal
	Low, High         expr.Expr // bounds of the column after these; nil for no bound
	LowOpen, HighOpen bool      // the bound itself is left out
}

// Values is what a column may equal: the values of a list, the members of an array, or the rows of a subselect.
type Values struct {
	List      []expr.Expr
	Array     expr.Expr
	Subselect *expr.Subquery
}

// Known reports whether there is something that the column may equal.
func (v Values) Known() bool { return v.List != nil || v.Array != nil || v.Subselect != nil }

// Count is how many values there are, as far as the text of the statement tells.
func (v Values) Count() int {
	if c, ok := v.Array.(*expr.Const); ok {
		items, err := jsonfn.Items(c.V)
		if err != nil {
			return 1
		}
		return len(items)
	}
	return max(1, len(v.List))
}

// Fixed reports whether the values are known before the query runs.
func (v Values) Fixed() bool {
	return v.Subselect == nil && (v.Array == nil || fixed(v.Array)) &&
		!slices.ContainsFunc(v.List, func(x expr.Expr) bool { return !fixed(x) })
}

// String lists the columns that conditions name.
func (u *IndexUse) String() string { return strings.Join(u.Columns[:u.used()], ", ") }

func (u *IndexUse) used() int {
	if u.Low != nil || u.High != nil {
		return len(u.Equal) + 1
	}
	return len(u.Equal)
}

// Fixed reports whether the values are known before the query runs: without subselects and
// rows of other tables.
func (u *IndexUse) Fixed() bool {
	for _, x := range []expr.Expr{u.Low, u.High} {
		if x != nil && !fixed(x) {
			return false
		}
	}
	return !slices.ContainsFunc(u.Equal, func(v Values) bool { return !v.Fixed() })
}

// OfSubselect reports whether a subselect gives the values.
func (u *IndexUse) OfSubselect() bool { return len(u.Equal) > 0 && u.Equal[0].Subselect != nil }

// fixed reports whether x has one value for the whole query: it reads no subselect and no outer row.
func fixed(x expr.Expr) bool {
	ok := true
	expr.Walk(x, func(e expr.Expr) {
		switch e.(type) {
		case *expr.Subquery, *expr.Arg:
			ok = false
		}
	})
	return ok
}

// MaxAlternatives is the most keys that are looked up in an index for lists and arrays.
const MaxAlternatives = 4096

// columnBounds is what all conditions together say of a column: values that it may equal, or a range.
type columnBounds struct {
	equal             Values
	low, high         expr.Expr
	lowOpen, highOpen bool
}

// LooksUp reports whether all columns of the index are to equal values that stand in the statement.
func (u *IndexUse) LooksUp() bool {
	return len(u.Equal) == len(u.Columns) && !u.OfSubselect()
}

// chooseIndex returns the use of the index that answers most of the conditions, the first of equally good ones; nil if
// none answers any. The values of a subselect are looked up only where no other condition names a column of an index,
// for their number is not known. name gives the name of a column by its place, "" for columns that no index has.
func chooseIndex(indexes [][]string, conds []expr.Expr, name func(i int) string) *IndexUse {
	if len(indexes) == 0 {
		return nil
	}
	of := map[string]*columnBounds{}
	for _, c := range conds {
		addCondition(of, c, name)
	}
	var best *IndexUse
	score := 0
	for _, cols := range indexes {
		u, n := matchIndex(cols, of)
		// An equality is worth more than a range.
		if s := 2*len(u.Equal) + u.used() - len(u.Equal); s > score && n <= MaxAlternatives {
			best, score = u, s
		}
	}
	if best == nil {
		return subselectIndex(indexes, conds, name)
	}
	return best
}

// subselectIndex returns an index that begins with a column which a condition compares with the rows of a subselect.
func subselectIndex(indexes [][]string, conds []expr.Expr, name func(int) string) *IndexUse {
	for _, c := range conds {
		i, v := equals(c)
		if v.Subselect == nil {
			continue
		}
		for _, cols := range indexes {
			if cols[0] == name(i) {
				return &IndexUse{Columns: cols, Equal: []Values{v}}
			}
		}
	}
	return nil
}

// matchIndex returns how an index answers conditions, and how many keys are looked up in it.
func matchIndex(cols []string, conds map[string]*columnBounds) (*IndexUse, int) {
	u, n := &IndexUse{Columns: cols}, 1
	for _, c := range cols {
		k := conds[c]
		if k == nil {
			break
		}
		if !k.equal.Known() {
			u.Low, u.High, u.LowOpen, u.HighOpen = k.low, k.high, k.lowOpen, k.highOpen
			break
		}
		u.Equal = append(u.Equal, k.equal)
		n *= k.equal.Count()
	}
	return u, n
}

// equals returns the column that a condition compares for equality, and the values that it may equal; no values for a
// condition of another form.
func equals(c expr.Expr) (column int, v Values) {
	var x expr.Expr
	switch c := c.(type) {
	case *expr.Compare:
		if c.Op == "=" {
			x, v.List = c.X, []expr.Expr{c.Y}
			if _, ok := x.(*expr.Col); !ok {
				x, v.List = c.Y, []expr.Expr{c.X}
			}
		}
	case *expr.In:
		if !c.Not && len(c.List) > 0 {
			x, v.List = c.X, c.List
		}
	case *expr.Quantified:
		if c.IsMembership() && !c.All && len(expr.Columns(c.Array)) == 0 && !expr.Volatile(c.Array) {
			x, v.Array = c.X, c.Array
		}
	case *expr.Subquery:
		if c.Uncorrelated() {
			x, v.Subselect = c.X, c
		}
	}
	col, ok := x.(*expr.Col)
	if !ok || slices.ContainsFunc(v.List, func(y expr.Expr) bool { return !isKey(y, col.T) }) ||
		v.Subselect != nil && !ComparableKeys(col.T, Subselect(v.Subselect).Columns()[0].Type) {
		return 0, Values{}
	}
	return col.Index, v
}

// addCondition adds what one condition says of its column.
func addCondition(conds map[string]*columnBounds, c expr.Expr, name func(int) string) {
	of := func(i int) *columnBounds {
		k := conds[name(i)]
		if k == nil {
			k = &columnBounds{}
			conds[name(i)] = k
		}
		return k
	}
	if i, v := equals(c); v.Known() {
		if name(i) == "" || v.Subselect != nil {
			return
		}
		if k := of(i); !k.equal.Known() || len(v.List) == 1 && len(k.equal.List) != 1 {
			k.equal = v
		}
		return
	}
	cmp, ok := c.(*expr.Compare)
	if !ok {
		return
	}
	op, x, y := cmp.Op, cmp.X, cmp.Y
	if _, ok := x.(*expr.Col); !ok {
		op, x, y = mirrored(op), y, x
	}
	if col, ok := x.(*expr.Col); ok && name(col.Index) != "" && isKey(y, col.T) {
		of(col.Index).bound(op, y)
	}
}

// mirrored is the comparison with its sides exchanged.
func mirrored(op string) string {
	return map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
}

// isKey reports whether x can be looked up in an index whose keys have a type: it reads no column, gives the same value
// each time, and its type compares with that of the keys.
func isKey(x expr.Expr, t value.Type) bool {
	return len(expr.Columns(x)) == 0 && !expr.Volatile(x) && (x.Type() == value.Null || ComparableKeys(x.Type(), t))
}

// ComparableKeys reports whether an index orders values of both types as comparisons do. Indexes order JSON by its
// text, so they do not answer comparisons of JSON.
func ComparableKeys(a, b value.Type) bool {
	number := func(t value.Type) bool { return t == value.Integer || t == value.Float }
	return a == b && a != value.JSON || number(a) && number(b)
}

// bound adds a bound; the first of each side counts.
func (k *columnBounds) bound(op string, x expr.Expr) {
	switch op {
	case "<", "<=":
		if k.high == nil {
			k.high, k.highOpen = x, op == "<"
		}
	case ">", ">=":
		if k.low == nil {
			k.low, k.lowOpen = x, op == ">"
		}
	}
}

// IndexFor returns how an index of the corpus answers conditions on the columns of n; nil if
// none does, or if one of them names a document.
func (n *Layer) IndexFor(conds []expr.Expr) *IndexUse {
	if n.Corpus == nil {
		return nil
	}
	for _, c := range conds {
		if n.NamedIDs(c).List != nil {
			return nil
		}
	}
	return chooseIndex(n.Corpus.Indexes, conds, func(i int) string {
		if c := n.Cols[i]; n.DocumentColumn(i) && c.Name != "id" && c.Name != "text" && (i > 0 || n.Def == nil) {
			return c.Name
		}
		return ""
	})
}

// NamedIDs returns the values that a condition compares the id of a document with; none for another condition.
func (n *Layer) NamedIDs(c expr.Expr) Values {
	i, v := equals(c)
	if !v.Known() || !n.IDColumn(i) {
		return Values{}
	}
	return v
}

// Index returns how an index answers the conditions on the rows; nil if none does.
func (n *Table) Index() *IndexUse {
	return chooseIndex(n.Object.Indexes, n.Conds, func(i int) string { return n.Cols[i].Name })
}

// LookupIndex returns how an index finds rows by LookupColumns, together with conditions; nil if no index begins with
// such columns. Of each column of the index that is used, from tells its place in LookupColumns, where Equal has no
// values, or is -1 for a column whose values Equal has from conditions.
func (n *Table) LookupIndex() (use *IndexUse, from []int) {
	of := map[string]*columnBounds{}
	for _, c := range n.Conds {
		addCondition(of, c, func(i int) string { return n.Cols[i].Name })
	}
	for _, cols := range n.Object.Indexes {
		u, places, keys, found := &IndexUse{Columns: cols}, []int(nil), 1, false
		for _, c := range cols {
			at := slices.Index(n.LookupColumns, c)
			if at < 0 && (of[c] == nil || of[c].equal.List == nil) {
				break
			}
			if at >= 0 {
				found = true
				u.Equal = append(u.Equal, Values{})
			} else {
				keys *= of[c].equal.Count()
				u.Equal = append(u.Equal, of[c].equal)
			}
			places = append(places, at)
		}
		if found && keys <= maxLookupKeys && (use == nil || len(u.Equal) > len(use.Equal)) {
			use, from = u, places
		}
	}
	return use, from
}

// maxLookupKeys is the most combinations of values from conditions that are looked up for each key of a join.
const maxLookupKeys = 16
