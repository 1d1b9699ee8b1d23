package bind

import (
	"parlance/query/expr"
	"parlance/query/fn/jsonfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Arrays are JSON arrays, and clients get them as JSON. Programs that read the catalog of PostgreSQL expect arrays
// where it has them: columns such as conkey, and what array_agg and casts make of columns of the catalog.

// ofCatalog reports whether x reads columns of tables of the catalog and no others.
func (s *scope) ofCatalog(x expr.Expr) bool {
	cols := expr.Columns(x)
	for _, i := range cols {
		if i >= len(s.cols) || !s.cols[i].Catalog {
			return false
		}
	}
	return len(cols) > 0
}

// members is the type of the members of an array of the catalog; empty for other values.
func (s *scope) members(x expr.Expr) string {
	switch x := x.(type) {
	case *expr.Col:
		if x.Index < len(s.cols) && x.T == value.JSON {
			return s.cols[x.Index].Members
		}
	case *expr.Call:
		if x.F == jsonfn.ArrayCast && s.ofCatalog(x) {
			if t, ok := expr.ConstantValue(x.Args[1]); ok {
				return memberType(t.S)
			}
		}
		for i := range x.Args {
			if m := s.members(x.Args[i]); m != "" && x.F.First {
				return m
			}
		}
	}
	return ""
}

// memberType is the type of members as clients know it; empty for one that they do not get as an array.
func memberType(name string) string {
	switch t, _ := value.ParseType(name); t {
	case value.Text, value.Integer:
		return t.String()
	}
	return ""
}

// collected is the type of the members of what array_agg makes of a column of the catalog: of names, which its texts
// are, or of numbers.
func (s *scope) collected(c plan.AggregateCall) string {
	if c.F.Name != "array_agg" || len(c.Args) != 1 || !s.ofCatalog(c.Args[0]) {
		return ""
	}
	m := memberType(c.Args[0].Type().String())
	if _, column := c.Args[0].(*expr.Col); column && m == "text" {
		return "name"
	}
	return m
}
