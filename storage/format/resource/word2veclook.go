package resource

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/storage/format/codec"
)

// vectorLayout is the layout of word vectors that a file begins with, "" where it holds none.
func vectorLayout(begin []byte) string {
	line, rest, ended := bytes.Cut(bytes.TrimPrefix(begin, []byte("\xef\xbb\xbf")), []byte("\n"))
	if _, components, ok := vectorHead(string(line)); ok && ended {
		if len(rest) == 0 {
			return headText
		}
		row, _, whole := bytes.Cut(rest, []byte("\n"))
		if f := vectorFields(strings.TrimRight(string(row), "\r")); whole && numbersAtEnd(f) >= min(2, components) {
			return headText
		}
		if looksBinary(rest[:min(len(rest), 64+4*min(components, math.MaxInt/8))]) {
			return headBinary
		}
		if f := vectorFields(string(row)); len(f) > 1 && numbersAtEnd(f[:len(f)-1]) >= min(1, len(f)-2) {
			return headText
		}
		return ""
	}
	f := vectorFields(strings.TrimRight(string(line), "\r"))
	if len(f) < 3 || bytes.Contains(line, []byte("\t")) || looksBinary(line[:min(len(line), 4096)]) {
		return ""
	}
	if !ended && len(begin) > 1 { // the last number may have been cut
		f = f[:len(f)-1]
	}
	if numbersAtEnd(f) != len(f)-1 {
		return ""
	}
	if _, err := strconv.ParseFloat(f[0], 64); err == nil && len(f) < 10 {
		return "" // a table of numbers
	}
	return noHead
}

// LooksLikeVectors guesses from the first lines of a file whether they are word vectors.
func LooksLikeVectors(ext string, lines []string) (codec.Guess, bool) {
	layout := vectorLayout([]byte(strings.Join(lines, "\n")))
	if ext != ".vec" && layout != headText && layout != noHead {
		return codec.Guess{}, false
	}
	return codec.Guess{
		Looks: "word vectors", Hint: vectorHint + " makes a table for them, and LOAD … INTO vectors reads them"}, true
}

// looksBinary reports whether bytes are no text: a control character, or no UTF-8 but at their end.
func looksBinary(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 && utf8.FullRune(b[i:]) || r < ' ' && r != '\t' && r != '\r' && r != '\n' {
			return true
		}
		i += n
	}
	return false
}

// LooksVectors reports whether the first file holds word vectors, by its name or its beginning.
func LooksVectors(src *codec.Sources) (found bool, err error) {
	paths := src.Paths()
	if len(paths) == 0 {
		return false, nil
	}
	if codec.Extension(paths[0]) == ".vec" {
		return true, nil
	}
	err = src.Look(paths[0], func(s *codec.Source) error {
		begin, err := s.Begin(s.Raw().Size())
		found = vectorLayout(begin) != ""
		return err
	})
	if malformed := (*codec.Error)(nil); errors.As(err, &malformed) {
		return false, nil // whoever reads the file tells it
	}
	return found, err
}
