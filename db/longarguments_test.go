package db_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/db"
)

// shape is what a long text is made of: the middle many times.
type shape struct{ name, before, middle, after string }

var shapes = []shape{
	{"letters", "", "a", ""}, {"words", "", "ab cd ", "e"}, {"accents", "", "é", ""}, {"marks", "a", "\u0301", ""}, {"ligatures", "", "\ufdfa", ""},
	{"quotes", "", `"`, ""}, {"names", "", `"a".`, "b"}, {"digits", "", "9", ""}, {"patterns", "", "Q", ""}, {"percents", "", "%%", ""},
	{"array", "[1", ",2", "]"}, {"nested", strings.Repeat("[", 900) + "1", ",2", strings.Repeat("]", 900)}, {"object", `{"b":1`, `,"a":2`, "}"}, {"braced", "{a", ",b", "}"},
}

// longText is a text of the shape, of about n bytes.
func (s shape) longText(n int) string {
	return s.before + strings.Repeat(s.middle, n/len(s.middle)) + s.after
}

// typedLong are the arguments of each type for which a long one stands, cast to it; a call gets those of its types.
var typedLong = map[string]string{"text": "$1", "any": "$1", "json": "$1::json", "bytes": "convert_to($1, 'UTF8')", "vector": "$1::vector", "timestamp": "$1", "interval": "$1"}

// TestLongArguments calls every function and operator with a long text in each place, and everywhere, under a timeout:
// it ends soon after that, if not before.
func TestLongArguments(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS texts; INSERT INTO texts (id, text) VALUES ('1', 'A b. C d.'), ('2', '')`)
	n, every := 0, 1
	if testing.Short() {
		every = 31
	}
	var long []string
	for _, s := range shapes {
		long = append(long, s.longText(8<<20))
	}
	for _, call := range everyFunction(t, c) {
		for place := range len(call.types) + 1 {
			args, some := make([]string, len(call.types)), false
			for i, typ := range call.types {
				args[i] = extremes[typ][0]
				if cast, ok := typedLong[typ]; ok && (i == place || place == len(call.types)) {
					args[i], some = cast, true
				}
			}
			for i, text := range long {
				if n++; !some || n%every != 0 {
					continue
				}
				sql := "SELECT " + filled(call.sql, args)
				took, err := timed(c, sql, text)
				for tries := 0; took > overshoot && tries < 3; tries++ { // the machine may be busy
					took, err = timed(c, sql, text)
				}
				if code := code(err); took > overshoot || code == "XX000" || code == "58000" {
					t.Errorf("%s of %s: %v, %.200v", sql, shapes[i].name, took, err)
				}
			}
		}
	}
}

// overshoot bounds how long a statement may go on, with its timeout.
var overshoot = testtime.Allow(200 * time.Millisecond)

// timed runs a select that is to end within 50 ms, and returns what that took.
func timed(c *db.Conn, sql, arg string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	took := testtime.Start()
	rows, err := c.Query(ctx, sql, arg)
	if err == nil {
		for rows.Next() {
		}
		err = rows.Close()
	}
	return took.Took(), err
}
