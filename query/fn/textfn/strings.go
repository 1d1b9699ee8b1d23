package textfn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/query/fn"
	"parlance/storage/value"
)

var stringFuncs = []fn.Func{
	{Name: "lower", Doc: "lower case", Example: "lower('Ünal LEE')", Args: []value.Type{text}, Result: text,
		Long: fn.ByChunk(strings.ToLower)},
	{Name: "upper", Doc: "upper case", Example: "upper('straße')", Args: []value.Type{text}, Result: text,
		Long: fn.ByChunk(strings.ToUpper)},
	{Name: "initcap", Doc: "first letter of each word in upper case", Example: "initcap('new york')",
		Args: []value.Type{text}, Result: text, Long: initcap},
	{Name: "trim", Other: bytesTrim, Doc: "without white space, or the given characters, at both ends",
		Example: "trim('«Oslo»', '«»')", Args: []value.Type{text, text}, Optional: 1, Result: text,
		Long: trimmer(true, true)},
	{Name: "btrim", Other: bytesTrim, Doc: "the same as trim", Example: "btrim('--Oslo-', '-')",
		Args: []value.Type{text, text}, Optional: 1, Result: text, Long: trimmer(true, true)},
	{Name: "ltrim", Other: bytesLtrim, Doc: "without white space, or the given characters, at the start",
		Example: "ltrim('  Oslo')", Args: []value.Type{text, text}, Optional: 1, Result: text,
		Long: trimmer(true, false)},
	{Name: "rtrim", Other: bytesRtrim, Doc: "without white space, or the given characters, at the end",
		Example: "rtrim('Oslo...', '.')", Args: []value.Type{text, text}, Optional: 1, Result: text,
		Long: trimmer(false, true)},
	{Name: "length", Doc: "number of code points, of bytes that of bytes", Example: "length('Ünal')",
		Args: []value.Type{fn.Any}, Result: integer, Eval: length},
	{Name: "char_length", Doc: "number of code points", Example: "char_length('Ünal')", Args: []value.Type{text},
		Result: integer, Eval: length},
	{Name: "lpad", Doc: "filled on the left up to n code points, with blanks or the given text; cut where it is longer",
		Example: "lpad('7', 3, '0')", Args: []value.Type{text, integer, text}, Optional: 1, Result: text,
		Eval: padded(true)},
	{Name: "rpad",
		Doc:     "filled on the right up to n code points, with blanks or the given text; cut where it is longer",
		Example: "rpad('Ann', 5, '.')", Args: []value.Type{text, integer, text}, Optional: 1, Result: text,
		Eval: padded(false)},
	{Name: "reverse", Doc: "code points in reverse order", Example: "reverse('tree')", Args: []value.Type{text},
		Result: text, Long: reverse},
	{Name: "substr", Other: bytesSubstr, Doc: "substring from a 1-based code point, of the given length",
		Example: "substr('annotation', 3, 4)", Args: []value.Type{text, integer, integer}, Optional: 1, Result: text,
		Eval: substr},
	{Name: "overlay", Other: bytesOverlay, Doc: "the first text with the second one in place of what stands from a " +
		"1-based code point on, as many code points as the last argument says, else as the second text has",
		Example: "overlay('annotation' PLACING 'X' FROM 3 FOR 2)", Args: []value.Type{text, text, integer, integer},
		Optional: 1, Result: text, Eval: overlay},
	{Name: "substring", Other: bytesSubstr, Doc: "the same as substr; with a text as second argument the first " +
		"match of that regular expression, or of its first group", Example: "substring('annotation', 7)",
		Args: []value.Type{text, integer, integer}, Optional: 1, Result: text, Eval: substr},
	{Name: "left", Doc: "first n code points; a negative n leaves out the last |n|", Example: "left('annotation', 4)",
		Args: []value.Type{text, integer}, Result: text, Eval: left},
	{Name: "right", Doc: "last n code points; a negative n leaves out the first |n|",
		Example: "right('annotation', -4)", Args: []value.Type{text, integer}, Result: text, Eval: right},
	{Name: "position", Other: bytesPosition, Doc: "1-based code point of the second text in the first, 0 if absent",
		Example: "position('annotation', 'tat')", Args: []value.Type{text, text}, Result: integer, Eval: position},
	{Name: "strpos", Doc: "the same as position", Example: "strpos('annotation', 'x')", Args: []value.Type{text, text},
		Result: integer, Eval: position},
	{Name: "replace", Doc: "every occurrence of the second text replaced by the third",
		Example: "replace('don’t', '’', '''')", Args: []value.Type{text, text, text}, Result: text,
		Eval: replace},
	{Name: "concat", Doc: "arguments joined, NULL as empty, booleans as t and f",
		Example: "concat('B', '-', NULL, 'PER')", Args: []value.Type{fn.Any}, Variadic: true, Result: text, Nulls: true,
		Eval: concat},
	{Name: "concat_ws", Doc: "arguments after the first joined by it, NULL left out, booleans as t and f",
		Example: "concat_ws(' ', 'Ann', NULL, 'Lee')", Args: []value.Type{text, fn.Any}, Variadic: true, Result: text,
		Nulls: true, Eval: concatWS},
	{Name: "repeat", Doc: "the text n times", Example: "repeat('ab', 3)", Args: []value.Type{text, integer},
		Result: text, Eval: repeat},
	{Name: "translate", Doc: "code points of the second text replaced by those of the third in the same place; " +
		"those without one are left out", Example: "translate('Oslo', 'lo', '1')", Args: []value.Type{text, text, text},
		Result: text, Long: translate},
	{Name: "bit_length", Doc: "number of bits: eight for each byte", Example: "bit_length('é')",
		Args: []value.Type{text}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(8 * int64(len(a[0].S))), nil }},
	{Name: "split_part", Doc: "the n-th part (1-based, from the end if negative) between separators, empty where " +
		"there is none", Example: "split_part('Case=Nom|Number=Sing', '|', 2)", Args: []value.Type{text, text, integer},
		Result: text, Long: splitPart},
	{Name: "feat", Doc: "the value of a key in morphological features or MISC as CoNLL-U writes them, NULL where it " +
		"is not there", Example: "feat('Case=Nom|Number=Sing', 'Number')", Args: []value.Type{text, text}, Result: text,
		Long: feat},
	{Name: "starts_with", Doc: "whether the first text starts with the second", Example: "starts_with('B-PER', 'B-')",
		Args: []value.Type{text, text}, Result: boolean,
		Eval: func(a []value.Value) (value.Value, error) { return value.Bool(strings.HasPrefix(a[0].S, a[1].S)), nil }},
	{Name: "ends_with", Doc: "whether the first text ends with the second", Example: "ends_with('walking', 'ing')",
		Args: []value.Type{text, text}, Result: boolean,
		Eval: func(a []value.Value) (value.Value, error) { return value.Bool(strings.HasSuffix(a[0].S, a[1].S)), nil }},
	{Name: "ascii", Doc: "number of the first code point", Example: "ascii('é')", Args: []value.Type{text},
		Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			r, _ := utf8.DecodeRuneInString(a[0].S)
			if a[0].S == "" {
				r = 0
			}
			return value.Int(int64(r)), nil
		}},
	{Name: "chr", Doc: "the code point of the number", Example: "chr(233)", Args: []value.Type{integer}, Result: text,
		Eval: func(a []value.Value) (value.Value, error) {
			if i := a[0].Int(); i > 0 && i <= utf8.MaxRune && utf8.ValidRune(rune(i)) {
				return value.Str(string(rune(i))), nil
			}
			return value.Value{}, &fn.Fault{Code: "54000", Msg: fmt.Sprintf("%d is no code point", a[0].Int()),
				Hint: "code points are 1 to 1114111 without the surrogates, 55296 to 57343"}
		}},
}

