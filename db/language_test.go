package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/db"

	"github.com/cockroachdb/datadriven"
)

// TestLanguage runs the files of testdata/query. A test is "run", statements, and what they
// print: rows as tab-separated values, tags, notices, errors with code, place and hint.
func TestLanguage(t *testing.T) {
	datadriven.Walk(t, filepath.Join("..", "testdata", "query"), func(t *testing.T, path string) {
		d := open(t, "")
		c := d.Conn()
		var notices []string
		c.OnNotice(func(s string) { notices = append(notices, s) })
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			var out bytes.Buffer
			c.Stdin(strings.NewReader(stdin(td)))
			c.Stdout(&out)
			notices = nil
			err := c.Script(context.Background(), td.Input, func(rows *db.Rows) error { return print(&out, rows) })
			for _, n := range notices {
				fmt.Fprintln(&out, "notice:", n)
			}
			var e *db.Error
			if errors.As(err, &e) {
				fmt.Fprintf(&out, "error %s at %d:%d: %s\n", e.Code, e.Line, e.Column, e.Message)
				if e.Hint != "" {
					fmt.Fprintln(&out, "hint:", e.Hint)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			return out.String()
		})
	})
}

// stdin is the argument stdin of a test, \n and \t being written so.
func stdin(td *datadriven.TestData) string {
	for _, a := range td.CmdArgs {
		if a.Key == "stdin" {
			return strings.NewReplacer("\\n", "\n", "\\t", "\t", "\\s", " ").Replace(strings.Join(a.Vals, ","))
		}
	}
	return ""
}

func open(t testing.TB, path string) *db.DB {
	t.Helper()
	d, err := db.Open(path, db.Options{Kinds: []kind.Kind{kindtest.GroupKind(), kindtest.CorpusKind(), kindtest.RelationKind()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// print writes rows with tabs between, NULL as ∅, floats with four digits.
func print(out *bytes.Buffer, rows *db.Rows) error {
	if len(rows.Columns()) == 0 {
		fmt.Fprintln(out, rows.Tag())
		return nil
	}
	for i, c := range rows.Columns() {
		if i > 0 {
			out.WriteByte('\t')
		}
		out.WriteString(c.Name)
	}
	out.WriteByte('\n')
	for rows.Next() {
		for i, v := range rows.Values() {
			if i > 0 {
				out.WriteByte('\t')
			}
			switch {
			case v.IsNull():
				out.WriteString("∅")
			case rows.Columns()[i].Type == "float":
				fmt.Fprintf(out, "%.4f", v.Float())
			default:
				out.WriteString(strings.ReplaceAll(v.String(), "\n", "⏎"))
			}
		}
		out.WriteByte('\n')
	}
	return rows.Err()
}
