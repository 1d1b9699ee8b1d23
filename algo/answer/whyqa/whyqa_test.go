package whyqa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// lexicon is rows of word and one column.
type lexicon struct {
	kind.Lexicon
	column string
	words  map[string]string
}

func (l lexicon) Lookup(word, column string) string {
	if column != l.column {
		return ""
	}
	return l.words[word]
}

func (l lexicon) Columns() []string { return []string{"word", l.column} }

// plainDocument is a document of tokens that stand apart by blanks, to search in.
func plainDocument(id, s string) *text.Document {
	d := &text.Document{ID: id, Text: s}
	l := text.NewLayer(text.Tokens)
	var forms []string
	var sents, toks, from, to []int32
	at := 0
	for _, f := range strings.Fields(s) {
		i := strings.Index(s[at:], f) + at
		at = i + len(f)
		forms, sents, toks = append(forms, strings.Trim(f, ".")), append(sents, 1), append(toks, int32(len(toks)+1))
		from, to = append(from, int32(i)), append(to, int32(at))
	}
	l.N = len(forms)
	l.SetInts("sent", sents)
	l.SetInts("tok", toks)
	l.SetInts("char_start", from)
	l.SetInts("char_end", to)
	l.SetStrs("form", forms)
	d.SetLayer(l)
	return d
}

// near reports equality within 1e-6.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// TestDistance is the worked example: N a million, a passage with three terms.
func TestDistance(t *testing.T) {
	words, _ := cut("smoking is a cause of cancer and it may occur early", nil)
	s := &statistics{Documents: 1_000_000, frequency: map[string]uint32{"cancer": 1000, "occur": 50000, "caus": 100000}}
	o := locate(words, []string{"cancer", "occur", "child"}, []string{"caus", "reason"})
	if !slices.Equal(o.terms, []string{"cancer", "occur", "caus"}) {
		t.Fatal(o.terms)
	}
	for _, c := range []struct {
		a, b       int
		characters float64
		ratio      float64
	}{{0, 1, 12, 0.8333333}, {0, 2, 4, 1.25}, {1, 2, 22, 0.2272727}, {1, 0, 12, 41.6666667}, {2, 0, 4, 125},
		{2, 1, 22, 0.4545455}, {0, 0, 0.5, 1000}, {1, 1, 0.5, 20}, {2, 2, 0.5, 10}} {
		if got := o.characters(words, c.a, c.b); got != c.characters {
			t.Errorf("from %s to %s: %g characters, want %g", o.terms[c.a], o.terms[c.b], got, c.characters)
		}
		if got := o.ratio(s, words, c.a, c.b); !near(got, c.ratio) {
			t.Errorf("ts(%s, %s) = %g, want %g", o.terms[c.a], o.terms[c.b], got, c.ratio)
		}
	}
	if got, anchor := o.distance(s, words); math.Abs(got-7.130899) > 1e-6 || anchor == 1 {
		t.Errorf("S = %.6f at %d, want 7.130899", got, anchor)
	}
}

// TestDistanceByDefinition compares with all pairs of occurrences, and adds terms one by one, which lowers no score.
func TestDistanceByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("alpha beta gamma delta the of")
	for range 300 {
		var list []string
		for range 1 + r.IntN(12) {
			list = append(list, vocabulary[r.IntN(len(vocabulary))])
		}
		passage := strings.Join(list, strings.Repeat(" ", 1+r.IntN(2)))
		words, _ := cut(passage, nil)
		s := &statistics{Documents: 1 + r.IntN(1000), frequency: map[string]uint32{"alpha": 3, "beta": 40, "gamma": 1}}
		last := 0.0
		for n := range 5 {
			terms := []string{"alpha", "beta", "gamma", "delta"}[:n]
			o := locate(words, terms, nil)
			got, _ := o.distance(s, words)
			if want := byDefinition(s, words, terms); !near(got, want) || got < last {
				t.Fatalf("%v in %q: %g after %g, want %g", terms, passage, got, last, want)
			}
			last = got
		}
	}
}

// byDefinition is equation 1 over all pairs of words.
func byDefinition(s *statistics, words []word, terms []string) (best float64) {
	for _, a := range terms {
		sum, here := 0.0, false
		for _, b := range terms {
			least := math.Inf(1)
			for _, x := range words {
				for _, y := range words {
					if x.stem == a && y.stem == b {
						least = min(least, max(float64(max(x.start, y.start)-min(x.end, y.end)), 0.5))
						here = true
					}
				}
			}
			if df := max(1, float64(s.frequency[b])); !math.IsInf(least, 1) {
				sum += max(0, math.Log(float64(s.Documents)/(2*least*df)))
			}
		}
		if here {
			best = max(best, sum)
		}
	}
	return best
}

