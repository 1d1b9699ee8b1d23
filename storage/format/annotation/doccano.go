package annotation

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

// doccano is the JSON lines that doccano exports and imports, of its versions from 1.0 on. A label is a list of names
// (of the document) or of [start, end, name] (spans); with relations, or with both, the members are entities,
// relations and cats. Version 1 has annotations or labels, and a member meta. Other members are metadata.
type doccano struct {
	id, content, label string
	offsets, annotator string
	codec.Notes
}

func (c *doccano) Options(s *option.Set) {
	s.Text(&c.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&c.content, "text", "text", "member with the text of a document")
	s.Text(&c.label, "label", "label", "member with labels: names or arrays of start, end and name")
	offset.Option(s, &c.offsets, offset.UTF16, "; graphemes in projects that count them, code_points where a script of "+
		"Python wrote the file")
	s.Text(&c.annotator, "annotator", "", "number of the user whose annotations are taken, in files of version 1 "+
		"with several")
}

func (c *doccano) Splitter() codec.Splitter { return codec.LineSplitter{} }

// doccanoReader is one document on its way.
type doccanoReader struct {
	c      *doccano
	d      *text.Document
	table  *offset.Table
	spans  []offset.Span
	arcs   []offset.Arc
	names  []string // labels of the document
	spanny bool     // the record has a list of spans, which may be empty
	users  map[string]bool
	look   codec.Lookout
}

func (c *doccano) Parse(b codec.Block) ([]*text.Document, error) {
	m, err := jsonvalue.Decode(b.Text, b.Ended)
	if err != nil {
		return nil, b.Fault(0, 0, "no JSON object: %v", jsonvalue.Fault(err))
	}
	content, ok := m[c.content].(string)
	if !ok {
		return nil, b.Fault(0, 0, "the object has no text %q", c.content)
	}
	r := &doccanoReader{c: c, d: &text.Document{ID: b.ID(), Text: content}, table: offset.NewTable(content, c.offsets),
		users: map[string]bool{}, look: codec.Lookout{Ended: b.Ended}}
	for _, name := range jsonvalue.Names(m) {
		if err := r.member(name, m[name]); err != nil {
			return nil, b.Fault(0, 0, "%s: %v", name, err)
		}
	}
	if len(r.users) > 1 && c.annotator == "" {
		return nil, b.Fault(0, 0, "%v", offset.SeveralAnnotators("the annotations are of",
			slices.Collect(maps.Keys(r.users))))
	}
	if len(r.names) > 0 {
		r.d.SetLayer(layers.Labels(r.names...))
	}
	if r.spanny {
		if err := offset.SetLayers(r.d, r.spans, r.arcs, b.Ended); err != nil {
			return nil, b.Fault(0, 0, "%v", err)
		}
	}
	return []*text.Document{r.d}, nil
}

// member reads a member of the record.
func (r *doccanoReader) member(name string, v any) error {
	list, isList := v.([]any)
	switch {
	case name == r.c.content || v == nil:
		return nil
	case name == r.c.id:
		id, ok := jsonvalue.ID(v)
		if !ok {
			return fmt.Errorf("the id is a text or number, not empty")
		}
		r.d.ID = id
		return nil
	case name == r.c.label || isList && (name == "labels" || name == "cats"):
		if !isList {
			list = []any{v}
		}
		return r.labels(list)
	case isList && name == "entities":
		return r.objects(list, "start_offset", "end_offset", true)
	case isList && name == "annotations":
		return r.objects(list, "start_offset", "end_offset", false)
	case isList && name == "relations":
		return r.relations(list)
	case isList && name == "Comments" && len(list) == 0:
		return nil
	}
	return jsonvalue.SetField(r.d, name, v, r.look.Ended)
}

// labels reads names of the document or arrays of start, end and name.
func (r *doccanoReader) labels(list []any) error {
	for _, v := range list {
		if err := r.look.Step(); err != nil {
			return err
		}
		if a, ok := v.([]any); ok {
			if len(a) != 3 {
				return fmt.Errorf(`arrays such as [0, 3, "PER"] are wanted`)
			}
			if err := r.span("", map[string]any{"start": a[0], "end": a[1], "label": a[2]}, "start", "end"); err != nil {
				return err
			}
			continue
		}
		name, ok := jsonvalue.ID(v)
		if !ok {
			return fmt.Errorf(`names or arrays such as [0, 3, "PER"] are wanted`)
		}
		r.name(name)
	}
	return nil
}

