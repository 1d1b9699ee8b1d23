package web

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// Page is HTML: a file is a document, its text what a browser shows. Blanks count as one but in
// <pre>; blocks begin and end lines. Elements without text have no spans.
type Page struct {
	tags      []string
	attribute string
	group     string
}

// Options declares what becomes spans.
func (c *Page) Options(s *option.Set) {
	s.List(&c.tags, "tags", nil,
		"the elements that are spans of the layer segments, such as ('h1', 'a'); their label is the tag. '*' stands "+
			"for each text between two tags, with the tag around it")
	s.Text(&c.attribute, "attribute", "",
		"the attribute whose elements are spans of the layer entities, such as wa-type; their label is its value")
	s.Text(&c.group, "group", "",
		"the attribute that elements of one entity share, such as wa-id; the entity reaches from the first to the last")
	s.Require(func() bool { return c.group == "" || c.attribute != "" },
		"group: the option attribute names the elements that are entities")
	s.Check("tags", func() error {
		for i, t := range c.tags {
			c.tags[i] = strings.ToLower(t)
		}
		return nil
	})
}

// unseenElements hold nothing that is shown.
var unseenElements = map[string]bool{"script": true, "style": true, "noscript": true, "template": true, "iframe": true,
	"noembed": true, "noframes": true, "object": true, "svg": true, "datalist": true}

// blockElements begin and end lines.
var blockElements = map[string]bool{"address": true, "article": true, "aside": true, "blockquote": true,
	"body": true, "br": true,
	"caption": true, "center": true, "dd": true, "details": true, "dialog": true, "dir": true, "div": true,
	"dl": true, "dt": true,
	"fieldset": true, "figcaption": true, "figure": true, "footer": true, "form": true, "h1": true, "h2": true,
	"h3": true, "h4": true,
	"h5": true, "h6": true, "header": true, "hr": true, "legend": true, "li": true, "main": true, "menu": true,
	"nav": true, "ol": true,
	"optgroup": true, "option": true, "p": true, "pre": true, "section": true, "summary": true, "table": true,
	"tbody": true, "tfoot": true,
	"thead": true, "tr": true, "ul": true}

// cellElements are set off by a blank.
var cellElements = map[string]bool{"td": true, "th": true, "button": true, "select": true, "textarea": true}

// Read reads a page.
func (c *Page) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	page, err := io.ReadAll(&codec.LineStream{Source: src})
	if err != nil || len(page) == 0 {
		return err
	}
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return src.Fault(1, 0, "HTML: %v", err)
	}
	r := &pageReader{c: c, groups: map[[2]string]int{}}
	r.node(root)
	d := &text.Document{ID: src.Base, Text: r.out.String()}
	if r.title != "" {
		d.Fields = []text.Field{{Name: "title", Value: value.Str(r.title)}}
	}
	if len(c.tags) > 0 {
		d.SetLayer(layers.Spans(d, text.Segments, filled(r.segments)))
	}
	if c.attribute != "" {
		d.SetLayer(layers.Spans(d, text.Entities, filled(r.entities)))
	}
	return emit(d, 1)
}

// filled leaves out spans without text.
func filled(spans []layers.Span) []layers.Span {
	return slices.DeleteFunc(spans, func(s layers.Span) bool { return s.Start >= s.End })
}

// pageReader is one page on its way.
type pageReader struct {
	c        *Page
	out      strings.Builder
	gap      string // white space to be written before the next text
	pre      int    // elements that keep white space
	title    string
	segments []layers.Span
	entities []layers.Span
	groups   map[[2]string]int // entities by label and group
}

func (r *pageReader) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		start := r.out.Len()
		if r.pre > 0 {
			r.kept(n.Data)
		} else {
			r.words(n.Data)
		}
		if slices.Contains(r.c.tags, "*") && n.Parent != nil {
			r.segment(n.Parent.Data, start, r.out.Len())
		}
		return
	case html.ElementNode:
		r.element(n)
		return
	}
	r.children(n)
}

func (r *pageReader) children(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		r.node(k)
	}
}

func (r *pageReader) element(n *html.Node) {
	if n.Data == "title" && n.Namespace == "" && r.title == "" {
		r.title = titleOf(n)
		return
	}
	if _, hidden := attributeOf(n, "hidden"); hidden || unseenElements[n.Data] {
		return
	}
	r.border(n.Data)
	start := r.out.Len()
	if n.Data == "pre" {
		r.pre++
	}
	r.children(n)
	if n.Data == "pre" {
		r.pre--
	}
	r.spans(n, start)
	r.border(n.Data)
}

func titleOf(n *html.Node) string {
	var b strings.Builder
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode {
			b.WriteString(k.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func attributeOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// border is white space where an element begins or ends.
func (r *pageReader) border(tag string) {
	switch {
	case blockElements[tag]:
		r.gap = "\n"
	case cellElements[tag] && r.gap == "":
		r.gap = " "
	}
}

// spans adds the spans of an element that began before the text from start.
func (r *pageReader) spans(n *html.Node, start int) {
	end := r.out.Len()
	start = r.shown(start, end)
	if slices.Contains(r.c.tags, n.Data) {
		r.segment(n.Data, start, end)
	}
	if r.c.attribute == "" {
		return
	}
	label, ok := attributeOf(n, strings.ToLower(r.c.attribute))
	if !ok || label == "" || start == end {
		return
	}
	if group, ok := attributeOf(n, strings.ToLower(r.c.group)); ok && r.c.group != "" {
		key := [2]string{label, group}
		if k, seen := r.groups[key]; seen {
			s := &r.entities[k]
			s.Start, s.End = min(s.Start, start), max(s.End, end)
			return
		}
		r.groups[key] = len(r.entities)
	}
	r.entities = append(r.entities, layers.Span{Start: start, End: end, Label: label})
}

// shown is where the text from start begins behind white space.
func (r *pageReader) shown(start, end int) int {
	for start < end && strings.IndexByte(codec.Blanks, r.out.String()[start]) >= 0 {
		start++
	}
	return start
}

// segment adds a span of the layer segments.
func (r *pageReader) segment(label string, start, end int) {
	r.segments = append(r.segments, layers.Span{Start: r.shown(start, end), End: end, Label: label})
}

// words writes text with its blanks as one.
func (r *pageReader) words(s string) {
	blank := func(c rune) {
		if unicode.IsSpace(c) && r.gap == "" {
			r.gap = " "
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	blank(first)
	for i, w := range strings.Fields(s) {
		if i > 0 {
			r.gap = " "
		}
		r.write(w)
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	blank(last)
}

// kept writes text with its blanks; line feeds at its end wait for more.
func (r *pageReader) kept(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			r.gap += "\n"
		}
		if line != "" {
			r.write(line)
		}
	}
}

func (r *pageReader) write(s string) {
	if r.out.Len() > 0 {
		r.out.WriteString(r.gap)
	}
	r.gap = ""
	r.out.WriteString(s)
}
