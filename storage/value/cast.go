package value

import (
	"context"
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

// ErrMalformed is what errors about texts are that are no value of a type, ErrNoTime where the type is one of times,
// ErrNoCast where nothing of the one type is cast to the other.
var (
	ErrMalformed = errors.New("malformed")
	ErrNoTime    = errors.New("no time")
	ErrNoCast    = errors.New("no cast")
)

// Malformed is an error about a value that is none of another type; kind is one of the errors above.
func Malformed(kind error, format string, args ...any) error {
	return &malformed{fmt.Sprintf(format, args...), kind}
}

type malformed struct {
	text string
	kind error
}

func (e *malformed) Error() string { return e.text }
func (e *malformed) Unwrap() error { return e.kind }

// Cast converts v to type t as CAST does. NULL stays NULL. The error says what did not fit.
func Cast(v Value, t Type) (Value, error) { return CastWithin(context.Background(), v, t) }

// CastWithin is Cast, which ends with its context.
func CastWithin(ctx context.Context, v Value, t Type) (Value, error) {
	if v.T == t || v.T == Null {
		return v, nil
	}
	if v.T == JSON && (t == Integer || t == Float || t == Boolean) {
		return ofJSON(v, t)
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
		return toJSON(ctx, v)
	case Vector:
		return toVector(ctx, v)
	case Interval:
		return toInterval(v)
	case Bytes:
		if v.T == Text {
			return toBytes(v.S)
		}
	}
	return Value{}, Malformed(ErrNoCast, "cannot cast %s to %s", v.T, t)
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
		if errors.Is(err, strconv.ErrRange) {
			return Value{}, fmt.Errorf("%q is %w of integer", clip(v.S), ErrRange)
		}
		if err != nil {
			return Value{}, Malformed(ErrMalformed, "%q is not an integer", clip(v.S))
		}
		return Int(i), nil
	}
	return Value{}, Malformed(ErrNoCast, "cannot cast %s to integer", v.T)
}

func toFloat(v Value) (Value, error) {
	switch v.T {
	case Integer, Boolean:
		return Real(float64(int64(v.N))), nil
	case Text:
		f, err := strconv.ParseFloat(strings.TrimSpace(v.S), 64)
		if errors.Is(err, strconv.ErrRange) {
			return Value{}, fmt.Errorf("%q is %w of float", clip(v.S), ErrRange)
		}
		if err != nil {
			return Value{}, Malformed(ErrMalformed, "%q is not a number", clip(v.S))
		}
		return Real(f), nil
	}
	return Value{}, Malformed(ErrNoCast, "cannot cast %s to float", v.T)
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
		return Value{}, Malformed(ErrMalformed, "%q is not a boolean", clip(v.S))
	}
	return Value{}, Malformed(ErrNoCast, "cannot cast %s to boolean", v.T)
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07",
	"2006-01-02 15:04:05.999999999Z07:00:00", timeLayout, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02", "2006",
	"2006-01-02 Z07:00", "2006-01-02 Z07", "2006-01-02 15:04Z07:00", "2006-01-02 15:04Z07",
	"2006-01-02 15:04:05.999999999 Z07:00", "2006-01-02 15:04:05.999999999 Z07"}

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
		return time.Time{}, Malformed(ErrNoCast, "cannot cast %s to timestamp", v.T)
	}
	if strings.EqualFold(strings.TrimSpace(v.S), "epoch") {
		return time.UnixMicro(0).UTC(), nil
	}
	for _, l := range timeLayouts {
		if t, err := time.Parse(l, strings.TrimSpace(v.S)); err == nil {
			return t, nil
		}
	}
	return time.Time{}, Malformed(ErrNoTime, "%q is not a timestamp (such as 2006-01-02 15:04:05)", clip(v.S))
}

// ofJSON casts a JSON number to a number, true or false to a boolean.
func ofJSON(v Value, t Type) (Value, error) {
	word := strings.TrimSpace(v.S)
	switch truth := word == "true" || word == "false"; {
	case word == "", word[0] == '"', truth != (t == Boolean), word == "null", word[0] == '{', word[0] == '[':
		return Value{}, Malformed(ErrNoCast, "cannot cast json %s to %s", clip(word), t)
	case t == Integer:
		if i, err := strconv.ParseInt(word, 10, 64); err == nil {
			return Int(i), nil
		}
		f, err := toFloat(Str(word))
		if err != nil {
			return f, err
		}
		return toInteger(f)
	}
	return Cast(Str(word), t)
}

// toJSON reads a text as JSON; of other values, numbers and booleans become those of JSON, the rest texts.
func toJSON(ctx context.Context, v Value) (Value, error) {
	s := v.String()
	if v.T == Text {
		ok, err := ValidJSON(ctx, s)
		if err == nil && !ok {
			err = Malformed(ErrMalformed, "%q is not JSON", clip(s))
		}
		return Value{T: JSON, S: s}, err
	}
	switch f := v.Float(); {
	case v.T == Timestamp, v.T == Interval, v.T == Bytes, v.T == Float && (math.IsNaN(f) || math.IsInf(f, 0)):
		s = `"` + strings.ReplaceAll(s, `\`, `\\`) + `"`
	}
	return Value{T: JSON, S: s}, nil
}

func toVector(ctx context.Context, v Value) (Value, error) {
	if v.T != Text && v.T != JSON {
		return Value{}, Malformed(ErrNoCast, "cannot cast %s to vector", v.T)
	}
	var out []float32
	between := func(r rune) bool { return r == ',' || r == ' ' }
	for f := range strings.FieldsFuncSeq(strings.Trim(strings.TrimSpace(v.S), "[]"), between) {
		if len(out)%turn == turn-1 && ctx.Err() != nil {
			return Value{}, ctx.Err()
		}
		x, err := strconv.ParseFloat(f, 32)
		if err != nil {
			return Value{}, Malformed(ErrMalformed, "%q is not a component of a vector", clip(f))
		}
		out = append(out, float32(x))
	}
	return Vec32(out), nil
}
