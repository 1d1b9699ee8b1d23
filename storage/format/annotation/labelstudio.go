package annotation

import (
	"bytes"
	"encoding/json"
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
)

// labelStudio is the JSON that Label Studio exports and imports: a list of tasks with data, annotations (completions
// before 2021) and predictions, or a task a line. JSON-MIN, a record for each annotation with the controls' names as
// members, is read too.
type labelStudio struct {
	content, label, annotator, control string
	offsets                            string
	predictions, unannotated           bool
	codec.Notes
}

func (c *labelStudio) Options(s *option.Set) {
	s.Text(&c.content, "text", "", "member of data with the text; without it, text, or the only one that is a text")
	s.Text(&c.label, "label", "", "member with the labels of a document in JSON-MIN, the name of a control")
	s.Text(&c.annotator, "annotator", "", "who annotated, as completed_by has it (a number or an e-mail address): where "+
		"tasks have several annotations, those of one are taken; of predictions, the version of the model")
	s.Text(&c.control, "control", "", "name of the control (from_name) whose labels are taken; without it, all")
	offset.Option(s, &c.offsets, offset.CodePoints, "")
	s.Bool(&c.predictions, "predictions", false, "whether predictions are read, not annotations")
	s.Bool(&c.unannotated, "unannotated", false, "whether tasks without an annotation, or with skipped ones alone, "+
		"become documents too")
}

// What the reader reports: tasks and regions that give nothing.
var (
	skippedTasks = codec.Topic{
		One:  "1 task was left out, for it has no annotation; WITH (unannotated = true) loads its text",
		Many: "%d tasks were left out, for they have no annotation; WITH (unannotated = true) loads their texts"}
	otherRegions = codec.Topic{One: "1 region was left out: it is neither a span nor a choice nor a relation",
		Many: "%d regions were left out: they are neither spans nor choices nor relations"}
	placeless = codec.Topic{One: "1 span of a page was left out: it has no globalOffsets",
		Many: "%d spans of pages were left out: they have no globalOffsets"}
)

func (c *labelStudio) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	return jsonValues(src, func(m map[string]any, line int) error {
		d, err := c.task(src, m, line)
		if err != nil {
			return src.Fault(line, 0, "%v", err)
		}
		if d == nil {
			c.Tell(skippedTasks, 1, src.Name, line)
			return nil
		}
		return emit(d, line)
	})
}

// task makes a document of a task, or of a record of JSON-MIN; nil for one that is left out.
func (c *labelStudio) task(src *codec.Source, m map[string]any, line int) (*text.Document, error) {
	data, whole := m["data"].(map[string]any)
	if !whole {
		data = m
	}
	name, err := c.textOf(data)
	if err != nil {
		return nil, err
	}
	r := &labelStudioReader{c: c, src: src, line: line, d: &text.Document{Text: data[name].(string)}}
	r.table = offset.NewTable(r.d.Text, c.offsets)
	own := false // the id is a member of data
	id, ok := jsonvalue.ID(m["id"])
	if !ok {
		if id, own = jsonvalue.ID(data["id"]); !own {
			id = fmt.Sprintf("%s:%d", src.Base, line)
		}
	}
	r.d.ID = id
	if !whole {
		return r.minimal(m, name)
	}
	for _, k := range jsonvalue.Names(data) {
		if k != name && data[k] != nil && !(own && k == "id") {
			if err := jsonvalue.SetField(r.d, k, data[k], src.Ending()); err != nil {
				return nil, err
			}
		}
	}
	result, found, err := c.result(m)
	if err != nil || !found && !c.unannotated {
		return nil, err
	}
	if !found {
		return r.d, nil
	}
	return r.d, r.regions(result)
}

// textOf names the member of data with the text.
func (c *labelStudio) textOf(data map[string]any) (string, error) {
	if c.content != "" {
		if _, ok := data[c.content].(string); !ok {
			return "", fmt.Errorf("data has no text %q", c.content)
		}
		return c.content, nil
	}
	if _, ok := data["text"].(string); ok {
		return "text", nil
	}
	var texts []string
	for _, k := range jsonvalue.Names(data) {
		if _, ok := data[k].(string); ok {
			texts = append(texts, k)
		}
	}
	switch len(texts) {
	case 0:
		return "", fmt.Errorf("data has no text")
	case 1:
		return texts[0], nil
	}
	return "", fmt.Errorf("data has several texts (%s); WITH (text = '%s') names the one that is annotated",
		strings.Join(texts, ", "), texts[0])
}

