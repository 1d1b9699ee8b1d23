package logistic

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// chunking reads a file of CoNLL-2000 as one document with gold chunks.
func chunking(t testing.TB, name string) kind.Documents {
	t.Helper()
	f := realdata.Open(t, "chunk", name)
	d := &text.Document{ID: name}
	l := text.NewLayer(text.Tokens)
	var tags []string
	var spans []text.Span
	sent, tok := int32(1), int32(0)
	end := func() {
		if tok > 0 {
			spans = bio.BIO.Decode(spans, sent, tags)
			sent, tok, tags = sent+1, 0, nil
		}
	}
	for s := bufio.NewScanner(f); s.Scan(); {
		p := strings.Fields(s.Text())
		if len(p) != 3 {
			end()
			continue
		}
		tok++
		c := l.Cols
		c[0].Ints, c[1].Ints = append(c[0].Ints, sent), append(c[1].Ints, tok)
		c[2].Ints, c[3].Ints = append(c[2].Ints, 0), append(c[3].Ints, 0)
		c[4].Strs, c[7].Strs = append(c[4].Strs, p[0]), append(c[7].Strs, p[1])
		tags = append(tags, p[2])
		l.N++
	}
	end()
	d.SetLayer(l)
	d.SetLayer(d.SpanLayer(text.Chunks, spans))
	return kind.Documents{d}
}

// chunkData is CoNLL-2000 with the attributes of the feature set chunk.
func chunkData(t testing.TB) *tagger.Data {
	t.Helper()
	set, err := feature.Resolve("chunk")
	if err != nil {
		t.Fatal(err)
	}
	target, err := tagger.NewTarget("chunks", bio.BIO)
	if err != nil {
		t.Fatal(err)
	}
	d, err := tagger.Read(background, chunking(t, "conll2000.train"), set, target, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestChunking fits CoNLL-2000 without labels before. L-BFGS ends at 15992.507.
func TestChunking(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is unset")
	}
	d := chunkData(t)
	m, err := NewMatrix(background, &d.Data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(m, d.Gold, d.Labels)
	if err != nil {
		t.Fatal(err)
	}
	const least = 15992.507
	start, sweeps, trials := testtime.Processor(t), 0, 0.0
	_, _, err = Fit(background, p, Options{Method: CD, L2: 1, Sweeps: 60, Workers: 2}, func(s Sweep) bool {
		sweeps, trials = s.Number, float64(s.Trials)/float64(s.Steps)
		t.Logf("sweep %d: gap %.6f, %.1f s of CPU, %d places", s.Number, s.Objective/least-1,
			testtime.Processor(t)-start, s.Places)
		return s.Objective <= 1.001*least
	})
	if err != nil {
		t.Fatal(err)
	}
	if sweeps > 30 || trials > 1.1 {
		t.Errorf("a gap of 1e-3 takes %d sweeps, %.3f trials a step in the last", sweeps, trials)
	}
}
