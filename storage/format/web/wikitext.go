package web

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wikitext reduces the markup of wikis to text: links become what they show, headings and lists
// their words; templates, tables, files, notes and formulas are left out. Markup without an
// end stays as it is. The work is linear in the size of the page.
type wikitext struct {
	categoryNames []string // namespaces in lower case
	fileNames     []string
	categories    []string // found, in order
	endOfLink     int      // the first ] or line feed behind the last [ that was looked at
}

// reduce returns the text and its first line that is neither heading nor list.
func (w *wikitext) reduce(s string) (out, lead string) {
	s = dropElements(s)
	s = dropTemplates(s)
	s = w.links(s)
	return wikiLines(s)
}

// droppedElements are left out with what they hold.
var droppedElements = map[string]bool{"ref": true, "references": true, "gallery": true, "timeline": true,
	"imagemap": true, "score": true,
	"math": true, "chem": true, "ce": true, "syntaxhighlight": true, "source": true, "templatestyles": true,
	"templatedata": true,
	"graph":        true, "mapframe": true, "maplink": true, "hiero": true, "style": true, "script": true}

// brokenElements begin and end lines.
var brokenElements = map[string]bool{"br": true, "p": true, "div": true, "li": true, "tr": true, "blockquote": true,
	"center": true, "hr": true}

var elementPattern = regexp.MustCompile(`^</?([A-Za-z][A-Za-z0-9]*)(\s[^<>]*|/)?>`)

// dropElements leaves out comments, tags, and elements that hold no text. What stands in
// <nowiki> is written with references to characters, so that nothing later takes it as markup.
func dropElements(s string) string {
	var b strings.Builder
	lower := asciiLower(s)
	endless := map[string]bool{} // ends that do not come any more
	find := func(from int, end string) int {
		if endless[end] {
			return -1
		}
		k := strings.Index(lower[from:], end)
		if k < 0 {
			endless[end] = true
			return -1
		}
		return from + k
	}
	at := 0
	for at < len(s) {
		k := strings.IndexByte(s[at:], '<')
		if k < 0 {
			break
		}
		b.WriteString(s[at : at+k])
		at += k
		if strings.HasPrefix(s[at:], "<!--") {
			if end := find(at+4, "-->"); end >= 0 {
				at = end + 3
				continue
			}
		}
		tag, name, empty := elementAt(s, at)
		if tag == "" {
			b.WriteByte('<')
			at++
			continue
		}
		begin := at + len(tag)
		at = begin
		end := -1
		if !empty && (droppedElements[name] || name == "nowiki" || name == "pre") {
			end = find(begin, "</"+name)
		}
		if end >= 0 {
			if !droppedElements[name] {
				protect(&b, s[begin:end])
			}
			if close, _, _ := elementAt(s, end); close != "" {
				end += len(close)
			}
			at = end
		}
		if brokenElements[name] {
			b.WriteByte('\n')
		}
	}
	b.WriteString(s[at:])
	return b.String()
}

