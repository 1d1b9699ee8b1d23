package web

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	headingPattern = regexp.MustCompile(`^(={1,6})\s*(.*?)\s*(={1,6})\s*$`)
	switchPattern  = regexp.MustCompile(`__[A-Z]{3,}__`)
)

// wikiLines reads headings, lists, bold and italics, characters and blanks. Paragraphs stay
// apart by a blank line.
func wikiLines(s string) (out, lead string) {
	var b strings.Builder
	blank := false
	for line := range strings.SplitSeq(s, "\n") {
		plain := true
		line = switchPattern.ReplaceAllString(line, "")
		if m := headingPattern.FindStringSubmatch(line); m != nil && strings.Trim(m[2], "=") != "" {
			line, plain = m[2], false
			blank = true
		} else if rest := strings.TrimLeft(line, "*#:;"); rest != line {
			line, plain = rest, false
		} else if strings.HasPrefix(line, "----") {
			line = strings.TrimLeft(line, "-")
		}
		line = strings.Join(strings.Fields(html.UnescapeString(dropQuotes(line))), " ")
		if line == "" {
			blank = true
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if blank {
				b.WriteByte('\n')
			}
		}
		b.WriteString(line)
		blank = false
		if lead == "" && plain {
			lead = line
		}
	}
	return b.String(), lead
}

// dropQuotes leaves out the runs of two, three and five apostrophes that mean italics and bold.
func dropQuotes(s string) string {
	if !strings.Contains(s, "''") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := run(s, i)
		switch {
		case n == 1 || n == 4:
			b.WriteByte('\'')
		case n > 5:
			b.WriteString(s[i : i+n-5])
		}
		i += n
	}
	return b.String()
}

// shortened are words before a full stop that ends no sentence.
var shortened = map[string]bool{"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "st": true, "rev": true,
	"gen": true, "col": true,
	"lt": true, "sgt": true, "capt": true, "hon": true, "sen": true, "rep": true, "gov": true, "no": true, "vs": true,
	"ca": true, "cf": true,
	"e.g": true, "i.e": true, "lit": true, "approx": true, "pron": true, "pop": true, "nr": true, "bzw": true, "z.b": true}

// firstSentence cuts a paragraph behind its first sentence: a full stop outside brackets, not of an
// initial or a common abbreviation, before a blank and no small letter.
func firstSentence(s string) string {
	depth := 0
	for i, r := range s {
		switch r {
		case '(', '[', '（':
			depth++
		case ')', ']', '）':
			depth = max(0, depth-1)
		case '。', '！', '？':
			if depth == 0 {
				return s[:i+utf8.RuneLen(r)]
			}
		case '.', '!', '?':
			if end := i + 1; depth == 0 && (r != '.' || !abbreviated(s[:i])) {
				for _, q := range s[end:] {
					if !strings.ContainsRune(`"'”’»)]`, q) {
						break
					}
					end += utf8.RuneLen(q)
				}
				if next := strings.TrimLeft(s[end:], " "); next == "" || next != s[end:] && !startsLower(next) {
					return s[:end]
				}
			}
		}
	}
	return s
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// abbreviated reports whether a text ends with an initial or an abbreviation.
func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " (-\u00a0")+1:]
	r, w := utf8.DecodeLastRuneInString(word)
	if prefix := word[:len(word)-w]; unicode.IsUpper(r) && (prefix == "" || strings.HasSuffix(prefix, ".")) {
		return true
	}
	return shortened[strings.ToLower(word)]
}
