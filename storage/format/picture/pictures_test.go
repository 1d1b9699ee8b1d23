package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// checkXML wants well-formed XML without elements that run or load anything.
func checkXML(t rapid.TB, s string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(s))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, s)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if n := e.Name.Local; n == "script" || n == "link" || n == "iframe" || n == "img" || n == "a" {
			t.Fatalf("an element %s in\n%s", n, s)
		}
		for _, a := range e.Attr {
			if n := strings.ToLower(a.Name.Local); n == "src" || n == "href" || strings.HasPrefix(n, "on") {
				t.Fatalf("an attribute %s in\n%s", n, s)
			}
		}
	}
}

func list(name string, values ...string) option.Arg {
	out := option.Arg{Name: name}
	for _, v := range values {
		out.List = append(out.List, option.Arg{Value: value.Str(v)})
	}
	return out
}

// drawn writes documents to the end.
func drawn(t rapid.TB, c codec.Codec, docs ...*text.Document) (string, error) {
	t.Helper()
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	checkXML(t, b.String())
	return b.String(), nil
}

// drawnRows writes rows to the end.
func drawnRows(t rapid.TB, c codec.Codec, columns []codec.Column, rows ...[]value.Value) (string, error) {
	t.Helper()
	var b bytes.Buffer
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
	if err := w.Close(); err != nil {
		return "", err
	}
	checkXML(t, b.String())
	return b.String(), nil
}

// document reads a document in JSON.
func document(t testing.TB, line string) *text.Document {
	t.Helper()
	got, err := formattest.ReadString(suite.Configure(t, "jsonl"), line, 1)
	if err != nil {
		t.Fatal(err)
	}
	return got.Docs[0]
}

// body is what stands between the head and the colours of a page.
func body(page string) string {
	_, page, _ = strings.Cut(page, "<body>\n")
	page, _, _ = strings.Cut(page, "<style>")
	return page
}

