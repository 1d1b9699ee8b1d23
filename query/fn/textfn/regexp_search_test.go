package textfn

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// randomPattern draws a regular expression with groups, anchors and flags.
func randomPattern(r *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "é", ".", "[ab]", "[^a]", `\b`, `\B`, "^", "$", "(?m:^)", "(?m:$)", "", "(?i:A)", `\s`}
	if depth == 0 || r.IntN(4) == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	x, y := randomPattern(r, depth-1), randomPattern(r, depth-1)
	switch r.IntN(6) {
	case 0:
		return "(" + x + "|" + y + ")"
	case 1:
		return "(?:" + x + ")*"
	case 2:
		return "(?:" + x + ")+?" + y
	case 3:
		return "(" + x + ")?" + y
	}
	return x + y
}

// TestLongSearches compares searches that look at their context with package regexp.
func TestLongSearches(t *testing.T) {
	defer func(n int) { longSearch = n }(longSearch)
	longSearch = 0
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		pattern := randomPattern(r, 3)
		var s strings.Builder
		for range r.IntN(9) {
			s.WriteString([]string{"a", "b", "é", "A", " ", "\n", "\xff"}[r.IntN(7)])
		}
		re := regexp.MustCompile(pattern)
		p, err := Regexp(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{-1, 0, 1, 2} {
			want := re.FindAllStringSubmatchIndex(s.String(), n)
			got, err := p.Find(ctx, s.String(), n)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int]) {
				t.Fatalf("%q in %q, %d matches: %v, %v, want %v", pattern, s.String(), n, got, err, want)
			}
		}
		if got, err := p.Matches(ctx, s.String()); got != re.MatchString(s.String()) || err != nil {
			t.Fatalf("%q in %q matches: %v, %v", pattern, s.String(), got, err)
		}
		args := []value.Value{value.Str(s.String()), value.Str(pattern), value.Str("<$1>")}
		if got, err := regexpReplace(ctx, args); err != nil || got.S != re.ReplaceAllString(s.String(), "<$1>") {
			t.Fatalf("%q in %q replaced: %q, %v, want %q", pattern, s.String(), got.S, err, re.ReplaceAllString(s.String(), "<$1>"))
		}
		found, _ := p.Find(ctx, s.String(), -1)
		if got, want := apart(s.String(), found), re.Split(s.String(), -1); pattern != "" && !slices.Equal(got, want) {
			t.Fatalf("%q splits %q: %q, want %q", pattern, s.String(), got, want)
		}
	}
}

// TestLongSearchEnds cancels searches in a text that would take them long.
func TestLongSearchEnds(t *testing.T) {
	s := strings.Repeat("ab ", 1<<20)
	for _, f := range regexpFuncs {
		for _, pattern := range []string{"(a|b|c).*(d|e|f).*x", "[ab]|c", "absent"} {
			if first := f.Result != value.JSON || f.Name == "regexp_match"; first && pattern == "[ab]|c" && f.Name != "regexp_count" && f.Name != "regexp_replace" {
				continue
			}
			args := []value.Value{value.Str(s), value.Str(pattern), value.Str("x")}[:len(f.Args)-f.Optional]
			ctx := &fntest.Ending{Context: context.Background()}
			if _, err := f.Call(ctx, args); !errors.Is(err, context.Canceled) {
				t.Errorf("%s of %s: %v", f.Name, pattern, err)
			}
		}
	}
}

// TestLongSearchNotations searches by patterns that cannot simply stand within another one.
func TestLongSearchNotations(t *testing.T) {
	defer func(n int) { longSearch = n }(longSearch)
	longSearch = 0
	s := "a.b xA.Baa.b aab"
	for _, pattern := range []string{`\Qa.b`, `(?i)\Qa.`, `(?U)a+`, `(?P<x>a)(?P<y>\.)`, `a|b`, `(?i)a|\QB`} {
		p, err := Regexp(pattern)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Find(context.Background(), s, -1)
		if want := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(s, -1); err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%s: %v, %v, want %v", pattern, got, err, want)
		}
	}
}
