package bind

import (
	"fmt"
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
)

// scope is the columns that an expression may name.
type scope struct {
	cols []plan.Column
	mark func(int) // notes that a column is read
	// after grouping: expressions that stand for output columns
	groups  []expr.Expr
	texts   []string // groups as the statement writes them
	calls   *[]plan.AggregateCall
	grouped bool
	inner   *scope         // the scope below the grouping
	windows *windows       // nil where no window function may stand
	rows    map[string]int // the columns of functions that give rows, by the text of their calls
	// searches are what match() is bound to so far
	searches []*expr.Search
}

// find resolves a column name with at most two qualifiers.
func (s *scope) find(c *ast.Column) (int, error) {
	parts := c.Parts
	name := parts[len(parts)-1]
	if i := c.Place - 1; i >= 0 && i < len(s.cols) && len(parts) == 2 && s.cols[i].Table == parts[0] &&
		s.cols[i].Name == name {
		return i, nil
	}
	table, document := "", false
	switch {
	case len(parts) == 3 && parts[1] == "document":
		table, document = parts[0], true
	case len(parts) == 2 && parts[0] == "document":
		document = true
	case len(parts) == 3:
		table = parts[1]
	case len(parts) == 2:
		table = parts[0]
	}
	if i, err := s.lookUp(c, table, name, document); i >= 0 || err != nil {
		return i, err
	}
	return -1, s.unknown(c, table, name)
}

// findFolded resolves a column name without regard to case, as standard SQL does; -1 if no column or several match.
func (s *scope) findFolded(c *ast.Column) int {
	name, table := c.Parts[len(c.Parts)-1], ""
	if len(c.Parts) > 1 {
		table = c.Parts[len(c.Parts)-2]
	}
	found := -1
	for i, col := range s.cols {
		if !strings.EqualFold(col.Name, name) || table != "" && !strings.EqualFold(col.Table, table) || col.Document ||
			col.Merged {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func (s *scope) lookUp(c *ast.Column, table, name string, document bool) (int, error) {
	best, docs := -1, -1
	for i, col := range s.cols {
		if col.Name != name || table != "" && col.Table != table || table == "" && col.Merged {
			continue
		}
		if col.Document {
			if docs >= 0 && s.cols[docs].Table != col.Table && best < 0 {
				return -1, ambiguous(c, s.cols[docs], col)
			}
			docs = i
			continue
		}
		if best >= 0 && !document {
			return -1, ambiguous(c, s.cols[best], col)
		}
		best = i
	}
	if document || best < 0 {
		return docs, nil
	}
	return best, nil
}

func ambiguous(c *ast.Column, a, b plan.Column) error {
	if a.Table == b.Table {
		return plan.Errorf(c.Pos, plan.CodeAmbiguous, "AS gives one of them another name where both are selected",
			"there are two columns %s", c)
	}
	return plan.Errorf(c.Pos, plan.CodeAmbiguous, fmt.Sprintf("write %s.%s or %s.%s", a.Table, a.Name, b.Table, b.Name),
		"column %s is ambiguous", c)
}

func (s *scope) unknown(c *ast.Column, table, name string) error {
	var names []string
	seen := map[string]bool{}
	tables := map[string]bool{}
	for _, col := range s.cols {
		tables[col.Table] = true
		if (table == "" || col.Table == table) && col.Name != "" && !seen[col.Name] {
			seen[col.Name] = true
			names = append(names, col.Name)
		}
	}
	if table != "" && !tables[table] {
		var known []string
		for _, col := range s.cols {
			if tables[col.Table] {
				known, tables[col.Table] = append(known, col.Table), false
			}
		}
		return plan.Errorf(c.Pos, plan.CodeUndefinedTable, strings.TrimPrefix(option.DidYouMean(table, known), "; "),
			"no table %s in FROM", table)
	}
	hint := strings.TrimPrefix(option.DidYouMean(name, names), "; ")
	if hint == "" && len(names) > 0 && len(names) < 30 {
		hint = "columns: " + strings.Join(names, ", ")
	}
	return plan.Errorf(c.Pos, plan.CodeUndefinedColumn, hint, "unknown column %s", c)
}
