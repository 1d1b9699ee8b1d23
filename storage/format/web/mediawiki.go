package web

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// mediawiki is XML dumps of wikis: a page is a document, its categories are labels. Of several
// revisions the last counts.
type mediawiki struct {
	namespaces []string
	redirects  bool
	categories []string
	files      []string
}

func (c *mediawiki) Options(s *option.Set) {
	s.List(&c.namespaces, "namespaces", []string{"0"},
		"the numbers of the namespaces whose pages are read; 0 is articles, * all")
	s.Bool(&c.redirects, "redirects", false,
		"whether pages that only lead to another are read; the other is the metadata redirect")
	s.List(&c.categories, "categories", []string{"Category"}, "the namespace of categories in the language of the wiki")
	s.List(&c.files, "files", []string{"File", "Image", "Media"},
		"the namespaces of files in the language of the wiki; links to them are left out")
}

// wikiPage is a page of the dump.
type wikiPage struct {
	Title    string `xml:"title"`
	Space    string `xml:"ns"`
	ID       string `xml:"id"`
	Redirect *struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Revisions []struct {
		Text string `xml:"text"`
	} `xml:"revision"`
}

func (c *mediawiki) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	x := src.Elements()
	number := 0
	page := func(e xml.StartElement, line int) error {
		if e.Name.Local != "page" {
			return x.Skip()
		}
		var p wikiPage
		if err := x.DecodeElement(&p, &e); err != nil {
			return err
		}
		number++
		if d := c.page(src, &p, number); d != nil {
			return emit(d, line)
		}
		return nil
	}
	for {
		e, line, err := x.Root("mediawiki", "page")
		if err == io.EOF {
			return nil
		}
		if err == nil && e.Name.Local == "page" {
			err = x.Fault(page(e, line))
		} else if err == nil {
			err = x.Children(page)
		}
		if err != nil {
			return err
		}
	}
}

// page makes the document of a page, nil where it is left out.
func (c *mediawiki) page(src *codec.Source, p *wikiPage, number int) *text.Document {
	space := strings.TrimSpace(p.Space)
	if space == "" {
		space = "0"
	}
	if !slices.Contains(c.namespaces, space) && !slices.Contains(c.namespaces, "*") || p.Redirect != nil && !c.redirects {
		return nil
	}
	d := &text.Document{ID: strings.TrimSpace(p.ID)}
	if d.ID == "" {
		d.ID = fmt.Sprintf("%s:%d", src.Base, number)
	}
	field := func(name, v string) {
		if v != "" {
			d.Fields = append(d.Fields, text.Field{Name: name, Value: value.Str(v)})
		}
	}
	field("title", strings.TrimSpace(p.Title))
	if p.Redirect != nil {
		field("redirect", p.Redirect.Title)
	}
	if len(p.Revisions) == 0 {
		return d
	}
	w := wikitext{categoryNames: lowered(c.categories), fileNames: lowered(c.files)}
	var lead string
	d.Text, lead = w.reduce(p.Revisions[len(p.Revisions)-1].Text)
	field("first", firstSentence(lead))
	if len(w.categories) > 0 {
		d.SetLayer(layers.Labels(w.categories...))
	}
	return d
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(n)
	}
	return out
}
