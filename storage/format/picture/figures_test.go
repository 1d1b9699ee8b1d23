package picture

import (
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// TestPicturesOfCounts: what was taken for what is a table of counts in a terminal, a picture and a page, from rows of
// counts and from those of EVALUATE, of which a page shows the other metrics too.
func TestPicturesOfCounts(t *testing.T) {
	counts := []codec.Column{{Name: "gold", Type: value.Text}, {Name: "predicted", Type: value.Text},
		{Name: "n", Type: value.Integer}}
	rows := [][]value.Value{{value.Str("PER"), value.Str("PER"), value.Int(41)},
		{value.Str("PER"), value.Str("&LOC"), value.Int(7)}, {value.Str("&LOC"), {}, value.Int(3)}}
	metrics := []codec.Column{{Name: "model", Type: value.Text}, {Name: "metric", Type: value.Text},
		{Name: "label", Type: value.Text}, {Name: "value", Type: value.Float}}
	evaluation := [][]value.Value{
		{value.Str("m@1"), value.Str("f1"), value.Str("ALL"), value.Real(0.5)},
		{value.Str("m@1"), value.Str("confusion"), value.Str("PER>PER"), value.Real(41)},
		{value.Str("m@1"), value.Str("confusion"), value.Str("PER>&LOC"), value.Real(7)},
		{value.Str("m@1"), value.Str("confusion"), value.Str("&LOC>"), value.Real(3)},
	}
	for name, x := range map[string]struct {
		columns []codec.Column
		rows    [][]value.Value
	}{"counts": {counts, rows}, "evaluation": {metrics, evaluation}} {
		for format, want := range map[string][]string{
			"picture": {"gold", "predicted", "&LOC", "(none)", "41", "7", "3"},
			"svg": {">gold</text>", ">predicted</text>", ">PER</text>", ">&amp;LOC</text>", ">(none)</text>", ">41</text>",
				">7</text>", ">3</text>", `<rect class="r"`, `<rect class="w"`},
			"html": {`<figure class="top"><svg`, ">&amp;LOC</text>", ">(none)</text>", ">41</text>", "<td>PER"},
		} {
			got, err := rowsIn(t, suite.Configure(t, format), x.columns, x.rows...)
			if err != nil {
				t.Fatalf("%s, %s: %v", format, name, err)
			}
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s, %s has no %q in\n%s", format, name, w, got)
				}
			}
			if n := strings.Count(got, `<rect class="r"`); format != "picture" && n != 1 {
				t.Errorf("%s, %s: %d cells are right, want 1", format, name, n)
			}
			if folded := strings.Contains(got, "<details>"); folded != (format == "html" && name == "counts") {
				t.Errorf("%s, %s: the rows are folded: %t", format, name, folded)
			}
		}
	}
	if got, err := drawnRows(t, suite.Configure(t, "html"), metrics, evaluation[0]); err != nil ||
		strings.Contains(got, "<svg") || !strings.Contains(got, "<td>f1</td>") {
		t.Errorf("an evaluation without counts: %v\n%s", err, got)
	}
	if _, err := drawnRows(t, suite.Configure(t, "svg"), metrics, evaluation[0]); err == nil ||
		!strings.Contains(err.Error(), "confusion = true") {
		t.Errorf("a picture of an evaluation without counts: %v", err)
	}
	if got, err := drawnRows(t, suite.Configure(t, "html", formattest.Arg("draw", value.Bool(false))), counts,
		rows...); err != nil ||
		strings.Contains(got, "<svg") || strings.Contains(got, "<details>") {
		t.Errorf("draw = false: %v", err)
	}
}

