package annotation

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// TestBratReadsWhatItWrites writes spans at code points of any text, also over line ends, and relations.
func TestBratReadsWhatItWrites(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var docs []*text.Document
		for _, id := range []string{"a", "b.1", "c d"} {
			d := formattest.ToolDocument(r, id)
			d.DropLayer(text.Labels.Name)
			if rapid.Bool().Draw(r, "marked") {
				d = &text.Document{ID: id, Text: "\ufeff" + d.Text}
				d.SetLayer(layers.Spans(d, text.Entities, []layers.Span{{Start: 3, End: len(d.Text), Label: "X"},
					{Start: 0, End: 3, Label: "MARK"}}))
			}
			if l := d.Layer(text.Entities.Name); l == nil {
				d.SetLayer(layers.Spans(d, text.Entities, nil))
			}
			docs = append(docs, d)
		}
		formattest.CheckFiles(r, t, suite.Configure(t, "brat"), ".txt", docs,
			func(d *text.Document) { d.DropLayer(text.Words.Name) })
	})
}

const bratNotes = `T1	PER 0 3	Zoë
T2	ORG 9 13	ACME
*	Equiv T1 T2
E1	Leave:T3 Who:T1 What:E2
T3	Leave 18 22	left
T4	Part 18 22;33 37	left lung
E2	Thing:T4
R1	Works Arg1:T1 Arg2:T2	
A1	Negated E1
M1	Time T1 past
N1	Reference T1 Wiki:12	Zoë
#1	AnnotatorNotes T1	a	note
#2	AnnotatorNotes A1	sure
`

func readNotes(t *testing.T, c codec.Codec) *text.Document {
	t.Helper()
	docs, err := formattest.ReadBack(t, c, map[string]string{"a.txt": "Zoë 😀 of ACME\r\nor left and right lung.",
		"a.ann": bratNotes}, "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

// TestBratKeepsLines writes a file as it was loaded, whatever became of spans of several parts, and once the layers
// have changed the lines that still hold.
func TestBratKeepsLines(t *testing.T) {
	for _, mode := range []string{layers.Hull, layers.Parts} {
		c := suite.Configure(t, "brat", formattest.Arg("fragments", value.Str(mode)))
		all, err := formattest.FilesOf(t, c, "x/*.ann", readNotes(t, c))
		if diff := cmp.Diff(map[string]string{"x/a.txt": "Zoë 😀 of ACME\r\nor left and right lung.",
			"x/a.ann": bratNotes}, all); diff != "" || err != nil {
			t.Errorf("%s: %v %s", mode, err, diff)
		}
	}
	c := suite.Configure(t, "brat")
	d := readNotes(t, c)
	l := d.Layer(text.Entities.Name)
	names := slices.Clone(l.Strs("label"))
	names[0] = "MAN alone" // T1
	l.SetStrs("label", names)
	c = suite.Configure(t, "brat")
	all, err := formattest.FilesOf(t, c, "*.txt", d)
	const want = `T2	ORG 9 13	ACME
T3	Leave 18 22	left
T4	Part 18 22;33 37	left lung
E2	Thing:T4
T5	MAN_alone 0 3	Zoë
R2	Works Arg1:T5 Arg2:T2
R3	Who Arg1:T3 Arg2:T5
R4	What Arg1:T3 Arg2:T4
`
	if diff := cmp.Diff(want, all["a.ann"]); diff != "" || err != nil {
		t.Error(err, diff)
	}
	told := []string{"1 label was written with _ for blanks and for no name at all, which types of brat are without " +
		"(the first in document a)", "7 lines of brat were left out: what they are about is not as it was " +
		"loaded (the first in document a)"}
	if diff := cmp.Diff(told, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
}

// TestBratPartsAndLeftOut writes the parts of a relabelled span, and tells of what brat does not hold.
func TestBratPartsAndLeftOut(t *testing.T) {
	d := &text.Document{ID: "a/b", Text: "left 🍞 and right\nlung",
		Fields: []text.Field{{Name: "year", Value: value.Int(1)}}}
	d.SetLayer(layers.Spans(d, text.Entities, []layers.Span{{Start: 0, End: len(d.Text), Label: "ORGAN"},
		{Start: 14, End: len(d.Text), Label: "X"}}))
	d.SetLayer(layers.Relations([]layers.Relation{{Label: "r", SubjectStart: 0, SubjectEnd: 4, ObjectStart: 0,
		ObjectEnd: 3}}))
	d.SetLayer(layers.Labels("x"))
	var words layers.Words
	words.KeepParts(0, text.Entities.Name, [][2]int{{0, 4}, {20, 24}}, offset.Pointer(d.Text))
	words.Add(1, "2-3", "au")
	words.Set(d)
	c := suite.Configure(t, "brat")
	all, err := formattest.FilesOf(t, c, "*.txt.gz", d)
	want := map[string]string{"a%2Fb.txt.gz": d.Text,
		"a%2Fb.ann.gz": "T1\tORGAN 0 4;17 21\tleft lung\nT2\tX 11 16;17 21\tright lung\n"}
	if diff := cmp.Diff(want, all); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, told := range []string{"the layer words of 1 document", "the layer labels of 1 document",
		"the metadata of 1 document", "1 relation was left out", "the id of 1 document is no name of a file"} {
		if !strings.Contains(strings.Join(codec.Notices(c), "\n"), told) {
			t.Errorf("%q is not told: %q", told, codec.Notices(c))
		}
	}
}

// TestFilesOfDocuments: what paths are refused, and what becomes of ids.
func TestFilesOfDocuments(t *testing.T) {
	a, b := &text.Document{ID: "a"}, &text.Document{ID: strings.Repeat("b", 300)}
	for path, want := range map[string]string{
		"x/y.json":  "a file of this format ends in .txt or .ann; x/*.txt writes one for each document",
		"x/*/*.txt": "one * is wanted, in the name of the file, where the id of a document is to stand",
		"*/y.txt":   "one * is wanted, in the name of the file, where the id of a document is to stand",
		"x/y.ann": "a file holds one document, and there are a and " + b.ID + "; x/*.ann writes files for each, named by " +
			"its id",
		"x/*.txt": "document " + b.ID[:40] + "…: its id is longer than the 200 bytes that a name of a file may have",
	} {
		if _, err := formattest.FilesOf(t, suite.Configure(t, "brat"), path, a, b); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestBratByItsAnnotations reads the text beside a file .ann that is named in its place.
func TestBratByItsAnnotations(t *testing.T) {
	pair := map[string]string{"a.txt": "Ann", "a.ann": "T1\tPER 0 3\tAnn\n"}
	docs, err := formattest.ReadBack(t, suite.Configure(t, "brat"), pair, "*.ann")
	if err != nil || len(docs) != 1 || docs[0].Text != "Ann" || docs[0].Layer(text.Entities.Name).N != 1 {
		t.Errorf("%v, %s", err, formattest.Dumps(docs))
	}
}
