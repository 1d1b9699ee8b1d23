package plain

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// lines is a document a line.
type lines struct {
	label     string
	separator string
	blank     bool
}

func (l *lines) Options(s *option.Set) {
	s.Choice(&l.label, "label", "none", []string{"none", "first", "last"}, "where the line has the label of the document")
	s.Text(&l.separator, "separator", "\t", "what separates label and text")
	s.Bool(&l.blank, "blank", false, "whether blank lines are documents")
	s.Require(func() bool { return l.separator != "" }, "separator: some text is wanted")
}

func (l *lines) Splitter() codec.Splitter { return codec.LineSplitter{Blank: l.blank} }

func (l *lines) Parse(b codec.Block) ([]*text.Document, error) {
	d := &text.Document{ID: b.ID(), Text: strings.TrimSuffix(b.Text, "\n")}
	if l.label == "none" {
		return []*text.Document{d}, nil
	}
	at := strings.Index(d.Text, l.separator)
	if l.label == "last" {
		at = strings.LastIndex(d.Text, l.separator)
	}
	if at < 0 {
		return nil, b.Fault(0, 0, "the line has no %q between label and text", l.separator)
	}
	before, after := d.Text[:at], d.Text[at+len(l.separator):]
	label := before
	d.Text = after
	if l.label == "last" {
		label, d.Text = after, before
	}
	if label = text.Trim(label); label == "" {
		return nil, b.Fault(0, 0, "the label is empty")
	}
	d.SetLayer(layers.Labels(label))
	return []*text.Document{d}, nil
}

// Document writes the text in a line. A text with line feeds does not fit, nor does an empty
// one where blank lines are left out.
func (l *lines) Document(w io.Writer, d *text.Document) error {
	if strings.ContainsAny(d.Text, "\r\n") || d.Text == "" && !l.blank && l.label == "none" {
		return fmt.Errorf("document %s: its text does not fit into a line; FORMAT jsonl holds any text", d.ID)
	}
	if l.label == "none" {
		_, err := fmt.Fprintln(w, d.Text)
		return err
	}
	lb := d.Layer("labels")
	if lb == nil || lb.N == 0 {
		return fmt.Errorf("document %s has no label", d.ID)
	}
	label := lb.Strs("label")[0]
	if lb.N > 1 || strings.Contains(label, l.separator) || text.Trim(label) != label ||
		l.label == "last" && strings.Contains(label, l.separator) {
		return fmt.Errorf("document %s: its labels do not fit beside the text; FORMAT jsonl holds any", d.ID)
	}
	if l.label == "last" {
		_, err := fmt.Fprintln(w, d.Text+l.separator+label)
		return err
	}
	_, err := fmt.Fprintln(w, label+l.separator+d.Text)
	return err
}

// plain is texts with or without lines at which documents begin.
type plain struct {
	pattern string
	re      *regexp.Regexp
}

func (p *plain) Options(s *option.Set) {
	s.Text(&p.pattern, "document", "",
		"pattern of a document's first line; its named groups become id and metadata; without it a file is a document")
	s.Check("document", func() (err error) {
		p.re = nil
		if p.pattern != "" {
			p.re, err = regexp.Compile(p.pattern)
		}
		return err
	})
}

type textSplitter struct {
	re    *regexp.Regexp
	began bool
}

func (s *textSplitter) Begins(line []byte) (begins, skip bool) {
	if s.re == nil {
		first := !s.began
		s.began = true
		return first, false
	}
	if s.re.Match(line) {
		s.began = true
		return true, false
	}
	return false, !s.began
}

func (p *plain) Splitter() codec.Splitter { return &textSplitter{re: p.re} }

func (p *plain) Parse(b codec.Block) ([]*text.Document, error) {
	d := &text.Document{ID: b.ID(), Text: strings.TrimSuffix(b.Text, "\n")}
	if p.re == nil {
		d.ID = b.Base
		return []*text.Document{d}, nil
	}
	first, rest, _ := strings.Cut(d.Text, "\n")
	m := p.re.FindStringSubmatch(first)
	for i, name := range p.re.SubexpNames() {
		switch {
		case name == "" || m == nil:
		case name == "id":
			if d.ID = m[i]; d.ID == "" {
				return nil, b.Fault(0, 0, "the id is empty")
			}
		default:
			d.Fields = append(d.Fields, text.Field{Name: name, Value: value.Str(m[i])})
		}
	}
	if len(p.re.SubexpNames()) > 1 {
		d.Text = rest // the line is a header
	}
	return []*text.Document{d}, nil
}
