package plain

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// bitext is a sentence and its translation a line, or lines of two files. A pair is two documents, file:n:source and
// file:n:target, where n is the line; alignments are a layer of the first.
type bitext struct {
	separator string
	sides     []string
	tokenized bool
	target    string
	alignment string
	base      int
	links     bool

	source *text.Document // whose translation is to be written yet
}

func (c *bitext) Options(s *option.Set) {
	s.Text(&c.separator, "separator", " ||| ",
		"what separates a sentence from its translation; tab is a tab, where further columns are the metadata rest")
	s.List(&c.sides, "sides", []string{"source", "target"},
		"the names of both sides: the ends of ids, and the metadata side")
	s.Bool(&c.tokenized, "tokenized", true,
		"whether tokens stand between blanks; otherwise the corpus' tokeniser cuts the texts")
	s.Text(&c.alignment, "alignment", "", "a file beside with the alignments i-j (sure) and ipj (possible) of each "+
		"line: its name, or an extension such as .gold that replaces that of the file")
	s.Int(&c.base, "base", 0, 0, 1, "the number of the first token in alignments")
	s.Text(&c.target, "target", "", "a file beside with the translation of each line, in place of a separator: its name,"+
		" or an extension such as .fr that replaces that of the file")
	s.Bool(&c.links, "links", false, "whether alignments i-j are written, a line for each pair, in place of texts")
	s.Require(func() bool { return c.separator != "" }, "separator: some text is wanted")
	s.Require(func() bool { return c.alignment == "" || c.tokenized },
		"alignment: tokens must stand between blanks (tokenized = true)")
	s.Check("sides", func() error {
		if len(c.sides) != 2 || c.sides[0] == c.sides[1] || slices.Contains(c.sides, "") {
			return fmt.Errorf("two different names are wanted, such as ('en', 'fr')")
		}
		return nil
	})
}

func (c *bitext) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	return besideIf(src, c.target, func(target *codec.Source) error {
		return besideIf(src, c.alignment, func(links *codec.Source) error { return c.pairs(src, target, links, emit) })
	})
}

// besideIf opens the file of the name, or of the extension, beside the source; nil without a name.
func besideIf(src *codec.Source, name string, f func(*codec.Source) error) error {
	if name == "" {
		return f(nil)
	}
	if strings.HasPrefix(name, ".") {
		name = src.Stem() + name
	}
	return src.Beside(name, f)
}

