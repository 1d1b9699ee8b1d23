package hiddenreranker

import (
	"context"
	"iter"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/pcfg"
	"parlance/algo/text"
	"parlance/storage/value"
)

// trained trains a model of a kind.
func trained(t testing.TB, k kind.Kind, docs []*text.Document, res kind.Resources, args ...option.Arg) kind.Model {
	t.Helper()
	m, s := k.New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Resources: res, Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// list is an option with several values.
func list(name string, values ...string) option.Arg {
	a := option.Arg{Name: name}
	for _, v := range values {
		a.List = append(a.List, option.Arg{Value: value.Str(v)})
	}
	return a
}

// sample is documents whose trees a grammar without context gets wrong: the attachment depends on the verb.
func sample(n int) []*text.Document {
	docs := kindtest.Phrased(kindtest.Sample(n))
	for _, d := range docs { // the object of left stands in a phrase of its own, with the verb
		l, forms := d.Layer(text.Constituents.Name), d.Layer(text.Tokens.Name).Strs("form")
		bounds := d.SentenceTokens()
		sent, labels, first := l.Ints("sent"), l.Strs("label"), l.Ints("tok_start")
		for i, label := range labels {
			if label == "NP" && first[i] > 1 && forms[bounds[sent[i]-1]+first[i]-2] == "left" {
				labels[i] = "PP"
			}
		}
	}
	return docs
}

// grammar is a base that was trained on documents, as resource g, beside a lexicon of supersenses.
func grammar(t testing.TB, docs []*text.Document) kindtest.Resources {
	m := trained(t, pcfg.Kind(), docs, nil, kindtest.Arg("coarse", 0.0), kindtest.Arg("vertical", 1),
		kindtest.Arg("horizontal", 0))
	return kindtest.Resources{Models: map[string]kind.Trained{"g": {Model: m, Label: "g@1"}},
		Lexicons: map[string]kind.Lexicon{"senses": lexicon{{"left", "verb.motion"}, {"left", "verb.possession"},
			{"left", "noun.location"}, {"Paris", "noun.location"}}}}
}

// lexicon has words with supersenses.
type lexicon [][]string

func (lexicon) Lookup(string, string) string { return "" }

func (lexicon) Columns() []string { return []string{"word", "supersense"} }

func (l lexicon) Rows(word string) (out [][]string) {
	for _, row := range l {
		if row[0] == word {
			out = append(out, row)
		}
	}
	return out
}

func (l lexicon) All(context.Context) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for _, row := range l {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func TestContract(t *testing.T) {
	docs := sample(40)
	res := grammar(t, docs[:30])
	for name, opts := range map[string][]option.Arg{
		"defaults": {kindtest.Arg("rounds", 60), kindtest.Arg("epochs", 3), kindtest.Arg("min_sentences", 2),
			kindtest.Arg("min_feature_count", 2)},
		"lbfgs": {kindtest.Arg("members", "pos/sibling"), kindtest.Arg("optimizer", "lbfgs"), kindtest.Arg("epochs", 5),
			kindtest.Arg("own_answer", false), kindtest.Arg("use", "pos/sibling")},
		"senses": {list("members", "supersense/head", "none/head"), kindtest.Arg("supersenses", "senses"),
			kindtest.Arg("epochs", 2), kindtest.Arg("candidates", 4), kindtest.Arg("normalise_domains", true)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("base", "g")), Train: docs[:30],
				Test: docs[30:], Resources: res})
		})
	}
}

// f1Of is that of the best trees.
func f1Of(t *testing.T, m kind.Model, docs []*text.Document, res kind.Resources) float64 {
	t.Helper()
	var c candidates.Counts
	for _, d := range docs {
		x := *d
		x.DropLayer(text.Constituents.Name)
		if err := m.Annotate(context.Background(), []*text.Document{&x}, &kind.Run{Resources: res}); err != nil {
			t.Fatal(err)
		}
		var gold [][]constituent.Bracket
		for s := range constituent.Sentences(d, "xpos") {
			gold = append(gold, constituent.Brackets(constituent.Clean(s.Best())))
		}
		for s := range constituent.Sentences(&x, "xpos") {
			b := constituent.Brackets(constituent.Clean(s.Best()))
			c.Common, c.All = c.Common+constituent.Common(gold[s.Number-1], b), c.All+len(gold[s.Number-1])+len(b)
		}
	}
	return c.F1()
}

