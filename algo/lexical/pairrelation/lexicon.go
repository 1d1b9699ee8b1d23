package pairrelation

import (
	"slices"
	"strings"

	"parlance/algo/kind"
)

// names are the relations of a knowledge base that rules go by.
type names struct {
	synonym, antonym, near, hypernym, meronym, alias, variant, reading, misuse, order, synset, lemma []string
}

// lexicon answers rules from a knowledge base. Relations hold between terms, or between senses that
// terms lead to by a relation such as synset.
type lexicon struct {
	kb         kind.KB
	names      *names
	inflection bool
}

// entry is what a knowledge base knows of a term.
type entry struct {
	keys   []string // entities that the term may be
	senses []string // these, and their senses
}

// entry looks a term up: as it is written, in lower case, with spaces for hyphens, by its base form.
func (l *lexicon) entry(t *term) entry {
	var e entry
	if l == nil {
		return e
	}
	for _, form := range []string{t.text, t.lower, strings.Join(t.words, " ")} {
		e.keys = l.add(e.keys, form)
		for _, base := range l.related(form, l.names.lemma) {
			e.keys = l.add(e.keys, base)
		}
	}
	if l.inflection && len(t.words) > 0 {
		head := t.words[len(t.words)-1]
		before := strings.Join(t.words[:len(t.words)-1], " ")
		for _, base := range baseForms(head) {
			e.keys = l.add(e.keys, strings.TrimSpace(before+" "+base))
		}
	}
	e.senses = append(e.senses, e.keys...)
	for _, k := range e.keys {
		for _, s := range l.related(k, l.names.synset) {
			e.senses = include(e.senses, s)
		}
	}
	return e
}

// known reports whether a knowledge base has a term.
func (e entry) known() bool { return len(e.keys) > 0 }

// add appends an entity that exists and is new.
func (l *lexicon) add(keys []string, key string) []string {
	if key == "" || !l.kb.Has(key) {
		return keys
	}
	return include(keys, key)
}

// include appends what is new.
func include(list []string, s string) []string {
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}

// inflected reports whether a knowledge base calls one term a form of the other.
func (l *lexicon) inflected(a, b *term) bool {
	if l == nil {
		return false
	}
	return slices.Contains(l.related(a.lower, l.names.lemma), b.lower) ||
		slices.Contains(l.related(b.lower, l.names.lemma), a.lower)
}

// related returns the objects of an entity under some relations.
func (l *lexicon) related(entity string, relations []string) []string {
	var out []string
	for _, r := range relations {
		if found := l.kb.Objects(entity, r); out == nil {
			out = found[:len(found):len(found)]
		} else {
			out = append(out, found...)
		}
	}
	return out
}

// readings returns how a term is read.
func (l *lexicon) readings(e entry) []string {
	var out []string
	for _, k := range e.keys {
		out = append(out, l.related(k, l.names.reading)...)
	}
	return out
}

// holds reports whether a relation leads from one of some entities to one of others.
func (l *lexicon) holds(from, to, relations []string) bool {
	for _, e := range from {
		for _, o := range l.related(e, relations) {
			for _, t := range to {
				if o == t {
					return true
				}
			}
		}
	}
	return false
}

// close adds to senses those of nearly the same meaning, one step away.
func (l *lexicon) close(senses []string) []string {
	out := slices.Clone(senses)
	for _, s := range senses {
		out = append(out, l.related(s, l.names.near)...)
	}
	return out
}

// indirect reports whether an opposite of one term has a sense, or one of nearly the same meaning, in
// common with the other (the indirect antonyms of Gross, Fischer and Miller 1989).
func (l *lexicon) indirect(a, b entry) bool {
	for _, from := range a.senses {
		for _, o := range l.related(from, l.names.antonym) {
			if meets(l.close(append(l.related(o, l.names.synset), o)), b.senses) {
				return true
			}
		}
	}
	return false
}

// meets reports whether two lists have an entry in common.
func meets(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// maxAncestors bounds what is gone through from one term upwards.
const maxAncestors = 4096

// ancestors returns what hypernyms lead to in at most depth steps, with the least number of steps;
// what one starts from has 0.
func (l *lexicon) ancestors(from []string, depth int) map[string]int {
	out := make(map[string]int, 4*len(from))
	for _, s := range from {
		out[s] = 0
	}
	level := from
	for d := 1; d <= depth && len(level) > 0 && len(out) < maxAncestors; d++ {
		var next []string
		for _, e := range level {
			for _, o := range l.related(e, l.names.hypernym) {
				if _, seen := out[o]; !seen {
					out[o] = d
					next = append(next, o)
				}
			}
		}
		level = next
	}
	return out
}

// above reports whether some senses are reached from others by hypernyms in 1 to depth steps.
func above(senses []string, ancestors map[string]int, depth int) bool {
	for _, s := range senses {
		if d, ok := ancestors[s]; ok && d > 0 && d <= depth {
			return true
		}
	}
	return false
}

// shared reports whether two terms have a hypernym in common within depth steps from either.
func shared(a, b map[string]int, depth int) bool {
	for e, d := range a {
		if other, ok := b[e]; ok && d > 0 && d <= depth && other > 0 && other <= depth {
			return true
		}
	}
	return false
}
