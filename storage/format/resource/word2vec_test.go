package resource

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

var vectorColumns = []codec.Column{{Name: "n", Type: value.Integer}, {Name: "word", Type: value.Text},
	{Name: "vector", Type: value.Vector}}

// binaryVectors is a file of the binary layout, whose rows end in end.
func binaryVectors(head, end string, words []string, vectors [][]float32) string {
	var b bytes.Buffer
	b.WriteString(head + "\n")
	for i, w := range words {
		b.WriteString(w + " ")
		_ = binary.Write(&b, binary.LittleEndian, vectors[i])
		b.WriteString(end)
	}
	return b.String()
}

// vectorRows prints what is read, a word and its vector a row.
func vectorRows(t *testing.T, c codec.Codec, file string) string {
	t.Helper()
	rows, _, err := formattest.RowsString(c, file, vectorColumns)
	if err != nil {
		t.Fatalf("%v in %q", err, file)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintln(&b, r[1], r[2])
	}
	return b.String()
}

var (
	vectorWords  = []string{"</s>", "wine", "beer"}
	vectorValues = [][]float32{{0, 0.5, 7}, {1, -2, 0.1}, {1.5, 2, -3e-5}}
)

const vectorWant = "</s> [0,0.5,7]\nwine [1,-2,0.1]\nbeer [1.5,2,-3e-05]\n"

// TestWord2vecLayouts reads the same vectors in all layouts, told apart by their look and by name.
func TestWord2vecLayouts(t *testing.T) {
	text := "</s> 0 0.5 7 \nwine 1 -2 0.1 \nbeer 1.5 2 -3e-05 \n" // as fastText ends lines
	for layout, file := range map[string]string{
		headText:          "3 3\n" + text,
		headBinary:        binaryVectors("3 3", "\n", vectorWords, vectorValues),
		headBinary + " ":  binaryVectors("3 3", "", vectorWords, vectorValues), // as gensim ends rows
		noHead:            text,
		noHead + "\r":     strings.ReplaceAll(text, " \n", "\r\n"),
		headText + " BOM": "\xef\xbb\xbf3 3\n" + text,
	} {
		for _, name := range []string{byLook, strings.Fields(layout)[0]} {
			if got := vectorRows(t, &word2vec{layout: name}, file); got != vectorWant {
				t.Errorf("layout %q read as %s:\n%s", layout, name, got)
			}
		}
	}
}

// TestWord2vecWrites reads back what is written.
func TestWord2vecWrites(t *testing.T) {
	for _, layout := range []string{byLook, headText, headBinary, noHead} {
		file := binaryVectors("3 3", "\n", vectorWords, vectorValues)
		rows, _, err := formattest.RowsString(&word2vec{layout: byLook}, file, vectorColumns)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w, err := codec.NewRowWriter(&word2vec{layout: layout}, &b, vectorColumns)
		if err != nil {
			t.Fatal(err)
		}
		types := []value.Type{value.Integer, value.Text, value.Vector}
		if err := errors.Join(w.Write(value.FromRows(types, rows)), w.Close()); err != nil {
			t.Fatal(err)
		}
		if got := vectorRows(t, &word2vec{layout: byLook}, b.String()); got != vectorWant {
			t.Errorf("layout %s:\n%s\nfrom %q", layout, got, b.String())
		}
		for _, bad := range [][]value.Value{
			{{}, value.Str("a b"), value.Vec32([]float32{1, 2, 3})}, {{}, value.Str("a"), value.Vec32([]float32{1})},
			{{}, value.Str("a"), {}}, {{}, value.Str("a"), value.Vec32([]float32{1, 2, float32(math.NaN())})},
		} {
			w, _ := codec.NewRowWriter(&word2vec{layout: layout}, &b, vectorColumns)
			_ = w.Write(value.FromRows(types, rows))
			if err := w.Write(value.FromRows(types, [][]value.Value{bad})); err == nil {
				t.Errorf("layout %s writes %v", layout, bad)
			}
		}
	}
}

