package columnar

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"parlance/storage/value"
)

// arrowColumns are the columns that the fields of a schema are here.
func arrowColumns(s *arrow.Schema) []Column {
	var out []Column
	for _, f := range s.Fields() {
		c := Column{Name: f.Name}
		var err error
		if c.Type, err = arrowType(f); err != nil {
			c.Type, c.Refused = value.Null, err.Error()
		}
		out = append(out, c)
	}
	return out
}

// extensionKey names the type that a program makes of the stored one.
const (
	extensionKey  = "ARROW:extension:name"
	extensionMeta = "ARROW:extension:metadata"
	jsonExtension = "arrow.json"
	uuidExtension = "arrow.uuid"
)

// storageOf is a field of a type that the library knows, as it is stored.
func storageOf(f arrow.Field) arrow.Field {
	t := f.Type.(arrow.ExtensionType)
	return arrow.Field{Name: f.Name, Type: t.StorageType(),
		Metadata: arrow.NewMetadata([]string{extensionKey}, []string{t.ExtensionName()})}
}

func extensionOf(f arrow.Field) string {
	if i := f.Metadata.FindKey(extensionKey); i >= 0 {
		return f.Metadata.Values()[i]
	}
	return ""
}

// unread is the error of a type that has no counterpart.
func unread(t arrow.DataType) error {
	return errors.New(strings.ToUpper(strings.ReplaceAll(t.Name(), "_", " ")))
}

// arrowType is the type that holds the values of a field.
func arrowType(f arrow.Field) (value.Type, error) {
	switch t := f.Type.(type) {
	case *arrow.NullType, *arrow.Time32Type, *arrow.Time64Type:
		return value.Text, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		if extensionOf(f) == jsonExtension {
			return value.JSON, nil
		}
		return value.Text, nil
	case *arrow.BooleanType:
		return value.Boolean, nil
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type, *arrow.Uint8Type, *arrow.Uint16Type,
		*arrow.Uint32Type, *arrow.Uint64Type:
		return value.Integer, nil
	case *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type:
		return value.Float, nil
	case arrow.DecimalType:
		d := decimal{int(t.GetPrecision()), int(t.GetScale())}
		if d.isWhole() {
			return value.Integer, nil
		}
		if d.precision > maxDigits || d.scale < 0 || d.scale > d.precision {
			return value.Null, unread(t)
		}
		return value.Float, nil
	case *arrow.Date32Type, *arrow.Date64Type, *arrow.TimestampType:
		return value.Timestamp, nil
	case *arrow.FixedSizeBinaryType:
		if extensionOf(f) == uuidExtension && t.ByteWidth == 16 {
			return value.Text, nil
		}
		return value.Bytes, nil
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return value.Bytes, nil
	case *arrow.DictionaryType:
		return arrowType(arrow.Field{Type: t.ValueType, Metadata: f.Metadata})
	case arrow.ExtensionType:
		return arrowType(storageOf(f))
	case *arrow.StructType, arrow.ListLikeType:
		for _, child := range childFields(f.Type) {
			if _, err := arrowType(child); err != nil {
				return value.Null, err
			}
		}
		return value.JSON, nil
	}
	return value.Null, unread(f.Type)
}

// childFields are the fields within a field: those of a struct, the key and the value of a map, the element of a list.
func childFields(t arrow.DataType) []arrow.Field {
	switch t := t.(type) {
	case *arrow.StructType:
		return t.Fields()
	case *arrow.MapType:
		return []arrow.Field{t.KeyField(), t.ItemField()}
	case arrow.ListLikeType:
		return []arrow.Field{t.ElemField()}
	}
	return nil
}

// cells are the values of a field in a batch.
type cells struct {
	name     string
	typ      value.Type
	array    arrow.Array
	at       func(i int) (value.Value, error) // of a value that is there; nil for nested ones
	children []*cells                         // as childFields returns them
	index    func(i int) int                  // of a dictionary
	text     []byte                           // of the last nested value
}

// value is the value of row i.
func (c *cells) value(i int) (value.Value, error) {
	if c.isNull(i) {
		return value.Value{}, nil
	}
	if c.at != nil {
		v, err := c.at(i)
		if err != nil {
			err = &valueError{err}
		}
		return v, err
	}
	if c.index != nil {
		return c.children[0].value(c.index(i))
	}
	var err error
	c.text, err = c.append(c.text[:0], i)
	return value.Value{T: value.JSON, S: string(c.text)}, err
}

func (c *cells) isNull(i int) bool { return c.array.IsNull(i) }

