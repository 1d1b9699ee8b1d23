package draw

import (
	"fmt"
	"strings"
)

// Link joins a word of the upper sentence with one of the lower, positions from 0. A possible one is dashed.
type Link struct {
	From, To int
	Possible bool
}

// linkGap is between the words of two sentences.
const linkGap = 48

// Links draws two sentences, one above the other, with lines between words that are linked. Links of words that are
// not there are left out.
func Links(upper, lower []Word, list []Link) Figure {
	a, wide := centres(upper)
	b, wideLower := centres(lower)
	wide = max(wide, wideLower)
	shift := func(at []float64, words []Word) {
		_, w := centres(words)
		for i := range at {
			if at[i] += (wide - w) / 2; rightToLeft(words) {
				at[i] = wide - at[i]
			}
		}
	}
	shift(a, upper)
	shift(b, lower)
	var out strings.Builder
	const top, bottom = 16 + 5, 16 + linkGap - 13
	for _, l := range list {
		if min(l.From, l.To) < 0 || l.From >= len(a) || l.To >= len(b) {
			continue
		}
		dash := ""
		if l.Possible {
			dash = ` stroke-dasharray="3 3"`
		}
		fmt.Fprintf(&out, `<path class="a"%s d="M%s %sL%s %s"/>`, dash, num(a[l.From]), num(top), num(b[l.To]), num(bottom))
	}
	for i, w := range upper {
		word(&out, rightToLeft(upper), a[i], 16, w.Form)
	}
	for i, w := range lower {
		word(&out, rightToLeft(lower), b[i], 16+linkGap, w.Form)
	}
	return Figure{max(wide, 1), 16 + linkGap + 8, out.String()}
}

// centres sets words side by side and returns the centre of each, in the order of reading, and the width of all.
func centres(words []Word) (at []float64, wide float64) {
	for i, w := range words {
		if i > 0 {
			wide += wordGap
		}
		half := max(Width(w.Form, wordSize), 8) / 2
		at = append(at, wide+half)
		wide += 2 * half
	}
	return at, wide
}
