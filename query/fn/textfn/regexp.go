package textfn

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

const regexpFlags = "flags: i and c without and with regard to case, m or n for ^ and $ at each line, s for a dot " +
	"that is a line break too, q for a text as it stands"

var regexpFuncs = []fn.Func{
	{Name: RegexpMatches, Doc: "whether the regular expression (RE2, 100,000 bytes at most) matches; in FROM, and " +
		"with flags in a select list, a row for the first match, with the flag g for each: an array of its groups, " +
		"or of the match", Example: "regexp_matches('2026-11-21', '^[0-9]{4}-')", Args: []value.Type{text, text},
		Result: boolean, Long: regexpLike},
	{Name: "regexp_like", Doc: "whether the regular expression matches; " + regexpFlags,
		Example: "regexp_like('Hello World', 'world$', 'i')", Args: []value.Type{text, text, text}, Optional: 1,
		Result: boolean, Long: regexpLike},
	{Name: "regexp_match", Doc: "groups of the first match of the regular expression as an array, or the match if " +
		"there are none; NULL without a match; flags as in regexp_like",
		Example: "regexp_match('foobarbequebaz', '(bar)(beque)')", Args: []value.Type{text, text, text}, Optional: 1,
		Result: value.JSON, Long: regexpMatch},
	{Name: "regexp_substr", Doc: "match n (1) of the regular expression in what begins at a code point (1), or one " +
		"of its groups (0 is the match); the arguments are text, pattern, start, n, flags, group",
		Example: "regexp_substr('ABCDEF', 'c(.)(..)', 1, 1, 'i', 2)",
		Args:    []value.Type{text, text, integer, integer, text, integer}, Optional: 4, Result: text,
		Long: regexpSubstr},
	{Name: "regexp_instr", Doc: "first code point of match n (1), from 1 on, or with 1 as the fifth argument the " +
		"one behind it; 0 without a match; the arguments are text, pattern, start, n, end, flags, group",
		Example: "regexp_instr('ABCDEF', 'c(.)(..)', 1, 1, 0, 'i', 2)",
		Args:    []value.Type{text, text, integer, integer, integer, text, integer}, Optional: 5, Result: integer,
		Long: regexpInstr},
	{Name: "regexp_extract", Doc: "the first match of the regular expression, or its group n",
		Example: `regexp_extract('Number=Sing', '(\w+)=(\w+)', 2)`, Args: []value.Type{text, text, integer},
		Optional: 1, Result: text, Long: regexpExtract},
	{Name: "regexp_replace", Doc: "every match replaced; $1 or \\1 is a group, \\& the match. With flags the first " +
		"match alone, with g among them every one, and $ stands for itself; with numbers in place of flags, or " +
		"before them, match n (1, 0 for every one) of what begins at a code point",
		Example: `regexp_replace('Lee, Ann', '(\w+), (\w+)', '$2 $1')`,
		Args:    []value.Type{text, text, text, fn.Any, integer, text}, Optional: 3, Result: text, Long: regexpReplace},
	{Name: "regexp_count", Doc: "number of matches of the regular expression that do not overlap, in what begins at " +
		"a code point (1); flags as in regexp_like", Example: "regexp_count('banana', 'an')",
		Args: []value.Type{text, text, integer, text}, Optional: 2, Result: integer, Long: regexpCount},
	{Name: "regexp_extract_all", Doc: "all matches of the regular expression as a JSON array",
		Example: "regexp_extract_all('B-PER I-PER', '[BI]-')", Args: []value.Type{text, text}, Result: value.JSON,
		Long: onMatches(func(ctx context.Context, s string, found [][]int) (value.Value, error) {
			parts := make([]string, len(found))
			for i, m := range found {
				parts[i] = s[m[0]:m[1]]
			}
			return jsonfn.List(ctx, parts)
		})},
	{Name: "regexp_split", Doc: "what stands between the matches of the regular expression, as a JSON array; flags " +
		"as in regexp_like", Example: `regexp_split('Case=Nom|Number=Sing', '\|')`,
		Args: []value.Type{text, text, text}, Optional: 1, Result: value.JSON,
		Long: regexpSplit},
	{Name: "regexp_split_to_array", Doc: "the same as regexp_split", Example: `regexp_split_to_array('a  b', '\s+')`,
		Args: []value.Type{text, text, text}, Optional: 1, Result: value.JSON, Long: regexpSplit},
}