// numbers is the values of rows from at on, of numbers of 64 bits, which are taken as they are stored.
func (c *cells) numbers(at, n int) (v value.Vec, ok bool) {
	switch a := c.array.(type) {
	case *array.Int64:
		v.Type, v.Ints = value.Integer, append([]int64(nil), a.Int64Values()[at:at+n]...)
	case *array.Float64:
		v.Type, v.Floats = value.Float, make([]float64, n)
		for i, x := range a.Float64Values()[at : at+n] {
			v.Floats[i] = x + 0 // -0 becomes 0
		}
	default:
		return v, false
	}
	for i := range n {
		if !c.isNull(at + i) {
			continue
		}
		if v.Null == nil {
			v.Null = make([]bool, n)
		}
		v.Null[i] = true
		if v.Ints != nil {
			v.Ints[i] = 0
		} else {
			v.Floats[i] = 0
		}
	}
	return v, true
}

// cellsOf prepares the values of a field. rounded is called for decimals that a float does not keep.
func cellsOf(f arrow.Field, a arrow.Array, rounded func()) (*cells, error) {
	c := &cells{name: f.Name, array: a}
	var err error
	if c.typ, err = arrowType(f); err != nil {
		return nil, err
	}
	below := func(f arrow.Field, a arrow.Array) error {
		child, err := cellsOf(f, a, rounded)
		c.children = append(c.children, child)
		return err
	}
	switch a := a.(type) {
	case *array.Struct:
		for k, child := range childFields(f.Type) {
			if err = below(child, a.Field(k)); err != nil {
				break
			}
		}
	case *array.Map:
		t := childFields(f.Type)
		err = errors.Join(below(t[0], a.Keys()), below(t[1], a.Items()))
	case array.ListLike:
		err = below(childFields(f.Type)[0], a.ListValues())
	case *array.Dictionary:
		c.index = a.GetValueIndex
		t := f.Type.(*arrow.DictionaryType)
		err = below(arrow.Field{Name: f.Name, Type: t.ValueType, Metadata: f.Metadata}, a.Dictionary())
	case array.ExtensionArray:
		return cellsOf(storageOf(f), a.Storage(), rounded)
	default:
		if c.at = plainCells(f, a, rounded); c.at == nil {
			err = unread(f.Type)
		}
	}
	return c, err
}

// plainCells reads values that are not nested.
func plainCells(f arrow.Field, a arrow.Array, rounded func()) func(i int) (value.Value, error) {
	real := func(x float64) (value.Value, error) { return value.Real(x), nil }
	bytes := func(of func(int) []byte) func(int) (value.Value, error) {
		return func(i int) (value.Value, error) { return value.Blob(of(i)), nil }
	}
	digits := func(of func(int) string) func(int) (value.Value, error) {
		t := f.Type.(arrow.DecimalType)
		d := &decimal{int(t.GetPrecision()), int(t.GetScale())}
		return func(i int) (value.Value, error) { return d.number(of(i), rounded) }
	}
	if integer := integerCells(a); integer != nil {
		return integer
	}
	switch a := a.(type) {
	case *array.Null:
		return func(int) (value.Value, error) { return value.Value{}, nil }
	case *array.Boolean:
		return func(i int) (value.Value, error) { return value.Bool(a.Value(i)), nil }
	case *array.Float16:
		return func(i int) (value.Value, error) { return real(float64(a.Value(i).Float32())) }
	case *array.Float32:
		return func(i int) (value.Value, error) { return real(float64(a.Value(i))) }
	case *array.Float64:
		return func(i int) (value.Value, error) { return real(a.Value(i)) }
	case *array.Decimal32:
		return digits(func(i int) string { return fmt.Sprint(int32(a.Value(i))) })
	case *array.Decimal64:
		return digits(func(i int) string { return fmt.Sprint(int64(a.Value(i))) })
	case *array.Decimal128:
		return digits(func(i int) string { return a.Value(i).BigInt().String() })
	case *array.Decimal256:
		return digits(func(i int) string { return a.Value(i).BigInt().String() })
	case array.StringLike:
		if extensionOf(f) == jsonExtension {
			return func(i int) (value.Value, error) { return jsonText([]byte(a.Value(i))) }
		}
		return func(i int) (value.Value, error) { return text([]byte(a.Value(i))) }
	case *array.FixedSizeBinary:
		if extensionOf(f) == uuidExtension && f.Type.(*arrow.FixedSizeBinaryType).ByteWidth == 16 {
			return func(i int) (value.Value, error) { return uuid(a.Value(i)) }
		}
		return bytes(a.Value)
	case *array.Binary:
		return bytes(a.Value)
	case *array.LargeBinary:
		return bytes(a.Value)
	case *array.BinaryView:
		return bytes(a.Value)
	}
	return timeCells(f, a)
}

