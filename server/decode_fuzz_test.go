package server

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"parlance/storage/value"
	"parlance/storage/value/pg"

	"pgregory.net/rapid"
)

// values draws values of a type that have a form on the wire.
func values(t value.Type) *rapid.Generator[value.Value] {
	return rapid.Custom(func(r *rapid.T) value.Value {
		switch t {
		case value.Integer:
			return value.Int(rapid.Int64().Draw(r, "n"))
		case value.Float:
			return value.Real(rapid.OneOf(rapid.Float64(),
				rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.MaxFloat64, 5e-324})).Draw(r,
				"x"))
		case value.Boolean:
			return value.Bool(rapid.Bool().Draw(r, "b"))
		case value.Timestamp:
			// years 1 to 9999
			return value.Time(time.UnixMicro(rapid.Int64Range(-62135596800_000000, 253402300799_999999).Draw(r, "t")))
		case value.Bytes:
			return value.Blob(rapid.SliceOf(rapid.Byte()).Draw(r, "b"))
		case value.Vector:
			return value.Vec32(rapid.SliceOf(rapid.Float32()).Draw(r, "v"))
		case value.JSON:
			return value.Value{T: value.JSON,
				S: rapid.SampledFrom([]string{"null", "{}", `{"a":[1,2.5,"é"]}`, `"x"`, "-0.5"}).Draw(r, "j")}
		}
		return value.Str(strings.ReplaceAll(rapid.String().Draw(r, "s"), "\x00", ""))
	})
}

// TestValuesComeBack writes values in both formats and reads them again.
func TestValuesComeBack(t *testing.T) {
	for _, typ := range []value.Type{value.Text, value.Integer, value.Float, value.Boolean, value.Timestamp, value.Bytes,
		value.Vector, value.JSON} {
		t.Run(typ.String(), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				v := values(typ).Draw(r, "value")
				oid, _ := pg.OID(typ)
				for _, format := range []int16{textFormat, binaryFormat} {
					raw, err := appendValue(nil, v, typ, format)
					if err != nil {
						r.Fatal(err)
					}
					got, err := decode(1, raw[4:], oid, false, format)
					if err != nil {
						r.Fatalf("format %d, %q: %v", format, raw[4:], err)
					}
					back, err := appendValue(nil, got, typ, format)
					if err != nil || got.T != typ || !bytes.Equal(back, raw) {
						r.Fatalf("format %d: %v becomes %v (%q)", format, v, got, raw)
					}
				}
			})
		})
	}
}

// FuzzDecode reads any bytes as a parameter of any type: what is no error can be written again.
func FuzzDecode(f *testing.F) {
	for oid := range pg.Types {
		f.Add([]byte("\x00\x00\x00\x01"), oid, int16(binaryFormat))
		f.Add([]byte("\x7f\xff\xff\xff\xff\xff\xff\xff"), oid, int16(binaryFormat))
		f.Add([]byte("1"), oid, int16(textFormat))
	}
	f.Add([]byte("\x00\x02\x00\x00\x40\x00\x00\x02\x00\x01\x09\xc4"), uint32(pg.NumericOID), int16(binaryFormat))
	f.Add([]byte(
		"\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02\xbc\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x04\x3f\x80\x00\x00"),
		uint32(pg.Float4ArrayOID), int16(binaryFormat))
	f.Add([]byte("{1,2.5}"), uint32(pg.Float8ArrayOID), int16(textFormat))
	f.Add([]byte("2026-11-21 12:00:00+01"), uint32(pg.TimestamptzOID), int16(textFormat))
	f.Add([]byte("\x01{}"), uint32(pg.JSONBOID), int16(binaryFormat))
	f.Add([]byte(`\x00ff`), uint32(pg.ByteaOID), int16(textFormat))
	f.Add([]byte(
		"\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x19\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01a\xff\xff\xff\xff"),
		pg.ArrayOID(value.Text), int16(binaryFormat))
	f.Fuzz(func(t *testing.T, raw []byte, oid uint32, format int16) {
		for _, array := range []bool{false, true} {
			v, err := decode(1, raw, oid, array, format)
			if err != nil {
				continue
			}
			for _, format := range []int16{textFormat, binaryFormat} {
				if _, err := appendValue(nil, v, v.T, format); err != nil {
					t.Errorf("%v: %v", v, err)
				}
			}
		}
	})
}
