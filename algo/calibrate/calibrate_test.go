package calibrate_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/calibrate"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/depparser"
	"parlance/algo/parse/transitionparser"
	"parlance/algo/seq/crf"
	"parlance/algo/seq/hmm"
	"parlance/algo/seq/lookahead"
	"parlance/algo/seq/nonlocal"
	"parlance/algo/seq/perceptron"
	"parlance/algo/seq/svmtagger"
	"parlance/algo/text"
)

var ctx = context.Background()

// said is what the models of a test were trained on and asked about.
type said struct{ trained [][]string }

// confident says yes of each document, with a prob near 1, and learns nothing.
type confident struct {
	kind.Base
	log *said
}

func (c *confident) Options(*option.Set) {}

func (c *confident) Schema() kind.Schema {
	use := []kind.LayerUse{{Layer: "labels"}}
	return kind.Schema{Learns: use, Writes: use, Prob: kind.Score}
}

func (c *confident) Train(ctx context.Context, in *kind.Training) error {
	var ids []string
	for d, err := range in.On.Documents(ctx) {
		if err != nil {
			return err
		}
		ids = append(ids, d.ID)
	}
	c.log.trained = append(c.log.trained, ids)
	return nil
}

func (c *confident) Annotate(_ context.Context, docs []*text.Document, run *kind.Run) error {
	for _, d := range docs {
		l := labels("yes")
		if run.Prob {
			l.Prob = []float64{0.999}
		}
		d.SetLayer(l)
	}
	return nil
}

func (c *confident) Encode(*kind.Writer) error { return nil }
func (c *confident) Decode(*kind.Reader) error { return nil }

func labels(name string) *text.Layer {
	l := text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{name})
	return l
}

// gold has a wrong label in every third document.
func gold(n int) []*text.Document {
	var out []*text.Document
	for i := range n {
		d := &text.Document{ID: fmt.Sprint(i + 1)}
		d.SetLayer(labels([]string{"no", "yes", "yes"}[i%3]))
		out = append(out, d)
	}
	return out
}

// trained trains a confident model that is calibrated as add says.
func trained(t *testing.T, add func(kind.Kind) kind.Kind, in *kind.Training,
	args ...option.Arg) (m kind.Model, log *said, notices string) {
	t.Helper()
	log = &said{}
	s := &option.Set{}
	m = add(kind.Kind{New: func() kind.Model { return &confident{log: log} }}).New()
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	in.Report, in.Notice, in.Workers = func(kind.Progress) {}, func(x string) { notices += x }, 2
	if err := m.Train(ctx, in); err != nil {
		t.Fatal(err)
	}
	return m, log, notices
}

// prob is what a model says of a document.
func prob(t *testing.T, m kind.Model) float64 {
	t.Helper()
	d := &text.Document{}
	if err := m.Annotate(ctx, []*text.Document{d}, &kind.Run{Prob: true}); err != nil {
		t.Fatal(err)
	}
	return d.Layer("labels").Prob[0]
}

func TestProbIsTheShareOfRightRows(t *testing.T) {
	for _, method := range []string{"auto", "isotonic", "temperature"} {
		m, log, _ := trained(t, calibrate.Kind, &kind.Training{On: kind.Documents(gold(300))},
			kindtest.Arg("calibration", method))
		if p := prob(t, m); math.Abs(p-2.0/3) > 0.03 {
			t.Errorf("%s: two of three rows are right, prob is %v", method, p)
		}
		if what := m.Schema().Prob; what != kind.Calibrated {
			t.Errorf("%s: prob is %s", method, what)
		}
		if n := len(log.trained); n != 2 || len(log.trained[0]) != 300 || len(log.trained[1]) != 270 ||
			slices.Contains(log.trained[1], "46") {
			t.Errorf("%s: %d models, the second one on %d documents", method, n, len(log.trained[n-1]))
		}
	}
}

func TestHeldOutDocuments(t *testing.T) {
	for _, c := range []struct {
		what   string
		add    func(kind.Kind) kind.Kind
		in     kind.Training
		models int // that are trained
		second int // documents of the second one
		notice string
		prob   kind.Probability
	}{
		{"VALIDATE", calibrate.Kind, kind.Training{On: kind.Documents(gold(300)), Validate: kind.Documents(gold(90))}, 1, 0,
			"", kind.Calibrated},
		{"nobody asks for prob", calibrate.Kind, kind.Training{On: kind.Documents(gold(300)), NoProb: true}, 1, 0,
			"", kind.Score},
		{"the default none", calibrate.Unless, kind.Training{On: kind.Documents(gold(300))}, 1, 0, "", kind.Score},
		{"half", calibrate.Slow, kind.Training{On: kind.Documents(gold(300))}, 2, 150, "", kind.Calibrated},
		{"few documents", calibrate.Kind, kind.Training{On: kind.Documents(gold(9))}, 2, 5, "", kind.Calibrated},
		{"one document", calibrate.Kind, kind.Training{On: kind.Documents(gold(1))}, 1, 0, "two documents", kind.Score},
	} {
		m, log, notice := trained(t, c.add, &c.in)
		if len(log.trained) != c.models || c.second > 0 && len(log.trained[1]) != c.second {
			t.Errorf("%s: trained on %d inputs, want %d, the second of %d documents", c.what, len(log.trained),
				c.models, c.second)
		}
		if m.Schema().Prob != c.prob || (c.notice == "") != (notice == "") || !strings.Contains(notice, c.notice) {
			t.Errorf("%s: prob is %s, notice %q", c.what, m.Schema().Prob, notice)
		}
	}
}

