package spacy

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

// spacy is data for spaCy: a DocBin (files .spacy), or JSON: a text with its entities a line, as an object or as a pair
// of both, and the training data of version 2. The reader tells them by how a file begins. Offsets of JSON count code
// points.
type spacy struct {
	json   bool
	spans  string
	bin    *docBin // what is being written
	offset string
	codec.Notes
}

func (c *spacy) Options(s *option.Set) {
	s.Bool(&c.json, "json", false, "whether JSON lines are written, objects with text, entities and cats, in place of a "+
		"DocBin")
	s.Text(&c.spans, "spans", "", "the group of spans that becomes entities, such as sc; without it they are those of "+
		"doc.ents")
	offset.Option(s, &c.offset, offset.CodePoints, "; those of spaCy are code points")
}

func (c *spacy) Binary() bool { return !c.json }

// What the reader reports: what is not read.
var (
	spanGroups = codec.Topic{
		One:  "1 group of spans was left out; WITH (spans = '…') makes entities of the group of that name",
		Many: "%d groups of spans were left out; WITH (spans = '…') makes entities of the groups of that name"}
	linkedEntities = codec.Topic{One: "the entry of a knowledge base of 1 entity was left out",
		Many: "the entries of a knowledge base of %d entities were left out"}
	unknownNumbers = codec.Topic{One: "1 value was left out: it is a number of spaCy's own whose name is not known here",
		Many: "%d values were left out: they are numbers of spaCy's own whose names are not known here"}
	guessedSpaces = codec.Topic{One: "the blanks between the tokens of 1 document are a guess of the file",
		Many: "the blanks between the tokens of %d documents are a guess of the file"}
	blankHeads = codec.Topic{One: "1 dependency was left out: its head is white space",
		Many: "%d dependencies were left out: their heads are white space"}
)

// Read reads a file, which is in memory until its end.
func (c *spacy) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	whole, err := src.Everything()
	if err != nil || len(whole) == 0 {
		return err
	}
	if whole[0] == 0x78 {
		return c.readBin(src, whole, emit)
	}
	for line := range bytes.Lines(whole) { // JSON is text
		if err := src.Check(line); err != nil {
			return err
		}
	}
	if first := bytes.TrimSpace(bytes.TrimPrefix(whole, []byte("\ufeff"))); len(first) > 0 && first[0] != '{' &&
		first[0] != '[' {
		return src.Fault(1, 0, "the file is neither a DocBin nor JSON")
	}
	return c.readJSON(src, whole, emit)
}

// Bounds of what a DocBin may unpack to: this many times the file, and this many bytes more.
const (
	mostUnpacked  = 500
	floorUnpacked = 1 << 20
)

// unpack unpacks the data of zlib.
func unpack(src *codec.Source, packed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, src.Fault(1, 0, "no DocBin: it begins as zlib does, but is not of it")
	}
	most := int64(len(packed))*mostUnpacked + floorUnpacked
	var b bytes.Buffer
	for {
		if err := src.Stopped(); err != nil {
			return nil, err
		}
		switch _, err := io.CopyN(&b, z, 1<<20); {
		case err == io.EOF:
			return b.Bytes(), nil
		case err != nil:
			return nil, src.Fault(1, 0, "the DocBin is cut short or damaged: %v", err)
		case int64(b.Len()) > most:
			return nil, src.Fault(1, 0, "the DocBin unpacks to more than %d times its size", mostUnpacked)
		}
	}
}

// readJSON reads values of JSON, one after the other or in lists.
func (c *spacy) readJSON(src *codec.Source, whole []byte, emit func(doc *text.Document, line int) error) error {
	dec := json.NewDecoder(&jsonvalue.Pieces{Text: string(whole), Ended: src.Ending()})
	dec.UseNumber()
	n, line, passed := 0, 1, int64(0)
	for {
		if err := src.Stopped(); err != nil {
			return err
		}
		v, err := jsonvalue.DecodeNext(dec, src.Ending())
		if err == io.EOF {
			return nil
		}
		if err != nil && src.Stopped() != nil {
			return src.Stopped()
		}
		at := dec.InputOffset()
		line += bytes.Count(whole[passed:at], []byte("\n"))
		passed = at
		if err != nil {
			return src.Fault(line, 0, "no JSON: %v", err)
		}
		if err := c.value(src, v, &n, func(d *text.Document) error { return emit(d, line) }, 0); err != nil {
			var own *codec.Error
			if errors.As(err, &own) || src.Stopped() != nil {
				return err
			}
			return src.Fault(line, 0, "%v", err)
		}
	}
}