// pairs reads the lines of the files side by side; target and links may be nil.
func (c *bitext) pairs(src, target, links *codec.Source, emit func(doc *text.Document, line int) error) error {
	for {
		line, n, err := src.Next()
		if err == io.EOF {
			return errors.Join(behind(target, "a translation"), behind(links, "an alignment"))
		}
		if err != nil {
			return err
		}
		content := string(line)
		other, err := besideLine(src, target, n, content, "translation")
		if err != nil {
			return err
		}
		link, err := besideLine(src, links, n, content+other, "alignment")
		if err != nil {
			return err
		}
		if codec.IsBlankText(content + other) {
			if !codec.IsBlankText(link) {
				return links.Fault(n, 0, "an alignment of a blank line")
			}
			continue
		}
		docs, err := c.pair(src, n, content, other)
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

// besideLine reads the next line of a file beside; what has no words needs none.
func besideLine(src, beside *codec.Source, n int, content, what string) (string, error) {
	if beside == nil {
		return "", nil
	}
	l, _, err := beside.Next()
	if err == io.EOF && !codec.IsBlankText(content) {
		return "", src.Fault(n, 0, "%s has no %s of this line", beside.Name, what)
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return string(l), nil
}

// behind wants no more lines with words.
func behind(src *codec.Source, what string) error {
	if src == nil {
		return nil
	}
	for {
		line, n, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !codec.IsBlankText(string(line)) {
			return src.Fault(n, 0, "%s behind the last pair", what)
		}
	}
}

// cut separates a line.
func (c *bitext) cut(src *codec.Source, n int, line string) (source, target, rest string, err error) {
	separator := c.separator
	if separator == "tab" {
		separator = "\t"
	}
	source, target, ok := strings.Cut(line, separator)
	if !ok { // an empty side may have lost its blank
		source, target, ok = strings.Cut(" "+line+" ", separator)
	}
	if !ok {
		return "", "", "", src.Fault(n, 0, "the line has no %q between a sentence and its translation", separator)
	}
	if separator == "\t" {
		target, rest, _ = strings.Cut(target, "\t")
	}
	return source, target, rest, nil
}

// pair makes the documents of a line, and of that of the file of translations if there is one.
func (c *bitext) pair(src *codec.Source, n int, source, target string) (docs []*text.Document, err error) {
	var rest string
	if c.target == "" {
		if source, target, rest, err = c.cut(src, n, source); err != nil {
			return nil, err
		}
	}
	for i, s := range []string{source, target} {
		id := fmt.Sprintf("%s:%d:%s", src.Base, n, c.sides[i])
		d := &text.Document{ID: id, Text: text.Trim(s)}
		if c.tokenized {
			var b layers.Builder
			b.Sentence()
			for _, w := range text.Fields(s) {
				b.Token(w, false)
			}
			d, _ = b.Document(id)
		}
		d.Fields = append(d.Fields, text.Field{Name: "pair", Value: value.Str(fmt.Sprintf("%s:%d", src.Base, n))},
			text.Field{Name: "side", Value: value.Str(c.sides[i])})
		docs = append(docs, d)
	}
	if rest = text.Trim(rest); rest != "" {
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
func (c *bitext) align(docs []*text.Document, src *codec.Source, n int, line string) error {
	var all []link
	for _, f := range text.Fields(line) {
		k, err := c.link(f)
		if err != nil {
			return src.Fault(n, 0, "%v", err)
		}
		for i, t := range []int32{k.source, k.target} {
			if size := docs[i].Layer("tokens").N; t < 1 || int(t) > size {
				return src.Fault(n, 0, "%s: the %s has %d {token|tokens}, which count from %d (option base)", f, c.sides[i], size,
					c.base)
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

// Document writes a pair when its second document comes, as texts or as alignments.
func (c *bitext) Document(w io.Writer, d *text.Document) error {
	if c.source == nil {
		c.source = d
		return nil
	}
	a := c.source
	c.source = nil
	if x, y := a.Field("pair"), d.Field("pair"); x.IsNull() || x.String() != y.String() {
		return fmt.Errorf(
			"documents %s and %s are written after each other and are no pair: their column pair differs or is NULL",
			a.ID, d.ID)
	}
	if c.links {
		return c.pharaoh(w, a, d)
	}
	separator := c.separator
	if separator == "tab" {
		separator = "\t"
	}
	line := c.line(a) + separator + c.line(d)
	if strings.Count(line, separator) != 1 {
		return fmt.Errorf("document %s or %s has %q in its text, which separates both sides", a.ID, d.ID, separator)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

func (c *bitext) End(io.Writer) error {
	if c.source == nil {
		return nil
	}
	id := c.source.ID
	c.source = nil
	return fmt.Errorf("document %s has no partner behind it", id)
}

// line is a document in a line.
func (c *bitext) line(d *text.Document) string {
	if l := d.Layer(text.Tokens.Name); c.tokenized && l != nil {
		return strings.Join(l.Strs("form"), " ")
	}
	return strings.Join(text.Fields(d.Text), " ")
}

// pharaoh writes the alignments of a pair, tokens counted through the document.
func (c *bitext) pharaoh(w io.Writer, a, d *text.Document) error {
	var parts []string
	if l := a.Layer(text.Alignments.Name); l != nil {
		from, to := a.SentenceTokens(), d.SentenceTokens()
		row := func(bounds []int32, sent, tok int32) int32 {
			if sent < 1 || int(sent) >= len(bounds) {
				return -1
			}
			return bounds[sent-1] + tok - 1
		}
		for i := range l.N {
			if o := l.Strs("other_doc"); o != nil && o[i] != d.ID || l.Rank != nil && l.Rank[i] != 1 {
				continue
			}
			x, y := row(from, l.Ints("sent")[i], l.Ints("tok")[i]), row(to, l.Ints("other_sent")[i], l.Ints("other_tok")[i])
			if x < 0 || y < 0 {
				return fmt.Errorf("document %s: an alignment of a token that is not there", a.ID)
			}
			mark := "-"
			if label := l.Strs("label"); label != nil && strings.HasPrefix(strings.ToLower(label[i]), "p") {
				mark = "p"
			}
			parts = append(parts, fmt.Sprintf("%d%s%d", int(x)+c.base, mark, int(y)+c.base))
		}
	}
	_, err := fmt.Fprintln(w, strings.Join(parts, " "))
	return err
}