// TestOldModels: a model that was encoded without calibration answers as it did.
func TestOldModels(t *testing.T) {
	m, s := calibrate.Kind(kind.Kind{New: func() kind.Model { return &confident{} }}).New(), &option.Set{}
	m.Options(s)
	sections := map[string]string{}
	r := kind.NewReader(func(name string) ([]byte, error) {
		if p, ok := sections[name]; ok {
			return []byte(p), nil
		}
		return nil, kind.ErrNoSection
	})
	if err := m.Decode(r); err != nil {
		t.Fatal(err)
	}
	if p, what := prob(t, m), m.Schema().Prob; p != 0.999 || what != kind.Score {
		t.Errorf("prob is %v, a %s", p, what)
	}
	for _, bad := range []string{"", "{}", `{"Temperature":-1}`, `{"Temperature":1,"Curve":{"X":[0.5],"Y":[1.5]}}`} {
		sections[calibrate.Section] = bad
		if err := m.Decode(r); err == nil {
			t.Errorf("%q decodes", bad)
		}
	}
}

func arg(name string, v any) option.Arg { return kindtest.Arg(name, v) }

// kinds are kinds with options under which prob would be a score or does not fit, by name.
var kinds = map[string]struct {
	kind kind.Kind
	opts []option.Arg
}{
	"crf pa": {calibrate.Kind(crf.Kind()), []option.Arg{arg("optimizer", "pa")}},
	"crf second order": {calibrate.Kind(crf.Kind()),
		[]option.Arg{arg("order", 2), arg("iterations", 5), arg("calibration", "temperature")}},
	"crf":               {calibrate.Kind(crf.Kind()), []option.Arg{arg("calibration", "isotonic")}},
	"perceptron labels": {calibrate.Kind(perceptron.Kind()), []option.Arg{arg("layer", "labels")}},
	"perceptron":        {calibrate.Kind(perceptron.Kind()), []option.Arg{arg("layer", "upos")}},
	"nonlocal":          {calibrate.Slow(nonlocal.Kind()), []option.Arg{arg("epochs", 3)}},
	"lookahead":         {calibrate.Slow(lookahead.Kind()), []option.Arg{arg("layer", "upos"), arg("epochs", 3)}},
	"svm tagger": {calibrate.Unless(svmtagger.Kind()),
		[]option.Arg{arg("layer", "upos"), arg("features", "form[0], suffix(2)[0]"), arg("calibration", "isotonic")}},
	"transition parser": {calibrate.Slow(transitionparser.Kind()),
		[]option.Arg{arg("epochs", 3), arg("bits", 12), arg("label_bits", 10)}},
	"graph parser": {calibrate.Slow(depparser.Kind()), []option.Arg{arg("epochs", 2), arg("bits", 12)}},
	"graph of likelihood": {calibrate.Slow(depparser.Kind()),
		[]option.Arg{arg("epochs", 2), arg("bits", 12), arg("objective", "loglinear"), arg("calibration", "temperature")}},
	"markov": {calibrate.Kind(hmm.Kind()), []option.Arg{arg("layer", "upos"), arg("calibration", "temperature")}},
}

// sample is documents with trees: a token hangs on the one before it, or on the last where its form is long.
func sample(n int) []*text.Document {
	docs := kindtest.Sample(n)
	for _, d := range docs {
		toks, l := d.Layer(text.Tokens.Name), text.NewLayer(text.Dependencies)
		bounds, head, rel := d.SentenceTokens(), []int32(nil), []string(nil)
		for s := 1; s < len(bounds); s++ {
			first, last := int(bounds[s-1]), int(bounds[s])-1
			for i := first; i <= last; i++ {
				h, r := int32(i-first), "near"
				if len(toks.Strs("form")[i]) > 5 && i > first && i < last {
					h, r = int32(last-first+1), "far"
				}
				head, rel = append(head, h), append(rel, r)
			}
		}
		l.N = toks.N
		l.SetInts("sent", toks.Ints("sent"))
		l.SetInts("tok", toks.Ints("tok"))
		l.SetInts("head", head)
		l.SetStrs("deprel", rel)
		d.SetLayer(l)
	}
	return docs
}

func TestContract(t *testing.T) {
	for name, c := range kinds {
		t.Run(name, func(t *testing.T) {
			docs := sample(30)
			kindtest.Run(t, kindtest.Case{Kind: c.kind, Options: c.opts, Train: docs[:20], Test: docs[20:],
				Resumes: name == "crf"})
		})
	}
}

// TestPredictionsStay: calibration changes prob and nothing else.
func TestPredictionsStay(t *testing.T) {
	docs := sample(30)
	for name, c := range kinds {
		var answers []string
		for _, method := range []string{"none", "isotonic"} {
			m, s := c.kind.New(), &option.Set{}
			m.Options(s)
			opts := slices.DeleteFunc(slices.Clone(c.opts), func(a option.Arg) bool { return a.Name == "calibration" })
			if err := s.Apply(append(opts, arg("calibration", method))); err != nil {
				t.Fatal(err)
			}
			in := &kind.Training{On: kind.Documents(docs[:20]), Workers: 1, Report: func(kind.Progress) {},
				Notice: func(string) {}}
			if err := m.Train(ctx, in); err != nil {
				t.Fatal(err)
			}
			out, use := "", m.Schema().Writes[0].Layer
			for _, d := range docs[20:] {
				view := *d
				if err := m.Annotate(ctx, []*text.Document{&view}, &kind.Run{Prob: true}); err != nil {
					t.Fatal(err)
				}
				out += fmt.Sprintln(view.Layer(use).N, view.Layer(use).Cols)
			}
			answers = append(answers, out)
		}
		if answers[0] != answers[1] {
			t.Errorf("%s answers otherwise once it is calibrated", name)
		}
	}
}
