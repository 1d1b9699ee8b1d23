package wikigazetteer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

var redirectPattern = regexp.MustCompile(`(?i)^\s*#redirect\b:?\s*(?:\[\[)?([^\]\|\n]*)`)

// redirectOf is the title that a page leads to, "" for a page of its own: its metadata redirect, or what its text says.
// A section of the other page is left out.
func redirectOf(d *text.Document) string {
	to := d.Field(redirectField).S
	if to == "" {
		if m := redirectPattern.FindStringSubmatch(d.Text); m != nil {
			to = m[1]
		}
	}
	to, _, _ = strings.Cut(to, "#")
	return normal(to)
}

// key is a title as look-ups take it: with titled, the case of the first letter is the same.
func key(title string, titled bool) string {
	r, n := utf8.DecodeRuneInString(title)
	if !titled || n == 0 || !unicode.IsLower(r) {
		return title
	}
	return string(unicode.ToUpper(r)) + title[n:]
}

// Where redirects lead.
const (
	dangling = -1 // to a title that no page has
	circular = -2 // round in a circle
	tooFar   = -3 // over more pages than hops
)

// follow is the page that a redirect leads to at last, or why it leads to none.
func (m *model) follow(at int, byTitle map[string]int) int {
	var seen []int
	for m.pages[at].redirect != "" {
		seen = append(seen, at)
		to, ok := byTitle[key(m.pages[at].redirect, m.opt.titled)]
		switch {
		case !ok:
			return dangling
		case slices.Contains(seen, to):
			return circular
		case len(seen) > m.opt.hops:
			return tooFar
		}
		at = to
	}
	return at
}
