package repl

import (
	"context"
	"slices"
	"strings"

	"parlance/storage/value"
)

// catalog is what completion knows of the database.
type catalog []catalogWord

// catalogWord is a name, of a column with its table.
type catalogWord struct{ sort, name, column string }

// catalogWords asks for all that the catalog offers.
const catalogWords = `SELECT 'table' AS what, CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS name, column_name AS part
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'kind', name, '' FROM system.kinds
UNION ALL SELECT 'model', name, kind FROM system.models WHERE serves
UNION ALL SELECT 'setting', name, '' FROM system.settings
UNION ALL SELECT 'format', name, '' FROM system.formats`

// catalog asks the database.
func (c *completer) catalog(ctx context.Context) (out catalog) {
	for _, row := range c.rows(ctx, catalogWords) {
		out = append(out, catalogWord{row[0].String(), row[1].String(), row[2].String()})
	}
	return out
}

// names lists those of some sorts, such as tables.
func (k catalog) names(sorts ...string) (out []string) {
	for _, w := range k {
		if slices.Contains(sorts, w.sort) {
			out = append(out, w.name)
		}
	}
	return out
}

// fields are the columns of the tables that a statement names, of all but system.… where it names none yet; with
// the name of their table where the prefix has one.
func (k catalog) fields(s *seen, prefix string) (out []string) {
	qualifier := ""
	if i := strings.LastIndexByte(prefix, '.'); i >= 0 {
		qualifier = prefix[:i]
	}
	tables := s.tables(func(name string) bool {
		return slices.ContainsFunc(k, func(w catalogWord) bool { return w.sort == "table" && w.name == name })
	})
	for _, w := range k {
		switch {
		case w.sort != "table":
		case qualifier != "" && tables[strings.ToLower(qualifier)] == w.name:
			out = append(out, qualifier+"."+w.column)
		case qualifier == "" && (len(tables) == 0 && !strings.HasPrefix(w.name, "system.") || tables[w.name] != ""):
			out = append(out, w.column)
		}
	}
	if qualifier == "" {
		for name := range tables {
			out = append(out, name)
		}
	}
	return out
}

// options are the names of the options of the kind or format of a statement, or the values of one.
func (c *completer) options(ctx context.Context, s *seen, option string) (out []string) {
	for _, row := range c.declared(ctx, s) {
		name, typ, values := row[0].String(), row[1].String(), row[2].String()
		switch {
		case option == "":
			out = append(out, name)
		case strings.EqualFold(option, name) && strings.Contains(values, " | "):
			for v := range strings.SplitSeq(values, " | ") {
				if typ == "text" {
					v = "'" + v + "'"
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// declared are rows of name, type and range.
func (c *completer) declared(ctx context.Context, s *seen) (rows [][]value.Value) {
	if s.cursor == 0 {
		return nil
	}
	of := "SELECT name, type, range FROM system.options WHERE kind = " + quote(strings.ToUpper(s.tokens[0])) +
		" OR kind IN (''"
	if s.is(0, "TRAIN", "TUNE") && s.cursor > 1 {
		return c.rows(ctx, of+", "+quote(strings.ToLower(s.tokens[1]))+")")
	}
	if format := s.behind("FORMAT"); format != "" {
		if !plainName.MatchString(format) {
			return nil
		}
		rows = c.rows(ctx, "DESCRIBE FORMAT "+format)
		for i, row := range rows {
			rows[i] = []value.Value{row[0], row[1], row[3]}
		}
		return rows
	}
	for _, w := range c.catalog(ctx) {
		if w.sort == "model" && slices.Contains(s.tokens, w.name) {
			of += ", " + quote(w.column)
		}
	}
	return c.rows(ctx, of+") AND phase <> 'train'")
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// rows are those of a query, none if it fails; its notices are not shown.
func (c *completer) rows(ctx context.Context, query string) (out [][]value.Value) {
	if c.quiet != nil {
		*c.quiet = true
		defer func() { *c.quiet = false }()
	}
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	rows, err := c.conn.Query(ctx, query)
	if err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		out = append(out, slices.Clone(rows.Values()))
	}
	return out
}
