package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"parlance/db"
)

// longest is the number of bytes of a text in the log.
const longest = 1 << 10

// LogOptions say what a Log writes.
type LogOptions struct {
	Format     string        // text (the default) or json
	Level      slog.Level    // the least level that is written
	Slow       time.Duration // statements that take as long are warnings; 0 for none
	Statements bool          // every statement is an information, else a matter of debugging
	Parameters bool          // values of parameters are written, and messages of errors that may quote them
}

// Log writes events of a server, a line each. A nil Log writes nothing.
type Log struct {
	o      LogOptions
	logger *slog.Logger
}

// NewLog returns a log that writes to w.
func NewLog(w io.Writer, o LogOptions) (*Log, error) {
	h := &slog.HandlerOptions{Level: o.Level}
	switch o.Format {
	case "", "text":
		return &Log{o, slog.New(slog.NewTextHandler(w, h))}, nil
	case "json":
		return &Log{o, slog.New(slog.NewJSONHandler(w, h))}, nil
	}
	return nil, fmt.Errorf("there is no log format %q; formats are text, json", o.Format)
}

// Logger is the log for other events.
func (l *Log) Logger() *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	return l.logger
}

// Warn logs a failure after which the server continues.
func (l *Log) Warn(what string, err error) {
	attrs := []slog.Attr{slog.String("error", clip(err.Error()))}
	var e *db.Error
	if errors.As(err, &e) {
		attrs = append(attrs, slog.String("code", e.Code))
	}
	l.Logger().LogAttrs(context.Background(), slog.LevelWarn, what, attrs...)
}

// Statements returns what logs the statements of a session, for db.Wire.OnStatement. Its lines
// go to the logger, which adds what it knows of the connection: client, user.
func (l *Log) Statements(logger *slog.Logger) func(db.StatementInfo) {
	if l == nil {
		return nil
	}
	return statements{l.o, logger}.ended
}

// clip bounds a text, at the end of a character.
func clip(s string) string {
	if len(s) <= longest {
		return strings.ToValidUTF8(s, "�")
	}
	n := longest
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "�") + "…"
}
