package textfn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// Normalized is the function that IS NORMALIZED stands for.
const Normalized = "is_normalized"

var formFuncs = []fn.Func{
	{Name: "normalize", Doc: "the text in a normal form of Unicode: NFC, NFD, NFKC or NFKD, also as a bare word; NFC if none is given", Example: "length(normalize('é', 'NFD'))", Args: []value.Type{text, text}, Optional: 1, Result: text, Long: normalize},
	{Name: Normalized, Doc: "whether the text is in a normal form of Unicode; x IS [NOT] [NFC | NFD | NFKC | NFKD] NORMALIZED", Example: "is_normalized('é', 'NFD')", Args: []value.Type{text, text}, Optional: 1, Result: boolean, Long: isNormalized},
	{Name: "parse_ident", Doc: "the parts of a qualified name as an array, those without quotes in lower case; what follows the name is an error, unless the second argument is false", Example: `parse_ident('"Some".table')`, Args: []value.Type{text, boolean}, Optional: 1, Result: value.JSON, Long: parseIdent},
}

// normalForm reads the second argument, NFC if there is none.
func normalForm(a []value.Value) (norm.Form, error) {
	name := "nfc"
	if len(a) > 1 {
		name = fn.LowerName(a[1].S)
	}
	form, ok := map[string]norm.Form{"nfc": norm.NFC, "nfd": norm.NFD, "nfkc": norm.NFKC, "nfkd": norm.NFKD}[name]
	if !ok {
		return 0, &fn.Fault{Code: "22023", Msg: fmt.Sprintf("'%s' is no normal form of Unicode", fn.Abbreviate(a[1].S)), Hint: "forms: NFC, NFD, NFKC, NFKD"}
	}
	return form, nil
}

func normalize(ctx context.Context, a []value.Value) (value.Value, error) {
	form, err := normalForm(a)
	if err != nil {
		return value.Value{}, err
	}
	if len(a[0].S) <= fn.LongText {
		return fn.Bounded(form.String(a[0].S))
	}
	var b fn.TextBuilder
	err = normalParts(ctx, form, a[0].S, func(part string) error {
		if b.Append(part); b.Over {
			return fn.ErrTooLong
		}
		return nil
	})
	if err != nil {
		return value.Value{}, err
	}
	return b.Result()
}

func isNormalized(ctx context.Context, a []value.Value) (value.Value, error) {
	form, err := normalForm(a)
	if err != nil {
		return value.Value{}, err
	}
	rest := a[0].S
	if len(rest) <= fn.LongText {
		return value.Bool(form.IsNormalString(rest)), nil
	}
	differs := errors.New("the forms differ")
	err = normalParts(ctx, form, rest, func(part string) error {
		if !strings.HasPrefix(rest, part) {
			return differs
		}
		rest = rest[len(part):]
		return nil
	})
	if err != nil && err != differs {
		return value.Value{}, err
	}
	return value.Bool(err == nil && rest == ""), nil
}

// normalParts gives f the text in a normal form, part by part, until its context ends. A part ends before a code point
// that combines with none before it. Marks that follow each other are one part, however many.
func normalParts(ctx context.Context, form norm.Form, s string, f func(string) error) error {
	t := fn.Steps{Ctx: ctx}
	for s != "" {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := boundary(&t, form, s, fn.RuneEnd(s, fn.LongText))
		if err != nil {
			return err
		}
		if n <= 2*fn.LongText {
			err = f(form.String(s[:n]))
		} else {
			err = normalMarks(&t, form, s[:n], f)
		}
		if err != nil {
			return err
		}
		s = s[n:]
	}
	return nil
}

// boundary is the first place from n on at which a code point stands that combines with none before it.
func boundary(t *fn.Steps, form norm.Form, s string, n int) (int, error) {
	for n < len(s) {
		if err := t.Next(); err != nil {
			return 0, err
		}
		p := form.PropertiesString(s[n:])
		if p.Size() > 0 && p.BoundaryBefore() {
			return n, nil
		}
		n += max(p.Size(), 1)
	}
	return n, nil
}

// normalMarks is normalParts of a text in which many marks follow each other.
func normalMarks(t *fn.Steps, form norm.Form, s string, f func(string) error) error {
	var it norm.Iter
	it.InitString(form, s)
	for !it.Done() {
		if err := t.Next(); err != nil {
			return err
		}
		if err := f(string(it.Next())); err != nil {
			return err
		}
	}
	return nil
}

// parseIdent reads "quoted" and bare names between points.
func parseIdent(ctx context.Context, a []value.Value) (value.Value, error) {
	wrong := &fn.Fault{Code: "22023", Msg: fmt.Sprintf("'%s' is no name", fn.Abbreviate(a[0].S))}
	strict := len(a) < 2 || a[1].Bool()
	r := identReader{Steps: fn.Steps{Ctx: ctx}, s: strings.TrimSpace(a[0].S)}
	parts := jsonfn.ArrayBuilder{Ctx: ctx}
	for {
		part, ok, err := r.part()
		if err == nil && !ok {
			err = wrong
		}
		if err == nil {
			err = parts.Append(value.Str(part))
		}
		if err != nil {
			return value.Value{}, err
		}
		r.s = strings.TrimSpace(r.s)
		if r.s == "" || r.s[0] != '.' && !strict {
			return parts.Result(), nil
		}
		if r.s[0] != '.' {
			return value.Value{}, wrong
		}
		r.s = strings.TrimSpace(r.s[1:])
	}
}

// identReader takes names off the front of s.
type identReader struct {
	fn.Steps
	s string
}

// part takes a name; ok is false where none stands.
func (r *identReader) part() (name string, ok bool, err error) {
	if strings.HasPrefix(r.s, `"`) {
		return r.quoted()
	}
	end := 0
	for end < len(r.s) && (r.s[end] >= 0x80 || strings.IndexByte(identBytes, r.s[end]) >= 0) {
		if err := r.Next(); err != nil {
			return "", false, err
		}
		end++
	}
	if end == 0 || r.s[0] >= '0' && r.s[0] <= '9' || r.s[0] == '$' {
		return "", false, nil
	}
	low, err := fn.ByChunk(strings.ToLower)(r.Ctx, []value.Value{value.Str(r.s[:end])})
	r.s = r.s[end:]
	return low.S, true, err
}

// quoted takes a name between quotes, in which a quote stands twice.
func (r *identReader) quoted() (name string, ok bool, err error) {
	var b strings.Builder
	for rest := r.s[1:]; ; {
		if err := r.Next(); err != nil {
			return "", false, err
		}
		piece, after, closed := strings.Cut(rest, `"`)
		if !closed {
			return "", false, nil
		}
		b.WriteString(piece)
		if rest = after; !strings.HasPrefix(rest, `"`) {
			r.s = rest
			return b.String(), b.Len() > 0, nil
		}
		b.WriteByte('"')
		rest = rest[1:]
	}
}

// identBytes are the ASCII characters of names without quotes.
const identBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$"
