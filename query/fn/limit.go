package fn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"parlance/storage/value"
)

// ByChunk returns a function of a text that calls f with one chunk after the other and checks the context before each.
func ByChunk(f func(string) string) func(context.Context, []value.Value) (value.Value, error) {
	return func(ctx context.Context, a []value.Value) (value.Value, error) {
		s := a[0].S
		if len(s) <= ChunkBytes {
			return value.Str(f(s)), nil
		}
		var b strings.Builder
		for part := range Chunks(ctx, s) {
			b.WriteString(f(part))
		}
		if ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		return Bounded(b.String())
	}
}

// ChunkBytes is about the size of a chunk of text between two checks of the context.
const ChunkBytes = 1 << 20

// Chunks yields the chunks of a text, which end between code points, until the context ends.
func Chunks(ctx context.Context, s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" && ctx.Err() == nil {
			n := RuneEnd(s, ChunkBytes)
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

// RuneEnd returns the end of the code point that reaches byte n of a text, or the length of a shorter text.
func RuneEnd(s string, n int) int {
	n = min(len(s), n)
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}

// MaxTextBytes bounds the texts that functions build.
var MaxTextBytes = 256 << 20

// ErrTooLong is returned if a function or an aggregate would build a text that is too long.
var ErrTooLong = errors.New("the text would be longer than 256 MB")

func Bounded(s string) (value.Value, error) {
	if len(s) > MaxTextBytes {
		return value.Value{}, ErrTooLong
	}
	return value.Str(s), nil
}

// TextBuilder builds a text of at most MaxTextBytes. What goes beyond is left out, and Result returns ErrTooLong.
type TextBuilder struct {
	strings.Builder
	Over bool
}

func (b *TextBuilder) Append(s string) {
	if b.Over = b.Over || b.Len()+len(s) > MaxTextBytes; !b.Over {
		b.WriteString(s)
	}
}

func (b *TextBuilder) Result() (value.Value, error) {
	if b.Over {
		return value.Value{}, ErrTooLong
	}
	return value.Str(b.String()), nil
}

// Join joins texts by a separator. It returns ErrTooLong if the result would be too long.
func Join(parts []string, separator string) (value.Value, error) {
	n := len(separator) * max(0, len(parts)-1)
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxTextBytes {
		return value.Value{}, ErrTooLong
	}
	return value.Str(strings.Join(parts, separator)), nil
}

// Display returns a value as functions of several arguments write it: booleans as t and f.
func Display(v value.Value) string {
	if v.T == boolean {
		return v.String()[:1]
	}
	return v.String()
}

// CheckInterval is the number of steps of a loop between two checks of the context.
const CheckInterval = 4096

// MaxItems bounds the members of an array that a function reads or makes.
var MaxItems = 10_000_000

// ErrItems is returned if an array has too many members.
var ErrItems = fmt.Errorf("an array has %d members at most", MaxItems)

// Abbreviate returns the beginning of a text, for errors.
func Abbreviate(s string) string {
	n := 0
	for i := range s {
		if n++; n > 40 {
			return s[:i] + "…"
		}
	}
	return s
}

// LowerName returns the name of a unit or the like in lower case; "" for long texts, which are no such names.
func LowerName(name string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	return strings.ToLower(name)
}

// Steps counts the steps of a loop over an argument and checks the context every CheckInterval of them. The loop
// returns the error of Next. A step is a byte, a code point, a member or a word.
type Steps struct {
	Ctx context.Context
	n   uint
}

func (t *Steps) Next() error {
	if t.n++; t.n%CheckInterval == 0 {
		return t.Ctx.Err()
	}
	return nil
}
