package fulltext

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func compile(t testing.TB, q string) *Search {
	t.Helper()
	p, err := Parse(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	s, err := p.Compile(cut, strings.ToLower, strings.ToLower)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return s
}

// cut makes tokens of letters and of marks.
func cut(s string) ([]string, error) {
	for _, m := range []string{".", ",", "-", "'"} {
		s = strings.ReplaceAll(s, m, " "+m+" ")
	}
	return strings.Fields(s), nil
}

func TestMatch(t *testing.T) {
	doc := []string{"the", "new", "york", "times", ",", "well", "-", "known", "in", "new", "jersey", "."}
	for q, want := range map[string]bool{
		"york": true, "York": true, "boston": false, "york boston": false, "york times": true, "york AND times": true,
		`"new york"`: true, `"york new"`: false, `"new york times ,"`: true, `"new jersey"`: true, `"new new"`: false,
		"york -boston": true, "york -times": false, "-boston": true, "-york": false, `-"york new"`: true,
		`-"new york"`:    false,
		"boston OR york": true, "boston | york": true, "boston|york": true, "boston OR paris": false,
		"boston OR york times": true, "(boston OR york) paris": false, "(boston OR york) (jersey | x)": true,
		"-(boston york)":    true,
		"-(boston OR york)": false, "yor*": true, "bos*": false, "yor* jers*": true, "-yor*": false,
		"well-known": true, "known-well": false, "york,": true, "(york),": true, ",": true, "or": false, "OR*": false,
		"york-": true,
	} {
		if got, err := compile(t, q).Match(t.Context(), doc); got != want || err != nil {
			t.Errorf("%s: %v, %v", q, got, err)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for q, want := range map[string]string{
		"":            "an empty query at character 1",
		"  ":          "an empty query at character 1",
		`é "new york`: "the phrase is not closed at character 3",
		`""`:          "an empty phrase at character 1",
		"(a b":        "( is not closed at character 1",
		"a) b":        ") closes nothing at character 2",
		"()":          "a word is missing before ) at character 2",
		"a OR":        "the second is missing at character 5",
		"OR a":        "the first is missing at character 1",
		"a AND | b":   "the first is missing at character 7",
		"é (OR a)":    "the first is missing at character 4",
		"a OR  AND b": "the first is missing at character 7",
		"a - b":       "- excludes the word that follows it, and none does at character 3",
		"--a":         "- excludes the word that follows it",
		"*ing":        "* follows nothing at character 1",
		"a*b":         "* stands only at the end of a word at character 2",
		"new-yor*":    "is 3 tokens, not one at character 1",
		strings.Repeat("(", 200) + "a" + strings.Repeat(")", 200): "more than 100 parentheses",
	} {
		p, err := Parse(q)
		if err == nil {
			_, err = p.Compile(cut, strings.ToLower, strings.ToLower)
		}
		var e *SyntaxError
		if !errors.As(err, &e) || !strings.Contains(e.Error(), want) {
			t.Errorf("%q gives %v, want %s", q, err, want)
		}
	}
}

// TestScoresByHand: three units of 2, 4 and 3 tokens, mean 3; the first two hold the term, once
// and twice. idf = ln(1 + 1.5/2.5) = 0.470004; the weights are idf · 2.2/(1 + 1.2·0.75) and
// idf · 4.4/(2 + 1.2·1.25).
func TestScoresByHand(t *testing.T) {
	s := compile(t, "a OR b -c")
	lists := []List{{[]uint32{0, 1}, []uint32{1, 2}}, {}, {[]uint32{2}, []uint32{1}}}
	got := s.Scores([]uint32{0, 1, 2}, lists, []int32{2, 4, 3}, Statistics{Units: 3, Tokens: 9, DF: []int{2, 0, 1}})
	for i, want := range []float64{0.544215, 0.590862, 0} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("score %d is %f, want %f", i, got[i], want)
		}
	}
	if none := s.Scores([]uint32{0}, lists, []int32{0}, Statistics{Units: 1, DF: []int{0, 0, 0}}); none[0] != 0 {
		t.Errorf("a score without tokens: %v", none)
	}
}

// TestPostings writes lists and reads them back, some positions of each.
func TestPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		unit := uint32(0)
		var units []uint32
		var places [][]int32
		gap := rapid.IntRange(1, 5)
		if rapid.Bool().Draw(t, "sparse") {
			gap = rapid.IntRange(1, 100000)
		}
		for range rapid.IntRange(0, 600).Draw(t, "units") {
			unit += uint32(gap.Draw(t, "gap"))
			var ps []int32
			for p := range rapid.IntRange(1, 3).Draw(t, "positions") {
				ps = append(ps, int32(p*200+rapid.IntRange(0, 199).Draw(t, "position")))
			}
			b.Add(unit, ps)
			units, places = append(units, unit), append(places, ps)
		}
		us, ps := b.Append(nil, nil)
		l, err := Decode(us, b.Count(), int(unit)+1)
		if err != nil || !slices.Equal(l.Units, units) {
			t.Fatalf("%v, %v", l, err)
		}
		x, err := NewPositions(l, ps)
		if err != nil {
			t.Fatal(err)
		}
		for i := range units {
			if rapid.IntRange(0, 50).Draw(t, "pick") > 0 {
				continue
			}
			for range 2 {
				if got, err := x.At(i); err != nil || !slices.Equal(got, places[i]) {
					t.Fatalf("unit %d: %v, %v, want %v", i, got, err, places[i])
				}
			}
		}
	})
}

// FuzzQuery parses anything; what parses compiles and answers without panic.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{"a b", `"a b" -c`, "(a | b) c*", "a OR (b AND -d)", "-(-a)", `"`, "((", "a*b"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		p, err := Parse(q)
		if err != nil {
			return
		}
		if s, err := p.Compile(cut, strings.ToLower, strings.ToLower); err == nil {
			_, _ = s.Match(t.Context(), []string{"a", "b", "c"})
		}
	})
}

// FuzzPostings decodes anything without panic.
func FuzzPostings(f *testing.F) {
	f.Add([]byte{1, 1, 1}, []byte{0, 1, 2}, 3)
	f.Add([]byte{0, 5}, []byte{0, 1, 2, 3, 4, 5, 6}, 1)
	f.Fuzz(func(t *testing.T, units, positions []byte, n int) {
		if n < 0 {
			return
		}
		l, err := Decode(units, n, 1000)
		if err != nil {
			return
		}
		x, err := NewPositions(l, positions)
		if err != nil {
			return
		}
		for i := range l.Units {
			if _, err := x.At(i); err != nil {
				return
			}
		}
	})
}
