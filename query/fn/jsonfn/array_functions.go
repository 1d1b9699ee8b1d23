package jsonfn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

var arrayFuncs = []fn.Func{
	{Name: "array_to_string", Doc: "members of an array joined by a text; NULL left out, or the third argument in " +
		"its place", Example: "array_to_string(ARRAY['a', NULL, 'b'], ',', '*')",
		Args: []value.Type{fn.Any, text, text}, Optional: 1, Result: text, Nulls: true, Long: arrayToString},
	{Name: "string_to_array", Doc: "the parts of a text between separators, or its code points where the separator " +
		"is NULL, as an array; parts that equal the third argument are NULL",
		Example: "string_to_array('a|-|b', '|', '-')", Args: []value.Type{text, text, text}, Optional: 1,
		Result: value.JSON, Nulls: true,
		Long: stringToArray},
	{Name: "array_length", Doc: "number of members along a dimension, from 1; NULL where the array has no such, or " +
		"no members", Example: "array_length(ARRAY[1, 2], 1)", Args: []value.Type{fn.Any, integer}, Result: integer,
		Long: arrayLength},
	{Name: "array_upper", Doc: "number of the last member, as array_length", Example: "array_upper(ARRAY[1, 2], 1)",
		Args: []value.Type{fn.Any, integer}, Result: integer, Long: arrayLength},
	{Name: "array_lower", Doc: "number of the first member: 1, NULL for an empty array",
		Example: "array_lower(ARRAY[1, 2], 1)", Args: []value.Type{fn.Any, integer}, Result: integer,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			n, err := arrayLength(ctx, a)
			if err != nil || n.IsNull() {
				return n, err
			}
			return value.Int(1), nil
		}},
	{Name: "cardinality", Doc: "number of members of an array, in all dimensions", Example: "cardinality('{a,b,c}')",
		Args: []value.Type{fn.Any}, Result: integer,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			sizes, err := dimensions(ctx, a[0])
			n := min(1, len(sizes))
			for _, size := range sizes {
				n *= size
			}
			return value.Int(int64(n)), err
		}},
	{Name: "array_position", Doc: "number of the first member, from a place on (1), that equals the second " +
		"argument, or is NULL as it is; NULL if none does", Example: "array_position(ARRAY['a', 'b'], 'b')",
		Args: []value.Type{fn.Any, fn.Any, integer}, Optional: 1, Result: integer, Nulls: true, Long: arrayPosition},
	{Name: "array_positions", Doc: "numbers of all members that equal the second argument, or are NULL as it is",
		Example: "array_positions(ARRAY['a', 'b', 'a'], 'a')", Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON,
		Nulls: true, Long: arrayPositions},
	{Name: ArrayAppend, Doc: "the array with a further member", Example: "array_append(ARRAY[1, 2], 3)",
		Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON, Nulls: true,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			items, err := ItemsWithin(ctx, a[0])
			if err != nil {
				return value.Value{}, err
			}
			return ArrayWithin(ctx, append(items, a[1]))
		}},
	{Name: ArrayPrepend, Doc: "the array with a further member before the others",
		Example: "array_prepend(0, ARRAY[1, 2])", Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON, Nulls: true,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			items, err := ItemsWithin(ctx, a[1])
			if err != nil {
				return value.Value{}, err
			}
			return ArrayWithin(ctx, append(a[:1:1], items...))
		}},
	{Name: ArrayCat, Doc: "two arrays one after the other, NULL as an empty one; of two objects one with the " +
		"members of both, those of the second in place of equal ones; other JSON is a member; a || b for JSON",
		Example: "array_cat(ARRAY[1], ARRAY[2, 3])", Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON,
		Nulls: true, Long: arrayCat},
	{Name: "array_remove", Doc: "the array without the members that equal the second argument, or are NULL as it is",
		Example: "array_remove(ARRAY[1, 2, 1], 1)", Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON, Nulls: true,
		Long: arrayRemove},
	{Name: "trim_array", Doc: "the array without its last n members", Example: "trim_array(ARRAY[1, 2, 3], 1)",
		Args: []value.Type{fn.Any, integer}, Result: value.JSON, Long: trimArray},
	{Name: "array_fill", Doc: "array of equal members, as many as the second argument, an array, says for each " +
		"dimension", Example: "array_fill(0, ARRAY[3])", Args: []value.Type{fn.Any, fn.Any}, Result: value.JSON,
		Nulls: true, Long: arrayFill},
	{Name: "array_ndims", Doc: "number of dimensions, which is that of first members within each other; NULL for an " +
		"empty array", Example: "array_ndims(ARRAY[1, 2])", Args: []value.Type{fn.Any}, Result: integer,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			sizes, err := dimensions(ctx, a[0])
			if err != nil || len(sizes) == 0 {
				return value.Value{}, err
			}
			return value.Int(int64(len(sizes))), nil
		}},
	{Name: "array_dims", Doc: "numbers of the first and last member of each dimension; NULL for an empty array",
		Example: "array_dims(ARRAY[1, 2])", Args: []value.Type{fn.Any}, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			sizes, err := dimensions(ctx, a[0])
			if err != nil || len(sizes) == 0 {
				return value.Value{}, err
			}
			var b strings.Builder
			for _, n := range sizes {
				fmt.Fprintf(&b, "[1:%d]", n)
			}
			return value.Str(b.String()), nil
		}},
	{Name: "array_replace", Doc: "the array with the third argument in place of members that equal the second, or " +
		"are NULL as it is", Example: "array_replace(ARRAY[1, 2, 1], 1, 9)", Args: []value.Type{fn.Any, fn.Any, fn.Any},
		Result: value.JSON, Nulls: true, Long: arrayReplace},
}

