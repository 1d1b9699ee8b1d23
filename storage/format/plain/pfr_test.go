package plain

import (
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

const peoplesDaily = `19980101-01-001-001/m 我们/r [[中央/n 人民/n]nz 电台/n]nt 、/w １／２/m
19980101-01-001-002/m 新/a 年/q

19980101-01-002-001/m
19980101-01-002-002/m [中国/ns 政府/n]nt
`

func TestPFR(t *testing.T) {
	read := func(args ...option.Arg) []*text.Document {
		got, err := formattest.ReadString(suite.Configure(t, "pfr", args...), peoplesDaily, 1)
		if err != nil {
			t.Fatal(err)
		}
		return got.Docs
	}
	docs := read()
	if len(docs) != 4 || docs[0].ID != "19980101-01-001-001" || docs[0].Text != "我们中央人民电台、１／２" || docs[2].Text != "" {
		t.Fatalf("%d documents, %+v", len(docs), docs[0])
	}
	toks := docs[0].Layer("tokens")
	if got := strings.Join(toks.Strs("form"), " ") + ", " + strings.Join(toks.Strs("xpos"),
		" "); got != "我们 中央 人民 电台 、 １／２, r n n n w m" {
		t.Errorf("tokens %s", got)
	}
	want := []text.Span{{Sent: 1, First: 2, Last: 4, Label: "nt"}, {Sent: 1, First: 2, Last: 3, Label: "nz"}}
	if got := docs[0].Layer("segments").Spans(); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("segments %v, want %v", got, want)
	}
	articles := read(formattest.Arg("document", value.Str("article")))
	if len(articles) != 2 || articles[0].ID != "19980101-01-001" || articles[0].Text != "我们中央人民电台、１／２\n新年" {
		t.Errorf("%d articles, the first is %q", len(articles), articles[0].Text)
	}
}

func TestPFRFaults(t *testing.T) {
	for _, bad := range []string{"text\n", "19980101-01-001-001/m 我们\n", "19980101-01-001-001/m [我们/r\n",
		"19980101-01-001-001/m 我们/r]nt\n", "1/m 我们/r\n"} {
		if got, err := formattest.ReadString(suite.Configure(t, "pfr"), bad, 1); err == nil {
			t.Errorf("%q is read as %d documents", bad, len(got.Docs))
		}
	}
}

func FuzzPFR(f *testing.F) {
	formattest.Seeds(f, peoplesDaily, "1-1/m [a/n b/n]nt", "1-1/m [[a/n]x]y", "1-1/m a]b", "1-1/m []/w", "1-1/m [/w ]/w")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "pfr")
		suite.CheckRead(t, in, "pfr", formattest.Arg("document", value.Str("article")))
	})
}
