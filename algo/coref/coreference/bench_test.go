package coreference

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// novel is a document with n mentions, three a sentence.
func novel(mentions int) *text.Document {
	r := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for range mentions / 3 {
		p := people[r.IntN(len(people))]
		q := people[r.IntN(len(people))]
		lines = append(lines, fmt.Sprintf("[1 %s ] saw [2 %s ] by [3 the house ] .",
			[]string{p.name, p.subject, p.nominal}[r.IntN(3)], []string{q.name, q.object, q.nominal}[r.IntN(3)]))
	}
	return parsed("novel", lines...)
}

// BenchmarkAnnotate goes from mentions to clusters with the set coref. Seconds are those of the processor.
func BenchmarkAnnotate(b *testing.B) {
	m := train(b, sample(10))
	for _, c := range []struct{ mentions, antecedents int }{{99, 0}, {300, 0}, {501, 0}, {501, 100}, {1200, 0},
		{4800, 0}, {4800, 300}} {
		d := novel(c.mentions)
		m.opt.limit = c.antecedents
		x := documentOf(d, c.antecedents)
		b.Run(fmt.Sprintf("%d mentions, %d antecedents", c.mentions, c.antecedents), func(b *testing.B) {
			began := testtime.Processor(b)
			for b.Loop() {
				v := *d
				if err := m.Annotate(background, []*text.Document{&v}, &kind.Run{}); err != nil {
					b.Fatal(err)
				}
			}
			seconds := (testtime.Processor(b) - began) / float64(b.N)
			b.ReportMetric(float64(len(x.table.Score))/seconds, "pairs/s")
			b.ReportMetric(float64(c.mentions)/seconds, "mentions/s")
		})
	}
}
