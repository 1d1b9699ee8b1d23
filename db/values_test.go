package db_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"parlance/db"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// Named types of arguments and destinations.
type (
	count int64
	flag  bool
)

// one runs a query, scans its only row and returns the error of whatever failed first.
func one(t *testing.T, c *db.Conn, q string, args []any, dst ...any) error {
	t.Helper()
	rows, err := c.Query(context.Background(), q, args...)
	if err != nil {
		return err
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !rows.Next() {
		t.Fatalf("%s gives no row: %v", q, rows.Err())
	}
	if err := rows.Scan(dst...); err != nil {
		return err
	}
	if rows.Next() {
		t.Fatalf("%s gives a second row", q)
	}
	return nil
}

// TestArgumentsComeBack sends Go values as parameters and reads them as they are.
func TestArgumentsComeBack(t *testing.T) {
	c := open(t, "").Conn()
	at := time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.UTC)
	seven := 7
	for _, tc := range []struct{ arg, want any }{
		{nil, nil},
		{(*int)(nil), nil},
		{&seven, int64(7)},
		{int8(math.MinInt8), int64(math.MinInt8)},
		{int64(math.MaxInt64), int64(math.MaxInt64)},
		{int64(math.MinInt64), int64(math.MinInt64)},
		{uint32(math.MaxUint32), int64(math.MaxUint32)},
		{count(3), int64(3)},
		{float32(0.25), 0.25},
		{-1e-300, -1e-300},
		{"", ""},
		{"日本語\n\t'\"\x01", "日本語\n\t'\"\x01"},
		{true, true},
		{false, false},
		{at, at},
		{at.In(time.FixedZone("east", 3600)), at},
		{[]byte{}, []byte{}},
		{[]byte{0, 255, 128}, []byte{0, 255, 128}},
		{[]float32{}, []float32{}},
		{[]float32{1.5, -0.25, math.MaxFloat32}, []float32{1.5, -0.25, math.MaxFloat32}},
		{value.Str("v"), "v"},
		{value.Int(-1), int64(-1)},
		{sql.NullString{String: "s", Valid: true}, "s"},
		{sql.NullInt64{}, nil},
		{(*sql.NullString)(nil), nil},
	} {
		var got any
		if err := one(t, c, "SELECT $1", []any{tc.arg}, &got); err != nil {
			t.Errorf("%T %v: %v", tc.arg, tc.arg, err)
		} else if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%T %v comes back as %T %v", tc.arg, tc.arg, got, got)
		}
	}
}

// TestNumbersComeBack does so with any number and any text.
func TestNumbersComeBack(t *testing.T) {
	c := open(t, "").Conn()
	rapid.Check(t, func(rt *rapid.T) {
		i, f, s := rapid.Int64().Draw(rt, "i"), rapid.Float64().Draw(rt, "f"),
			strings.ReplaceAll(rapid.String().Draw(rt, "s"), "\x00", "")
		var gi int64
		var gf float64
		var gs string
		if err := one(t, c, "SELECT $1, $2, $3", []any{i, f, s}, &gi, &gf, &gs); err != nil {
			rt.Fatal(err)
		}
		if gi != i || gf != f || gs != s {
			rt.Fatalf("%d %v %q come back as %d %v %q", i, f, s, gi, gf, gs)
		}
	})
}

// TestArgumentsRefused names the parameter that cannot be sent.
func TestArgumentsRefused(t *testing.T) {
	c := open(t, "").Conn()
	for _, tc := range []struct {
		arg        any
		code, want string
	}{
		{struct{ A int }{}, "22023", "parameter $2: the type struct { A int } is not supported"},
		{uint64(math.MaxInt64) + 1, "22023", "parameter $2: 9223372036854775808 is too large"},
		{make(chan int), "22023", "parameter $2: the type chan int is not supported"},
		{map[string]int{}, "22023", "parameter $2: the type map[string]int is not supported"},
		{"a\x00b", "22021", "parameter $2: byte 0x00 cannot stand in a text"},
		{sql.NullString{String: "a\xff", Valid: true}, "22021", "parameter $2: byte 0xff is not UTF-8"},
		{json.RawMessage("\"a\xff\""), "22021", "parameter $2: byte 0xff is not UTF-8"},
	} {
		_, err := c.Exec(context.Background(), "SELECT $1, $2", 1, tc.arg)
		var e *db.Error
		if !errors.As(err, &e) || e.Message != tc.want || e.Code != tc.code {
			t.Errorf("%T gives %v, want %s", tc.arg, err, tc.want)
		}
	}
}

