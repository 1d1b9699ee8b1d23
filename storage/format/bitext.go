package format

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// bitext is a sentence and its translation a line. A pair is two documents, file:n:source and
// file:n:target, where n is the line; alignments are a layer of the first.
type bitext struct {
	separator string
	sides     []string
	tokenized bool
	alignment string
	base      int
}

func (c *bitext) options(s *option.Set) {
	s.Text(&c.separator, "separator", " ||| ", "what separates a sentence from its translation; tab is a tab, where further columns are the metadata rest")
	s.List(&c.sides, "sides", []string{"source", "target"}, "the names of both sides: the ends of ids, and the metadata side")
	s.Bool(&c.tokenized, "tokenized", true, "whether tokens stand between blanks; otherwise the corpus' tokeniser cuts the texts")
	s.Text(&c.alignment, "alignment", "", "a file beside with the alignments i-j (sure) and ipj (possible) of each line: its name, or an extension such as .gold that replaces that of the file")
	s.Int(&c.base, "base", 0, 0, 1, "the number of the first token in alignments")
	s.Require(func() bool { return c.separator != "" }, "separator: some text is wanted")
	s.Require(func() bool { return c.alignment == "" || c.tokenized }, "alignment: tokens must stand between blanks (tokenized = true)")
	s.Check("sides", func() error {
		if len(c.sides) != 2 || c.sides[0] == c.sides[1] || slices.Contains(c.sides, "") {
			return fmt.Errorf("two different names are wanted, such as ('en', 'fr')")
		}
		return nil
	})
}

func (c *bitext) read(src *Source, emit func(doc *text.Document, line int) error) error {
	if c.alignment == "" {
		return c.pairs(src, nil, emit)
	}
	name := c.alignment
	if strings.HasPrefix(name, ".") {
		name = src.stem() + name
	}
	return src.beside(name, func(links *Source) error { return c.pairs(src, links, emit) })
}

// pairs reads the lines of both files side by side; links may be nil.
func (c *bitext) pairs(src, links *Source, emit func(doc *text.Document, line int) error) error {
	for {
		line, n, err := src.next()
		if err == io.EOF {
			return linksEnd(links)
		}
		if err != nil {
			return err
		}
		content := string(line)
		var link string
		if links != nil {
			l, _, err := links.next()
			if err == io.EOF && strings.TrimSpace(content) != "" {
				return src.fault(n, 0, "%s has no alignment of this line", links.Name)
			}
			if err != nil && err != io.EOF {
				return err
			}
			link = string(l)
		}
		if strings.TrimSpace(content) == "" {
			if strings.TrimSpace(link) != "" {
				return links.fault(n, 0, "an alignment of a blank line")
			}
			continue
		}
		docs, err := c.pair(src, n, content)
		if err != nil {
			return err
		}
		if links != nil {
			if err := c.align(docs, links, n, link); err != nil {
				return err
			}
		}
		for _, d := range docs {
			if err := emit(d, n); err != nil {
				return err
			}
		}
	}
}

// linksEnd wants no more alignments.
func linksEnd(links *Source) error {
	if links == nil {
		return nil
	}
	for {
		line, n, err := links.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(line)) != "" {
			return links.fault(n, 0, "an alignment behind the last pair")
		}
	}
}

// pair makes the documents of a line.
func (c *bitext) pair(src *Source, n int, line string) ([]*text.Document, error) {
	separator := c.separator
	if separator == "tab" {
		separator = "\t"
	}
	source, target, ok := strings.Cut(line, separator)
	if !ok { // an empty side may have lost its blank
		source, target, ok = strings.Cut(" "+line+" ", separator)
	}
	if !ok {
		return nil, src.fault(n, 0, "the line has no %q between a sentence and its translation", separator)
	}
	var rest string
	if separator == "\t" {
		target, rest, _ = strings.Cut(target, "\t")
	}
	var docs []*text.Document
	for i, s := range []string{source, target} {
		id := fmt.Sprintf("%s:%d:%s", src.Base, n, c.sides[i])
		d := &text.Document{ID: id, Text: strings.TrimSpace(s)}
		if c.tokenized {
			var b builder
			b.sentence()
			for _, w := range strings.Fields(s) {
				b.token(w, false)
			}
			d, _ = b.document(id)
		}
		d.Fields = append(d.Fields, text.Field{Name: "pair", Value: value.Int(int64(n))}, text.Field{Name: "side", Value: value.Str(c.sides[i])})
		docs = append(docs, d)
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		docs[0].Fields = append(docs[0].Fields, text.Field{Name: "rest", Value: value.Str(rest)})
	}
	return docs, nil
}

// link is an alignment of tokens from 1.
type link struct {
	source, target int32
	label          string
}

// align adds the alignments of a line to the source.
func (c *bitext) align(docs []*text.Document, src *Source, n int, line string) error {
	var all []link
	for _, f := range strings.Fields(line) {
		k, err := c.link(f)
		if err != nil {
			return src.fault(n, 0, "%v", err)
		}
		for i, t := range []int32{k.source, k.target} {
			if size := docs[i].Layer("tokens").N; t < 1 || int(t) > size {
				return src.fault(n, 0, "%s: the %s has %d tokens, which count from %d (option base)", f, c.sides[i], size, c.base)
			}
		}
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.target, y.target))
	})
	l := text.NewLayer(text.Alignments)
	l.N = len(all)
	one := make([]int32, l.N)
	source, target := make([]int32, l.N), make([]int32, l.N)
	other, label := make([]string, l.N), make([]string, l.N)
	for i, k := range all {
		one[i], source[i], target[i], other[i], label[i] = 1, k.source, k.target, docs[1].ID, k.label
	}
	l.SetInts("sent", one)
	l.SetInts("tok", source)
	l.SetStrs("other_doc", other)
	l.SetInts("other_sent", slices.Clone(one))
	l.SetInts("other_tok", target)
	l.SetStrs("label", label)
	docs[0].SetLayer(l)
	return nil
}

func (c *bitext) link(s string) (k link, err error) {
	k.label = "sure"
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		from, to, ok = strings.Cut(s, "p")
		k.label = "possible"
	}
	a, err1 := strconv.ParseInt(from, 10, 31)
	z, err2 := strconv.ParseInt(to, 10, 31)
	if !ok || err1 != nil || err2 != nil {
		return k, fmt.Errorf("%q is no alignment such as 1-2 or 1p2", s)
	}
	k.source, k.target = int32(a)-int32(c.base)+1, int32(z)-int32(c.base)+1
	return k, nil
}
