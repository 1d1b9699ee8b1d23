package fn

import (
	"context"
	"strings"

	"parlance/storage/value"
)

var arrayFuncs = []Func{
	{Name: "array_to_string", Doc: "members of an array joined by a text; NULL left out, or the third argument in its place", Example: "array_to_string(ARRAY['a', NULL, 'b'], ',', '*')",
		Args: []value.Type{Any, text, text}, Optional: 1, Result: text, Long: arrayToString},
	{Name: "string_to_array", Doc: "the parts of a text between separators, as an array", Example: "string_to_array('a|b', '|')", Args: []value.Type{text, text}, Result: jsonType,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			if a[0].S == "" {
				return array(ctx, nil)
			}
			if strings.Count(a[0].S, a[1].S) >= mostItems {
				return value.Value{}, ErrItems
			}
			return jsonList(ctx, strings.Split(a[0].S, a[1].S))
		}},
	{Name: "array_length", Doc: "number of members along a dimension, of which there is one; NULL for an empty array", Example: "array_length(ARRAY[1, 2], 1)", Args: []value.Type{Any, integer}, Result: integer, Long: arrayLength},
	{Name: "array_upper", Doc: "number of the last member, as array_length", Example: "array_upper(ARRAY[1, 2], 1)", Args: []value.Type{Any, integer}, Result: integer, Long: arrayLength},
	{Name: "array_lower", Doc: "number of the first member: 1, NULL for an empty array", Example: "array_lower(ARRAY[1, 2], 1)", Args: []value.Type{Any, integer}, Result: integer,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			n, err := arrayLength(ctx, a)
			if err != nil || n.IsNull() {
				return n, err
			}
			return value.Int(1), nil
		}},
	{Name: "cardinality", Doc: "number of members of an array", Example: "cardinality('{a,b,c}')", Args: []value.Type{Any}, Result: integer,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			items, err := ItemsWithin(ctx, a[0])
			return value.Int(int64(len(items))), err
		}},
	{Name: "array_position", Doc: "number of the first member that equals the second argument, NULL if none does", Example: "array_position(ARRAY['a', 'b'], 'b')", Args: []value.Type{Any, Any}, Result: integer, Long: arrayPosition},
	{Name: "array_append", Doc: "the array with a further member", Example: "array_append(ARRAY[1, 2], 3)", Args: []value.Type{Any, Any}, Result: jsonType, Nulls: true,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			items, err := ItemsWithin(ctx, a[0])
			if err != nil {
				return value.Value{}, err
			}
			return array(ctx, append(items, a[1]))
		}},
	{Name: ArrayCat, Doc: "two arrays one after the other, NULL as an empty one; a || b for arrays", Example: "array_cat(ARRAY[1], ARRAY[2, 3])", Args: []value.Type{Any, Any}, Result: jsonType, Nulls: true, Long: arrayCat},
	{Name: "array_remove", Doc: "the array without the members that equal the second argument", Example: "array_remove(ARRAY[1, 2, 1], 1)", Args: []value.Type{Any, Any}, Result: jsonType, Long: arrayRemove},
}

// ArrayCat is the function that || stands for between arrays.
const ArrayCat = "array_cat"

// ArrayAdd is what || stands for between an array and a number or boolean, in either order.
var ArrayAdd = &Func{Name: ArrayCat, Args: []value.Type{Any, Any}, Result: jsonType, Nulls: true,
	Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
		parts := [2][]value.Value{}
		for i, v := range a {
			var err error
			if parts[i] = []value.Value{v}; v.T == jsonType {
				parts[i], err = ItemsWithin(ctx, v)
			}
			if err != nil {
				return value.Value{}, err
			}
		}
		return array(ctx, append(parts[0], parts[1]...))
	}}

func arrayToString(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	var parts []string
	for _, v := range items {
		switch {
		case !v.IsNull():
			parts = append(parts, v.String())
		case len(a) > 2:
			parts = append(parts, a[2].S)
		}
	}
	return Joined(parts, a[1].S)
}

func arrayLength(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil || len(items) == 0 || a[1].Int() != 1 {
		return value.Value{}, err
	}
	return value.Int(int64(len(items))), nil
}

func equalItems(x, y value.Value) bool {
	if x.T != y.T && (x.T == value.Text || y.T == value.Text) {
		return x.String() == y.String()
	}
	return value.Compare(x, y) == 0
}

func arrayPosition(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	for i, v := range items {
		if !v.IsNull() && equalItems(v, a[1]) {
			return value.Int(int64(i + 1)), nil
		}
	}
	return value.Value{}, err
}

func arrayCat(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].IsNull() && a[1].IsNull() {
		return value.Value{}, nil
	}
	x, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	y, err := ItemsWithin(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	return array(ctx, append(x, y...))
}

func arrayRemove(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	var kept []value.Value
	for _, v := range items {
		if v.IsNull() || !equalItems(v, a[1]) {
			kept = append(kept, v)
		}
	}
	return array(ctx, kept)
}

// collector makes an array of the values of a group.
type collector struct{ arrayBuilder }

func (c *collector) Add(args []value.Value) error { return c.append(args[0]) }

func (c *collector) Value() value.Value {
	if c.n == 0 {
		return value.Value{}
	}
	return c.array()
}
