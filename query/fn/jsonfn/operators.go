package jsonfn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Names of the functions that the operators #>, #>>, @>, <@, &&, ?, ?| and ?& stand for.
const (
	JSONPath     = "jsonb_extract_path"
	JSONPathText = "jsonb_extract_path_text"
	Contains     = "jsonb_contains"
	Contained    = "jsonb_contained"
	Overlaps     = "array_overlap"
	Exists       = "jsonb_exists"
	ExistsAny    = "jsonb_exists_any"
	ExistsAll    = "jsonb_exists_all"
)

var jsonOperatorFuncs = []fn.Func{
	{Name: JSONPath, Doc: "what stands at a path, an array of keys and 0-based places; NULL if absent; j #> path", Example: `jsonb_extract_path('{"a": [1, {"b": "x"}]}', '{a,1}')`, Args: []value.Type{value.JSON, fn.Any}, Result: value.JSON, Long: jsonAt},
	{Name: JSONPathText, Doc: "the same as text: strings without quotes, null as NULL; j #>> path", Example: `jsonb_extract_path_text('{"a": [1, {"b": "x"}]}', '{a,1,b}')`, Args: []value.Type{value.JSON, fn.Any}, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) { return jsonAsText(jsonAt(ctx, a)) }},
	{Name: Contains, Doc: "whether an object has all members of another one, or an array those of another one in any order; a @> b", Example: `jsonb_contains('{"a": [1, 2], "b": 3}', '{"a": [2]}')`, Args: []value.Type{value.JSON, value.JSON}, Result: boolean, Long: contains},
	{Name: Contained, Doc: "jsonb_contains with the arguments exchanged; a <@ b", Example: "jsonb_contained(ARRAY[1], ARRAY[1, 2])", Args: []value.Type{value.JSON, value.JSON}, Result: boolean,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			return contains(ctx, []value.Value{a[1], a[0]})
		}},
	{Name: Exists, Doc: "whether an object has a key, or an array a string; j ? key", Example: `jsonb_exists('{"a": null}', 'a')`, Args: []value.Type{value.JSON, text}, Result: boolean, Long: jsonExists},
	{Name: ExistsAny, Doc: "whether jsonb_exists for one of an array of keys; j ?| keys", Example: `jsonb_exists_any('["b"]', '{a,b}')`, Args: []value.Type{value.JSON, fn.Any}, Result: boolean, Long: existsSome(true)},
	{Name: ExistsAll, Doc: "whether jsonb_exists for all of an array of keys; j ?& keys", Example: `jsonb_exists_all('{"a": 1}', '{a,b}')`, Args: []value.Type{value.JSON, fn.Any}, Result: boolean, Long: existsSome(false)},
	{Name: Overlaps, Doc: "whether two arrays have a member in common; a && b", Example: "array_overlap(ARRAY[1, 2], ARRAY[2, 3])", Args: []value.Type{value.JSON, value.JSON}, Result: boolean, Long: overlaps},
}