// result finds the regions of the annotation that is taken; found is false if the task has none.
func (c *labelStudio) result(m map[string]any) (result []any, found bool, err error) {
	name, by := "annotations", "completed_by"
	switch {
	case c.predictions:
		name, by = "predictions", "model_version"
	case m[name] == nil && m["completions"] != nil:
		name = "completions"
	}
	list, _ := m[name].([]any)
	var who []string
	for _, v := range list {
		a, ok := v.(map[string]any)
		if !ok {
			return nil, false, fmt.Errorf("%s: objects are wanted", name)
		}
		if a["was_cancelled"] == true || a["skipped"] == true {
			continue
		}
		author := authorOf(a[by])
		if c.annotator != "" && author != c.annotator {
			continue
		}
		if who = append(who, author); len(who) > 1 {
			continue
		}
		if result, ok = a["result"].([]any); !ok {
			return nil, false, fmt.Errorf("%s: an annotation has a list result", name)
		}
	}
	if len(who) > 1 {
		if slices.Sort(who); who[0] == who[len(who)-1] {
			return nil, false, fmt.Errorf("%s has several %s of '%s'", taskName(m), name, who[0])
		}
		return nil, false, offset.SeveralAnnotators(taskName(m)+" has "+name+" of", who)
	}
	return result, len(who) == 1, nil
}

func taskName(m map[string]any) string {
	if id, ok := jsonvalue.ID(m["id"]); ok {
		return "task " + id
	}
	return "a task"
}

// authorOf is who annotated: a number, a text, or an object with an e-mail address or id.
func authorOf(v any) string {
	if m, ok := v.(map[string]any); ok {
		if mail, ok := m["email"].(string); ok {
			return mail
		}
		v = m["id"]
	}
	s, _ := jsonvalue.ID(v)
	return s
}

// labelStudioReader is one document on its way.
type labelStudioReader struct {
	c     *labelStudio
	src   *codec.Source
	line  int
	d     *text.Document
	table *offset.Table
	spans []offset.Span
	arcs  []offset.Arc
	names []string
}

// minimal reads the controls of a record of JSON-MIN: lists of spans, and the labels that the option names. What is no
// control is metadata.
func (r *labelStudioReader) minimal(m map[string]any, content string) (*text.Document, error) {
	spanny := false
	for _, k := range jsonvalue.Names(m) {
		v := m[k]
		list, isList := v.([]any)
		switch {
		case k == content || k == "id" || v == nil:
		case k == r.c.label && r.c.label != "":
			if choices, ok := v.(map[string]any); ok {
				v = choices["choices"]
			}
			if err := jsonvalue.SetLabels(r.d, v); err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
		case isList && isRegions(list):
			if spanny = true; r.c.control != "" && k != r.c.control {
				continue
			}
			for _, x := range list {
				if err := r.span("", x.(map[string]any), "labels"); err != nil {
					return nil, fmt.Errorf("%s: %w", k, err)
				}
			}
		default:
			if err := jsonvalue.SetField(r.d, k, v, r.src.Ending()); err != nil {
				return nil, err
			}
		}
	}
	if !spanny {
		return r.d, nil
	}
	return r.d, offset.SetLayers(r.d, r.spans, nil, r.src.Ending())
}

// isRegions reports whether a list holds spans of JSON-MIN.
func isRegions(list []any) bool {
	for _, v := range list {
		m, _ := v.(map[string]any)
		if _, ok := m["labels"].([]any); !ok {
			return false
		}
	}
	return len(list) > 0
}

// regions reads a result.
func (r *labelStudioReader) regions(result []any) error {
	look := codec.Lookout{Ended: r.src.Ending()}
	for _, v := range result {
		if err := look.Step(); err != nil {
			return err
		}
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("result: objects are wanted")
		}
		kind, _ := m["type"].(string)
		if control, _ := m["from_name"].(string); r.c.control != "" && kind != "relation" && control != r.c.control {
			continue
		}
		value, _ := m["value"].(map[string]any)
		id, _ := jsonvalue.ID(m["id"])
		var err error
		switch kind {
		case "labels", "hypertextlabels", "paragraphlabels":
			err = r.span(id, value, kind)
		case "choices", "taxonomy":
			err = r.choices(value[kind])
		case "relation":
			err = r.relation(m)
		default:
			r.c.Tell(otherRegions, 1, r.src.Name, r.line)
		}
		if err != nil {
			return err
		}
	}
	if len(r.names) > 0 {
		r.d.SetLayer(layers.Labels(r.names...))
	}
	if r.c.control != "" { // relations to spans of other controls go with these
		r.arcs = slices.DeleteFunc(r.arcs, func(a offset.Arc) bool { return !r.has(a.From) || !r.has(a.To) })
	}
	return offset.SetLayers(r.d, r.spans, r.arcs, r.src.Ending())
}

