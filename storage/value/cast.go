package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrRange is what errors about numbers are that their type cannot hold.
var ErrRange = errors.New("out of range")

// Cast converts v to type t as CAST does. NULL stays NULL. The error says what did not fit.
func Cast(v Value, t Type) (Value, error) {
	if v.T == t || v.T == Null {
		return v, nil
	}
	switch t {
	case Text:
		return Str(v.String()), nil
	case Integer:
		return toInteger(v)
	case Float:
		return toFloat(v)
	case Boolean:
		return toBoolean(v)
	case Timestamp:
		return toTimestamp(v)
	case JSON:
		return toJSON(v)
	case Vector:
		return toVector(v)
	case Bytes:
		if v.T == Text {
			return toBytes(v.S)
		}
	}
	return Value{}, fmt.Errorf("cannot cast %s to %s", v.T, t)
}

func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	n := most
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func toInteger(v Value) (Value, error) {
	switch v.T {
	case Float:
		f := math.RoundToEven(v.Float())
		if !(f >= -(1<<63) && f < 1<<63) {
			return Value{}, fmt.Errorf("%v is %w of integer", v.Float(), ErrRange)
		}
		return Int(int64(f)), nil
	case Boolean:
		return Int(int64(v.N)), nil
	case Text:
		i, err := strconv.ParseInt(strings.TrimSpace(v.S), 10, 64)
		if err != nil {
			return Value{}, fmt.Errorf("%q is not an integer", clip(v.S))
		}
		return Int(i), nil
	}
	return Value{}, fmt.Errorf("cannot cast %s to integer", v.T)
}

func toFloat(v Value) (Value, error) {
	switch v.T {
	case Integer, Boolean:
		return Real(float64(int64(v.N))), nil
	case Text:
		f, err := strconv.ParseFloat(strings.TrimSpace(v.S), 64)
		if err != nil {
			return Value{}, fmt.Errorf("%q is not a number", clip(v.S))
		}
		return Real(f), nil
	}
	return Value{}, fmt.Errorf("cannot cast %s to float", v.T)
}

func toBoolean(v Value) (Value, error) {
	switch v.T {
	case Integer:
		return Bool(v.N != 0), nil
	case Text:
		switch strings.ToLower(strings.TrimSpace(v.S)) {
		case "true", "t", "yes", "y", "on", "1":
			return Bool(true), nil
		case "false", "f", "no", "n", "off", "0":
			return Bool(false), nil
		}
		return Value{}, fmt.Errorf("%q is not a boolean", clip(v.S))
	}
	return Value{}, fmt.Errorf("cannot cast %s to boolean", v.T)
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999Z07:00:00", timeLayout, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02", "2006",
	"2006-01-02 Z07:00", "2006-01-02 Z07", "2006-01-02 15:04Z07:00", "2006-01-02 15:04Z07", "2006-01-02 15:04:05.999999999 Z07:00", "2006-01-02 15:04:05.999999999 Z07"}

func toTimestamp(v Value) (Value, error) {
	t, err := ReadTime(v)
	if err != nil {
		return Value{}, err
	}
	return Time(t), nil
}

// ReadTime reads a text as a time, in the zone that is written.
func ReadTime(v Value) (time.Time, error) {
	if v.T != Text {
		return time.Time{}, fmt.Errorf("cannot cast %s to timestamp", v.T)
	}
	for _, l := range timeLayouts {
		if t, err := time.Parse(l, strings.TrimSpace(v.S)); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a timestamp (such as 2006-01-02 15:04:05)", clip(v.S))
}

func toJSON(v Value) (Value, error) {
	if v.T == Text {
		if !json.Valid([]byte(v.S)) {
			return Value{}, fmt.Errorf("%q is not JSON", clip(v.S))
		}
		return Value{T: JSON, S: v.S}, nil
	}
	return Value{T: JSON, S: v.String()}, nil
}

func toVector(v Value) (Value, error) {
	if v.T != Text && v.T != JSON {
		return Value{}, fmt.Errorf("cannot cast %s to vector", v.T)
	}
	fields := strings.FieldsFunc(strings.Trim(strings.TrimSpace(v.S), "[]"), func(r rune) bool { return r == ',' || r == ' ' })
	out := make([]float32, len(fields))
	for i, f := range fields {
		x, err := strconv.ParseFloat(f, 32)
		if err != nil {
			return Value{}, fmt.Errorf("%q is not a component of a vector", clip(f))
		}
		out[i] = float32(x)
	}
	return Vec32(out), nil
}