// integerCells reads integers of any width.
func integerCells(a arrow.Array) func(i int) (value.Value, error) {
	of := func(at func(int) int64) func(int) (value.Value, error) {
		return func(i int) (value.Value, error) { return value.Int(at(i)), nil }
	}
	switch a := a.(type) {
	case *array.Int8:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Int16:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Int32:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Int64:
		return of(a.Value)
	case *array.Uint8:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Uint16:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Uint32:
		return of(func(i int) int64 { return int64(a.Value(i)) })
	case *array.Uint64:
		return func(i int) (value.Value, error) { return unsigned(int64(a.Value(i))) }
	}
	return nil
}

var arrowNanoseconds = map[arrow.TimeUnit]int64{arrow.Second: 1e9, arrow.Millisecond: 1e6, arrow.Microsecond: 1e3,
	arrow.Nanosecond: 1}

// timeCells reads dates, times and times of a day.
func timeCells(f arrow.Field, a arrow.Array) func(i int) (value.Value, error) {
	switch a := a.(type) {
	case *array.Date32:
		return func(i int) (value.Value, error) { return instant(int64(a.Value(i)), microsecondsPerDay, 1) }
	case *array.Date64:
		return func(i int) (value.Value, error) { return instant(int64(a.Value(i)), 1000, 1) }
	case *array.Timestamp:
		unit := arrowNanoseconds[f.Type.(*arrow.TimestampType).Unit]
		return func(i int) (value.Value, error) { return instant(int64(a.Value(i)), unit/1000, max(1, 1000/unit)) }
	case *array.Time32:
		unit := arrowNanoseconds[f.Type.(*arrow.Time32Type).Unit]
		return func(i int) (value.Value, error) { return clock(int64(a.Value(i)), unit) }
	case *array.Time64:
		unit := arrowNanoseconds[f.Type.(*arrow.Time64Type).Unit]
		return func(i int) (value.Value, error) { return clock(int64(a.Value(i)), unit) }
	}
	return nil
}

// append writes the value of row i as JSON, as assembly does: lists as arrays, structs as objects, maps as objects
// where their keys are texts and else as arrays of pairs.
func (c *cells) append(to []byte, i int) ([]byte, error) {
	if len(to) > maxPage {
		panic(tooLarge{len(to)})
	}
	if c.isNull(i) {
		return append(to, "null"...), nil
	}
	if c.index != nil {
		return c.children[0].append(to, c.index(i))
	}
	switch a := c.array.(type) {
	case *array.Struct:
		to = append(to, '{')
		for k, child := range c.children {
			var err error
			if k > 0 {
				to = append(to, ',')
			}
			if to, err = appendText(to, child.name); err != nil {
				return to, err
			}
			if to, err = child.append(append(to, ':'), i); err != nil {
				return to, err
			}
		}
		return append(to, '}'), nil
	case *array.Map:
		from, end := a.ValueOffsets(i)
		return c.appendMap(to, int(from), int(end))
	case array.ListLike:
		from, end := a.ValueOffsets(i)
		return appendEach(append(to, '['), int(from), int(end), ']', c.children[0].append)
	}
	v, err := c.value(i)
	if err != nil {
		return to, err
	}
	return appendScalar(to, v)
}

// appendEach writes the values of a list, and its end.
func appendEach(to []byte, from, end int, mark byte, each func([]byte, int) ([]byte, error)) (_ []byte, err error) {
	if from > end {
		return to, fmt.Errorf("a list begins at %d and ends at %d", from, end)
	}
	for k := from; k < end; k++ {
		if k > from {
			to = append(to, ',')
		}
		if to, err = each(to, k); err != nil {
			return to, err
		}
	}
	return append(to, mark), nil
}

func (c *cells) appendMap(to []byte, from, end int) ([]byte, error) {
	key, item := c.children[0], c.children[1]
	if key.typ != value.Text {
		return appendEach(append(to, '['), from, end, ']', func(to []byte, k int) ([]byte, error) {
			to, err := key.append(append(to, '['), k)
			if err != nil {
				return to, err
			}
			to, err = item.append(append(to, ','), k)
			return append(to, ']'), err
		})
	}
	return appendEach(append(to, '{'), from, end, '}', func(to []byte, k int) ([]byte, error) {
		if key.isNull(k) {
			return to, &valueError{errors.New("a key of a map is NULL")}
		}
		to, err := key.append(to, k)
		if err != nil {
			return to, err
		}
		return item.append(append(to, ':'), k)
	})
}