// elementAt is the tag at a byte of the text; empty is one that holds nothing.
func elementAt(s string, at int) (tag, name string, empty bool) {
	m := elementPattern.FindStringSubmatch(s[at:min(len(s), at+4096)])
	if m == nil {
		return "", "", false
	}
	return m[0], asciiLower(m[1]), strings.HasSuffix(m[0], "/>") || m[0][1] == '/'
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func protect(b *strings.Builder, s string) {
	for i := range len(s) {
		if c := s[i]; strings.IndexByte("[]{}|'=*#:;<>&_-", c) >= 0 {
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		} else {
			b.WriteByte(c)
		}
	}
}

// dropTemplates leaves out {{templates}}, {{{parameters}}} and {| tables |}.
func dropTemplates(s string) string {
	ends := templateEnds(s)
	if len(ends) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, from := range sortedKeys(ends) {
		if from < at {
			continue // within one that is left out
		}
		b.WriteString(s[at:from])
		at = ends[from]
	}
	b.WriteString(s[at:])
	return b.String()
}

func sortedKeys(m map[int]int) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// markupBracket is a template or table that has begun.
type markupBracket struct {
	at   int
	size int // braces, 0 for a table
}

// brackets finds where templates and tables end that do end.
type brackets struct {
	s              string
	open           []markupBracket
	braces, tables int // of open
	ends           map[int]int
}

func templateEnds(s string) map[int]int {
	b := brackets{s: s, ends: map[int]int{}}
	first := true // nothing but blanks and colons before it in the line
	for i := 0; i < len(s); {
		n := b.step(i, first)
		first = n == 0 && (s[i] == '\n' || first && strings.IndexByte(" :\t", s[i]) >= 0)
		i += max(1, n)
	}
	return b.ends
}

// step reads brackets and returns their length.
func (b *brackets) step(i int, first bool) int {
	rest := b.s[i:]
	switch {
	case first && strings.HasPrefix(rest, "{|") && !strings.HasPrefix(rest, "{|}}"):
		b.open = append(b.open, markupBracket{at: i})
		b.tables++
		return 2
	case rest[0] == '{':
		n := run(b.s, i)
		if n > 1 {
			b.open = append(b.open, markupBracket{i, n})
			b.braces++
		}
		return n
	case rest[0] == '}':
		n := run(b.s, i)
		b.close(i, n)
		return n
	case first && b.tables > 0 && strings.HasPrefix(rest, "|}"):
		if b.top().size > 0 && strings.HasPrefix(rest, "|}}") {
			return 1 // an empty parameter at the end of a template
		}
		for b.top().size > 0 {
			b.pop() // a template that does not end within its table
		}
		b.ends[b.pop().at] = i + 2
		return 2
	}
	return 0
}

func (b *brackets) top() *markupBracket { return &b.open[len(b.open)-1] }

func (b *brackets) pop() markupBracket {
	last := *b.top()
	b.open = b.open[:len(b.open)-1]
	if last.size == 0 {
		b.tables--
	} else {
		b.braces--
	}
	return last
}

// close ends templates at n closing braces.
func (b *brackets) close(at, n int) {
	for used := 0; n-used > 1 && b.braces > 0; {
		for b.top().size == 0 {
			b.pop() // a table that does not end within its template
		}
		if left := n - used; b.top().size > left {
			b.top().size = max(2, b.top().size-left)
			return
		}
		used += b.top().size
		b.ends[b.pop().at] = at + used
	}
}

// run counts equal bytes.
func run(s string, at int) int {
	n := 1
	for at+n < len(s) && s[at+n] == s[at] {
		n++
	}
	return n
}

const maxLinks = 50 // links within links

// links replaces [[links]] and [http://… links] by what they show.
func (w *wikitext) links(s string) string {
	ends := map[int]int{}
	var stack []int
	for i := 0; i+1 < len(s); {
		switch {
		case s[i] == '[' && s[i+1] == '[':
			if len(stack) < maxLinks {
				stack = append(stack, i)
			}
			i += 2
		case s[i] == ']' && s[i+1] == ']' && len(stack) > 0:
			ends[stack[len(stack)-1]] = i
			stack = stack[:len(stack)-1]
			i += 2
		case s[i] == '\n' && len(stack) > 0 && i+1 < len(s) && s[i+1] == '\n':
			stack = stack[:0] // no link goes on in the next paragraph
			i++
		default:
			i++
		}
	}
	w.endOfLink = -1
	var b strings.Builder
	w.shown(&b, s, 0, len(s), ends)
	return b.String()
}

// shown writes s[from:to] with its links replaced.
func (w *wikitext) shown(b *strings.Builder, s string, from, to int, ends map[int]int) {
	for from < to {
		k := strings.IndexByte(s[from:to], '[')
		if k < 0 {
			break
		}
		b.WriteString(s[from : from+k])
		from += k
		if end, ok := ends[from]; ok && end <= to {
			if w.link(b, s, from+2, end, ends) {
				from = end + 2
				continue
			}
		} else if shown, n := w.outerLink(s, from, to); n > 0 {
			b.WriteString(shown)
			from += n
			continue
		}
		b.WriteByte('[')
		from++
	}
	b.WriteString(s[from:to])
}

var languagePrefix = regexp.MustCompile(`^[a-z]{2,3}(-[a-z]+)*$|^(simple|zh-[a-z-]+)$`)

// link writes what a link shows; false if it is none.
func (w *wikitext) link(b *strings.Builder, s string, from, to int, ends map[int]int) bool {
	k := strings.IndexAny(s[from:to], "|[\n")
	piped := k >= 0 && s[from+k] == '|'
	if k >= 0 && !piped {
		return false
	}
	target := s[from:to]
	if piped {
		target = s[from : from+k]
	}
	target = strings.TrimSpace(target)
	space, rest, named := strings.Cut(target, ":")
	space = strings.ToLower(strings.TrimSpace(space))
	switch {
	case named && slices.Contains(w.fileNames, space):
		return true
	case named && slices.Contains(w.categoryNames, space):
		w.category(rest)
		return true
	case named && !piped && languagePrefix.MatchString(space):
		return true // the page in another language
	case !piped:
		b.WriteString(strings.TrimPrefix(target, ":"))
	case from+k+1 == to: // the target without namespace and brackets
		if named && space != "" || strings.HasPrefix(target, ":") {
			target = target[strings.LastIndexByte(target, ':')+1:]
		}
		if i := strings.LastIndex(target, " ("); i > 0 && strings.HasSuffix(target, ")") {
			target = target[:i]
		}
		b.WriteString(target)
	default:
		w.shown(b, s, from+k+1, to, ends)
	}
	return true
}

func (w *wikitext) category(name string) {
	name = strings.Join(strings.Fields(strings.ReplaceAll(html.UnescapeString(name), "_", " ")), " ")
	if name != "" && !slices.Contains(w.categories, name) {
		w.categories = append(w.categories, name)
	}
}

var outerSchemes = []string{"http://", "https://", "ftp://", "//", "mailto:"}

// outerLink is what a link to another site at a byte of the text shows, and its length.
func (w *wikitext) outerLink(s string, from, to int) (shown string, n int) {
	inside := s[from+1 : to]
	if !slices.ContainsFunc(outerSchemes, func(p string) bool { return strings.HasPrefix(inside, p) }) {
		return "", 0
	}
	if w.endOfLink <= from { // else the end that was found before is still the next
		if k := strings.IndexAny(s[from:], "]\n"); k < 0 {
			w.endOfLink = len(s)
		} else {
			w.endOfLink = from + k
		}
	}
	end := w.endOfLink
	if end >= to || s[end] != ']' {
		return "", 0
	}
	target := s[from+1 : end]
	if k := strings.IndexAny(target, " \t"); k >= 0 {
		target, shown = target[:k], strings.TrimSpace(target[k:])
	}
	if strings.Contains(target, "[") {
		return "", 0
	}
	return shown, end + 1 - from
}
