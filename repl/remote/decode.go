package remote

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parlance/db"
	"parlance/storage/value"
	"parlance/storage/value/pg"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// types are those of the language that PostgreSQL's types are shown as; others are text.
var types = map[uint32]value.Type{
	16: value.Boolean, 17: value.Bytes, 20: value.Integer, 21: value.Integer, 23: value.Integer, 26: value.Integer,
	114: value.JSON, 1003: value.JSON, 1009: value.JSON, 1016: value.JSON, 700: value.Float, 701: value.Float,
	1021: value.Vector, 1022: value.Vector, 1114: value.Timestamp, 1184: value.Timestamp, 1186: value.Interval,
	3802: value.JSON,
}

func typeOf(oid uint32) value.Type {
	if t, ok := types[oid]; ok {
		return t
	}
	return value.Text
}

// decode reads a value in text format; nil is NULL. What is not as its type demands stays text.
func decode(raw []byte, oid uint32) value.Value {
	if raw == nil {
		return value.Value{}
	}
	s := string(raw)
	switch t := typeOf(oid); t {
	case value.Boolean:
		return value.Bool(s == "t")
	case value.Float:
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return value.Real(x)
		}
	case value.Bytes:
		if b, err := hex.DecodeString(strings.TrimPrefix(s, `\x`)); err == nil {
			return value.Blob(b)
		}
	case value.Vector:
		if v, err := value.Cast(value.Str("["+strings.Trim(s, "{}")+"]"), value.Vector); err == nil {
			return v
		}
	case value.Timestamp:
		for _, layout := range []string{"2006-01-02 15:04:05.999999Z07", "2006-01-02 15:04:05.999999Z07:00",
			"2006-01-02 15:04:05.999999"} {
			if at, err := time.Parse(layout, s); err == nil {
				return value.Time(at)
			}
		}
	case value.Integer, value.Interval:
		if v, err := value.Cast(value.Str(s), t); err == nil {
			return v
		}
	case value.JSON:
		if array, ok := pg.ArrayJSON(s, oid); ok && oid != 114 && oid != 3802 {
			return array
		}
		return value.Value{T: value.JSON, S: s}
	}
	return value.Str(s)
}

// tag is the tag as the language has it: without the number that INSERT has for clients.
func tag(t string) string {
	if rest, ok := strings.CutPrefix(t, "INSERT 0 "); ok {
		return "INSERT " + rest
	}
	return t
}

// response is the error that a server sent about a statement.
func response(m *pgproto3.ErrorResponse, statement string) error {
	return failure(pgconn.ErrorResponseToPgError(m), statement)
}

// failure makes a *db.Error of an error; its place is one in the statement.
func failure(err error, statement string) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return &db.Error{Code: "08001", Message: err.Error(), Hint: "is the server running, and is the address right?"}
	}
	out := &db.Error{Code: e.Code, Message: e.Message, Hint: e.Hint}
	if e.Detail != "" {
		out.Message += ": " + e.Detail
	}
	if e.Position > 0 {
		before := statement
		for i := range statement {
			if e.Position--; e.Position == 0 {
				before = statement[:i]
				break
			}
		}
		line := strings.LastIndexByte(before, '\n') + 1
		out.Offset, out.Line, out.Column = len(before), strings.Count(before, "\n")+1, utf8.RuneCountInString(before[line:])+1
	}
	return out
}
