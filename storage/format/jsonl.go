package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// object decodes a line, keeping whole numbers whole.
func object(line string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	var m map[string]any
	var wrong *json.UnmarshalTypeError
	if err := dec.Decode(&m); errors.As(err, &wrong) || err == nil && m == nil {
		return nil, errors.New("an object is wanted")
	} else if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	if strings.Contains(line, `\u0000`) {
		return m, checkTexts(m)
	}
	return m, nil
}

// checkTexts looks for what is no text in a value of JSON.
func checkTexts(v any) error { return checkTextsUntil(v, &lookout{}) }

// checkTextsUntil is checkTexts with looks at the context.
func checkTextsUntil(v any, look *lookout) error {
	if err := look.step(); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		return value.CheckText(v)
	case []any:
		for _, x := range v {
			if err := checkTextsUntil(x, look); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if err := errors.Join(value.CheckText(name), checkTextsUntil(v[name], look)); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonFault says what is wrong with a line of JSON.
func jsonFault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the line ends before the object does")
	}
	return err // which may have a code of its own
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

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

func isArray(v any) bool { _, ok := v.([]any); return ok }

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

// jsonLabels adds labels: a text, number or truth, or a list of them.
func jsonLabels(d *text.Document, v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names, before []string // of another member
	if l := d.Layer(text.Labels.Name); l != nil {
		before = l.Strs("label")
		names = slices.Clone(before)
	}
	for _, v := range list {
		name := fmt.Sprint(v)
		switch v.(type) {
		case string, json.Number, bool:
		default:
			name = ""
		}
		if name == "" {
			return fmt.Errorf("texts are wanted")
		}
		if !slices.Contains(before, name) {
			names = append(names, name)
		}
	}
	d.SetLayer(labels(names...))
	return nil
}

// jsonField makes metadata of a member.
func jsonField(d *text.Document, name string, v any, ended func() error) error {
	var x value.Value
	switch v := v.(type) {
	case string:
		x = value.Str(v)
	case bool:
		x = value.Bool(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			x = value.Int(n)
		} else if f, err := v.Float64(); err == nil {
			x = value.Real(f)
		} else {
			return err
		}
	default:
		raw, err := encodeJSON(nil, v, &lookout{ended: ended})
		if err != nil {
			return err
		}
		x = value.Value{T: value.JSON, S: string(raw)}
	}
	d.Fields = append(d.Fields, text.Field{Name: name, Value: x})
	return nil
}

// number reads a whole member; ok is false without it.
func number(m map[string]any, name string) (n int, ok bool) {
	v, is := m[name].(json.Number)
	if !is {
		return 0, false
	}
	i, err := strconv.ParseInt(v.String(), 10, 32)
	return int(i), err == nil
}

// byteAt turns a code point offset into bytes; -1 outside the text.
func byteAt(s string, n int) int {
	if n < 0 {
		return -1
	}
	if utf8.RuneCountInString(s) == len(s) {
		if n > len(s) {
			return -1
		}
		return n
	}
	at := 0
	for ; n > 0; n-- {
		if at >= len(s) {
			return -1
		}
		_, w := utf8.DecodeRuneInString(s[at:])
		at += w
	}
	return at
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
		m, err := decodeObject(string(line), src.all.ended)
		if err != nil {
			return src.fault(n, 0, "no JSON object: %v", jsonFault(err))
		}
		row := make([]value.Value, len(columns))
		for i, c := range columns {
			if m[c.Name] == nil {
				continue
			}
			d := &text.Document{}
			err := jsonField(d, c.Name, m[c.Name], src.all.ended)
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
