package arpa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/correct/ngrams"
	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// oracle is a back-off model as maps from n-grams to their numbers.
type oracle struct {
	prob, back map[string]float64
	order      int
}

// read reads the lines of a sound file that begin with a number.
func (o *oracle) read(file string) {
	o.prob, o.back = map[string]float64{}, map[string]float64{}
	order := 0
	for line := range strings.SplitSeq(file, "\n") {
		f := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		switch {
		case strings.HasSuffix(line, "-grams:"):
			order++
			o.order = max(o.order, order)
		case order > 0 && len(f) > order:
			gram := strings.Join(f[1:order+1], " ")
			o.prob[gram], _ = strconv.ParseFloat(f[0], 64)
			if len(f) > order+1 {
				o.back[gram], _ = strconv.ParseFloat(f[order+1], 64)
			}
		}
	}
}

// after is log10 of the probability of a word after others: that of the longest n-gram that is there, and the weights
// of backing off to it.
func (o *oracle) after(context []string, word string) float64 {
	if len(context) > o.order-1 {
		context = context[len(context)-o.order+1:]
	}
	if p, ok := o.prob[strings.Join(append(append([]string{}, context...), word), " ")]; ok {
		return p
	}
	if len(context) == 0 {
		return noUnknown
	}
	return o.back[strings.Join(context, " ")] + o.after(context[1:], word)
}

// noUnknown is what an unknown word costs in a model without <unk>.
const noUnknown = -100

func (o *oracle) sentence(words []string) (sum float64) {
	context := []string{"<s>"}
	for _, w := range append(append([]string{}, words...), "</s>") {
		if _, ok := o.prob[w]; !ok {
			w = "<unk>"
		}
		sum += o.after(context, w)
		context = append(context, w)
	}
	return sum
}

