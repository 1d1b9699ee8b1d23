package format

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

func TestConllRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := option.Arg{Name: "columns"}
		for _, n := range []string{"form", "_", "lemma", "chunks", "head", "deprel", "entities"} {
			columns.List = append(columns.List, option.Arg{Value: value.Str(n)})
		}
		scheme := rapid.SampledFrom([]string{"bio", "iob1", "iobes"}).Draw(t, "scheme")
		c := suite.Configure(t, "conll", columns, formattest.Arg("separator", value.Str("tab")),
			formattest.Arg("scheme", value.Str(scheme)))
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			d, toks := formattest.Tokens(t, fmt.Sprintf("stdin:%d", i+1))
			formattest.Column(t, toks, "lemma")
			formattest.SpanLayer(t, d, text.Chunks)
			formattest.SpanLayer(t, d, text.Entities)
			formattest.Arcs(t, d, toks)
			docs = append(docs, d)
		}
		file := formattest.Written(t, c, docs)
		got, err := formattest.ReadString(c, file, 2)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		for _, d := range got.Docs {
			d.DropLayer("words") // how the file was laid out
		}
		if diff := cmp.Diff(formattest.Dumps(docs), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatalf("%s\nin\n%s", diff, file)
		}
	})
}

// conlluFile draws a file as treebanks have it.
func conlluFile(t *rapid.T) string {
	var b strings.Builder
	cell := rapid.OneOf(formattest.Word, rapid.Just("_"))
	feats := rapid.SampledFrom([]string{"_", "Case=Nom", "Case=Acc|Number=Sing"})
	misc := rapid.SampledFrom([]string{"_", "SpaceAfter=No", "Gloss=x|SpaceAfter=No"})
	empty := func(n, k int) {
		fmt.Fprintf(&b, "%d.%d\t%s\t_\t_\t_\t_\t_\t_\t%d:dep\t_\n", n, k, formattest.Word.Draw(t, "empty"), n)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "sentences") {
		if i == 0 || rapid.Bool().Draw(t, "newdoc") {
			fmt.Fprintf(&b, "# newdoc id = d%d\n", i)
		}
		fmt.Fprintf(&b, "# sent_id = %d\n", i)
		if rapid.Bool().Draw(t, "empty node first") {
			empty(0, 1)
		}
		n := rapid.IntRange(1, 6).Draw(t, "tokens")
		joined := 0
		for k := 1; k <= n; k++ {
			if k > joined && k < n && rapid.IntRange(0, 3).Draw(t, "multiword") == 0 {
				joined = rapid.IntRange(k, n).Draw(t, "to")
				fmt.Fprintf(&b, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n", k, joined, formattest.Word.Draw(t, "surface"),
					misc.Draw(t, "misc"))
			}
			head, rel := "_", "_"
			if h := rapid.IntRange(-1, n).Draw(t, "head"); h >= 0 && h != k {
				head, rel = fmt.Sprint(h), formattest.Name.Draw(t, "deprel")
			}
			deps := rapid.SampledFrom([]string{"_", "0:root", "1:a|2:b"}).Draw(t, "deps")
			fmt.Fprintf(&b, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k, cell.Draw(t, "form"), cell.Draw(t, "lemma"),
				cell.Draw(t, "upos"), cell.Draw(t, "xpos"), feats.Draw(t, "feats"), head, rel, deps, misc.Draw(t, "misc"))
			if rapid.IntRange(0, 4).Draw(t, "empty node") == 0 {
				empty(k, 1)
				empty(k, 2)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestConlluRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "conllu")
		file := conlluFile(t)
		got, err := formattest.ReadString(c, file, 2)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Comments without a sentence survive.
func TestConlluComments(t *testing.T) {
	file := "# newdoc id = a\n1\tb" + strings.Repeat("\t_", 8) + "\n\n# end\n\n"
	c := suite.Configure(t, "conllu")
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// Documents of other sources get the comments that CoNLL-U wants.
func TestConlluOfTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "conllu")
		d, toks := formattest.Tokens(t, "a b")
		formattest.Column(t, toks, "lemma", "upos")
		formattest.Arcs(t, d, toks)
		got, err := formattest.ReadString(c, formattest.Written(t, c, []*text.Document{d}), 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Docs) != 1 {
			t.Fatalf("%d documents", len(got.Docs))
		}
		if words := got.Docs[0].Layer("words"); words == nil || words.Strs("line")[0] != "# newdoc id = a b" ||
			!strings.HasPrefix(words.Strs("line")[1], "# text = ") {
			t.Fatalf("comments: %v", words)
		}
		got.Docs[0].DropLayer("words")
		if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestJSONLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			var d *text.Document
			id := fmt.Sprintf("%s%d", formattest.AnyText.Draw(t, "id"), i)
			if rapid.Bool().Draw(t, "tokens") {
				var toks *text.Layer
				d, toks = formattest.Tokens(t, id)
				formattest.Column(t, toks, "lemma", "upos", "xpos", "feats", "misc")
				formattest.SpanLayer(t, d, text.Entities)
				formattest.SpanLayer(t, d, text.Segments)
				formattest.Arcs(t, d, toks)
			} else {
				d = &text.Document{ID: id, Text: formattest.AnyText.Draw(t, "text")}
				looseSpans(t, d)
			}
			if rapid.Bool().Draw(t, "labelled") {
				d.SetLayer(layers.Labels(rapid.SliceOfN(formattest.Name, 1, 3).Draw(t, "labels")...))
			}
			formattest.Metadata(t, d)
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "jsonl"), docs)
	})
}