func TestHTMLGolden(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"entities",
			`{"id":"a","text":"Ann saw Oslo.","split":"dev","labels":["x"],"entities":[{"start":0,"end":3,"label":"PER"},{"start":8,"end":12,"label":"LOC"}]}`,
			`<section id="d1">
<h2>a</h2>
<dl class="fields"><div><dt>split</dt><dd>dev</dd></div></dl>
<div><span class="badge b0">x</span></div>
<h3>entities</h3>
<div class="text" dir="auto"><span class="b1">Ann<small class="c1">PER</small></span> saw <span class="b2">Oslo<small class="c2">LOC</small></span>.</div>
</section>
<div class="legend"><span class="b2">LOC</span><span class="b1">PER</span><span class="b0">x</span></div>
`},
		{"nested",
			`{"id":"a","text":"U of Oslo","entities":[{"start":0,"end":9,"label":"ORG"},{"start":5,"end":9,"label":"LOC"}]}`,
			`<section id="d1">
<h2>a</h2>
<h3>entities</h3>
<div class="text" dir="auto" style="--deep:2"><span class="b0" style="border-radius:0;box-shadow:0 7px var(--page),0 10px var(--c0)">U of </span><span class="b1" style="border-radius:0;box-shadow:0 2px var(--page),0 5px var(--c1),0 7px var(--page),0 10px var(--c0)">Oslo<small class="c1">LOC</small><small class="c0">ORG</small></span></div>
</section>
<div class="legend"><span class="b1">LOC</span><span class="b0">ORG</span></div>
`},
		{"mentions",
			`{"id":"a","text":"Ann lost her key","mentions":[{"mention":1,"cluster":"z","kind":"person","sent":1,"char_start":0,"char_end":3,"tok_start":1,"tok_end":1},{"mention":2,"cluster":"z","sent":1,"char_start":9,"char_end":12,"tok_start":3,"tok_end":3},{"mention":3,"cluster":"y","sent":1,"char_start":13,"char_end":16,"tok_start":4,"tok_end":4}]}`,
			`<section id="d1">
<h2>a</h2>
<h3>mentions</h3>
<div class="text" dir="auto"><span class="bm0" title="cluster z, kind person">Ann<sub class="cm0">1</sub></span> lost <span class="bm0" title="cluster z">her<sub class="cm0">1</sub></span> <span class="bsingle" title="cluster y">key</span></div>
</section>
`},
		{"edits",
			`{"id":"a","text":"He go home","edits":[{"sent":1,"char_start":3,"char_end":5,"correction":"goes","type":"VERB","annotator":0},{"sent":1,"char_start":10,"char_end":10,"correction":".","annotator":0}]}`,
			`<section id="d1">
<h2>a</h2>
<h3>edits</h3>
<div class="text" dir="auto">He <del title="VERB">go</del><ins title="VERB">goes</ins><small class="c0">VERB</small> home<ins title="">.</ins></div>
</section>
<div class="legend"><span class="b0">VERB</span></div>
`},
		{"relations",
			`{"id":"a","text":"Ann in Oslo","relations":[{"sent":1,"label":"lives_in","subject_start":0,"subject_end":3,"object_start":7,"object_end":11}]}`,
			`<section id="d1">
<h2>a</h2>
<h3>relations</h3>
<figure><figcaption>1</figcaption><svg xmlns="http://www.w3.org/2000/svg" class="fig" width="94.8" height="46" viewBox="0 0 94.8 46" role="img"><path class="a" d="M16.5 24V21Q16.5 15 22.5 15H70.3Q76.3 15 76.3 21V20"/><path class="p" d="M76.3 25l-3 -6h6z"/><rect class="bg" x="25.5" y="9" width="41.8" height="12"/><text class="l" x="46.4" y="19" text-anchor="middle" textLength="37.8" lengthAdjust="spacingAndGlyphs">lives_in</text><text x="12.9" y="40" text-anchor="middle" textLength="25.8" lengthAdjust="spacingAndGlyphs">Ann</text><text x="45.4" y="40" text-anchor="middle" textLength="11.2" lengthAdjust="spacingAndGlyphs">in</text><text x="79.9" y="40" text-anchor="middle" textLength="29.7" lengthAdjust="spacingAndGlyphs">Oslo</text></svg></figure>
</section>
`},
		{"roles",
			`{"id":"a","text":"Go. Ann ate","tokens":[{"start":0,"end":2},{"start":2,"end":3},{"start":4,"end":7,"sent":2},{"start":8,"end":11,"sent":2}],"roles":[{"sent":2,"predicate":2,"sense":"eat.01","label":"A0","char_start":4,"char_end":7,"tok_start":1,"tok_end":1}]}`,
			`<section id="d1">
<h2>a</h2>
<h3>roles</h3>
<h3 class="many">2.2 eat.01</h3>
<div class="text" dir="auto"><span class="b0">Ann<small class="c0">A0</small></span> ate</div>
</section>
<div class="legend"><span class="b0">A0</span></div>
`},
		{"harmless", `{"id":"<b>","text":"<script>alert(1)</script>\u0001","labels":["\"><img src=x>"],"<i>":"&amp;"}`,
			`<section id="d1">
<h2>&lt;b&gt;</h2>
<dl class="fields"><div><dt>&lt;i&gt;</dt><dd>&amp;amp;</dd></div></dl>
<div><span class="badge b0">&#34;&gt;&lt;img src=x&gt;</span></div>
<div class="text" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;␁</div>
</section>
<div class="legend"><span class="b0">&#34;&gt;&lt;img src=x&gt;</span></div>
`},
	} {
		got, err := drawn(t, suite.Configure(t, "html"), document(t, c.in))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if diff := cmp.Diff(c.want, body(got)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

const parsedJSON = `{"id":"p","text":"Dogs bark","tokens":[{"start":0,"end":4,"upos":"NOUN"},{"start":5,"end":9}],"dependencies":[{"sent":1,"tok":1,"head":2,"deprel":"nsubj"},{"sent":1,"tok":2,"head":0,"deprel":"root"}],"constituents":[{"sent":1,"node":1,"parent":0,"label":"S","char_start":0,"char_end":9,"tok_start":1,"tok_end":2},{"sent":1,"node":2,"parent":1,"label":"NP","char_start":0,"char_end":4,"tok_start":1,"tok_end":1}]}`

// words are the texts of a picture in order.
func words(t testing.TB, s string) string {
	t.Helper()
	var out []string
	dec, inText := xml.NewDecoder(strings.NewReader(s)), false
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(out, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "text"
		case xml.CharData:
			if inText {
				out = append(out, string(e))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func TestSVGOfDocuments(t *testing.T) {
	for _, c := range []struct {
		in, want string
		args     []option.Arg
	}{
		{parsedJSON, "p dependencies nsubj root Dogs NOUN bark constituents S NP NOUN Dogs bark", nil},
		{parsedJSON, "p nsubj root Dogs NOUN bark", []option.Arg{list("layers", "dependencies")}},
		{parsedJSON, "T p S NP NOUN Dogs bark", []option.Arg{list("layers", "constituents"),
			formattest.Arg("title", value.Str("T"))}},
		{`{"id":"e","text":"Ann saw Oslo","entities":[{"start":8,"end":12,"label":"LOC"}]}`, "e Ann saw Oslo LOC", nil},
		{`{"id":"e","text":"He go","edits":[{"sent":1,"char_start":3,"char_end":5,"correction":"goes","type":"V","annotator":0}]}`, "e He go → goes V", nil},
		{`{"id":"e","text":"no layers","labels":["x"]}`, "e no layers", nil},
		{`{"id":"e","text":"a b","constituents":[{"sent":1,"node":1,"parent":0,"label":"X","char_start":0,"char_end":3,"tok_start":0,"tok_end":0}]}`, "e X a b", nil},
	} {
		got, err := drawn(t, suite.Configure(t, "svg", c.args...), document(t, c.in))
		if err != nil {
			t.Fatal(err)
		}
		if w := words(t, got); w != c.want {
			t.Errorf("%s\ndraws %q, want %q", c.in, w, c.want)
		}
	}
}

func TestPicturesOfSentences(t *testing.T) {
	got, err := drawn(t, suite.Configure(t, "html"), document(t, parsedJSON))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, "<figure>"); n != 2 {
		t.Errorf("%d figures, want 2", n)
	}
	if w := words(t, got); w != "nsubj root Dogs NOUN bark S NP NOUN Dogs bark" {
		t.Error(w)
	}
}

var (
	spanColumnsOfRows = []codec.Column{{Name: "doc", Type: value.Text}, {Name: "char_start", Type: value.Integer},
		{Name: "char_end", Type: value.Integer},
		{Name: "label", Type: value.Text}, {Name: "text", Type: value.Text}}
	joinedColumns = []codec.Column{{Name: "doc", Type: value.Text}, {Name: "document_text", Type: value.Text},
		{Name: "char_start", Type: value.Integer},
		{Name: "char_end", Type: value.Integer}, {Name: "label", Type: value.Text}}
	arcColumnsOfRows = []codec.Column{{Name: "doc", Type: value.Text}, {Name: "sent", Type: value.Integer},
		{Name: "tok", Type: value.Integer}, {Name: "form", Type: value.Text},
		{Name: "head", Type: value.Integer}, {Name: "deprel", Type: value.Text}}
)

// cells makes values of Go values, NULL of nil.
func cells(row ...any) (out []value.Value) {
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			out = append(out, value.Value{})
		case int:
			out = append(out, value.Int(int64(v)))
		case float64:
			out = append(out, value.Real(v))
		case bool:
			out = append(out, value.Bool(v))
		case string:
			out = append(out, value.Str(v))
		}
	}
	return out
}

func TestHTMLOfRows(t *testing.T) {
	table, err := drawnRows(t, suite.Configure(t, "html"), []codec.Column{{Name: "a<b", Type: value.Text},
		{Name: "n", Type: value.Integer}}, cells("<i>", 7),
		cells(nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `<div class="scroll"><table>
<thead><tr><th>a&lt;b</th><th class="num">n</th></tr></thead>
<tbody>
<tr><td>&lt;i&gt;</td><td class="num">7</td></tr>
<tr><td class="null">NULL</td><td class="null">NULL</td></tr>
</tbody>
</table></div>
`
	if diff := cmp.Diff(want, body(table)); diff != "" {
		t.Error(diff)
	}
	joined, err := drawnRows(t, suite.Configure(t, "html"), joinedColumns, cells("a", "É Oslo, Ann", 2, 6, "LOC"),
		cells("a", "É Oslo, Ann", 8, 11, "PER"), cells("b", "none", nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`É <span class="b0">Oslo<small class="c0">LOC</small></span>, <span class="b1">Ann<small class="c1">PER</small></span>`, "<h2>b</h2>\n<div class=\"text\" dir=\"auto\">none</div>"} {
		if !strings.Contains(joined, want) {
			t.Errorf("%s\nmisses %s", body(joined), want)
		}
	}
	plain, err := drawnRows(t, suite.Configure(t, "html", formattest.Arg("draw", value.Bool(false))), joinedColumns,
		cells("a", "x", 0, 1, "L"))
	if err != nil || !strings.Contains(plain, "<td>x</td>") {
		t.Errorf("%v\n%s", err, plain)
	}
	if spans, err := drawnRows(t, suite.Configure(t, "html"), spanColumnsOfRows, cells("a", 0, 1, "L", "x")); err != nil ||
		!strings.Contains(spans, "<td>L</td>") {
		t.Errorf("%v\n%s", err, spans)
	}
}

func TestSVGOfRows(t *testing.T) {
	tree := []codec.Column{{Name: "node", Type: value.Integer}, {Name: "parent", Type: value.Integer},
		{Name: "label", Type: value.Text},
		{Name: "char_start", Type: value.Integer}, {Name: "char_end", Type: value.Integer}, {Name: "text", Type: value.Text}}
	for _, c := range []struct {
		columns []codec.Column
		rows    [][]value.Value
		want    string
	}{
		{arcColumnsOfRows, [][]value.Value{cells("a", 1, 1, "Dogs", 2, "nsubj"), cells("a", 1, 2, "bark", 0, "root"),
			cells("b", 1, 4, "x", 7, "dep"), cells("b", 3, 1, "y", nil, nil)},
			"a nsubj root Dogs bark b 1 dep ← 7 x 3 y"},
		{spanColumnsOfRows, [][]value.Value{cells("a", 5, 8, "A", "Ann"), cells("a", 9, 11, "B", "of"),
			cells("a", 20, 24, "C", "Oslo"), cells("a", 22, 26, "D", "loXX")},
			"a … Ann A of B … Os lo C XX D"},
		{joinedColumns, [][]value.Value{cells("a", "Ann ran", 0, 3, "PER")}, "a Ann PER ran"},
		{tree, [][]value.Value{cells(1, 0, "S", 0, 9, "Dogs bark"), cells(2, 1, "NP", 0, 4, "Dogs")}, "S NP Dogs bark"},
		{[]codec.Column{{Name: "iteration", Type: value.Integer}, {Name: "loss", Type: value.Float}},
			[][]value.Value{cells(1, 3.5), cells(2, 1.5), cells(3, nil)},
			"loss 1.5 2.0 2.5 3.0 3.5 1.0 1.2 1.4 1.6 1.8 2.0 iteration"},
		{[]codec.Column{{Name: "model", Type: value.Text}, {Name: "f1", Type: value.Float}},
			[][]value.Value{cells("crf", 0.5), cells(nil, 0.75)},
			"f1 0.50 0.55 0.60 0.65 0.70 0.75 crf NULL model"},
		{[]codec.Column{{Name: "x", Type: value.Integer}, {Name: "y", Type: value.Integer}, {Name: "who", Type: value.Text}},
			[][]value.Value{cells(0, 0, "a"), cells(1, 1, "b")}, "a b 0 0.2 0.4 0.6 0.8 1.0 0 0.2 0.4 0.6 0.8 1.0 x y"},
		{[]codec.Column{{Name: "y", Type: value.Integer}}, [][]value.Value{cells(0), cells(5)},
			"y 0 1 2 3 4 5 1.0 1.2 1.4 1.6 1.8 2.0 row"},
	} {
		got, err := drawnRows(t, suite.Configure(t, "svg"), c.columns, c.rows...)
		if err != nil {
			t.Errorf("%v: %v", c.columns, err)
			continue
		}
		if w := words(t, got); w != c.want {
			t.Errorf("%v draws\n%q, want\n%q", c.columns, w, c.want)
		}
	}
}

// What cannot be drawn is refused.
func TestPicturesRefused(t *testing.T) {
	d := document(t, parsedJSON)
	broken := *d
	broken.SetLayer(&text.Layer{Def: text.Entities, Name: "entities", N: 1,
		Cols: []text.Col{{}, {Ints: []int32{3}}, {Ints: []int32{99}}, {}, {}, {Strs: []string{"X"}}, {}}})
	lost := *d
	lost.SetLayer(&text.Layer{Def: text.Dependencies, Name: "dependencies", N: 1,
		Cols: []text.Col{{Ints: []int32{1}}, {Ints: []int32{3}}, {}, {Ints: []int32{0}}, {}}})
	for _, c := range []struct {
		format string
		args   []option.Arg
		d      *text.Document
		want   string
	}{
		{"html", []option.Arg{list("layers", "entitis")}, d,
			`layers: no document has a layer "entitis"; did you mean entities?; there are: constituents, dependencies, sentences, tokens`},
		{"html", nil, &broken, "document p: row 1 of entities names no part of its text"},
		{"svg", nil, &broken, "document p: row 1 of entities names no part of its text"},
		{"html", nil, &lost, "document p: row 1 of dependencies names no token of sentence 1"},
		{"svg", []option.Arg{list("layers", "tokens")}, d, "layers: tokens has no picture; FORMAT html shows it"},
		{"svg", []option.Arg{formattest.Arg("figures", value.Int(1))}, d,
			"the picture would hold more than 1 figures; choose fewer documents by WHERE or LIMIT, or WITH (figures = …)"},
	} {
		if _, err := drawn(t, suite.Configure(t, c.format, c.args...), c.d); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
	for _, c := range []struct {
		columns []codec.Column
		row     []value.Value
		want    string
	}{
		{[]codec.Column{{Name: "a", Type: value.Text}, {Name: "b", Type: value.Text}}, cells("x", "y"),
			"a plot needs a numeric column after the first; FORMAT html writes a table"},
		{[]codec.Column{{Name: "a", Type: value.Integer}, {Name: "b", Type: value.JSON}}, cells(1, nil),
			"a plot cannot show column b of type json; FORMAT html writes a table"},
		{joinedColumns, cells("a", "x", 0, 5, "L"), "document a: char_end of row 1 lies outside the text"},
	} {
		if _, err := drawnRows(t, suite.Configure(t, "svg"), c.columns, c.row); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.columns, err, c.want)
		}
	}
	twice := cells("a", 1, 1, "x", 0, "root")
	if _, err := drawnRows(t, suite.Configure(t, "html"), arcColumnsOfRows, twice, twice); err == nil ||
		err.Error() != "document a: sentence 1 has two rows of token 1; WITH (draw = false) writes a table" {
		t.Error(err)
	}
}

// Layers without a picture are tables where they are chosen.
func TestHTMLChosenTable(t *testing.T) {
	got, err := drawn(t, suite.Configure(t, "html", list("layers", "tokens")), document(t, parsedJSON))
	if err != nil {
		t.Fatal(err)
	}
	if want := `<tr><td class="num">1</td><td class="num">1</td><td class="num">0</td><td class="num">4</td><td>Dogs</td><td class="null">NULL</td><td>NOUN</td>`; !strings.Contains(got, want) {
		t.Error(body(got))
	}
}

// Files without documents or rows are whole.
func TestEmptyPictures(t *testing.T) {
	for _, f := range []string{"html", "svg"} {
		if _, err := drawn(t, suite.Configure(t, f)); err != nil {
			t.Error(f, err)
		}
		for _, columns := range [][]codec.Column{joinedColumns, arcColumnsOfRows,
			{{Name: "x", Type: value.Integer}, {Name: "y", Type: value.Float}}} {
			if _, err := drawnRows(t, suite.Configure(t, f), columns); err != nil {
				t.Error(f, err)
			}
		}
	}
}

// sample draws a document whose layers name any places of any text.
func sample(t *rapid.T) *text.Document {
	d := &text.Document{ID: rapid.String().Draw(t, "id"), Text: rapid.String().Draw(t, "text")}
	if rapid.Bool().Draw(t, "tokens") {
		var toks *text.Layer
		d, toks = formattest.Tokens(t, d.ID)
		formattest.Column(t, toks, "upos")
		formattest.Arcs(t, d, toks)
	}
	number := rapid.Int32Range(-1, int32(len(d.Text)+1))
	for _, def := range []*text.LayerDef{text.Entities, text.Chunks, text.Mentions, text.Roles, text.Edits, text.Relations,
		text.Constituents, text.Alignments, text.Labels} {
		if !rapid.Bool().Draw(t, def.Name) {
			continue
		}
		l := text.NewLayer(def)
		l.N = rapid.IntRange(0, 4).Draw(t, "rows")
		for c, col := range def.Columns {
			switch {
			case col.Type == value.Integer && !strings.HasPrefix(col.Name, "tok") && strings.HasSuffix(col.Name, "_end"):
				for i := range l.N {
					from := l.Cols[c-1].Ints[i]
					l.Cols[c].Ints = append(l.Cols[c].Ints,
						max(from, min(from+rapid.Int32Range(-1, 9).Draw(t, "more"), int32(len(d.Text)))))
				}
			case col.Type == value.Integer && (col.Role == text.Offset || rapid.Bool().Draw(t, "given")):
				l.Cols[c].Ints = rapid.SliceOfN(number, l.N, l.N).Draw(t, col.Name)
			case col.Type == value.Text && rapid.Bool().Draw(t, "given"):
				l.Cols[c].Strs = rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "", "<&>"})), l.N,
					l.N).Draw(t, col.Name)
			}
		}
		d.SetLayer(l)
	}
	formattest.Metadata(t, d)
	return d
}