// The functions that || stands for, between arrays and with a number or boolean behind or before one.
const (
	ArrayCat     = "array_cat"
	ArrayAppend  = "array_append"
	ArrayPrepend = "array_prepend"
)

func stringToArray(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() {
		return value.Value{}, nil
	}
	items, err := TextParts(a)
	if err != nil {
		return value.Value{}, err
	}
	return ArrayWithin(ctx, items)
}

// TextParts are the parts of a text for string_to_array and string_to_table.
func TextParts(a []value.Value) ([]value.Value, error) {
	if a[1].S != "" && strings.Count(a[0].S, a[1].S) >= fn.MaxItems || a[1].IsNull() && len(a[0].S) >= fn.MaxItems {
		return nil, fn.ErrItems
	}
	var items []value.Value
	for _, part := range separated(a[0].S, a[1]) {
		if v := value.Str(part); len(a) > 2 && v == a[2] {
			items = append(items, value.Value{})
		} else {
			items = append(items, v)
		}
	}
	return items, nil
}

// separated cuts a text: an empty separator does not occur, NULL stands between all code points.
func separated(s string, separator value.Value) []string {
	switch {
	case s == "":
		return nil
	case separator.IsNull():
		return strings.Split(s, "")
	case separator.S == "":
		return []string{s}
	}
	return strings.Split(s, separator.S)
}

func arrayToString(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() || a[1].IsNull() {
		return value.Value{}, nil
	}
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	var parts []string
	for _, v := range items {
		switch {
		case !v.IsNull():
			parts = append(parts, fn.Display(v))
		case len(a) > 2 && !a[2].IsNull():
			parts = append(parts, a[2].S)
		}
	}
	return fn.Join(parts, a[1].S)
}

func arrayLength(ctx context.Context, a []value.Value) (value.Value, error) {
	sizes, err := dimensionsOf(ctx, a[0], int(min(max(a[1].Int(), 1), maxDimensions)))
	if err != nil || a[1].Int() < 1 || a[1].Int() > int64(len(sizes)) {
		return value.Value{}, err
	}
	return value.Int(int64(sizes[a[1].Int()-1])), nil
}

// equalItems compares members; NULL equals NULL alone.
func equalItems(x, y value.Value) bool {
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	if x.T != y.T && (x.T == value.Text || y.T == value.Text) {
		return x.String() == y.String()
	}
	return value.Compare(x, y) == 0
}

func arrayPosition(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	from := int64(1)
	if len(a) > 2 {
		if a[2].IsNull() {
			return value.Value{}, &fn.Fault{Code: "22004", Msg: "the place to begin at is NULL"}
		}
		from = a[2].Int()
	}
	for i, v := range items {
		if int64(i)+1 >= from && equalItems(v, a[1]) {
			return value.Int(int64(i + 1)), nil
		}
	}
	return value.Value{}, err
}