// value reads a document, or a list of documents.
func (c *spacy) value(src *codec.Source, v any, n *int, emit func(*text.Document) error, depth int) error {
	list, isList := v.([]any)
	m, isObject := v.(map[string]any)
	if isList && len(list) == 2 {
		if content, ok := list[0].(string); ok { // a pair
			notes, ok := list[1].(map[string]any)
			if !ok {
				return fmt.Errorf(`pairs such as ["text", {"entities": […]}] are wanted`)
			}
			notes["text"] = content
			m, isObject, isList = notes, true, false
		}
	}
	switch {
	case isList && depth == 0:
		for _, x := range list {
			if err := c.value(src, x, n, emit, 1); err != nil {
				return err
			}
		}
		return nil
	case !isObject:
		return fmt.Errorf("an object or a pair of a text and an object is wanted")
	}
	if err := jsonvalue.CheckTexts(m); err != nil {
		return err
	}
	if parts, ok := m["paragraphs"].([]any); ok {
		id, named := jsonvalue.ID(m["id"])
		for i, p := range parts {
			*n++
			name := fmt.Sprintf("%s:%d", src.Base, *n)
			if named && len(parts) == 1 {
				name = id
			} else if named {
				name = fmt.Sprintf("%s:%d", id, i+1)
			}
			d, err := c.paragraph(name, p)
			if err != nil {
				return err
			}
			if err := emit(d); err != nil {
				return err
			}
		}
		return nil
	}
	*n++
	d, err := c.object(fmt.Sprintf("%s:%d", src.Base, *n), m, src.Ending())
	if err != nil {
		return err
	}
	return emit(d)
}

