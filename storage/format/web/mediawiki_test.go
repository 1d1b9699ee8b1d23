package web

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/storage/format/formattest"
)

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string]string{
		"A. B. Clark (b. 1900. Oslo) was a man. He died.":  "A. B. Clark (b. 1900. Oslo) was a man.",
		"He met Dr. Who at St. Ives at 3.5 p.m. on it. So": "He met Dr. Who at St. Ives at 3.5 p.m. on it.",
		"It is \"so.\" Then":                               `It is "so."`,
		"土卫六很大。它很远。":                                       "土卫六很大。",
		"no end":                                           "no end",
		"What? Yes.":                                       "What?",
		"":                                                 "",
	} {
		if got := firstSentence(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Sentences of an encyclopedia, cut by others, mostly end where they end here.
func TestFirstSentences(t *testing.T) {
	same, n := 0, 0
	for _, f := range formattest.DataFiles(t, "text/wikipedia-en.first-sentences.tsv") {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
			_, sentence, _ := strings.Cut(line, "\t")
			n++
			if firstSentence(sentence+" The next.") == sentence {
				same++
			}
		}
	}
	if same*100 < n*90 {
		t.Errorf("%d of %d", same, n)
	}
}

// Brackets that never end cost no more than others.
func TestWikitextLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, long texts: nothing for a short run")
	}
	for _, piece := range []string{"{{", "[[", "[[a|", "{|\n", "<ref>", "[http://x ", "}}", "]]", "<!--", "'''", "{{{",
		"[", "(", "{{a\n|}", "<nowiki>", "= "} {
		watch := testtime.Start()
		w := wikitext{}
		w.reduce(strings.Repeat(piece, 200_000))
		w.reduce(strings.Repeat(piece, 100_000) + strings.Repeat("}}]]", 100_000))
		if d := watch.Took(); d > 20*time.Second {
			t.Errorf("%q: %v", piece, d)
		}
	}
}

func FuzzWikitext(f *testing.F) {
	formattest.Seeds(f, "{{a|{{b}}}}\n{|\n|}\n[[c|d [[e]]]] [http://f g] '''h''' <ref>i</ref><nowiki>[[</nowiki>\n== j "+
		"==\n* k",
		"[[Category:a]][[File:b|c]]", "{{{{{1}}}}}", "&lt;", "[[a|]]", "=====")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "mediawiki")
		var b strings.Builder
		if err := xml.EscapeText(&b, []byte(in)); err != nil {
			t.Fatal(err)
		}
		suite.CheckRead(t, "<page><revision><text>"+b.String()+"</text></revision></page>", "mediawiki")
	})
}

// A dump may stand in several compressed files.
func TestDumpFiles(t *testing.T) {
	dir := t.TempDir()
	for i, data := range [][]byte{formattest.Gzipped(t,
		"<mediawiki><page><id>1</id><revision><text>''One''</text></revision></page></mediawiki>"),
		formattest.Zstandard(t, "<mediawiki><page><id>2</id></page><page><id>3</id></page></mediawiki>")} {
		formattest.Write(t, dir, fmt.Sprintf("%d.xml%s", i, []string{".gz", ".zst"}[i]), data)
	}
	docs := formattest.ReadPlain(t, suite.Configure(t, "mediawiki"), filepath.Join(dir, "*"))
	if len(docs) != 3 || docs[0].Text != "One" || docs[2].ID != "3" {
		t.Error(formattest.Dumps(docs))
	}
}
