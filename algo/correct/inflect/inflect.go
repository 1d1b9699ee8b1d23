// Package inflect inflects English words: plurals and singulars of nouns, the forms of verbs and back to their bases,
// by rules of spelling and tables of irregular words. Words are in lower case.
//
// A form can have several readings: left is of leave and a base of its own, visiting of visit or visite. What the rules
// cannot decide a Known decides, such as counts in native text.
package inflect

import (
	"slices"
	"strings"
)

// Known is how common a word is, 0 for one that does not exist. Nil knows nothing.
type Known func(word string) float64

// Form is a form of a verb.
type Form uint8

// The forms.
const (
	Base       Form = iota // go
	Third                  // goes
	Past                   // went
	Participle             // gone
	Ing                    // going
	Forms                  // number of forms
)

func (f Form) String() string { return [...]string{"base", "s", "past", "participle", "ing", ""}[f] }

// Paradigm is the forms of a verb.
type Paradigm [Forms]string

// Plural returns the plural of a singular noun.
func Plural(noun string) string {
	if p, ok := plurals[noun]; ok {
		return p
	}
	if invariant[noun] {
		return noun
	}
	for _, end := range compoundEnds {
		if rest, ok := strings.CutSuffix(noun, end); ok && rest != "" && !solid[noun] {
			return rest + plurals[end]
		}
	}
	if strings.HasSuffix(noun, "sis") && len(noun) > 5 {
		return noun[:len(noun)-2] + "es"
	}
	if oes[noun] {
		return noun + "es"
	}
	return withS(noun)
}

// Singular returns the singular of a plural noun; a noun that is no plural stays.
func Singular(noun string) string {
	if s, ok := singulars[noun]; ok {
		return s
	}
	if _, ok := plurals[noun]; ok || invariant[noun] || strings.HasSuffix(noun, "ss") {
		return noun
	}
	for _, end := range compoundEnds {
		if rest, ok := strings.CutSuffix(noun, plurals[end]); ok && rest != "" && !solid[rest+end] {
			return rest + end
		}
	}
	if !strings.HasSuffix(noun, "s") {
		return noun
	}
	for _, try := range undoS(noun) {
		if Plural(try) == noun {
			return try
		}
	}
	return noun
}

// undoS are words that could be what a plural or a third person is of, the likelier first.
func undoS(form string) []string {
	var out []string
	switch {
	case strings.HasSuffix(form, "ies") && len(form) > 4:
		out = append(out, form[:len(form)-3]+"y")
	case strings.HasSuffix(form, "yses"):
		out = append(out, form[:len(form)-2]+"is")
	case hasAny(form, "sses", "shes", "ches", "xes", "zzes", "oes"):
		out = append(out, form[:len(form)-2])
	case strings.HasSuffix(form, "ses") && inS[form[:len(form)-2]]:
		out = append(out, form[:len(form)-2])
	}
	if strings.HasSuffix(form, "s") && len(form) > 1 {
		out = append(out, form[:len(form)-1])
	}
	return out
}

// withS adds the ending s with the changes of spelling that it brings.
func withS(word string) string {
	switch {
	case hasAny(word, "s", "x", "z", "ch", "sh"):
		if strings.HasSuffix(word, "ch") && hardCh[word] {
			return word + "s"
		}
		if strings.HasSuffix(word, "z") && !strings.HasSuffix(word, "zz") && len(word) < 5 && vowel(word[len(word)-2]) {
			return word + "zes" // quizzes
		}
		return word + "es"
	case strings.HasSuffix(word, "y") && len(word) > 1 && !vowel(word[len(word)-2]):
		return word[:len(word)-1] + "ies"
	}
	return word + "s"
}

