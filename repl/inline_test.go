package repl

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestInline: data end at a line that is \. or with the input, whatever the size of what is read at once; what follows
// is left to be read, and the lines of the data are counted, the last one too.
func TestInline(t *testing.T) {
	long := strings.Repeat("x", 40)
	for in, want := range map[string]struct {
		data, rest string
		lines      int
	}{
		"a\nb\n\\.\nSELECT 1;\n":             {"a\nb\n", "SELECT 1;\n", 3},
		"a\r\n\\.\r\nSELECT 1;\r\n":          {"a\r\n", "SELECT 1;\r\n", 2},
		"\\.\nSELECT 1;":                     {"", "SELECT 1;", 1},
		"\n\n\\.\n\\.\n":                     {"\n\n", "\\.\n", 3},
		"a\n\\.":                             {"a\n", "", 1},
		"a\nb":                               {"a\nb", "", 1},
		"a\nb\n":                             {"a\nb\n", "", 2},
		"":                                   {"", "", 0},
		"\\.x\n \\.\n\\. \nx\\.\n\\\\.\n":    {"\\.x\n \\.\n\\. \nx\\.\n\\\\.\n", "", 5},
		long + "\n\\.\nb":                    {long + "\n", "b", 2},
		strings.Repeat("x", 16) + "\\.\nb\n": {strings.Repeat("x", 16) + "\\.\nb\n", "", 2},
		strings.Repeat("x", 32) + "\\.\n\\.\nb\n":  {strings.Repeat("x", 32) + "\\.\n", "b\n", 2},
		strings.Repeat("x", 15) + "\n\\.\nb\n":     {strings.Repeat("x", 15) + "\n", "b\n", 2},
		strings.Repeat("x", 16) + "\n\\.\nb\n":     {strings.Repeat("x", 16) + "\n", "b\n", 2},
		strings.Repeat("x", 14) + "\r\n\\.\r\nb\n": {strings.Repeat("x", 14) + "\r\n", "b\n", 2},
	} {
		for name, part := range map[string]func(io.Reader) io.Reader{
			"all":   func(r io.Reader) io.Reader { return r },
			"bytes": iotest.OneByteReader,
			"ended": iotest.DataErrReader,
		} {
			d := &inline{in: bufio.NewReaderSize(part(strings.NewReader(in)), 16)}
			got, err := io.ReadAll(part(d))
			if err != nil || string(got) != want.data {
				t.Errorf("%s of %q: data %q, want %q; error %v", name, in, got, want.data, err)
			}
			if n, err := d.Read(make([]byte, 9)); n != 0 || err != io.EOF {
				t.Errorf("%s of %q: %d bytes behind the end, error %v", name, in, n, err)
			}
			if n := d.over(); n != want.lines {
				t.Errorf("%s of %q: %d lines, want %d", name, in, n, want.lines)
			}
			if rest, _ := io.ReadAll(d.in); string(rest) != want.rest {
				t.Errorf("%s of %q: left is %q, want %q", name, in, rest, want.rest)
			}
		}
	}
}

// TestInlineUnread: of data that their statement did not read to the end nothing becomes a statement; where it read
// nothing at all, there are none. What follows has data of its own.
func TestInlineUnread(t *testing.T) {
	d := &inline{in: bufio.NewReaderSize(strings.NewReader("one\ntwo\nthree\n\\.\nfour\n\\.\nSELECT 1;"), 16)}
	if n := d.over(); n != 0 {
		t.Errorf("%d lines of data that nobody has read", n)
	}
	b := make([]byte, 2)
	if n, err := d.Read(b); n != 2 || err != nil || string(b) != "on" {
		t.Errorf("read %q, error %v", b[:n], err)
	}
	if n := d.over(); n != 4 {
		t.Errorf("%d lines, want those to the end of the data, 4", n)
	}
	if got, err := io.ReadAll(d); err != nil || string(got) != "four\n" {
		t.Errorf("the next data are %q, error %v", got, err)
	}
	if n := d.over(); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
	if rest, _ := io.ReadAll(d.in); string(rest) != "SELECT 1;" {
		t.Errorf("left is %q", rest)
	}
}

// TestInlineFails: an error of the input comes behind what was read before, and again if it stays.
func TestInlineFails(t *testing.T) {
	broken := errors.New("broken")
	d := &inline{in: bufio.NewReaderSize(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(broken)), 16)}
	got, err := io.ReadAll(d)
	if string(got) != "one\ntw" || !errors.Is(err, broken) {
		t.Errorf("read %q, error %v", got, err)
	}
	if n := d.over(); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
}

// paused gives its parts, each with an end behind it, as a terminal does at Ctrl-D.
type paused struct {
	parts []string
	ended bool // the end of the part before has been told
}

func (p *paused) Read(b []byte) (int, error) {
	if p.ended = !p.ended; !p.ended || len(p.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.parts[0])
	p.parts = p.parts[1:]
	return n, nil
}

// TestInlineStaysEnded: data that the input ended are over, even if the input goes on.
func TestInlineStaysEnded(t *testing.T) {
	d := &inline{in: bufio.NewReader(&paused{parts: []string{"one\n", "two\n"}})}
	for _, want := range []string{"one\n", "two\n"} {
		if got, err := io.ReadAll(d); err != nil || string(got) != want {
			t.Errorf("read %q, error %v, want %q", got, err, want)
		}
		if n, err := d.Read(make([]byte, 9)); n != 0 || err != io.EOF {
			t.Errorf("%d bytes behind the end, error %v", n, err)
		}
		if n := d.over(); n != 1 {
			t.Errorf("%d lines, want 1", n)
		}
	}
}
