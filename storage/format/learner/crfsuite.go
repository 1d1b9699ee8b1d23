package learner

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// crfsuite is the data of CRFsuite: an item a line, its label and then attributes after tabs, a blank line after a
// sequence. An attribute may have a value after a colon; colons and backslashes of its own stand after a backslash. The
// attributes of a token are kept in misc as they stand.
type crfsuite struct {
	cut       string
	sentences int
	label     string
	form      string
	codec.Notes
}

func (c *crfsuite) Options(s *option.Set) {
	s.Text(&c.cut, "document", "sentence", "a document is a sentence, a file, or a number of sentences")
	s.Check("document", func() (err error) { c.sentences, err = codec.DocumentCut(c.cut, ""); return err })
	s.Choice(&c.label, "label", "xpos", append([]string{"lemma", "upos", "xpos", "feats"}, layers.SpanColumns...),
		"column of tokens, or layer of spans, that the labels become; they are tags such as B-PER for spans")
	s.Text(&c.form, "form", "w[0]=", "what the attribute with the word begins with; a token without one has the form _")
}

func (c *crfsuite) Splitter() codec.Splitter {
	return &codec.SentenceSplitter{File: c.sentences == 0, Sentences: c.sentences}
}

func (c *crfsuite) Parse(b codec.Block) ([]*text.Document, error) {
	var bd layers.Builder
	cells := layers.TokenCells{Names: []string{"misc"}}
	var labels []string
	open, at := false, 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			open = false
			continue
		}
		label, attributes, _ := strings.Cut(line, "\t")
		form, err := c.word(attributes)
		switch {
		case err != nil:
			return nil, b.Fault(at, 0, "%v", err)
		case label == "":
			return nil, b.Fault(at, 1, "the label is empty: a line is a label and attributes after tabs")
		case layers.IsSpanColumn(c.label) && !(layers.Tags{}).Is(label):
			return nil, b.Fault(at, 1, "%q is no tag such as O, B-PER or I-PER, and %s holds spans", label, c.label)
		}
		if !open {
			bd.Sentence()
			open = true
		}
		bd.Token(form, false)
		cells.Add(attributes)
		labels = append(labels, label)
	}
	id := b.ID()
	if c.sentences == 0 {
		id = b.Base
	}
	d, toks := bd.Document(id)
	cells.Set(toks)
	if layers.IsSpanColumn(c.label) {
		d.SetLayer(d.SpanLayer(text.Builtins(c.label), layers.Tags{}.Spans(toks, labels)))
	} else {
		toks.SetStrs(c.label, labels)
	}
	return []*text.Document{d}, nil
}

// word finds the form among the attributes, and refuses values that are no numbers.
func (c *crfsuite) word(attributes string) (form string, err error) {
	form = "_"
	for a := range strings.SplitSeq(attributes, "\t") {
		name, value, ok := splitAttribute(a)
		if ok {
			if v, err := strconv.ParseFloat(value, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return "", fmt.Errorf("the attribute %s has the value %q, a finite number is wanted; \\: is a colon of "+
					"the name", name, value)
			}
		}
		if w, found := strings.CutPrefix(name, c.form); found && form == "_" && text.Trim(w) != "" {
			form = w
		}
	}
	return form, nil
}

// splitAttribute takes the escapes out of an attribute and cuts its value off.
func splitAttribute(a string) (name, value string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(a); i++ {
		switch {
		case a[i] == '\\' && i+1 < len(a):
			i++
			b.WriteByte(a[i])
		case a[i] == ':':
			return b.String(), a[i+1:], true
		default:
			b.WriteByte(a[i])
		}
	}
	return b.String(), "", false
}

// Document writes the items of the sentences of a document.
func (c *crfsuite) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	labels := toks.Strs(c.label)
	if layers.IsSpanColumn(c.label) {
		labels = layers.Tags{Scheme: "bio"}.Tags(d, toks, d.Layer(c.label),
			func(what codec.Topic) { c.Tell(what, 1, d.ID, 0) })
	}
	misc := toks.Strs("misc")
	var b bytes.Buffer
	for i, sent := range toks.Cols[0].Ints {
		if i > 0 && sent != toks.Cols[0].Ints[i-1] {
			b.WriteByte('\n')
		}
		label := layers.CellOf(labels, i)
		attributes := ""
		if misc != nil {
			attributes = misc[i]
		}
		if strings.ContainsAny(label, "\t\r\n") || strings.ContainsAny(attributes, "\r\n") {
			return fmt.Errorf("document %s, token %d: the label %q or the attributes %q have a tab or an end of a line", d.ID,
				i+1, label, attributes)
		}
		b.WriteString(label)
		if attributes != "" {
			b.WriteString("\t" + attributes)
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}