// TestPageOfTraining: the rows of a training are curves above a table that is folded.
func TestPageOfTraining(t *testing.T) {
	columns := []codec.Column{{Name: "step", Type: value.Integer}, {Name: "of", Type: value.Integer},
		{Name: "objective", Type: value.Float}, {Name: "note", Type: value.Text}}
	got, err := drawnRows(t, suite.Configure(t, "html"), columns,
		[]value.Value{value.Int(1), value.Int(2), value.Real(9), value.Str("sgd")},
		[]value.Value{value.Int(2), value.Int(2), value.Real(4), value.Str("sgd")},
		[]value.Value{value.Int(1), value.Int(3), value.Real(3), value.Str("l-bfgs")})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<details><summary>rows</summary>", "<td>l-bfgs</td>", `<figure class="top"><svg`,
		">step</text>", ">objective</text>", ">l-bfgs</text>", `<path class="os0"`, ".os1{stroke:"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestPicturesOfRelations draws arcs from subjects to objects in all formats; relations beyond their sentence alone.
func TestPicturesOfRelations(t *testing.T) {
	d := document(t, `{"id":"a","text":"Ann of <Acme> met Bob. He left Ann.",`+
		`"relations":[{"sent":1,"label":"works_for","subject_start":0,"subject_end":3,"object_start":7,"object_end":13},`+
		`{"sent":1,"label":"same","subject_start":23,"subject_end":25,"object_start":18,"object_end":21},`+
		`{"sent":2,"label":"left","subject_start":23,"subject_end":25,"object_start":31,"object_end":34}]}`)
	sentences := text.NewLayer(text.Sentences)
	sentences.N = 2
	sentences.SetInts("sent", []int32{1, 2})
	sentences.SetInts("char_start", []int32{0, 23})
	sentences.SetInts("char_end", []int32{22, 35})
	d.SetLayer(sentences)
	for format, want := range map[string][]string{
		"svg":     {">works_for</text>", ">&lt;Acme&gt;</text>", ">…</text>", ">same</text>", ">2</text>"},
		"html":    {"<h3>relations</h3>", ">works_for</text>", ">&lt;Acme&gt;</text>", ">…</text>", ">same</text>"},
		"picture": {"works_for", "Ann", "<Acme>", "…", "same", "\n2\n"},
	} {
		got := inFormat(t, suite.Configure(t, format, formattest.Arg("layers", value.Str("relations"))), d)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s has no %q in\n%s", format, w, got)
			}
		}
		if n := strings.Count(got, `<path class="p"`) + strings.Count(got, "▼"); n != 3 {
			t.Errorf("%s: %d arrows, want 3", format, n)
		}
	}
	columns := []codec.Column{{Name: "label", Type: value.Text}, {Name: "subject_start", Type: value.Integer},
		{Name: "subject_end", Type: value.Integer},
		{Name: "object_start", Type: value.Integer}, {Name: "object_end", Type: value.Integer},
		{Name: documentText, Type: value.Text}}
	got, err := rowsIn(t, suite.Configure(t, "picture"), columns,
		[]value.Value{value.Str("knows"), value.Int(0), value.Int(3), value.Int(8), value.Int(11), value.Str("Ann met Bob.")})
	if err != nil || !strings.Contains(got, "┌─knows─┐") {
		t.Errorf("rows of relations: %v\n%s", err, got)
	}
}

// rowsIn is what a format makes of rows, XML or not.
func rowsIn(t *testing.T, c codec.Codec, columns []codec.Column, rows ...[]value.Value) (string, error) {
	t.Helper()
	var b strings.Builder
	w, err := codec.NewRowWriter(c, &b, columns)
	if err != nil {
		return "", err
	}
	types := make([]value.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	if err := w.Write(value.FromRows(types, rows)); err != nil {
		return "", err
	}
	err = w.Close()
	return b.String(), err
}

// inFormat is what a format makes of documents, XML or not.
func inFormat(t *testing.T, c codec.Codec, docs ...*text.Document) string {
	t.Helper()
	var b strings.Builder
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRelationsFarApart draws relations of a long text without sentences one by one.
func TestRelationsFarApart(t *testing.T) {
	d := &text.Document{ID: "a", Text: "Ann" + strings.Repeat(" word", 200) + " Bob"}
	l := text.NewLayer(text.Relations)
	l.N = 1
	l.SetStrs("label", []string{"knows"})
	l.SetInts("subject_start", []int32{1000})
	for name, v := range map[string]int32{"subject_start": int32(len(d.Text) - 3), "subject_end": int32(len(d.Text)),
		"object_start": 0, "object_end": 3} {
		l.SetInts(name, []int32{v})
	}
	d.SetLayer(l)
	var got []string
	eachRelations(d, l, func(_ int, words []draw.Word, list []draw.Arc) {
		for _, w := range words {
			got = append(got, w.Form)
		}
		if len(list) != 1 || list[0] != (draw.Arc{Head: 2, Dep: 0, Label: "knows"}) {
			t.Errorf("arcs %v", list)
		}
	})
	if strings.Join(got, " ") != "Ann … Bob" {
		t.Errorf("words %q", got)
	}
}

// TestTextOfSpans: spans are drawn in the text of their sentences where rows have it, and refused without any text.
func TestTextOfSpans(t *testing.T) {
	columns := []codec.Column{{Name: "doc", Type: value.Text}, {Name: "char_start", Type: value.Integer},
		{Name: "char_end", Type: value.Integer},
		{Name: "label", Type: value.Text}, {Name: sentenceStart, Type: value.Integer}, {Name: sentenceText, Type: value.Text}}
	row := func(from, to, start int64, sentence string) []value.Value {
		return []value.Value{value.Str("d"), value.Int(from), value.Int(to), value.Str("PER"), value.Int(start),
			value.Str(sentence)}
	}
	got, err := rowsIn(t, suite.Configure(t, "picture"), columns, row(30, 33, 30, "Bob saw Ann."),
		row(38, 41, 30, "Bob saw Ann."), row(0, 3, 0, "Zoë left."))
	if want := "d\n[Zoë PER] left. … [Bob PER] saw [Ann PER].\n"; err != nil || got != want {
		t.Errorf("%v, the picture is %q, want %q", err, got, want)
	}
	for _, format := range []string{"picture", "svg"} {
		if _, err := drawnRows(t, suite.Configure(t, format), columns[1:4], row(0, 3, 0, "")[1:4]); err == nil ||
			!strings.Contains(err.Error(), "d.text AS document_text") {
			t.Errorf("%s of spans without text: %v", format, err)
		}
	}
}
