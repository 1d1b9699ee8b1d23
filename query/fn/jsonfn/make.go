package jsonfn

import (
	"context"

	"parlance/query/fn"
	"parlance/storage/value"
)

// jsonMakeFuncs make JSON of other values, or write it in other forms.
var jsonMakeFuncs = []fn.Func{
	{Name: "array_to_json", Doc: "an array in any of its forms as a JSON array; with true as second argument a line for each member", Example: "array_to_json('{{1,5},{99,100}}'::int[])", Args: []value.Type{fn.Any, boolean}, Optional: 1, Result: value.JSON, Long: arrayToJSON},
	{Name: "json_object", Doc: "object of texts: of an array of keys and values in turn, of an array of pairs, or of one of keys and one of values", Example: "json_object('{a,b}', '{1,2}')", Args: []value.Type{fn.Any, fn.Any}, Optional: 1, Result: value.JSON, Long: objectOfArrays},
	{Name: "jsonb_object", Doc: "the same as json_object, of equal keys the last", Example: "jsonb_object('{a,1,b,2}')", Args: []value.Type{fn.Any, fn.Any}, Optional: 1, Result: value.JSON,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			v, err := objectOfArrays(ctx, a)
			if err != nil {
				return v, err
			}
			return normalJSON(ctx, []value.Value{v})
		}},
	{Name: "jsonb_pretty", Doc: "the JSON with a line for each member, four spaces further in for each level", Example: `length(jsonb_pretty('{"a": [1]}'))`, Args: []value.Type{value.JSON}, Result: text, Long: jsonPretty},
}

func arrayToJSON(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	v, err := ArrayWithin(ctx, items)
	if err != nil || len(a) < 2 || !a[1].Bool() {
		return v, err
	}
	var b fn.TextBuilder
	n := 0
	for m := range members(v.S) {
		if n++; n > 1 {
			b.Append(",\n ")
		}
		b.Append(m)
	}
	out, err := b.Result()
	return value.Value{T: value.JSON, S: "[" + out.S + "]"}, err
}

func objectOfArrays(ctx context.Context, a []value.Value) (value.Value, error) {
	keys, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	var list []value.Value
	switch {
	case len(a) == 2:
		values, err := ItemsWithin(ctx, a[1])
		if err != nil {
			return value.Value{}, err
		}
		if len(keys) != len(values) {
			return value.Value{}, &fn.Fault{Code: "2202E", Msg: "there are not as many keys as values"}
		}
		for i := range keys {
			list = append(list, keys[i], values[i])
		}
	case len(keys) > 0 && keys[0].T == value.JSON:
		for _, pair := range keys {
			two, err := ItemsWithin(ctx, pair)
			if err != nil {
				return value.Value{}, err
			}
			if len(two) != 2 {
				return value.Value{}, &fn.Fault{Code: "2202E", Msg: "a pair has a key and a value"}
			}
			list = append(list, two...)
		}
	case len(keys)%2 != 0:
		return value.Value{}, &fn.Fault{Code: "2202E", Msg: "the last key has no value"}
	default:
		list = keys
	}
	for i, v := range list {
		if i%2 == 0 && v.IsNull() {
			return value.Value{}, &fn.Fault{Code: "22004", Msg: "a key of an object is not NULL"}
		}
		if !v.IsNull() {
			list[i] = value.Str(v.String())
		}
	}
	return jsonObject(ctx, list)
}
