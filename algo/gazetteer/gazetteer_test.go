package gazetteer

import (
	"context"
	"strings"
	"testing"

	"parlance/algo/kind"

	"pgregory.net/rapid"
)

var (
	_ kind.Gazetteer = (*Trie)(nil)
	_ kind.Lexicon   = (*Lexicon)(nil)
)

func entry(phrase string, labels ...string) Entry {
	return Entry{strings.Fields(phrase), labels}
}

func TestMatchLongest(t *testing.T) {
	tr := New(Options{}, []Entry{entry("New York", "CITY"), entry("New York City", "CITY"), entry("York", "CITY", "NAME"),
		entry("York", "CITY"), entry("lone")})
	forms := strings.Fields("in New York City and New Yorkshire York lone")
	want := map[int]int{1: 3, 2: 1, 7: 1, 8: 1}
	for i := range forms {
		if n, _ := tr.Match(forms, i); n != want[i] {
			t.Errorf("match at %d (%s) has %d tokens, want %d", i, forms[i], n, want[i])
		}
	}
	if _, l := tr.Match(forms, 7); strings.Join(l, ",") != "CITY,NAME" {
		t.Errorf("labels %v", l)
	}
	if n, l := tr.Match(forms, 8); n != 1 || l == nil || len(l) != 0 {
		t.Errorf("phrase without label: %d %v", n, l)
	}
}

func TestMatchCase(t *testing.T) {
	e := []Entry{entry("New York", "CITY")}
	forms := []string{"NEW", "york"}
	if n, _ := New(Options{Case: "lower"}, e).Match(forms, 0); n != 2 {
		t.Errorf("lower: %d tokens", n)
	}
	if n, _ := New(Options{Case: "exact"}, e).Match(forms, 0); n != 0 {
		t.Errorf("exact: %d tokens", n)
	}
}

// TestMatchBruteForce compares with trying every phrase.
func TestMatchBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tok := rapid.SampledFrom([]string{"a", "b", "c"})
		phrases := rapid.SliceOfN(rapid.SliceOfN(tok, 1, 4), 0, 12).Draw(t, "phrases")
		forms := rapid.SliceOfN(tok, 0, 10).Draw(t, "forms")
		var entries []Entry
		for _, p := range phrases {
			entries = append(entries, Entry{Tokens: p, Labels: []string{"X"}})
		}
		tr := New(Options{}, entries)
		for i := range forms {
			best := 0
			for _, p := range phrases {
				if len(p) > best && i+len(p) <= len(forms) && strings.Join(p, " ") == strings.Join(forms[i:i+len(p)], " ") {
					best = len(p)
				}
			}
			if n, _ := tr.Match(forms, i); n != best {
				t.Fatalf("match of %v at %d has %d tokens, want %d", forms, i, n, best)
			}
		}
	})
}

func TestLexicon(t *testing.T) {
	l := NewLexicon([]string{"word", "bits", "pos"}, "lower")
	l.Add([]string{"Bank", "0110", "N"})
	l.Add([]string{"bank", "1111", "V"})
	for _, c := range [][3]string{{"BANK", "bits", "0110"}, {"bank", "pos", "N"}, {"bank", "none", ""},
		{"bench", "bits", ""}} {
		if got := l.Lookup(c[0], c[1]); got != c[2] {
			t.Errorf("%s.%s is %q, want %q", c[0], c[1], got, c[2])
		}
	}
	if !l.Has("pos") || l.Has("none") {
		t.Error("columns are wrong")
	}
}

// TestRowsOfAWord: all rows of a word come in order, whatever stands between, and Lookup takes the first.
func TestRowsOfAWord(t *testing.T) {
	l := NewLexicon([]string{"word", "label"}, "lower")
	for _, row := range [][]string{{"Bank", "a"}, {"river", "x"}, {"bank", "b"}, {"BANK", "c"}, {"river", "y"}, {"lone",
		"z"}} {
		l.Add(row)
	}
	for word, want := range map[string]string{"bAnk": "abc", "river": "xy", "lone": "z", "none": ""} {
		got := ""
		for _, row := range l.Rows(word) {
			got += row[1]
		}
		if got != want || want != "" && l.Lookup(word, "label") != want[:1] {
			t.Errorf("%s has rows %q, the first is %q; want %q", word, got, l.Lookup(word, "label"), want)
		}
	}
	all := ""
	for row, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all += row[0] + row[1] + " "
	}
	if all != "Banka riverx bankb BANKc rivery lonez " {
		t.Errorf("all rows are %q", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range l.All(ctx) {
		if err == nil {
			t.Error("rows come after the end of the context")
		}
	}
}
