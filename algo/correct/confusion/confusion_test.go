package confusion

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sentence reads tokens word/TAG; [ and ] are the ends of noun phrases.
func sentence(line string) *Sentence {
	var forms, tags []string
	var phrases []Phrase
	open := -1
	for _, f := range strings.Fields(line) {
		switch f {
		case "[":
			open = len(forms)
		case "]":
			phrases = append(phrases, Phrase{open, len(forms), "NP"})
			open = -1
		default:
			i := strings.LastIndex(f, "/")
			forms, tags = append(forms, f[:i]), append(tags, f[i+1:])
			if f[i+1:] == "IN" && open < 0 {
				phrases = append(phrases, Phrase{len(forms) - 1, len(forms), "PP"})
			}
		}
	}
	return New(forms, tags, phrases)
}

// shown is the sentence under each option, in order.
func shown(t *testing.T, s *Sentence, list []Candidate) string {
	t.Helper()
	var out []string
	for _, c := range list {
		for _, o := range c.Options {
			words, err := Apply(s.Forms, []Edit{o.Edit})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.Join(words, " "))
		}
	}
	return strings.Join(out, "|")
}

func TestFindersByHand(t *testing.T) {
	for _, c := range []struct {
		name, line string
		find       func(*Sentence) []Candidate
		want       string
	}{
		{"articles", "[ The/DT apples/NNS ] lie/VBP on/IN [ old/JJ tables/NNS ] of/IN [ his/PRP$ aunt/NN ]", FindArticles,
			"An apples lie on old tables of his aunt|Apples lie on old tables of his aunt|" +
				"The apples lie on an old tables of his aunt|The apples lie on the old tables of his aunt"},
		{"an article at the start", "[ Life/NN ] is/VBZ [ a/DT hour/NN ]", FindArticles,
			"A life is a hour|The life is a hour|Life is an hour|Life is the hour|Life is hour"},
		{"names", "[ Oslo/NNP ] and/CC [ two/CD cities/NNS ]", FindArticles, ""},
		{"prepositions", "In/IN it/PRP to/TO go/VB",
			func(s *Sentence) []Candidate { return FindPrepositions(s, []string{"in", "on", "to"}) },
			"On it to go|To it to go|It to go"},
		{"nouns", "Child/NN reads/VBZ BOOKS/NNS in/IN Paris/NNP", FindNouns,
			"Children reads BOOKS in Paris|Child reads BOOK in Paris"},
		{"agreement", "He/PRP go/VBP and/CC is/VBZ ,/, they/PRP were/VBD and/CC walked/VBD",
			func(s *Sentence) []Candidate { return FindAgreement(s, nil) },
			"He goes and is , they were and walked|He go and are , they were and walked|He go and is , they was and walked"},
		{"verb forms", "can/MD goes/VBZ", func(s *Sentence) []Candidate { return FindVerbForms(s, nil, nil) },
			"can go|can went|can gone|can going"},
		{"nouns that are verbs", "walks/NNS",
			func(s *Sentence) []Candidate { return FindVerbForms(s, nil, map[string]bool{"walk": true}) },
			"walk|walked|walking"},
		{"commas", "So/RB ,/, we/PRP go/VBP home/NN", func(s *Sentence) []Candidate {
			return FindCommas(s, func(i int) bool {
				return i == 4
			})
		},
			"So we go home|So , we go , home"},
	} {
		s := sentence(c.line)
		if got := shown(t, s, c.find(s)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSpelling(t *testing.T) {
	words := map[string]float64{"separate": 100, "receive": 50, "their": 900, "reeve": 11, "desperate": 5,
		"center": 40, "rare": 2}
	sp := &Speller{Known: func(w string) float64 { return words[w] }}
	s := New(strings.Fields("Thier Recieve seperate recieve their Rcieveing certer rare"), nil, nil)
	for range 2 { // computed, then remembered
		if got, want := shown(t, s, FindSpelling(s, sp)), "Their Recieve seperate recieve their Rcieveing certer rare|"+
			"Thier Recieve separate recieve their Rcieveing certer rare|Thier Recieve seperate receive their Rcieveing "+
			"certer rare|"+
			"Thier Recieve seperate recieve their Rcieveing center rare"; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
	var got []string
	near("ab", func(x string) { got = append(got, x) })
	if !slices.Contains(got, "ba") || !slices.Contains(got, "a") || !slices.Contains(got, "axb") ||
		!slices.Contains(got, "xb") || slices.Contains(got, "ab") {
		t.Errorf("at distance one of ab: %v", got)
	}
}

func TestArticle(t *testing.T) {
	for _, w := range strings.Fields("hour honest idea apple 8 18 umbrella unimportant MP F-test heir x-ray ID") {
		if got := Article(w); got != "an" {
			t.Errorf("%s %s", got, w)
		}
	}
	for _, w := range strings.Fields("one university European house user 7 unit U-turn PC horse union") {
		if got := Article(w); got != "a" {
			t.Errorf("%s %s", got, w)
		}
	}
}

func TestCutAndGold(t *testing.T) {
	s := sentence("In/IN [ work/NN places/NNS ] it/PRP rains/VBZ")
	if got := Cut(s.Forms, Edit{1, 3, "the work places"}); got != (Edit{1, 1, "the"}) {
		t.Errorf("cut: %v", got)
	}
	if got := Cut(s.Forms, Edit{1, 3, "work places"}); got != (Edit{3, 3, ""}) {
		t.Errorf("an edit of nothing: %v", got)
	}
	g := Gold{Edits: []Edit{{1, 1, "the"}}}
	list := FindArticles(s)
	if l, ok := g.Label(&list[0]); l != LabelThe || !ok {
		t.Errorf("label %d, usable %v", l, ok)
	}
	g = Gold{Edits: []Edit{{1, 1, "our"}}}
	if l, ok := g.Label(&list[0]); l != LabelZero || ok {
		t.Errorf("another word is missing: label %d, usable %v", l, ok)
	}
}

// TestApplyBothWays makes random edits that do not overlap from the right, one by one, and all at once.
func TestApplyBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		var forms []string
		for range rng.IntN(9) {
			forms = append(forms, string(rune('a'+rng.IntN(5))))
		}
		var edits []Edit
		for at := 0; at <= len(forms); at++ {
			if rng.IntN(3) == 0 {
				e := Edit{at, min(len(forms), at+rng.IntN(3)), strings.Repeat("x ", rng.IntN(3))}
				e.Words = strings.TrimSpace(e.Words)
				edits = append(edits, e)
				at = e.End
			}
		}
		right := slices.Clone(forms)
		for i := len(edits) - 1; i >= 0; i-- {
			e := edits[i]
			right = slices.Concat(right[:e.Start], strings.Fields(e.Words), right[e.End:])
		}
		mixed := slices.Clone(edits)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		got, err := Apply(forms, mixed)
		if err != nil || !slices.Equal(got, right) {
			t.Fatalf("%v with %v: %v, %v; want %v", forms, edits, got, err, right)
		}
	}
	for _, bad := range [][]Edit{{{0, 2, "x"}, {1, 3, "y"}}, {{1, 1, "x"}, {1, 1, "y"}}, {{0, 9, ""}}} {
		if _, err := Apply([]string{"a", "b", "c"}, bad); !errors.Is(err, ErrOverlap) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestApplyText(t *testing.T) {
	for _, c := range []struct {
		text    string
		changes []Change
		want    string
	}{
		{"He go to the school.", []Change{{3, 5, "goes"}, {9, 12, ""}}, "He goes to school."},
		{"I live in city.", []Change{{10, 10, "the"}}, "I live in the city."},
		{"However we go", []Change{{8, 8, ","}}, "However, we go"},
		{"Well, he said", []Change{{4, 5, ""}}, "Well he said"},
		{"I ca n't go", []Change{{2, 8, "can not"}}, "I can not go"},
		{"It rains now.", []Change{{8, 12, ""}}, "It rains."},
		{"The life is good", []Change{{0, 8, "Life"}}, "Life is good"},
		{"see it", []Change{{6, 6, "now"}}, "see it now"},
		{"a (city)", []Change{{3, 3, "big"}}, "a (big city)"},
		{"", nil, ""},
	} {
		got, err := ApplyText(c.text, c.changes)
		if err != nil || got != c.want {
			t.Errorf("%q with %v: %q, %v; want %q", c.text, c.changes, got, err, c.want)
		}
	}
	if _, err := ApplyText("abc", []Change{{0, 2, ""}, {1, 3, ""}}); !errors.Is(err, ErrOverlap) {
		t.Errorf("overlapping changes: %v", err)
	}
	if got := Mark("He go to city", []Change{{3, 5, "goes"}, {9, 9, "the"}}); got != "He [-go-]{+goes+} to {+the+} city" {
		t.Error(got)
	}
}

func TestSubject(t *testing.T) {
	for line, want := range map[string]string{
		"[ The/DT list/NN ] of/IN [ books/NNS ] is/VBZ": "list p",
		"[ Students/NNS ] [ who/WP ] read/VBP":          "Students r",
		"there/EX is/VBZ [ two/CD cats/NNS ]":           "cats there",
		"[ He/PRP ] goes/VBZ":                           "He ",
		"goes/VBZ":                                      "none",
		"in/IN [ cities/NNS ] ,/, [ life/NN ] goes/VBZ": "life ",
	} {
		s := sentence(line)
		verb := slices.IndexFunc(s.Tags, func(t string) bool { return strings.HasPrefix(t, "VB") })
		head, path := Subject(s, verb)
		got := path
		if head >= 0 {
			got = s.Forms[head] + " " + path
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func FuzzApplyText(f *testing.F) {
	f.Add("He go.", 3, 5, "goes")
	f.Add("é", 0, 2, "")
	f.Fuzz(func(t *testing.T, text string, start, end int, words string) {
		out, err := ApplyText(text, []Change{{start, end, words}})
		if (start < 0 || end < start || end > len(text)) != (err != nil) {
			t.Errorf("%q %d %d: %q, %v", text, start, end, out, err)
		}
	})
}
