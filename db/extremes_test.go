package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/db"
)

// extremes are values at the edge of each type, as SQL; the first is an ordinary one.
var extremes = map[string][]string{
	"text": {"'é b'", "''", "'é́'", "'%'", "'a b'", "'('", "'{'", "'['", `'"'`, `'\'`, "'-9223372036854775808'",
		"'9223372036854775808'", "'NaN'", "'-infinity'", "'2024-02-30'", "'0000-00-00 99:99'",
		"'{a,b}'", `'{"a":[1,null]}'`, "'[1,2,3]'", "'1 2'", "'hex'", "'day'", "'g'", "'9'", "'YYYY'",
		"'*2147483648$-s%%%1$*2$s'", "repeat('a', 70000)", "repeat('é ', 400)", "repeat('[', 10001)"},
	"integer": {"2", "'-9223372036854775808'::integer", "9223372036854775807", "-9223372036854775807", "-1", "0",
		"2147483648", "-2147483649", "1114112"},
	"float": {"1.5", "'NaN'::float", "'Infinity'::float", "'-Infinity'::float", "1.7976931348623157e308",
		"-1.7976931348623157e308", "5e-324", "-0.0", "9223372036854775808.0", "-9223372036854775809.0"},
	"boolean": {"true", "false"},
	"timestamp": {"'2024-02-29 12:00:00'::timestamp", "'0001-01-01'::timestamp",
		"'9999-12-31 23:59:59.999999'::timestamp", "'1970-01-01'::timestamp", "'-infinity'::timestamp"},
	"bytes": {`'\x6162'::bytes`, "''::bytes", `'\x00'::bytes`, `'\xff'::bytes`,
		"convert_to(repeat('a', 300), 'UTF8')"},
	"json": {`'[1,2,3]'::json`, "'null'::json", "'[]'::json", "'{}'::json", `'{"":{"":[null]}}'::json`,
		`'"\u0000"'::json`, "'[1e400,-9223372036854775809]'::json", `'"\ud800"'::json`,
		`(repeat('[', 300) || repeat(']', 300))::json`, `('[1' || repeat(',1', 300) || ']')::json`},
	"vector": {"'[1,2,3]'::vector", "'[]'::vector", "'[3.4e38,-3.4e38]'::vector", "'[0]'::vector"},
	"interval": {"'1 day'::interval", "'178956970 years'::interval", "'-178956970 years'::interval",
		"'2562047788 hours'::interval", "'-2562047788 hours'::interval", "'2147483647 days'::interval",
		"'0'::interval"},
}

// ordinary are values for arguments of any type while another argument is at an edge.
var ordinary = []string{"'é b'", "'{a,b}'", "'[1,2,3]'::json", `'{"a":1}'::json`, "'[1,2,3]'::vector", "2",
	"'2024-02-29 12:00:00'::timestamp", "'1 day'::interval", `'\x6162'::bytes`}

func init() {
	for typ := range extremes {
		extremes[typ] = append(extremes[typ], "NULL")
	}
	extremes["any"] = append([]string{}, ordinary...)
	for _, typ := range strings.Fields("text integer float boolean timestamp bytes json vector interval") {
		extremes["any"] = append(extremes["any"], extremes[typ][1:]...)
	}
}

var mark = regexp.MustCompile(`\$[1-9]\b`)

// filled puts arguments in the place of the marks of a call.
func filled(call string, args []string) string {
	return mark.ReplaceAllStringFunc(call, func(m string) string {
		n, _ := strconv.Atoi(m[1:])
		return args[n-1]
	})
}

// TestExtremeArguments computes every function and operator of values at the edges of the types, as constants and of
// rows: what it says of them is an answer or an error of its own, soon.
func TestExtremeArguments(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS texts; INSERT INTO texts (id, text) VALUES ('1', 'A b. C d.'), ('2', '');
CREATE LEXICON edges (k TEXT, "text" TEXT, "integer" INTEGER, "float" FLOAT, "boolean" BOOLEAN, "timestamp" TIMESTAMP, "bytes" BYTES, "json" JSON, "vector" VECTOR, "interval" INTERVAL)`)
	place := storeExtremes(t, c)
	r := rand.New(rand.NewPCG(1, 1))
	n, every := 0, 1
	if !slow() {
		every = 17
	}
	for _, call := range everyFunction(t, c) {
		for _, args := range argumentLists(r, call.types, 30) {
			for _, sql := range []string{"SELECT " + filled(call.sql, args), overRows(call, args, place)} {
				if n++; n%every != 0 {
					continue
				}
				took := testtime.Start()
				err := answered(c, sql)
				switch code := code(err); {
				case code == "XX000" || code == "58000":
					t.Errorf("%s: %.300s", sql, err)
				case took.Took() > testtime.Allow(2*time.Second) && call.name != "pg_sleep":
					t.Errorf("%s: %v, %s", sql, took.Took(), code)
				}
			}
		}
	}
	t.Logf("%d statements", n/every)
}

// answered runs a select to its end, 3 seconds at most.
func answered(c *db.Conn, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	rows, err := c.Query(ctx, sql)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return rows.Close()
}

// extremeColumn is where a value lies in the table of extremes.
type extremeColumn struct {
	k    int
	name string
}

// storeExtremes fills the table of extremes; what does not fit its type is left out.
func storeExtremes(t *testing.T, c *db.Conn) map[string]extremeColumn {
	t.Helper()
	place := map[string]extremeColumn{}
	for typ, list := range extremes {
		for _, sql := range list {
			if typ == "any" || c.Script(context.Background(),
				fmt.Sprintf(`INSERT INTO edges (k, "%s") VALUES ('%d', %s)`, typ, len(place)+1, sql), nil) != nil {
				continue
			}
			place[sql] = extremeColumn{len(place) + 1, typ}
		}
	}
	if len(place) < 60 {
		t.Fatalf("%d values are stored", len(place))
	}
	return place
}

// overRows is a call whose arguments are read from rows.
func overRows(call everyCall, args []string, place map[string]extremeColumn) string {
	columns, from, where := make([]string, len(args)), "", ""
	for i, a := range args {
		p, ok := place[a]
		if !ok {
			columns[i] = a
			continue
		}
		columns[i] = fmt.Sprintf(`x%d."%s"`, i, p.name)
		if from != "" {
			from, where = from+", ", where+" AND "
		}
		from += fmt.Sprintf("edges x%d", i)
		where += fmt.Sprintf("x%d.k = '%d'", i, p.k)
	}
	if from == "" {
		return "SELECT " + filled(call.sql, args)
	}
	return "SELECT " + filled(call.sql, columns) + " FROM " + from + " WHERE " + where
}

// argumentLists are lists of arguments: in each place every extreme among ordinary ones, and n drawn at random.
func argumentLists(r *rand.Rand, types []string, drawn int) (out [][]string) {
	if len(types) == 0 {
		return [][]string{nil}
	}
	turn := 0
	list := func(place int, x string) {
		args := make([]string, len(types))
		for i, typ := range types {
			if args[i] = extremes[typ][0]; typ == "any" {
				args[i] = ordinary[turn%len(ordinary)]
			}
		}
		args[place] = x
		out = append(out, args)
		turn++
	}
	for i, typ := range types {
		bases := 1
		if typ != "any" && slices.Contains(types, "any") {
			bases = len(ordinary)
		}
		for _, x := range extremes[typ] {
			for range bases {
				list(i, x)
			}
		}
	}
	for range drawn {
		args := make([]string, len(types))
		for i, typ := range types {
			args[i] = extremes[typ][r.IntN(len(extremes[typ]))]
		}
		out = append(out, args)
	}
	return out
}
