package textfn

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/query/fn"
	"parlance/storage/value"
)

// format replaces the marks of a text by arguments.
func format(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() {
		return value.Value{}, nil
	}
	var b fn.TextBuilder
	f := formatter{args: a, next: 1}
	for rest := a[0].S; ; {
		before, after, found := strings.Cut(rest, "%")
		b.Append(before)
		if !found {
			return b.Result()
		}
		if strings.HasPrefix(after, "%") {
			b.Append("%")
			rest = after[1:]
			continue
		}
		place, width, mark, err := f.mark(after)
		if err != nil {
			return value.Value{}, err
		}
		v, err := f.at(place)
		if err != nil {
			return value.Value{}, err
		}
		s, err := formatted(ctx, mark, v)
		if err != nil {
			return value.Value{}, err
		}
		if short := max(width, -width) - int64(utf8.RuneCountInString(s.S)); width < 0 {
			b.Append(s.S)
			blanks(&b, short)
		} else {
			blanks(&b, short)
			b.Append(s.S)
		}
		rest = f.rest
	}
}

// blanks adds n blanks.
func blanks(b *fn.TextBuilder, n int64) {
	if b.Over = b.Over || n > int64(fn.MaxTextBytes); !b.Over && n > 0 {
		b.Append(strings.Repeat(" ", int(n)))
	}
}

// formatter reads marks: %[place$][-][width|*|*place$]letter.
type formatter struct {
	args []value.Value
	next int // the argument that a mark without a place takes
	rest string
}

func (f *formatter) mark(s string) (place int, width int64, mark byte, err error) {
	f.rest = s
	place = f.place()
	left := strings.HasPrefix(f.rest, "-")
	f.rest = strings.TrimPrefix(f.rest, "-")
	if strings.HasPrefix(f.rest, "*") {
		f.rest = f.rest[1:]
		width, err = f.width(f.place())
	} else if n, rest, ok := leadingNumber(f.rest); ok {
		width, f.rest = int64(n), rest
	}
	if err == nil && f.rest == "" {
		err = fmt.Errorf("a %% at the end of a format is written %%%%")
	}
	if err != nil {
		return 0, 0, 0, err
	}
	if left {
		width = -max(width, -width)
	}
	mark, f.rest = f.rest[0], f.rest[1:]
	return place, width, mark, nil
}

// place reads the number of an argument, which $ ends; 0 if there is none.
func (f *formatter) place() int {
	if n, rest, ok := leadingNumber(f.rest); ok && n > 0 && strings.HasPrefix(rest, "$") {
		f.rest = rest[1:]
		return n
	}
	return 0
}

// at returns the argument at a place, the next one for 0.
func (f *formatter) at(place int) (value.Value, error) {
	if place == 0 {
		place = f.next
	}
	if f.next = place + 1; place >= len(f.args) {
		return value.Value{}, fmt.Errorf("the format takes an argument %d, which is not there", place)
	}
	return f.args[place], nil
}

// width is that which an argument says; NULL says none.
func (f *formatter) width(place int) (int64, error) {
	v, err := f.at(place)
	if err != nil || v.IsNull() {
		return 0, err
	}
	v, err = value.Cast(v, integer)
	return max(v.Int(), -int64(fn.MaxTextBytes)-1), err
}

func leadingNumber(s string) (n int, rest string, ok bool) {
	k := 0
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	n, err := strconv.Atoi(s[:k])
	return n, s[k:], err == nil
}

func formatted(ctx context.Context, mark byte, v value.Value) (value.Value, error) {
	switch {
	case mark == 's':
		return value.Str(fn.Display(v)), nil
	case mark == 'I' && v.IsNull():
		return value.Value{}, &fn.Fault{Code: "22004", Msg: "NULL is no name for %I"}
	case mark == 'I':
		return quoteIdent(ctx, v.String())
	case mark == 'L' && v.IsNull():
		return value.Str("NULL"), nil
	case mark == 'L':
		return quoteLiteral(ctx, fn.Display(v))
	}
	return value.Value{}, fmt.Errorf("%%%c is no mark of a format: write %%s, %%I, %%L or %%%%", mark)
}
