package annotation

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/format/table"
)

// hf is the JSON lines of data sets for Hugging Face: tokens with a tag each, or a text with a label. Tags and labels
// are names or, as classes of the data set, numbers from 0, whose names are not in JSON lines; -1 is none.
type hf struct {
	id, content, label, tokens, tags string
	classes                          []string
	codec.Notes
}

func (c *hf) Options(s *option.Set) {
	s.Text(&c.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&c.content, "text", "text", "member with the text of a document; beside tokens, they are looked up in it")
	s.Text(&c.label, "label", "label", "member with the label of a document, or a list of them")
	s.Text(&c.tokens, "tokens", "tokens", "member with a list of tokens, which make one sentence")
	s.Text(&c.tags, "tags", "ner_tags", "member with a list of tags such as B-PER, one a token, which mark entities")
	s.List(&c.classes, "classes", nil, "names of the numbers from 0 on, as the card of the data set lists them: of tags "+
		"(O, 'B-PER', 'I-PER'), or of labels where there are no tags")
}

func (c *hf) Splitter() codec.Splitter { return codec.LineSplitter{} }

// What the reader reports: classes without a name.
var (
	unlabelled = codec.Topic{One: "1 tag or label is -1, which is none", Many: "%d tags and labels are -1, which is none"}
	numbered   = codec.Topic{One: "the label of 1 document is a number; WITH (classes = (…)) names them from 0 on",
		Many: "the labels of %d documents are numbers; WITH (classes = (…)) names them from 0 on"}
	joined = codec.Topic{One: "the sentences of 1 document were written as one, for a record has tokens alone",
		Many: "the sentences of %d documents were written as one each, for a record has tokens alone"}
)

func (c *hf) Parse(b codec.Block) ([]*text.Document, error) {
	m, err := jsonvalue.Decode(b.Text, b.Ended)
	if err != nil {
		return nil, b.Fault(0, 0, "no JSON object: %v", jsonvalue.Fault(err))
	}
	return c.Members(m, b)
}

// Otherwise reads files of typed columns.
func (c *hf) Otherwise(src *codec.Sources) (codec.StreamReader, error) {
	if kind, err := table.KindOf(src); err != nil || kind == "" {
		return nil, err
	}
	return table.Records{Of: c}, nil
}

// NamesClasses reports whether the option names the classes.
func (c *hf) NamesClasses() bool { return c.classes != nil }

// Members makes a document of the members of a record.
func (c *hf) Members(m map[string]any, b codec.Block) ([]*text.Document, error) {
	d, toks, err := c.record(m, b.ID(), &codec.Lookout{Ended: b.Ended})
	if err != nil {
		return nil, b.Fault(0, 0, "%v", err)
	}
	if v := m[c.tags]; v != nil && toks != nil {
		if err := c.entities(d, toks, v, b); err != nil {
			return nil, b.Fault(0, 0, "%s: %v", c.tags, err)
		}
	}
	for _, name := range jsonvalue.Names(m) {
		v := m[name]
		var err error
		switch {
		case v == nil, name == c.content, toks != nil && (name == c.tokens || name == c.tags):
		case name == c.id:
			id, ok := jsonvalue.ID(v)
			if !ok {
				return nil, b.Fault(0, 0, "the id is a text or number, not empty")
			}
			d.ID = id
		case name == c.label:
			classes := c.classes
			if toks != nil && m[c.tags] != nil { // they are those of the tags
				classes = nil
			}
			err = c.labels(d, v, classes, b)
		case name == "pos_tags" && toks != nil && isTexts(v, toks.N):
			toks.SetStrs("xpos", textsIn(v))
		default:
			err = jsonvalue.SetField(d, name, v, b.Ended)
		}
		if err != nil {
			return nil, b.Fault(0, 0, "%s: %v", name, err)
		}
	}
	return []*text.Document{d}, nil
}

// isTexts reports whether a value is a list of n texts.
func isTexts(v any, n int) bool {
	list, ok := v.([]any)
	return ok && len(list) == n && !slices.ContainsFunc(list, func(x any) bool { _, ok := x.(string); return !ok })
}

