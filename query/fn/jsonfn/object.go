package jsonfn

import (
	"context"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// writeObject writes an object.
func writeObject(list []pair) (string, error) {
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
		if b.Len() > fn.MaxTextBytes {
			return "", fn.ErrTooLong
		}
	}
	return b.String() + "}", nil
}

func isObject(v value.Value) bool {
	return v.T == value.JSON && strings.HasPrefix(strings.TrimSpace(v.S), "{")
}

// mergeObjects is an object with the members of two, those of the second in place of equal ones of the first.
func mergeObjects(ctx context.Context, x, y value.Value) (value.Value, error) {
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
	s, err := writeObject(list)
	return value.Value{T: value.JSON, S: s}, err
}