// checkPictures wants pictures of a document to be well-formed and the same again.
func checkPictures(t rapid.TB, d *text.Document) {
	for _, f := range suite {
		if f.Name != "html" && f.Name != "svg" {
			continue
		}
		var first string
		for i := range 2 {
			c, err := f.Configure(nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := drawn(t, c, d, d)
			if err != nil && !strings.Contains(err.Error(), " names no ") {
				t.Fatal(err)
			}
			if i > 0 && s != first {
				t.Fatal("the same document, another picture")
			}
			first = s
		}
	}
}

func TestPicturesOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkPictures(t, sample(t)) })
}

func FuzzPictures(f *testing.F) {
	f.Add("x", "New <York>", "LOC", int32(0), int32(3), int32(2), int32(9))
	f.Add("\x00", "é漢\u202eمصر\xff", "", int32(1), int32(2), int32(0), int32(8))
	f.Add("]]>", "a\r\nb", "\"'", int32(4), int32(4), int32(4), int32(4))
	f.Fuzz(func(t *testing.T, id, s, label string, a, z, b, y int32) {
		d := &text.Document{ID: id, Text: s}
		for _, def := range []*text.LayerDef{text.Entities, text.Mentions, text.Edits, text.Constituents, text.Roles} {
			l := text.NewLayer(def)
			l.N = 2
			for c, col := range def.Columns {
				switch {
				case col.Name == "char_start":
					l.Cols[c].Ints = []int32{a, b}
				case col.Name == "char_end":
					l.Cols[c].Ints = []int32{z, y}
				case col.Type == value.Integer:
					l.Cols[c].Ints = []int32{1, b}
				case col.Stored():
					l.Cols[c].Strs = []string{label, id}
				}
			}
			d.SetLayer(l)
		}
		checkPictures(t, d)
	})
}

