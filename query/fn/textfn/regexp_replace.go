package textfn

import (
	"context"
	"fmt"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// replacement says which matches are replaced, and by what.
type replacement struct {
	p     *Pattern
	with  string // for regexp.Regexp.Expand
	from  int    // the byte at which the search begins, negative behind the end
	which int64  // the match, 0 for every one
}

// replacementOf reads what follows the third argument: nothing, flags, or a start, a number and flags.
func replacementOf(a []value.Value) (r replacement, err error) {
	r.with = expandable(a[2].S, len(a) == 3)
	flags := 5
	switch {
	case len(a) == 4 && a[3].T == value.Text:
		flags = 3
	case len(a) > 3:
		if a[3], err = value.Cast(a[3], integer); err != nil {
			return r, err
		}
		if r.from, err = startByte(a, 3); err != nil {
			return r, err
		}
	}
	var global bool
	if r.p, global, err = flagged(a, flags); err != nil {
		return r, err
	}
	if len(a) > 3 && !global {
		r.which = 1
	}
	if len(a) > 4 {
		r.which, err = counted(a, 4, "n", 0, 1)
	}
	return r, err
}

// expandable turns \1 and \& into ${1} and ${0}; a dollar stands for itself unless it names groups, too.
func expandable(s string, dollars bool) string {
	if !strings.ContainsAny(s, `\$`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case s[i] == '$' && !dollars:
			b.WriteString("$$")
		case s[i] != '\\':
			b.WriteByte(s[i])
		case next >= '1' && next <= '9':
			fmt.Fprintf(&b, "${%c}", next)
			i++
		case next == '&':
			b.WriteString("${0}")
			i++
		case next == '\\':
			b.WriteByte('\\')
			i++
		default:
			b.WriteByte('\\')
		}
	}
	return b.String()
}

func regexpReplace(ctx context.Context, a []value.Value) (value.Value, error) {
	r, err := replacementOf(a)
	if err != nil || r.from < 0 {
		return a[0], err
	}
	s := a[0].S
	var out []byte
	from, k, limit := 0, int64(0), -1
	if r.which > 0 {
		limit = int(min(r.which, int64(len(s))+2))
	}
	groups := strings.Count(r.with, "$") // each is at most as long as its match
	err = r.p.each(ctx, s, r.from, limit, func(m []int) error {
		if k++; k < r.which {
			return nil
		}
		if len(out)+m[0]-from+len(r.with)+groups*(m[1]-m[0]) > fn.MaxTextBytes {
			return fn.ErrTooLong
		}
		out = r.p.ExpandString(append(out, s[from:m[0]]...), r.with, s, m)
		from = m[1]
		return nil
	})
	if err != nil || from == 0 && out == nil {
		return a[0], err
	}
	return fn.Bounded(string(append(out, s[from:]...)))
}
