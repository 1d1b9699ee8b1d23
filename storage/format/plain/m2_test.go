package plain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// m2File draws a file in the spelling of its authors.
func m2File(t *rapid.T) string {
	var b strings.Builder
	form := rapid.StringMatching(`[a-zé|'.]{1,4}`)
	for range rapid.IntRange(1, 4).Draw(t, "sentences") {
		words := rapid.SliceOfN(form, 0, 5).Draw(t, "tokens")
		blank := rapid.SampledFrom([]string{" ", " ", " ", "  "}).Draw(t, "blank")
		fmt.Fprintf(&b, "S %s\n", strings.Join(words, blank))
		for a := range rapid.IntRange(0, 3).Draw(t, "edits") {
			if rapid.IntRange(0, 4).Draw(t, "noop") == 0 {
				fmt.Fprintf(&b, "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||%d\n", a)
				continue
			}
			from := rapid.IntRange(0, len(words)).Draw(t, "from")
			to := rapid.IntRange(from, len(words)+1).Draw(t, "to")
			correction := rapid.SampledFrom([]string{"", "-NONE-", "x", "x y", "a||b", "é"}).Draw(t, "correction")
			required := rapid.SampledFrom([]string{"REQUIRED", "", "OPTIONAL"}).Draw(t, "required")
			fmt.Fprintf(&b, "A %d %d|||%s|||%s|||%s|||-NONE-|||%d\n", from, to, formattest.Name.Draw(t, "type"), correction,
				required, a)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestM2RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cut := rapid.SampledFrom([]string{"sentence", "file", "2"}).Draw(t, "document")
		c := suite.Configure(t, "m2", formattest.Arg("document", value.Str(cut)),
			formattest.Arg("outside", value.Str("clip")))
		file := m2File(t)
		got, err := formattest.ReadString(c, file, 2)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		formattest.CheckLayers(t, got.Docs)
		if out := formattest.Written(t, c, got.Docs); out != file {
			t.Fatalf("wrote\n%s\nof\n%s", out, file)
		}
	})
}

// What is kept of a line counts only as long as the edit is the same.
func TestM2Changed(t *testing.T) {
	c := suite.Configure(t, "m2")
	got, err := formattest.ReadString(c, "S a  b\nA 0 1|||X|||x|||OPTIONAL|||-NONE-|||0\n", 1)
	if err != nil {
		t.Fatal(err)
	}
	d := got.Docs[0]
	d.Layer("edits").Strs("correction")[0] = "y"
	if file := formattest.Written(t, c, got.Docs); file != "S a  b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n" {
		t.Errorf("%q", file)
	}
}

// TestM2Dropped leaves out edits behind the last token; their annotator stays.
func TestM2Dropped(t *testing.T) {
	c := suite.Configure(t, "m2", formattest.Arg("outside", value.Str("drop")))
	const first = "S a b\nA 0 2|||X|||x|||REQUIRED|||-NONE-|||0\n"
	got, err := formattest.ReadString(c, first+"A 1 3|||X|||y|||OPTIONAL|||-NONE-|||1\nA 3 "+
		"3|||X|||z|||REQUIRED|||-NONE-|||2\n", 1)
	if err != nil {
		t.Fatal(err)
	}
	want := first + "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2\n\n"
	if file := formattest.Written(t, c, got.Docs); file != want {
		t.Errorf("%q, want %q", file, want)
	}
}

func TestM2Refuses(t *testing.T) {
	for _, c := range []struct {
		change func(d *text.Document)
		want   string
	}{
		{func(d *text.Document) { d.Layer("edits").Ints("char_end")[0] = 1 },
			"document d: edit 1 does not begin and end with tokens"},
		{func(d *text.Document) { d.Layer("edits").Ints("sent")[0] = 0 }, "document d: edit 1 lies in no sentence"},
		{func(d *text.Document) { d.Layer("edits").Strs("correction")[0] = "a|||b" },
			`document d: "a|||b" does not fit between |||`},
		{func(d *text.Document) { d.Layer("tokens").Strs("form")[0] = "a b" },
			`document d: token "a b" has a blank, which separates tokens`},
	} {
		of := suite.Configure(t, "m2")
		got, err := formattest.ReadString(of, "S abc d\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\n", 1)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Docs[0]
		d.ID = "d"
		c.change(d)
		w, err := codec.NewDocumentWriter(of, &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzM2(f *testing.F) {
	formattest.Seeds(f, "S a b\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\n\nS c\n", "S\nA 0 0|||||||||||||||0",
		"S a\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n", "A 0 0", "S \u00a0 \nA 0 1")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "m2")
		suite.CheckRead(t, in, "m2", formattest.Arg("document", value.Str("file")))
		suite.CheckRead(t, in, "m2", formattest.Arg("document", value.Str("2")))
	})
}

// Published corrections come back byte by byte.
func TestCorrections(t *testing.T) {
	for _, f := range append(formattest.DataFiles(t, "gec-m2/*.m2"), formattest.DataFiles(t, "gec/*.m2")...) {
		for _, cut := range []string{"sentence", "file"} {
			t.Run(filepath.Base(f)+"/"+cut, func(t *testing.T) {
				c := suite.Configure(t, "m2", formattest.Arg("document", value.Str(cut)),
					formattest.Arg("outside", value.Str("clip")))
				want, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				checkBytes(t, []byte(formattest.Written(t, c, formattest.ReadPlain(t, c, f))), want)
			})
		}
	}
}
