package lemmatizer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"

	"pgregory.net/rapid"
)

// document makes a document of sentences of tokens, written form/lemma/upos/xpos.
func document(id string, sentences ...string) *text.Document {
	var b strings.Builder
	l := text.NewLayer(text.Tokens)
	var ints [4][]int32
	var strs [4][]string
	for s, sentence := range sentences {
		for k, token := range strings.Fields(sentence) {
			parts := strings.Split(token+"///", "/")
			for c, v := range [4]int{s + 1, k + 1, b.Len(), b.Len() + len(parts[0])} {
				ints[c] = append(ints[c], int32(v))
			}
			for c := range strs {
				strs[c] = append(strs[c], parts[c])
			}
			b.WriteString(parts[0] + " ")
		}
	}
	l.N = len(ints[0])
	for c, name := range []string{"sent", "tok", "char_start", "char_end"} {
		l.SetInts(name, ints[c])
	}
	for c, name := range []string{"form", "lemma", "upos", "xpos"} {
		l.SetStrs(name, strs[c])
	}
	d := &text.Document{ID: id, Text: b.String()}
	d.SetLayer(l)
	return d
}

// corpus has nouns with plurals and verbs with pasts; the stems differ from document to document.
func corpus(n int) (out []*text.Document) {
	starts, ends := []string{"b", "d", "gr", "tr", "st", "l"}, []string{"ap", "od", "ick", "um", "eff"}
	for i := range n {
		noun, verb := starts[i%6]+ends[i/6%5], starts[(i+2)%6]+ends[(i/3+1)%5]
		out = append(out, document(fmt.Sprint(i),
			fmt.Sprintf("The/the/DET/DT %ss/%s/NOUN/NNS %sed/%s/VERB/VBD", noun, noun, verb, verb),
			fmt.Sprintf("The/the/DET/DT %sies/%sy/NOUN/NNS were/be/AUX/VBD in/in/ADP/IN %s/%s/PROPN/NNP", noun, noun,
				strings.ToUpper(noun[:1])+noun[1:], strings.ToUpper(noun[:1])+noun[1:])))
	}
	return out
}

func TestKind(t *testing.T) {
	docs, arg := corpus(40), kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Train: docs[:25], Test: docs[25:]}, map[string][]option.Arg{
		"default":   nil,
		"one tag":   {{Name: "tags", List: []option.Arg{arg("", "upos")}}, arg("epochs", 2)},
		"few rules": {arg("min_count", 10)},
	})
}

// fitted is a model of documents.
func fitted(t *testing.T, docs kind.Documents, args ...option.Arg) *model {
	t.Helper()
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(args); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: docs, Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lemmas are those that a model gives to the tokens of a sentence, written form//upos/xpos.
func lemmas(t *testing.T, m *model, sentence string) string {
	t.Helper()
	d := document("x", sentence)
	if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(d.Layer("tokens").Strs(lemma), " ")
}

func TestRules(t *testing.T) {
	for _, c := range [][3]string{
		{"dogs", "dog", "lower -1+"},
		{"tries", "try", "lower -3+y"},
		{"stopped", "stop", "lower -3+"},
		{"Dogs", "dog", "lower -1+"},
		{"Alps", "Alp", "title -1+"},
		{"PARIS", "Paris", "title"},
		{"URLs", "URL", "upper -1+"},
		{"iPhones", "iPhone", "keep -1+"},
		{"went", "go", "=go"},
		{"ungeduldig", "geduldig", "lower +2-"},
		{"gegangen", "gehen", "lower -6+hen"},
		{"3", "3", "lower"},
		{"日本", "日本", "lower"},
		{"İ", "i̇", "keep"},
	} {
		r := derive(c[0], c[1])
		if c[0] != "İ" && r.String() != c[2] {
			t.Errorf("%s to %s: rule %s, want %s", c[0], c[1], r, c[2])
		}
		if got, ok := r.apply(c[0]); !ok || got != c[1] {
			t.Errorf("%s of %s is %s, want %s", r, c[0], got, c[1])
		}
	}
}

// TestRuleMakesLemma: the rule of any pair makes the lemma of the form, and never cuts a form whole away.
func TestRuleMakesLemma(t *testing.T) {
	letters := rapid.SampledFrom([]rune("aAbBcCßİıǅéÉ-'9日"))
	word := rapid.Map(rapid.SliceOfN(letters, 1, 8), func(r []rune) string { return string(r) })
	rapid.Check(t, func(t *rapid.T) {
		form, want := word.Draw(t, "form"), word.Draw(t, "lemma")
		r := derive(form, want)
		if got, ok := r.apply(form); !ok || got != want {
			t.Fatalf("%+v of %s is %s, want %s", r, form, got, want)
		}
		other := word.Draw(t, "other")
		if got, ok := r.apply(other); ok && got == "" {
			t.Fatalf("%+v of %s is empty", r, other)
		} else if ok != r.fits(len([]rune(other))) {
			t.Fatalf("%+v of %s: %v", r, other, ok)
		}
	})
}

// TestCommon compares the longest common substring with all pairs of substrings.
func TestCommon(t *testing.T) {
	word := rapid.SliceOfN(rapid.SampledFrom([]rune("abc")), 1, 7)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		longest := 0
		for i := range a {
			for j := i + 1; j <= len(a); j++ {
				if j-i > longest && strings.Contains(string(b), string(a[i:j])) {
					longest = j - i
				}
			}
		}
		i, j, n := common(a, b)
		if n != longest || string(a[i:i+n]) != string(b[j:j+n]) {
			t.Fatalf("%s and %s: %d at %d and %d, want %d", string(a), string(b), n, i, j, longest)
		}
	})
}

