package ngrams

import (
	"bufio"
	"compress/gzip"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
)

var token = regexp.MustCompile(`[\pL\pN]+('[\pL\pN]+)?|[^\s\pL\pN]`)

// wikipedia is the lines of a part of an encyclopedia, words and punctuation apart.
func wikipedia(tb testing.TB, part string) []string {
	z, err := gzip.NewReader(realdata.Open(tb, "text", part))
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		if words := token.FindAllString(in.Text(), -1); len(words) > 0 && words[0] != "#" {
			out = append(out, strings.Join(words, " "))
		}
	}
	if err := in.Err(); err != nil {
		tb.Fatal(err)
	}
	return out
}

// present is n-grams of a model drawn at random, and of each the first words with another last one, mostly absent.
func present(m *model, n int) (grams [][]string) {
	rng := rand.New(rand.NewPCG(1, 1))
	var all []string
	for g := range listing(m) {
		all = append(all, g)
		if len(all) == 10*n {
			break
		}
	}
	for range n {
		g := strings.Fields(all[rng.IntN(len(all))])
		grams = append(grams, g)
		other := strings.Fields(all[rng.IntN(len(all))])
		grams = append(grams, append(append([]string(nil), g[:len(g)-1]...), other[0]))
	}
	return grams
}

func trained(b *testing.B, smoothing string) (*model, kind.Documents) {
	train1 := lines(wikipedia(b, "wikipedia-en.1.txt.gz")...)
	held := lines(wikipedia(b, "wikipedia-en.7.txt.gz")[:2000]...)
	return train(b, train1, settings{}, kindtest.Arg("smoothing", smoothing)), held
}

// BenchmarkLookUp finds counts of n-grams of 1 to 5 words, given as words; half of them are there. Processor time
// tells more than the
// clock on a busy machine.
func BenchmarkLookUp(b *testing.B) {
	m, _ := trained(b, byStupid)
	grams := present(m, 100_000)
	i, n, from := 0, 0, testtime.Processor(b)
	for b.Loop() {
		m.Count(grams[i]...)
		n++
		if i++; i == len(grams) {
			i = 0
		}
	}
	b.ReportMetric((testtime.Processor(b)-from)/float64(n)*1e9, "cpu-ns/op")
}

// BenchmarkScore scores held-out lines; cpu-ns/token is what a word takes.
func BenchmarkScore(b *testing.B) {
	for _, smoothing := range []string{byKneserNey, byStupid} {
		b.Run(smoothing, func(b *testing.B) {
			m, held := trained(b, smoothing)
			n, from := 0, testtime.Processor(b)
			for b.Loop() {
				for _, d := range held {
					for s := range sentences(d) {
						m.LogProb(s)
						n += len(s) + 1
					}
				}
			}
			b.ReportMetric((testtime.Processor(b)-from)/float64(n)*1e9, "cpu-ns/token")
		})
	}
}
