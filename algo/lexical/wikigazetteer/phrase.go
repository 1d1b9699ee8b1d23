package wikigazetteer

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

// stopWords are capitalised words that begin no name, as the paper has a list of.
var stopWords = []string{"A", "An", "And", "As", "At", "But", "By", "For", "From", "He", "Her", "His", "How", "I", "If",
	"In", "It", "Its", "My",
	"No", "Not", "Of", "On", "Or", "Our", "She", "So", "That", "Their", "Then", "There", "These", "They", "This", "Those",
	"To", "We", "What",
	"When", "Where", "Which", "Who", "Why", "With", "You", "Your"}

// source tells what a phrase is.
type source uint8

// The sources.
const (
	ofTitle source = iota
	ofRedirect
	ofSurname
	ofGivenName
)

func (s source) String() string { return [...]string{"title", "redirect", "surname", "given_name"}[s] }

// part tells of a phrase that is but a word of names, whose label is its source.
func (s source) part() bool { return s == ofSurname || s == ofGivenName }

// statistic is a count of the making.
type statistic struct {
	name  string
	count int
}

// phrases makes the phrases of all pages: titles in the order of the pages, then parts of names. A phrase comes once,
// the first one counts. It returns counts of what happened too.
func (m *model) phrases(ctx context.Context, r *reader) ([]entry, []statistic, error) {
	byTitle := make(map[string]int, len(m.pages))
	for i := range m.pages {
		if k := key(m.pages[i].title, m.opt.titled); k != "" {
			if _, known := byTitle[k]; !known {
				byTitle[k] = i
			}
		}
	}
	b := &builder{m: m, known: make(map[string]bool, len(m.pages)), stop: map[string]bool{}, letters: r.letters}
	for _, w := range m.opt.stopWords {
		b.stop[w] = true
	}
	for i := range m.pages {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		p, target, from := &m.pages[i], i, ofTitle
		if p.redirect != "" {
			from = ofRedirect
			if target = m.follow(i, byTitle); target < 0 {
				b.lost[-target-1]++
				continue
			}
			b.resolved++
		}
		b.title(p.title, target, from)
	}
	if m.opt.nameParts {
		b.nameParts()
	}
	return b.entries, b.statistics(r), ctx.Err()
}

// builder gathers phrases.
type builder struct {
	m        *model
	entries  []entry
	known    map[string]bool
	stop     map[string]bool
	letters  *letters
	lost     [3]int // redirects that lead to no page: dangling, circular, too far
	resolved int
	left     [5]int // titles left out, by reason
}

// Why titles are left out.
const (
	tooLong = iota
	noCapital
	stopWord
	commonWord
	twice
)

// title adds a title, if names can be written so.
func (b *builder) title(title string, at int, from source) {
	if why := b.excluded(title); why >= 0 {
		b.left[why]++
		return
	}
	b.add(entry{title, uint32(at), from})
	// The first letter may be a small one in text, as in iPod, if the word has another capital.
	if first, n := utf8.DecodeRuneInString(title); b.m.opt.titled && unicode.IsUpper(first) {
		word, _, _ := strings.Cut(title[n:], " ")
		if small := string(unicode.ToLower(first)) + title[n:]; strings.ContainsFunc(word, unicode.IsUpper) &&
			!b.known[small] {
			b.add(entry{small, uint32(at), from})
		}
	}
}

// excluded tells why a title is no phrase, -1 if it is one.
func (b *builder) excluded(title string) int {
	first, rest, _ := strings.Cut(title, " ")
	switch {
	case strings.Count(title, " ") >= b.m.opt.maxWords:
		return tooLong
	case b.m.opt.capitalized && !strings.ContainsFunc(first, unicode.IsUpper):
		return noCapital
	case b.stop[first]:
		return stopWord
	case rest == "" && b.letters.common(title):
		return commonWord
	case b.known[title]:
		return twice
	}
	return -1
}

func (b *builder) add(e entry) {
	b.known[e.phrase] = true
	b.entries = append(b.entries, e)
}

// namePart is how often a word is the first or the last one of names of people, and the first page of these.
type namePart struct {
	count [2]int
	page  uint32
}

// nameParts adds the first and the last words of titles whose label is one of people; as what a word is more often
// counts, a surname if both are equal.
func (b *builder) nameParts() {
	parts := map[string]*namePart{}
	var order []string
	note := func(word string, last int, page uint32) {
		if utf8.RuneCountInString(word) < 2 || b.known[word] || b.excluded(word) >= 0 ||
			strings.ContainsFunc(word, noLetter) {
			return
		}
		p := parts[word]
		if p == nil {
			p = &namePart{page: page}
			parts[word], order = p, append(order, word)
		}
		p.count[last]++
	}
	for i := range b.m.pages {
		p := &b.m.pages[i]
		if p.label == "" || !holds(b.m.opt.persons, p.label) && !holds(b.m.opt.persons, p.coarse) {
			continue
		}
		name, _, _ := strings.Cut(p.title, " (")
		name, _, _ = strings.Cut(name, ",")
		if words := strings.Fields(name); len(words) >= 2 && len(words) <= 4 {
			note(words[0], 0, uint32(i))
			note(words[len(words)-1], 1, uint32(i))
		}
	}
	for _, word := range order {
		p, from := parts[word], ofSurname
		if p.count[0] > p.count[1] {
			from = ofGivenName
		}
		b.add(entry{word, p.page, from})
	}
}

// noLetter tells of what names of people do not have.
func noLetter(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' }

// statistics lists the counts of the making.
func (b *builder) statistics(r *reader) []statistic {
	var by [outcomes]int
	distinct, sentences := map[string]bool{}, 0
	for i := range b.m.pages {
		p := &b.m.pages[i]
		by[p.outcome]++
		if p.sentence != "" {
			sentences++
		}
		if p.label != "" {
			distinct[p.label] = true
		}
	}
	from := [4]int{}
	for _, e := range b.entries {
		from[e.source]++
	}
	return []statistic{
		{"pages", len(b.m.pages)}, {"pages without a title", r.untitled},
		{"redirects", by[isRedirect]}, {"redirects followed", b.resolved}, {"redirects to no page", b.lost[0]},
		{"redirects in circles", b.lost[1]}, {"redirects too long", b.lost[2]},
		{"defining sentences", sentences}, {"no form of be", by[noBe]}, {"no noun phrase", by[noPhrase]},
		{"no noun", by[noNoun]},
		{"labels", by[firstPhrase] + by[secondPhrase]}, {"labels of second noun phrases", by[secondPhrase]},
		{"labels too rare", by[rareLabel]},
		{"distinct labels", len(distinct)},
		{"titles too long", b.left[tooLong]}, {"titles without a capital", b.left[noCapital]},
		{"titles with a stop word", b.left[stopWord]},
		{"titles that are common words", b.left[commonWord]}, {"titles that came before", b.left[twice]},
		{"phrases", len(b.entries)}, {"phrases of titles", from[ofTitle]}, {"phrases of redirects", from[ofRedirect]},
		{"surnames", from[ofSurname]}, {"given names", from[ofGivenName]},
	}
}
