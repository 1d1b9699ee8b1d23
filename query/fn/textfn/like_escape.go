package textfn

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"parlance/query/fn"
	"parlance/storage/value"
)

// patternFuncs are the functions that ESCAPE stands for.
var patternFuncs = []fn.Func{
	{Name: "like_escape", Doc: "a pattern of LIKE with another character in place of the backslash; x LIKE pattern ESCAPE c", Example: "'5 %' LIKE like_escape('% !%', '!')", Args: []value.Type{text, text}, Result: text, Long: likeEscape},
}

// escapeOf is the character of ESCAPE, -1 for none.
func escapeOf(s string) (rune, error) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case s == "":
		return -1, nil
	case n < len(s):
		return 0, errors.New("ESCAPE takes one character, or none")
	}
	return r, nil
}

func likeEscape(ctx context.Context, a []value.Value) (value.Value, error) {
	escape, err := escapeOf(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	var b strings.Builder
	escaped, t := false, fn.Steps{Ctx: ctx}
	for _, r := range a[0].S {
		if err := t.Next(); err != nil {
			return value.Value{}, err
		}
		switch {
		case escaped:
			b.WriteString(`\` + string(r))
			escaped = false
		case r == escape:
			escaped = true
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteRune(r)
		}
	}
	if escaped {
		return value.Value{}, errors.New("the pattern ends with its escape")
	}
	return fn.Bounded(b.String())
}