// vitamin is the worked example of features.
func vitamin() (*engine, *question, []word) {
	o := &options{}
	s := &option.Set{}
	o.declare(s)
	e := &engine{extractor: extractor{opt: o, stats: &statistics{Documents: 10}, clues: []string{"reason", "caus",
		"factor"},
		classes: lexicon{column: "class", words: map[string]string{"deficiency": "cond", "vitamind": "nut",
			"rickets": "dis"}}, class: "class",
		polarity: lexicon{column: "polarity", words: map[string]string{"deficiency": "negative",
			"rickets": "negative"}},
		known: map[string]token{}, names: map[uint64]string{}}}
	q, err := ask("Why does rickets occur in children?")
	if err != nil {
		panic(err)
	}
	words, _ := cut("Deficiency of VitaminD can cause rickets", nil)
	return e, q, words
}

// TestFeatures counts the features of the worked example: of words alone, without phrases. Of the six of SA@W1 two are
// W-, one feature.
func TestFeatures(t *testing.T) {
	e, q, words := vitamin()
	if want := []string{"ricket", "occur", "children"}; !slices.Equal(q.terms, want) {
		t.Fatalf("terms %v, want %v", q.terms, want)
	}
	e.opt.phrases, e.opt.features = false, groups
	v := e.of(q, words, 1)
	counts := map[string]int{}
	for _, h := range v.hashes {
		counts[strings.Fields(e.names[h])[0]]++
	}
	for name, want := range map[string]int{"MSA1": 15, "MSA2": 3, "MSA3": 5, "SWC1": 11, "SWC2": 3, "SA@W1": 5,
		"SA@W2": 3,
		"SA@W3": 6, "SA@W4": 3, "SA@P1": 1, "SA@P2": 1, "SA@P3": 15, "SA@P4": 3, "SA@P6": 11, "SA@P7": 3, "SA@P8": 6,
		"SA@P9": 3} {
		if counts[name] != want {
			t.Errorf("%d features %s, want %d", counts[name], name, want)
		}
	}
	if !near(v.dense[denseFound], 1.0/3) || !near(v.dense[denseSentiment], 1.0/3) {
		t.Errorf("MSA4 and SA@P5 are %v, want 1/3", v.dense)
	}
	for _, want := range []string{"SWC2 can_caus_Wdis ", "SA@W3 W-cond_of_vitamind ", "SA@P2 -", "MSA3 can_caus",
		"SA@P3 caus_ricket -"} {
		if !slices.ContainsFunc(v.hashes, func(h uint64) bool { return e.names[h] == want }) {
			t.Errorf("%q is no feature", want)
		}
	}
}

// TestPhrases joins function words with the content words behind them.
func TestPhrases(t *testing.T) {
	e, q, words := vitamin()
	e.x().of(q, words, 1)
	for _, want := range []string{"MSA1 of_vitamind", "MSA1 can_caus_ricket", "MSA1 of_vitamind|can_caus_ricket",
		"MSA1 deficiency|of_vitamind|can_caus_ricket"} {
		if !slices.ContainsFunc(e.hashes, func(h uint64) bool { return e.names[h] == want }) {
			t.Errorf("%q is no feature", want)
		}
	}
}

// x is the extractor with n-grams of words and phrases alone.
func (e *engine) x() *extractor {
	e.opt.features = []string{groupMorphoSyntax}
	return &e.extractor
}

