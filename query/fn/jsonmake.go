package fn

import (
	"context"

	"parlance/storage/value"
)

// DeletePath is the function that #- stands for.
const DeletePath = "jsonb_delete_path"

// jsonMakeFuncs make JSON of other values, or change it in forms that are seldom needed.
var jsonMakeFuncs = []Func{
	{Name: "array_to_json", Doc: "an array in any of its forms as a JSON array; with true as second argument a line for each member", Example: "array_to_json('{{1,5},{99,100}}'::int[])", Args: []value.Type{Any, boolean}, Optional: 1, Result: jsonType, Long: arrayToJSON},
	{Name: "json_object", Doc: "object of texts: of an array of keys and values in turn, of an array of pairs, or of one of keys and one of values", Example: "json_object('{a,b}', '{1,2}')", Args: []value.Type{Any, Any}, Optional: 1, Result: jsonType, Long: objectOfArrays},
	{Name: "jsonb_object", Doc: "the same as json_object, of equal keys the last", Example: "jsonb_object('{a,1,b,2}')", Args: []value.Type{Any, Any}, Optional: 1, Result: jsonType,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			v, err := objectOfArrays(ctx, a)
			if err != nil {
				return v, err
			}
			return normalJSON(ctx, []value.Value{v})
		}},
	{Name: DeletePath, Doc: "the JSON without what stands at a path, an array of keys and 0-based places, from the end if negative; j #- path", Example: `jsonb_delete_path('{"a": [1, 2]}', '{a,0}')`, Args: []value.Type{jsonType, Any}, Result: jsonType,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			return edited([]value.Value{a[0], a[1], {T: jsonType, S: "null"}}, &jsonEdit{ctx: ctx, remove: true})
		}},
	{Name: "jsonb_set_lax", Doc: "jsonb_set, but for a value that is NULL: as the fifth argument says, a null of JSON stands there (use_json_null, which is the default), it is an error (raise_exception), what stands there is deleted (delete_key), or nothing changes (return_target)", Example: `jsonb_set_lax('{"a": 1}', '{a}', NULL, true, 'delete_key')`, Args: []value.Type{jsonType, Any, jsonType, boolean, text}, Optional: 2, Result: jsonType, Nulls: true, Long: setLax},
}

func arrayToJSON(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	v, err := array(ctx, items)
	if err != nil || len(a) < 2 || !a[1].Bool() {
		return v, err
	}
	var b builder
	n := 0
	for m := range members(v.S) {
		if n++; n > 1 {
			b.add(",\n ")
		}
		b.add(m)
	}
	out, err := b.text()
	return value.Value{T: jsonType, S: "[" + out.S + "]"}, err
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
			return value.Value{}, &Fault{Code: "2202E", Msg: "there are not as many keys as values"}
		}
		for i := range keys {
			list = append(list, keys[i], values[i])
		}
	case len(keys) > 0 && keys[0].T == jsonType:
		for _, pair := range keys {
			two, err := ItemsWithin(ctx, pair)
			if err != nil {
				return value.Value{}, err
			}
			if len(two) != 2 {
				return value.Value{}, &Fault{Code: "2202E", Msg: "a pair has a key and a value"}
			}
			list = append(list, two...)
		}
	case len(keys)%2 != 0:
		return value.Value{}, &Fault{Code: "2202E", Msg: "the last key has no value"}
	default:
		list = keys
	}
	for i, v := range list {
		if i%2 == 0 && v.IsNull() {
			return value.Value{}, &Fault{Code: "22004", Msg: "a key of an object is not NULL"}
		}
		if !v.IsNull() {
			list[i] = value.Str(v.String())
		}
	}
	return jsonObject(ctx, list)
}

func setLax(ctx context.Context, a []value.Value) (value.Value, error) {
	create, treatment := true, "use_json_null"
	for i, v := range a {
		switch {
		case i == 3:
			create = v.Bool()
		case i == 4 && !v.IsNull():
			treatment = v.S
		}
		if v.IsNull() && i != 2 {
			return value.Value{}, nil
		}
	}
	with := a[2]
	if with.IsNull() {
		switch treatment {
		case "raise_exception":
			return value.Value{}, &Fault{Code: "22004", Msg: "the value is NULL"}
		case "return_target":
			return a[0], nil
		case "delete_key":
			return edited([]value.Value{a[0], a[1], {T: jsonType, S: "null"}}, &jsonEdit{ctx: ctx, remove: true})
		case "use_json_null":
			with = value.Value{T: jsonType, S: "null"}
		default:
			return value.Value{}, &Fault{Code: "22023", Msg: "'" + start(treatment) + "' says nothing of NULL", Hint: "use_json_null, raise_exception, delete_key or return_target"}
		}
	}
	return edited([]value.Value{a[0], a[1], with}, &jsonEdit{ctx: ctx, create: create})
}
