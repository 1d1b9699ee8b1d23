package table

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

var pgColumns = append([]codec.Column{{Name: "t", Type: value.Text}, {Name: "b", Type: value.Bytes},
	{Name: "v", Type: value.Vector}, {Name: "j", Type: value.JSON}},
	formattest.RowColumns...)

// pgTexts draws texts that are hard to keep apart from what stands around them.
var pgTexts = rapid.OneOf(formattest.AnyText, rapid.StringMatching(`[a\\N.x0|,"\t\n \r]{0,5}`),
	rapid.SampledFrom([]string{"", `\N`, `\.`, "none", "\ufeff", "\ufeffa", " "}))

// TestPostgresRoundTrip keeps all values, NULL and the empty text apart.
func TestPostgresRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var args []option.Arg
		if rapid.Bool().Draw(t, "header") {
			args = append(args, formattest.Arg("header", value.Bool(true)))
		}
		if rapid.Bool().Draw(t, "delimiter") {
			args = append(args, formattest.Arg("delimiter",
				value.Str(rapid.SampledFrom([]string{"tab", "|", ",", ";", " "}).Draw(t, "d"))))
		}
		if rapid.Bool().Draw(t, "null") {
			args = append(args, formattest.Arg("null", value.Str(rapid.SampledFrom([]string{"none", `\N`, `a\\`, "a"}).Draw(t, "n"))))
		}
		columns := pgColumns[:rapid.IntRange(1, len(pgColumns)).Draw(t, "columns")]
		rows := formattest.DrawRows(t, columns, pgTexts)
		formattest.CheckRows(t, suite.Configure(t, "pgcopy", args...), columns, rows)
		formattest.CheckRows(t, suite.Configure(t, "csv", append(args, formattest.Arg("quoted_null", value.Bool(false)))...),
			columns, rows)
		formattest.CheckRows(t, suite.Configure(t, "csv", formattest.Arg("header", value.Bool(false)),
			formattest.Arg("quoted_null", value.Bool(false))),
			columns, rows)
		formattest.CheckRows(t, suite.Configure(t, "pgbinary"), columns, rows)
	})
}

// writes notes each write.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

// TestBinaryRowsAreWhole checks that each write is a row, the first with the header before it.
func TestBinaryRowsAreWhole(t *testing.T) {
	const header, end = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff"
	for n, want := range [][]string{{header + end}, {header + "\x00\x01\x00\x00\x00\x01a", end},
		{header + "\x00\x01\x00\x00\x00\x01a", "\x00\x01\x00\x00\x00\x01a", end}} {
		var got writes
		w, err := codec.NewRowWriter(suite.Configure(t, "pgbinary"), &got, []codec.Column{{Name: "t", Type: value.Text}})
		if err == nil && n > 0 {
			b := &value.Batch{N: n, Cols: []value.Vec{{Type: value.Text, Strs: []string{"a", "a"}[:n]}}}
			err = w.Write(b)
		}
		if err == nil {
			err = w.Close()
		}
		if d := cmp.Diff(writes(want), got); d != "" || err != nil {
			t.Errorf("%d rows: %v\n%s", n, err, d)
		}
	}
}

