package treefeature

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/parse/constituent"
)

// features are those of a tree, sorted, each once.
func features(t *testing.T, written string, names ...string) []string {
	t.Helper()
	tree, words, err := constituent.Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	set, err := New(names)
	if err != nil {
		t.Fatal(err)
	}
	heads, err := constituent.Heads("collins")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	NewExtractor(set, heads).Tree(tree, words, func(name []byte) { out = append(out, string(name)) })
	slices.Sort(out)
	return slices.Compact(out)
}

// running is the rule that the paper explains its features by.
const running = "(S (VP (PP (IN in) (NP (NNP April))) (VBD gave) (NP (PRP him)) (NP (DT the) (NN deal)) " +
	"(SBAR (IN that) (S (VP (VBD was))))))"

// TestFamilies has the features of VP -> PP VBD! NP NP SBAR as the paper lists them.
func TestFamilies(t *testing.T) {
	const rule = "VP -> PP VBD! NP NP SBAR"
	for name, want := range map[string][]string{
		"rules":               {"rule " + rule},
		"grandparent_rules":   {"rule below S : " + rule},
		"two_level_rules":     {"rule below S -> VP! : " + rule},
		"bigrams":             {"left VP PP STOP", "right VP NP NP", "right VP NP SBAR", "right VP SBAR STOP"},
		"grandparent_bigrams": {"left below S : VP PP STOP", "right below S : VP NP NP"},
		"two_level_bigrams":   {"left below S -> VP! : VP PP STOP", "right below S -> VP! : VP SBAR STOP"},
		"lexical_bigrams":     {"right words VP NP NP him deal", "left words VP PP STOP in "},
		"trigrams": {"three VP STOP PP VBD!", "three VP PP VBD! NP", "three VP VBD! NP NP", "three VP NP NP SBAR",
			"three VP NP SBAR STOP"},
		"head_modifiers": {"modifier left below S : VP VBD PP adjacent", "modifier right below S : VP VBD NP adjacent",
			"modifier right below S : VP VBD NP apart", "modifier right below S : VP VBD SBAR apart"},
		"distances": {"distance VP VBD SBAR = 3", "distance VP VBD SBAR <= 3", "distance VP VBD SBAR <= 9",
			"distance VP VBD SBAR >= 1", "distance VP VBD SBAR >= 3", "distance VP VBD NP = 0"},
	} {
		got := features(t, running, name)
		for _, f := range want {
			if !slices.Contains(got, f) {
				t.Errorf("%s: %q is missing in %q", name, f, got)
			}
		}
	}
	for _, f := range []string{"distance VP VBD SBAR <= 2", "distance VP VBD SBAR >= 4", "distance VP VBD SBAR <= 10"} {
		if slices.Contains(features(t, running, "distances"), f) {
			t.Errorf("%q is there", f)
		}
	}
	if got := features(t, running, "bigrams"); slices.Contains(got, "left VP VBD PP") || slices.Contains(got,
		"right VP VBD NP") {
		t.Errorf("the head is a member of a bigram: %q", got)
	}
}

// TestPrepositions: both features of a prepositional phrase.
func TestPrepositions(t *testing.T) {
	got := features(t, "(NP (NP (DT the) (NN president)) (PP (IN of) (NP (DT the) (NNP U.S.))))", "pps")
	if want := []string{"pp NP NP PP NP of u.s.", "pp NP NP PP NP president of u.s."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestClosed: labels carry head words of closed classes, beside the plain ones.
func TestClosed(t *testing.T) {
	got := features(t, running, "rules", "distances", "closed")
	for _, f := range []string{"rule PP -> IN! NP", "rule PP/in -> IN/in! NP", "rule NP -> DT/the NN!",
		"rule NP/him -> PRP/him!"} {
		if !slices.Contains(got, f) {
			t.Errorf("%q is missing in %q", f, got)
		}
	}
	for _, f := range got {
		if strings.HasPrefix(f, "distance") && strings.Contains(f, "/") {
			t.Errorf("%q carries a word", f)
		}
	}
}

// TestNames: each family has features of its own, and an unknown one is told.
func TestNames(t *testing.T) {
	for _, name := range Names() {
		if name != "closed" && len(features(t, running, name)) == 0 {
			t.Errorf("%s has no features", name)
		}
	}
	if _, err := New([]string{"rule"}); err == nil || !strings.Contains(err.Error(), "grandparent_rules") {
		t.Errorf("an unknown family: %v", err)
	}
	if _, err := New(nil); err == nil {
		t.Error("no family is taken")
	}
}
