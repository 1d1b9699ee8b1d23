package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// ID is an id in JSON: a text or a number.
func ID(v any) (string, bool) {
	switch v.(type) {
	case string, fmt.Stringer:
		s := fmt.Sprint(v)
		return s, s != ""
	}
	return "", false
}

// IDValue is an id as a number where it looks like one, as these tools have it.
func IDValue(id string) any {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil && strconv.FormatInt(n, 10) == id {
		return n
	}
	return id
}

// SetLabels adds labels: a text, number or truth, or a list of them.
func SetLabels(d *text.Document, v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names, before []string // of another member
	if l := d.Layer(text.Labels.Name); l != nil {
		before = l.Strs("label")
		names = slices.Clone(before)
	}
	for _, v := range list {
		name := fmt.Sprint(v)
		switch v.(type) {
		case string, json.Number, bool:
		default:
			name = ""
		}
		if name == "" {
			return fmt.Errorf("texts are wanted")
		}
		if !slices.Contains(before, name) {
			names = append(names, name)
		}
	}
	d.SetLayer(layers.Labels(names...))
	return nil
}

// SetField makes metadata of a member.
func SetField(d *text.Document, name string, v any, ended func() error) error {
	var x value.Value
	switch v := v.(type) {
	case string:
		x = value.Str(v)
	case bool:
		x = value.Bool(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			x = value.Int(n)
		} else if f, err := v.Float64(); err == nil {
			x = value.Real(f)
		} else {
			return err
		}
	default:
		raw, err := appendJSON(nil, v, &codec.Lookout{Ended: ended})
		if err != nil {
			return err
		}
		x = value.Value{T: value.JSON, S: string(raw)}
	}
	d.Fields = append(d.Fields, text.Field{Name: name, Value: x})
	return nil
}

// Number reads a whole member; ok is false without it.
func Number(m map[string]any, name string) (n int, ok bool) {
	v, is := m[name].(json.Number)
	if !is {
		return 0, false
	}
	i, err := strconv.ParseInt(v.String(), 10, 32)
	return int(i), err == nil
}

// WriteMember writes one member of an object.
func WriteMember(b *bytes.Buffer, name string, v any) error {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	k, err := json.Marshal(name)
	if err != nil {
		return err
	}
	b.Write(k)
	b.WriteByte(':')
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Write(bytes.TrimRight(out.Bytes(), "\n"))
	return nil
}

// PlainValue is a value as encoding/json writes it.
func PlainValue(v value.Value) any {
	switch v.T {
	case value.Null:
		return nil
	case value.Integer:
		return v.Int()
	case value.Float:
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1e15 {
			return json.RawMessage(strconv.FormatFloat(f, 'f', 1, 64)) // or it reads as an integer
		}
		return v.Float()
	case value.Boolean:
		return v.N != 0
	case value.JSON:
		return json.RawMessage(v.S)
	case value.Timestamp:
		return time.UnixMicro(v.Int()).UTC().Format(time.RFC3339Nano)
	}
	return v.String()
}

// WriteMetadata writes the metadata of a document that is not NULL.
func WriteMetadata(b *bytes.Buffer, d *text.Document) error {
	for _, f := range d.Fields {
		if f.Value.IsNull() {
			continue
		}
		if err := WriteMember(b, f.Name, PlainValue(f.Value)); err != nil {
			return err
		}
	}
	return nil
}