// object reads a text with its entities and categories; other members are metadata.
func (c *spacy) object(id string, m map[string]any, ended func() error) (*text.Document, error) {
	content, ok := m["text"].(string)
	if !ok {
		return nil, fmt.Errorf(`the object has no text "text"`)
	}
	d := &text.Document{ID: id, Text: content}
	if own, ok := jsonvalue.ID(m["id"]); ok {
		d.ID = own
	}
	table, spans, found := offset.NewTable(content, c.offset), []layers.Span(nil), false
	look := codec.Lookout{Ended: ended}
	for _, name := range jsonvalue.Names(m) {
		list, isList := m[name].([]any)
		cats, isCats := m[name].(map[string]any)
		var err error
		switch {
		case name == "text" || name == "id" || m[name] == nil:
		case isList && (name == "entities" || name == "ents"):
			found = true
			for _, v := range list {
				if err := look.Step(); err != nil {
					return nil, err
				}
				s, err := c.span(d, table, v)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				spans = append(spans, s)
			}
		case name == "cats" && isCats:
			setCats(d, cats)
		default:
			err = jsonvalue.SetField(d, name, m[name], ended)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if found {
		l, err := layers.SpansUntil(d, text.Entities, spans, ended)
		if err != nil {
			return nil, err
		}
		d.SetLayer(l)
	}
	return d, nil
}

// span reads an entity: a list of start, end and label, or an object with these.
func (c *spacy) span(d *text.Document, table *offset.Table, v any) (s layers.Span, err error) {
	m, ok := v.(map[string]any)
	if list, isList := v.([]any); isList && len(list) >= 3 {
		m, ok = map[string]any{"start": list[0], "end": list[1], "label": list[2]}, true
	}
	from, ok1 := jsonvalue.Number(m, "start")
	to, ok2 := jsonvalue.Number(m, "end")
	if s.Label, _ = m["label"].(string); !ok || !ok1 || !ok2 {
		return s, fmt.Errorf(`entities are lists such as [0, 3, "PER"]`)
	}
	s.Start, s.End, err = table.Span(d.Text, from, to, c.offset, "")
	return s, err
}

// setCats makes labels of the categories whose value is a half or more.
func setCats(d *text.Document, cats map[string]any) {
	var names []string
	for _, name := range jsonvalue.Names(cats) {
		value := 0.0
		switch v := cats[name].(type) {
		case json.Number:
			value, _ = v.Float64()
		case float64:
			value = v
		case int64:
			value = float64(v)
		case bool:
			value = map[bool]float64{true: 1}[v]
		}
		if value >= 0.5 {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		d.SetLayer(layers.Labels(names...))
	}
}

// docTokens are the tokens of a document of spaCy. Tokens of white space are text, and no tokens here.
type docTokens struct {
	words  []string
	spaces []bool
	heads  []int // of each token, itself for a root
	rels   []string
	tags   []string // of entities: B-X, I-X, O, or "" where it is not known
	starts []bool   // of sentences
	cells  map[string][]string
}

// document makes a document of tokens.
func (t *docTokens) document(id string, tell func(codec.Topic, int)) *text.Document {
	var b strings.Builder
	build := layers.Builder{}
	var sentences, tokens [][2]int
	at := make([]int, len(t.words)) // rows of tokens, -1 for white space
	for i, w := range t.words {
		at[i] = -1
		if strings.TrimSpace(w) != "" {
			at[i] = len(tokens)
			tokens = append(tokens, [2]int{b.Len(), b.Len() + len(w)})
			if t.starts[i] || len(sentences) == 0 {
				sentences = append(sentences, [2]int{b.Len()})
			}
		} else if t.starts[i] && i+1 < len(t.words) {
			t.starts[i+1] = true
		}
		if b.WriteString(w); t.spaces[i] {
			b.WriteByte(' ')
		}
	}
	if len(tokens) == 0 {
		return &text.Document{ID: id, Text: b.String()}
	}
	build.Text.WriteString(b.String())
	build.Placed(sentences, tokens)
	d, toks := build.Document(id)
	for column, cells := range t.cells {
		values, some := make([]string, toks.N), false
		for i, v := range cells {
			if at[i] >= 0 {
				values[at[i]] = v
				some = some || v != ""
			}
		}
		if some {
			toks.SetStrs(column, values)
		}
	}
	t.setEntities(d, toks, at)
	t.setArcs(d, toks, at, tell)
	return d
}

func (t *docTokens) setEntities(d *text.Document, toks *text.Layer, at []int) {
	var spans []layers.Span
	known := false
	for i, tag := range t.tags {
		known = known || tag != ""
		if at[i] < 0 || tag == "" || tag == "O" {
			continue
		}
		mark, label, _ := strings.Cut(tag, "-")
		start, end := int(toks.Cols[2].Ints[at[i]]), int(toks.Cols[3].Ints[at[i]])
		k := i - 1 // the last token before it that is no white space
		for ; k >= 0 && at[k] < 0 && t.tags[k] != "O"; k-- {
		}
		if n := len(spans) - 1; mark == "I" && n >= 0 && spans[n].Label == label && k >= 0 && at[k] >= 0 &&
			spans[n].End == int(toks.Cols[3].Ints[at[k]]) {
			spans[n].End = end
			continue
		}
		spans = append(spans, layers.Span{Start: start, End: end, Label: label})
	}
	if known {
		d.SetLayer(layers.Spans(d, text.Entities, spans))
	}
}

func (t *docTokens) setArcs(d *text.Document, toks *text.Layer, at []int, tell func(codec.Topic, int)) {
	var ints [3][]int32
	var rels []string
	for i, rel := range t.rels {
		if at[i] < 0 || rel == "" && t.heads[i] == i {
			continue
		}
		head := int32(0)
		if h := t.heads[i]; h != i {
			if at[h] < 0 || toks.Cols[0].Ints[at[h]] != toks.Cols[0].Ints[at[i]] {
				tell(blankHeads, 1)
				continue
			}
			head = toks.Cols[1].Ints[at[h]]
		}
		for c, v := range []int32{toks.Cols[0].Ints[at[i]], toks.Cols[1].Ints[at[i]], head} {
			ints[c] = append(ints[c], v)
		}
		rels = append(rels, rel)
	}
	if len(rels) == 0 {
		return
	}
	l := text.NewLayer(text.Dependencies)
	l.N = len(rels)
	for c, n := range []string{"sent", "tok", "head"} {
		l.SetInts(n, ints[c])
	}
	l.SetStrs("deprel", rels)
	d.SetLayer(l)
}
