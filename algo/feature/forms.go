package feature

import "slices"

// Bounds of the forms that an extractor knows.
const (
	maxForms   = 1 << 18 // that are remembered
	maxPassing = 1 << 8  // others in a document; their local numbers lie below
	metSets    = 1 << 12 // of four forms
)

// passed are the rest of the hashes of the last forms of a set that passed, the latest first.
type passed [4]uint32

// meet reports whether the form of a hash passed before, and notes it.
func (p *passed) meet(rest uint32) bool {
	if slices.Contains(p[:], rest) {
		return true
	}
	*p = passed{rest, p[0], p[1], p[2]}
	return false
}

// form returns the local number of a form. It is remembered when it comes for the second time.
func (e *Extractor) form(f string) uint32 {
	if id := e.forms.find(f); id != 0 {
		return maxPassing + id - 1
	}
	if !e.growing && len(e.passing) < maxPassing {
		if h := hashText(f); !e.met[h%metSets].meet(uint32(h >> 32)) {
			e.passing = append(e.passing, f)
			return uint32(len(e.passing) - 1)
		}
	}
	return maxPassing + e.forms.add(f) - 1
}

// formText returns the form with a local number.
func (e *Extractor) formText(n uint32) string {
	if n < maxPassing {
		return e.passing[n]
	}
	return e.forms.texts[n-maxPassing]
}

// pass forgets the forms of the last document that are not remembered.
func (e *Extractor) pass() {
	n := len(e.passing)
	e.passing = e.passing[:0]
	for c := range e.byForm {
		clear(e.byForm[c][:min(n, len(e.byForm[c]))])
		clear(e.lists[c][:min(n, len(e.lists[c]))])
	}
}

// numbers is how many local numbers there are.
func (e *Extractor) numbers() int { return maxPassing + len(e.forms.texts) }
