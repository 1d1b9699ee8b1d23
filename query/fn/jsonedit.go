package fn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/storage/value"
)

// JSONDelete is the function that - stands for between JSON and a key, a place or an array of keys.
const JSONDelete = "jsonb_delete"

// jsonEditFuncs change JSON; members stay in the order in which they are written.
var jsonEditFuncs = []Func{
	{Name: "jsonb_set", Doc: "the JSON with another value at a path, an array of keys and 0-based places, from the end if negative; what is not there is added to the object or at the nearer end of the array, unless the fourth argument is false; where the path leads nowhere, nothing changes", Example: `jsonb_set('{"a": [1, 2]}', '{a,0}', '"x"')`, Args: []value.Type{jsonType, Any, jsonType, boolean}, Optional: 1, Result: jsonType, Long: jsonSet},
	{Name: "jsonb_insert", Doc: "the JSON with a value added at a path, an array of keys and 0-based places, from the end if negative: before what stands in an array there, or behind it if the fourth argument is true, and in an object under a key that it has not; where the path leads nowhere, nothing changes", Example: `jsonb_insert('{"a": [1, 2]}', '{a,1}', '"x"')`, Args: []value.Type{jsonType, Any, jsonType, boolean}, Optional: 1, Result: jsonType, Long: jsonInsert},
	{Name: JSONDelete, Doc: "an object without a key, or an array without the strings that equal it or the member at a 0-based place, from the end if negative; of several keys an array; j - key", Example: `jsonb_delete('{"a": 1, "b": 2}', 'a')`, Args: []value.Type{jsonType, Any}, Result: jsonType, Long: jsonDelete},
	{Name: "jsonb_strip_nulls", Doc: "the JSON without members of objects that are null", Example: `jsonb_strip_nulls('{"a": null, "b": [null]}')`, Args: []value.Type{jsonType}, Result: jsonType, Long: stripNulls},
	{Name: "json_strip_nulls", Doc: "the same as jsonb_strip_nulls", Example: `json_strip_nulls('{"a": null}')`, Args: []value.Type{jsonType}, Result: jsonType, Long: stripNulls},
	{Name: "jsonb_pretty", Doc: "the JSON with a line for each member, four spaces further in for each level", Example: `length(jsonb_pretty('{"a": [1]}'))`, Args: []value.Type{jsonType}, Result: text, Long: jsonPretty},
}

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

func builtArray(list []string) string { return "[" + strings.Join(list, ",") + "]" }

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

func jsonSet(ctx context.Context, a []value.Value) (value.Value, error) {
	return edited(a, &jsonEdit{ctx: ctx, create: len(a) < 4 || a[3].Bool()})
}

func jsonInsert(ctx context.Context, a []value.Value) (value.Value, error) {
	return edited(a, &jsonEdit{ctx: ctx, create: true, insert: true, behind: len(a) > 3 && a[3].Bool()})
}

