package pgcatalog_test

import (
	"errors"
	"strings"
	"testing"

	"parlance/query/bind"
	"parlance/query/engine"
	"parlance/query/fn"
	"parlance/query/operator"
	"parlance/query/parse"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// TestHostFunctionsTakeAnything calls each function about session and catalog with odd arguments:
// it answers or refuses them.
func TestHostFunctionsTakeAnything(t *testing.T) {
	e := manyModels(t, 2)
	odd := []string{"NULL", "''", "'a.b.c.d'", `'"x'`, "'-1'", "'docs'", "'{a,\"b'"}
	numbers := []string{"NULL", "-1", "0", "1259", "16384", "9223372036854775807"}
	of := func(t value.Type) []string {
		switch t {
		case value.Integer:
			return numbers
		case value.Boolean:
			return []string{"NULL", "true", "false"}
		case fn.Any:
			return append(odd, numbers...)
		}
		return odd
	}
	call := func(text string) {
		t.Helper()
		stmt, err := parse.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Execute(t.Context(), engine.NewSession(), stmt, nil)
		if err == nil {
			_, err = operator.Drain(t.Context(), res.Rows, 0)
		}
		var fault *guard.Panic
		if errors.As(err, &fault) {
			t.Errorf("%s: %v\n%s", text, fault, fault.Stack)
		}
		if name := strings.TrimPrefix(strings.Split(text, "(")[0], "SELECT "); name != "" && err != nil &&
			strings.Contains(err.Error(), "there is no function "+name) {
			t.Error(err)
		}
	}
	for _, f := range e.Funcs.Scalars() {
		if !f.Host {
			continue
		}
		for k := range 13 {
			args := make([]string, len(f.Args))
			for i, a := range f.Args {
				values := of(a)
				args[i] = values[(k+i*5)%len(values)]
			}
			call("SELECT " + f.Name + "(" + strings.Join(args, ", ") + ")")
		}
	}
	for _, f := range bind.RowFunctions {
		for k := range 13 {
			args := make([]string, len(f.Args))
			for i, a := range f.Args {
				values := of(a.Type)
				if f.Name == "generate_series" {
					values = []string{"NULL", "0", "-3", "3"}
				}
				args[i] = values[(k+i*5)%len(values)]
			}
			call("SELECT * FROM " + f.Name + "(" + strings.Join(args, ", ") + ")")
			call("SELECT " + f.Name + "(" + strings.Join(args, ", ") + ")")
		}
	}
	for _, register := range []string{"regclass", "regtype", "regnamespace", "regrole", "regproc", "regcollation"} {
		for _, x := range append(odd, numbers...) {
			call("SELECT (" + x + ")::" + register)
		}
	}
}
