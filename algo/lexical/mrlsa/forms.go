package mrlsa

import (
	"slices"
	"strings"
)

// Ways to look words up.
const (
	exactForms   = "exact"
	englishForms = "english"
)

// endings are what Morphy takes off nouns, verbs and adjectives, and what it puts there instead
// (morphy(7WN)).
var endings = [][2]string{
	{"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
	{"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""},
	{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"},
}

// find returns the number of a word. With forms = english a word that the model has not is that of
// its irregular form, else of its spelling without capitals and hyphens, else without an ending.
func (m *model) find(word string) (uint32, bool) {
	i, ok := m.index[word]
	if ok || m.opt.forms != englishForms {
		return i, ok
	}
	lower := strings.ToLower(strings.ReplaceAll(word, "_", " "))
	for _, w := range []string{lower, strings.ReplaceAll(lower, "-", " "), strings.ReplaceAll(lower, " ", "-")} {
		if i, ok = m.index[w]; ok {
			return i, true
		}
	}
	if i, ok = m.lemmas[lower]; ok {
		return i, true
	}
	for _, e := range endings {
		if stem, cut := strings.CutSuffix(lower, e[0]); cut && stem != "" {
			if i, ok = m.index[stem+e[1]]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

// takeForms takes the triples (form, lemma, word) out of the input, as pairs.
func (r *thesaurus) takeForms(relation string) (out [][2]string) {
	for _, t := range r.triples[relation] {
		out = append(out, [2]string{r.entities.names[t.subject], r.entities.names[t.object]})
	}
	delete(r.triples, relation)
	r.names = slices.DeleteFunc(r.names, func(name string) bool { return name == relation })
	return out
}

// irregular keeps the forms of words of the model, the first word of each.
func (m *model) irregular(forms [][2]string) {
	for _, f := range forms {
		i, known := m.index[f[1]]
		if _, has := m.lemmas[f[0]]; known && !has {
			m.Forms, m.FormOf = append(m.Forms, f[0]), append(m.FormOf, i)
			m.lemmas[f[0]] = i
		}
	}
}
