package plain

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// pfr is the format of the PFR corpus of the People's Daily, a paragraph a line:
//
//	19980101-01-001-006/m 通过/p [中央/n 人民/n 广播/vn 电台/n]nt ，/w
//
// The first field numbers the paragraph. Brackets hold compounds, which are segments. The text has no blank between
// words.
type pfr struct{ cut string }

func (c *pfr) Options(s *option.Set) {
	s.Choice(&c.cut, "document", "paragraph", []string{"paragraph", "article"}, "a document is a paragraph, or an "+
		"article: paragraphs with the same number but for its last part, as sentences")
}

// pfrSplitter cuts where the number of the article changes, or at each line.
type pfrSplitter struct {
	article bool
	last    string
}

func (c *pfr) Splitter() codec.Splitter { return &pfrSplitter{article: c.cut == "article"} }

func (s *pfrSplitter) Begins(line []byte) (begins, skip bool) {
	line = bytes.Trim(line, text.Blanks)
	if len(line) == 0 {
		return false, true
	}
	number := articleOf(string(line))
	begins = !s.article || number != s.last
	s.last = number
	return begins, false
}

// articleOf is the number of a paragraph without its last part.
func articleOf(line string) string {
	number, _, _ := strings.Cut(line, "/")
	if k := strings.LastIndexByte(number, '-'); k >= 0 {
		return number[:k]
	}
	return number
}

// pfrReader is one document on its way.
type pfrReader struct {
	b     *codec.Block
	bd    layers.Builder
	cols  layers.TokenCells
	spans []text.Span
	open  []int32 // first tokens of compounds that are open
}

func (c *pfr) Parse(b codec.Block) ([]*text.Document, error) {
	r := pfrReader{b: &b, cols: layers.TokenCells{Names: []string{"xpos"}}}
	id, at := "", 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		fields := text.Fields(line)
		if len(fields) == 0 {
			continue
		}
		number, ok := strings.CutSuffix(fields[0], "/m")
		if !ok || !strings.Contains(number, "-") {
			return nil, b.Fault(at, 1, "%q is no number of a paragraph, such as 19980101-01-001-006/m", fields[0])
		}
		if id == "" {
			id = number
			if c.cut == "article" {
				id = articleOf(line)
			}
		}
		if err := r.line(at, line, fields[1:]); err != nil {
			return nil, err
		}
	}
	d, toks := r.bd.Document(id)
	r.cols.Set(toks)
	if len(r.spans) > 0 {
		slices.SortStableFunc(r.spans, func(a, b text.Span) int {
			return cmp.Or(cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last))
		})
		d.SetLayer(d.SpanLayer(text.Segments, r.spans))
	}
	return []*text.Document{d}, nil
}

// line reads the words of a paragraph.
func (r *pfrReader) line(at int, line string, words []string) error {
	if len(words) > 0 {
		r.bd.Sentence()
	}
	end := strings.IndexByte(line, '/')
	for _, w := range words {
		col := end + strings.Index(line[end:], w)
		end = col + len(w)
		for strings.HasPrefix(w, "[") && !strings.HasPrefix(w, "[/") {
			w = w[1:]
			r.open = append(r.open, int32(r.bd.Next()))
		}
		w, closed, compound := strings.Cut(w, "]")
		k := strings.LastIndexByte(w, '/')
		if k < 1 || k+1 == len(w) {
			return r.b.Fault(at, col+1, "%q is no word with its tag after a slash, such as 希望/n", w)
		}
		r.bd.Token(w[:k], true)
		r.cols.Add(w[k+1:])
		for compound {
			var label string
			label, closed, compound = strings.Cut(closed, "]")
			if len(r.open) == 0 {
				return r.b.Fault(at, col+1, "a compound ends that has not begun")
			}
			n := len(r.open) - 1
			r.spans = append(r.spans, text.Span{Sent: int32(len(r.bd.SentStart)), First: r.open[n], Last: int32(r.bd.Next() - 1),
				Label: label})
			r.open = r.open[:n]
		}
	}
	if len(r.open) > 0 {
		return r.b.Fault(at, len(line), "a compound is not closed")
	}
	return nil
}
