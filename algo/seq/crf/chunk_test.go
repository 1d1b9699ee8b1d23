package crf

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// chunking reads a file of CoNLL-2000, a document a sentence, with gold chunks.
func chunking(t testing.TB, name string) []*text.Document {
	t.Helper()
	f := realdata.Open(t, "chunk", name)
	var docs []*text.Document
	var rows [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if p := strings.Fields(s.Text()); len(p) == 3 {
			rows = append(rows, p)
		} else if len(rows) > 0 {
			docs = append(docs, sentence(len(docs), rows))
			rows = nil
		}
	}
	return docs
}

func sentence(n int, rows [][]string) *text.Document {
	d := &text.Document{ID: fmt.Sprint(n)}
	l := text.NewLayer(text.Tokens)
	l.N = len(rows)
	var tags []string
	for i, r := range rows {
		c := l.Cols
		c[0].Ints, c[1].Ints = append(c[0].Ints, 1), append(c[1].Ints, int32(i+1))
		c[2].Ints = append(c[2].Ints, int32(len(d.Text)))
		d.Text += r[0]
		c[3].Ints = append(c[3].Ints, int32(len(d.Text)))
		d.Text += " "
		c[4].Strs, c[7].Strs = append(c[4].Strs, r[0]), append(c[7].Strs, r[1])
		tags = append(tags, r[2])
	}
	d.SetLayer(l)
	d.SetLayer(d.SpanLayer(text.Chunks, bio.BIO.Decode(nil, 1, tags)))
	return d
}

func chunker(t testing.TB, docs []*text.Document, iterations int) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("layer", "chunks"), kindtest.Arg("l2", 2.0),
		kindtest.Arg("iterations", iterations)}); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 2, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

func BenchmarkAnnotate(b *testing.B) {
	m, docs := chunker(b, chunking(b, "conll2000.train"), 10), chunking(b, "conll2000.test")
	for _, prob := range []bool{false, true} {
		b.Run(fmt.Sprintf("prob=%v", prob), func(b *testing.B) {
			run := &kind.Run{Workers: 1, Prob: prob, Report: func(kind.Progress) {}}
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range docs {
					v := *d
					if err := m.Annotate(context.Background(), []*text.Document{&v}, run); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "sentences/s")
		})
	}
}
