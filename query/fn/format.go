package fn

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parlance/storage/value"
)

// format replaces the marks of a text by arguments.
func format(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() {
		return value.Value{}, nil
	}
	var b builder
	rest, next := a[0].S, 1
	for {
		before, after, found := strings.Cut(rest, "%")
		b.add(before)
		if !found {
			return b.text()
		}
		place := next
		if digits, marked, ok := strings.Cut(after, "$"); ok {
			if n, err := strconv.Atoi(digits); err == nil && n > 0 {
				place, after = n, marked
			}
		}
		if after == "" {
			return value.Value{}, fmt.Errorf("a %% at the end of a format is written %%%%")
		}
		mark := after[0]
		rest = after[1:]
		if mark == '%' {
			b.add("%")
			continue
		}
		if place >= len(a) {
			return value.Value{}, fmt.Errorf("the format takes an argument %d, which is not there", place)
		}
		s, err := formatted(ctx, mark, a[place])
		if err != nil {
			return value.Value{}, err
		}
		b.add(s.S)
		next = place + 1
	}
}

func formatted(ctx context.Context, mark byte, v value.Value) (value.Value, error) {
	switch {
	case mark == 's':
		return value.Str(v.String()), nil
	case mark == 'I' && v.IsNull():
		return value.Value{}, fmt.Errorf("NULL is no name for %%I")
	case mark == 'I':
		return quoteIdent(ctx, v.String())
	case mark == 'L' && v.IsNull():
		return value.Str("NULL"), nil
	case mark == 'L':
		return quoteLiteral(ctx, v.String())
	}
	return value.Value{}, fmt.Errorf("%%%c is no mark of a format: write %%s, %%I, %%L or %%%%", mark)
}
