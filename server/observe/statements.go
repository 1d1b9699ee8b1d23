package observe

import (
	"context"
	"log/slog"

	"parlance/db"
)

// statements logs the statements of one session.
type statements struct {
	o      LogOptions
	logger *slog.Logger
}

// ended logs how a statement ended. Slow ones are warnings, failures informations, or warnings
// where the fault is not the statement's.
func (s statements) ended(i db.StatementInfo) {
	level, what := s.grade(i)
	if !s.logger.Enabled(context.Background(), level) {
		return
	}
	s.logger.LogAttrs(context.Background(), level, what, s.attrs(i)...)
}

func (s statements) grade(i db.StatementInfo) (slog.Level, string) {
	level, what := slog.LevelDebug, "statement"
	if s.o.Statements {
		level = slog.LevelInfo
	}
	if s.o.Slow > 0 && i.Duration >= s.o.Slow {
		level, what = slog.LevelWarn, "slow statement"
	}
	if i.Err != nil {
		level, what = max(level, severity(i.Err.Code)), "statement failed"
	}
	return level, what
}

// severity is the level of an error: faults of the program, of data and of the machine are
// more than those of a statement.
func severity(code string) slog.Level {
	if len(code) < 2 {
		return slog.LevelWarn
	}
	switch code[:2] {
	case "XX":
		return slog.LevelError
	case "53", "58":
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func (s statements) attrs(i db.StatementInfo) []slog.Attr {
	text := i.Text()
	out := []slog.Attr{slog.Uint64("statement", i.ID), slog.String("kind", i.Kind),
		slog.Float64("seconds", i.Duration.Seconds()), slog.Int64("rows", i.Rows)}
	if e := i.Err; e != nil {
		out = append(out, slog.String("code", e.Code))
		if e.Line > 0 {
			out = append(out, slog.Int("line", e.Line), slog.Int("column", e.Column))
		}
		// A message may quote what the text hides or a parameter holds.
		if text != "" && (len(i.Params()) == 0 || s.o.Parameters) {
			out = append(out, slog.String("error", clip(e.Message)))
		}
	}
	if text != "" {
		out = append(out, slog.String("text", clip(text)))
	}
	if s.o.Parameters && text != "" && len(i.Params()) > 0 {
		out = append(out, slog.String("parameters", parameters(i)))
	}
	return out
}

func parameters(i db.StatementInfo) string {
	b := []byte{}
	for k, v := range i.Params() {
		if k > 0 {
			b = append(b, ", "...)
		}
		if b = append(b, v.String()...); len(b) > longest {
			break
		}
	}
	return clip(string(b))
}
