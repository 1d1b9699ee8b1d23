package columnar

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"parlance/storage/value"
)

// cell reads the value of a row of an array, which is not NULL there.
type cell func(i int) (value.Value, error)

// valued is an array of values of one Go type.
type valued[T any] interface{ Value(int) T }

// of reads an array whose values convert makes.
func of[T any](a valued[T], convert func(T) (value.Value, error)) cell {
	return func(i int) (value.Value, error) { return convert(a.Value(i)) }
}

// integers reads an array of integers that an INTEGER always holds.
func integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](a valued[T]) cell {
	return func(i int) (value.Value, error) { return value.Int(int64(a.Value(i))), nil }
}

// texts reads an array of texts.
func texts(a valued[string]) cell {
	return of(a, func(s string) (value.Value, error) {
		return value.Str(string([]byte(s))), value.CheckText(s) // a copy: the memory of the batch is used again
	})
}

func blobs(a valued[[]byte]) cell {
	return of(a, func(b []byte) (value.Value, error) { return value.Blob(b), nil })
}

// cells returns what reads the values of an array. rounded is called for decimals that a float does not keep.
func cells(arr arrow.Array, rounded func()) (cell, error) {
	switch a := arr.(type) {
	case *array.Int8:
		return integers(a), nil
	case *array.Int16:
		return integers(a), nil
	case *array.Int32:
		return integers(a), nil
	case *array.Int64:
		return integers(a), nil
	case *array.Uint8:
		return integers(a), nil
	case *array.Uint16:
		return integers(a), nil
	case *array.Uint32:
		return integers(a), nil
	case *array.Uint64:
		return of(a, unsigned), nil
	case *array.Float16:
		return func(i int) (value.Value, error) { return value.Real(float64(a.Value(i).Float32())), nil }, nil
	case *array.Float32:
		return of(a, func(x float32) (value.Value, error) { return value.Real(float64(x)), nil }), nil
	case *array.Float64:
		return of(a, func(x float64) (value.Value, error) { return value.Real(x), nil }), nil
	case *array.Boolean:
		return of(a, func(x bool) (value.Value, error) { return value.Bool(x), nil }), nil
	case *array.String:
		return texts(a), nil
	case *array.LargeString:
		return texts(a), nil
	case *array.StringView:
		return texts(a), nil
	case *array.Binary:
		return blobs(a), nil
	case *array.LargeBinary:
		return blobs(a), nil
	case *array.BinaryView:
		return blobs(a), nil
	case *array.FixedSizeBinary:
		return blobs(a), nil
	case *array.Null:
		return func(int) (value.Value, error) { return value.Value{}, nil }, nil
	}
	return furtherCells(arr, rounded)
}

// furtherCells is cells for times, decimals, and arrays of arrays.
func furtherCells(arr arrow.Array, rounded func()) (cell, error) {
	switch a := arr.(type) {
	case *array.Date32:
		return of(a, func(d arrow.Date32) (value.Value, error) { return instant(int64(d), microsecondsPerDay, 1) }), nil
	case *array.Date64:
		return of(a, func(d arrow.Date64) (value.Value, error) { return instant(int64(d), 1000, 1) }), nil
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return of(a, func(t arrow.Timestamp) (value.Value, error) { return timestamp(int64(t), unit) }), nil
	case *array.Time32:
		unit := a.DataType().(*arrow.Time32Type).Unit
		return of(a, func(t arrow.Time32) (value.Value, error) { return clock(t.ToTime(unit)), nil }), nil
	case *array.Time64:
		unit := a.DataType().(*arrow.Time64Type).Unit
		return of(a, func(t arrow.Time64) (value.Value, error) { return clock(t.ToTime(unit)), nil }), nil
	case *array.Dictionary:
		return dictionary(a, rounded)
	case array.ExtensionArray:
		return extension(a, rounded)
	}
	if t, ok := arr.DataType().(arrow.DecimalType); ok {
		return decimals(arr, t, rounded), nil
	}
	if nestedType(arr.DataType()) {
		return func(i int) (value.Value, error) {
			text, err := appendJSON(nil, arr, i, 0)
			return value.Value{T: value.JSON, S: string(text)}, err
		}, nil
	}
	return nil, fmt.Errorf("the type %s is not supported", arr.DataType())
}

