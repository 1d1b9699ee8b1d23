package plain

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// brown is a sentence a line, of words with their tag after a slash: The/at jury/nn. The last
// slash separates; _ is no tag.
type brown struct {
	cut       string
	sentences int
}

func (c *brown) Options(s *option.Set) {
	s.Text(&c.cut, "document", "file", "a document is a file, a sentence, or a number of sentences")
	s.Check("document", func() (err error) { c.sentences, err = codec.DocumentCut(c.cut, ""); return err })
}

func (c *brown) Splitter() codec.Splitter { return &codec.CountSplitter{Sentences: c.sentences} }

func (c *brown) Parse(b codec.Block) ([]*text.Document, error) {
	var bd layers.Builder
	cols := layers.TokenCells{Names: []string{"xpos"}}
	at := 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		words := text.Fields(line)
		if len(words) > 0 {
			bd.Sentence()
		}
		end := 0 // of the word before
		for _, w := range words {
			begin := end + strings.Index(line[end:], w)
			end = begin + len(w)
			k := strings.LastIndexByte(w, '/')
			if k < 1 || k+1 == len(w) {
				return nil, b.Fault(at, begin+1, "%q is no word with its tag after a slash, such as jury/nn", w)
			}
			bd.Token(w[:k], false)
			cols.Add(w[k+1:])
		}
	}
	id := b.ID()
	if c.sentences == 0 {
		id = b.Base
	}
	d, toks := bd.Document(id)
	cols.Set(toks)
	return []*text.Document{d}, nil
}

// Document writes a sentence a line.
func (c *brown) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	var b bytes.Buffer
	sent := toks.Cols[0].Ints
	for i := range toks.N {
		form, tag := toks.Cols[4].Strs[i], layers.CellOf(toks.Strs("xpos"), i)
		if form == "" || strings.ContainsAny(form+tag, text.Blanks) || strings.Contains(tag, "/") {
			return fmt.Errorf("document %s: %q with tag %q does not fit: blanks and the last slash separate", d.ID, form, tag)
		}
		switch {
		case i == 0:
		case sent[i] != sent[i-1]:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(form + "/" + tag)
	}
	if toks.N > 0 {
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}
