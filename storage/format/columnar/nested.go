package columnar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"parlance/storage/value"
)

// maxDepth bounds how deep lists and structs stand in each other.
const maxDepth = 64

// appendJSON writes row i of an array as JSON: lists as arrays, structs as objects, maps as objects where their keys
// are texts and else as arrays of pairs, other values as JSON has them, and as texts where it does not.
func appendJSON(to []byte, arr arrow.Array, i, depth int) ([]byte, error) {
	if depth > maxDepth {
		return to, fmt.Errorf("lists and structs stand in each other more than %d deep", maxDepth)
	}
	if arr.IsNull(i) {
		return append(to, "null"...), nil
	}
	switch a := arr.(type) {
	case *array.Map:
		return appendMap(to, a, i, depth)
	case array.ListLike:
		from, end := a.ValueOffsets(i)
		return appendList(to, a.ListValues(), from, end, depth)
	case *array.Struct:
		return appendStruct(to, a, i, depth)
	}
	read, err := cells(arr, func() {})
	if err != nil {
		return to, err
	}
	v, err := read(i)
	if err != nil {
		return to, err
	}
	return appendScalar(to, v)
}

func appendList(to []byte, values arrow.Array, from, end int64, depth int) ([]byte, error) {
	if from < 0 || end < from || end > int64(values.Len()) {
		return to, fmt.Errorf("a list takes the values %d to %d of %d", from, end, values.Len())
	}
	to = append(to, '[')
	for k := from; k < end; k++ {
		if k > from {
			to = append(to, ',')
		}
		var err error
		if to, err = appendJSON(to, values, int(k), depth+1); err != nil {
			return to, err
		}
	}
	return append(to, ']'), nil
}

func appendStruct(to []byte, a *array.Struct, i, depth int) (_ []byte, err error) {
	to = append(to, '{')
	for k, f := range a.DataType().(*arrow.StructType).Fields() {
		if k > 0 {
			to = append(to, ',')
		}
		if to, err = appendText(to, f.Name); err != nil {
			return to, err
		}
		if to, err = appendJSON(append(to, ':'), a.Field(k), i, depth+1); err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

func appendMap(to []byte, a *array.Map, i, depth int) (_ []byte, err error) {
	from, end := a.ValueOffsets(i)
	if from < 0 || end < from || end > int64(a.Keys().Len()) || end > int64(a.Items().Len()) {
		return to, fmt.Errorf("a map takes the entries %d to %d of %d", from, end, a.Keys().Len())
	}
	key, err := cells(a.Keys(), func() {})
	if err != nil {
		return to, err
	}
	begin, between, finish := "{", ":", "}"
	if t, _ := typeOf(a.Keys().DataType()); t != value.Text {
		begin, between, finish = "[[", ",", "]"
	}
	pairs := begin == "[["
	to = append(to, begin[0])
	for k := from; k < end; k++ {
		if k > from {
			to = append(to, ',')
		}
		if pairs {
			to = append(to, '[')
		}
		v, err := key(int(k))
		if err != nil {
			return to, err
		}
		if to, err = appendScalar(to, v); err != nil {
			return to, err
		}
		if to, err = appendJSON(append(to, between...), a.Items(), int(k), depth+1); err != nil {
			return to, err
		}
		if pairs {
			to = append(to, ']')
		}
	}
	return append(to, finish...), nil
}

// appendScalar writes a value; what JSON has no number for is a text.
func appendScalar(to []byte, v value.Value) ([]byte, error) {
	switch v.T {
	case value.Null:
		return append(to, "null"...), nil
	case value.JSON:
		return append(to, v.S...), nil
	case value.Integer, value.Boolean:
		return append(to, v.String()...), nil
	case value.Float:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return append(to, v.String()...), nil
		}
	}
	return appendText(to, v.String())
}

func appendText(to []byte, s string) ([]byte, error) {
	if err := value.CheckText(s); err != nil {
		return to, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), err
}
