package confusion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

// ErrOverlap tells that two edits cannot both be made.
var ErrOverlap = errors.New("edits overlap")

// Apply returns tokens with edits made. Their order does not matter.
func Apply(forms []string, edits []Edit) ([]string, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, Edit.Compare)
	var out []string
	at := 0
	for i, e := range edits {
		if e.Start < at || e.End > len(forms) || e.End < e.Start || i > 0 && e.Clashes(edits[i-1]) {
			return nil, fmt.Errorf("%w: tokens %d to %d", ErrOverlap, e.Start, e.End)
		}
		out = append(append(out, forms[at:e.Start]...), text.Fields(e.Words)...)
		at = e.End
	}
	return append(out, forms[at:]...), nil
}

// Change is an edit of the bytes [Start, End) of a text.
type Change struct {
	Start, End int
	Words      string
}

// ApplyText returns a text with changes made, which are in order, and sets blanks as a writer does: words are apart,
// marks stand at the word before them, and no blank is left where words are taken away.
func ApplyText(text string, changes []Change) (string, error) {
	var b strings.Builder
	at := 0
	for _, c := range changes {
		if c.Start < at || c.End < c.Start || c.End > len(text) {
			return "", fmt.Errorf("%w: bytes %d to %d of %d", ErrOverlap, c.Start, c.End, len(text))
		}
		b.WriteString(text[at:c.Start])
		at = c.End
		if c.Words == "" {
			at = swallow(text, &b, at)
			continue
		}
		before := b.String()
		r, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(c.Words)
		switch {
		case closing(first) && c.Start == c.End:
			trimmed := strings.TrimRight(before, " ")
			b.Reset()
			b.WriteString(trimmed)
			b.WriteString(c.Words)
			if at < len(text) && !spaceAt(text, at) {
				b.WriteByte(' ')
			}
			continue
		case before != "" && !unicode.IsSpace(r) && !opening(r) && (c.Start == c.End || !touches(text, c.Start)) &&
			!closing(first):
			b.WriteByte(' ')
		}
		b.WriteString(c.Words)
		last, _ := utf8.DecodeLastRuneInString(c.Words)
		if c.Start == c.End && at < len(text) && !spaceAt(text, at) {
			if next, _ := utf8.DecodeRuneInString(text[at:]); !closing(next) || !unicode.IsPunct(next) || closing(last) {
				b.WriteByte(' ')
			}
		}
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// Mark returns a text with changes, which are in order, marked in place: [-what is taken away-] and {+what is put+}.
func Mark(text string, changes []Change) string {
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.Start])
		at = c.End
		if c.Start < c.End {
			b.WriteString("[-" + text[c.Start:c.End] + "-]")
		}
		if c.Words != "" {
			b.WriteString("{+" + c.Words + "+}")
		}
		if c.Start == c.End && at < len(text) && !spaceAt(text, at) {
			b.WriteByte(' ')
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// swallow drops a blank where a word was taken away, of those on both sides.
func swallow(text string, b *strings.Builder, at int) int {
	if s := b.String(); (s == "" || strings.HasSuffix(s, " ")) && at < len(text) && text[at] == ' ' {
		return at + 1
	} else if strings.HasSuffix(s, " ") && at < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[at:]); closing(r) {
			b.Reset()
			b.WriteString(strings.TrimSuffix(s, " "))
		}
	}
	return at
}

// touches tells whether a letter stands right before a place.
func touches(text string, at int) bool {
	return at > 0 && !spaceAt(text, at-1)
}

func spaceAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(r)
}

func closing(r rune) bool { return strings.ContainsRune(",.;:!?)]}%", r) }
func opening(r rune) bool { return strings.ContainsRune("([{\"$-/", r) }

// Corrected is the sentence with the gold edits made, without tags and phrases; of edits that overlap the first ones.
func (s *Sentence) Corrected(g *Gold) *Sentence {
	var kept []Edit
	for _, e := range g.Edits {
		if n := len(kept); n == 0 || e.Start >= kept[n-1].End && !e.Clashes(kept[n-1]) {
			kept = append(kept, e)
		}
	}
	forms, err := Apply(s.Forms, kept)
	if err != nil {
		forms = s.Forms
	}
	return New(forms, nil, nil)
}