func (r *labelStudioReader) has(id string) bool {
	return slices.ContainsFunc(r.spans, func(s offset.Span) bool { return s.ID == id })
}

// span reads a region with a list of labels, which makes a row for each of them.
func (r *labelStudioReader) span(id string, m map[string]any, kind string) error {
	list, ok := m[kind].([]any)
	if !ok {
		list, ok = m["labels"].([]any)
	}
	if !ok {
		return fmt.Errorf("a region has no list %s", kind)
	}
	covered, _ := m["text"].(string)
	at := m
	if global, ok := m["globalOffsets"].(map[string]any); ok {
		at = global
	}
	from, ok1 := jsonvalue.Number(at, "start")
	to, ok2 := jsonvalue.Number(at, "end")
	if _, path := at["start"].(string); path && !ok1 { // a path into the tree of a page
		r.c.Tell(placeless, 1, r.src.Name, r.line)
		return nil
	}
	if !ok1 || !ok2 {
		return fmt.Errorf("a region has no start and end")
	}
	a, z, err := r.table.Span(r.d.Text, from, to, r.c.offsets, covered)
	if err != nil {
		return err
	}
	for _, v := range list {
		label, ok := v.(string)
		if !ok || label == "" {
			return fmt.Errorf("labels of a region are texts")
		}
		r.spans = append(r.spans, offset.Span{ID: id, Span: layers.Span{Start: a, End: z, Label: label}})
	}
	return nil
}

// choices reads labels of the document; a path of a taxonomy is joined by slashes.
func (r *labelStudioReader) choices(v any) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("choices: a list is wanted")
	}
	for _, x := range list {
		name, _ := x.(string)
		if path, ok := x.([]any); ok {
			parts := make([]string, len(path))
			for i, p := range path {
				parts[i], _ = p.(string)
			}
			name = strings.Join(parts, "/")
		}
		if name == "" {
			return fmt.Errorf("choices: texts are wanted")
		}
		if !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
	return nil
}

func (r *labelStudioReader) relation(m map[string]any) error {
	from, ok1 := jsonvalue.ID(m["from_id"])
	to, ok2 := jsonvalue.ID(m["to_id"])
	if !ok1 || !ok2 {
		return fmt.Errorf("a relation has from_id and to_id")
	}
	list, _ := m["labels"].([]any)
	if len(list) == 0 {
		list = []any{"relation"} // drawn without a label
	}
	for _, v := range list {
		label, ok := v.(string)
		if !ok || label == "" {
			return fmt.Errorf("labels of a relation are texts")
		}
		r.arcs = append(r.arcs, offset.Arc{Label: label, From: from, To: to})
	}
	return nil
}