// TestUnseen: words that were not seen have the lemmas of their endings and tags; seen ones those that they had.
func TestUnseen(t *testing.T) {
	m := fitted(t, corpus(40))
	for _, c := range [][2]string{
		{"The//DET/DT blorks//NOUN/NNS snipped//VERB/VBD", "the blork snipp"},
		{"Blorks//NOUN/NNS blorkies//NOUN/NNS Frep//PROPN/NNP", "blork blorky Frep"},
		{"were//AUX/VBD WERE//AUX/VBD Were//AUX/XXX", "be be be"},
		{"in//ADP/IN", "in"},
	} {
		if got := lemmas(t, m, c[0]); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

// TestShort: a form that a rule would cut whole away gets a lemma by another rule, and without rules is its own.
func TestShort(t *testing.T) {
	m := fitted(t, corpus(40))
	if got := lemmas(t, m, "s//NOUN/NNS"); !strings.EqualFold(got, "s") {
		t.Errorf("%q", got)
	}
	m = fitted(t, corpus(40), kindtest.Arg("min_count", 1000))
	if got := lemmas(t, m, "blorks//NOUN/NNS were//AUX/VBD"); got != "blorks be" {
		t.Errorf("%q", got)
	}
}

// TestMostFrequent: of several lemmas of a word with its tags the most frequent is given, by tags each its own.
func TestMostFrequent(t *testing.T) {
	m := fitted(t, append(corpus(20), document("a", "saw/see/VERB/VBD saw/see/VERB/VBD saw/saw/VERB/VBD saw/saw/NOUN/NN",
		"'s/be/AUX/VBZ 's/have/AUX/VBZ 's/be/AUX/VBZ 's/'s/PART/POS")))
	want := "see saw be 's"
	if got := lemmas(t, m, "saw//VERB/VBD saw//NOUN/NN 's//AUX/VBZ 's//PART/POS"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestExplain: contributions tell of a seen word how often it was seen, of others the endings.
func TestExplain(t *testing.T) {
	m := fitted(t, corpus(40))
	d := document("x", "were//AUX/VBD blorkies//NOUN/NNS")
	x, err := m.Explain(context.Background(), []*text.Document{d}, kind.At{}, &kind.Run{})
	if err != nil || len(x.Decisions) != 2 {
		t.Fatalf("%v %v", x, err)
	}
	seen, unseen := x.Decisions[0], x.Decisions[1]
	if seen.Outcome != "be" || len(seen.Contributions) != 1 || seen.Contributions[0].Feature != "seen: lower b+1- -2+" ||
		seen.Contributions[0].Weight != 40 {
		t.Errorf("%+v", seen)
	}
	ending := 0.0
	for _, c := range unseen.Contributions {
		if strings.HasPrefix(c.Feature, "suffix3=ies|") {
			ending += c.Weight
		}
	}
	if unseen.Outcome != "blorky" || unseen.RunnerUp == "" || unseen.RunnerUp == "blorky" || ending <= 0 {
		t.Errorf("%+v", unseen)
	}
}

// TestRefuses: wrong options and inputs without lemmas.
func TestRefuses(t *testing.T) {
	m, set := &model{}, &option.Set{}
	m.Options(set)
	for _, c := range []struct{ tag, want string }{{"upo", "did you mean upos?"}, {"lemma", "no column of tags"}} {
		err := set.Apply([]option.Arg{{Name: "tags", List: []option.Arg{kindtest.Arg("", c.tag)}}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.tag, err)
		}
	}
}

// TestLongForms: forms of any length are answered in time that grows with it.
func TestLongForms(t *testing.T) {
	long := strings.Repeat("é", 1<<18) + "s"
	m := fitted(t, append(corpus(20), document("a", long+"/x/NOUN/NNS", long+"a/"+long+"a/NOUN/NN")))
	if got := lemmas(t, m, long+"//NOUN/NNS "+long+"a//NOUN/NN "+long+"s//NOUN/NNS"); got != "x "+long+"a "+long {
		t.Errorf("%d bytes", len(got))
	}
}

func FuzzDerive(f *testing.F) {
	f.Add("dogs", "dog")
	f.Add("", "a")
	f.Add("\xff", "a\xff")
	f.Add("ſS", "ss")
	f.Fuzz(func(t *testing.T, form, want string) {
		form, want = strings.ToValidUTF8(form, "?"), strings.ToValidUTF8(want, "?")
		if form == "" || want == "" {
			return
		}
		r := derive(form, want)
		if got, ok := r.apply(form); !ok || got != want {
			t.Fatalf("%+v of %q is %q, want %q", r, form, got, want)
		}
	})
}

func BenchmarkAnnotate(b *testing.B) {
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(nil); err != nil {
		b.Fatal(err)
	}
	if err := m.Train(context.Background(),
		&kind.Training{On: kind.Documents(corpus(40)), Report: func(kind.Progress) {}}); err != nil {
		b.Fatal(err)
	}
	d := document("x", strings.Repeat("The//DET/DT dogs//NOUN/NNS blorked//VERB/VBD in//ADP/IN Xanadu//PROPN/NNP ", 100))
	for b.Loop() {
		if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(500*b.N)/b.Elapsed().Seconds(), "words/s")
}
