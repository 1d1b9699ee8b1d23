package chain

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// chunking reads CoNLL-2000 data with CRFsuite's standard chunking attributes.
type chunking struct {
	attrs, labels map[string]int
}

// templates are relative places of words ("w") or tags ("p"); all must exist.
var templates = []struct {
	of string
	at []int
}{
	{"w", []int{-2}}, {"w", []int{-1}}, {"w", []int{0}}, {"w", []int{1}}, {"w", []int{2}},
	{"w", []int{-1, 0}}, {"w", []int{0, 1}},
	{"p", []int{-2}}, {"p", []int{-1}}, {"p", []int{0}}, {"p", []int{1}}, {"p", []int{2}},
	{"p", []int{-2, -1}}, {"p", []int{-1, 0}}, {"p", []int{0, 1}}, {"p", []int{1, 2}},
	{"p", []int{-2, -1, 0}}, {"p", []int{-1, 0, 1}}, {"p", []int{0, 1, 2}},
}

func (c *chunking) id(m map[string]int, key string, grow bool) (uint32, bool) {
	i, ok := m[key]
	if !ok && grow {
		i, ok = len(m), true
		m[key] = i
	}
	return uint32(i), ok
}

func (c *chunking) read(tb testing.TB, name string, grow bool) *Data {
	tb.Helper()
	f := realdata.Open(tb, "chunk", name)
	d := &Data{Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	var rows [][]string
	flush := func() {
		if len(rows) > 0 {
			c.add(d, rows, grow)
			rows = rows[:0]
		}
	}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if row := strings.Fields(sc.Text()); len(row) == 3 {
			rows = append(rows, row)
		} else {
			flush()
		}
	}
	flush()
	d.Labels, d.Attributes = len(c.labels), len(c.attrs)
	return d
}

func (c *chunking) add(d *Data, rows [][]string, grow bool) {
	for t, row := range rows {
		put := func(key string) {
			if a, ok := c.id(c.attrs, key, grow); ok {
				d.Attrs = append(d.Attrs, a)
			}
		}
		for k, tpl := range templates {
			column := 0
			if tpl.of == "p" {
				column = 1
			}
			key, ok := fmt.Sprint(k), true
			for _, o := range tpl.at {
				if t+o < 0 || t+o >= len(rows) {
					ok = false
					break
				}
				key += "|" + rows[t+o][column]
			}
			if ok {
				put(key)
			}
		}
		if t == 0 {
			put("__BOS__")
		}
		if t == len(rows)-1 {
			put("__EOS__")
		}
		d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
		y, _ := c.id(c.labels, row[2], true)
		d.Gold = append(d.Gold, uint16(y))
	}
	d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
}

func newChunking() *chunking { return &chunking{map[string]int{}, map[string]int{}} }

