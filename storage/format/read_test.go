package format

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// options turns the arguments of a directive into options: truth values, lists and texts.
func options(args []datadriven.CmdArg) (out []option.Arg) {
	for _, a := range args {
		switch {
		case a.Key == "columns" || len(a.Vals) > 1:
			list := option.Arg{Name: a.Key}
			for _, v := range a.Vals {
				list.List = append(list.List, option.Arg{Value: value.Str(v)})
			}
			out = append(out, list)
		case a.Vals[0] == "true" || a.Vals[0] == "false":
			out = append(out, formattest.Arg(a.Key, value.Bool(a.Vals[0] == "true")))
		default:
			out = append(out, formattest.Arg(a.Key, value.Str(a.Vals[0])))
		}
	}
	return out
}

// unescape turns \t, \r, \\ and \xNN of test data into bytes.
func unescape(t testing.TB, s string) string {
	t.Helper()
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		u, err := strconv.Unquote(`"` + strings.ReplaceAll(l, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		lines[i] = u
	}
	return strings.Join(lines, "\n")
}

// runData runs the directives read (a stream of documents) and rows (typed columns):
//
//	read FORMAT [escaped] [option=value ...]
//	rows FORMAT [escaped] as=(name:TYPE, ...) [option=value ...]
func runData(t *testing.T, d *datadriven.TestData) string {
	in, format := d.Input+"\n", d.CmdArgs[0].Key
	var columns []codec.Column
	var args []datadriven.CmdArg
	for _, a := range d.CmdArgs[1:] {
		switch a.Key {
		case "escaped":
			in = unescape(t, in)
		case "as":
			for _, v := range a.Vals {
				name, typ, _ := strings.Cut(v, ":")
				ty, ok := value.ParseType(typ)
				if !ok {
					d.Fatalf(t, "there is no type %s", typ)
				}
				columns = append(columns, codec.Column{Name: name, Type: ty})
			}
		default:
			args = append(args, a)
		}
	}
	f, ok := Lookup(format)
	if !ok {
		d.Fatalf(t, "there is no format %s", format)
	}
	var b strings.Builder
	c, err := f.Configure(options(args))
	switch {
	case err != nil:
	case d.Cmd == "read":
		var got formattest.Collected
		got, err = formattest.ReadString(c, in, 1)
		for i, doc := range got.Docs {
			formattest.Dump(&b, doc, got.Places[i])
		}
		for _, n := range codec.Notices(c) {
			fmt.Fprintf(&b, "notice: %s\n", n)
		}
	case d.Cmd == "rows":
		var rows [][]value.Value
		var places []string
		rows, places, err = formattest.RowsString(c, in, columns)
		for i, row := range rows {
			fmt.Fprintf(&b, "%s:", places[i])
			for _, v := range row {
				fmt.Fprintf(&b, " %s %q", v.T, v.String())
			}
			b.WriteByte('\n')
		}
	default:
		d.Fatalf(t, "there is no directive %s", d.Cmd)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	datadriven.Walk(t, "testdata/read", func(t *testing.T, path string) { datadriven.RunTest(t, path, runData) })
}

func TestMalformed(t *testing.T) {
	datadriven.Walk(t, "testdata/malformed", func(t *testing.T, path string) { datadriven.RunTest(t, path, runData) })
}

func TestEmpty(t *testing.T) {
	columns := []codec.Column{{Name: "a", Type: value.Text}}
	for _, f := range List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which begin with a signature
			continue
		}
		c := suite.Configure(t, f.Name)
		if f.Target == codec.Documents {
			if got, err := formattest.ReadString(c, "", 4); err != nil || len(got.Docs) != 0 {
				t.Errorf("%s: %d documents, %v", f.Name, len(got.Docs), err)
			}
		}
		if codec.ReadsRows(c) {
			if rows, _, err := formattest.RowsString(c, "", columns); err != nil || len(rows) != 0 {
				t.Errorf("%s: %d rows, %v", f.Name, len(rows), err)
			}
		}
	}
}

func TestWrongTarget(t *testing.T) {
	if _, err := formattest.ReadString(suite.Configure(t, "lexicon"), "a\n", 1); err == nil ||
		err.Error() != "the format holds no "+
			"documents" {
		t.Error(err)
	}
	if _, _, err := formattest.RowsString(suite.Configure(t, "conllu"), "a\n", nil); err == nil ||
		err.Error() != "the format holds no "+
			"rows" {
		t.Error(err)
	}
}