// Conjugate returns the forms of a base. Be has is and was, with been and being.
func Conjugate(base string) Paradigm {
	third := withS(base)
	if strings.HasSuffix(base, "o") && len(base) > 1 && !vowel(base[len(base)-2]) {
		third = base + "es"
	}
	p := Paradigm{base, third, regularPast(base), "", ing(base)}
	p[Participle] = p[Past]
	prefix, irregular := base, irregulars[base]
	if irregular == nil {
		for _, pre := range prefixes {
			if rest, ok := strings.CutPrefix(base, pre); ok && irregulars[rest] != nil && !regular[base] {
				prefix, irregular = pre, irregulars[rest]
				p[Past], p[Participle] = prefix+irregular[0], prefix+irregular[1]
				return p
			}
		}
		return p
	}
	p[Past], p[Participle] = irregular[0], irregular[1]
	switch base {
	case "be":
		p[Third] = "is"
	case "have":
		p[Third] = "has"
	}
	return p
}

// regularPast adds ed.
func regularPast(base string) string {
	switch {
	case strings.HasSuffix(base, "e"):
		return base + "d"
	case strings.HasSuffix(base, "y") && len(base) > 1 && !vowel(base[len(base)-2]):
		return base[:len(base)-1] + "ied"
	case doubles(base):
		return base + base[len(base)-1:] + "ed"
	case strings.HasSuffix(base, "ic"):
		return base + "ked"
	}
	return base + "ed"
}

// ing adds ing.
func ing(base string) string {
	switch {
	case strings.HasSuffix(base, "ie"):
		return base[:len(base)-2] + "ying"
	case hasAny(base, "ee", "oe", "ye") || base == "be" || base == "singe":
		return base + "ing"
	case strings.HasSuffix(base, "e") && len(base) > 2:
		return base[:len(base)-1] + "ing"
	case doubles(base):
		return base + base[len(base)-1:] + "ing"
	case strings.HasSuffix(base, "ic"):
		return base + "king"
	}
	return base + "ing"
}

// doubles tells whether the last consonant is doubled before ed and ing: after a single vowel that is stressed.
func doubles(base string) bool {
	n := len(base)
	if n < 3 || vowel(base[n-1]) || strings.IndexByte("wxyh", base[n-1]) >= 0 || !vowel(base[n-2]) {
		return stressed[base]
	}
	if vowel(base[n-3]) && !(base[n-3] == 'u' && n > 3 && base[n-4] == 'q') {
		return false
	}
	return syllables(base) == 1 || stressed[base]
}

// syllables counts groups of vowels.
func syllables(w string) int {
	n, last := 0, false
	for i := range len(w) {
		v := vowel(w[i]) || w[i] == 'y' && i > 0
		if v && !last {
			n++
		}
		last = v
	}
	return n
}

// Analysis is a reading of a verb form.
type Analysis struct {
	Base string
	Form Form
}

// Verb lists the readings of a form, at most one a form of a paradigm; the base is the likeliest by known, else by the
// rules.
func Verb(form string, known Known) []Analysis {
	var out []Analysis
	add := func(f Form, base string) {
		if !slices.Contains(out, Analysis{base, f}) {
			out = append(out, Analysis{base, f})
		}
	}
	for _, a := range irregularForms[form] {
		add(a.Form, a.Base)
	}
	for _, pre := range prefixes {
		if rest, ok := strings.CutPrefix(form, pre); ok && len(out) == 0 {
			for _, a := range irregularForms[rest] {
				if Conjugate(pre + a.Base)[a.Form] == form {
					add(a.Form, pre+a.Base)
				}
			}
		}
	}
	if len(out) > 0 && !hasAny(form, "ing", "ed", "s") {
		if !slices.ContainsFunc(out, func(a Analysis) bool { return a.Form == Base }) && alsoBase[form] {
			add(Base, form)
		}
		return out
	}
	try := func(f Form, bases []string) bool {
		var fit []string
		for _, b := range bases {
			if len(b) > 1 && Conjugate(b)[f] == form {
				fit = append(fit, b)
			}
		}
		if len(fit) == 0 {
			return false
		}
		add(f, likeliest(fit, known))
		return true
	}
	switch {
	case strings.HasSuffix(form, "ing") && len(form) > 4:
		try(Ing, undo(form[:len(form)-3]))
	case strings.HasSuffix(form, "ed") && len(form) > 3:
		bases := undo(form[:len(form)-2])
		if strings.HasSuffix(form, "ied") && len(form) > 4 {
			bases = append([]string{form[:len(form)-3] + "y"}, bases...)
		}
		if try(Past, bases) {
			add(Participle, out[len(out)-1].Base)
		}
	case strings.HasSuffix(form, "s") && !strings.HasSuffix(form, "ss") && len(form) > 3:
		try(Third, undoS(form))
	}
	if len(out) == 0 || alsoBase[form] {
		add(Base, form)
	}
	return out
}