func BenchmarkEvaluate(b *testing.B) {
	d := newChunking().read(b, "conll2000.train", true)
	l, err := newLayout(d, false, false)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			o := newObjective(d, l, 2, workers)
			w, g := make([]float64, l.size()), make([]float64, l.size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := o.evaluate(context.Background(), w, g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestChunkingCold: 50 iterations from 0 come within a tenth of the least objective, which is at most 13156.67, and
// at least F − |∇F|²/(2·L2) of any weights, for the objective is strongly convex.
func TestChunkingCold(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	train := newChunking().read(t, "conll2000.train", true)
	const iterations, known = 50, 13156.67
	_, sum, err := Train(context.Background(), train, Options{L2: 2, Memory: 6, Iterations: iterations, Workers: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Iterations != iterations || sum.Objective > 1.1*known || sum.Evaluations > iterations*3/2 {
		t.Errorf("objective %f in iteration %d after %d evaluations", sum.Objective, sum.Iterations, sum.Evaluations)
	}
	if least := sum.Objective - sum.GradientNorm*sum.GradientNorm/4; least > known+0.01 {
		t.Errorf("the least objective is at least %f, others found %f", least, known)
	}
}

// TestChunkingWarmStart checks that a warm start comes near the loss of 13156.67 and the F1 of 0.936 at which
// CRFsuite ends after some hundred iterations, within 15.
func TestChunkingWarmStart(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	c := newChunking()
	train, test := c.read(t, "conll2000.train", true), c.read(t, "conll2000.test", false)
	const want = 13300
	m, sum, err := Train(context.Background(), train,
		Options{L2: 2, Memory: 10, Iterations: 10, WarmStart: true, Workers: 2}, func(p Progress) bool {
			t.Logf("%s %d: %.3f", p.Phase, p.Step, p.Objective)
			return p.Phase == Fitting && p.Objective < want
		})
	if err != nil {
		t.Fatal(err)
	}
	f1 := chunkF1(t, m, c, test)
	t.Logf("objective %.4f after %d iterations, F1 %.2f", sum.Objective, sum.Iterations, 100*f1)
	if sum.Objective > want {
		t.Errorf("objective %.3f after %d iterations, want %d or less", sum.Objective, sum.Iterations, want)
	}
	if f1 < 0.934 {
		t.Errorf("F1 %.4f, want about 0.936", f1)
	}
}

// chunkF1 scores chunks of B and I labels.
func chunkF1(t *testing.T, m *Model, c *chunking, d *Data) float64 {
	names := make([]string, len(c.labels))
	for s, i := range c.labels {
		names[i] = s
	}
	chunks := func(y []uint16) map[[3]int]bool {
		out := map[[3]int]bool{}
		start := -1
		for i := 0; i <= len(y); i++ {
			var now string
			if i < len(y) {
				now = names[y[i]]
			}
			if i > 0 && start >= 0 && !(strings.HasPrefix(now, "I-") && now[1:] == names[y[i-1]][1:]) {
				out[[3]int{start, i, c.labels["B"+names[y[i-1]][1:]]}] = true
				start = -1
			}
			if start < 0 && now != "" && now != "O" {
				start = i
			}
		}
		return out
	}
	dec, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	var right, gold, guess float64
	for i := range d.Sequences() {
		dec.Load(d.Sequence(i))
		y, _, err := dec.Viterbi()
		if err != nil {
			t.Fatal(err)
		}
		g, p := chunks(d.Gold[d.Offsets[i]:d.Offsets[i+1]]), chunks(y)
		gold, guess = gold+float64(len(g)), guess+float64(len(p))
		for k := range p {
			if g[k] {
				right++
			}
		}
	}
	return 2 * right / (gold + guess)
}

func BenchmarkViterbi(b *testing.B) {
	c := newChunking()
	train, test := c.read(b, "conll2000.train", true), c.read(b, "conll2000.test", false)
	m, _, err := Train(context.Background(), train, Options{L2: 2, Iterations: 30, Workers: 2}, nil)
	if err != nil {
		b.Fatal(err)
	}
	dec, err := m.NewDecoder(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range test.Sequences() {
			dec.Load(test.Sequence(i))
			if _, _, err := dec.Viterbi(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(test.Sequences()*b.N)/b.Elapsed().Seconds(), "sentences/s")
}

func BenchmarkSecondEvaluate(b *testing.B) {
	c := newChunking()
	d := c.read(b, "conll2000.train", true)
	t, err := newSecondTrainer(d, d.Possible(false, nil), Options{L2: 2, Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	w, g := make([]float64, t.size()), make([]float64, t.size())
	for b.Loop() {
		if _, err := t.evaluate(context.Background(), w, g); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(t.pairs.list)), "pairs")
	b.ReportMetric(float64(len(t.pairs.from)), "arcs")
	b.ReportMetric(float64(len(t.triples)), "triples")
}

// BenchmarkOnline is an epoch over CoNLL-2000, the mean of five.
func BenchmarkOnline(b *testing.B) {
	d := newChunking().read(b, "conll2000.train", true)
	for _, c := range []struct {
		name string
		o    Online
	}{{"perceptron", Online{Averaged: true}}, {"margin", Online{Rule: Margin, C: 20}},
		{"passive-aggressive", Online{Rule: PassiveAggressive, Averaged: true, C: 1}},
		{"sgd", Online{Rule: Gradient, L2: 2, Rate: 0.1}}, {"sgd with l1", Online{Rule: GradientL1, L1: 0.5, Decay: 0.85}}} {
		b.Run(c.name, func(b *testing.B) {
			c.o.Epochs = 5
			for b.Loop() {
				if _, _, err := TrainOnline(context.Background(), d, c.o, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(5*b.N), "s/epoch")
		})
	}
}
