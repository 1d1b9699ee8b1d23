package resource

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// word2vec is word vectors as word2vec, fastText and GloVe write them: a word and its vector a row. Word2vec begins
// with a head, the numbers of words and of components, and writes rows as text or as float32, little endian; GloVe has
// no head.
type word2vec struct {
	layout string
	seen   map[string]struct{} // words of all files
	vectorSink
	codec.Notes
}

// The layouts.
const (
	byLook     = "auto"
	headText   = "text"
	headBinary = "binary"
	noHead     = "glove"
)

func (w *word2vec) Options(s *option.Set) {
	s.Choice(&w.layout, "layout", byLook, []string{byLook, headText, headBinary, noHead},
		"text: a line with the numbers of words and of components, then a word and its numbers a line, as word2vec and "+
			"fastText (.vec) write them; binary: such a line, then each word, a blank and its numbers as float32; glove: "+
			"lines of text without a head; auto: as the file looks, and written as text")
}

// vectorHint is how a table for word vectors is made.
const vectorHint = "CREATE LEXICON vectors (word TEXT, vector VECTOR)"

// vectorPlaces finds the columns of the word, the first one of text, and of the vector, the first of that type.
func vectorPlaces(columns []codec.Column) (word, vector int, err error) {
	first := func(t value.Type) int {
		return slices.IndexFunc(columns, func(c codec.Column) bool { return c.Type == t })
	}
	if word, vector = first(value.Text), first(value.Vector); word >= 0 && vector >= 0 {
		return word, vector, nil
	}
	return 0, 0, errors.New("word vectors need a column of type TEXT and one of type VECTOR")
}

// vectorReader reads a file of vectors.
type vectorReader struct {
	codec        *word2vec
	src          *codec.Source
	emit         func([]value.Value, int) error
	width        int // of rows
	word, vector int // columns
	head         bool
	words        int   // that the head states
	components   int   // of each vector; 0 until they are known
	read         int   // rows
	lacks        error // why the columns do not fit
	buf          bytes.Buffer
}

func (w *word2vec) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	r := &vectorReader{codec: w, src: src, emit: emit, width: len(columns)}
	begin, err := src.Begin(1)
	if err != nil || len(begin) == 0 {
		return err
	}
	r.word, r.vector, r.lacks = vectorPlaces(columns)
	if w.seen == nil {
		w.seen = map[string]struct{}{}
	}
	layout := w.layout
	if layout == byLook {
		if begin, err = src.Begin(src.Raw().Size()); err != nil {
			return err
		}
		if layout = vectorLayout(begin); layout == "" {
			layout = noHead // whose lines show what is wrong
		}
	}
	if layout != noHead {
		if err := r.readHead(); err != nil {
			return err
		}
		if err := r.fits(); err != nil {
			return err
		}
	}
	if layout == headBinary {
		return r.binary()
	}
	return r.lines()
}

// fits refuses columns that hold no vectors, in a file that is text as far as it was read.
func (r *vectorReader) fits() error {
	if r.lacks != nil {
		return &codec.Error{File: r.src.Name, Line: 1, Msg: r.lacks.Error(), Hint: vectorHint}
	}
	return nil
}

// fault is an error in a row of a file without lines.
func (r *vectorReader) fault(hint, format string, args ...any) error {
	err := r.src.Fault(r.read+2, 0, "row %d: "+format, append([]any{r.read + 1}, args...)...)
	err.(*codec.Error).Hint = hint
	return err
}

// readHead reads the numbers of words and of components.
func (r *vectorReader) readHead() error {
	line, n, err := r.src.Next()
	if err != nil {
		return err
	}
	words, components, ok := vectorHead(string(line))
	switch {
	case !ok:
		return &codec.Error{File: r.src.Name, Line: n, Msg: fmt.Sprintf("%q is no head of word vectors",
			clipped(string(line))),
			Hint: "two whole numbers, of words and of components, such as 400000 100; layout = 'glove' reads files without"}
	case components > codec.MaxLine/4:
		return r.src.Fault(n, 0, "the head tells of vectors of %d {component|components}", components)
	}
	r.head, r.words, r.components = true, words, components
	return nil
}

// vectorHead is the two numbers of a head.
func vectorHead(line string) (words, components int, ok bool) {
	f := text.Fields(line)
	if len(f) != 2 {
		return 0, 0, false
	}
	words, err1 := strconv.Atoi(f[0])
	components, err2 := strconv.Atoi(f[1])
	return words, components, err1 == nil && err2 == nil && words >= 0 && components > 0
}

