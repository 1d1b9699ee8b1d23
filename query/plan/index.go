package plan

import (
	"strings"

	"parlance/query/expr"
	"parlance/storage/value"
)

// IndexUse is how an index answers conditions: the first columns equal one of some values each,
// the next one lies in a range.
type IndexUse struct {
	Columns           []string      // of the index
	Equal             [][]expr.Expr // what each of the first columns may equal
	Low, High         expr.Expr     // of the column after these; nil for no bound
	LowOpen, HighOpen bool
	Members           *expr.Lazy // whose values the first column equals; nil for none
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
	if u.Members != nil {
		return false
	}
	for _, list := range append(u.Equal[:len(u.Equal):len(u.Equal)], []expr.Expr{u.Low, u.High}) {
		for _, x := range list {
			if x != nil && !fixed(x) {
				return false
			}
		}
	}
	return true
}

func fixed(x expr.Expr) bool {
	ok := true
	expr.Walk(x, func(e expr.Expr) {
		switch e.(type) {
		case *expr.Lazy, *expr.Arg:
			ok = false
		}
	})
	return ok
}

// maxAlternatives bounds the keys that IN lists make an index look up.
const maxAlternatives = 4096

// known is what conditions say of a column.
type known struct {
	equal             []expr.Expr
	low, high         expr.Expr
	lowOpen, highOpen bool
}

// chooseIndex returns the use of the index that answers most of the conditions, the first of
// equal ones; nil if none does. name gives the column of a place, "" for what no index has.
func chooseIndex(indexes [][]string, conds []expr.Expr, name func(i int) string) *IndexUse {
	if len(indexes) == 0 {
		return nil
	}
	of := map[string]*known{}
	for _, c := range conds {
		gather(of, c, name)
	}
	var best *IndexUse
	score := 0
	for _, cols := range indexes {
		u, n := use(cols, of)
		// An equality is worth more than a range.
		if s := 2*len(u.Equal) + u.used() - len(u.Equal); s > score && n <= maxAlternatives {
			best, score = u, s
		}
	}
	return best
}

// use lays conditions along the columns of an index and counts the keys.
func use(cols []string, conds map[string]*known) (*IndexUse, int) {
	u, n := &IndexUse{Columns: cols}, 1
	for _, c := range cols {
		k := conds[c]
		if k == nil {
			break
		}
		if k.equal == nil {
			u.Low, u.High, u.LowOpen, u.HighOpen = k.low, k.high, k.lowOpen, k.highOpen
			break
		}
		u.Equal = append(u.Equal, k.equal)
		n *= len(k.equal)
	}
	return u, n
}

// gather adds what one condition says.
func gather(conds map[string]*known, c expr.Expr, name func(int) string) {
	of := func(x expr.Expr) *known {
		col, ok := x.(*expr.Col)
		if !ok || name(col.Index) == "" {
			return nil
		}
		k := conds[name(col.Index)]
		if k == nil {
			k = &known{}
			conds[name(col.Index)] = k
		}
		return k
	}
	switch c := c.(type) {
	case *expr.In:
		if col, ok := c.X.(*expr.Col); ok && !c.Not && len(c.List) > 0 && name(col.Index) != "" {
			for _, x := range c.List {
				if !keyOf(x, col.T) {
					return
				}
			}
			if k := of(col); k.equal == nil {
				k.equal = c.List
			}
		}
	case *expr.Compare:
		op, x, y := c.Op, c.X, c.Y
		if _, ok := x.(*expr.Col); !ok {
			op, x, y = mirrored(op), y, x
		}
		if col, ok := x.(*expr.Col); ok && op != "" && op != "<>" && name(col.Index) != "" && keyOf(y, col.T) {
			of(col).compare(op, y)
		}
	}
}

// mirrored is the comparison with its sides exchanged.
func mirrored(op string) string {
	return map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
}

// keyOf reports whether x is a value of its own that keys of the type can be compared with.
func keyOf(x expr.Expr, t value.Type) bool {
	return len(expr.Columns(x)) == 0 && !expr.Volatile(x) && (x.Type() == value.Null || SameKeys(x.Type(), t))
}

// SameKeys reports whether keys of two types are in one order.
func SameKeys(a, b value.Type) bool {
	number := func(t value.Type) bool { return t == value.Integer || t == value.Float }
	return a == b || number(a) && number(b)
}

func (k *known) compare(op string, x expr.Expr) {
	switch op {
	case "=":
		if len(k.equal) != 1 {
			k.equal = []expr.Expr{x}
		}
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
		if n.NamedID(c) != nil {
			return nil
		}
	}
	return chooseIndex(n.Corpus.Indexes, conds, func(i int) string {
		if c := n.cols[i]; n.DocumentColumn(i) && c.Name != "id" && c.Name != "text" && (i > 0 || n.Def == nil) {
			return c.Name
		}
		return ""
	})
}

// NamedID returns what the id of a document equals in a condition; nil if it is about
// something else.
func (n *Layer) NamedID(c expr.Expr) expr.Expr {
	cmp, ok := c.(*expr.Compare)
	if !ok || cmp.Op != "=" {
		return nil
	}
	col, other := cmp.X, cmp.Y
	if _, ok := col.(*expr.Col); !ok {
		col, other = other, col
	}
	x, ok := col.(*expr.Col)
	if !ok || len(expr.Columns(other)) > 0 || expr.Volatile(other) {
		return nil
	}
	if n.IDColumn(x.Index) {
		return other
	}
	return nil
}

// Index returns how an index answers the conditions on the rows; nil if none does. The values of a subselect
// are looked up where no other condition names a column of an index.
func (n *Table) Index() *IndexUse {
	name := func(i int) string { return n.cols[i].Name }
	if u := chooseIndex(n.Object.Indexes, n.Conds, name); u != nil || len(n.Object.Indexes) == 0 {
		return u
	}
	for _, c := range n.Conds {
		l, ok := c.(*expr.Lazy)
		if !ok || !l.Alone() {
			continue
		}
		col, ok := l.X.(*expr.Col)
		if !ok || !SameKeys(col.T, Subselect(l).Columns()[0].Type) {
			continue
		}
		for _, cols := range n.Object.Indexes {
			if cols[0] == name(col.Index) {
				return &IndexUse{Columns: cols, Members: l, Equal: [][]expr.Expr{nil}}
			}
		}
	}
	return nil
}
