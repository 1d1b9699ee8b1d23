package treefeature

import (
	"fmt"
	"slices"
	"strings"
)

// Set is the families of features that are looked for.
type Set struct {
	families
	closed bool
}

// families are those that depend on labels alone, and others.
type families struct {
	rules, bigrams, grandRules, grandBigrams, lexical, twoRules, twoBigrams, trigrams bool
	modifiers, pps, distances                                                         bool
}

// Names are those of the families.
func Names() []string {
	return []string{"rules", "bigrams", "grandparent_rules", "grandparent_bigrams", "lexical_bigrams", "two_level_rules",
		"two_level_bigrams", "trigrams", "head_modifiers", "pps", "distances", "closed"}
}

// New returns the set of some families.
func New(names []string) (*Set, error) {
	s := &Set{}
	at := []*bool{&s.rules, &s.bigrams, &s.grandRules, &s.grandBigrams, &s.lexical, &s.twoRules, &s.twoBigrams,
		&s.trigrams,
		&s.modifiers, &s.pps, &s.distances, &s.closed}
	for _, name := range names {
		k := slices.Index(Names(), name)
		if k < 0 {
			return nil, fmt.Errorf("%q is no family of features; they are %s", name, strings.Join(Names(), ", "))
		}
		*at[k] = true
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("a family of features is wanted: %s", strings.Join(Names(), ", "))
	}
	return s, nil
}

// closedTags are tags of the Penn Treebank for words of closed classes.
var closedTags = []string{"DT", "IN", "CC", "TO", "MD", "PRP", "PRP$", "WDT", "WP", "WP$", "WRB", "RP", "EX", "PDT",
	"POS", "UH",
	",", ":", ".", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"}
