package table

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/value"
)

// jsonl is a JSON object a line. Layers are lists of objects: spans with start and end in code
// points (or sent, tok_start, tok_end where there are tokens) and label, or arrays of these three;
// tokens with start and end, sent, form and the columns of tokens; labels as texts. Other members
// are metadata.
type jsonl struct {
	id, content, label string
	codec.Notes
}

func (j *jsonl) Options(s *option.Set) {
	s.Text(&j.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&j.content, "text", "text", "member with the text of a document")
	s.Text(&j.label, "label", "label", "member with the label of a document or a list of them, which the layer labels "+
		"gets; arrays of start, end and label become entities; empty for none, then it is metadata")
}

func (j *jsonl) Splitter() codec.Splitter { return codec.LineSplitter{} }

func (j *jsonl) Parse(b codec.Block) ([]*text.Document, error) {
	m, err := jsonvalue.Decode(b.Text, b.Ended)
	if err != nil {
		return nil, b.Fault(0, 0, "no JSON object: %v", jsonvalue.Fault(err))
	}
	tool := jsonvalue.ToolOf(m)
	if tool != "" {
		j.Tell(jsonvalue.OfTool(tool), 1, b.File, b.Line)
	}
	d := &text.Document{ID: b.ID()}
	content, ok := m[j.content].(string)
	if !ok {
		if tool != "" {
			return nil, b.Fault(0, 0, "the object has no text %q; FORMAT %s reads records of %s", j.content, tool,
				jsonvalue.ToolNames[tool])
		}
		return nil, b.Fault(0, 0, "the object has no text %q", j.content)
	}
	d.Text = content
	if m["tokens"] != nil {
		tokens, ok := m["tokens"].([]any)
		if !ok {
			return nil, b.Fault(0, 0, "tokens: a list is wanted")
		}
		if err := jsonTokens(d, tokens); err != nil {
			return nil, b.Fault(0, 0, "tokens: %v", err)
		}
	}
	for _, name := range jsonvalue.Names(m) {
		v := m[name]
		list, isList := v.([]any)
		switch def := text.Builtins(name); {
		case name == j.content || name == "tokens" || name == "sentences" || v == nil:
		case name == j.id:
			switch v.(type) {
			case string, json.Number, bool:
				d.ID = fmt.Sprint(v)
			}
			if v == "" || d.ID == "" {
				return nil, b.Fault(0, 0, "the id is a text or number, not empty")
			}
		case (name == j.label || def == text.Labels) && isList && len(list) > 0 && jsonvalue.IsArray(list[0]):
			err = j.spans(d, text.Entities, list, b)
		case name == j.label || def == text.Labels && isList:
			err = jsonvalue.SetLabels(d, v)
		case name == "cats" && j.label != "" && isScores(v):
			err = jsonvalue.SetLabels(d, likely(v.(map[string]any)))
			j.Tell(categories, 1, b.File, b.Line)
		case def != nil && def.Spans && isList:
			err = j.spans(d, def, list, b)
		case def != nil && isList:
			err = j.layer(d, def, list, b)
		default:
			err = jsonvalue.SetField(d, name, v, b.Ended)
		}
		if err != nil {
			return nil, b.Fault(0, 0, "%s: %v", name, err)
		}
	}
	return []*text.Document{d}, nil
}

// What the reader reports: members that are no layer, or not as a layer has them.
var (
	categories = codec.Topic{One: "the member cats of 1 document became labels: the names with a value of at least 0.5",
		Many: "the members cats of %d documents became labels: the names with a value of at least 0.5"}
	strangers = codec.Topic{One: "1 member of a row was left out, which its layer has no column for",
		Many: "%d members of rows were left out, which their layers have no column for"}
)

// isScores reports whether a value is an object of numbers or truths.
func isScores(v any) bool {
	m, ok := v.(map[string]any)
	for _, x := range m {
		switch x.(type) {
		case json.Number, bool:
		default:
			return false
		}
	}
	return ok && len(m) > 0
}

// likely are the names with a score of at least one half, or true.
func likely(scores map[string]any) []any {
	var out []any
	for _, name := range jsonvalue.Names(scores) {
		x, err := strconv.ParseFloat(fmt.Sprint(scores[name]), 64)
		if scores[name] == true || err == nil && x >= 0.5 {
			out = append(out, name)
		}
	}
	return out
}

// Rows reads members by the names of the columns.
func (j *jsonl) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	for {
		line, n, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		m, err := jsonvalue.Decode(string(line), src.Ending())
		if err != nil {
			return src.Fault(n, 0, "no JSON object: %v", jsonvalue.Fault(err))
		}
		row := make([]value.Value, len(columns))
		for i, c := range columns {
			if m[c.Name] == nil {
				continue
			}
			d := &text.Document{}
			err := jsonvalue.SetField(d, c.Name, m[c.Name], src.Ending())
			if err == nil {
				row[i], err = value.Cast(d.Fields[0].Value, c.Type)
			}
			if err != nil {
				return src.Fault(n, 0, "column %s: %v", c.Name, err)
			}
		}
		if err := emit(row, n); err != nil {
			return err
		}
	}
}
