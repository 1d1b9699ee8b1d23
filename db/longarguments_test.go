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
	{"letters", "", "a", ""}, {"words", "", "ab cd ", "e"}, {"accents", "", "é", ""}, {"marks", "a", "\u0301", ""},
	{"ligatures", "", "\ufdfa", ""},
	{"quotes", "", `"`, ""}, {"names", "", `"a".`, "b"}, {"digits", "", "9", ""}, {"patterns", "", "Q", ""},
	{"percents", "", "%%", ""},
	{"array", "[1", ",2", "]"}, {"nested", strings.Repeat("[", 900) + "1", ",2", strings.Repeat("]", 900)}, {"object",
		`{"b":1`, `,"a":2`, "}"}, {"braced", "{a", ",b", "}"},
}

// longText is a text of the shape, of about n bytes.
func (s shape) longText(n int) string {
	return s.before + strings.Repeat(s.middle, n/len(s.middle)) + s.after
}

// typedLong are the arguments of each type for which a long one stands, cast to it; a call gets those of its types.
var typedLong = map[string]string{"text": "$1", "any": "$1", "json": "$1::json", "bytes": "convert_to($1, 'UTF8')",
	"vector": "$1::vector", "timestamp": "$1", "interval": "$1"}

// TestLongArguments calls every function and operator with a long text in each place, and everywhere, under a timeout:
// it ends soon after that, if not before. Short runs take one of the shapes for each, everywhere.
func TestLongArguments(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS texts; INSERT INTO texts (id, text) VALUES ('1', 'A b. C d.'), ('2', '')`)
	var long []string
	for _, s := range shapes {
		long = append(long, s.longText(8<<20))
	}
	n := 0
	for k, call := range everyFunction(t, c) {
		for place := range len(call.types) + 1 {
			sql, every := withLong(call, place), 1
			switch everywhere := place == len(call.types); {
			case sql == "", !slow() && !everywhere:
				continue
			case !slow():
				every = len(shapes)
			case !everywhere:
				every = 3
			}
			for i := (k + place) % every; i < len(shapes); i += every {
				n++
				endsSoon(t, c, sql, shapes[i].name, long[i])
			}
		}
	}
	t.Logf("%d calls", n)
}

// withLong is a call with a long text at a place, behind the last one everywhere; empty where none can stand.
func withLong(call everyCall, place int) string {
	args, some := make([]string, len(call.types)), false
	for i, typ := range call.types {
		args[i] = extremes[typ][0]
		if cast, ok := typedLong[typ]; ok && (i == place || place == len(call.types)) {
			args[i], some = cast, true
		}
	}
	if !some {
		return ""
	}
	return "SELECT " + filled(call.sql, args)
}

// endsSoon runs a select of a text, again where it took too long, for the machine may be busy.
func endsSoon(t *testing.T, c *db.Conn, sql, shape, text string) {
	t.Helper()
	took, err := timed(c, sql, text)
	for tries := 0; took > overshoot && tries < 3; tries++ {
		took, err = timed(c, sql, text)
	}
	if code := code(err); took > overshoot || code == "XX000" || code == "58000" {
		t.Errorf("%s of %s: %v, %.200v", sql, shape, took, err)
	}
}

// overshoot bounds how long a statement may go on, with its timeout: well below the second that is promised.
var overshoot = testtime.Allow(400 * time.Millisecond)

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
