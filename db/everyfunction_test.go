package db_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/db"
	"parlance/query/bind"
)

// everyCall is a form of call of a function or an operator: SQL with $1, $2, … for arguments of types.
type everyCall struct {
	name, sql string
	types     []string
}

// everyFunction returns calls of all that system.functions lists, with each number of arguments that it takes, of the
// functions that give rows, and of operators.
func everyFunction(t *testing.T, c *db.Conn) []everyCall {
	t.Helper()
	rows, err := c.Query(context.Background(), "SELECT name, signature FROM system.functions")
	if err != nil {
		t.Fatal(err)
	}
	var out []everyCall
	for rows.Next() {
		v := rows.Values()
		out = append(out, callsOf(t, v[0].S, v[1].S)...)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range bind.RowFunctions {
		f := &bind.RowFunctions[i]
		var types []string
		for _, a := range f.Args {
			types = append(types, typeOf(a))
		}
		least := slices.IndexFunc(f.Args, func(a kind.Arg) bool { return a.Optional })
		if least < 0 {
			least = len(types)
		}
		for n := least; n <= len(types); n++ {
			out = append(out, everyCall{f.Name,
				"(SELECT count(*) FROM (SELECT * FROM " + f.Name + "(" + marks(n) + ") x LIMIT 3) y)", types[:n]})
		}
	}
	return append(out, operatorCalls()...)
}

func typeOf(a kind.Arg) string {
	if a.Type == 0 {
		return "any"
	}
	return a.Type.String()
}

// callsOf reads a signature: name(type, [type], …) → type, name (aggregate), name(…) OVER (…) or
// FROM name(corpus, argument type [, argument => type]).
func callsOf(t *testing.T, name, signature string) (out []everyCall) {
	t.Helper()
	if rest, ok := strings.CutPrefix(signature, "FROM "); ok {
		return tableCalls(name, rest)
	}
	if strings.HasSuffix(signature, "(aggregate)") {
		for _, args := range []string{"$1", "$1, $2", "DISTINCT $1"} {
			out = append(out, everyCall{name, name + "(" + args + ")", []string{"any", "any"}}, everyCall{name,
				name + "(" + args + ") OVER (ROWS BETWEEN $3 PRECEDING AND $3 FOLLOWING)", []string{"any", "any",
					"integer"}})
		}
		return append(out, everyCall{name, name + "($1) WITHIN GROUP (ORDER BY $2)", []string{"any", "any"}})
	}
	list, after, ok := strings.Cut(strings.TrimPrefix(signature, name+"("), ")")
	if !ok {
		t.Fatalf("the signature of %s is %s", name, signature)
	}
	over := ""
	if strings.HasSuffix(after, "OVER (…)") {
		over = " OVER (ORDER BY 1)"
	}
	types := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", []", r) })
	least := strings.Count(list, ",") + 1 - strings.Count(list, "[")
	if n := len(types); n > 0 && types[n-1] == "…" {
		types, least = append(types[:n-1:n-1], types[n-2], types[n-2]), least-1
	}
	if len(types) == 0 {
		least = 0
	}
	for n := least; n <= len(types); n++ {
		out = append(out, everyCall{name, name + "(" + marks(n) + ")" + over, types[:n]})
	}
	return out
}

var tableArgument = regexp.MustCompile(`(\w+) (?:=> )?(\w+)`)

// tableCalls are the calls of a function over a corpus: each with what it needs, and with one further argument.
func tableCalls(name, signature string) (out []everyCall) {
	needed, optional, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(signature, name+"(corpus"), ")"), " [")
	args, types := "texts", []string(nil)
	for _, m := range tableArgument.FindAllStringSubmatch(needed, -1) {
		types = append(types, m[2])
		args += fmt.Sprintf(", $%d", len(types))
	}
	sql := "(SELECT count(*) FROM " + name + "(%s) x)"
	out = append(out, everyCall{name, fmt.Sprintf(sql, args), types})
	for _, m := range tableArgument.FindAllStringSubmatch(optional, -1) {
		out = append(out, everyCall{name, fmt.Sprintf(sql, fmt.Sprintf("%s, %s => $%d", args, m[1], len(types)+1)),
			append(types[:len(types):len(types)], m[2])})
	}
	return out
}

// marks is $1, $2, … $n.
func marks(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(list, ", ")
}

// operatorCalls are calls of operators, and of all that stands for a function by syntax of its own.
func operatorCalls() (out []everyCall) {
	add := func(sql string, types ...string) { out = append(out, everyCall{sql, sql, types}) }
	for _, op := range strings.Fields(
		"+ - * / % || = <> < <= > >= ~ ~* !~ !~* -> ->> #> #>> @> <@ && ? ?| ?& ^@ ^ & | # << >> LIKE ILIKE") {
		add("$1 "+op+" $2", "any", "any")
	}
	for _, op := range []string{"NOT LIKE", "NOT ILIKE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM",
		"AT TIME ZONE", "= ANY", "< ALL"} {
		add("$1 "+op+" ($2)", "any", "any")
	}
	for _, op := range []string{"-($1)", "+($1)", "~($1)", "NOT ($1)", "|/ ($1)", "($1) IS NULL", "($1) IS TRUE",
		"($1) IS NORMALIZED", "EXTRACT(epoch FROM $1)", "ARRAY[$1]", "CASE WHEN $1 THEN 1 END", "GREATEST($1)"} {
		add(op, "any")
	}
	for _, typ := range []string{"text", "integer", "float", "boolean", "timestamp", "date", "bytes", "vector",
		"json", "jsonb", "interval", "smallint", "real", "numeric(10,2)", "varchar(3)", "regclass", "uuid",
		"integer[]", "text[]", "time"} {
		add("CAST($1 AS "+typ+")", "any")
	}
	add("($1)[$2]", "any", "integer")
	add("($1)[$2:$3]", "any", "integer", "integer")
	add("($1)[:$2]", "any", "integer")
	add("($1)[$2:]", "any", "integer")
	add("$1 BETWEEN $2 AND $3", "any", "any", "any")
	add("$1 IN ($2, $3)", "any", "any", "any")
	add("$1 LIKE $2 ESCAPE $3", "text", "text", "text")
	add("CASE $1 WHEN $2 THEN $3 ELSE $1 END", "any", "any", "any")
	add("SUBSTRING($1 FROM $2 FOR $3)", "any", "integer", "integer")
	add("OVERLAY($1 PLACING $2 FROM $3 FOR $4)", "any", "any", "integer", "integer")
	add("TRIM(BOTH $1 FROM $2)", "any", "any")
	add("POSITION($1 IN $2)", "any", "any")
	add("(SELECT count(*) FROM (SELECT 1 LIMIT $1 OFFSET $2) x)", "integer", "integer")
	add("(SELECT count(*) FROM (SELECT * FROM generate_series($1, $2, $3) x LIMIT 3) y)", "timestamp", "timestamp",
		"interval")
	return out
}

// slow tells whether PARLANCE_SLOW asks for all combinations of arguments, which take minutes, in place of a sample.
func slow() bool { return os.Getenv("PARLANCE_SLOW") != "" }
