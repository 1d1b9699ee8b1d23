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

// ByChunk calls f with parts of a text between code points, in order, and looks at the context before each.
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

// ChunkBytes is about how many bytes of a text are read between two looks at the context.
const ChunkBytes = 1 << 20

// Chunks yields the parts of a text between code points, in order, until its context ends.
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

// RuneEnd is the end of the code point that reaches byte n of a text, its length where it is shorter.
func RuneEnd(s string, n int) int {
	n = min(len(s), n)
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}

// MaxTextBytes bounds what a function may build, in bytes.
var MaxTextBytes = 256 << 20

// ErrTooLong is that a function or an aggregate would build a text that is too long.
var ErrTooLong = errors.New("the text would be longer than 256 MB")

func Bounded(s string) (value.Value, error) {
	if len(s) > MaxTextBytes {
		return value.Value{}, ErrTooLong
	}
	return value.Str(s), nil
}

// TextBuilder makes a text of at most maxText bytes; what goes beyond is left out, which text tells.
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

// Join joins texts by a separator.
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

// Display is a value as functions of several arguments write it: t and f for booleans.
func Display(v value.Value) string {
	if v.T == boolean {
		return v.String()[:1]
	}
	return v.String()
}

// CheckInterval is how many members are read or written between two looks at the context.
const CheckInterval = 4096

// MaxItems bounds the members of an array that are looked at one by one.
var MaxItems = 10_000_000

// ErrItems is that an array has too many members.
var ErrItems = fmt.Errorf("an array has %d members at most", MaxItems)

// Abbreviate is the beginning of a text, for errors.
func Abbreviate(s string) string {
	n := 0
	for i := range s {
		if n++; n > 40 {
			return s[:i] + "…"
		}
	}
	return s
}

// LowerName is a name of a unit or the like in lower case; longer texts are none.
func LowerName(name string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	return strings.ToLower(name)
}

// Steps counts the steps of a loop over an argument, and looks at the context every itemsTurn of them: a loop ends with
// the error that next returns. A step is a byte, a code point, a member or a word.
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
