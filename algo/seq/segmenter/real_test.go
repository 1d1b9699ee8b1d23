package segmenter

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// paragraphs reads every nth paragraph of the People's Daily as a document of one sentence.
func paragraphs(t *testing.T, name string, every int) kind.Documents {
	t.Helper()
	var in io.Reader = realdata.Open(t, "zhseg-tags", name)
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = z
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	var sentences [][]taggedWord
	for n := 1; s.Scan(); n++ {
		fields := strings.Fields(s.Text())
		if n%every != 0 || len(fields) < 2 {
			continue
		}
		var words []taggedWord
		for _, f := range fields[1:] {
			f, _, _ = strings.Cut(strings.TrimLeft(f, "["), "]")
			k := strings.LastIndexByte(f, '/')
			words = append(words, taggedWord{f[:k], f[k+1:]})
		}
		sentences = append(sentences, words)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return documents(sentences...)
}

// scored is the scores of a model on documents, by name.
func scored(t *testing.T, m *model, train, gold kind.Documents) map[string]float64 {
	t.Helper()
	known := &metrics.Vocabulary{Words: map[string]bool{}, Tagged: map[[2]string]bool{}}
	for _, d := range train {
		known.Learn(d.Layer(text.Tokens.Name), "xpos")
	}
	s := metrics.NewSegmentation(metrics.Options{Known: known})
	for _, d := range gold {
		p := &text.Document{Text: d.Text}
		if err := m.Annotate(context.Background(), []*text.Document{p}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{p}); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]float64{}
	for _, x := range s.Metrics() {
		out[x.Name] = x.Value()
	}
	return out
}

// TestPeoplesDaily learns from a twentieth of a week, to which 30 % of the words of the dev days are unknown.
func TestPeoplesDaily(t *testing.T) {
	train, dev := paragraphs(t, "pd199801.train.1.txt.gz", 20), paragraphs(t, "pd199801.dev.txt", 8)
	run := func(args ...option.Arg) map[string]float64 {
		return scored(t, fitted(t, train, append(args, kindtest.Arg("epochs", 3))...), train, dev)
	}
	hybrid := run(kindtest.Arg("policy", "threshold"))
	words := run(kindtest.Arg("lattice", "words"))
	none := run(kindtest.Arg("policy", "none"))
	if hybrid["f1"] < 0.78 || hybrid["tagged_f1"] < 0.68 || hybrid["oov_recall"] < 0.47 || hybrid["iv_recall"] < 0.88 {
		t.Errorf("hybrid: %v", hybrid)
	}
	if words["oov_recall"] > 0.25 || words["f1"] > hybrid["f1"]-0.05 {
		t.Errorf("words alone: %v", words)
	}
	if none["oov_recall"] > hybrid["oov_recall"]-0.2 || none["f1"] > hybrid["f1"]-0.05 {
		t.Errorf("no policy: %v", none)
	}
}
