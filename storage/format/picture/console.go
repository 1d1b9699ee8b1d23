package picture

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

// console draws documents and rows with the characters of a terminal.
type console struct {
	chooser
	palettes
	partners
	draw.Console
	rows   pictureRows
	plot   *plotRows
	matrix *matrixRows
	named  bool // something was drawn, so that a blank line comes first
}

func newConsole() codec.Codec { return &console{palettes: newPalettes()} }

func (c *console) Options(s *option.Set) {
	s.List(&c.names, "layers", nil, "layers of documents to draw: dependencies, constituents, relations, alignments "+
		"with the document before or after, and layers of spans; without it, all of "+
		"these that the documents have")
	s.Int(&c.Width, "width", 80, 20, 100000, "greatest width of a line").Per("cells of the terminal")
	s.Bool(&c.Colour, "colour", false, "whether labels are told apart by colours of the terminal; else by brackets")
}

func (c *console) Document(w io.Writer, d *text.Document) error {
	return c.draw(d, func(d *text.Document) error { return c.one(w, d) })
}

// onConsole reports whether a layer is drawn.
func onConsole(p picture) bool { return p != asTable && p != asBadges }

// one draws a document.
func (c *console) one(w io.Writer, d *text.Document) error {
	var b strings.Builder
	c.heading(&b, d.ID)
	layers := c.choose(d, onConsole)
	for _, l := range layers {
		if !onConsole(pictureOf(l.Def)) {
			return fmt.Errorf("layers: %s has no picture in a terminal; FORMAT html shows it", l.Name)
		}
		if len(layers) > 1 {
			c.heading(&b, l.Name)
		}
		if err := c.layer(&b, d, l); err != nil {
			return err
		}
	}
	if len(layers) == 0 && d.Text != "" {
		b.WriteString(c.Flow(draw.Cut(d.Text, nil), false))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading names what follows, after a blank line.
func (c *console) heading(b *strings.Builder, name string) {
	if c.named {
		b.WriteByte('\n')
	}
	if c.named = true; name != "" {
		b.WriteString(c.Heading(name))
	}
}

func (c *console) layer(b *strings.Builder, d *text.Document, l *text.Layer) error {
	switch pictureOf(l.Def) {
	case asArcs:
		return eachArcs(d, l, func(sent int, words []draw.Word, list []draw.Arc) { c.sentence(b, sent, c.Arcs(words, list)) })
	case asTree:
		eachTree(d, l, func(sent int, words []draw.Word, nodes []draw.Node) { c.sentence(b, sent, c.Tree(words, nodes)) })
		return nil
	case asLinks:
		c.eachLinks(d, l, func(sent int, upper, lower []draw.Word, list []draw.Link) {
			c.sentence(b, sent, c.Links(upper, lower, list))
		})
		return nil
	case asRelations:
		eachRelations(d, l, func(sent int, words []draw.Word, list []draw.Arc) {
			c.sentence(b, sent, c.Relations(words,
				list))
		})
		return nil
	}
	texts, err := c.markedTexts(d, l)
	if err != nil {
		return err
	}
	for i, t := range texts {
		if t.title != "" {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(c.Heading(t.title))
		}
		b.WriteString(c.Flow(draw.Cut(t.text, t.marks), l.Def == text.Edits, c.labels, c.clusters))
	}
	return nil
}

// sentence writes the picture of one, with its number where it is not the first.
func (c *console) sentence(b *strings.Builder, sent int, picture string) {
	if sent > 1 {
		b.WriteString(c.Heading(strconv.Itoa(sent)))
	}
	b.WriteString(picture)
}

func (c *console) Begin(_ io.Writer, columns []codec.Column) error {
	c.rows.loose = true
	if c.rows.layer(columns, false) {
		return nil
	}
	if err := c.rows.textless(columns); err != nil {
		return err
	}
	if c.matrix = newMatrixRows(columns); c.matrix != nil {
		return nil
	}
	var err error
	if c.plot, err = newPlotRows(columns); err != nil {
		return errors.New("rows with these columns have no picture; those are drawn that have " + drawable())
	}
	return nil
}

// drawable are the columns that pictures need.
func drawable() string {
	return "tok, form and head (dependencies); node, parent, label, char_start, char_end and text (constituents); " +
		"char_start, char_end " +
		"and label (spans), cluster (mentions) or correction (edits), with the text of the document as document_text, or " +
		"of the span " +
		"as text or source; subject_start, subject_end, object_start, object_end, label and document_text (relations); " +
		"gold, predicted and n, or the rows of EVALUATE … WITH (confusion = true) (counts); a first column and " +
		"numbers (a plot)"
}

func (c *console) Row(w io.Writer, _ []codec.Column, row []value.Value) error {
	switch {
	case c.matrix != nil:
		return c.matrix.add(row)
	case c.plot != nil:
		return c.plot.add(row)
	}
	c.rows.emit = func(d *text.Document) error { return c.Document(w, d) }
	return c.rows.add(row)
}

// End draws what is held.
func (c *console) End(w io.Writer) error {
	if err := c.rows.flush(); err != nil {
		return err
	}
	if err := c.draw(nil, func(d *text.Document) error { return c.one(w, d) }); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	var b strings.Builder
	if c.matrix != nil {
		m, err := c.matrix.matrix()
		if err != nil {
			return err
		}
		b.WriteString(c.Matrix(m))
	}
	if c.plot != nil && c.plot.n > 0 {
		for i, p := range c.plot.plots() {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(c.Plot(p))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