// TestPolarity turns polarities round.
func TestPolarity(t *testing.T) {
	e, q, _ := vitamin()
	e.polarity = lexicon{column: "polarity", words: map[string]string{"disease": "negative", "health": "positive",
		"good": "+"}}
	for s, want := range map[string][]int8{
		"the disease spreads":                         {-1},
		"it prevents disease":                         {1},
		"it does not prevent disease":                 {-1},
		"good health, but no health":                  {1, -1},
		"good disease":                                nil,
		"nothing at all":                              nil,
		"disease and good health because the disease": {-1, 1, -1},
	} {
		words, _ := cut(s, nil)
		var got []int8
		for _, p := range sentimentPhrases(e.tokens(words, q)) {
			got = append(got, p.polarity)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for s, want := range map[string]string{
		"Dr. Smith came. He left!":         "Dr. Smith came.|He left!",
		"One\ntwo. ":                       "One|two.",
		"J. K. wrote \"Why?\" Then 3.5 m.": "J. K. wrote \"Why?\"|Then 3.5 m.",
		"":                                 "",
		" ... ":                            "...",
	} {
		_, sentences := cut(s, nil)
		var got []string
		for _, x := range sentences {
			got = append(got, s[x.from:x.to])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q is cut into %q, want %s", s, got, want)
		}
	}
	words, _ := cut("Zürich’s well-known çà", nil)
	if len(words) != 3 || words[1].start != 9 || words[2].end != 22 || words[0].stem != "zürich" {
		t.Errorf("%+v", words)
	}
	for a, b := range map[string]string{"causes": "caused", "stopping": "stops", "bodies": "body", "makes": "making"} {
		if stem(a) != stem(b) {
			t.Errorf("%s is %s, %s is %s", a, stem(a), b, stem(b))
		}
	}
}

// TestWindows covers all sentences, each window sharing two with the one before.
func TestWindows(t *testing.T) {
	o := &options{window: 5, overlap: 2}
	for n, want := range map[int]string{0: "[]", 1: "[[0 1]]", 5: "[[0 5]]", 6: "[[0 5] [3 6]]", 8: "[[0 5] [3 8]]",
		9: "[[0 5] [3 8] [6 9]]"} {
		if got := fmt.Sprint(o.windows(make([]sentence, n))); got != want {
			t.Errorf("%d sentences: %s, want %s", n, got, want)
		}
	}
}

// TestStoredSentences: sentences of the corpus are taken as they are, but for those that overlap.
func TestStoredSentences(t *testing.T) {
	d := &text.Document{Text: "one two. three four"}
	at := func(from, to []int32) string {
		l := text.NewLayer(text.Sentences)
		l.N = len(from)
		l.SetInts("char_start", from)
		l.SetInts("char_end", to)
		d.SetLayer(l)
		_, sentences := cut(d.Text, stored(d))
		return fmt.Sprint(sentences)
	}
	if got, want := at([]int32{0, 4}, []int32{3, 19}), "[{0 3 0 1} {4 19 1 4}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range [][2]int32{{2, 19}, {4, 20}, {4, 3}} {
		if got, want := at([]int32{0, bad[0]}, []int32{3, bad[1]}), "[{0 8 0 2} {9 19 2 4}]"; got != want {
			t.Errorf("%v: %s, want %s", bad, got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Why? Because. Of \xff things…")
	f.Add("a'b-c \n\n .\"' 1.2.")
	f.Fuzz(func(t *testing.T, s string) {
		words, sentences := cut(s, nil)
		last, end := 0, 0
		for _, w := range words {
			if w.start < last || w.end <= w.start || w.sentence >= len(sentences) {
				t.Fatalf("%+v in %q", w, s)
			}
			last = w.end
		}
		for _, x := range sentences {
			if x.from < end || x.to <= x.from || x.to > len(s) || x.last < x.first {
				t.Fatalf("%+v in %q", x, s)
			}
			end = x.to
		}
	})
}

// judgedRows are synthetic questions: event e of class A or B and of a polarity. Right answers have a reason of the
// class that goes with A or B, and of the same polarity; wrong ones share the same words of the question.
func judgedRows(r *rand.Rand, questions int) (rows [][]value.Value) {
	for i := range questions {
		class, sign := r.IntN(2), r.IntN(2)
		event := fmt.Sprintf("event%d%d%d", class, sign, r.IntN(8))
		place := fmt.Sprintf("place%d", i)
		q := fmt.Sprintf("Why did %s strike %s?", event, place)
		for _, p := range r.Perm(4) {
			c, s := class^(p&1), sign^(p>>1)
			label := int64(0)
			if p == 0 {
				label = 1
			}
			a := fmt.Sprintf("The thing%d%d%d struck %s with %s .", c, s, r.IntN(8), place, event)
			rows = append(rows, []value.Value{value.Str(q), value.Str(a), value.Int(label)})
		}
	}
	return rows
}

// synthetic are lexicons of the synthetic questions.
func synthetic() kindtest.Resources {
	class, polarity := map[string]string{}, map[string]string{}
	for c := range 2 {
		for s := range 2 {
			for i := range 8 {
				for _, w := range []string{"event", "thing"} {
					w = fmt.Sprintf("%s%d%d%d", w, c, s, i)
					class[w], polarity[w] = fmt.Sprint(w[:5], c), []string{"positive", "negative"}[s]
				}
			}
		}
	}
	docs := kindtest.Corpus{plainDocument("a",
		"Vitamins are few . A lack of vitamins causes rickets in children . Bones get soft ."),
		plainDocument("b", "Children play . Doctors treat rickets ."), plainDocument("c", "Other things are here .")}
	return kindtest.Resources{Corpora: map[string]kind.Corpus{"docs": docs}, Lexicons: map[string]kind.Lexicon{
		"classes": lexicon{column: "class", words: class}, "polarity": lexicon{column: "polarity", words: polarity}}}
}

func judgedInput(seed uint64, n int) kind.Tables {
	return kind.Tables{roleJudged: judgedRows(rand.New(rand.NewPCG(seed, 5)), n)}
}

func TestContract(t *testing.T) {
	res := synthetic()
	ask := kindtest.Query{Relation: "answers", Args: []value.Value{value.Str("Why do children get rickets?")}}
	nothing := kindtest.Query{Relation: "answers", Args: []value.Value{value.Str("Why was it so?")},
		Fails: "no content word"}
	c := kindtest.Case{Kind: Kind(), Train: []*text.Document(res.Corpora["docs"].(kindtest.Corpus)), Resources: res,
		Gold: judgedInput(2, 10), Queries: []kindtest.Query{ask, nothing},
		Options: []option.Arg{kindtest.Arg("passages", "docs")}}
	kindtest.Variants(t, c, map[string][]option.Arg{"distance": nil, "bm25": {kindtest.Arg("method", "bm25"),
		kindtest.Arg("dedupe", true)}})
	c.Roles = map[string]kind.Input{roleJudged: judgedInput(1, 20)}
	lexicons := []option.Arg{kindtest.Arg("classes", "classes"), kindtest.Arg("polarity", "polarity"),
		{Name: "features", List: []option.Arg{{Value: value.Str("retrieval")}, {Value: value.Str("msa")},
			{Value: value.Str("swc")},
			{Value: value.Str("sa_words")}, {Value: value.Str("sa_phrases")}}}}
	kindtest.Variants(t, c, map[string][]option.Arg{"pairs": lexicons, "passages": {kindtest.Arg("ranker", "svm"),
		kindtest.Arg("c", 1.0)}})
}

// fit trains with options given as pairs.
func fit(t *testing.T, on []*text.Document, judged kind.Input, res kind.Resources, args ...option.Arg) (*model, error) {
	t.Helper()
	m, _, err := noted(t, on, judged, res, args...)
	return m, err
}

// noted is fit with the notices of the training.
func noted(t *testing.T, on []*text.Document, judged kind.Input, res kind.Resources, args ...option.Arg) (m *model,
	notices []string, err error) {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, nil, err
	}
	tr := &kind.Training{On: kind.Documents(on), Resources: res, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }}
	if judged != nil {
		tr.Roles = map[string]kind.Input{roleJudged: judged}
	}
	err = m.Train(context.Background(), tr)
	return m, notices, err
}

// TestAblation: all candidates share the words of the question. N-grams do not help; equal polarity leaves two of four;
// with classes, pairs of one in the question and one in the passage find the right one.
func TestAblation(t *testing.T) {
	res := synthetic()
	docs := []*text.Document(res.Corpora["docs"].(kindtest.Corpus))
	at := func(features []string, more ...option.Arg) float64 {
		list := option.Arg{Name: "features"}
		for _, f := range features {
			list.List = append(list.List, option.Arg{Value: value.Str(f)})
		}
		m, err := fit(t, docs, judgedInput(1, 200), res, append(more, list, kindtest.Arg("c", 0.1))...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Evaluate(context.Background(), judgedInput(2, 200), &kind.Run{Resources: res})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Name != "precision@1" || !got[0].Main {
			t.Fatalf("the main metric is %s", got[0].Name)
		}
		return got[0].Value()
	}
	polarity, classes := kindtest.Arg("polarity", "polarity"), kindtest.Arg("classes", "classes")
	msa := at([]string{groupMorphoSyntax})
	sentiment := at([]string{groupMorphoSyntax, groupSentimentPhrases}, polarity)
	all := at(groups, polarity, classes)
	t.Logf("P@1 %.3f with MSA, %.3f with SA@P, %.3f with all", msa, sentiment, all)
	if msa > 0.4 || sentiment < msa+0.1 || sentiment > 0.7 || all < 0.95 {
		t.Error("the groups of features do not help as they should")
	}
}

// answersOf reads answers of a model.
func answersOf(t *testing.T, m *model, q string, res kind.Resources) (rows [][]value.Value, notices []string,
	err error) {
	t.Helper()
	r, err := m.Open(context.Background(), "answers", []value.Value{value.Str(q)}, &kind.Run{Resources: res,
		Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	b, err := r.Next(context.Background())
	for i := 0; b != nil && i < b.N; i++ {
		rows = append(rows, b.Row(nil, i))
	}
	return rows, notices, err
}

func TestAnswers(t *testing.T) {
	res := synthetic()
	docs := []*text.Document(res.Corpora["docs"].(kindtest.Corpus))
	m, err := fit(t, docs, nil, res, kindtest.Arg("passages", "docs"), kindtest.Arg("window", 1),
		kindtest.Arg("overlap", 0))
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := answersOf(t, m, "What causes rickets in children?", res)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v %v", rows, err)
	}
	if got := rows[0]; got[0].S != "A lack of vitamins causes rickets in children ." || got[3].S != "a" ||
		got[4].Float() != 2 ||
		got[5].Float() != 2 || got[6].S != "causes, rickets, children" || got[2].Float() != 1 {
		t.Errorf("%v", got)
	}
	e, err := m.Explain(context.Background(), nil, kind.At{Relation: "answers",
		Args: []value.Value{value.Str("rickets of children")}},
		&kind.Run{Resources: res})
	if err != nil || len(e.Decisions) != 1 || len(e.Decisions[0].Contributions) == 0 ||
		!near(e.Decisions[0].Margin, rows[0][1].Float()-rows[1][1].Float()) && e.Decisions[0].Margin <= 0 {
		t.Errorf("%+v %v", e, err)
	}
	if rows, notices, err := answersOf(t, m, "Why do zebras yawn?", res); err != nil || len(rows) != 0 ||
		len(notices) != 1 ||
		!strings.Contains(notices[0], "zebras, yawn") {
		t.Errorf("%v %v %v", rows, notices, err)
	}
}

func TestBadInput(t *testing.T) {
	res := synthetic()
	docs := []*text.Document(res.Corpora["docs"].(kindtest.Corpus))
	fails := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m, notices, err := noted(t, docs, nil, res)
	if err != nil || len(notices) != 1 || !strings.Contains(notices[0], "WITH (passages = ") {
		t.Fatal(err, notices)
	}
	_, _, err = answersOf(t, m, "Why do leaves fall?", res)
	fails("passages = corpus", err)
	_, _, err = answersOf(t, m, "Why?", res)
	fails("no content word", err)
	_, err = fit(t, docs, nil, res, kindtest.Arg("overlap", 5))
	fails("below window", err)
	_, err = fit(t, docs, nil, res, kindtest.Arg("features", "swc"))
	fails("need the option classes", err)
	_, err = fit(t, docs, nil, res, kindtest.Arg("features", "swcs"))
	fails("swc", err)
	_, err = fit(t, docs, nil, res, kindtest.Arg("polarity", "classes"))
	fails("no column polarity", err)
	_, err = fit(t, docs, nil, res, kindtest.Arg("passages", "nothing"))
	fails("no corpus nothing", err)
	one := func(labels ...int64) kind.Tables {
		var rows [][]value.Value
		for i, l := range labels {
			rows = append(rows, []value.Value{value.Str("Why do leaves fall?"), value.Str([]string{"Wind",
				"Cold"}[i%2]), value.Int(l)})
		}
		return kind.Tables{roleJudged: rows}
	}
	if _, err = fit(t, docs, one(0, 0), res); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without a right passage: %v", err)
	}
	if _, err = m.Evaluate(context.Background(), one(0, 0), &kind.Run{}); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("nothing to count: %v", err)
	}
	missing := one(1, 0)
	missing[roleJudged][1][2] = value.Value{}
	_, err = fit(t, docs, missing, res)
	fails("row 2", err)
	list, err := judgements(context.Background(), one(1, 0, 0, 1, 1))
	if err != nil || fmt.Sprint(list[0].passages, list[0].right) != "[Wind Cold] [true false]" {
		t.Errorf("votes: %+v %v", list[0], err)
	}
}
