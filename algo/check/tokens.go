package check

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

func sentPlace(s int32) string { return fmt.Sprintf("sent %d", s) }

// tokens looks at the tokens and the text that they cover.
type tokens struct {
	c     *Checker
	forms counted
	seen  int
}

// counted is what is counted over the corpus and named once.
type counted struct {
	n, documents   int
	last           int // ordinal+1 of the last document counted
	document       string
	place, example string
}

// add counts one more; the first is kept as the example.
func (x *counted) add(c *Checker, d *view, place func() string, example func() string) {
	if x.n == 0 {
		x.document, x.place, x.example = d.ID, place(), example()
	}
	if x.last != c.ordinal+1 {
		x.last = c.ordinal + 1
		x.documents++
	}
	x.n++
}

// report makes one finding of what was counted.
func (x *counted) report(c *Checker, rule string, order int, msg string) {
	if x.n == 0 {
		return
	}
	c.note(rule, order, func() Finding {
		return Finding{Document: x.document, Place: x.place,
			Message: msg + ", in " + count(x.documents, "document", "documents") + "; first here: " + x.example}
	})
}

func newTokens(c *Checker, _ int) detector { return &tokens{c: c} }

func (t *tokens) finish() bool {
	t.forms.report(t.c, "token-form", 0, fmt.Sprintf("%d of %d forms differ from the text", t.forms.n, t.seen))
	return false
}

func (t *tokens) add(d *view) {
	if d.n == 0 || !t.c.reads("tokens") {
		return
	}
	if d.wrong >= 0 {
		t.c.report("token-number", d, d.token(d.wrong),
			"tokens are numbered 1, 2, … within sentences in order; this one is not")
	}
	if d.start == nil || d.end == nil || !t.offsets(d) {
		return
	}
	t.order(d)
	t.spaces(d)
}

// offsets checks that tokens lie in the text between characters.
func (t *tokens) offsets(d *view) bool {
	ok := true
	for i := range d.n {
		a, z := int(d.start[i]), int(d.end[i])
		msg := ""
		switch {
		case a < 0 || z > len(d.Text) || a > z:
			msg, ok = text.Countf("the token lies outside the text of %d {byte|bytes}", len(d.Text)), false
		case a == z:
			msg = "the token is empty"
		case !utf8.RuneStart(d.Text[a]) || z < len(d.Text) && !utf8.RuneStart(d.Text[z]):
			msg = "the token begins or ends inside a character"
		default:
			continue
		}
		t.c.report("token-offsets", d, d.token(i), "%s", msg)
	}
	return ok
}

// order looks for overlaps, and for text between tokens.
func (t *tokens) order(d *view) {
	gaps, first, last := 0, 0, 0
	for i := range d.n + 1 {
		a, z := len(d.Text), len(d.Text)
		if i < d.n {
			a, z = int(d.start[i]), int(d.end[i])
		}
		if i > 0 && a < last {
			if i < d.n && (d.start[i] != d.start[i-1] || d.end[i] != d.end[i-1]) {
				t.c.report("token-overlap", d, d.token(i),
					"the token %s begins before the one above ends; only words that share all of their text may", excerpt(d.Text[a:z]))
			}
		} else if blank := strings.TrimSpace(d.Text[last:a]); blank != "" {
			if gaps++; gaps == 1 {
				first = last + strings.Index(d.Text[last:a], blank)
			}
		}
		last = max(last, z)
	}
	if gaps == 0 {
		return
	}
	t.c.note("token-gap", t.c.ordinal, func() Finding {
		rest := d.Text[first:]
		if k := strings.IndexFunc(rest, unicode.IsSpace); k > 0 {
			rest = rest[:k]
		}
		return Finding{Document: d.ID, Place: d.char(first), Message: count(gaps, "stretch", "stretches") +
			" of text without tokens, first at " + excerpt(rest) + "; tokenise again, or extend the tokens"}
	})
}

// spaces compares forms with the text.
func (t *tokens) spaces(d *view) {
	if d.forms == nil {
		return
	}
	edges := 0
	at := 0
	for i, form := range d.forms {
		t.seen++
		if form != d.Text[d.start[i]:d.end[i]] {
			t.forms.add(t.c, d, func() string { return d.token(i) }, func() string {
				return excerpt(form) + " for " + excerpt(d.Text[d.start[i]:d.end[i]])
			})
		}
		if strings.TrimSpace(form) != form {
			if edges++; edges == 1 {
				at = i
			}
		}
	}
	if edges > 0 {
		t.c.report("token-space", d, d.token(at), "%s with white space at an edge, first %s; tokens end before it",
			count(edges, "form", "forms"), excerpt(d.forms[at]))
	}
}
