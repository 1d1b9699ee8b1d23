package plain

import (
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func TestBitextAlignments(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "x.src-tgt", []byte("a b ||| c d\n\nÉ ||| f\n"))
	formattest.Write(t, dir, "x.gold", []byte("2p1 1-2 1-1\n\n\n"))
	sides := option.Arg{Name: "sides", List: []option.Arg{{Value: value.Str("en")}, {Value: value.Str("fr")}}}
	c := suite.Configure(t, "bitext", formattest.Arg("alignment", value.Str(".gold")),
		formattest.Arg("base", value.Int(1)), sides)
	got, err := formattest.ReadBeside(t, dir, "x.src-tgt", c)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`alignments sent=1 tok=1 other_doc="x.src-tgt:1:fr" other_sent=1 other_tok=1 label="sure"`,
		`alignments sent=1 tok=1 other_doc="x.src-tgt:1:fr" other_sent=1 other_tok=2 label="sure"`,
		`alignments sent=1 tok=2 other_doc="x.src-tgt:1:fr" other_sent=1 other_tok=1 label="possible"`,
	}
	if !strings.Contains(got, "  "+strings.Join(want, "\n  ")+"\nx.src-tgt:1:fr at") ||
		strings.Count(got, "alignments") != 3 || !strings.Contains(got, "x.src-tgt:3:en at x.src-tgt:3") {
		t.Error(got)
	}
}

func TestBitextFaults(t *testing.T) {
	for _, c := range []struct{ pairs, links, name, want string }{
		{"a ||| b\n", "0-1\n", "l", "l:1: 0-1: the target has 1 token, which count from 0 (option base)"},
		{"a ||| b\n", "0:0\n", "l", `l:1: "0:0" is no alignment such as 1-2 or 1p2`},
		{"a ||| b\n", "99999999999-0\n", "l", `l:1: "99999999999-0" is no alignment such as 1-2 or 1p2`},
		{"a ||| b\na ||| b\n", "0-0\n", "l", "p:2: l has no alignment of this line"},
		{"a ||| b\n", "0-0\n0-0\n", "l", "l:2: an alignment behind the last pair"},
		{"\na ||| b\n", "0-0\n0-0\n", "l", "l:1: an alignment of a blank line"},
		{"a ||| b\n", "0-0\n", "none", "p:1: there is no file none beside it"},
		{"a ||| b\n", "0-0\n", "x/l", `p:1: "x/l" is no name of a file beside this one`},
	} {
		dir := t.TempDir()
		formattest.Write(t, dir, "p", []byte(c.pairs))
		formattest.Write(t, dir, "l", []byte(c.links))
		_, err := formattest.ReadBeside(t, dir, "p",
			suite.Configure(t, "bitext", formattest.Arg("alignment", value.Str(c.name))))
		if err == nil || strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "") != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestBitextFiles: two files side by side, and what is written of them.
func TestBitextFiles(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "x.en", []byte("a b\n\n\nc\n"))
	formattest.Write(t, dir, "x.fr", []byte("A\n\nB\nC D\n"))
	formattest.Write(t, dir, "x.links", []byte("0-0 1p0\n\n\n0-1\n"))
	opts := []option.Arg{formattest.Arg("target", value.Str(".fr")), formattest.Arg("alignment", value.Str("x.links"))}
	src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, "x.en")}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := formattest.ReadAll(suite.Configure(t, "bitext", opts...), src, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := formattest.Written(t, suite.Configure(t, "bitext"), got.Docs); got != "a b ||| A\n ||| B\nc ||| C D\n" {
		t.Errorf("texts:\n%s", got)
	}
	if got := formattest.Written(t, suite.Configure(t, "bitext", formattest.Arg("links", value.Bool(true)),
		formattest.Arg("base", value.Int(1))),
		got.Docs); got != "1-1 2p1\n\n1-2\n" {
		t.Errorf("links:\n%s", got)
	}
	formattest.Write(t, dir, "short.fr", []byte("A\n"))
	if _, err := formattest.ReadBeside(t, dir, "x.en",
		suite.Configure(t, "bitext", formattest.Arg("target", value.Str("short.fr")))); err == nil ||
		!strings.Contains(err.Error(), "x.en:4: "+filepath.Join(dir, "short.fr")+" has no translation of this line") {
		t.Error(err)
	}
	formattest.Write(t, dir, "long.fr", []byte("A\n\nB\nC\nD\n"))
	if _, err := formattest.ReadBeside(t, dir, "x.en",
		suite.Configure(t, "bitext", formattest.Arg("target", value.Str("long.fr")))); err == nil ||
		!strings.Contains(err.Error(), "long.fr:5: a translation behind the last pair") {
		t.Error(err)
	}
	for want, docs := range map[string][]int{"has no partner": {0}, "are no pair": {0, 2}} {
		var b strings.Builder
		w, err := codec.NewDocumentWriter(suite.Configure(t, "bitext"), &b)
		for _, i := range docs {
			if err == nil {
				err = w.Write(got.Docs[i])
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func FuzzBitext(f *testing.F) {
	formattest.Seeds(f, "a b ||| c\n", "a\tb\tc\n", "|||", " ||| ", "\t\t\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "bitext")
		suite.CheckRead(t, in, "bitext", formattest.Arg("separator", value.Str("tab")),
			formattest.Arg("tokenized", value.Bool(false)))
	})
}

func FuzzArticles(f *testing.F) {
	formattest.Seeds(f, "# 1\tA\nb\nc\n\n# 2\tB\n", "# \t", "x\n# 1\ta")
	f.Fuzz(func(t *testing.T, in string) { suite.CheckRead(t, in, "articles") })
}

// Published pairs and their alignments.
func TestParallel(t *testing.T) {
	for _, c := range []struct {
		name                string
		pairs, links, maybe int
	}{
		{"align.enfr.src-tgt", 447, 17438, 13400},
		{"align.zhen.src-tgt", 450, 11416, 178},
	} {
		docs := formattest.ReadPlain(t, suite.Configure(t, "bitext", formattest.Arg("alignment", value.Str(".gold")),
			formattest.Arg("base", value.Int(1))),
			formattest.DataFiles(t, "mt/"+c.name)...)
		links, maybe := 0, 0
		for _, d := range docs {
			if l := d.Layer("alignments"); l != nil {
				links += l.N
				for _, n := range l.Strs("label") {
					if n == "possible" {
						maybe++
					}
				}
			}
		}
		if len(docs) != 2*c.pairs || links != c.links || maybe != c.maybe {
			t.Errorf("%s: %d pairs, %d alignments, %d possible", c.name, len(docs)/2, links, maybe)
		}
	}
	docs := formattest.ReadPlain(t, suite.Configure(t, "bitext", formattest.Arg("separator", value.Str("tab")),
		formattest.Arg("tokenized", value.Bool(false))),
		formattest.DataFiles(t, "mt/tatoeba.en-zh.txt")...)
	if len(docs) != 2*26388 || docs[0].Text != "Hi." || docs[1].Text != "嗨。" {
		t.Errorf("%d documents", len(docs))
	}
}

// Articles of the compressed files.
func TestArticles(t *testing.T) {
	n := 0
	for _, f := range formattest.DataFiles(t, "text/wiki*.txt.gz") {
		for _, d := range formattest.ReadPlain(t, suite.Configure(t, "articles"), f) {
			if d.Field("title").IsNull() || strings.Trim(d.ID, "0123456789") != "" {
				t.Fatalf("%s: %s has the title %s", f, d.ID, d.Field("title"))
			}
			n++
		}
	}
	if n < 10000 {
		t.Errorf("%d articles", n)
	}
}
