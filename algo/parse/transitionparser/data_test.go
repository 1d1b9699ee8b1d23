package transitionparser

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// readTrees reads CoNLL-U or CoNLL-X, a document of 20 sentences each, and skips the test without data.
func readTrees(t testing.TB, name string) []*text.Document {
	f := realdata.Open(t, name)
	var docs []*text.Document
	var b builder
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		if line == "" {
			if b.next(); b.sentences == 20 {
				docs = append(docs, b.document(len(docs)))
			}
			continue
		}
		if cols := strings.Split(line, "\t"); len(cols) >= 8 && !strings.ContainsAny(cols[0], "-.#") {
			b.token(cols)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	b.next()
	return append(docs, b.document(len(docs)))
}

// builder gathers the columns of a document.
type builder struct {
	sentences     int
	open          bool
	sent, tok     []int32
	head          []int32
	form, lemma   []string
	upos, xpos    []string
	feats, deprel []string
}

func (b *builder) next() {
	if b.open {
		b.sentences++
	}
	b.open = false
}

func (b *builder) token(cols []string) {
	b.open = true
	id, _ := strconv.Atoi(cols[0])
	head, _ := strconv.Atoi(cols[6])
	b.sent, b.tok, b.head = append(b.sent, int32(b.sentences+1)), append(b.tok, int32(id)), append(b.head, int32(head))
	b.form, b.lemma, b.upos, b.xpos = append(b.form, cols[1]), append(b.lemma, cols[2]), append(b.upos, cols[3]),
		append(b.xpos, cols[4])
	b.feats, b.deprel = append(b.feats, cols[5]), append(b.deprel, cols[7])
}

func (b *builder) document(i int) *text.Document {
	d := &text.Document{ID: strconv.Itoa(i)}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	toks.N, arcs.N = len(b.sent), len(b.sent)
	for _, l := range []*text.Layer{toks, arcs} {
		l.SetInts("sent", b.sent)
		l.SetInts("tok", b.tok)
	}
	toks.SetStrs("form", b.form)
	toks.SetStrs("lemma", b.lemma)
	toks.SetStrs("upos", b.upos)
	toks.SetStrs("xpos", b.xpos)
	toks.SetStrs("feats", b.feats)
	arcs.SetInts("head", b.head)
	arcs.SetStrs("deprel", b.deprel)
	d.SetLayer(toks)
	d.SetLayer(arcs)
	*b = builder{}
	return d
}

// accuracy is the shares of right heads, and of right heads with right labels.
func accuracy(t testing.TB, m kind.Model, gold []*text.Document) (uas, las float64) {
	n := 0.0
	for _, d := range gold {
		v := *d
		v.DropLayer("dependencies")
		if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		a, b := d.Layer("dependencies"), v.Layer("dependencies")
		rel := b.Strs("deprel")
		for i, h := range a.Ints("head") {
			n++
			if h == b.Ints("head")[i] {
				uas++
				if rel != nil && rel[i] == a.Strs("deprel")[i] {
					las++
				}
			}
		}
	}
	return 100 * uas / n, 100 * las / n
}

// fitted trains on documents, scoring after each epoch as VALIDATE does where dev is not nil.
func fitted(t testing.TB, docs, dev []*text.Document, opts ...option.Arg) kind.Model {
	m, s := Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
	tr.Report = func(p kind.Progress) { t.Log(p) }
	if dev != nil {
		tr.Score = func(_ context.Context, m kind.Model) (float64, string, error) {
			uas, las := accuracy(t, m, dev)
			t.Logf("uas %.2f las %.2f", uas, las)
			return max(uas, 0), "uas", nil
		}
	}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// cpu is the user time of the process.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}

// TestMeasure trains with the options that the variable OPTIONS holds, as name=value, and prints scores
// and speed: one run of the tables in RESULTS.md.
func TestMeasure(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set")
	}
	files := strings.Fields(os.Getenv("TREES"))
	if len(files) != 2 {
		files = []string{"ud/en_ewt.train.conllu", "ud/en_ewt.dev.conllu"}
	}
	train, dev := readTrees(t, files[0]), readTrees(t, files[1])
	var opts []option.Arg
	for _, o := range strings.Split(os.Getenv("OPTIONS"), ";") {
		if name, v, ok := strings.Cut(o, "="); ok {
			opts = append(opts, kindtest.Arg(strings.TrimSpace(name), strings.TrimSpace(v)))
		}
	}
	held := dev
	if os.Getenv("VALIDATE") == "" {
		held = nil
	}
	start := cpu()
	m := fitted(t, train, held, opts...)
	took := cpu() - start
	tokens := 0
	for _, d := range dev {
		tokens += d.Layer("tokens").N
	}
	uas, las := accuracy(t, m, dev)
	best := time.Duration(1 << 60)
	for range 5 {
		start := cpu()
		accuracy(t, m, dev)
		best = min(best, cpu()-start)
	}
	w := kind.NewWriter(func(string, []byte) error { return nil })
	if err := m.Encode(w); err != nil {
		t.Fatal(err)
	}
	t.Logf("RESULT uas %.2f las %.2f train %.1f s, %.0f tokens/s, %.1f MB in memory, %.1f MB written, %s", uas,
		las, took.Seconds(),
		float64(tokens)/best.Seconds(), float64(m.(kind.Sized).Bytes())/1e6, float64(w.Size())/1e6, peak())
}

// peak is the most memory that the process had.
func peak() string {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}

// BenchmarkAnnotate parses English EWT, development set: tokens a second, with labels and without.
func BenchmarkAnnotate(b *testing.B) {
	train, dev := readTrees(b, "ud/en_ewt.train.conllu"), readTrees(b, "ud/en_ewt.dev.conllu")
	tokens := 0
	for _, d := range dev {
		tokens += d.Layer("tokens").N
	}
	for _, labelled := range []bool{false, true} {
		m := fitted(b, train, nil, kindtest.Arg("labelled", labelled), kindtest.Arg("epochs", 3))
		b.Run(map[bool]string{false: "heads", true: "labels"}[labelled], func(b *testing.B) {
			start := cpu()
			for b.Loop() {
				for _, d := range dev {
					v := *d
					if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(tokens*b.N)/(cpu()-start).Seconds(), "tokens/s")
		})
	}
}