func edited(a []value.Value, e *jsonEdit) (value.Value, error) {
	raw, err := parseJSON(e.ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	with, err := parseJSON(e.ctx, a[2].S)
	if err != nil {
		return value.Value{}, err
	}
	path, err := ItemsWithin(e.ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	if kind := kindOfJSON(raw); kind != "object" && kind != "array" {
		return value.Value{}, &Fault{Code: "22023", Msg: "a path leads into an object or an array, not into a " + kind}
	}
	e.with = string(with)
	s, err := e.at(string(raw), path)
	return value.Value{T: value.JSON, S: s}, err
}

// jsonEdit puts a value at a path.
type jsonEdit struct {
	ctx    context.Context
	with   string
	create bool // what is not there
	insert bool // beside what is there, in arrays behind it
	behind bool
	remove bool // what is there
}

func (e *jsonEdit) at(raw string, path []value.Value) (string, error) {
	if len(path) == 0 {
		return raw, nil
	}
	switch kindOfJSON(json.RawMessage(raw)) {
	case "object":
		return e.object(raw, path)
	case "array":
		return e.array(raw, path)
	}
	return raw, nil
}

// put is what stands in place of a member.
func (e *jsonEdit) put(old string, path []value.Value) (string, error) {
	if len(path) == 1 {
		return e.with, nil
	}
	return e.at(old, path[1:])
}

func (e *jsonEdit) object(raw string, path []value.Value) (string, error) {
	list, err := pairs(e.ctx, raw, false)
	if err != nil {
		return "", err
	}
	key, found := path[0].String(), false
	if e.remove && len(path) == 1 {
		list = slices.DeleteFunc(list, func(p pair) bool { return p.key == key })
	}
	for i := range list {
		if list[i].key == key {
			if found = true; e.insert && len(path) == 1 {
				return "", &Fault{Code: "22023", Msg: "the object has the key '" + start(key) + "'", Hint: "jsonb_set replaces its value"}
			}
			if list[i].value, err = e.put(list[i].value, path); err != nil {
				return "", err
			}
		}
	}
	if !found && e.create && len(path) == 1 {
		list = append(list, pair{key, e.with})
	}
	return builtObject(list)
}

func (e *jsonEdit) array(raw string, path []value.Value) (string, error) {
	n, err := strconv.Atoi(path[0].String())
	if err != nil {
		return "", value.Malformed(value.ErrMalformed, "'%s' in the path is no place in an array", path[0])
	}
	list, err := membersWithin(e.ctx, raw)
	if err != nil {
		return "", err
	}
	i := n
	if i < 0 {
		i += len(list)
	}
	switch {
	case i >= 0 && i < len(list) && e.remove && len(path) == 1:
		list = slices.Delete(list, i, i+1)
	case i >= 0 && i < len(list) && e.insert && len(path) == 1:
		if e.behind {
			i++
		}
		list = slices.Insert(list, i, e.with)
	case i >= 0 && i < len(list):
		list[i], err = e.put(list[i], path)
	case !e.create || len(path) > 1:
	case n < 0:
		list = slices.Insert(list, 0, e.with)
	default:
		list = append(list, e.with)
	}
	return builtArray(list), err
}

func jsonDelete(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	gone := map[string]bool{}
	switch {
	case a[1].T == value.Integer:
		return deleteAt(ctx, string(raw), a[1].Int())
	case a[1].T == value.JSON:
		keys, err := ItemsWithin(ctx, a[1])
		if err != nil {
			return value.Value{}, err
		}
		for _, k := range keys {
			gone[k.String()] = !k.IsNull()
		}
	default:
		gone[a[1].String()] = true
	}
	switch kind := kindOfJSON(raw); kind {
	case "object":
		list, err := pairs(ctx, string(raw), false)
		if err != nil {
			return value.Value{}, err
		}
		s, err := builtObject(slices.DeleteFunc(list, func(p pair) bool { return gone[p.key] }))
		return value.Value{T: value.JSON, S: s}, err
	case "array":
		list, err := membersWithin(ctx, string(raw))
		if err != nil {
			return value.Value{}, err
		}
		list = slices.DeleteFunc(list, func(m string) bool {
			v := scalarOf(json.RawMessage(m))
			return v.T == value.Text && gone[v.S]
		})
		return value.Value{T: value.JSON, S: builtArray(list)}, nil
	default:
		return value.Value{}, &Fault{Code: "22023", Msg: "nothing can be deleted from a " + kind}
	}
}

// deleteAt leaves the member at a place out.
func deleteAt(ctx context.Context, raw string, i int64) (value.Value, error) {
	if kind := kindOfJSON(json.RawMessage(raw)); kind != "array" {
		return value.Value{}, &Fault{Code: "22023", Msg: fmt.Sprintf("a place counts members of an array, not of a value that is %s", kind)}
	}
	list, err := membersWithin(ctx, raw)
	if err != nil {
		return value.Value{}, err
	}
	if i < 0 {
		i += int64(len(list))
	}
	if i >= 0 && i < int64(len(list)) {
		list = slices.Delete(list, int(i), int(i)+1)
	}
	return value.Value{T: value.JSON, S: builtArray(list)}, nil
}

func stripNulls(ctx context.Context, a []value.Value) (value.Value, error) {
	raw, err := parseJSON(ctx, a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	s, err := stripped(ctx, string(raw))
	return value.Value{T: value.JSON, S: s}, err
}

func stripped(ctx context.Context, raw string) (string, error) {
	switch kindOfJSON(json.RawMessage(raw)) {
	case "object":
		list, err := pairs(ctx, raw, false)
		if err != nil {
			return "", err
		}
		list = slices.DeleteFunc(list, func(p pair) bool { return p.value == "null" })
		for i := range list {
			if list[i].value, err = stripped(ctx, list[i].value); err != nil {
				return "", err
			}
		}
		return builtObject(list)
	case "array":
		list, err := membersWithin(ctx, raw)
		if err != nil {
			return "", err
		}
		for i := range list {
			if i%itemsTurn == itemsTurn-1 && ctx.Err() != nil {
				return "", ctx.Err()
			}
			if list[i], err = stripped(ctx, list[i]); err != nil {
				return "", err
			}
		}
		return builtArray(list), nil
	}
	return raw, nil
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