func arrayPositions(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if a[0].IsNull() || err != nil {
		return value.Value{}, err
	}
	var places []value.Value
	for i, v := range items {
		if equalItems(v, a[1]) {
			places = append(places, value.Int(int64(i+1)))
		}
	}
	return ArrayWithin(ctx, places)
}

func arrayCat(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() && a[1].IsNull() {
		return value.Value{}, nil
	}
	if isObject(a[0]) && isObject(a[1]) {
		return mergeObjects(ctx, a[0], a[1])
	}
	for i, v := range a {
		if other := a[1-i]; v.IsNull() && other.T == value.JSON && !isArray(other) {
			return value.Value{}, nil
		}
	}
	x, err := membersToConcat(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	y, err := membersToConcat(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	return ArrayWithin(ctx, append(x, y...))
}

func isArray(v value.Value) bool {
	return v.T == value.JSON && strings.HasPrefix(strings.TrimSpace(v.S), "[")
}

// membersToConcat is the members of an array; other JSON is one itself.
func membersToConcat(ctx context.Context, v value.Value) ([]value.Value, error) {
	if v.T == value.JSON && !isArray(v) {
		return []value.Value{v}, nil
	}
	return ItemsWithin(ctx, v)
}

func arrayRemove(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if a[0].IsNull() || err != nil {
		return value.Value{}, err
	}
	return ArrayWithin(ctx, slices.DeleteFunc(items, func(v value.Value) bool { return equalItems(v, a[1]) }))
}

func trimArray(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	n := a[1].Int()
	if n < 0 || n > int64(len(items)) {
		return value.Value{}, &fn.Fault{Code: "2202E", Msg: fmt.Sprintf("%d members cannot be cut off an array of %d",
			n, len(items))}
	}
	return ArrayWithin(ctx, items[:len(items)-int(n)])
}

// maxDimensions bounds the dimensions of arrays that functions make or count.
const maxDimensions = 6

func arrayFill(ctx context.Context, a []value.Value) (value.Value, error) {
	sizes, err := ItemsWithin(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	if a[1].IsNull() || len(sizes) > maxDimensions {
		return value.Value{}, &fn.Fault{Code: "22004",
			Msg: "the sizes of the dimensions are an array of 1 to 6 numbers"}
	}
	out := a[0]
	for i := len(sizes) - 1; i >= 0; i-- {
		n, err := value.Cast(sizes[i], integer)
		switch {
		case err != nil:
			return value.Value{}, err
		case n.IsNull():
			return value.Value{}, &fn.Fault{Code: "22004", Msg: "the size of a dimension is NULL"}
		case n.Int() < 0:
			return value.Value{}, &fn.Fault{Code: "22023", Msg: "the size of a dimension is a whole number from 0"}
		case n.Int() > int64(fn.MaxItems):
			return value.Value{}, fn.ErrItems
		}
		b := ArrayBuilder{Ctx: ctx}
		for range n.Int() {
			if err := b.Append(out); err != nil {
				return value.Value{}, err
			}
		}
		out = b.Result()
	}
	if len(sizes) == 0 {
		return ArrayWithin(ctx, nil)
	}
	return out, nil
}

// dimensions are the lengths of an array and, where all of its members are arrays of equal dimensions, of these.
func dimensions(ctx context.Context, v value.Value) ([]int, error) {
	return dimensionsOf(ctx, v, maxDimensions)
}

func dimensionsOf(ctx context.Context, v value.Value, deepest int) ([]int, error) {
	items, err := ItemsWithin(ctx, v)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	sizes := []int{len(items)}
	if deepest == 1 || slices.ContainsFunc(items, func(v value.Value) bool { return !isArray(v) }) {
		return sizes, nil
	}
	inner, err := dimensionsOf(ctx, items[0], deepest-1)
	for i := 1; i < len(items) && err == nil; i++ {
		var other []int
		if other, err = dimensionsOf(ctx, items[i], deepest-1); !slices.Equal(inner, other) {
			return sizes, err
		}
	}
	return append(sizes, inner...), err
}

func arrayReplace(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if a[0].IsNull() || err != nil {
		return value.Value{}, err
	}
	for i, v := range items {
		if equalItems(v, a[1]) {
			items[i] = a[2]
		}
	}
	return ArrayWithin(ctx, items)
}