func (r *doccanoReader) name(name string) {
	if !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

func (r *doccanoReader) span(id string, m map[string]any, start, end string) error {
	from, ok1 := jsonvalue.Number(m, start)
	to, ok2 := jsonvalue.Number(m, end)
	label, ok3 := jsonvalue.ID(m["label"])
	if !ok1 || !ok2 || !ok3 {
		return fmt.Errorf("a span has %s, %s and label", start, end)
	}
	a, z, err := r.table.Span(r.d.Text, from, to, r.c.offsets, "")
	if err != nil {
		return err
	}
	r.spanny = true
	r.spans = append(r.spans, offset.Span{ID: id, Span: layers.Span{Start: a, End: z, Label: label}})
	return nil
}

// objects reads spans as objects; in version 1 an object without offsets labels the document, and all have a user.
func (r *doccanoReader) objects(list []any, start, end string, spans bool) error {
	r.spanny = r.spanny || spans
	for _, v := range list {
		if err := r.look.Step(); err != nil {
			return err
		}
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		if user, ok := jsonvalue.ID(m["user"]); ok {
			if r.users[user] = true; r.c.annotator != "" && user != r.c.annotator {
				continue
			}
		}
		if m[start] == nil && m[end] == nil && !spans {
			name, ok := jsonvalue.ID(m["label"])
			if !ok {
				return fmt.Errorf("an annotation has no label")
			}
			r.name(name)
			continue
		}
		id, _ := jsonvalue.ID(m["id"])
		if err := r.span(id, m, start, end); err != nil {
			return err
		}
	}
	return nil
}

func (r *doccanoReader) relations(list []any) error {
	r.spanny = true
	for _, v := range list {
		m, _ := v.(map[string]any)
		from, ok1 := jsonvalue.ID(m["from_id"])
		to, ok2 := jsonvalue.ID(m["to_id"])
		label, ok3 := jsonvalue.ID(m["type"])
		if !ok1 || !ok2 || !ok3 {
			return fmt.Errorf("a relation has from_id, to_id and type")
		}
		r.arcs = append(r.arcs, offset.Arc{Label: label, From: from, To: to})
	}
	return nil
}

// Document writes the record that doccano imports: label, or entities, relations and cats where there are relations or
// both spans and labels.
func (c *doccano) Document(w io.Writer, d *text.Document) error {
	b := bytes.NewBufferString("{")
	err := jsonvalue.WriteMember(b, c.id, jsonvalue.IDValue(d.ID))
	if err == nil {
		err = jsonvalue.WriteMember(b, c.content, d.Text)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(b, d)
	}
	if err != nil {
		return err
	}
	offset.TellLayers(&c.Notes, "doccano", d, nil, text.Entities, text.Relations, text.Labels)
	spans, arcs := offset.WrittenSpans(&c.Notes, d, c.offsets)
	var names []string
	if l := d.Layer(text.Labels.Name); l != nil {
		names = l.Strs("label")
	}
	switch {
	case len(arcs) > 0 || len(names) > 0 && d.Layer(text.Entities.Name) != nil:
		err = c.writeObjects(b, spans, arcs, names)
	case d.Layer(text.Entities.Name) != nil:
		list := make([][3]any, len(spans))
		for i, s := range spans {
			list[i] = [3]any{s.Start, s.End, s.Label}
		}
		err = jsonvalue.WriteMember(b, c.label, list)
	case names != nil:
		err = jsonvalue.WriteMember(b, c.label, names)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// writeObjects writes entities, relations and, for labels of the document, cats.
func (c *doccano) writeObjects(b *bytes.Buffer, spans []offset.WrittenSpan, arcs []offset.WrittenArc,
	names []string) error {
	type entity struct {
		ID    int    `json:"id"`
		Label string `json:"label"`
		Start int    `json:"start_offset"`
		End   int    `json:"end_offset"`
	}
	type arc struct {
		ID   int    `json:"id"`
		From int    `json:"from_id"`
		To   int    `json:"to_id"`
		Type string `json:"type"`
	}
	entities, relations := make([]entity, len(spans)), make([]arc, len(arcs))
	for i, s := range spans {
		entities[i] = entity{i + 1, s.Label, s.Start, s.End}
	}
	for i, a := range arcs {
		relations[i] = arc{i + 1, a.From + 1, a.To + 1, a.Label}
	}
	err := jsonvalue.WriteMember(b, "entities", entities)
	if err == nil {
		err = jsonvalue.WriteMember(b, "relations", relations)
	}
	if err == nil && len(names) > 0 {
		err = jsonvalue.WriteMember(b, "cats", names)
	}
	return err
}