func jsonAt(ctx context.Context, a []value.Value) (value.Value, error) {
	path, err := ItemsWithin(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	raw, err := parseJSON(ctx, a[0].S)
	for _, key := range path {
		if err != nil || raw == nil {
			break
		}
		raw, err = step(ctx, raw, key)
	}
	return jsonValue(raw), err
}

// step returns the member that an entry of a path names: in arrays a number, also written as text.
func step(ctx context.Context, raw json.RawMessage, key value.Value) (json.RawMessage, error) {
	switch kindOfJSON(raw) {
	case "object":
		return member(ctx, raw, value.Str(key.String()))
	case "array":
		if i, err := strconv.ParseInt(key.String(), 10, 64); err == nil {
			return member(ctx, raw, value.Int(i))
		}
	}
	return nil, nil
}

// operand decodes JSON, or an array in any of its forms, with numbers as they are written.
func operand(ctx context.Context, v value.Value) (any, error) {
	raw := []byte(strings.TrimSpace(v.S))
	ok, err := value.ValidJSON(ctx, v.S)
	if err != nil {
		return nil, err
	}
	if !ok {
		items, err := ItemsWithin(ctx, value.Str(v.S))
		if err != nil {
			return nil, err
		}
		list, err := ArrayWithin(ctx, items)
		if err != nil {
			return nil, err
		}
		raw = []byte(list.S)
	}
	switch raw[0] {
	case '[':
		return memberOperands(ctx, string(raw))
	case '{':
		return objectOperands(ctx, raw)
	}
	return anyOf(raw)
}

// objectOperands decodes the members of an object; of those with one key the last stays.
func objectOperands(ctx context.Context, raw []byte) (map[string]any, error) {
	out := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for n := 1; d.More(); n++ {
		if n%fn.CheckInterval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var x any
		if err := d.Decode(&x); err != nil {
			return nil, err
		}
		out[key.(string)] = x
	}
	return out, nil
}

// memberOperands decodes the members of an array.
func memberOperands(ctx context.Context, s string) ([]any, error) {
	out := []any{}
	for m := range members(s) {
		if len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch c := m[0]; {
		case c == '-' || c >= '0' && c <= '9':
			out = append(out, json.Number(m))
		case c == '"' && plain(m[1:len(m)-1]):
			out = append(out, m[1:len(m)-1])
		default:
			x, err := anyOf([]byte(m))
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// anyOf decodes JSON with numbers as they are written.
func anyOf(raw []byte) (any, error) {
	var out any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&out)
	return out, err
}

func contains(ctx context.Context, a []value.Value) (value.Value, error) {
	x, err := operand(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	y, err := operand(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	c := &containment{ctx: ctx}
	if list, ok := x.([]any); ok {
		if _, compound := y.(map[string]any); !compound {
			if _, compound = y.([]any); !compound { // an array contains a scalar that is a member
				return value.Bool(c.holds(list, []any{y})), ctx.Err()
			}
		}
	}
	return value.Bool(c.holds(x, y)), ctx.Err()
}

// containment compares members; what it says after its context has ended means nothing.
type containment struct {
	ctx   context.Context
	steps int
	over  bool
}

// ended counts a step, and looks at the context now and then.
func (c *containment) ended() bool {
	if c.steps++; c.steps%fn.CheckInterval == 0 {
		c.over = c.over || c.ctx.Err() != nil
	}
	return c.over
}

// holds reports whether x contains y.
func (c *containment) holds(x, y any) bool {
	switch y := y.(type) {
	case map[string]any:
		object, ok := x.(map[string]any)
		for k, v := range y {
			member, found := object[k]
			if !ok || !found || !c.holds(member, v) {
				return false
			}
		}
		return ok
	case []any:
		list, ok := x.([]any)
		for _, v := range y {
			if !ok || !c.among(list, v) {
				return false
			}
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

// among reports whether a member of a list contains v.
func (c *containment) among(list []any, v any) bool {
	for _, member := range list {
		if c.ended() {
			return false
		}
		if c.holds(member, v) {
			return true
		}
	}
	return false
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

func jsonExists(ctx context.Context, a []value.Value) (value.Value, error) {
	x, err := operand(ctx, a[0])
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

// existsSome asks for keys until one is found (any), or one is not.
func existsSome(any bool) func(context.Context, []value.Value) (value.Value, error) {
	return func(ctx context.Context, a []value.Value) (value.Value, error) {
		keys, err := ItemsWithin(ctx, a[1])
		if err != nil {
			return value.Value{}, err
		}
		for _, key := range keys {
			if key.IsNull() {
				continue
			}
			found, err := jsonExists(ctx, []value.Value{a[0], value.Str(key.String())})
			if err != nil || found.Bool() == any {
				return found, err
			}
		}
		return value.Bool(!any), nil
	}
}

func overlaps(ctx context.Context, a []value.Value) (value.Value, error) {
	var lists [2][]any
	for i := range lists {
		x, err := operand(ctx, a[i])
		if err != nil {
			return value.Value{}, err
		}
		list, ok := x.([]any)
		if !ok {
			return value.Value{}, fmt.Errorf("'%s' is no array", a[i].S)
		}
		lists[i] = list
	}
	c := &containment{ctx: ctx}
	for _, x := range lists[0] {
		for _, y := range lists[1] {
			if c.ended() {
				return value.Value{}, ctx.Err()
			}
			if x != nil && c.holds(x, y) && c.holds(y, x) {
				return value.Bool(true), ctx.Err()
			}
		}
	}
	return value.Bool(false), ctx.Err()
}
