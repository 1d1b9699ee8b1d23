package observe

import (
	"context"
	"log/slog"

	"parlance/db"
)

// Connection logs what happens on one connection. A nil one logs nothing.
type Connection struct {
	o      LogOptions
	logger *slog.Logger
}

func (c *Connection) write(level slog.Level, what string, attrs ...slog.Attr) {
	if c != nil {
		c.logger.LogAttrs(context.Background(), level, what, attrs...)
	}
}

// Opened logs that a client has connected.
func (c *Connection) Opened() { c.write(slog.LevelDebug, "connection opened") }

// LoggedIn logs that the session of a client begins.
func (c *Connection) LoggedIn(user, application string, tls bool) {
	c.write(slog.LevelInfo, "logged in", slog.String("user", clip(user)), slog.String("application", clip(application)), slog.Bool("tls", tls))
}

// LoginFailed logs a login that was refused.
func (c *Connection) LoginFailed(user, code string) {
	c.write(slog.LevelWarn, "login failed", slog.String("user", clip(user)), slog.String("code", code))
}

// Refused logs that the connection was refused, and why.
func (c *Connection) Refused(code, why string) {
	c.write(slog.LevelWarn, "connection refused", slog.String("code", code), slog.String("reason", clip(why)))
}

// Closed logs the end of the connection; why is empty when the client said goodbye.
func (c *Connection) Closed(why string) {
	if c == nil {
		return
	}
	if why == "" {
		c.write(slog.LevelInfo, "connection closed")
		return
	}
	c.write(slog.LevelInfo, "connection closed", slog.String("reason", clip(why)))
}

// Statement logs how a statement ended; it is for db.Conn.OnStatement. Slow ones are warnings,
// failures informations, or warnings where the fault is not the statement's.
func (c *Connection) Statement(i db.StatementInfo) {
	if c == nil {
		return
	}
	level, what := c.grade(i)
	if !c.logger.Enabled(context.Background(), level) {
		return
	}
	c.logger.LogAttrs(context.Background(), level, what, c.attrs(i)...)
}

func (c *Connection) grade(i db.StatementInfo) (slog.Level, string) {
	level, what := slog.LevelDebug, "statement"
	if c.o.Statements {
		level = slog.LevelInfo
	}
	if c.o.Slow > 0 && i.Duration >= c.o.Slow {
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

func (c *Connection) attrs(i db.StatementInfo) []slog.Attr {
	text := i.Text()
	out := []slog.Attr{slog.Uint64("statement", i.ID), slog.String("kind", i.Kind), slog.Float64("seconds", i.Duration.Seconds()), slog.Int64("rows", i.Rows)}
	if i.User != "" {
		out = append(out, slog.String("user", clip(i.User)))
	}
	if e := i.Err; e != nil {
		out = append(out, slog.String("code", e.Code))
		if e.Line > 0 {
			out = append(out, slog.Int("line", e.Line), slog.Int("column", e.Column))
		}
		// A message may quote what the text hides or a parameter holds.
		if text != "" && (len(i.Params()) == 0 || c.o.Parameters) {
			out = append(out, slog.String("error", clip(e.Message)))
		}
	}
	if text != "" {
		out = append(out, slog.String("text", clip(text)))
	}
	if c.o.Parameters && text != "" && len(i.Params()) > 0 {
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
