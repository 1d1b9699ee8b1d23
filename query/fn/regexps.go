package fn

import (
	"context"
	"fmt"
	"strings"

	"parlance/storage/value"
)

var regexpFuncs = []Func{
	{Name: "regexp_matches", Doc: "whether the regular expression (RE2) matches", Example: "regexp_matches('2026-11-21', '^[0-9]{4}-')", Args: []value.Type{text, text}, Result: boolean, Long: regexpMatches},
	{Name: "regexp_extract", Doc: "the first match of the regular expression, or its group n", Example: `regexp_extract('Number=Sing', '(\w+)=(\w+)', 2)`, Args: []value.Type{text, text, integer}, Optional: 1, Result: text, Long: regexpExtract},
	{Name: "regexp_replace", Doc: "every match replaced; $1 is a group", Example: `regexp_replace('Lee, Ann', '(\w+), (\w+)', '$2 $1')`, Args: []value.Type{text, text, text}, Result: text, Long: regexpReplace},
	{Name: "regexp_count", Doc: "number of matches of the regular expression that do not overlap", Example: "regexp_count('banana', 'an')", Args: []value.Type{text, text}, Result: integer,
		Long: onMatches(func(_ context.Context, _ string, found [][]int) (value.Value, error) {
			return value.Int(int64(len(found))), nil
		})},
	{Name: "regexp_extract_all", Doc: "all matches of the regular expression as a JSON array", Example: "regexp_extract_all('B-PER I-PER', '[BI]-')", Args: []value.Type{text, text}, Result: value.JSON,
		Long: onMatches(func(ctx context.Context, s string, found [][]int) (value.Value, error) {
			parts := make([]string, len(found))
			for i, m := range found {
				parts[i] = s[m[0]:m[1]]
			}
			return jsonList(ctx, parts)
		})},
	{Name: "regexp_split", Doc: "what stands between the matches of the regular expression, as a JSON array", Example: `regexp_split('Case=Nom|Number=Sing', '\|')`, Args: []value.Type{text, text}, Result: value.JSON,
		Long: regexpSplit},
	{Name: "regexp_split_to_array", Doc: "the same as regexp_split", Example: `regexp_split_to_array('a  b', '\s+')`, Args: []value.Type{text, text}, Result: value.JSON, Long: regexpSplit},
}

var regexpSplit = onMatches(func(ctx context.Context, s string, found [][]int) (value.Value, error) {
	return jsonList(ctx, apart(s, found))
})

// onMatches calls f with a text and all matches in it.
func onMatches(f func(ctx context.Context, s string, found [][]int) (value.Value, error)) func(context.Context, []value.Value) (value.Value, error) {
	return func(ctx context.Context, a []value.Value) (value.Value, error) {
		p, err := Regexp(a[1].S)
		if err != nil {
			return value.Value{}, err
		}
		found, err := p.Find(ctx, a[0].S, -1)
		if err != nil {
			return value.Value{}, err
		}
		return f(ctx, a[0].S, found)
	}
}

// apart returns the parts of a text between matches; empty matches at both ends part nothing.
func apart(s string, found [][]int) []string {
	parts := []string{}
	from := 0
	for _, m := range found {
		if m[1] == 0 || m[0] == len(s) && m[1] == len(s) {
			continue
		}
		parts = append(parts, s[from:m[0]])
		from = m[1]
	}
	return append(parts, s[from:])
}

func regexpMatches(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := Regexp(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	found, err := p.Matches(ctx, a[0].S)
	return value.Bool(found), err
}

func regexpExtract(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := Regexp(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	group := 0
	if len(a) == 3 {
		group = int(a[2].Int())
	}
	if group < 0 || group > p.NumSubexp() {
		return value.Value{}, fmt.Errorf("the regular expression has no group %d", group)
	}
	found, err := p.Find(ctx, a[0].S, 1)
	if err != nil || len(found) == 0 || found[0][2*group] < 0 {
		return value.Value{}, err
	}
	m := found[0]
	return value.Str(a[0].S[m[2*group]:m[2*group+1]]), nil
}

// SubstringMatch is substring where its second argument is a text.
var SubstringMatch = &Func{Name: "substring", Args: []value.Type{text, text}, Result: text, Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := Regexp(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	return regexpExtract(ctx, append(a[:2:2], value.Int(int64(min(1, p.NumSubexp())))))
}}

func regexpReplace(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := Regexp(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	s := a[0].S
	var out []byte
	from := 0
	groups := strings.Count(a[2].S, "$") // each is at most as long as its match
	err = p.each(ctx, s, -1, func(m []int) error {
		if len(out)+m[0]-from+len(a[2].S)+groups*(m[1]-m[0]) > maxText {
			return ErrTooLong
		}
		out = p.ExpandString(append(out, s[from:m[0]]...), a[2].S, s, m)
		from = m[1]
		return nil
	})
	if err != nil || from == 0 && out == nil {
		return a[0], err
	}
	return bounded(string(append(out, s[from:]...)))
}
