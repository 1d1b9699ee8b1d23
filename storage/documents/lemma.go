package documents

import "unicode/utf8"

// wholeLemma marks a lemma that is written whole; fewer bytes are cut off a form. It stays
// below the surrogates, which no rune may be.
const wholeLemma = 0xd000

// sameLemma is the edit of a lemma that is the form.
const sameLemma = "\x01"

// edit writes a lemma as what makes it of the form: "" for a missing lemma; else the number of
// bytes cut off, plus one, as a rune, and the new ending.
func edit(form, lemma string) string {
	if lemma == "" {
		return ""
	}
	if lemma == form {
		return sameLemma
	}
	n := 0
	for n < len(form) && n < len(lemma) && form[n] == lemma[n] {
		n++
	}
	cut := len(form) - n
	if cut >= wholeLemma {
		n, cut = 0, wholeLemma
	}
	return string(rune(cut+1)) + lemma[n:]
}

// lemmaEdit is a decoded edit.
type lemmaEdit struct {
	cut     int
	ending  string
	missing bool
}

func decodeEdit(e string) lemmaEdit {
	if e == "" {
		return lemmaEdit{missing: true}
	}
	r, w := utf8.DecodeRuneInString(e)
	return lemmaEdit{cut: int(r) - 1, ending: e[w:]}
}

// apply gives the lemma back; ok is false where the edit does not fit the form. It allocates
// only where there is both a rest of the form and an ending.
func (e lemmaEdit) apply(form string) (lemma string, ok bool) {
	switch {
	case e.missing:
		return "", true
	case e.cut == wholeLemma:
		return e.ending, true
	case e.cut < 0 || e.cut > len(form):
		return "", false
	case e.cut == len(form):
		return e.ending, true
	case e.ending == "":
		return form[:len(form)-e.cut], true
	}
	return form[:len(form)-e.cut] + e.ending, true
}
