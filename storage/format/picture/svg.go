package picture

import (
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

// svg writes one picture. It is held until its end, for its head says how large it is.
type svg struct {
	chooser
	palettes
	partners
	title  string
	width  int
	most   int
	logX   bool
	logY   bool
	stack  draw.Stack
	rows   pictureRows
	matrix *matrixRows
	plot   *plotRows     // rows that are neither a layer nor counts
	lines  *draw.Palette // of plots
}

func newSVG() codec.Codec { return &svg{palettes: newPalettes(), lines: draw.NewOrdered("s")} }

func (s *svg) Options(set *option.Set) {
	set.List(&s.names, "layers", nil, "layers of documents to draw: dependencies, constituents, alignments with the "+
		"document before or after, relations, and layers of spans as boxes; without it, all of these that the documents have")
	set.Text(&s.title, "title", "", "title of the picture")
	set.Int(&s.width, "width", 900, 100, 100000, "where lines of marked text end").Per("pixels")
	set.Bool(&s.logX, "log_x", false, "plots: the scale across is logarithmic; points from 0 down are left out")
	set.Bool(&s.logY, "log_y", false, "plots: the scale upwards is logarithmic; points from 0 down are left out")
	set.Int(&s.most, "figures", 1000, 1, 1000000, "largest number of figures; more are an error")
}

// End writes the picture.
func (s *svg) End(w io.Writer) error {
	if err := s.rows.flush(); err != nil {
		return err
	}
	if err := s.draw(nil, s.one); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	f := s.stack.Figure()
	if s.plot != nil || s.matrix != nil {
		var err error
		if f, err = s.figures(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, f.File(s.title, s.labels.SVG()+s.clusters.SVG()+s.lines.SVG()+singleStyle))
	return err
}

// figures draws rows that are counts or lines of plots.
func (s *svg) figures() (draw.Figure, error) {
	var one draw.Stack
	if s.title != "" {
		one.Heading(s.title)
	}
	if s.matrix != nil {
		m, err := s.matrix.matrix()
		if err != nil {
			return draw.Figure{}, err
		}
		one.Add("", m.Figure())
		return one.Figure(), nil
	}
	for _, p := range s.plot.plots() {
		p.LogX, p.LogY = s.logX, s.logY
		one.Add("", p.Figure(s.lines))
	}
	return one.Figure(), nil
}

// singleStyle colours mentions that corefer with none.
const singleStyle = ".fig .bsingle{fill:#e4e7eb}.fig .csingle{fill:#5b6470}\n@media " +
	"(prefers-color-scheme:dark){.fig .bsingle{fill:#343b45}.fig .csingle{fill:#a3adba}}\n"

func (s *svg) Document(_ io.Writer, d *text.Document) error { return s.draw(d, s.one) }

// one draws a document.
func (s *svg) one(d *text.Document) error {
	if s.stack.Empty() && s.title != "" {
		s.stack.Heading(s.title)
	}
	drawn := func(p picture) bool { return p != asTable && p != asBadges }
	layers := s.choose(d, drawn)
	if d.ID != "" {
		s.stack.Heading(d.ID)
	}
	for _, l := range layers {
		if !drawn(pictureOf(l.Def)) {
			return fmt.Errorf("layers: %s has no picture; FORMAT html shows it", l.Name)
		}
		if err := s.layer(d, l, len(layers) > 1); err != nil {
			return err
		}
	}
	if len(layers) == 0 && d.Text != "" {
		return s.add("", draw.Flow(draw.Cut(d.Text, nil), float64(s.width)))
	}
	return nil
}

func (s *svg) add(caption string, f draw.Figure) error {
	if s.stack.Len() >= s.most {
		return fmt.Errorf("the picture would hold more than %d figures; choose fewer documents by WHERE or LIMIT, or "+
			"WITH (figures = …)", s.most)
	}
	s.stack.Add(caption, f)
	return nil
}

// layer draws a layer of a document; named puts its name above.
func (s *svg) layer(d *text.Document, l *text.Layer, named bool) error {
	var list []sentenceFigure
	switch pictureOf(l.Def) {
	case asArcs:
		var err error
		if list, err = arcFigures(d, l); err != nil {
			return err
		}
	case asTree:
		list = treeFigures(d, l)
	case asLinks:
		list = s.linkFigures(d, l)
	case asRelations:
		list = relationFigures(d, l)
	default:
		texts, err := s.markedTexts(d, l)
		if err != nil {
			return err
		}
		for _, t := range texts {
			if l.Def == text.Edits {
				arrows(t.marks)
			}
			if err := s.add(caption(l, named, t.title), draw.Flow(draw.Cut(t.text, t.marks), float64(s.width))); err != nil {
				return err
			}
		}
	}
	for _, f := range list {
		number := ""
		if len(list) > 1 || f.sent > 1 {
			number = strconv.Itoa(f.sent)
		}
		if err := s.add(caption(l, named, number), f.Figure); err != nil {
			return err
		}
	}
	return nil
}

func caption(l *text.Layer, named bool, more string) string {
	if !named {
		return more
	}
	return strings.TrimSpace(l.Name + " " + more)
}

// arrows shows corrections, of which the tags are what replaces the text.
func arrows(marks []draw.Mark) {
	for i := range marks {
		m := &marks[i]
		m.Tag = strings.TrimSpace("→ " + m.Tag + " " + m.Title)
	}
}

func (s *svg) Begin(_ io.Writer, columns []codec.Column) error {
	if s.rows.layer(columns, false) {
		s.rows.emit = func(d *text.Document) error { return s.Document(nil, d) }
		return nil
	}
	if err := s.rows.textless(columns); err != nil {
		return err
	}
	if s.matrix = newMatrixRows(columns); s.matrix != nil {
		return nil
	}
	var err error
	s.plot, err = newPlotRows(columns)
	return err
}

func (s *svg) Row(_ io.Writer, _ []codec.Column, row []value.Value) error {
	switch {
	case s.matrix != nil:
		return s.matrix.add(row)
	case s.plot != nil:
		return s.plot.add(row)
	}
	return s.rows.add(row)
}
