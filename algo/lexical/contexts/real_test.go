package contexts

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// articles is news of the folder that PARLANCE_DATA names, cut at blanks, a paragraph a document, up to n tokens.
func articles(b *testing.B, most int) (docs []*text.Document) {
	tokens := 0
	for _, name := range []string{"wikinews-en.1", "wikinews-en.2"} {
		z, err := gzip.NewReader(realdata.Open(b, "text", name+".txt.gz"))
		if err != nil {
			b.Fatal(err)
		}
		s := bufio.NewScanner(z)
		s.Buffer(nil, 1<<20)
		for s.Scan() && tokens < most {
			forms := strings.Fields(s.Text())
			d, toks := &text.Document{ID: fmt.Sprint(len(docs))}, text.NewLayer(text.Tokens)
			sent, tok := make([]int32, len(forms)), make([]int32, len(forms))
			for i := range forms {
				sent[i], tok[i] = 1, int32(i+1)
			}
			toks.N, tokens = len(forms), tokens+len(forms)
			toks.SetInts("sent", sent)
			toks.SetInts("tok", tok)
			toks.SetStrs("form", forms)
			d.SetLayer(toks)
			docs = append(docs, d)
		}
	}
	return docs
}

// BenchmarkTrain counts windows of news.
func BenchmarkTrain(b *testing.B) {
	docs := articles(b, 1_000_000)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			start := testtime.Processor(b)
			for b.Loop() {
				train(b, kind.Documents(docs), workers, kindtest.Arg("contexts", "window"))
			}
			b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}
