package table

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// TestNumericColumns: columns of numbers have their types, others are text.
func TestNumericColumns(t *testing.T) {
	const content = "id,text,label,whole,part,zero,mixed,long,longpart,none,gap,exp,minus,plus\n" +
		"1,Ann,1,5,1.5,007,1,12345678901234567,12345678901234567,,,1.5e3,-4,+1\n" +
		"2,Ben,2,-3,2,8,x,9223372036854775807,0.5,,7,2.0,-0.5,2\n"
	f, _ := codec.Find(suite, "csv")
	c, err := f.Configure(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := NumericColumns(context.Background(), c, formattest.FileOf(t, "a.csv", content))
	want := map[string]value.Type{"whole": value.Integer, "part": value.Float, "long": value.Integer, "gap": value.Integer,
		"exp": value.Float, "minus": value.Float}
	if err != nil || len(got) != len(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for name, typ := range want {
		if got[name] != typ {
			t.Errorf("%s is %v, want %v", name, got[name], typ)
		}
	}
}

func TestHeaderFaults(t *testing.T) {
	for _, c := range []struct{ in, want, hint string }{
		{"id,text,id\n1,a,2\n", "stdin:1: the header names column id twice", "WITH (columns = (…)) gives the columns " +
			"other names"},
		{"id;text\n1;a\n", "stdin:2: there is no column text; columns are id;text", "WITH (delimiter = ';')"},
		{"id\ttext\n1\ta\n", "stdin:2: there is no column text; columns are id\ttext", "WITH (delimiter = 'tab')"},
		{"id,body\n1,a\n", "stdin:2: there is no column text; columns are id, body", "WITH (text = 'body') reads the " +
			"texts from column body, which has the longest"},
		{"body,stars\nnot at all bad,5\n", "stdin:2: there is no column text; columns are body, stars", "WITH (text = " +
			"'body') reads the texts from column body, which has the longest"},
	} {
		_, err := formattest.ReadString(suite.Configure(t, "csv"), c.in, 1)
		var e *codec.Error
		if !errors.As(err, &e) || e.Error() != c.want || e.Hint != c.hint {
			t.Errorf("%q: %#v", c.in, err)
		}
	}
}

func TestSeparatedRoundTrip(t *testing.T) {
	// An empty text is NULL in these files.
	str := rapid.OneOf(formattest.AnyText, rapid.StringMatching("[a\",\t\n \r]{1,5}")).Filter(
		func(s string) bool { return s != "" })
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]string{"csv", "tsv"}).Draw(t, "format")
		columns := formattest.RowColumns[:rapid.IntRange(1, len(formattest.RowColumns)).Draw(t, "columns")]
		formattest.CheckRows(t, suite.Configure(t, format), columns, formattest.DrawRows(t, columns, str))

		// Another quote, and none: then a value holds no tab and no line end, and a blank line is no row.
		quote := value.Str(rapid.SampledFrom([]string{"'", "|", "“"}).Draw(t, "quote"))
		quotes := suite.Configure(t, format, formattest.Arg("quote", quote))
		formattest.CheckRows(t, quotes, columns, formattest.DrawRows(t, columns,
			rapid.OneOf(str, rapid.StringMatching("['|“a\n]{1,5}"))))
		plain := str.Filter(func(s string) bool {
			return !strings.ContainsAny(s, "\t\n\r") && s != `\.` && !strings.HasPrefix(s, "\ufeff")
		})
		columns = formattest.RowColumns[:max(2, len(columns))]
		formattest.CheckRows(t, suite.Configure(t, "tsv", formattest.Arg("quote", value.Str(""))), columns,
			formattest.DrawRows(t, columns, plain))
	})
}

// TestWithoutQuotes: a value that would come back as another, or not at all, is refused where there are no quotes.
func TestWithoutQuotes(t *testing.T) {
	word, two := []codec.Column{{Name: "a", Type: value.Text}}, []codec.Column{{Name: "a", Type: value.Text},
		{Name: "b", Type: value.Text}}
	row := func(list ...string) []value.Value {
		var out []value.Value
		for _, s := range list {
			out = append(out, value.Str(s))
		}
		return out
	}
	bare := []option.Arg{formattest.Arg("quote", value.Str(""))}
	for _, c := range []struct {
		args    []option.Arg
		columns []codec.Column
		row     []value.Value
		refused bool
	}{
		{nil, two, row(`a "word" `, `"`), false},
		{nil, two, row("a\tb", "c"), true},
		{nil, two, row("a", "b\nc"), true},
		{nil, two, row("a", "b\rc"), true},
		{nil, two, row(`\.`, "b"), true},
		{nil, two, row("\ufeffa", "b"), true},
		{nil, two, row("a", "\ufeffb"), false},
		{nil, word, row(""), true},
		{nil, word, []value.Value{{}}, true},
		{nil, two, []value.Value{{}, {}}, false},
		{[]option.Arg{formattest.Arg("null", value.Str("-"))}, word, []value.Value{{}}, false},
		{[]option.Arg{formattest.Arg("null", value.Str("-")), formattest.Arg("quoted_null", value.Bool(false))}, two,
			row("-", "a"), true},
	} {
		var b bytes.Buffer
		of := suite.Configure(t, "tsv", append(c.args, bare...)...)
		w, err := codec.NewRowWriter(of, &b, c.columns)
		if err != nil {
			t.Fatal(err)
		}
		types := []value.Type{value.Text, value.Text}[:len(c.columns)]
		err = errors.Join(w.Write(value.FromRows(types, [][]value.Value{c.row})), w.Close())
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "needs quotes") {
			t.Errorf("%q: %v", c.row, err)
		}
		if err != nil {
			continue
		}
		if got, _, err := formattest.RowsString(of, b.String(), c.columns); err != nil ||
			!cmp.Equal(got, [][]value.Value{c.row}) {
			t.Errorf("%q comes back as %q, %v", c.row, got, err)
		}
	}
}
