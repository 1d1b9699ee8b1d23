package spacy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

// TestMsgValues reads what the library writes, and refuses it wherever it is cut.
func TestMsgValues(t *testing.T) {
	in := []any{nil, true, false, int8(-3), int16(-300), int32(-70000), int64(math.MinInt64), uint8(200), uint16(60000),
		uint32(4e9), uint64(math.MaxUint64), uint64(7), float32(1.5), 2.25, "", "é", strings.Repeat("a", 300),
		strings.Repeat("b", 70000), []byte{}, []byte{1, 2}, make([]byte, 300), make([]byte, 70000), []any{},
		map[string]any{"k": []any{int8(1)}}, time.Unix(1, 2)}
	want := []any{nil, true, false, int64(-3), int64(-300), int64(-70000), int64(math.MinInt64), int64(200),
		int64(60000), int64(4e9), uint64(math.MaxUint64), int64(7), 1.5, 2.25, "", "é", in[16], in[17], []byte{},
		[]byte{1, 2}, in[20], in[21], []any{}, map[string]any{"k": []any{int64(1)}}, nil}
	data, err := msgpack.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := newMsgReader(data, nil).value()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%.300v, %v", fmt.Sprint(got), err)
	}
	for n := 0; n < len(data); n += 1 + n/50 {
		if v, err := newMsgReader(data[:n:n], nil).value(); err == nil {
			t.Errorf("%d bytes of %d give %v", n, len(data), v)
		}
	}
	v, err := newMsgReader([]byte("\x82\x01\x05\xc4\x01b\x02"), nil).value()
	if err != nil || !reflect.DeepEqual(v, map[string]any{"1": int64(5), "b": int64(2)}) {
		t.Errorf("a map of other keys: %v, %v", v, err)
	}
}

// TestMsgBounds: lengths and counts beyond the data and values that lie deep are refused before memory is taken.
func TestMsgBounds(t *testing.T) {
	deep := strings.Repeat("\x91", deepest)
	for in, want := range map[string]string{
		"\xdb\xff\xff\xff\xffabc":          "the data ends within",
		"\xc6\x7f\xff\xff\xffabc":          "the data ends within",
		"\xc9\x7f\xff\xff\xff\x01abc":      "the data ends within",
		"\xdd\x10\x00\x00\x00\x01":         "268435456 values of MessagePack are more than the data",
		"\xdf\x10\x00\x00\x00\x01":         "536870912 values of MessagePack are more than the data",
		"\x91\xdd\xff\xff\xff\xff\x01\x02": "are more than the data",
		deep + "\x91\x01":                  "more than 32 deep",
		strings.Repeat("\x81\x01", 100000): "more than 32 deep",
		"\xc1":                             "no value of MessagePack",
		"":                                 "the data ends within",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := newMsgReader([]byte(in), nil).value()
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.12q: %v, want %s", in, err, want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%.12q: %d bytes of memory", in, n)
		}
	}
	if _, err := newMsgReader([]byte(deep+"\x01"), nil).value(); err != nil {
		t.Errorf("%d lists in each other: %v", deepest, err)
	}
	ended := func() error { return context.Canceled }
	_, err := newMsgReader([]byte("\xdc\xff\xff"+strings.Repeat("\x01", 1<<16)), ended).value()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
