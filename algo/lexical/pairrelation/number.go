package pairrelation

import (
	"slices"
	"strconv"
	"strings"
)

// ordinals are numbers as words.
var ordinals = []string{"zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
	"ninth", "tenth"}

// numbered returns a term with its numbers taken out, and the numbers.
func (t *term) numbered() (stem string, numbers []int64) {
	var b strings.Builder
	for i, w := range t.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if n := slices.Index(ordinals, w); n >= 0 {
			b.WriteString("#th")
			numbers = append(numbers, int64(n))
			continue
		}
		for w != "" {
			end := 0
			for end < len(w) && w[end] >= '0' && w[end] <= '9' {
				end++
			}
			n, err := strconv.ParseInt(w[:end], 10, 64)
			if err != nil { // no digit, or too many
				end = max(1, end)
				b.WriteString(w[:end])
				w = w[end:]
				continue
			}
			numbers = append(numbers, n)
			w = w[end:]
			if rest, ok := cutOrdinal(w); ok {
				b.WriteString("#th")
				w = rest
				continue
			}
			b.WriteByte('#')
		}
	}
	return b.String(), numbers
}

// cutOrdinal takes off what stands behind the digits of an ordinal.
func cutOrdinal(w string) (string, bool) {
	for _, e := range []string{"st", "nd", "rd", "th"} {
		if w == e {
			return "", true
		}
	}
	return w, false
}

// sequence compares two terms that differ in a number alone: below 0 where the first comes first.
func sequence(a, b *term) (order int, ok bool) {
	x, m := a.numbered()
	y, n := b.numbered()
	if len(m) == 0 || x != y || x == "#" || len(m) != len(n) {
		return 0, false
	}
	order = slices.Compare(m, n)
	return order, order != 0
}