func initcap(ctx context.Context, a []value.Value) (value.Value, error) {
	start := true
	return fn.ByChunk(func(s string) string {
		return strings.Map(func(r rune) rune {
			first := start
			start = !unicode.IsLetter(r) && !unicode.IsDigit(r)
			if first {
				return unicode.ToUpper(r)
			}
			return unicode.ToLower(r)
		}, s)
	})(ctx, a)
}

// trimmer cuts white space, or the code points of the second argument, off the ends of a text.
func trimmer(left, right bool) func(context.Context, []value.Value) (value.Value, error) {
	return func(ctx context.Context, a []value.Value) (value.Value, error) {
		goes := unicode.IsSpace
		if len(a) == 2 {
			var err error
			if goes, err = cutset(ctx, a[1].S); err != nil {
				return value.Value{}, err
			}
		}
		n := 0
		cut := func(r rune) bool {
			if n++; n%fn.ChunkBytes == 0 && ctx.Err() != nil {
				return false
			}
			return goes(r)
		}
		s := a[0].S
		if left {
			s = strings.TrimLeftFunc(s, cut)
		}
		if right {
			s = strings.TrimRightFunc(s, cut)
		}
		if n >= fn.ChunkBytes && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		return value.Str(s), nil
	}
}

// cutset tells which code points a text has.
func cutset(ctx context.Context, set string) (func(rune) bool, error) {
	const few = 16
	if len(set) <= few {
		return func(r rune) bool { return strings.ContainsRune(set, r) }, nil
	}
	in := map[rune]bool{}
	for part := range fn.Chunks(ctx, set) {
		for _, r := range part {
			in[r] = true
		}
	}
	return func(r rune) bool { return in[r] }, ctx.Err()
}

