package gecmodule

import (
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/inflect"
)

// The modules.
const (
	article        = "article"
	preposition    = "preposition"
	nounNumber     = "noun_number"
	agreement      = "agreement"
	verbForm       = "verb_form"
	wordForm       = "word_form"
	punctuation    = "punctuation"
	capitalisation = "capitalisation"
	style          = "style"
	spelling       = "spelling"
)

// moduleNames lists the modules.
var moduleNames = []string{article, preposition, nounNumber, agreement, verbForm, wordForm, punctuation,
	capitalisation, style,
	spelling}

// Names lists the modules.
func Names() []string { return moduleNames }

// NeedsNgrams tells whether a module does nothing without n-grams of native text.
func NeedsNgrams(module string) bool { return module == wordForm || module == spelling }

// errorTypes are the types of edits by module, those of the NUCLE corpus.
var errorTypes = map[string]string{article: "ArtOrDet", preposition: "Prep", nounNumber: "Nn", agreement: "SVA",
	verbForm: "Vform", wordForm: "Wform", punctuation: "Mec", capitalisation: "Mec", style: "Wtone", spelling: "Mec"}

// phrased tells whether a module looks at base phrases.
func phrased(module string) bool {
	return module == article || module == preposition || module == nounNumber || module == agreement || module == verbForm
}

// lists are what finders look up: learned from the training data.
type lists struct {
	Verbs    []string            // bases of verbs
	Forms    map[string][]string // what a word was corrected to
	Capitals []string            // words that are always written with a capital
	Gaps     []string            // words before and after which commas stand: "word ," and ", word"
	Patterns []Pattern           // contexts that want a comma
	verbs    map[string]bool
	capitals map[string]string // by the word in lower case
	gaps     map[string]bool
	words    []string // labels of word_form
	wordAt   map[string]int
	patterns map[string]bool
}

func setOf(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, w := range list {
		out[w] = true
	}
	return out
}

// ready makes the maps.
func (l *lists) ready() {
	l.verbs, l.gaps, l.capitals = setOf(l.Verbs), setOf(l.Gaps), map[string]string{}
	for _, w := range l.Capitals {
		l.capitals[strings.ToLower(w)] = w
	}
	seen := map[string]bool{}
	for w, to := range l.Forms {
		seen[w] = true
		for _, x := range to {
			seen[x] = true
		}
	}
	l.words, l.wordAt = nil, map[string]int{}
	for w := range seen {
		l.words = append(l.words, w)
	}
	slices.Sort(l.words)
	for i, w := range l.words {
		l.wordAt[w] = i
	}
	l.patterns = map[string]bool{}
	for _, p := range l.Patterns {
		l.patterns[p.key()] = true
	}
}

// labels are the names of the labels of the module.
func (m *model) labels() []string {
	switch m.module {
	case article:
		return confusion.Articles
	case preposition:
		return confusion.PrepositionLabels(m.prepositions)
	case nounNumber:
		return confusion.Numbers
	case agreement:
		return confusion.Agreements
	case verbForm:
		return confusion.VerbForms
	case punctuation:
		return confusion.Commas
	case capitalisation:
		return []string{"lower", "capital"}
	case style:
		return styleLabels
	case spelling:
		return confusion.Distances
	}
	return m.lists.words
}

// find lists the candidates of a sentence.
func (x *worker) find(s *confusion.Sentence) []confusion.Candidate {
	m, known := x.m, x.known
	switch m.module {
	case spelling:
		return confusion.FindSpelling(s, &x.speller)
	case article:
		return confusion.FindArticles(s)
	case preposition:
		return confusion.FindPrepositions(s, m.prepositions)
	case nounNumber:
		return confusion.FindNouns(s)
	case agreement:
		return confusion.FindAgreement(s, known)
	case verbForm:
		return confusion.FindVerbForms(s, known, m.lists.verbs)
	case punctuation:
		return confusion.FindCommas(s, func(i int) bool { return m.lists.keepsGap(s, i) })
	case capitalisation:
		return m.lists.findLower(s)
	case style:
		return findStyle(s)
	}
	return m.lists.findWords(s)
}

// features adds the features of a candidate.
func (m *model) features(c *collector, x *confusion.Candidate, known inflect.Known) {
	switch m.module {
	case article:
		c.article(x)
	case preposition:
		c.preposition(x)
	case nounNumber:
		c.noun(x)
	case agreement:
		c.agreement(x)
	case verbForm:
		c.verbForm(x, known)
	case punctuation:
		c.comma(x)
	}
}

// sourceFeature is the feature that tells what was written.
func (m *model) sourceFeature(source int) string { return "source=" + m.labels()[source] }
