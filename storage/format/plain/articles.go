package plain

import (
	"bytes"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// articles is articles that begin with a line # id TAB title; each line is a paragraph.
type articles struct{}

func (articles) Options(*option.Set) {}

func articleHead(line []byte) bool {
	return bytes.HasPrefix(line, []byte("# ")) && bytes.IndexByte(line, '\t') > 0
}

func (articles) Splitter() codec.Splitter {
	return &codec.FirstLineSplitter{First: articleHead, Every: 1}
}

func (articles) Parse(b codec.Block) ([]*text.Document, error) {
	head, body, _ := strings.Cut(b.Text, "\n")
	id, title, ok := strings.Cut(strings.TrimPrefix(head, "# "), "\t")
	id, title = text.Trim(id), text.Trim(title)
	if !ok || !articleHead([]byte(head)) || id == "" {
		return nil, b.Fault(0, 0, "an article begins with a line # id TAB title")
	}
	d := &text.Document{ID: id, Text: strings.Trim(body, "\n")}
	if title != "" {
		d.Fields = []text.Field{{Name: "title", Value: value.Str(title)}}
	}
	return []*text.Document{d}, nil
}
