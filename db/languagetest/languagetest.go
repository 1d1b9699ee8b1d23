// Package languagetest runs the tests of the language in testdata/query against a driver: the embedded database,
// database/sql, or a client of the server. Their output is the same with all drivers.
package languagetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/testtime"
	"parlance/db"
	"parlance/storage/value"

	"github.com/cockroachdb/datadriven"
)

// Driver is a session of a database as a client sees it.
type Driver interface {
	// Script runs the statements of a script until the first error, whose place is one in the
	// script. What each gives goes to show, the rows before an error too.
	Script(ctx context.Context, script string, show func(*Result)) error
	// Streams sets what LOAD STDIN reads and COPY … TO STDOUT writes.
	Streams(in io.Reader, out io.Writer)
	// OnNotice sets what receives notices.
	OnNotice(func(string))
}

// NoHeader is a frontend that does not tell the columns of a result which fails before its first row.
type NoHeader interface {
	Driver
	Headless()
}

// Altered is a frontend behind which statements may have had other effects than the test expects, such as a training
// that was tried several times, after which what is printed is not compared.
type Altered interface {
	Driver
	Altered() bool
}

// Result is what a statement gives: columns with rows, or a tag.
type Result struct {
	Columns []db.Column
	Rows    [][]value.Value
	Tag     string
}

// Open opens a temporary database with the kinds of model that the tests use, until the test ends.
func Open(t testing.TB, path string) *db.DB {
	t.Helper()
	d, err := db.Open(path, db.Options{Kinds: []kind.Kind{kindtest.GroupKind(), kindtest.CorpusKind(),
		kindtest.RelationKind(), kindtest.ParserKind(), kindtest.MemoryKind(), kindtest.InputsKind(),
		kindtest.TableKind(), kindtest.RolesKind(), kindtest.RankedKind(), kindtest.FieldsKind(),
		kindtest.RuleVotesKind(), kindtest.LinkerKind(), kindtest.SearchKind(), kindtest.EntitiesKind()}})
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

// trains are files that learn for most of their time. The race detector slows that down most, and
// watches the same trainings, tunings and replays in the tests of kinds and of db.
var trains = []string{"evaluate.test", "lineage.test", "lookahead.test", "maxent.test", "model.test", "nonlocal.test",
	"perceptron.test", "svm.test", "trescal.test", "tune.test"}

// Run runs the files of testdata/query, each in a session on a database of its own. A test is
// "run", statements, and what they print: rows as tab-separated values, tags, notices, errors
// with code, place and hint. Paths in statements are relative to folder, which is db. Short runs
// under the race detector leave out what trains.
func Run(t *testing.T, folder string, open func(*testing.T, *db.DB) Driver) {
	RunBut(t, folder, nil, open)
}

// RunBut is Run without some files, such as sql.test.
func RunBut(t *testing.T, folder string, but []string, open func(*testing.T, *db.DB) Driver) {
	t.Chdir(folder)
	datadriven.Walk(t, filepath.Join("..", "testdata", "query"), func(t *testing.T, path string) {
		if slices.Contains(but, filepath.Base(path)) {
			return
		}
		if testtime.Race && testing.Short() && slices.Contains(trains, filepath.Base(path)) {
			t.Skip("trains: left out by -short under the race detector")
		}
		frontend := open(t, Open(t, ""))
		var notices []string
		frontend.OnNotice(func(s string) { notices = append(notices, s) })
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			var out bytes.Buffer
			frontend.Streams(strings.NewReader(stdin(td)), &out)
			notices = nil
			err := frontend.Script(context.Background(), td.Input, func(r *Result) { Print(&out, r) })
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
			if f, ok := frontend.(Altered); ok && f.Altered() {
				return td.Expected
			}
			if _, ok := frontend.(NoHeader); ok && err != nil && out.String() == headless(td.Expected) {
				return td.Expected
			}
			return out.String()
		})
	})
}

// headless leaves out the line before an error, if it is that of columns: no tag, notice or row
// of cells ends there, for what fails before its first row gives nothing else.
func headless(expected string) string {
	before, after, ok := strings.Cut(expected, "error ")
	if !ok || !strings.HasSuffix(before, "\n") {
		return expected
	}
	at := strings.LastIndexByte(strings.TrimSuffix(before, "\n"), '\n') + 1
	return before[:at] + "error " + after
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

// Print writes rows with tabs between, NULL as ∅, floats with four digits.
func Print(out io.Writer, r *Result) {
	if len(r.Columns) == 0 {
		fmt.Fprintln(out, r.Tag)
		return
	}
	var names []string
	for _, c := range r.Columns {
		names = append(names, c.Name)
	}
	fmt.Fprintln(out, strings.Join(names, "\t"))
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			switch {
			case v.IsNull():
				cells[i] = "∅"
			case r.Columns[i].Type == "float":
				cells[i] = fmt.Sprintf("%.4f", v.Float())
			default:
				cells[i] = strings.ReplaceAll(v.String(), "\n", "⏎")
			}
		}
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
}
