package fn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"parlance/storage/value"
)

// Names of the functions that the operators #>, #>>, @>, <@ and && stand for.
const (
	JSONPath     = "jsonb_extract_path"
	JSONPathText = "jsonb_extract_path_text"
	Contains     = "jsonb_contains"
	Contained    = "jsonb_contained"
	Overlaps     = "array_overlap"
)

var jsonOperatorFuncs = []Func{
	{Name: JSONPath, Doc: "what stands at a path, an array of keys and 0-based places; NULL if absent; j #> path", Example: `jsonb_extract_path('{"a": [1, {"b": "x"}]}', '{a,1}')`, Args: []value.Type{jsonType, Any}, Result: jsonType, Eval: jsonAt},
	{Name: JSONPathText, Doc: "the same as text: strings without quotes, null as NULL; j #>> path", Example: `jsonb_extract_path_text('{"a": [1, {"b": "x"}]}', '{a,1,b}')`, Args: []value.Type{jsonType, Any}, Result: text,
		Eval: func(a []value.Value) (value.Value, error) { return jsonAsText(jsonAt(a)) }},
	{Name: Contains, Doc: "whether an object has all members of another one, or an array those of another one in any order; a @> b", Example: `jsonb_contains('{"a": [1, 2], "b": 3}', '{"a": [2]}')`, Args: []value.Type{jsonType, jsonType}, Result: boolean, Eval: contains},
	{Name: Contained, Doc: "jsonb_contains with the arguments exchanged; a <@ b", Example: "jsonb_contained(ARRAY[1], ARRAY[1, 2])", Args: []value.Type{jsonType, jsonType}, Result: boolean,
		Eval: func(a []value.Value) (value.Value, error) { return contains([]value.Value{a[1], a[0]}) }},
	{Name: "jsonb_exists", Doc: "whether an object has a key, or an array a string", Example: `jsonb_exists('{"a": null}', 'a')`, Args: []value.Type{jsonType, text}, Result: boolean, Eval: jsonExists},
	{Name: Overlaps, Doc: "whether two arrays have a member in common; a && b", Example: "array_overlap(ARRAY[1, 2], ARRAY[2, 3])", Args: []value.Type{jsonType, jsonType}, Result: boolean, Eval: overlaps},
}

func jsonAt(a []value.Value) (value.Value, error) {
	path, err := Items(a[1])
	if err != nil {
		return value.Value{}, err
	}
	raw, err := parseJSON(a[0].S)
	for _, key := range path {
		if err != nil || raw == nil {
			break
		}
		raw, err = step(raw, key)
	}
	return jsonValue(raw), err
}

// step returns the member that an entry of a path names: in arrays a number, also written as text.
func step(raw json.RawMessage, key value.Value) (json.RawMessage, error) {
	switch kindOfJSON(raw) {
	case "object":
		return member(raw, value.Str(key.String()))
	case "array":
		if i, err := strconv.ParseInt(key.String(), 10, 64); err == nil {
			return member(raw, value.Int(i))
		}
	}
	return nil, nil
}

// operand decodes JSON, or an array in any of its forms, with numbers as they are written.
func operand(v value.Value) (any, error) {
	raw := []byte(strings.TrimSpace(v.S))
	if !json.Valid(raw) {
		items, err := Items(value.Str(v.S))
		if err != nil {
			return nil, err
		}
		list, err := Array(items)
		if err != nil {
			return nil, err
		}
		raw = []byte(list.S)
	}
	var out any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return out, d.Decode(&out)
}

func contains(a []value.Value) (value.Value, error) {
	x, err := operand(a[0])
	if err != nil {
		return value.Value{}, err
	}
	y, err := operand(a[1])
	if err != nil {
		return value.Value{}, err
	}
	if list, ok := x.([]any); ok {
		if _, compound := y.(map[string]any); !compound {
			if _, compound = y.([]any); !compound { // an array contains a scalar that is a member
				return value.Bool(holds(list, []any{y})), nil
			}
		}
	}
	return value.Bool(holds(x, y)), nil
}

// holds reports whether x contains y.
func holds(x, y any) bool {
	switch y := y.(type) {
	case map[string]any:
		object, ok := x.(map[string]any)
		for k, v := range y {
			member, found := object[k]
			ok = ok && found && holds(member, v)
		}
		return ok
	case []any:
		list, ok := x.([]any)
		for _, v := range y {
			found := false
			for _, member := range list {
				found = found || holds(member, v)
			}
			ok = ok && found
		}
		return ok
	case json.Number:
		n, ok := x.(json.Number)
		return ok && sameNumber(n, y)
	}
	switch x.(type) {
	case map[string]any, []any:
		return false
	}
	return x == y
}

func sameNumber(x, y json.Number) bool {
	if x == y {
		return true
	}
	_, whole := x.Int64()
	_, other := y.Int64()
	if whole == nil && other == nil {
		return false // written alike, but for -0
	}
	f, err := x.Float64()
	g, fault := y.Float64()
	return err == nil && fault == nil && f == g
}

func jsonExists(a []value.Value) (value.Value, error) {
	x, err := operand(a[0])
	switch x := x.(type) {
	case map[string]any:
		_, ok := x[a[1].S]
		return value.Bool(ok), err
	case []any:
		for _, v := range x {
			if v == a[1].S {
				return value.Bool(true), err
			}
		}
	case string:
		return value.Bool(x == a[1].S), err
	}
	return value.Bool(false), err
}

func overlaps(a []value.Value) (value.Value, error) {
	var lists [2][]any
	for i := range lists {
		x, err := operand(a[i])
		if err != nil {
			return value.Value{}, err
		}
		list, ok := x.([]any)
		if !ok {
			return value.Value{}, fmt.Errorf("'%s' is no array", a[i].S)
		}
		lists[i] = list
	}
	for _, x := range lists[0] {
		for _, y := range lists[1] {
			if x != nil && holds(x, y) && holds(y, x) {
				return value.Bool(true), nil
			}
		}
	}
	return value.Bool(false), nil
}
