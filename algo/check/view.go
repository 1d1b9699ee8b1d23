package check

import (
	"fmt"
	"unicode/utf8"

	"parlance/algo/text"
)

// view is a document with its tokens at hand.
type view struct {
	*text.Document
	split      string
	n          int     // tokens
	sent, tok  []int32 // nil or of length n, like those below
	start, end []int32
	forms      []string
	bounds     []int32 // rows of sentence s are bounds[s-1] to bounds[s]; nil if tokens are not numbered in order
	wrong      int     // the first token that is not, -1 if none
}

func newView(d *text.Document, split string) *view {
	v := &view{Document: d, split: split, wrong: -1}
	l := d.Layer("tokens")
	if l == nil || l.N == 0 {
		return v
	}
	v.n = l.N
	v.sent, v.tok = ints(l, "sent"), ints(l, "tok")
	v.start, v.end = ints(l, "char_start"), ints(l, "char_end")
	if v.forms = l.Strs("form"); len(v.forms) != l.N {
		v.forms = nil
	}
	v.number()
	return v
}

// ints returns an integer column of full length, nil if it has no values.
func ints(l *text.Layer, name string) []int32 {
	if v := l.Ints(name); len(v) == l.N {
		return v
	}
	return nil
}

// strs returns a text column of full length, nil if it has no values.
func strs(l *text.Layer, name string) []string {
	if v := l.Strs(name); len(v) == l.N {
		return v
	}
	return nil
}

// number finds where sentences begin, or the first token out of order.
func (v *view) number() {
	if v.sent == nil || v.tok == nil {
		v.wrong = 0
		return
	}
	last := int32(v.n) // sentences without tokens may lie between
	if l := v.Layer("sentences"); l != nil {
		last = max(last, int32(l.N))
	}
	bounds, s, t := []int32{0}, int32(1), int32(0)
	for i := range v.n {
		if v.sent[i] < s || v.sent[i] > last {
			v.wrong = i
			return
		}
		for ; s < v.sent[i]; s++ {
			bounds, t = append(bounds, int32(i)), 0
		}
		if t++; v.tok[i] != t {
			v.wrong = i
			return
		}
	}
	v.bounds = append(bounds, int32(v.n))
}

// sentence returns the rows of the tokens of sentence s; ok is false if there is none.
func (v *view) sentence(s int32) (from, to int, ok bool) {
	if s < 1 || int(s) >= len(v.bounds) {
		return 0, 0, false
	}
	return int(v.bounds[s-1]), int(v.bounds[s]), true
}

// char is a byte offset as a place in code points.
func (v *view) char(at int) string {
	return fmt.Sprintf("char %d", utf8.RuneCountInString(v.Text[:min(max(at, 0), len(v.Text))]))
}

// token is the place of a row of the tokens.
func (v *view) token(i int) string {
	if v.sent == nil || v.tok == nil {
		return fmt.Sprintf("tokens row %d", i+1)
	}
	return fmt.Sprintf("tokens sent %d, tok %d", v.sent[i], v.tok[i])
}

// covered is the text between two offsets, "" if they lie outside.
func (v *view) covered(from, to int32) string {
	if from < 0 || from > to || int(to) > len(v.Text) {
		return ""
	}
	return v.Text[from:to]
}