// TestBetterThanBase: words decide what the grammar cannot know; no mixture is worse than its parts for the sentences
// that chose it.
func TestBetterThanBase(t *testing.T) {
	docs := sample(60)
	res := grammar(t, docs[:40])
	m := trained(t, Kind(), docs[:40], res, kindtest.Arg("base", "g"), list("members", "lexical/head", "pos/sibling",
		"boost"),
		kindtest.Arg("rounds", 50), kindtest.Arg("min_sentences", 2), kindtest.Arg("min_feature_count", 2)).(*model)
	base, now := f1Of(t, res.Models["g"].Model, docs[40:], nil), f1Of(t, m, docs[40:], res)
	t.Logf("base %.4f, reranked %.4f", base, now)
	if !(now > base+0.02) {
		t.Errorf("F1 %.4f, the base has %.4f", now, base)
	}
	all, _ := m.mixtureOf(nil)
	for _, x := range m.mixtures {
		if x.F1 > all.F1 {
			t.Errorf("%v has F1 %.4f, all have %.4f", x.Names, x.F1, all.F1)
		}
	}
	if _, err := m.mixtureOf([]string{"boost", "pos/sibling"}); err == nil || !strings.Contains(err.Error(),
		"base + boost") {
		t.Errorf("a mixture that was not fitted: %v", err)
	}
}

// TestHiddenValues: every token of a sentence has a value of each hidden-variable model.
func TestHiddenValues(t *testing.T) {
	docs := sample(30)
	res := grammar(t, docs[:20])
	m := trained(t, Kind(), docs[:20], res, kindtest.Arg("base", "g"), list("members", "pos/head", "lexical/sibling"),
		kindtest.Arg("epochs", 2))
	d := *docs[25]
	d.DropLayer(text.Constituents.Name)
	if err := m.Annotate(context.Background(), []*text.Document{&d}, &kind.Run{Resources: res}); err != nil {
		t.Fatal(err)
	}
	l, toks := d.Layer(hiddenLayer.Name), d.Layer(text.Tokens.Name)
	if l == nil || l.N != 2*toks.N {
		t.Fatalf("%v, want 2 rows for each of %d tokens", l, toks.N)
	}
	likes := m.(*model).likes
	perName := map[string]int{}
	for _, x := range likes {
		if perName[x.Member+x.Value]++; !(x.Weight > 0) || x.Feature == "" {
			t.Errorf("what speaks for a value: %+v", x)
		}
	}
	if len(likes) == 0 {
		t.Error("nothing speaks for any value")
	}
	bounds, tags, forms := d.SentenceTokens(), toks.Strs("xpos"), toks.Strs("form")
	for i, v := range l.Strs("value") {
		row := int(bounds[l.Ints("sent")[i]-1] + l.Ints("tok")[i] - 1)
		class := tags[row]
		if l.Strs("member")[i] == "lexical/sibling" {
			class = forms[row]
		}
		if at := strings.LastIndexByte(v, '_'); at < 0 || v[:at] != class {
			t.Errorf("value %q of %s/%s", v, forms[row], tags[row])
		}
	}
}

// TestBadOptions: members that are none, and a lexicon that is not named.
func TestBadOptions(t *testing.T) {
	docs := sample(6)
	res := grammar(t, docs)
	for members, want := range map[string]string{"noun/head": "lexical, pos", "pos/uncle": "/head or /sibling",
		"pos":                "/head or /sibling",
		"pos/head, pos/head": "twice", "supersense/head": "option supersenses"} {
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		err := s.Apply([]option.Arg{kindtest.Arg("base", "g"), list("members", strings.Split(members, ", ")...)})
		if err == nil {
			err = m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Resources: res,
				Report: func(kind.Progress) {},
				Notice: func(string) {}})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("members %q: %v, want %q", members, err, want)
		}
	}
}