// textsIn are the texts of such a list.
func textsIn(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, x := range list {
		out[i], _ = x.(string)
	}
	return out
}

// record makes the text of a document, and its tokens where the record has them. They stand between blanks, unless
// the record has a text in which they come one after the other.
func (c *hf) record(m map[string]any, id string, look *codec.Lookout) (*text.Document, *text.Layer, error) {
	content, has := m[c.content].(string)
	list, ok := m[c.tokens].([]any)
	if !ok {
		if !has {
			return nil, nil, fmt.Errorf("the object has neither a text %q nor a list %q", c.content, c.tokens)
		}
		return &text.Document{ID: id, Text: content}, nil, nil
	}
	b, at := &layers.Builder{}, 0
	for i, v := range list {
		if err := look.Step(); err != nil {
			return nil, nil, err
		}
		w, ok := v.(string)
		if !ok || w == "" {
			return nil, nil, fmt.Errorf("token %d is no text, or empty", i+1)
		}
		gap := ""
		if has {
			k := strings.Index(content[at:], w)
			if k < 0 || strings.TrimSpace(content[at:at+k]) != "" {
				return nil, nil, fmt.Errorf("the text does not go on with token %d, %q, after its byte %d", i+1, w, at)
			}
			gap, at = content[at:at+k], at+k+len(w)
		} else if i > 0 {
			gap = " "
		}
		if i == 0 {
			b.Sentence()
			if gap != "" {
				b.Lead(gap)
				gap = ""
			}
		}
		b.TokenAfter(w, gap)
	}
	if has {
		if strings.TrimSpace(content[at:]) != "" {
			return nil, nil, fmt.Errorf("the text goes on after the last token, at its byte %d", at)
		}
		b.Text.WriteString(content[at:])
	}
	d, toks := b.Document(id)
	return d, toks, nil
}

// class is the name of a class: a text, or a number that classes name. ok is false for none.
func (c *hf) class(v any, classes []string, b codec.Block) (name string, ok bool, err error) {
	if s, is := v.(string); is && s != "" {
		return s, true, nil
	}
	n, is := jsonvalue.Number(map[string]any{"": v}, "")
	switch {
	case !is || n < -1:
		return "", false, fmt.Errorf("names or numbers of classes are wanted, not %v", v)
	case n == -1:
		c.Tell(unlabelled, 1, b.File, b.Line)
		return "", false, nil
	case n < len(classes):
		return classes[n], true, nil
	case classes != nil:
		return "", false, fmt.Errorf("%d is beyond the %d classes, which are counted from 0", n, len(classes))
	}
	return fmt.Sprint(n), true, nil
}

// entities reads tags, one a token.
func (c *hf) entities(d *text.Document, toks *text.Layer, v any, b codec.Block) error {
	list, ok := v.([]any)
	if !ok || len(list) != toks.N {
		return fmt.Errorf("a list with a tag for each of %d tokens is wanted", toks.N)
	}
	tags := make([]string, len(list))
	for i, x := range list {
		name, ok, err := c.class(x, c.classes, b)
		if err != nil {
			return fmt.Errorf("token %d: %w", i+1, err)
		}
		if !ok {
			name = "O"
		}
		if _, text := x.(string); ok && !text && c.classes == nil {
			return fmt.Errorf("tags are numbers, whose names are not in the file; WITH (classes = (O, 'B-PER', …)) names " +
				"them from 0 on, as the card of the data set lists them")
		}
		if !(layers.Tags{}).Is(name) {
			return fmt.Errorf("token %d: %q is no tag such as O, B-PER or I-PER", i+1, name)
		}
		tags[i] = name
	}
	d.SetLayer(d.SpanLayer(text.Entities, layers.Tags{}.Spans(toks, tags)))
	return nil
}

