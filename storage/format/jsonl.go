package format

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// jsonl is a JSON object a line. Layers are lists of objects: spans with start and end in code
// points (or sent, tok_start, tok_end where there are tokens) and label, or arrays of these three;
// tokens with start and end, sent, form and the columns of tokens; labels as texts. Other members
// are metadata.
type jsonl struct {
	id, content, label string
	notes
}

func (j *jsonl) options(s *option.Set) {
	s.Text(&j.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&j.content, "text", "text", "member with the text of a document")
	s.Text(&j.label, "label", "label", "member with the label of a document or a list of them, which the layer labels "+
		"gets; arrays of start, end and label become entities; empty for none, then it is metadata")
}

func (j *jsonl) splitter() splitter { return lineSplitter{} }

func (j *jsonl) parse(b block) ([]*text.Document, error) {
	m, err := decodeObject(b.text, b.ended)
	if err != nil {
		return nil, b.fault(0, 0, "no JSON object: %v", jsonFault(err))
	}
	tool := toolOf(m)
	if tool != "" {
		j.tell(ofTool(tool), 1, b.file, b.line)
	}
	d := &text.Document{ID: b.id()}
	content, ok := m[j.content].(string)
	if !ok {
		if tool != "" {
			return nil, b.fault(0, 0, "the object has no text %q; FORMAT %s reads records of %s", j.content, tool,
				toolNames[tool])
		}
		return nil, b.fault(0, 0, "the object has no text %q", j.content)
	}
	d.Text = content
	if m["tokens"] != nil {
		tokens, ok := m["tokens"].([]any)
		if !ok {
			return nil, b.fault(0, 0, "tokens: a list is wanted")
		}
		if err := jsonTokens(d, tokens); err != nil {
			return nil, b.fault(0, 0, "tokens: %v", err)
		}
	}
	for _, name := range sortedNames(m) {
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
				return nil, b.fault(0, 0, "the id is a text or number, not empty")
			}
		case (name == j.label || def == text.Labels) && isList && len(list) > 0 && isArray(list[0]):
			err = j.spans(d, text.Entities, list, b)
		case name == j.label || def == text.Labels && isList:
			err = jsonLabels(d, v)
		case name == "cats" && j.label != "" && isScores(v):
			err = jsonLabels(d, likely(v.(map[string]any)))
			j.tell(categories, 1, b.file, b.line)
		case def != nil && def.Spans && isList:
			err = j.spans(d, def, list, b)
		case def != nil && isList:
			err = j.layer(d, def, list, b)
		default:
			err = jsonField(d, name, v, b.ended)
		}
		if err != nil {
			return nil, b.fault(0, 0, "%s: %v", name, err)
		}
	}
	return []*text.Document{d}, nil
}

// Of members that are no layer or not as a layer has them, the reader tells.
var (
	categories = topic{"the member cats of 1 document became labels: the names with a value of at least 0.5",
		"the members cats of %d documents became labels: the names with a value of at least 0.5"}
	strangers = topic{"1 member of a row was left out, which its layer has no column for",
		"%d members of rows were left out, which their layers have no column for"}
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
	for _, name := range sortedNames(scores) {
		x, err := strconv.ParseFloat(fmt.Sprint(scores[name]), 64)
		if scores[name] == true || err == nil && x >= 0.5 {
			out = append(out, name)
		}
	}
	return out
}

// rows reads members by the names of the columns.
func (j *jsonl) rows(src *Source, columns []Column, emit func([]value.Value, int) error) error {
	for {
		line, n, err := src.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		m, err := decodeObject(string(line), src.Ending())
		if err != nil {
			return src.fault(n, 0, "no JSON object: %v", jsonFault(err))
		}
		row := make([]value.Value, len(columns))
		for i, c := range columns {
			if m[c.Name] == nil {
				continue
			}
			d := &text.Document{}
			err := jsonField(d, c.Name, m[c.Name], src.Ending())
			if err == nil {
				row[i], err = value.Cast(d.Fields[0].Value, c.Type)
			}
			if err != nil {
				return src.fault(n, 0, "column %s: %v", c.Name, err)
			}
		}
		if err := emit(row, n); err != nil {
			return err
		}
	}
}
