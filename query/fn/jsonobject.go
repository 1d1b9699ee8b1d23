package fn

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parlance/storage/value"
)

// builtObject writes an object.
func builtObject(list []pair) (string, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range list {
		key, err := quoted(p.key)
		if err != nil {
			return "", err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key + ":" + p.value)
		if b.Len() > maxText {
			return "", ErrTooLong
		}
	}
	return b.String() + "}", nil
}

func isObject(v value.Value) bool {
	return v.T == value.JSON && strings.HasPrefix(strings.TrimSpace(v.S), "{")
}

// merged is an object with the members of two, those of the second in place of equal ones of the first.
func merged(ctx context.Context, x, y value.Value) (value.Value, error) {
	list, err := pairs(ctx, strings.TrimSpace(x.S), false)
	if err != nil {
		return value.Value{}, err
	}
	more, err := pairs(ctx, strings.TrimSpace(y.S), false)
	if err != nil {
		return value.Value{}, err
	}
	place := map[string]int{}
	for i, p := range list {
		place[p.key] = i
	}
	for _, p := range more {
		if i, known := place[p.key]; known {
			list[i] = p
			continue
		}
		place[p.key] = len(list)
		list = append(list, p)
	}
	s, err := builtObject(list)
	return value.Value{T: value.JSON, S: s}, err
}

// objectBuilder makes an object of the keys and values of a group.
type objectBuilder struct {
	list     []pair
	bytes    int
	distinct bool
}

func (b *objectBuilder) Add(a []value.Value) error {
	if a[0].IsNull() {
		return Refused(errors.New("a key of an object is not NULL"))
	}
	v, err := element(a[1])
	if err != nil {
		return err
	}
	if b.bytes += len(a[0].S) + len(v); b.bytes > maxText {
		return ErrTooLong
	}
	b.list = append(b.list, pair{a[0].String(), v})
	return nil
}

func (b *objectBuilder) Value() value.Value {
	if b.list == nil {
		return value.Value{}
	}
	list := b.list
	if b.distinct {
		list = value.LastOfKeys(slices.Clone(list), func(p pair) string { return p.key })
	}
	s, err := builtObject(list)
	if err != nil {
		return value.Value{}
	}
	return value.Value{T: value.JSON, S: s}
}