func reverse(ctx context.Context, a []value.Value) (value.Value, error) {
	s := a[0].S
	out := make([]byte, len(s))
	at := len(s)
	for part := range fn.Chunks(ctx, s) {
		for len(part) > 0 {
			_, n := utf8.DecodeRuneInString(part)
			at -= n
			copy(out[at:], part[:n])
			part = part[n:]
		}
	}
	return value.Str(string(out)), ctx.Err()
}

// cut returns code points [from, to) of s, 0-based, clipped.
func cut(s string, from, to int64) string {
	n := int64(utf8.RuneCountInString(s))
	from, to = max(from, 0), min(to, n)
	if from >= to {
		return ""
	}
	start, i := len(s), int64(0)
	for p := range s {
		if i == from {
			start = p
		}
		if i == to {
			return s[start:p]
		}
		i++
	}
	return s[start:]
}

func substr(a []value.Value) (value.Value, error) {
	from := max(a[1].Int(), -math.MaxInt64) - 1
	to := int64(len(a[0].S))
	if len(a) == 3 {
		if a[2].Int() < 0 {
			return value.Value{}, &fn.Fault{Code: "22011", Msg: fmt.Sprintf("negative length %d of a substring",
				a[2].Int())}
		}
		to = min(to, from+min(a[2].Int(), math.MaxInt64-max(from, 0)))
	}
	return value.Str(cut(a[0].S, from, to)), nil
}

func overlay(a []value.Value) (value.Value, error) {
	from, n := max(a[2].Int(), 0)-1, int64(utf8.RuneCountInString(a[1].S))
	if len(a) == 4 {
		n = a[3].Int()
	}
	if from < 0 {
		return value.Value{}, &fn.Fault{Code: "22011",
			Msg: fmt.Sprintf("overlay begins at code point 1 at least, not %d", a[2].Int())}
	}
	from, n = min(from, 1<<40), max(min(n, 1<<40), -1<<40)
	return fn.Bounded(cut(a[0].S, 0, from) + a[1].S + cut(a[0].S, from+n, int64(len(a[0].S))))
}

func left(a []value.Value) (value.Value, error) {
	n := a[1].Int()
	if n < 0 {
		n += int64(utf8.RuneCountInString(a[0].S))
	}
	return value.Str(cut(a[0].S, 0, n)), nil
}

func right(a []value.Value) (value.Value, error) {
	n, size := a[1].Int(), int64(utf8.RuneCountInString(a[0].S))
	from := size - n
	if n < 0 {
		from = -max(n, -math.MaxInt64)
	}
	return value.Str(cut(a[0].S, from, size)), nil
}

func position(a []value.Value) (value.Value, error) {
	i := strings.Index(a[0].S, a[1].S)
	if i < 0 {
		return value.Int(0), nil
	}
	return value.Int(int64(utf8.RuneCountInString(a[0].S[:i]) + 1)), nil
}

// replace leaves the text as it is where an empty text is looked for, as SQL engines do.
func replace(a []value.Value) (value.Value, error) {
	if a[1].S == "" {
		return a[0], nil
	}
	if more := len(a[2].S) - len(a[1].S); more > 0 && len(a[0].S)+more*strings.Count(a[0].S, a[1].S) > fn.MaxTextBytes {
		return value.Value{}, fn.ErrTooLong
	}
	return value.Str(strings.ReplaceAll(a[0].S, a[1].S, a[2].S)), nil
}

