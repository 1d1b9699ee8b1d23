package conll

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// conllx is the format of the shared tasks CoNLL-X (2006) and CoNLL 2007: ID FORM LEMMA CPOSTAG
// POSTAG FEATS HEAD DEPREL PHEAD PDEPREL, separated by tabs, a blank line after a sentence.
// The projective heads are kept in the layer words, see pRow.
type conllx struct {
	cut       string
	sentences int
}

// Ids of rows of the layer words after the number of the token: columns of the file that no
// other layer holds.
const (
	pRow    = " P"    // columns that the file gives beside those of the layers
	headRow = " HEAD" // _ where the layer says 0, in databases of earlier versions
)

func sentenceOptions(s *option.Set, cut *string, sentences *int) {
	s.Text(cut, "document", "sentence", "a document is a sentence, a file, or a number of sentences")
	s.Check("document", func() (err error) { *sentences, err = codec.DocumentCut(*cut, ""); return err })
}

func (c *conllx) Options(s *option.Set) { sentenceOptions(s, &c.cut, &c.sentences) }

func (c *conllx) Splitter() codec.Splitter {
	return &codec.SentenceSplitter{File: c.cut == "file", Sentences: c.sentences}
}

// tokenLines calls f for each line of a block with its cells, and begins sentences in bd.
func tokenLines(b *codec.Block, bd *layers.Builder, f func(at int, cells []string) error) error {
	open, at := false, 0
	var cells []string
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if codec.IsBlankText(line) {
			open = false
			continue
		}
		if !open {
			bd.Sentence()
			open = true
		}
		cells = cells[:0]
		for more := true; more; {
			var cell string
			cell, line, more = strings.Cut(line, "\t")
			if cell == "" {
				return b.Fault(at, 0, "column %d is empty; _ stands for nothing", len(cells)+1)
			}
			cells = append(cells, cell)
		}
		if err := f(at, cells); err != nil {
			return err
		}
	}
	return nil
}

func (c *conllx) Parse(b codec.Block) ([]*text.Document, error) {
	var bd layers.Builder
	var arcs arcRows
	var words layers.Words
	cols := layers.TokenCells{Names: []string{"lemma", "upos", "xpos", "feats"}}
	err := tokenLines(&b, &bd, func(at int, f []string) error {
		n := bd.Next()
		if len(f) != 10 {
			return b.Fault(at, 0, "%d {column|columns}, 10 are expected", len(f))
		}
		if v, err := strconv.Atoi(f[0]); err != nil || v != n {
			return b.Fault(at, 1, "token %s, %d is expected", f[0], n)
		}
		bd.Token(f[1], false)
		cols.Add(f[2], f[3], f[4], f[5])
		if f[8] != "_" || f[9] != "_" {
			words.Add(len(bd.SentStart), f[0]+pRow, f[8]+"\t"+f[9])
		}
		return arcs.add(&b, at, f[6], f[7])
	})
	if err != nil {
		return nil, err
	}
	d, toks := bd.Document(b.ID())
	cols.Set(toks)
	arcs.keep(&words, toks)
	words.Set(d)
	return []*text.Document{d}, arcs.set(&b, d, toks)
}

func (c *conllx) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	var b bytes.Buffer
	words := layers.Kept(d)
	trees := arcsOf(d, toks, words)
	sent, tok := toks.Cols[0].Ints, toks.Cols[1].Ints
	for i := range toks.N {
		if i > 0 && sent[i] != sent[i-1] {
			b.WriteByte('\n')
		}
		id := strconv.Itoa(int(tok[i]))
		head, rel := trees.cells(i)
		phead, pdeprel := "_", "_"
		if p := words.Cells(sent[i], id+pRow, 2); p != nil {
			phead, pdeprel = p[0], p[1]
		}
		err := writeCells(&b, d.ID,
			[]string{id, toks.Cols[4].Strs[i], layers.CellOf(toks.Strs("lemma"), i), layers.CellOf(toks.Strs("upos"), i),
				layers.CellOf(toks.Strs("xpos"), i), layers.CellOf(toks.Strs("feats"), i), head, rel, phead, pdeprel})
		if err != nil {
			return err
		}
	}
	if toks.N > 0 {
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeCells writes a line of columns between tabs.
func writeCells(b *bytes.Buffer, id string, cells []string) error {
	for k, v := range cells {
		if v == "" || strings.ContainsAny(v, "\t\r\n") {
			return fmt.Errorf("document %s: %q does not fit into a column", id, v)
		}
		if k > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(v)
	}
	b.WriteByte('\n')
	return nil
}