// RegexpMatches is a function of a value, and one that gives rows.
const RegexpMatches = "regexp_matches"

// compileWithFlags compiles a pattern with the flags at place i of the arguments, if there are that many. The flag g is
// for functions that take it.
func compileWithFlags(a []value.Value, i int) (p *Pattern, global bool, err error) {
	flags := ""
	if i < len(a) {
		flags = a[i].S
	}
	pattern, fold, lines, dot := a[1].S, "", "", ""
	for _, f := range flags {
		switch f {
		case 'g':
			global = true
		case 'i':
			fold = "i"
		case 'c':
			fold = ""
		case 'm', 'n':
			lines, dot = "m", ""
		case 's':
			lines, dot = "", "s"
		case 'q':
			pattern = regexp.QuoteMeta(a[1].S)
		default:
			return nil, false, &fn.Fault{Code: "22023", Msg: fmt.Sprintf("regular expressions have no flag %c", f),
				Hint: "flags: c, g, i, m, n, q, s"}
		}
	}
	if set := fold + lines + dot; set != "" {
		pattern = "(?" + set + ":" + pattern + ")"
		if _, err := Regexp(a[1].S); err != nil && !strings.Contains(flags, "q") {
			return nil, false, err // without what was put around it
		}
	}
	p, err = Regexp(pattern)
	return p, global, err
}

// single is flagged for functions that look for one match, or count them.
func single(name string, a []value.Value, i int) (*Pattern, error) {
	p, global, err := compileWithFlags(a, i)
	if err == nil && global {
		return nil, &fn.Fault{Code: "22023", Msg: name + " takes no flag g",
			Hint: "regexp_matches in FROM gives a row for each match"}
	}
	return p, err
}

// matchNumber is the whole number at place i, which is at least least; without it, otherwise.
func matchNumber(a []value.Value, i int, what string, least, otherwise int64) (int64, error) {
	if i >= len(a) {
		return otherwise, nil
	}
	if n := a[i].Int(); n >= least {
		return n, nil
	}
	return 0, &fn.Fault{Code: "22023", Msg: fmt.Sprintf("%s is %d, at least %d is wanted", what, a[i].Int(), least)}
}

// startByte is the byte at which the code point begins that the argument at place i counts from 1; -1 behind the end.
func startByte(a []value.Value, i int) (int, error) {
	n, err := matchNumber(a, i, "start", 1, 1)
	if err != nil {
		return 0, err
	}
	for at := range a[0].S {
		if n--; n == 0 {
			return at, nil
		}
	}
	if n == 1 {
		return len(a[0].S), nil
	}
	return -1, nil
}

// nth is match n of what begins at a byte, nil if there is none.
func (p *Pattern) nth(ctx context.Context, s string, from int, n int64) (out []int, err error) {
	if from < 0 || n > int64(len(s))+1 {
		return nil, nil
	}
	err = p.each(ctx, s, from, int(n), func(m []int) error {
		if n--; n == 0 {
			out = m
		}
		return nil
	})
	return out, err
}

func regexpLike(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := single("regexp_like", a, 2)
	if err != nil {
		return value.Value{}, err
	}
	found, err := p.Matches(ctx, a[0].S)
	return value.Bool(found), err
}

func regexpMatch(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := single("regexp_match", a, 2)
	if err != nil {
		return value.Value{}, err
	}
	m, err := p.nth(ctx, a[0].S, 0, 1)
	if m == nil || err != nil {
		return value.Value{}, err
	}
	return groupsOf(a[0].S, m)
}

// groupsOf is an array of the groups of a match, or of the match if it has none.
func groupsOf(s string, m []int) (value.Value, error) {
	if len(m) > 2 {
		m = m[2:]
	}
	items := make([]value.Value, len(m)/2)
	for i := range items {
		if m[2*i] >= 0 {
			items[i] = value.Str(s[m[2*i]:m[2*i+1]])
		}
	}
	return jsonfn.Array(items)
}

