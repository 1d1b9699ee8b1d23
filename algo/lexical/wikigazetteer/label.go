package wikigazetteer

import (
	"slices"
	"strings"
)

// outcome tells how a page got its label, or why it has none.
type outcome uint8

// The outcomes.
const (
	firstPhrase  outcome = iota // label of the first noun phrase behind the form of be
	secondPhrase                // of the second one
	isRedirect                  // the page leads to another
	noSentence                  // it has no token
	noBe                        // its sentence has no form of be, as those of disambiguation pages
	noPhrase                    // nothing behind it is a noun phrase
	noNoun                      // the noun phrase has no noun
	rareLabel                   // the label has too few pages
	outcomes
)

func (o outcome) String() string {
	return [...]string{"first phrase", "second phrase", "redirect", "no sentence", "no be", "no phrase", "no noun",
		"rare label"}[o]
}

// label finds the label of a sentence and the noun phrase that it heads (Kazama and Torisawa 2007, sec. 3.2).
//
//	p = the first form of be;  NP1, NP2 = the base noun phrases behind it
//	label = head(NP2) if head(NP1) is one, kind, sort, type, or name before of; else head(NP1)
func (m *model) label(s sentence) (label, phrase string, how outcome) {
	if len(s.forms) == 0 {
		return "", "", noSentence
	}
	if !m.opt.parentheses {
		s = s.outsideParentheses()
	}
	be := slices.IndexFunc(s.forms, func(f string) bool { return holds(m.opt.beForms, f) })
	if be < 0 {
		return "", "", noBe
	}
	phrases := s.chunks
	switch {
	case m.opt.nounPhrases == byClause:
		phrases = m.clause(s, be)
	case m.opt.nounPhrases == byTags || !s.spans:
		phrases = m.runsOfTags(s)
	}
	phrases = slices.DeleteFunc(slices.Clone(phrases), func(p [2]int) bool { return p[0] <= be })
	if len(phrases) == 0 {
		return "", "", noPhrase
	}
	np, how := phrases[0], firstPhrase
	if m.skipped(s, np) {
		if len(phrases) == 1 {
			return "", "", noPhrase
		}
		np, how = phrases[1], secondPhrase
	}
	head := m.head(s, np)
	if head < 0 {
		return "", "", noNoun
	}
	return s.forms[head], strings.Join(s.forms[np[0]:np[1]], " "), how
}

// skipped tells of a phrase such as "a kind", which the phrase of the label follows.
func (m *model) skipped(s sentence, np [2]int) bool {
	last := s.forms[np[1]-1]
	return holds(m.opt.skipNouns, last) ||
		holds(m.opt.ofNouns, last) && np[1] < len(s.forms) && strings.EqualFold(s.forms[np[1]], "of")
}

// head is the place of the label in a phrase, -1 without.
func (m *model) head(s sentence, np [2]int) int {
	if m.opt.head == lastWord || s.tags == nil {
		return np[1] - 1
	}
	end := np[0]
	for end < np[1] && (end == np[0] || !separates(s.forms[end], s.tags[end])) {
		end++
	}
	for i := end - 1; i >= np[0]; i-- {
		if m.noun(s.tags[i]) {
			return i
		}
	}
	return -1
}

// separates tells of a comma or conjunction between the members of a list.
func separates(form, tag string) bool {
	return slices.Contains([]string{",", ";", "、"}, form) || slices.Contains([]string{"CC", "CCONJ", "c"}, tag)
}

// noun tells of the tag of a noun.
func (m *model) noun(tag string) bool {
	begins := m.opt.nounTags
	switch {
	case len(begins) > 0:
	case m.opt.tags == "upos":
		begins = []string{"NOUN", "PROPN"}
	default:
		begins = []string{"NN"}
	}
	return slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(tag, b) })
}

// clause is what stands behind a form of be, up to what ends a clause, from the last attributive particle on.
func (m *model) clause(s sentence, be int) [][2]int {
	from, to := be+1, be+1
	for to < len(s.forms) && !slices.Contains([]string{",", ";", ".", "，", "；", "。"}, s.forms[to]) {
		if to++; holds(m.opt.particles, s.forms[to-1]) {
			from = to
		}
	}
	if from == to {
		return nil
	}
	return [][2]int{{from, to}}
}

// before tells of tags that a base noun phrase has before its nouns.
func before(tag, column string) bool {
	if column == "upos" {
		return slices.Contains([]string{"DET", "NUM", "ADJ"}, tag)
	}
	return slices.Contains([]string{"DT", "PRP$", "CD", "JJ", "JJR", "JJS", "VBN", "VBG", "POS"}, tag)
}

// runsOfTags are the base noun phrases where there are no chunks: the longest runs of determiners, numbers, adjectives,
// participles and nouns that end with a noun or number.
func (m *model) runsOfTags(s sentence) (out [][2]int) {
	if s.tags == nil {
		return nil
	}
	for i := 0; i < len(s.tags); {
		j, end := i, -1
		for j < len(s.tags) && (m.noun(s.tags[j]) || before(s.tags[j], m.opt.tags)) {
			if j++; m.noun(s.tags[j-1]) || s.tags[j-1] == "CD" || s.tags[j-1] == "NUM" {
				end = j
			}
			if j < len(s.tags) && m.noun(s.tags[j-1]) && before(s.tags[j], m.opt.tags) && s.tags[j] != "POS" {
				break
			}
		}
		if end > 0 {
			out = append(out, [2]int{i, end})
		}
		i = max(j, i+1)
	}
	return out
}

// outsideParentheses leaves out what stands in parentheses, which need not end, and phrases that it tears.
func (s sentence) outsideParentheses() sentence {
	if !slices.ContainsFunc(s.forms, func(f string) bool { return opens(f) }) {
		return s
	}
	out, depth, number := sentence{text: s.text, spans: s.spans}, 0, make([]int, len(s.forms)+1)
	for i, f := range s.forms {
		number[i] = len(out.forms)
		switch {
		case opens(f):
			depth++
		case (f == ")" || f == "）" || f == "-RRB-") && depth > 0:
			depth--
		case depth == 0:
			out.forms = append(out.forms, f)
			if s.tags != nil {
				out.tags = append(out.tags, s.tags[i])
			}
		}
	}
	number[len(s.forms)] = len(out.forms)
	for _, c := range s.chunks {
		if a, b := number[c[0]], number[c[1]]; b-a == c[1]-c[0] {
			out.chunks = append(out.chunks, [2]int{a, b})
		}
	}
	return out
}

func opens(form string) bool { return form == "(" || form == "（" || form == "-LRB-" }

// holds looks a word up in a list without regard to case.
func holds(list []string, word string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}
