package conll

import (
	"fmt"
	"os"
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

// columnsArg is the option columns.
func columnsArg(names ...string) option.Arg {
	a := option.Arg{Name: "columns"}
	for _, n := range names {
		a.List = append(a.List, option.Arg{Value: value.Str(n)})
	}
	return a
}

// bioFile draws a file of columns as the field has them: with and without markers, of any scheme, with columns that
// hold nothing, several blank lines, irregular blanks.
func bioFile(t *rapid.T) string {
	var b strings.Builder
	sep := rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(t, "separator")
	fill := rapid.SampledFrom([]string{"_", "-X-", "x|y"}).Draw(t, "fill")
	mark := rapid.SampledFrom([]string{"", "-DOCSTART- -X- O O\n\n", "-DOCSTART-\tO\n"}).Draw(t, "marker")
	tag := rapid.SampledFrom([]string{"O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-LOC", "B-a,O", "B-a,B-b"})
	for range rapid.IntRange(1, 3).Draw(t, "documents") {
		b.WriteString(mark)
		for range rapid.IntRange(1, 3).Draw(t, "sentences") {
			for range rapid.IntRange(1, 4).Draw(t, "tokens") {
				form := rapid.StringMatching(`[a-zé語\x{a0}]{1,3}`).Draw(t, "form")
				fmt.Fprintln(&b, strings.Join([]string{form, fill, tag.Draw(t, "tag")}, sep))
			}
			b.WriteString(strings.Repeat("\n", rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "lines")))
		}
	}
	if rapid.Bool().Draw(t, "no last line") {
		return strings.TrimRight(b.String(), "\n") + "\n"
	}
	return b.String()
}

// TestColumnsComeBack writes files of columns as they were read.
func TestColumnsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkFile(t, suite.Configure(t, "conll", columnsArg("form", "_", "entities")), bioFile(t))
	})
}

// TestColumnsOfTwoComeBack has the column that CoNLL-2002 may lack.
func TestColumnsOfTwoComeBack(t *testing.T) {
	file := "a O\nb B-X\n\nc\tO\n\n"
	c := suite.Configure(t, "conll2002")
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// TestRealColumnsComeBack reads and writes the files of named entities and chunks.
func TestRealColumnsComeBack(t *testing.T) {
	for pattern, columns := range map[string][]string{
		"ner/wnut17.*": {"form", "entities"}, "ner/conll2002.ned.test?": {"form", "xpos", "entities"},
		"ner/ncbi-disease.test": {"form", "entities"}, "chunk/conll2000.test": {"form", "xpos", "chunks"},
	} {
		for _, name := range formattest.DataFiles(t, pattern) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			c := suite.Configure(t, "conll", columnsArg(columns...))
			got, err := formattest.ReadString(c, string(data), 2)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want := strings.ReplaceAll(string(data), "\r\n", "\n")
			if diff := cmp.Diff(want, formattest.Written(t, c, got.Docs)); diff != "" {
				t.Errorf("%s: %.2000s", name, diff)
			}
		}
	}
}

// TestChangedColumns writes what a model says, not the line as it was read.
func TestChangedColumns(t *testing.T) {
	c := suite.Configure(t, "conll", columnsArg("form", "_", "entities"))
	got, err := formattest.ReadString(c, "Ann -X-  I-PER\nmet -Y- O\n\n", 1)
	if err != nil {
		t.Fatal(err)
	}
	d := got.Docs[0]
	d.SetLayer(d.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: 2, Last: 2, Label: "EVENT"}}))
	if diff := cmp.Diff("Ann -X- O\nmet -Y- I-EVENT\n\n", formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// TestUntypedTags gives spans of B and I alone a label, and says how where there is none.
func TestUntypedTags(t *testing.T) {
	file := "a O\nb B\nc I\nd O\n\n"
	_, err := formattest.ReadString(suite.Configure(t, "conll"), file, 1)
	if e, ok := err.(*codec.Error); !ok || !strings.Contains(e.Hint, "label = ") {
		t.Errorf("%v: no hint at the option label", err)
	}
	c := suite.Configure(t, "conll", formattest.Arg("label", value.Str("PER")))
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := got.Docs[0].Layer("entities")
	if l.N != 1 || l.Strs("text")[0] != "b c" || l.Strs("label")[0] != "PER" {
		t.Errorf("%v", l)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// TestColumnsLeaveOut tells of spans that a column of tags cannot hold.
func TestColumnsLeaveOut(t *testing.T) {
	bd := layers.Builder{}
	bd.Sentence()
	bd.Token("a", false)
	bd.Token("bc", false)
	d, _ := bd.Document("d")
	l := d.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: 1, Last: 2, Label: "X"}, {Sent: 1, First: 2, Last: 2,
		Label: "Y"}})
	d.SetLayer(l)
	c := suite.Configure(t, "conll")
	formattest.Written(t, c, []*text.Document{d})
	want := []string{"1 span was left out: it overlaps another, and a column of tags holds one tag a token (the first" +
		" in document d)"}
	if diff := cmp.Diff(want, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
	l.Ints("char_end")[0] = 3 // within bc
	c = suite.Configure(t, "conll")
	formattest.Written(t, c, []*text.Document{d})
	want = append(want, "1 span was written as whole tokens, of which it covers a part (the first in document d)")
	if diff := cmp.Diff(want, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
}