// TestScanIntoTypes reads one value into every type that holds it.
func TestScanIntoTypes(t *testing.T) {
	c := open(t, "").Conn()
	for _, tc := range []struct {
		arg  any
		dst  any // pointer to the zero value
		want any
	}{
		{5, new(int), 5},
		{5, new(int8), int8(5)},
		{5, new(int64), int64(5)},
		{5, new(count), count(5)},
		{5, new(uint8), uint8(5)},
		{5, new(float64), 5.0},
		{5, new(float32), float32(5)},
		{5, new(string), "5"},
		{0.5, new(float64), 0.5},
		{0.5, new(string), "0.5"},
		{true, new(bool), true},
		{true, new(string), "true"},
		{"x", new(string), "x"},
		{"x", new(value.Value), value.Str("x")},
		{"x", new(sql.NullString), sql.NullString{String: "x", Valid: true}},
		{nil, new(sql.NullString), sql.NullString{}},
		{7, new(sql.NullInt64), sql.NullInt64{Int64: 7, Valid: true}},
		{[]byte("b"), new([]byte), []byte("b")},
		{"b", new([]byte), []byte("b")},
		{true, new(flag), flag(true)},
		{[]float32{1, 2}, new([]float32), []float32{1, 2}},
		{time.UnixMicro(1).UTC(), new(time.Time), time.UnixMicro(1).UTC()},
		{nil, new(any), nil},
		{nil, new(*int), (*int)(nil)},
		{nil, new(value.Value), value.Value{}},
	} {
		if err := one(t, c, "SELECT $1", []any{tc.arg}, tc.dst); err != nil {
			t.Errorf("%v into %T: %v", tc.arg, tc.dst, err)
		} else if got := reflect.ValueOf(tc.dst).Elem().Interface(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%v into %T is %v, want %v", tc.arg, tc.dst, got, tc.want)
		}
	}
	p := new(string)
	if err := one(t, c, "SELECT 'x'", nil, &p); err != nil || *p != "x" {
		t.Errorf("into **string: %q, %v", *p, err)
	}
	if err := one(t, c, "SELECT NULL", nil, &p); err != nil || p != nil {
		t.Errorf("NULL into **string: %v, %v", p, err)
	}
}

// TestScanRefuses what would lose something, and leaves the destination alone.
func TestScanRefuses(t *testing.T) {
	c := open(t, "").Conn()
	for _, tc := range []struct {
		arg  any
		dst  any
		want string
	}{
		{300, new(int8), "scan: column a: integer does not fit into int8"},
		{0.5, new(int), "scan: column a: float does not fit into int"},
		{"5", new(int), "scan: column a: text does not fit into int"},
		{"5", new(float64), "scan: column a: text does not fit into float64"},
		{-1, new(uint), "scan: column a: integer does not fit into uint"},
		{300, new(uint8), "scan: column a: integer does not fit into uint8"},
		{1e300, new(float32), "scan: column a: float does not fit into float32"},
		{1, new(bool), "scan: column a: integer does not fit into bool"},
		{1, new(time.Time), "scan: column a: integer does not fit into time.Time"},
		{nil, new(int), "scan: column a: it is NULL; scan into a pointer to int"},
		{nil, new(string), "scan: column a: it is NULL; scan into a pointer to string"},
		{1, 1, "scan: column a: a pointer is wanted, not int"},
		{1, nil, "scan: column a: a pointer is wanted, not <nil>"},
		{1, (*int)(nil), "scan: column a: a pointer is wanted, not *int"},
	} {
		err := one(t, c, "SELECT $1 AS a", []any{tc.arg}, tc.dst)
		var e *db.Error
		if !errors.As(err, &e) || e.Message != tc.want || e.Code != "42804" {
			t.Errorf("%v into %T gives %v, want %s", tc.arg, tc.dst, err, tc.want)
		}
		if v := reflect.ValueOf(tc.dst); v.Kind() == reflect.Pointer && !v.IsNil() && !v.Elem().IsZero() {
			t.Errorf("%v into %T stored %v", tc.arg, tc.dst, v.Elem())
		}
	}
	var a, b int
	if err := one(t, c, "SELECT 1, 2, 3", nil, &a, &b); err == nil ||
		!strings.Contains(err.Error(), "2 destinations for 3 columns") {
		t.Errorf("too few destinations: %v", err)
	}
	rows, err := c.Query(context.Background(), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := rows.Scan(&a); err == nil || !strings.Contains(err.Error(), "call Next first") {
		t.Errorf("Scan before Next: %v", err)
	}
}

// TestParametersAreCounted wants as many arguments as the statement has parameters.
func TestParametersAreCounted(t *testing.T) {
	c := open(t, "").Conn()
	for _, args := range [][]any{{}, {1}, {1, 2, 3}} {
		_, err := c.Exec(context.Background(), "SELECT $1, $2", args...)
		var e *db.Error
		if !errors.As(err, &e) || e.Code != "08P01" {
			t.Errorf("%d arguments for 2 parameters: %v", len(args), err)
		}
	}
}