// TestWord2vecFaults names the line or the row.
func TestWord2vecFaults(t *testing.T) {
	bin := binaryVectors("3 3", "\n", vectorWords, vectorValues)
	nan := bytes.Replace([]byte(bin), []byte{0, 0, 0, 0x3f}, []byte{0, 0, 0xc0, 0x7f}, 1)
	for _, c := range []struct{ layout, file, want string }{
		{byLook, "3 2\na 1 2\nb 3 4\n", "stdin:3: the head tells of 3 words, and the file has 2"},
		{byLook, "1 2\na 1 2\nb 3 4\n", "stdin:3: the head tells of 1 word, and there are more"},
		{byLook, "2 2\na 1 2\nb 3\n", "stdin:3: 1 component where 2 are wanted"},
		{byLook, "2 2\na 1 2\nb 3 4 5\n", "stdin:3: 3 components where 2 are wanted"},
		{byLook, "2 2\na 1 2\nb 3 nan\n", `stdin:3: component 2, "nan", is no finite number`},
		{byLook, "2 2\na 1 2\nb 3 1e39\n", `stdin:3: component 2, "1e39", is no finite number`},
		{byLook, "a 1 2 3\nb 3 4\n", "stdin:2: 2 components where 3 are wanted"},
		{byLook, "wine\n", `stdin:1: "wine" is no word with numbers`},
		{headText, "wine 1 2\n", `stdin:1: "wine 1 2" is no head of word vectors`},
		{headText, "1 99999999999\n", "the head tells of vectors of 99999999999 components"},
		{byLook, "1 2\na 1 2\n\xff 1 2\n", "stdin:3"},
		{headBinary, bin[:len(bin)-3], `stdin:4: row 3: the file ends within the vector of "beer"`},
		{headBinary, bin[:len(bin)-14], "stdin:4: row 3: the file ends within a word"},
		{headBinary, bin[:len(bin)-18], "the head tells of 3 words, and the file has 2"},
		{headBinary, bin + "more ", "the head tells of 3 words, and there are more"},
		{byLook, string(nan), `stdin:2: row 1: component 2 of the vector of "</s>" is no finite number`},
		{headBinary, "1 1\n 123", "row 1: the word is empty"},
		{headBinary, "1 1\n\xff 1234", `row 1: the word "?" is no text`},
	} {
		_, _, err := formattest.RowsString(&word2vec{layout: c.layout}, c.file, vectorColumns)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.layout, c.file, err, c.want)
		}
		formattest.CheckFault(t, err)
	}
	_, _, err := formattest.RowsString(&word2vec{layout: byLook}, "a 1 2\n", vectorColumns[:2])
	var e *codec.Error
	if !errors.As(err, &e) || e.Hint != vectorHint {
		t.Errorf("%v", err)
	}
}

// TestWord2vecNotices tells of words that come twice and of words that hold blanks.
func TestWord2vecNotices(t *testing.T) {
	c := &word2vec{layout: byLook}
	got := vectorRows(t, c, "a 1 2\nb 3 4\na 5 6\n. . 7 8\nb 9 9\n")
	if want := "a [1,2]\nb [3,4]\n. . [7,8]\n"; got != want {
		t.Errorf("%s", got)
	}
	want := []string{"2 further vectors of words that had one, which were left out (the first at stdin:3)",
		"a word that holds a blank (the first at stdin:4)"}
	if diff := cmp.Diff(want, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
}

// TestVectorLayout tells word vectors from other files.
func TestVectorLayout(t *testing.T) {
	for file, want := range map[string]string{
		"3 3\n": headText, "wine 1 2": noHead, "wine 1 2 x\n": "", "wine\t1\t2\n": "", "1 2 3\n4 5 6\n": "",
		"3 3\nA text of its own.\n": "", "": "", "\n": "", "a\n": "", "a b\n": "", "Now 1 2 3 four.\n": "",
		"2 1\nwine 0.5\nbeer 1\n": headText,
	} {
		if got := vectorLayout([]byte(file)); got != want {
			t.Errorf("%q looks as %q, want %q", file, got, want)
		}
	}
	src, err := codec.OpenSources(files.Anywhere, []string{"testdata/vectors.txt"}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := LooksVectors(src); err != nil || !found {
		t.Error("the file is not taken for word vectors", err)
	}
}

func FuzzWord2vec(f *testing.F) {
	formattest.Seeds(f, "2 2\na 1 2\nb 3 4\n", "a 1 2\nb 3 4\n", ". . 1 2\n", "1 1\na 1 \n", "2 2\na 1 2\na 3 4",
		binaryVectors("3 3", "\n", vectorWords, vectorValues), binaryVectors("3 3", "", vectorWords, vectorValues),
		binaryVectors("9999999 30000000", "", vectorWords, vectorValues))
	f.Fuzz(func(t *testing.T, in string) {
		for _, layout := range []string{byLook, headText, headBinary, noHead} {
			suite.CheckReadRows(t, in, "word2vec", vectorColumns, formattest.Arg("layout", value.Str(layout)))
		}
	})
}
