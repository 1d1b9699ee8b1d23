package lemmatizer

import (
	"fmt"
	"slices"
	"unicode"
)

// casing says how a rule sets the case of a lemma.
type casing uint8

const (
	lowerCase casing = iota
	titleCase        // the first character upper, the others lower
	upperCase
	keepCase // as in the form and in the rule
	casings
)

func (c casing) String() string { return [...]string{"lower", "title", "upper", "keep"}[c] }

// rule makes a lemma of a form: it cuts Front and Back characters off and puts Before and After there. Whole is a
// lemma that is no edit of its form; the other fields are then empty.
type rule struct {
	Front, Back   uint16
	Case          casing
	Before, After string
	Whole         string
}

// maxEdited is the length in characters up to which forms and lemmas are aligned.
const maxEdited = 100

// String writes the rule as text, such as "lower -ied+y" by its lengths: lower -3+y.
func (r rule) String() string {
	if r.Whole != "" {
		return "=" + r.Whole
	}
	s := r.Case.String()
	if r.Front > 0 || r.Before != "" {
		s += fmt.Sprintf(" %s+%d-", r.Before, r.Front)
	}
	if r.Back > 0 || r.After != "" {
		s += fmt.Sprintf(" -%d+%s", r.Back, r.After)
	}
	return s
}

// derive returns the rule that makes the lemma of the form.
func derive(form, lemma string) rule {
	f, l := []rune(form), []rune(lemma)
	if len(f) > maxEdited || len(l) > maxEdited {
		if form == lemma {
			return rule{Case: keepCase}
		}
		return rule{Whole: lemma}
	}
	r := rule{Case: caseOf(l)}
	if r.Case != keepCase {
		setCase(f, lowerCase)
		setCase(l, lowerCase)
	}
	i, j, n := common(f, l)
	if n == 0 {
		return rule{Whole: lemma}
	}
	r.Front, r.Before = uint16(i), string(l[:j])
	r.Back, r.After = uint16(len(f)-i-n), string(l[j+n:])
	if made, ok := r.apply(form); !ok || made != lemma { // characters with odd cases
		return rule{Whole: lemma}
	}
	return r
}

// caseOf is the pattern that the characters of a lemma have.
func caseOf(lemma []rune) casing {
	for c := lowerCase; c < keepCase; c++ {
		x := slices.Clone(lemma)
		if setCase(x, c); slices.Equal(x, lemma) {
			return c
		}
	}
	return keepCase
}

func setCase(s []rune, c casing) {
	for i, r := range s {
		switch {
		case c == keepCase:
		case c == upperCase || c == titleCase && i == 0:
			s[i] = unicode.ToUpper(r)
		default:
			s[i] = unicode.ToLower(r)
		}
	}
}

// common is the first longest common substring: where it begins in a and in b, and its length.
func common(a, b []rune) (i, j, n int) {
	lengths := make([]int, len(b)+1) // of the common end of a[:x] and b[:y]
	for x := range a {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] != b[y] {
				lengths[y+1] = 0
				continue
			}
			if lengths[y+1] = lengths[y] + 1; lengths[y+1] > n {
				n = lengths[y+1]
				i, j = x+1-n, y+1-n
			}
		}
	}
	return i, j, n
}

// fits reports whether the rule leaves something of a form of n characters.
func (r *rule) fits(characters int) bool {
	return r.Whole != "" || int(r.Front)+int(r.Back) < characters
}

// apply makes the lemma of a form; false where the form is too short.
func (r *rule) apply(form string) (string, bool) {
	if r.Whole != "" {
		return r.Whole, true
	}
	f := []rune(form)
	if !r.fits(len(f)) {
		return "", false
	}
	s := slices.Concat([]rune(r.Before), f[r.Front:len(f)-int(r.Back)], []rune(r.After))
	setCase(s, r.Case)
	return string(s), true
}