// looseSpans draws spans of a text without tokens.
func looseSpans(t *rapid.T, d *text.Document) {
	var at []int32
	for i := range d.Text {
		at = append(at, int32(i))
	}
	at = append(at, int32(len(d.Text)))
	l := text.NewLayer(text.Entities)
	var texts, names []string
	for from := 0; from < len(at); {
		to := rapid.IntRange(from, len(at)-1).Draw(t, "end")
		l.Cols[1].Ints, l.Cols[2].Ints = append(l.Cols[1].Ints, at[from]), append(l.Cols[2].Ints, at[to])
		texts, names = append(texts, d.Text[at[from]:at[to]]), append(names, formattest.Name.Draw(t, "label"))
		l.N++
		from = to + 1
	}
	l.SetStrs("label", names)
	l.SetStrs("text", texts)
	d.SetLayer(l)
}

func TestLinesRoundTrip(t *testing.T) {
	line := formattest.AnyText.Filter(func(s string) bool { return s != "" && !strings.ContainsAny(s, "\r\n\ufeff") })
	rapid.Check(t, func(t *rapid.T) {
		where := rapid.SampledFrom([]string{"none", "first", "last"}).Draw(t, "label")
		var docs []*text.Document
		for i, s := range rapid.SliceOfN(line, 1, 4).Draw(t, "texts") {
			d := &text.Document{ID: fmt.Sprintf("stdin:%d", i+1), Text: s}
			if where != "none" {
				d.SetLayer(layers.Labels(formattest.Name.Draw(t, "name")))
			}
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "lines", formattest.Arg("label", value.Str(where))), docs)
	})
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

func TestJSONLRowsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		formattest.CheckRows(t, suite.Configure(t, "jsonl"), formattest.RowColumns,
			formattest.DrawRows(t, formattest.RowColumns, formattest.AnyText))
	})
}

func TestTabbedRoundTrip(t *testing.T) {
	str := rapid.OneOf(formattest.AnyText, formattest.Word).Filter(func(s string) bool {
		return s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\t\n\ufeff")
	})
	columns := []codec.Column{{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text},
		{Name: "n", Type: value.Integer}}
	rapid.Check(t, func(t *rapid.T) {
		rows := formattest.DrawRows(t, columns, str)
		for i := range rows {
			rows[i][0] = value.Str(str.Draw(t, "word"))
		}
		formattest.CheckRows(t, suite.Configure(t, rapid.SampledFrom([]string{"gazetteer", "lexicon"}).Draw(t, "format")),
			columns, rows)
	})
}

// What a format cannot hold is refused rather than changed.
func TestRefused(t *testing.T) {
	spaced := layers.Builder{}
	spaced.Sentence()
	spaced.Token("New York", false)
	withBlank, _ := spaced.Document("d")
	two := &text.Document{ID: "d", Text: "one\ntwo"}
	labelled := &text.Document{ID: "d", Text: "x"}
	labelled.SetLayer(layers.Labels("a", "b"))
	for _, c := range []struct {
		format string
		args   []option.Arg
		d      *text.Document
		want   string
	}{
		{"conll", nil, withBlank,
			`document d: "New York" does not fit into a column; WITH (separator = 'tab') allows blanks`},
		{"lines", nil, two, "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{"lines", nil, &text.Document{ID: "d"}, "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{"lines", []option.Arg{formattest.Arg("label", value.Str("first"))}, &text.Document{ID: "d", Text: "x"},
			"document d has no label"},
		{"lines", []option.Arg{formattest.Arg("label", value.Str("first"))}, labelled,
			"document d: its labels do not fit beside the text; FORMAT jsonl holds any"},
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, c.format, c.args...), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
	w, err := codec.NewRowWriter(suite.Configure(t, "gazetteer"), &bytes.Buffer{},
		[]codec.Column{{Name: "phrase", Type: value.Text}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(value.FromRows([]value.Type{value.Text}, [][]value.Value{{value.Str("a\tb")}})); err == nil ||
		err.Error() != `column phrase: "a\tb" does not fit between tabs` {
		t.Error(err)
	}
}

func TestMarkdown(t *testing.T) {
	columns := []codec.Column{{Name: "a|b", Type: value.Text}, {Name: "n", Type: value.Integer}}
	var b bytes.Buffer
	w, err := codec.NewRowWriter(suite.Configure(t, "markdown"), &b, columns)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]value.Value{{value.Str("x|y\nz"), value.Int(1)}, {{}, {}}}
	if err := w.Write(value.FromRows([]value.Type{value.Text, value.Integer}, rows)); err != nil {
		t.Fatal(err)
	}
	want := "| a\\|b | n |\n|---|---:|\n| x\\|y z | 1 |\n|  |  |\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTriplesRoundTrip(t *testing.T) {
	str := rapid.OneOf(formattest.AnyText, formattest.Word).Filter(func(s string) bool {
		return s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\t\n\ufeff")
	})
	columns := []codec.Column{{Name: "subject", Type: value.Text}, {Name: "relation", Type: value.Text},
		{Name: "object", Type: value.Text}, {Name: "weight", Type: value.Float},
		{Name: "truth", Type: value.Boolean}}
	rapid.Check(t, func(t *rapid.T) {
		rows := formattest.DrawRows(t, columns, str)
		for i := range rows {
			for k := range 3 {
				rows[i][k] = value.Str(str.Draw(t, "name"))
			}
		}
		formattest.CheckRows(t, suite.Configure(t, "triples"), columns, rows)
	})
}
