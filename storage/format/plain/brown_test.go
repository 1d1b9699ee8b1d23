package plain

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func TestBrownRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, toks := formattest.BareTokens(t, "stdin", formattest.BareWord)
		toks.SetStrs("xpos", rapid.SliceOfN(rapid.SampledFrom([]string{"nn", "np-tl", ""}), toks.N, toks.N).Draw(t, "xpos"))
		formattest.CheckDocuments(t, suite.Configure(t, "brown"), []*text.Document{d})
	})
}

// The Brown corpus has 500 texts; its tokens are what stands between blanks.
func TestRealBrown(t *testing.T) {
	files := formattest.DataFiles(t, "pos/brown/c[a-r][0-9][0-9]")
	words, lines := 0, 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		words += len(strings.Fields(string(data)))
		for line := range strings.SplitSeq(string(data), "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
	}
	docs := formattest.ReadFiles(t, suite.Configure(t, "brown"), "", files...)
	if diff := cmp.Diff([]int{len(files), words, lines},
		[]int{len(docs), formattest.RowsOf(docs, "tokens"), formattest.RowsOf(docs, "sentences")}); diff != "" {
		t.Error(diff)
	}
	suite.CheckSameDocuments(t, "brown", files[:10], formattest.Arg("document", value.Str("sentence")))
	t.Logf("%d documents, %d tokens, %d sentences", len(files), words, lines)
}
