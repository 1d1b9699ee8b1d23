package repl

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// visible replaces control characters, so that data cannot steer the terminal: by ⏎, → and the
// control pictures U+2400 to U+2421, those of C1 and those that turn the direction of text by U+FFFD.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '\n':
			return '⏎'
		case '\t':
			return '→'
		}
		return picture(c)
	}, s)
}

// picture is what stands for a character on a screen; less than 0 for nothing.
func picture(c rune) rune {
	switch {
	case c == '\r':
		return -1
	case c < ' ':
		return '␀' + c
	case c == 0x7f:
		return '␡'
	case c > 0x7f && c < 0xa0, // C1 controls
		c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069: // embeddings, overrides and isolates
		return utf8.RuneError
	}
	return c
}

// harmless writes text of several lines as visible does, but for line ends and tabs.
type harmless struct {
	w    io.Writer
	part []byte // of a character that the next Write completes
}

func (h *harmless) Write(b []byte) (int, error) {
	text := append(h.part, b...)
	whole := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				whole -= n
			}
			break
		}
	}
	h.part = append([]byte(nil), text[whole:]...)
	shown := strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' {
			return c
		}
		return picture(c)
	}, string(text[:whole]))
	if _, err := io.WriteString(h.w, shown); err != nil {
		return 0, err
	}
	return len(b), nil
}

// onScreen writes to w what a terminal may be given; files and pipes get every byte.
func onScreen(w io.Writer) io.Writer {
	if isTerminal(w) {
		return &harmless{w: w}
	}
	return w
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