func concat(a []value.Value) (value.Value, error) {
	var b fn.TextBuilder
	for _, v := range a {
		b.Append(fn.Display(v))
	}
	return b.Result()
}

func concatWS(a []value.Value) (value.Value, error) {
	if a[0].IsNull() {
		return value.Value{}, nil
	}
	var parts []string
	for _, v := range a[1:] {
		if !v.IsNull() {
			parts = append(parts, fn.Display(v))
		}
	}
	return fn.Join(parts, a[0].S)
}

func repeat(a []value.Value) (value.Value, error) {
	n := max(a[1].Int(), 0)
	if len(a[0].S) > 0 && n > int64(fn.MaxTextBytes/len(a[0].S)) {
		return value.Value{}, fn.ErrTooLong
	}
	return value.Str(strings.Repeat(a[0].S, int(n))), nil
}

// translate takes the first of equal code points.
func translate(ctx context.Context, a []value.Value) (value.Value, error) {
	by, to, t := map[rune]rune{}, a[2].S, fn.Steps{Ctx: ctx}
	for _, r := range a[1].S {
		if err := t.Next(); err != nil {
			return value.Value{}, err
		}
		out := rune(-1)
		if to != "" {
			var n int
			out, n = utf8.DecodeRuneInString(to)
			to = to[n:]
		}
		if _, known := by[r]; !known {
			by[r] = out
		}
	}
	return fn.ByChunk(func(part string) string {
		return strings.Map(func(r rune) rune {
			if out, ok := by[r]; ok {
				return out
			}
			return r
		}, part)
	})(ctx, a)
}

// feat finds key in key=value|key=value|…
func feat(ctx context.Context, a []value.Value) (value.Value, error) {
	rest, key := a[0].S, a[1].S
	for n := 1; rest != ""; n++ {
		if n%fn.CheckInterval == 0 && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		var item string
		item, rest, _ = strings.Cut(rest, "|")
		if name, v, ok := strings.Cut(item, "="); ok && name == key {
			return value.Str(v), nil
		}
	}
	return value.Value{}, nil
}

// splitPart takes the text as one part where the separator is empty.
func splitPart(ctx context.Context, a []value.Value) (value.Value, error) {
	s, n := a[0].S, a[2].Int()
	parts := int64(1)
	if a[1].S != "" {
		parts += int64(strings.Count(s, a[1].S))
	}
	if n == 0 {
		return value.Value{}, errors.New("parts are counted from 1, or from the end with -1")
	}
	if n < 0 {
		n += parts + 1
	}
	if n < 1 || n > parts {
		return value.Str(""), nil
	}
	for ; n > 1; n-- {
		if n%fn.CheckInterval == 0 && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		_, s, _ = strings.Cut(s, a[1].S)
	}
	if a[1].S != "" {
		s, _, _ = strings.Cut(s, a[1].S)
	}
	return value.Str(s), nil
}

func length(a []value.Value) (value.Value, error) {
	b, err := bytesOf(a[0])
	if a[0].T == value.Bytes || err != nil {
		return value.Int(int64(len(b))), err
	}
	return value.Int(int64(utf8.RuneCountInString(b))), nil
}

// padded fills a text up to a number of code points.
func padded(left bool) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		fill := " "
		if len(a) > 2 {
			fill = a[2].S
		}
		n, s := max(a[1].Int(), 0), a[0].S
		if n > int64(fn.MaxTextBytes) {
			return value.Value{}, fn.ErrTooLong
		}
		room := n - int64(utf8.RuneCountInString(s))
		if room <= 0 {
			return value.Str(cut(s, 0, n)), nil
		}
		if fill == "" {
			return value.Str(s), nil
		}
		whole, rest := room/int64(utf8.RuneCountInString(fill)), room%int64(utf8.RuneCountInString(fill))
		if whole*int64(len(fill)) > int64(fn.MaxTextBytes) {
			return value.Value{}, fn.ErrTooLong
		}
		pad := strings.Repeat(fill, int(whole)) + cut(fill, 0, rest)
		if left {
			return fn.Bounded(pad + s)
		}
		return fn.Bounded(s + pad)
	}
}