// RegexpRows are the matches of regexp_matches(text, pattern, flags), each an array of its groups.
func RegexpRows(ctx context.Context, a []value.Value) (out []value.Value, err error) {
	p, global, err := compileWithFlags(a, 2)
	if err != nil {
		return nil, fn.ArgumentError(err)
	}
	n := 1
	if global {
		n = -1
	}
	found, err := p.Find(ctx, a[0].S, n)
	for _, m := range found {
		if err == nil {
			var v value.Value
			v, err = groupsOf(a[0].S, m)
			out = append(out, v)
		}
	}
	return out, err
}

// RegexpParts are what stands between the matches: regexp_split_to_table(text, pattern, flags).
func RegexpParts(ctx context.Context, a []value.Value) ([]value.Value, error) {
	list, err := regexpSplit(ctx, a)
	if err != nil {
		return nil, fn.ArgumentError(err)
	}
	return jsonfn.ItemsWithin(ctx, list)
}

func regexpCount(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := single("regexp_count", a, 3)
	if err != nil {
		return value.Value{}, err
	}
	from, err := startByte(a, 2)
	if err != nil || from < 0 {
		return value.Int(0), err
	}
	n := int64(0)
	err = p.each(ctx, a[0].S, from, -1, func([]int) error { n++; return nil })
	return value.Int(n), err
}

// searchArguments is the bounds of a group of a match that regexp_substr and regexp_instr ask for, negative without a
// match.
func searchArguments(ctx context.Context, name string, a []value.Value, flags int) (from, to int, err error) {
	p, err := single(name, a, flags)
	if err != nil {
		return 0, 0, err
	}
	n, err := matchNumber(a, 3, "n", 1, 1)
	if err != nil {
		return 0, 0, err
	}
	group, err := matchNumber(a, flags+1, "group", 0, 0)
	if err != nil {
		return 0, 0, err
	}
	start, err := startByte(a, 2)
	if err != nil {
		return 0, 0, err
	}
	if group == 1 && p.NumSubexp() == 0 {
		group = 0 // the match counts as the only group
	}
	m, err := p.nth(ctx, a[0].S, start, n)
	if err != nil || m == nil || group >= int64(len(m)/2) {
		return -1, -1, err
	}
	return m[2*group], m[2*group+1], nil
}

func regexpSubstr(ctx context.Context, a []value.Value) (value.Value, error) {
	from, to, err := searchArguments(ctx, "regexp_substr", a, 4)
	if err != nil || from < 0 {
		return value.Value{}, err
	}
	return value.Str(a[0].S[from:to]), nil
}

func regexpInstr(ctx context.Context, a []value.Value) (value.Value, error) {
	end, err := matchNumber(a, 4, "end", 0, 0)
	if err == nil && end > 1 {
		err = &fn.Fault{Code: "22023", Msg: fmt.Sprintf("end is %d, 0 or 1 is wanted", end)}
	}
	if err != nil {
		return value.Value{}, err
	}
	from, to, err := searchArguments(ctx, "regexp_instr", a, 5)
	if err != nil || from < 0 {
		return value.Int(0), err
	}
	if end == 1 {
		from = to
	}
	return value.Int(int64(utf8.RuneCountInString(a[0].S[:from]) + 1)), nil
}

func regexpSplit(ctx context.Context, a []value.Value) (value.Value, error) {
	p, err := single("regexp_split", a, 2)
	if err != nil {
		return value.Value{}, err
	}
	found, err := p.Find(ctx, a[0].S, -1)
	if err != nil {
		return value.Value{}, err
	}
	return jsonfn.List(ctx, splitAtMatches(a[0].S, found))
}

// onMatches calls f with a text and all matches in it.
func onMatches(f func(ctx context.Context, s string, found [][]int) (value.Value, error)) func(context.Context,
	[]value.Value) (value.Value, error) {
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

// splitAtMatches returns the parts of a text between matches; empty matches at both ends part nothing.
func splitAtMatches(s string, found [][]int) []string {
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
var SubstringMatch = &fn.Func{Name: "substring", Args: []value.Type{text, text}, Result: text,
	Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
		p, err := Regexp(a[1].S)
		if err != nil {
			return value.Value{}, err
		}
		return regexpExtract(ctx, append(a[:2:2], value.Int(int64(min(1, p.NumSubexp())))))
	}}