// jsonValues calls f for every object of a list of JSON, or for every object of a file of them, with the line on which
// it ends. The value that is read is in memory, not the file.
func jsonValues(src *codec.Source, f func(m map[string]any, line int) error) error {
	lines := &lineReader{src: src}
	dec := json.NewDecoder(lines)
	dec.UseNumber()
	list := false
	for first := true; ; first = false {
		if first {
			if err := lines.peek(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if list = lines.opens('['); list {
				if _, err := dec.Token(); err != nil {
					return decodeFault(lines, err)
				}
			}
		}
		if list && !dec.More() {
			if _, err := dec.Token(); err != nil {
				return decodeFault(lines, err)
			}
			if _, err := dec.Token(); lines.err != nil && lines.err != io.EOF {
				return lines.err
			} else if err != io.EOF {
				return src.Fault(lines.lineAt(dec.InputOffset()), 0, "something follows the list")
			}
			return nil
		}
		v, err := jsonvalue.DecodeNext(dec, src.Ending())
		if err == io.EOF && !list {
			return nil
		}
		if err != nil {
			return decodeFault(lines, err)
		}
		line := lines.lineAt(dec.InputOffset())
		m, ok := v.(map[string]any)
		if !ok {
			return src.Fault(line, 0, "an object is wanted")
		}
		if err := jsonvalue.CheckTextsUntil(m, &codec.Lookout{Ended: src.Ending()}); err != nil {
			return src.Fault(line, 0, "%v", err)
		}
		if err := f(m, line); err != nil {
			return err
		}
	}
}

// decodeFault is an error of a decoder with the line.
func decodeFault(lines *lineReader, err error) error {
	switch {
	case err == nil:
		return nil
	case lines.err != nil && lines.err != io.EOF:
		return lines.err
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return lines.src.Fault(lines.lineAt(-1), 0, "no JSON: %v", err) // a decoder reads no line before it needs it
}

// lineReader reads a source for a decoder and knows on which line a byte is.
type lineReader struct {
	src  *codec.Source
	rest []byte
	ends []int64 // of the lines that were read and not passed yet
	from int     // lines that were passed
	read int64
	err  error
}

// peek reads to the first line that is not blank.
func (l *lineReader) peek() error {
	for len(bytes.TrimSpace(l.rest)) == 0 {
		if err := l.line(); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineReader) opens(c byte) bool { return bytes.TrimSpace(l.rest)[0] == c }

func (l *lineReader) line() error {
	line, _, err := l.src.Full()
	if err != nil {
		l.err = err
		return err
	}
	l.rest = append(l.rest, line...)
	l.read += int64(len(line))
	l.ends = append(l.ends, l.read)
	return nil
}

// Read implements io.Reader.
func (l *lineReader) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if err := l.line(); err != nil {
			return 0, err
		}
	}
	if l.err = l.src.Stopped(); l.err != nil {
		return 0, l.err
	}
	n := copy(p[:min(len(p), jsonvalue.ReadPiece)], l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// lineAt is the line, from 1, of the byte before an offset; of the last byte for a negative one.
func (l *lineReader) lineAt(offset int64) int {
	for offset >= 0 && len(l.ends) > 1 && l.ends[0] < offset {
		l.ends = l.ends[1:]
		l.from++
	}
	if offset < 0 {
		return max(1, l.from+len(l.ends))
	}
	return l.from + 1
}

// Document writes a task with its annotation.
func (c *labelStudio) Document(w io.Writer, d *text.Document) error {
	offset.TellLayers(&c.Notes, "Label Studio", d, nil, text.Entities, text.Relations, text.Labels)
	content := c.content
	if content == "" {
		content = "text"
	}
	data := bytes.NewBufferString("{")
	err := jsonvalue.WriteMember(data, content, d.Text)
	id, whole := jsonvalue.IDValue(d.ID).(int64)
	if err == nil && !whole { // ids of tasks are numbers
		err = jsonvalue.WriteMember(data, "id", d.ID)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(data, d)
	}
	if err != nil {
		return err
	}
	data.WriteByte('}')
	task := map[string]any{"data": json.RawMessage(data.Bytes())}
	if whole {
		task["id"] = id
	}
	result := c.writtenRegions(d, content)
	if d.Layer(text.Entities.Name) != nil || d.Layer(text.Labels.Name) != nil || len(result) > 0 {
		name := "annotations"
		if c.predictions {
			name = "predictions"
		}
		task[name] = []any{map[string]any{"result": result}}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(task); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// writtenRegions are the regions of a document, called by their number.
func (c *labelStudio) writtenRegions(d *text.Document, content string) []any {
	control := c.control
	if control == "" {
		control = "label"
	}
	result := []any{}
	spans, arcs := offset.WrittenSpans(&c.Notes, d, c.offsets)
	texts := d.Layer(text.Entities.Name)
	for i, s := range spans {
		result = append(result, map[string]any{"id": fmt.Sprint(i + 1), "type": "labels", "from_name": control,
			"to_name": content, "value": map[string]any{"start": s.Start, "end": s.End, "labels": []string{s.Label},
				"text": d.Text[texts.Ints("char_start")[s.Row]:texts.Ints("char_end")[s.Row]]}})
	}
	for _, a := range arcs {
		result = append(result, map[string]any{"type": "relation", "from_id": fmt.Sprint(a.From + 1),
			"to_id": fmt.Sprint(a.To + 1), "direction": "right", "labels": []string{a.Label}})
	}
	if l := d.Layer(text.Labels.Name); l != nil && l.N > 0 {
		result = append(result, map[string]any{"id": fmt.Sprint(len(spans) + 1), "type": "choices", "from_name": "choice",
			"to_name": content, "value": map[string]any{"choices": l.Strs("label")}})
	}
	return result
}
