package foreign

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Lines reads a file of text line by line.
type Lines struct {
	ctx  context.Context
	data string
	at   int // of what is not read yet
	line int // that was read last, from 1
}

// NewLines begins to read.
func NewLines(ctx context.Context, data string) *Lines { return &Lines{ctx: ctx, data: data} }

// lookEvery is how many lines are read between looks at the context.
const lookEvery = 1 << 12

// Next returns the next line without its end, also where that is \r\n; ok is false at the end of the file.
func (l *Lines) Next() (line string, ok bool) {
	if l.at == len(l.data) {
		return "", false
	}
	l.line++
	rest := l.data[l.at:]
	n := strings.IndexByte(rest, '\n')
	if n < 0 {
		l.at = len(l.data)
		return strings.TrimSuffix(rest, "\r"), true
	}
	l.at += n + 1
	if n > 0 && rest[n-1] == '\r' {
		return rest[:n-1], true
	}
	return rest[:n], true
}

// Want returns the next line, which the file must have; what says what it holds.
func (l *Lines) Want(what string) (string, error) {
	line, ok := l.Next()
	if !ok {
		return "", l.Ends(what)
	}
	return line, nil
}

// Ends is the error of a file that ends too early.
func (l *Lines) Ends(what string) *Error {
	return &Error{Line: l.line, Offset: -1, Msg: "the file ends here, and " + what + " would follow",
		Hint: "the file was cut short: copy it again"}
}

// Line is the number of the line that was read last.
func (l *Lines) Line() int { return l.line }

// Left is how many bytes are not read yet.
func (l *Lines) Left() int { return len(l.data) - l.at }

// Take returns the next n bytes as they are, which may hold ends of lines; false if there are fewer.
func (l *Lines) Take(n int) (string, bool) {
	if n < 0 || n > l.Left() {
		return "", false
	}
	b := l.data[l.at : l.at+n]
	l.at += n
	l.line += strings.Count(b, "\n")
	return b, true
}

// Faultf is an error in the line that was read last.
func (l *Lines) Faultf(hint, format string, args ...any) *Error {
	return &Error{Line: max(1, l.line), Offset: -1, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Ended reports whether the context has ended; it looks once in some thousand lines.
func (l *Lines) Ended() error {
	if l.line%lookEvery != 0 {
		return nil
	}
	return l.ctx.Err()
}

// Weight reads a number of the line that was read last; it must be finite.
func (l *Lines) Weight(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, l.Faultf("a finite number such as -0.25", "%q is no weight", Short(s))
	}
	return v, nil
}

// Number reads a whole number from lo to hi of the line that was read last; what names it.
func (l *Lines) Number(s string, what string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > hi {
		return 0, l.Faultf(fmt.Sprintf("a whole number from %d to %d", lo, hi), "%q is no %s", Short(s), what)
	}
	return n, nil
}

// Short is a text for a message.
func Short(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// Peek returns the byte after the next n that are not read yet; false at the end of the file.
func (l *Lines) Peek(n int) (byte, bool) {
	if n >= l.Left() {
		return 0, false
	}
	return l.data[l.at+n], true
}

// NextFaultf is an error in the line that is being read.
func (l *Lines) NextFaultf(hint, format string, args ...any) *Error {
	return &Error{Line: l.line + 1, Offset: -1, Msg: fmt.Sprintf(format, args...), Hint: hint}
}