// TestPostgresText reads and writes lines as PostgreSQL does.
func TestPostgresText(t *testing.T) {
	columns := []codec.Column{{Name: "t", Type: value.Text}, {Name: "ok", Type: value.Boolean},
		{Name: "at", Type: value.Timestamp}, {Name: "v", Type: value.Vector},
		{Name: "b", Type: value.Bytes}, {Name: "x", Type: value.Float}}
	in := `tab\tand\\and\x41\101\z` + "\tt\t2001-02-03 04:05:06+00\t{1,2.5}\t\\\\x00ff\tInfinity\n" +
		"\tf\t\\N\t\\N\t\\N\t-0.5\n" + "two\\\nlines\tt\t\\N\t{}\t\\\\x\t1e+100\n" + "\\.\nwhat follows is not read\n"
	rows, _, err := formattest.RowsString(suite.Configure(t, "pgcopy"), in, columns)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := codec.NewRowWriter(suite.Configure(t, "pgcopy"), &b, columns)
	if err != nil {
		t.Fatal(err)
	}
	types := make([]value.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	if err := w.Write(value.FromRows(types, rows)); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`\x41\101\z`, "AAz", "two\\\n", `two\n`, "\\.\nwhat follows is not read\n", "").Replace(in)
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// binaryRows is data as PostgreSQL's clients send it.
func binaryRows(rows ...string) string {
	return "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00" + strings.Join(rows, "")
}

func TestPostgresBinary(t *testing.T) {
	columns := []codec.Column{{Name: "id", Type: value.Text}, {Name: "n", Type: value.Integer}}
	in := binaryRows("\x00\x02\x00\x00\x00\x01a\x00\x00\x00\x04\x00\x00\x00\x07",
		"\x00\x02\x00\x00\x00\x00\xff\xff\xff\xff", "\xff\xff")
	rows, _, err := formattest.RowsString(suite.Configure(t, "pgbinary"), in, columns)
	if got := fmt.Sprint(rows); err != nil || got != "[[a 7] [ ]]" || !rows[1][1].IsNull() || rows[1][0].IsNull() {
		t.Errorf("%v, %v", got, err)
	}
	if again, _, err := formattest.RowsString(suite.Configure(t, "pgbinary"), strings.TrimSuffix(in, "\xff\xff"),
		columns); err != nil ||
		len(again) != 2 {
		t.Errorf("without an end: %v, %v", again, err)
	}
	for in, want := range map[string]string{
		"id,n\n1,2\n": "stdin:1: this is not PostgreSQL's binary format: the " +
			"signature is missing",
		binaryRows("\x00\x01\x00"):                 "stdin:1: row 1: 1 value for 2 columns",
		binaryRows("\x00\x02\x00"):                 "stdin:1: row 1: the data ends within it",
		binaryRows("\x00"):                         "stdin:1: row 1: the data ends within it",
		binaryRows("\x00\x02\x7f\xff\xff\xff"):     "stdin:1: row 1: column id: a value has 2147483647 bytes",
		binaryRows("\x00\x02\x00\x00\x00\x01\xff"): "stdin:1: row 1: column id: byte 0xff is not UTF-8",
		binaryRows("\x00\x02\x00\x00\x00\x01a\x00\x00\x00\x03abc"): "stdin:1: row 1: column n: 3 bytes, a value of " +
			"type 20 has 8",
	} {
		if _, _, err := formattest.RowsString(suite.Configure(t, "pgbinary"), in, columns); err == nil ||
			err.Error() != want {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func FuzzPostgres(f *testing.F) {
	formattest.Seeds(f, "a\t1\n", "\\N\t\\N\n", "a\\\n\t2\n", `\x41\777\t`+"\t3\n\\.\n", "id\tn\na\t1\n",
		binaryRows("\x00\x02\x00\x00\x00\x01a\x00\x00\x00\x04\x00\x00\x00\x07\xff\xff"),
		binaryRows("\x00\x02\xff\xff\xff\xff\xff\xff\xff\xff"), `"",`+"\n,\"1\"\n")
	columns := []codec.Column{{Name: "id", Type: value.Text}, {Name: "n", Type: value.Integer}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckReadRows(t, in, "pgcopy", columns)
		suite.CheckReadRows(t, in, "pgcopy", columns, formattest.Arg("header", value.Bool(true)),
			formattest.Arg("delimiter", value.Str("|")),
			formattest.Arg("null", value.Str("")))
		suite.CheckReadRows(t, in, "csv", columns, formattest.Arg("header", value.Bool(false)),
			formattest.Arg("quoted_null", value.Bool(false)))
		suite.CheckReadRows(t, in, "pgbinary", columns)
	})
}

// TestDelimiters refuses what cannot stand between values.
func TestDelimiters(t *testing.T) {
	for format, bad := range map[string][]string{"pgcopy": {"", "||", "a", "\\", "\n", "é", "7"},
		"csv": {"", "||", "\"", "\n"}} {
		for _, d := range bad {
			f, _ := codec.Find(suite, format)
			if _, err := f.Configure([]option.Arg{formattest.Arg("delimiter", value.Str(d))}); err == nil ||
				!strings.Contains(err.Error(), "delimiter takes") {
				t.Errorf("%s %q: %v", format, d, err)
			}
		}
	}
}
