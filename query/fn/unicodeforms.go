package fn

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"parlance/storage/value"
)

// Normalized is the function that IS NORMALIZED stands for.
const Normalized = "is_normalized"

var formFuncs = []Func{
	{Name: "normalize", Doc: "the text in a normal form of Unicode: NFC, NFD, NFKC or NFKD, also as a bare word; NFC if none is given", Example: "length(normalize('é', 'NFD'))", Args: []value.Type{text, text}, Optional: 1, Result: text,
		Eval: func(a []value.Value) (value.Value, error) {
			form, err := normalForm(a)
			if err != nil {
				return value.Value{}, err
			}
			return bounded(form.String(a[0].S))
		}},
	{Name: Normalized, Doc: "whether the text is in a normal form of Unicode; x IS [NOT] [NFC | NFD | NFKC | NFKD] NORMALIZED", Example: "is_normalized('é', 'NFD')", Args: []value.Type{text, text}, Optional: 1, Result: boolean,
		Eval: func(a []value.Value) (value.Value, error) {
			form, err := normalForm(a)
			if err != nil {
				return value.Value{}, err
			}
			return value.Bool(form.IsNormalString(a[0].S)), nil
		}},
	{Name: "parse_ident", Doc: "the parts of a qualified name as an array, those without quotes in lower case; what follows the name is an error, unless the second argument is false", Example: `parse_ident('"Some".table')`, Args: []value.Type{text, boolean}, Optional: 1, Result: jsonType, Eval: parseIdent},
}

// normalForm reads the second argument, NFC if there is none.
func normalForm(a []value.Value) (norm.Form, error) {
	name := "nfc"
	if len(a) > 1 {
		name = lowered(a[1].S)
	}
	form, ok := map[string]norm.Form{"nfc": norm.NFC, "nfd": norm.NFD, "nfkc": norm.NFKC, "nfkd": norm.NFKD}[name]
	if !ok {
		return 0, &Fault{Code: "22023", Msg: fmt.Sprintf("'%s' is no normal form of Unicode", start(a[1].S)), Hint: "forms: NFC, NFD, NFKC, NFKD"}
	}
	return form, nil
}

func parseIdent(a []value.Value) (value.Value, error) {
	wrong := &Fault{Code: "22023", Msg: fmt.Sprintf("'%s' is no name", start(a[0].S))}
	strict := len(a) < 2 || a[1].Bool()
	var parts []value.Value
	for s := strings.TrimSpace(a[0].S); ; {
		var part string
		if strings.HasPrefix(s, `"`) {
			end := strings.Index(strings.ReplaceAll(s[1:], `""`, "\x00\x00"), `"`)
			if end <= 0 {
				return value.Value{}, wrong
			}
			part, s = strings.ReplaceAll(s[1:1+end], `""`, `"`), s[end+2:]
		} else {
			end := strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && !strings.ContainsRune(identRunes, r) })
			if end < 0 {
				end = len(s)
			}
			if end == 0 || s[0] >= '0' && s[0] <= '9' || s[0] == '$' {
				return value.Value{}, wrong
			}
			part, s = strings.ToLower(s[:end]), s[end:]
		}
		parts = append(parts, value.Str(part))
		s = strings.TrimSpace(s)
		if s == "" || s[0] != '.' && !strict {
			return Array(parts)
		}
		if s[0] != '.' {
			return value.Value{}, wrong
		}
		s = strings.TrimSpace(s[1:])
	}
}

// identRunes are the ASCII characters of names without quotes.
const identRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$"
