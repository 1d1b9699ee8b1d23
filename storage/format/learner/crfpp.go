package learner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// crfpp is data of CRF++ and Wapiti for a model that was trained here: a token a line, a column for each value that the
// templates of the model read, the label last, a blank line after a sentence.
type crfpp struct {
	model  string
	target TaggedBy
	codec.Notes
}

// TaggedBy is how a model reads and labels tokens.
type TaggedBy struct {
	Label  string // column of tokens, or layer of spans
	Scheme string // of spans
	// Cells gives the cells of a document by column and token, without white space.
	Cells func(d *text.Document) ([][]string, error)
}

func (c *crfpp) Options(s *option.Set) {
	s.Model(&c.model, "model", "", "chain that was trained here, whose features the columns are")
}

// ModelOf is the model that the options of a format name, and whether the format needs one.
func ModelOf(c codec.Codec) (name string, needed bool) {
	if c, ok := c.(*crfpp); ok {
		return c.model, true
	}
	return "", false
}

// SetTagger gives a format the model that ModelOf names.
func SetTagger(c codec.Codec, t TaggedBy) {
	if c, ok := c.(*crfpp); ok {
		c.target = t
	}
}

// longestCRFPP is of how many bytes a line is at most that CRF++ reads, its end included: at a longer one it ends
// without a word.
const longestCRFPP = 8191

func (c *crfpp) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil || toks.N == 0 {
		return nil
	}
	if c.target.Cells == nil {
		return errors.New("no model says which columns there are")
	}
	cells, err := c.target.Cells(d)
	if err != nil {
		return err
	}
	labels := toks.Strs(c.target.Label)
	if layers.IsSpanColumn(c.target.Label) {
		labels = layers.Tags{Scheme: c.target.Scheme}.Tags(d, toks, d.Layer(c.target.Label),
			func(what codec.Topic) { c.Tell(what, 1, d.ID, 0) })
	}
	if len(cells) == 0 { // a line has a column beside that of the label
		cells = [][]string{slices.Repeat([]string{"_"}, toks.N)}
	}
	var b bytes.Buffer
	for i, sent := range toks.Cols[0].Ints {
		if i > 0 && sent != toks.Cols[0].Ints[i-1] {
			b.WriteByte('\n')
		}
		start := b.Len()
		for _, column := range cells {
			b.WriteString(column[i])
			b.WriteByte('\t')
		}
		label := layers.CellOf(labels, i)
		if strings.ContainsAny(label, " \t\r\n\v\f") {
			return fmt.Errorf("document %s, token %d: the label %q has white space, which parts columns", d.ID, i+1, label)
		}
		b.WriteString(label)
		b.WriteByte('\n')
		if n := b.Len() - start; n > longestCRFPP {
			return fmt.Errorf("document %s, token %d: a line of %d bytes, and CRF++ reads at most %d", d.ID, i+1, n,
				longestCRFPP)
		}
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}
