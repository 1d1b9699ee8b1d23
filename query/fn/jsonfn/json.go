package jsonfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Names of the functions that the operators -> and ->> stand for.
const (
	JSONGet  = "json_get"
	JSONText = "json_get_text"
)

var jsonFuncs = []fn.Func{
	{Name: JSONGet, Doc: "member of an object by key or of an array by place (0-based, from the end if negative), and so on with further keys; NULL if absent; j -> key", Example: `json_get('{"a": [1, {"b": "x"}]}', 'a', 1)`, Args: []value.Type{value.JSON, fn.Any}, Variadic: true, Result: value.JSON, Long: jsonGet},
	{Name: JSONText, Doc: "the same as text: strings without quotes, null as NULL; j ->> key", Example: `json_get_text('{"a": [1, {"b": "x"}]}', 'a', 1, 'b')`, Args: []value.Type{value.JSON, fn.Any}, Variadic: true, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) { return jsonAsText(jsonGet(ctx, a)) }},
	{Name: "json_extract", Doc: "what stands at a path such as $.spans[0].label or $[\"a key\"]; NULL if absent", Example: `json_extract('{"spans": [{"label": "PER"}]}', '$.spans[0]')`, Args: []value.Type{value.JSON, text}, Result: value.JSON, Long: jsonExtract},
	{Name: "json_value", Doc: "the same as text: strings without quotes, null as NULL", Example: `json_value('{"spans": [{"label": "PER"}]}', '$.spans[0].label')`, Args: []value.Type{value.JSON, text}, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			return jsonAsText(jsonExtract(ctx, a))
		}},
	{Name: "json_build_object", Doc: "object of keys and values in turn, in this order", Example: `json_build_object('label', 'PER', 'n', 2)`, Args: []value.Type{fn.Any}, Optional: 1, Variadic: true, Result: value.JSON, Nulls: true, Long: jsonObject},
	{Name: "json_build_array", Doc: "array of values", Example: "json_build_array('a', 1, NULL)", Args: []value.Type{fn.Any}, Optional: 1, Variadic: true, Result: value.JSON, Nulls: true, Long: ArrayWithin},
	{Name: "jsonb_build_object", Doc: "the same as json_build_object", Example: "jsonb_build_object('n', 2)", Args: []value.Type{fn.Any}, Optional: 1, Variadic: true, Result: value.JSON, Nulls: true, Long: jsonObject},
	{Name: "jsonb_build_array", Doc: "the same as json_build_array", Example: "jsonb_build_array('a', 1)", Args: []value.Type{fn.Any}, Optional: 1, Variadic: true, Result: value.JSON, Nulls: true, Long: ArrayWithin},
	{Name: "to_json", Doc: "a value as JSON", Example: `to_json('say "hi"')`, Args: []value.Type{fn.Any}, Result: value.JSON, Long: jsonOf},
	{Name: "to_jsonb", Doc: "the same in the form of jsonb", Example: "to_jsonb(1.5)", Args: []value.Type{fn.Any}, Result: value.JSON,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			v, err := jsonOf(ctx, a)
			if err != nil {
				return v, err
			}
			return normalJSON(ctx, []value.Value{v})
		}},
	{Name: "json_array_length", Doc: "number of members of an array", Example: "json_array_length('[1, 2, 3]')", Args: []value.Type{value.JSON}, Result: integer, Long: jsonLength},
	{Name: "jsonb_array_length", Doc: "the same as json_array_length", Example: "jsonb_array_length('[1, 2]')", Args: []value.Type{value.JSON}, Result: integer, Long: jsonLength},
	{Name: "json_keys", Doc: "keys of an object as an array in alphabetical order", Example: `json_keys('{"b": 1, "a": 2}')`, Args: []value.Type{value.JSON}, Result: value.JSON, Long: jsonKeys},
	{Name: "json_type", Doc: "object, array, string, number, boolean or null", Example: "json_type('[1, 2]')", Args: []value.Type{value.JSON}, Result: text, Long: jsonTypeOf},
	{Name: "json_typeof", Doc: "the same as json_type", Example: "json_typeof('1')", Args: []value.Type{value.JSON}, Result: text, Long: jsonTypeOf},
	{Name: "jsonb_typeof", Doc: "the same as json_type", Example: "jsonb_typeof('null')", Args: []value.Type{value.JSON}, Result: text, Long: jsonTypeOf},
	{Name: "json_valid", Doc: "whether the text is JSON", Example: `json_valid('{"a": ')`, Args: []value.Type{text}, Result: boolean,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			ok, err := value.ValidJSON(ctx, a[0].S)
			return value.Bool(ok), err
		}},
}

// jsonValue returns a value of type JSON, NULL for nil.
func jsonValue(raw json.RawMessage) value.Value {
	if raw == nil {
		return value.Value{}
	}
	return value.Value{T: value.JSON, S: string(raw)}
}

// List makes an array of texts.
func List(ctx context.Context, list []string) (value.Value, error) {
	b := ArrayBuilder{Ctx: ctx}
	for _, s := range list {
		if err := b.Append(value.Str(s)); err != nil {
			return value.Value{}, err
		}
	}
	return b.Result(), nil
}

func parseJSON(ctx context.Context, s string) (json.RawMessage, error) {
	ok, err := value.ValidJSON(ctx, s)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, value.Malformed(value.ErrMalformed, "'%s' is not JSON", fn.Abbreviate(s))
	}
	return json.RawMessage(strings.TrimSpace(s)), nil
}

func jsonTypeOf(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	return value.Str(kindOfJSON(raw)), err
}