// undo are words that a stem before ed or ing could come of, the likelier first.
func undo(stem string) []string {
	n, bare, withE := len(stem), stem, stem+"e"
	out := []string{bare, withE}
	if endsInE(stem) {
		out = []string{withE, bare}
	}
	if n > 2 && stem[n-1] == stem[n-2] {
		out = append(out, stem[:n-1])
		if strings.IndexByte("lsfz", stem[n-1]) < 0 || stressed[stem[:n-1]] {
			out = []string{stem[:n-1], bare, withE}
		}
	}
	if strings.HasSuffix(stem, "y") {
		if out = append(out, stem[:n-1]+"ie"); n == 2 {
			out = []string{stem[:1] + "ie"} // dying
		}
	}
	if hasAny(stem, "nick", "mick", "fick") {
		out = append([]string{stem[:n-1]}, out...)
	}
	return out
}

// endsInE tells whether a stem without its ending looks as if it had lost an e.
func endsInE(stem string) bool {
	n := len(stem)
	if n < 2 {
		return false
	}
	if hasAny(stem, "creat") || stem == "di" {
		return true
	}
	switch stem[n-1] {
	case 'v', 'c', 'u', 'z':
		return true
	case 's':
		return !strings.HasSuffix(stem, "ss") && !hasAny(stem, "cus", "ias")
	case 'g':
		return !hasAny(stem, "ing", "ong", "og", "ag", "eg", "ig", "ug") || hasAny(stem, "nag", "gag", "ring") && n > 4
	case 'l':
		return !vowel(stem[n-2]) && stem[n-2] != 'l' && stem[n-2] != 'r' && stem[n-2] != 'w'
	case 't':
		return hasAny(stem, "at", "ut", "et", "ot") && n > 4 && !hasAny(stem, "eat", "oat", "out", "mit", "ibut", "eet",
			"oot", "ret", "ket", "iot") ||
			hasAny(stem, "ibut", "inat", "ast", "writ", "uit", "unit", "vit", "cit") && n > 4 && !hasAny(stem, "last", "cast",
				"oast", "fast", "suit")
	case 'r':
		return hasAny(stem, "ir", "ur", "ar", "or") && n > 3 && !hasAny(stem, "air", "our", "ear", "oor", "oar", "tor", "vor",
			"bor", "nor", "ccur", "cur")
	case 'd':
		return hasAny(stem, "id", "ud", "ad") && n > 4 && !hasAny(stem, "oid", "aid", "oud", "ead", "oad")
	case 'n':
		return hasAny(stem, "in", "un") && n > 4 && !hasAny(stem, "ain", "ein", "oin", "run", "gin", "pin")
	case 'k':
		return hasAny(stem, "ak", "ik", "ok", "uk") && !hasAny(stem, "eak", "oak", "ook")
	case 'm':
		return hasAny(stem, "um", "am") && n > 3 && !hasAny(stem, "eam", "oam", "xam")
	case 'p':
		return hasAny(stem, "op", "ap", "yp") && n > 3 && !hasAny(stem, "oop", "elop", "eap", "oap")
	}
	return false
}

// likeliest returns the first base of those that are known best, or the first of all.
func likeliest(bases []string, known Known) string {
	best, most := bases[0], 0.0
	if known == nil {
		return best
	}
	for _, b := range bases {
		if n := known(b); n > most {
			best, most = b, n
		}
	}
	return best
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func hasAny(w string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
