package plain

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// semeval is SemEval-2010 task 8: number, tab and a quoted sentence with <e1> and <e2>, the
// relation in the next line, then a comment and a blank line. Relation and comment may lack.
type semeval struct{}

func (semeval) Options(*option.Set) {}

const semevalComment = "Comment:"

func semevalItem(line []byte) bool {
	id, after, ok := bytes.Cut(line, []byte("\t"))
	return ok && len(id) > 0 && bytes.HasPrefix(after, []byte(`"`)) && !bytes.HasPrefix(id, []byte(semevalComment))
}

func (semeval) Splitter() codec.Splitter {
	return &codec.FirstLineSplitter{First: semevalItem, Every: 1}
}

func (semeval) Parse(b codec.Block) ([]*text.Document, error) {
	lines := strings.Split(strings.TrimRight(b.Text, "\n \t"), "\n")
	if !semevalItem([]byte(lines[0])) {
		return nil, b.Fault(0, 0, `an item begins with its number, a tab and a sentence between "`)
	}
	id, sentence, _ := strings.Cut(lines[0], "\t")
	sentence = strings.TrimRight(sentence, " \t")
	if len(sentence) < 2 || !strings.HasSuffix(sentence, `"`) {
		return nil, b.Fault(0, 0, `the sentence does not end with "`)
	}
	d := &text.Document{ID: id}
	args, err := arguments(d, sentence[1:len(sentence)-1])
	if err != nil {
		return nil, b.Fault(0, 0, "%v", err)
	}
	label, rest := "", lines[1:]
	if len(rest) > 0 && !strings.HasPrefix(rest[0], semevalComment) {
		label, rest = text.Trim(rest[0]), rest[1:]
	}
	if len(rest) > 0 {
		comment, ok := strings.CutPrefix(rest[0], semevalComment)
		if !ok || len(rest) > 1 {
			at := len(lines) - len(rest)
			if ok {
				at++
			}
			return nil, b.Fault(at, 0, "below the sentence stand the relation, a line %s and a blank line", semevalComment)
		}
		if comment = text.Trim(comment); comment != "" {
			d.Fields = append(d.Fields, text.Field{Name: "comment", Value: value.Str(comment)})
		}
	}
	d.SetLayer(layers.Spans(d, text.Entities, []layers.Span{args[0], args[1]}))
	d.SetLayer(layers.Relations([]layers.Relation{{Label: label, SubjectStart: args[0].Start, SubjectEnd: args[0].End,
		ObjectStart: args[1].Start, ObjectEnd: args[1].End}}))
	return []*text.Document{d}, nil
}

// arguments takes the tags of e1 and e2 out of a sentence, which becomes the text.
func arguments(d *text.Document, sentence string) (args [2]layers.Span, err error) {
	var b strings.Builder
	at := 0
	seen := map[string]bool{}
	for _, t := range tags(sentence) {
		k := strings.Index("e1e2", t.name) / 2
		if t.name != "e1" && t.name != "e2" || t.attrs != "" || t.empty {
			continue // text
		}
		b.WriteString(sentence[at:t.from])
		at = t.to
		name := sentence[t.from:t.to]
		if seen[name] || t.end && !seen["<"+t.name+">"] {
			return args, fmt.Errorf("%s stands twice or before its beginning", name)
		}
		seen[name] = true
		if t.end {
			args[k].End = b.Len()
		} else {
			args[k] = layers.Span{Start: b.Len(), Label: t.name}
		}
	}
	if len(seen) != 4 {
		return args, fmt.Errorf("the sentence needs <e1>…</e1> and <e2>…</e2>")
	}
	b.WriteString(sentence[at:])
	d.Text = b.String()
	return args, nil
}

// Document writes the sentence with its relation.
func (semeval) Document(w io.Writer, d *text.Document) error {
	label, spans, err := semevalSpans(d)
	if err != nil {
		return fmt.Errorf("document %s: %w", d.ID, err)
	}
	comment := d.Field("comment")
	if strings.ContainsAny(d.Text+label+d.ID+comment.String(), "\r\n") || strings.Contains(d.ID, "\t") {
		return fmt.Errorf("document %s: text, relation and comment are one line each; FORMAT jsonl holds any", d.ID)
	}
	if tagged := strings.NewReplacer("<e1>", "", "</e1>", "", "<e2>", "", "</e2>", "").Replace(d.Text); tagged != d.Text {
		return fmt.Errorf("document %s: its text has tags of arguments already", d.ID)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\t\"", d.ID)
	at := 0
	for _, m := range marks(spans) {
		b.WriteString(d.Text[at:m.at])
		at = m.at
		if m.end {
			b.WriteString("</" + m.span.Label + ">")
		} else {
			b.WriteString("<" + m.span.Label + ">")
		}
	}
	b.WriteString(d.Text[at:] + "\"\n")
	if label != "" {
		b.WriteString(label + "\n")
	}
	b.WriteString(semevalComment)
	if !comment.IsNull() {
		b.WriteString(" " + comment.String())
	}
	b.WriteString("\n\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// semevalSpans finds the relation and its arguments; without a relation the arguments are the
// entities e1 and e2.
func semevalSpans(d *text.Document) (label string, spans []layers.Span, err error) {
	if l := d.Layer("relations"); l != nil && l.N > 0 {
		if l.N > 1 {
			return "", nil, fmt.Errorf("it has %d relations, the format holds one; FORMAT jsonl holds any", l.N)
		}
		if v := l.Strs("label"); v != nil {
			label = v[0]
		}
		at := func(name string) int { return int(l.Ints(name)[0]) }
		return label, []layers.Span{{Start: at("subject_start"), End: at("subject_end"), Label: "e1"},
			{Start: at("object_start"), End: at("object_end"), Label: "e2"}}, nil
	}
	if l := d.Layer("entities"); l != nil {
		for i := range l.N {
			if n := l.Strs("label")[i]; n == "e1" || n == "e2" {
				spans = append(spans, layers.Span{Start: int(l.Ints("char_start")[i]), End: int(l.Ints("char_end")[i]), Label: n})
			}
		}
	}
	if len(spans) != 2 || spans[0].Label == spans[1].Label {
		return "", nil, fmt.Errorf("it has neither a relation nor one entity e1 and one e2")
	}
	return "", spans, nil
}
