package resource

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// vectorSink is what a writer of word vectors keeps: rows in a file, until their number is known for the head.
type vectorSink struct {
	word, vector int // columns
	rowsFile     *spooled
	components   int
}

func (w *word2vec) Begin(_ io.Writer, columns []codec.Column) (err error) {
	if w.word, w.vector, err = vectorPlaces(columns); err != nil {
		return err
	}
	w.rowsFile, err = newSpooled()
	return err
}

func (w *word2vec) Row(_ io.Writer, _ []codec.Column, row []value.Value) error {
	word, vector := row[w.word], row[w.vector]
	if word.IsNull() || vector.IsNull() {
		return fmt.Errorf("the word %q has no text or no vector; WHERE leaves such rows out", word)
	}
	if word.S == "" || strings.ContainsAny(word.S, " \t\r\n") {
		return fmt.Errorf("the word %q is empty or holds white space, which ends words in files of vectors", word.S)
	}
	v := vector.Vector()
	if w.rowsFile.n == 0 {
		w.components = len(v)
	}
	if len(v) != w.components || len(v) == 0 {
		return fmt.Errorf("the vector of %q has %d components, the first one has %d", word.S, len(v), w.components)
	}
	for i, x := range v {
		if x-x != 0 {
			return fmt.Errorf("component %d of the vector of %q is no finite number", i+1, word.S)
		}
	}
	w.rowsFile.n++
	out := append(make([]byte, 0, len(word.S)+16*len(v)), word.S...)
	if w.layout == headBinary {
		out = append(append(append(out, ' '), vector.S...), '\n')
	} else {
		for _, x := range v {
			out = strconv.AppendFloat(append(out, ' '), float64(x), 'g', -1, 32)
		}
		out = append(out, '\n')
	}
	_, err := w.rowsFile.out.Write(out)
	return err
}

// End writes the head and the rows.
func (w *word2vec) End(out io.Writer) error {
	defer w.rowsFile.file.Close()
	if w.layout != noHead {
		if _, err := fmt.Fprintf(out, "%d %d\n", w.rowsFile.n, max(1, w.components)); err != nil {
			return err
		}
	}
	return w.rowsFile.copy(out)
}
