package format

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"parlance/algo/option"
	"parlance/algo/text"
)

// doccano is the JSON lines that doccano exports and imports, of its versions from 1.0 on. A label is a list of names
// (of the document) or of [start, end, name] (spans); with relations, or with both, the members are entities,
// relations and cats. Version 1 has annotations or labels, and a member meta. Other members are metadata.
type doccano struct {
	id, content, label string
	offsets, annotator string
	notes
}

func (c *doccano) options(s *option.Set) {
	s.Text(&c.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&c.content, "text", "text", "member with the text of a document")
	s.Text(&c.label, "label", "label", "member with labels: names or arrays of start, end and name")
	offsetsOption(s, &c.offsets, utf16Units, "; graphemes in projects that count them, code_points where a script of "+
		"Python wrote the file")
	s.Text(&c.annotator, "annotator", "", "number of the user whose annotations are taken, in files of version 1 "+
		"with several")
}

func (c *doccano) splitter() splitter { return lineSplitter{} }

// doccanoReader is one document on its way.
type doccanoReader struct {
	c      *doccano
	d      *text.Document
	table  *offsetTable
	spans  []toolSpan
	arcs   []toolArc
	names  []string // labels of the document
	spanny bool     // the record has a list of spans, which may be empty
	users  map[string]bool
	look   lookout
}

func (c *doccano) parse(b block) ([]*text.Document, error) {
	m, err := decodeObject(b.text, b.ended)
	if err != nil {
		return nil, b.fault(0, 0, "no JSON object: %v", jsonFault(err))
	}
	content, ok := m[c.content].(string)
	if !ok {
		return nil, b.fault(0, 0, "the object has no text %q", c.content)
	}
	r := &doccanoReader{c: c, d: &text.Document{ID: b.id(), Text: content}, table: newOffsetTable(content, c.offsets),
		users: map[string]bool{}, look: lookout{ended: b.ended}}
	for _, name := range sortedNames(m) {
		if err := r.member(name, m[name]); err != nil {
			return nil, b.fault(0, 0, "%s: %v", name, err)
		}
	}
	if len(r.users) > 1 && c.annotator == "" {
		return nil, b.fault(0, 0, "%v", severalAnnotators("the annotations are of", slices.Collect(maps.Keys(r.users))))
	}
	if len(r.names) > 0 {
		r.d.SetLayer(labels(r.names...))
	}
	if r.spanny {
		if err := toolLayers(r.d, r.spans, r.arcs, b.ended); err != nil {
			return nil, b.fault(0, 0, "%v", err)
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
		id, ok := idOf(v)
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
	return jsonField(r.d, name, v, r.look.ended)
}

// labels reads names of the document or arrays of start, end and name.
func (r *doccanoReader) labels(list []any) error {
	for _, v := range list {
		if err := r.look.step(); err != nil {
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
		name, ok := idOf(v)
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
	from, ok1 := number(m, start)
	to, ok2 := number(m, end)
	label, ok3 := idOf(m["label"])
	if !ok1 || !ok2 || !ok3 {
		return fmt.Errorf("a span has %s, %s and label", start, end)
	}
	a, z, err := r.table.span(r.d.Text, from, to, r.c.offsets, "")
	if err != nil {
		return err
	}
	r.spanny = true
	r.spans = append(r.spans, toolSpan{id, charSpan{a, z, label}})
	return nil
}

// objects reads spans as objects; in version 1 an object without offsets labels the document, and all have a user.
func (r *doccanoReader) objects(list []any, start, end string, spans bool) error {
	r.spanny = r.spanny || spans
	for _, v := range list {
		if err := r.look.step(); err != nil {
			return err
		}
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		if user, ok := idOf(m["user"]); ok {
			if r.users[user] = true; r.c.annotator != "" && user != r.c.annotator {
				continue
			}
		}
		if m[start] == nil && m[end] == nil && !spans {
			name, ok := idOf(m["label"])
			if !ok {
				return fmt.Errorf("an annotation has no label")
			}
			r.name(name)
			continue
		}
		id, _ := idOf(m["id"])
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
		from, ok1 := idOf(m["from_id"])
		to, ok2 := idOf(m["to_id"])
		label, ok3 := idOf(m["type"])
		if !ok1 || !ok2 || !ok3 {
			return fmt.Errorf("a relation has from_id, to_id and type")
		}
		r.arcs = append(r.arcs, toolArc{label, from, to})
	}
	return nil
}

// document writes the record that doccano imports: label, or entities, relations and cats where there are relations or
// both spans and labels.
func (c *doccano) document(w io.Writer, d *text.Document) error {
	b := bytes.NewBufferString("{")
	err := member(b, c.id, jsonID(d.ID))
	if err == nil {
		err = member(b, c.content, d.Text)
	}
	if err == nil {
		err = metadataMembers(b, d)
	}
	if err != nil {
		return err
	}
	tellLayers(&c.notes, "doccano", d, nil, text.Entities, text.Relations, text.Labels)
	spans, arcs := writtenSpans(&c.notes, d, c.offsets)
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
			list[i] = [3]any{s.start, s.end, s.label}
		}
		err = member(b, c.label, list)
	case names != nil:
		err = member(b, c.label, names)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// writeObjects writes entities, relations and, for labels of the document, cats.
func (c *doccano) writeObjects(b *bytes.Buffer, spans []writtenSpan, arcs []writtenArc, names []string) error {
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
		entities[i] = entity{i + 1, s.label, s.start, s.end}
	}
	for i, a := range arcs {
		relations[i] = arc{i + 1, a.from + 1, a.to + 1, a.label}
	}
	err := member(b, "entities", entities)
	if err == nil {
		err = member(b, "relations", relations)
	}
	if err == nil && len(names) > 0 {
		err = member(b, "cats", names)
	}
	return err
}