func FuzzPictureRows(f *testing.F) {
	f.Add("a", "some text", "some", "L", int64(0), int64(4), int64(1))
	f.Add("", "é", "é", "<", int64(-1), int64(1<<62), int64(0))
	f.Fuzz(func(t *testing.T, doc, whole, part, label string, a, z, n int64) {
		values := map[string]value.Value{"doc": value.Str(doc), "document_text": value.Str(whole), "text": value.Str(part),
			"label": value.Str(label), "form": value.Str(part), "deprel": value.Str(label),
			"char_start": value.Int(a), "char_end": value.Int(z), "sent": value.Int(n), "tok": value.Int(n),
			"head": value.Int(a)}
		for _, format := range []string{"html", "svg"} {
			for _, columns := range [][]codec.Column{joinedColumns, spanColumnsOfRows, arcColumnsOfRows} {
				var one, two []value.Value
				for _, c := range columns {
					one = append(one, values[c.Name])
					two = append(two, values[c.Name])
				}
				two[2] = value.Int(z)
				if two[1].T == value.Text {
					two[2] = value.Int(n)
				}
				if _, err := drawnRows(t, suite.Configure(t, format), columns, one, two); err != nil &&
					!strings.HasPrefix(err.Error(), "document ") {
					t.Fatal(err)
				}
			}
		}
	})
}

// Corpora as they are give pictures.
func TestPicturesOfCorpora(t *testing.T) {
	dir := os.Getenv("PARLANCE_DATA")
	if dir == "" {
		t.Skip("PARLANCE_DATA names no folder of data")
	}
	for _, c := range []struct{ format, file string }{{"conllu", "ud/en_ewt.dev.conllu"},
		{"conllu", "ud/zh_gsdsimp.dev.conllu"}, {"conll2000", "chunk/conll2000.test"}} {
		path := filepath.Join(dir, c.file)
		if _, err := os.Stat(path); err != nil {
			t.Log(err)
			continue
		}
		src, err := codec.OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := formattest.ReadAll(suite.Configure(t, c.format), src, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"html", "svg"} {
			s, err := drawn(t, suite.Configure(t, f, list("layers", "dependencies", "chunks")),
				got.Docs[:min(60, len(got.Docs))]...)
			if err != nil {
				t.Fatal(c.file, f, err)
			}
			t.Logf("%s as %s: %d bytes", c.file, f, len(s))
		}
	}
}