func unsigned(x uint64) (value.Value, error) {
	if x > math.MaxInt64 {
		return value.Value{}, fmt.Errorf("%d is beyond INTEGER", x)
	}
	return value.Int(int64(x)), nil
}

const microsecondsPerDay = 24 * 60 * 60 * 1_000_000

// instant is n units of a number of microseconds, or n parts of a microsecond, since 1970.
func instant(n, microseconds, parts int64) (value.Value, error) {
	switch {
	case parts > 1 && n%parts != 0:
		return value.Value{}, fmt.Errorf("%d ns since 1970 is no whole number of microseconds, which a TIMESTAMP holds", n)
	case parts > 1:
		n /= parts
	case n > math.MaxInt64/microseconds || n < math.MinInt64/microseconds:
		return value.Value{}, fmt.Errorf("%d units of %d µs since 1970 are beyond TIMESTAMP", n, microseconds)
	default:
		n *= microseconds
	}
	if n < firstTime || n > lastTime {
		return value.Value{}, fmt.Errorf("the time is outside of the years 1 to 9999")
	}
	return value.Value{T: value.Timestamp, N: uint64(n)}, nil
}

// The times that are written with years of four digits.
var (
	firstTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	lastTime  = time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC).UnixMicro()
)

func timestamp(n int64, unit arrow.TimeUnit) (value.Value, error) {
	switch unit {
	case arrow.Second:
		return instant(n, 1_000_000, 1)
	case arrow.Millisecond:
		return instant(n, 1000, 1)
	case arrow.Microsecond:
		return instant(n, 1, 1)
	}
	return instant(n, 1, 1000)
}

// clock is a time of day as a text.
func clock(t time.Time) value.Value { return value.Str(t.Format("15:04:05.999999999")) }

// dictionary reads numbers of words, each word once.
func dictionary(a *array.Dictionary, rounded func()) (cell, error) {
	words, err := cells(a.Dictionary(), rounded)
	if err != nil {
		return nil, err
	}
	return func(i int) (value.Value, error) {
		k := a.GetValueIndex(i)
		switch {
		case k < 0 || k >= a.Dictionary().Len():
			return value.Value{}, fmt.Errorf("word %d of a dictionary of %d", k, a.Dictionary().Len())
		case a.Dictionary().IsNull(k):
			return value.Value{}, nil
		}
		return words(k)
	}, nil
}

// extension reads the values of an extension type by those of the type below it.
func extension(a array.ExtensionArray, rounded func()) (cell, error) {
	below, err := cells(a.Storage(), rounded)
	if err != nil {
		return nil, err
	}
	switch a.ExtensionType().ExtensionName() {
	case jsonExtension:
		return func(i int) (value.Value, error) {
			v, err := below(i)
			if err != nil {
				return v, err
			}
			return value.Cast(value.Str(v.S), value.JSON)
		}, nil
	case uuidExtension:
		return func(i int) (value.Value, error) {
			v, err := below(i)
			if err != nil || len(v.S) != 16 {
				return v, err
			}
			return value.Str(fmt.Sprintf("%x-%x-%x-%x-%x", v.S[:4], v.S[4:6], v.S[6:8], v.S[8:10], v.S[10:])), nil
		}, nil
	}
	return below, nil
}

// decimals reads decimals as the numbers that they are.
func decimals(arr arrow.Array, t arrow.DecimalType, rounded func()) cell {
	whole := decimalType(t) == value.Integer
	return func(i int) (value.Value, error) {
		text := arr.ValueStr(i)
		if whole {
			n, err := strconv.ParseInt(text, 10, 64)
			return value.Int(n), err
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return value.Value{}, err
		}
		if int(t.GetPrecision()) > floatDigits && !isExact(text, x) {
			rounded()
		}
		return value.Real(x), nil
	}
}

// floatDigits is how many decimal digits a FLOAT always keeps.
const floatDigits = 15

// isExact reports whether a float, written with as few digits as tell it from others, is a decimal.
func isExact(text string, x float64) bool {
	a, ok := new(big.Rat).SetString(text)
	b, fine := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return ok && fine && a.Cmp(b) == 0
}