// model reads a file.
func model(t testing.TB, file string) kind.Model {
	t.Helper()
	m, err := foreigntest.Model(Format(), ngrams.Kind(), file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// score is log10 of the probability of a sentence.
func score(t testing.TB, m kind.Model, sentence string) float64 {
	t.Helper()
	rows, err := m.Open(t.Context(), "score", []value.Value{value.Str(sentence)}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := rows.Next(t.Context())
	if err != nil || b == nil || b.N != 1 {
		t.Fatalf("%q: %v, %v", sentence, b, err)
	}
	return b.Row(nil, 0)[2].Float()
}

// random is a model of three words over a small vocabulary, with all n-grams that longer ones begin with.
func random(rng *rand.Rand, unknown bool) string {
	words := []string{"<s>", "</s>", "a", "b", "ö", "\u00a0c"}
	if unknown {
		words = append(words, "<unk>")
	}
	grams := [][]string{nil, nil, nil}
	line := func(gram string, back bool) string {
		s := fmt.Sprintf("%.7g\t%s", -4*rng.Float64(), gram)
		if back && rng.IntN(4) > 0 {
			s += fmt.Sprintf("\t%.7g", 1-3*rng.Float64())
		}
		return s + "\n"
	}
	var two []string
	for _, w := range words {
		grams[0] = append(grams[0], line(w, true))
		for _, v := range words[1:] {
			if w != "</s>" && rng.IntN(2) == 0 {
				two = append(two, w+" "+v)
				grams[1] = append(grams[1], line(w+" "+v, true))
			}
		}
	}
	for _, g := range two {
		for _, v := range words[1:] {
			if !strings.HasSuffix(g, "</s>") && rng.IntN(3) == 0 {
				grams[2] = append(grams[2], line(g+" "+v, false))
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a comment\n\n%s\n", opening)
	for k := range grams {
		fmt.Fprintf(&b, "ngram %d=%d\n", k+1, len(grams[k]))
	}
	for k := range grams {
		rng.Shuffle(len(grams[k]), func(i, j int) { grams[k][i], grams[k][j] = grams[k][j], grams[k][i] })
		fmt.Fprintf(&b, "\n\\%d-grams:\n%s", k+1, strings.Join(grams[k], ""))
	}
	return b.String() + "\n" + closing + "\n"
}

// TestScores compares sentences with the oracle, of models as they are read, and as they are written and read again.
func TestScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	words := []string{"a", "b", "ö", "\u00a0c", "x", "zz"}
	for round := range 40 {
		file := random(rng, round%2 == 0)
		var o oracle
		o.read(file)
		m := model(t, file)
		var out bytes.Buffer
		if err := write(t.Context(), &out, m); err != nil {
			t.Fatal(err)
		}
		again := model(t, strings.ReplaceAll(out.String(), "\n", "\r\n"))
		for range 20 {
			sentence := make([]string, 1+rng.IntN(6))
			for i := range sentence {
				sentence[i] = words[rng.IntN(len(words))]
			}
			s := strings.Join(sentence, " ")
			want, got, written := o.sentence(sentence), score(t, m, s), score(t, again, s)
			if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) || math.Abs(written-got) > 1e-9 {
				t.Fatalf("%q: %v, written and read %v, want %v in\n%s", s, got, written, want, file)
			}
		}
	}
}

// TestKenLM compares sentences with what query of KenLM (4cb443e) says of the same file, where <unk> has weights and
// stands before other words.
func TestKenLM(t *testing.T) {
	m := model(t, foreigntest.File(t, "testdata/tiny.arpa"))
	for sentence, want := range map[string]float64{"rain fell on the hills": -1.87, "the hills rain": -3.4, "rain": -1.32,
		"rain fell": -1.57, "fell on the": -3.15, "snow snow rain fell": -4.97, "the the the": -4.6} {
		if got := score(t, m, sentence); math.Abs(got-want) > 1e-6 {
			t.Errorf("%q: %v, want %v", sentence, got, want)
		}
	}
}

const small = `\data\
ngram 1=4
ngram 2=2

\1-grams:
-1	<unk>
-99	<s>	-0.3
-0.5	rain	-0.2
-0.4	</s>

\2-grams:
-0.1	<s> rain
-0.2	rain </s>

\end\
`

// TestRefusals names the line of each fault.
func TestRefusals(t *testing.T) {
	for _, c := range [][3]string{
		{"ngram 1=4", "ngram 1=x", `line 2: "ngram 1=x" tells no number`},
		{"ngram 1=4", "ngram 1=5", "line 11: there are 4 n-grams of order 1, the head says 5"},
		{"ngram 1=4", "ngram 1=3", "line 9: there are more than 3 n-grams of order 1"},
		{"ngram 2=2", "ngram 2=999999", "line 3: 999999 n-grams, and the file has"},
		{"ngram 2=2", "ngram 3=2", `line 3: "ngram 3=2" tells no number`},
		{`\2-grams:`, `\3-grams:`, `line 11: "\\3-grams:" where \2-grams: is wanted`},
		{"-0.5\train", "x\train", `line 8: "x" is no number`},
		{"-0.5\train", "0.5\train", "line 8: log_prob of"},
		{"-0.5\train", "nan\train", "line 8: log_prob of"},
		{"-0.5\train\t-0.2", "-0.5\train\tinf", "line 8: backoff of"},
		{"-0.5\train", "-0.5\t\xff", `is no text`},
		{"rain </s>", "snow </s>", `"snow" is in n-grams`},
		{"-0.2\train </s>", "-0.2\t<s> rain", `"<s> rain" stands in two rows`},
		{"<s> rain", "rain", "line 12: 2 values in the line of an n-gram of 2 words"},
		{"\n\\end\\\n", "", "the file ends here, and \\end\\ would follow"},
		{small, "rain", "the file ends here"}, {small, kenlmBinary + " 5\n", "binary model of KenLM"},
		{"ngram 1=4\nngram 2=2\n", "", "without the numbers of n-grams"},
	} {
		if !strings.Contains(small, c[0]) {
			t.Fatalf("no %q", c[0])
		}
		foreigntest.Refuses(t, Format(), ngrams.Kind(), strings.Replace(small, c[0], c[1], 1), c[2])
	}
}

// TestCanceled: reading ends with the context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "-1\tw%d\n", i)
	}
	file := "\\data\\\nngram 1=10000\n\n\\1-grams:\n" + b.String() + "\n\\end\\\n"
	if _, err := (&reader{}).Read(ctx, &foreign.File{Data: file}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(strings.Replace(small, "rain </s>", "rain rain", 1))
	f.Fuzz(func(t *testing.T, in string) {
		m, err := foreigntest.Model(Format(), ngrams.Kind(), in)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := write(t.Context(), &out, m); err != nil {
			t.Fatal(err)
		}
		if _, err := foreigntest.Model(Format(), ngrams.Kind(), out.String()); err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
	})
}