func kindOfJSON(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// member returns a member of an object or an array, nil if there is none.
func member(ctx context.Context, raw json.RawMessage, key value.Value) (json.RawMessage, error) {
	switch kind := kindOfJSON(raw); {
	case key.T != value.Text && key.T != value.Integer:
		return nil, fmt.Errorf("a key is text or a whole number, not %s", key.T)
	case kind == "object" && key.T == value.Text:
		return memberOf(ctx, string(raw), key.S)
	case kind == "array" && key.T == value.Integer:
		list, err := membersWithin(ctx, string(raw))
		i := key.Int()
		if i < 0 {
			i += int64(len(list))
		}
		if i < 0 || i >= int64(len(list)) {
			return nil, err
		}
		return json.RawMessage(list[i]), nil
	}
	return nil, nil
}

// memberOf returns the member of an object with a key, of several the last.
func memberOf(ctx context.Context, object, key string) (found json.RawMessage, err error) {
	n := 0
	for raw := range members(object) {
		if n++; n%fn.CheckInterval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		end := stringEnd(raw)
		name := raw[1 : end-1]
		if strings.Contains(name, `\`) {
			if err := json.Unmarshal([]byte(raw[:end]), &name); err != nil {
				return nil, err
			}
		}
		if name == key {
			found = json.RawMessage(strings.TrimSpace(strings.TrimSpace(raw[end:])[len(":"):]))
		}
	}
	return found, nil
}

// stringEnd is the place behind the string with which valid JSON begins.
func stringEnd(s string) int {
	for i := 1; ; i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
}

func jsonGet(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	for _, key := range a[1:] {
		if err == nil && raw != nil {
			raw, err = member(ctx, raw, key)
		}
	}
	return jsonValue(raw), err
}

// jsonObject makes an object of keys and values in turn.
func jsonObject(ctx context.Context, a []value.Value) (value.Value, error) {
	if len(a)%2 != 0 {
		return value.Value{}, fmt.Errorf("%d arguments, keys and values come in pairs", len(a))
	}
	var b fn.TextBuilder
	b.Append("{")
	for i := 0; i < len(a); i += 2 {
		if a[i].IsNull() {
			return value.Value{}, errors.New("a key of an object is not NULL")
		}
		key, err := quotedWithin(ctx, a[i].String())
		if err != nil {
			return value.Value{}, err
		}
		v, err := elementWithin(ctx, a[i+1])
		if err != nil {
			return value.Value{}, err
		}
		if i > 0 {
			b.Append(",")
		}
		b.Append(key)
		b.Append(":")
		b.Append(v)
	}
	b.Append("}")
	out, err := b.Result()
	if err == nil {
		out.T = value.JSON
	}
	return out, err
}

func jsonOf(ctx context.Context, a []value.Value) (value.Value, error) {
	s, err := elementWithin(ctx, a[0])
	return value.Value{T: value.JSON, S: s}, err
}

func jsonAsText(v value.Value, err error) (value.Value, error) {
	if err != nil || v.IsNull() {
		return v, err
	}
	switch kindOfJSON(json.RawMessage(v.S)) {
	case "null":
		return value.Value{}, nil
	case "string":
		var s string
		err := json.Unmarshal([]byte(v.S), &s)
		if err == nil {
			err = value.CheckText(s) // \u0000
		}
		return value.Str(s), err
	}
	return value.Str(v.S), nil
}

func jsonExtract(ctx context.Context, a []value.Value) (value.Value, error) {
	keys, err := jsonPath(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	return jsonGet(ctx, append([]value.Value{a[0]}, keys...))
}

// jsonPath reads $, then .key, [0] or ["key"] any number of times.
func jsonPath(path string) ([]value.Value, error) {
	wrong := func(at int) error {
		return fmt.Errorf("path '%s', character %d: a path is $ with .key, [0] or [\"key\"] behind", path, len([]rune(path[:at]))+1)
	}
	if !strings.HasPrefix(path, "$") {
		return nil, wrong(0)
	}
	var out []value.Value
	for at := 1; at < len(path); {
		rest := path[at:]
		switch {
		case rest[0] == '.':
			n := strings.IndexAny(rest[1:], ".[")
			if n < 0 {
				n = len(rest) - 1
			}
			if n == 0 {
				return nil, wrong(at)
			}
			out = append(out, value.Str(rest[1:1+n]))
			at += 1 + n
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return nil, wrong(at)
			}
			key, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, wrong(at)
			}
			out = append(out, value.Str(key))
			at += len(quoted) + 2
		case rest[0] == '[':
			n := strings.IndexByte(rest, ']')
			if n < 0 {
				return nil, wrong(at)
			}
			i, err := strconv.ParseInt(rest[1:n], 10, 64)
			if err != nil {
				return nil, wrong(at)
			}
			out = append(out, value.Int(i))
			at += n + 1
		default:
			return nil, wrong(at)
		}
	}
	return out, nil
}

func jsonLength(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	if kindOfJSON(raw) != "array" {
		return value.Value{}, errors.New("an array is wanted, not " + kindOfJSON(raw))
	}
	n := int64(0)
	for range members(string(raw)) {
		if n++; n%fn.CheckInterval == 0 && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
	}
	return value.Int(n), nil
}

func jsonKeys(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	if kindOfJSON(raw) != "object" {
		return value.Value{}, errors.New("an object is wanted, not " + kindOfJSON(raw))
	}
	list, err := pairs(ctx, string(raw), false)
	if err != nil {
		return value.Value{}, err
	}
	keys := make([]string, len(list))
	for i, p := range list {
		keys[i] = p.key
	}
	slices.Sort(keys)
	return List(ctx, slices.Compact(keys))
}