// labels reads the label of a document or a list of them, whose numbers classes name.
func (c *hf) labels(d *text.Document, v any, classes []string, b codec.Block) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names []string
	bare := false
	for _, x := range list {
		if yes, ok := x.(bool); ok {
			x = fmt.Sprint(yes)
		}
		name, ok, err := c.class(x, classes, b)
		if err != nil {
			return err
		}
		_, named := x.(string)
		bare = bare || ok && !named && classes == nil
		if ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if bare && c.classes == nil {
		c.Tell(numbered, 1, b.File, b.Line)
	}
	if len(names) > 0 {
		d.SetLayer(layers.Labels(names...))
	}
	return nil
}

// Document writes a record: tokens with tags where the document has tokens and entities, and its text unless the tokens
// between blanks give it.
func (c *hf) Document(w io.Writer, d *text.Document) error {
	offset.TellLayers(&c.Notes, "a record of tokens", d, []string{"xpos"}, text.Entities, text.Labels)
	b := bytes.NewBufferString("{")
	toks, l := d.Layer(text.Tokens.Name), d.Layer(text.Entities.Name)
	if toks == nil && l != nil && l.N > 0 {
		return fmt.Errorf("document %s: its entities have no tokens, which a record needs", d.ID)
	}
	err := jsonvalue.WriteMember(b, c.id, d.ID)
	if err == nil && toks != nil && l != nil {
		err = c.writeTokens(b, d, toks, l)
	} else if err == nil {
		err = jsonvalue.WriteMember(b, c.content, d.Text)
	}
	if l := d.Layer(text.Labels.Name); err == nil && l != nil && l.N > 0 {
		err = c.writeLabels(b, d, l.Strs("label"), toks != nil && d.Layer(text.Entities.Name) != nil)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(b, d)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

func (c *hf) writeTokens(b *bytes.Buffer, d *text.Document, toks, l *text.Layer) error {
	words := make([]string, toks.N)
	for i := range words {
		words[i] = d.Text[toks.Cols[2].Ints[i]:toks.Cols[3].Ints[i]]
		if words[i] == "" {
			return fmt.Errorf("document %s: token %d is empty", d.ID, i+1)
		}
	}
	if toks.N > 0 && toks.Cols[0].Ints[toks.N-1] > 1 {
		c.Tell(joined, 1, d.ID, 0)
	}
	tags := layers.Tags{Scheme: "bio"}.Tags(d, toks, l, func(what codec.Topic) { c.Tell(what, 1, d.ID, 0) })
	classes := make([]any, len(tags))
	for i, t := range tags {
		v, err := c.classOf(d, t, c.classes)
		if err != nil {
			return err
		}
		classes[i] = v
	}
	if strings.Join(words, " ") != d.Text {
		if err := jsonvalue.WriteMember(b, c.content, d.Text); err != nil {
			return err
		}
	}
	if err := jsonvalue.WriteMember(b, c.tokens, words); err != nil {
		return err
	}
	if err := jsonvalue.WriteMember(b, c.tags, classes); err != nil || toks.Strs("xpos") == nil {
		return err
	}
	return jsonvalue.WriteMember(b, "pos_tags", toks.Strs("xpos"))
}

// classOf is a name, or its number where there are classes.
func (c *hf) classOf(d *text.Document, name string, classes []string) (any, error) {
	if classes == nil {
		return name, nil
	}
	if n := slices.Index(classes, name); n >= 0 {
		return n, nil
	}
	return nil, fmt.Errorf("document %s: %s is none of the classes (%s)", d.ID, name, strings.Join(classes, ", "))
}

// writeLabels writes one label as such, several as a list. tagged: classes are those of tags.
func (c *hf) writeLabels(b *bytes.Buffer, d *text.Document, names []string, tagged bool) error {
	classes := c.classes
	if tagged {
		classes = nil
	}
	list := make([]any, len(names))
	for i, n := range names {
		v, err := c.classOf(d, n, classes)
		if err != nil {
			return err
		}
		list[i] = v
	}
	if len(list) == 1 {
		return jsonvalue.WriteMember(b, c.label, list[0])
	}
	return jsonvalue.WriteMember(b, c.label, list)
}
