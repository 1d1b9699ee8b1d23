package fn

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/storage/value"
)

// numberFormat is a format of to_char and to_number for numbers, cut into its patterns.
type numberFormat struct {
	items       []numberItem
	fill        bool // FM
	whole, part int  // digits before and behind the point
	shift       int  // digits behind V
	forced      int  // 0-based place of the first 0 among the digits before the point, whole without
	kept        int  // how many digits behind the point the last 0 keeps
	roman       bool
	exponent    bool
	sign        string // S before or behind, MI, SG, PR; empty for one of its own before the number
}

// numberItem is a pattern, or a text that stands for itself.
type numberItem struct{ name, text string }

// numberPatterns are the patterns, a longer one before those that it begins with.
var numberPatterns = []string{"EEEE", "FM", "RN", "TH", "MI", "PL", "SG", "PR", "9", "0", ".", "D", ",", "G", "S", "L", "V"}

// Bounds of formats.
const (
	mostDigits   = 1000
	mostPatterns = 1 << 16 // and characters that stand for themselves
)

func cutNumberFormat(format string) (*numberFormat, error) {
	f := &numberFormat{forced: -1}
	behind, shifted := false, false
	for rest := format; rest != ""; {
		item, after, err := nextNumberItem(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		switch item.name {
		case "FM":
			f.fill = true
			continue
		case "RN":
			f.roman = true
		case "EEEE":
			f.exponent = true
			continue
		case "V":
			shifted = true
			continue
		case ".":
			if behind || shifted {
				return nil, fmt.Errorf("the format '%s' has two points, or a point behind V", start(format))
			}
			behind = true
		case "9", "0":
			f.digit(item.name == "0", behind, shifted)
		case "S", "MI", "SG", "PR":
			if f.sign != "" {
				return nil, fmt.Errorf("the format '%s' has two signs; it has one of S, MI, SG and PR", start(format))
			}
			f.sign = item.name
			if item.name == "S" && f.whole+f.part == 0 {
				f.sign = "leading"
				continue
			}
		}
		if f.items = append(f.items, item); f.whole+f.part > mostDigits {
			return nil, fmt.Errorf("a format has at most %d digits", mostDigits)
		}
		if len(f.items) > mostPatterns {
			return nil, fmt.Errorf("a format has at most %d patterns and other characters", mostPatterns)
		}
	}
	if f.forced < 0 {
		f.forced = f.whole
	}
	return f, nil
}

// digit counts a digit.
func (f *numberFormat) digit(zero, behind, shifted bool) {
	if behind {
		f.part++
		if zero {
			f.kept = f.part
		}
		return
	}
	if zero && f.forced < 0 {
		f.forced = f.whole
	}
	f.whole++
	if shifted {
		f.shift++
	}
}

func nextNumberItem(s string) (numberItem, string, error) {
	if s[0] == '"' {
		text, rest, closed := strings.Cut(s[1:], `"`)
		if !closed {
			return numberItem{}, "", fmt.Errorf(`the format '%s' has a " without another`, start(s))
		}
		return numberItem{text: text}, rest, nil
	}
	for _, p := range numberPatterns {
		if rest, ok := cutFold(s, p); ok {
			switch p {
			case "D":
				p = "."
			case "G":
				p = ","
			}
			return numberItem{name: p, text: s[:len(s)-len(rest)]}, rest, nil
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return numberItem{text: s[:n]}, s[n:], nil
}

// charNumber writes a number in a format.
func charNumber(v value.Value, format string) (value.Value, error) {
	f, err := cutNumberFormat(format)
	if err != nil {
		return value.Value{}, err
	}
	short := strconv.FormatInt(v.Int(), 10)
	if v.T == float {
		short = strconv.FormatFloat(v.Float(), 'f', -1, 64)
	}
	n, ok := new(big.Rat).SetString(short)
	if !ok {
		return value.Value{}, fmt.Errorf("to_char writes finite numbers, not %s", short)
	}
	if f.roman {
		return value.Str(f.romanNumber(n)), nil
	}
	if f.exponent {
		x, _ := n.Float64()
		s := strconv.FormatFloat(x, 'e', f.part, 64)
		if x >= 0 && !f.fill {
			s = " " + s
		}
		return value.Str(s), nil
	}
	w := f.writer(n)
	for i := range f.items {
		w.item(f.items[i])
	}
	if f.sign == "PR" && !w.signed {
		w.b.WriteString(w.padding(" "))
	}
	return bounded(w.b.String())
}

// numberWriter writes the digits of a number at the places of a format.
type numberWriter struct {
	*numberFormat
	b            strings.Builder
	negative     bool
	over         bool   // more digits than the format has
	digits, part string // as many as the format has, blanks before the number
	shown        int    // digits of part that FM keeps
	at, behind   int    // digits written
	begun        bool
	signed       bool // PR has closed
}

func (f *numberFormat) writer(n *big.Rat) *numberWriter {
	if f.shift > 0 {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(f.shift)), nil)
		n = new(big.Rat).Mul(n, new(big.Rat).SetInt(scale))
	}
	w := &numberWriter{numberFormat: f}
	s := n.FloatString(f.part)
	s, minus := strings.CutPrefix(s, "-")
	w.negative = minus && strings.Trim(s, "0.") != ""
	w.digits, w.part, _ = strings.Cut(s, ".")
	zero := w.digits == "0" && f.part > 0
	switch {
	case len(w.digits) > f.whole && !(zero && f.whole == 0):
		w.over = true
		w.digits, w.part = strings.Repeat("#", f.whole), strings.Repeat("#", f.part)
	case f.whole > 0:
		w.digits = strings.Repeat(" ", f.whole-len(w.digits)) + w.digits
		w.digits = w.digits[:f.forced] + strings.ReplaceAll(w.digits[f.forced:], " ", "0")
	}
	w.shown = len(w.part)
	if f.fill && !w.over {
		w.shown = max(f.kept, len(strings.TrimRight(w.part, "0")))
	}
	if zero && f.forced == f.whole && f.whole > 0 && !(f.fill && w.shown == 0) {
		w.digits = w.digits[:f.whole-1] + " "
	}
	return w
}

// padding is what FM leaves out.
func (w *numberWriter) padding(s string) string {
	if w.fill {
		return ""
	}
	return s
}

// begin writes the sign before the first digit or the point.
func (w *numberWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	switch {
	case w.sign == "PR" && w.negative:
		w.b.WriteByte('<')
	case (w.sign == "" || w.sign == "leading") && w.negative:
		w.b.WriteByte('-')
	case w.sign == "leading":
		w.b.WriteByte('+')
	case w.sign == "" || w.sign == "PR":
		w.b.WriteString(w.padding(" "))
	}
}

func (w *numberWriter) item(it numberItem) {
	plus := map[bool]string{true: "-", false: "+"}[w.negative]
	switch it.name {
	case "9", "0":
		w.digit()
	case ".":
		w.begin()
		w.b.WriteByte('.')
	case ",":
		if w.begun {
			w.b.WriteByte(',')
		} else {
			w.b.WriteString(w.padding(" "))
		}
	case "S", "SG":
		w.b.WriteString(plus)
	case "MI":
		w.optional("-", w.negative)
	case "PL":
		w.optional("+", !w.negative)
	case "PR":
		w.signed = true
		w.optional(">", w.negative)
	case "L":
		w.b.WriteString(w.padding(" "))
	case "TH":
		if n, err := strconv.Atoi(strings.TrimSpace(w.digits)); err == nil && !w.negative && w.numberFormat.part == 0 {
			w.b.WriteString(ordinalEnd(n%100, it.text[0] == 'T'))
		}
	default:
		w.b.WriteString(it.text)
	}
}

func (w *numberWriter) optional(sign string, there bool) {
	if !there {
		sign = w.padding(" ")
	}
	w.b.WriteString(sign)
}

// digit writes the next digit.
func (w *numberWriter) digit() {
	if w.at < w.whole {
		c := w.digits[w.at]
		w.at++
		if c == ' ' {
			w.b.WriteString(w.padding(" "))
			return
		}
		w.begin()
		w.b.WriteByte(c)
		return
	}
	if w.behind < w.shown {
		w.begin()
		w.b.WriteByte(w.part[w.behind])
	}
	w.behind++
}

// romanNumber is a number from 1 to 3999 in Roman digits, 15 wide.
func (f *numberFormat) romanNumber(n *big.Rat) string {
	const width = 15
	k, err := strconv.Atoi(n.FloatString(0))
	if err != nil || k < 1 || k > 3999 {
		return strings.Repeat("#", width)
	}
	var b strings.Builder
	for _, d := range []struct {
		n    int
		text string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; k >= d.n; k -= d.n {
			b.WriteString(d.text)
		}
	}
	if f.fill {
		return b.String()
	}
	return fmt.Sprintf("%*s", width, b.String())
}

// toNumber reads a number: as many digits as the format has before and behind the point, with a sign on either side.
func toNumber(ctx context.Context, a []value.Value) (value.Value, error) {
	f, err := cutNumberFormat(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	whole, part, behind, negative := "", "", false, false
	t := turns{ctx: ctx}
	for _, c := range a[0].S {
		if err := t.next(); err != nil {
			return value.Value{}, err
		}
		switch {
		case c == '-' || c == '<':
			negative = true
		case c == '.' && !behind:
			behind = true
		case c < '0' || c > '9':
		case !behind && len(whole) < f.whole:
			whole += string(c)
		case behind && len(part) < f.part:
			part += string(c)
		}
	}
	if whole+part == "" {
		return value.Value{}, &Fault{Code: "22P02", Msg: fmt.Sprintf("'%s' is no number in the format '%s'", start(a[0].S), start(a[1].S))}
	}
	x, err := strconv.ParseFloat(fmt.Sprintf("0%s.%se-%d", whole, part, f.shift), 64)
	if negative {
		x = -x
	}
	return value.Real(x), err
}
