// Package stem has stems of words: what the inflected forms of a word have in common.
package stem

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
)

// stemmers leaves out Turkish, whose stemmer takes the last letter of many nouns for an ending: zaman (time) becomes
// zama, and zamanlar (times) zaman, so that they do not find each other.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"arabic": arabic.Stem, "danish": danish.Stem, "dutch": dutch.Stem, "english": english.Stem, "finnish": finnish.Stem,
	"french": french.Stem, "german": german.Stem, "hungarian": hungarian.Stem, "irish": irish.Stem,
	"italian": italian.Stem, "norwegian": norwegian.Stem, "portuguese": portuguese.Stem, "romanian": romanian.Stem,
	"russian": russian.Stem, "spanish": spanish.Stem, "swedish": swedish.Stem, "tamil": tamil.Stem,
}

// Languages are the languages that Of knows, by name.
func Languages() []string { return slices.Sorted(maps.Keys(stemmers)) }

// longestStemmed bounds the words that are stemmed, in bytes: longer ones belong to no language, and the time of some
// stemmers grows faster than a word.
const longestStemmed = 100

// Of returns the stem of a word in lower case by the Snowball stemmer of a language (Porter 2001): what its inflected
// forms have in common, which need not be a word: refund for refunds, arriv for arrive. Words of a language that is not
// known, that are no UTF-8 or have more than 100 bytes stay as they are.
func Of(language, word string) string {
	stem := stemmers[language]
	if stem == nil || len(word) > longestStemmed || !utf8.ValidString(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}
