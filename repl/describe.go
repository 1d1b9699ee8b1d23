package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/db"
	"parlance/storage/value"
)

// described are the columns of a statement as rows.
type described struct {
	columns []db.Column
	at      int
}

// describedRows are rows with name and type of each column; a tag if there is none.
func describedRows(columns []db.Column) rows { return &described{columns: columns} }

func (d *described) Columns() []db.Column {
	if len(d.columns) == 0 {
		return nil
	}
	return []db.Column{{Name: "column", Type: value.Text.String()}, {Name: "type", Type: value.Text.String()}}
}

func (d *described) Next() bool {
	d.at++
	return d.at <= len(d.columns)
}

func (d *described) Values() []value.Value {
	c := d.columns[d.at-1]
	return []value.Value{value.Str(c.Name), value.Str(c.Type)}
}

func (d *described) Tag() string { return "The statement gives no rows." }

func (d *described) Err() error { return nil }

func (d *described) Close() error { return nil }

// describeStatement shows the columns of a statement without running it.
func (sh *shell) describeStatement(ctx context.Context, words []string) error {
	e, err := sh.pending(words[0])
	if err != nil {
		return err
	}
	sh.rehearsed = true
	defer func() { sh.rehearsed = false }()
	sh.statements(ctx, e)
	return nil
}

// functionsQuery lists functions whose names are like a pattern.
const functionsQuery = "SELECT signature, doc FROM system.functions WHERE name LIKE %s ESCAPE '!' ORDER BY name"

// functions lists functions; * and ? in the name stand for any characters.
func (sh *shell) functions(ctx context.Context, words []string) error {
	name := "*"
	if len(words) > 1 {
		name = strings.ToLower(strings.TrimSuffix(words[1], ";"))
	}
	pattern := strings.NewReplacer("!", "!!", "%", "!%", "_", "!_", "*", "%", "?", "_").Replace(name)
	sh.own(ctx, fmt.Sprintf(functionsQuery, quote(pattern)))
	return nil
}

// connection tells what the session is on.
func (sh *shell) connection(context.Context, []string) error {
	_, err := fmt.Fprintf(onScreen(sh.s.out), "The session is on %s.\n", sh.conn.Address())
	return err
}

// encoding tells the only encoding that there is.
func (sh *shell) encoding(_ context.Context, words []string) error {
	if name := word(words, 1); name != "" && !strings.EqualFold(strings.ReplaceAll(name, "-", ""), "UTF8") {
		return errors.New(`\encoding takes UTF8: all text is UTF-8`)
	}
	if len(words) > 1 {
		return nil
	}
	_, err := fmt.Fprintln(onScreen(sh.s.out), "UTF8")
	return err
}

// repeatError shows the last error of a statement again, with the statement.
func (sh *shell) repeatError(context.Context, []string) error {
	if sh.lastError == "" {
		_, err := fmt.Fprintln(onScreen(sh.s.out), "There is no previous error.")
		return err
	}
	_, err := fmt.Fprint(sh.errs, sh.lastError)
	return err
}