// clipped is the beginning of a text that a message shows.
func clipped(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// lines reads rows of text.
func (r *vectorReader) lines() error {
	for {
		line, n, err := r.src.Next()
		if err == io.EOF {
			return r.complete(n)
		}
		if err != nil {
			return err
		}
		s := string(line)
		if strings.TrimSpace(s) == "" {
			continue
		}
		if err := r.line(s, n); err != nil {
			return err
		}
	}
}

// wanted refuses a row after the last one that the head states.
func (r *vectorReader) wanted(line int) error {
	if r.head && r.read == r.words {
		return r.src.Fault(line, 0, "the head tells of %d {word|words}, and there are more", r.words)
	}
	return nil
}

// complete refuses a file that ends before the last row that the head states.
func (r *vectorReader) complete(line int) error {
	if r.head && r.read < r.words {
		err := r.src.Fault(max(1, line), 0, "the head tells of %d {word|words}, and the file has %d", r.words, r.read)
		err.(*codec.Error).Hint = "the file was cut short, or the head is wrong"
		return err
	}
	return nil
}

// line reads a word and its numbers. Words may hold blanks: the last fields are the numbers.
func (r *vectorReader) line(s string, n int) error {
	if err := cmp.Or(r.fits(), r.wanted(n)); err != nil {
		return err
	}
	f := vectorFields(s)
	if r.components == 0 {
		if r.components = numbersAtEnd(f); r.components == 0 {
			return &codec.Error{File: r.src.Name, Line: n, Msg: fmt.Sprintf("%q is no word with numbers", clipped(s)),
				Hint: "a word and the components of its vector, between blanks"}
		}
	}
	k := len(f) - r.components
	if k < 1 || k > 1 && numbersAtEnd(f[:k]) == k-1 {
		return r.src.Fault(n, 0, "%d {component|components} where %d are wanted", len(f)-1, r.components)
	}
	v := make([]float32, r.components)
	for i, x := range f[k:] {
		c, err := strconv.ParseFloat(x, 32)
		if err != nil || c-c != 0 {
			return r.src.Fault(n, 0, "component %d, %q, is no finite number of 32 bits", i+1, clipped(x))
		}
		v[i] = float32(c)
	}
	word := f[0]
	if k > 1 {
		word = strings.Join(f[:k], " ")
		r.codec.Tell(codec.Topic{One: "a word that holds a blank", Many: "%d words that hold blanks"}, 1, r.src.Name, n)
	}
	return r.add(word, value.Vec32(v), n)
}

// vectorFields are the parts of a line between blanks and tabs; other white space may belong to a word.
func vectorFields(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' })
}

// numbersAtEnd is how many of the fields after the first one are numbers, counted from the last.
func numbersAtEnd(f []string) int {
	n := 0
	for i := len(f) - 1; i > 0; i-- {
		if _, err := strconv.ParseFloat(f[i], 64); err != nil {
			break
		}
		n++
	}
	return n
}

// add emits a row, but for a word that was there before.
func (r *vectorReader) add(word string, vector value.Value, line int) error {
	r.read++
	if _, ok := r.codec.seen[word]; ok {
		r.codec.Tell(codec.Topic{One: "a word with a second vector, which was left out",
			Many: "%d further vectors of words that had one, which were left out"}, 1, r.src.Name, line)
		return nil
	}
	r.codec.seen[word] = struct{}{}
	row := make([]value.Value, r.width)
	row[r.word], row[r.vector] = value.Str(word), vector
	return r.emit(row, line)
}

// longestWord bounds a word of a binary file, in bytes.
const longestWord = 1 << 16

const binaryHint = "the file was cut short, or it has other numbers of words and components than its head; words of " +
	"binary files hold no blanks"

// binary reads words, each with a blank and its vector. Some programs end a row by a line feed, others do not.
func (r *vectorReader) binary() error {
	if !r.src.UTF8() {
		return r.src.Fault(1, 0, "words of binary files are UTF-8: the option encoding does not fit")
	}
	for r.read < r.words {
		word, err := r.binaryWord()
		if err != nil {
			return err
		}
		r.buf.Reset()
		if _, err := io.CopyN(&r.buf, r.src.Raw(), int64(4*r.components)); err == io.EOF {
			return r.fault(binaryHint, "the file ends within the vector of %q", clipped(word))
		} else if err != nil {
			return r.src.Broken(err)
		}
		v := value.Value{T: value.Vector, S: r.buf.String()}
		for i, x := range v.Vector() {
			if x-x != 0 {
				return r.fault(binaryHint, "component %d of the vector of %q is no finite number", i+1, clipped(word))
			}
		}
		if err := r.add(word, v, r.read+2); err != nil {
			return err
		}
	}
	rest, err := r.src.Begin(2)
	if len(rest) == 2 || len(rest) == 1 && rest[0] != '\n' {
		return r.wanted(r.read + 2)
	}
	return err
}

// binaryWord reads a word and the blank after it.
func (r *vectorReader) binaryWord() (string, error) {
	var word []byte
	for {
		b, err := r.src.Raw().ReadByte()
		switch {
		case err == io.EOF && len(word) == 0:
			return "", r.complete(r.read + 1)
		case err == io.EOF:
			return "", r.fault(binaryHint, "the file ends within a word")
		case err != nil:
			return "", r.src.Broken(err)
		case b == '\n' && len(word) == 0:
			continue
		case b == ' ' && len(word) == 0:
			return "", r.fault(binaryHint, "the word is empty")
		case b == ' ':
			if err := value.CheckText(string(word)); err != nil {
				return "", r.fault(binaryHint, "the word %q is no text: %v", clipped(strings.ToValidUTF8(string(word), "?")), err)
			}
			return string(word), nil
		case len(word) == longestWord:
			return "", r.fault(binaryHint, "a word is longer than %d {byte|bytes}", longestWord)
		}
		word = append(word, b)
	}
}
