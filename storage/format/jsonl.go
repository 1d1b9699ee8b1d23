package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
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
func checkTexts(v any) error {
	switch v := v.(type) {
	case string:
		return value.CheckText(v)
	case []any:
		for _, x := range v {
			if err := checkTexts(x); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if err := errors.Join(value.CheckText(name), checkTexts(v[name])); err != nil {
				return err
			}
		}
	}
	return nil
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
	m, err := object(b.text)
	if err != nil {
		return nil, b.fault(0, 0, "no JSON object: %v", err)
	}
	d := &text.Document{ID: b.id()}
	content, ok := m[j.content].(string)
	if !ok {
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
			err = jsonField(d, name, v)
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

func jsonField(d *text.Document, name string, v any) error {
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
		raw, err := json.Marshal(v)
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

// tellStrangers tells of members of a row that the layer has no column for.
func (j *jsonl) tellStrangers(m map[string]any, def *text.LayerDef, b block) {
	n := 0
	for name := range m {
		if def.Index(name) < 0 && !(def.Spans && (name == "start" || name == "end")) {
			n++
		}
	}
	j.tell(strangers, n, b.file, b.line)
}

// spanMembers is a span as an object; an array has start, end and label.
func spanMembers(v any) (map[string]any, error) {
	switch v := v.(type) {
	case map[string]any:
		return v, nil
	case []any:
		if len(v) == 3 {
			return map[string]any{"start": v[0], "end": v[1], "label": v[2]}, nil
		}
	}
	return nil, errors.New(`objects {"start": 0, "end": 3, "label": "PER"} or arrays [0, 3, "PER"] are wanted`)
}

// spans reads a layer of spans.
func (j *jsonl) spans(d *text.Document, def *text.LayerDef, list []any, b block) error {
	l := text.NewLayer(def)
	l.N = len(list)
	var ints [5][]int32
	var strs [2][]string
	for _, v := range list {
		m, err := spanMembers(v)
		if err != nil {
			return err
		}
		j.tellStrangers(m, def, b)
		row, label, err := jsonSpan(d, m)
		if err != nil {
			return err
		}
		for c := range row {
			ints[c] = append(ints[c], row[c])
		}
		strs[0], strs[1] = append(strs[0], label), append(strs[1], d.Text[row[1]:row[2]])
	}
	if l.N == 0 && d.Layer(def.Name) != nil {
		return nil // another member has made the layer
	}
	for c := range ints {
		if d.Layer("tokens") == nil && (c == 0 || c > 2) {
			continue // the tokeniser aligns them
		}
		if l.Cols[c].Ints = ints[c]; ints[c] == nil {
			l.Cols[c].Ints = []int32{}
		}
	}
	l.SetStrs("label", strs[0])
	l.SetStrs("text", strs[1])
	d.SetLayer(l)
	return nil
}

// jsonSpan is the columns of integers of a span, and its label. Tokens give its offsets where it has none; where it has
// both, it may cover a part of its tokens. Without tokens it is in no sentence, until it is aligned.
func jsonSpan(d *text.Document, m map[string]any) (row [5]int32, label string, err error) {
	label, ok := m["label"].(string)
	if !ok || label == "" {
		return row, "", fmt.Errorf("a span has no label")
	}
	sent, tokens := number(m, "sent")
	if tokens = tokens && d.Layer("tokens") != nil; tokens {
		first, ok1 := number(m, "tok_start")
		last, ok2 := number(m, "tok_end")
		bounds := d.SentenceTokens()
		if !ok1 || !ok2 || sent < 1 || sent >= len(bounds) || first < 1 || last < first ||
			last > int(bounds[sent]-bounds[sent-1]) {
			return row, "", fmt.Errorf("a span names no tokens of the document")
		}
		toks, from := d.Layer("tokens"), int(bounds[sent-1])-1
		row = [5]int32{int32(sent), toks.Cols[2].Ints[from+first], toks.Cols[3].Ints[from+last], int32(first), int32(last)}
	}
	from, ok1 := number(m, "start")
	to, ok2 := number(m, "end")
	if tokens && !ok1 && !ok2 {
		return row, label, nil
	}
	a, z := byteAt(d.Text, from), byteAt(d.Text, to)
	if !ok1 || !ok2 || a < 0 || z < 0 || z < a {
		return row, "", fmt.Errorf("a span needs start and end within the text")
	}
	row[1], row[2] = int32(a), int32(z)
	return row, label, nil
}

// mayLack reports whether a column of integers may be missing in all rows of a document: what follows from others, or
// is not known.
func mayLack(def *text.LayerDef, column string) bool {
	switch column {
	case "annotator", "mention":
		return true
	case "sent":
		return def == text.Edits || def == text.Relations || def == text.Mentions
	case "tok_start", "tok_end":
		return def == text.Mentions
	}
	return false
}

// layer reads a layer of any other kind: objects with the columns as members.
func (j *jsonl) layer(d *text.Document, def *text.LayerDef, list []any, b block) error {
	l := text.NewLayer(def)
	l.N = len(list)
	rows := make([]map[string]any, l.N)
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		j.tellStrangers(m, def, b)
		rows[i] = m
	}
	for c, col := range def.Columns {
		if !col.Stored() {
			continue
		}
		missing := !slices.ContainsFunc(rows, func(m map[string]any) bool { return m[col.Name] != nil })
		switch {
		case missing && l.N > 0 && (col.Type != value.Integer || mayLack(def, col.Name)):
		case col.Type == value.Integer:
			l.Cols[c].Ints = make([]int32, l.N)
		default:
			l.Cols[c].Strs = make([]string, l.N)
		}
		if err := jsonColumn(d, &l.Cols[c], col, rows); err != nil {
			return err
		}
	}
	if def == text.Mentions && l.N > 0 && l.Ints("mention") == nil {
		numbers := make([]int32, l.N)
		for i := range numbers {
			numbers[i] = int32(i + 1)
		}
		l.SetInts("mention", numbers)
	}
	d.SetLayer(l)
	return nil
}

// jsonColumn fills a column of a layer, if it is there, from the members of rows.
func jsonColumn(d *text.Document, into *text.Col, col text.Column, rows []map[string]any) error {
	for i := range into.Ints {
		n, ok := number(rows[i], col.Name)
		if !ok || n < 0 {
			return fmt.Errorf("%s is a whole number from 0, in each row", col.Name)
		}
		if col.Role == text.Offset {
			if n = byteAt(d.Text, n); n < 0 {
				return fmt.Errorf("%s lies outside the text", col.Name)
			}
		}
		into.Ints[i] = int32(n)
	}
	for i := range into.Strs {
		v := rows[i][col.Name]
		if s, ok := v.(string); ok {
			into.Strs[i] = s
		} else if v != nil {
			return fmt.Errorf("%s is a text", col.Name)
		}
	}
	return nil
}

// rowObjects writes the rows of a layer with their columns as members.
func rowObjects(l *text.Layer, at func(int32) int) []map[string]any {
	out := make([]map[string]any, l.N)
	for i := range out {
		out[i] = map[string]any{}
		for c, col := range l.Def.Columns {
			switch {
			case !col.Stored():
			case l.Cols[c].Ints != nil && col.Role == text.Offset:
				out[i][col.Name] = at(l.Cols[c].Ints[i])
			case l.Cols[c].Ints != nil:
				out[i][col.Name] = l.Cols[c].Ints[i]
			case l.Cols[c].Strs != nil && l.Cols[c].Strs[i] != "":
				out[i][col.Name] = l.Cols[c].Strs[i]
			}
		}
	}
	return out
}

var jsonColumns = []string{"lemma", "upos", "xpos", "feats", "misc"}

func jsonTokens(d *text.Document, list []any) error {
	toks := text.NewLayer(text.Tokens)
	toks.N = len(list)
	for c := range 4 {
		toks.Cols[c].Ints = make([]int32, toks.N)
	}
	forms := make([]string, toks.N)
	cols := map[string][]string{}
	sent, tok, end := int32(1), int32(0), int32(0)
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		from, ok1 := number(m, "start")
		to, ok2 := number(m, "end")
		a, z := byteAt(d.Text, from), byteAt(d.Text, to)
		if !ok1 || !ok2 || a < 0 || z < a || int32(a) < end && i > 0 && int32(a) != toks.Cols[2].Ints[i-1] {
			return fmt.Errorf("token %d needs start and end within the text, in order", i+1)
		}
		if s, ok := number(m, "sent"); ok {
			if int32(s) < sent || int32(s) > sent+1 || i == 0 && s != 1 {
				return fmt.Errorf("token %d: sentences are numbered from 1, one after the other", i+1)
			}
			if int32(s) > sent {
				sent, tok = int32(s), 0
			}
		}
		tok++
		end = int32(z)
		toks.Cols[0].Ints[i], toks.Cols[1].Ints[i], toks.Cols[2].Ints[i], toks.Cols[3].Ints[i] = sent, tok, int32(a), int32(z)
		if forms[i] = d.Text[a:z]; m["form"] != nil {
			forms[i], _ = m["form"].(string)
		}
		for _, c := range jsonColumns {
			if s, ok := m[c].(string); ok {
				if cols[c] == nil {
					cols[c] = make([]string, toks.N)
				}
				cols[c][i] = s
			}
		}
	}
	toks.Cols[4].Strs = forms
	for c, v := range cols {
		toks.SetStrs(c, v)
	}
	d.SetLayer(sentencesOf(toks))
	d.SetLayer(toks)
	return nil
}

// sentencesOf makes the sentences that tokens name.
func sentencesOf(toks *text.Layer) *text.Layer {
	l := text.NewLayer(text.Sentences)
	if toks.N > 0 {
		l.N = int(toks.Cols[0].Ints[toks.N-1])
	}
	for c := range 3 {
		l.Cols[c].Ints = make([]int32, l.N)
	}
	for i := range l.N {
		l.Cols[0].Ints[i] = int32(i + 1)
	}
	for i := toks.N - 1; i >= 0; i-- {
		s := toks.Cols[0].Ints[i] - 1
		l.Cols[1].Ints[s] = toks.Cols[2].Ints[i]
		l.Cols[2].Ints[s] = max(l.Cols[2].Ints[s], toks.Cols[3].Ints[i])
	}
	return l
}

// member writes one member of an object.
func member(b *bytes.Buffer, name string, v any) error {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	k, err := json.Marshal(name)
	if err != nil {
		return err
	}
	b.Write(k)
	b.WriteByte(':')
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Write(bytes.TrimRight(out.Bytes(), "\n"))
	return nil
}

func plainValue(v value.Value) any {
	switch v.T {
	case value.Null:
		return nil
	case value.Integer:
		return v.Int()
	case value.Float:
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1e15 {
			return json.RawMessage(strconv.FormatFloat(f, 'f', 1, 64)) // or it reads as an integer
		}
		return v.Float()
	case value.Boolean:
		return v.N != 0
	case value.JSON:
		return json.RawMessage(v.S)
	case value.Timestamp:
		return time.UnixMicro(v.Int()).UTC().Format(time.RFC3339Nano)
	}
	return v.String()
}

func (j *jsonl) begin(io.Writer, []Column) error { return nil }

func (j *jsonl) row(w io.Writer, columns []Column, row []value.Value) error {
	b := bytes.NewBufferString("{")
	for i, v := range row {
		if err := member(b, columns[i].Name, plainValue(v)); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
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
		m, err := object(string(line))
		if err != nil {
			return src.fault(n, 0, "no JSON object: %v", err)
		}
		row := make([]value.Value, len(columns))
		for i, c := range columns {
			if m[c.Name] == nil {
				continue
			}
			d := &text.Document{}
			err := jsonField(d, c.Name, m[c.Name])
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

// document writes id, text, metadata and layers.
func (j *jsonl) document(w io.Writer, d *text.Document) error {
	b := bytes.NewBufferString("{")
	err := member(b, j.id, d.ID)
	if err == nil {
		err = member(b, j.content, d.Text)
	}
	for _, f := range d.Fields {
		if err == nil && !f.Value.IsNull() {
			err = member(b, f.Name, plainValue(f.Value))
		}
	}
	at := pointer(d.Text)
	for _, l := range d.Layers {
		if err != nil {
			return err
		}
		switch {
		case l.Def == text.Labels:
			err = member(b, "labels", l.Strs("label"))
		case l.Def == text.Tokens:
			err = member(b, "tokens", tokenObjects(d, l, at))
		case l.Def.Spans:
			err = member(b, l.Name, spanObjects(l, at))
		case l.Def != text.Sentences:
			err = member(b, l.Name, rowObjects(l, at))
		}
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// pointer returns what turns byte offsets into code points.
func pointer(s string) func(int32) int {
	if utf8.RuneCountInString(s) == len(s) {
		return func(o int32) int { return int(o) }
	}
	points := make([]int32, len(s)+1)
	n := int32(0)
	for i := range len(s) {
		points[i] = n
		if i+1 == len(s) || utf8.RuneStart(s[i+1]) {
			n++
		}
	}
	points[len(s)] = n
	return func(o int32) int { return int(points[o]) }
}

type tokenObject struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Sent  int32  `json:"sent"`
	Form  string `json:"form,omitempty"`
	Lemma string `json:"lemma,omitempty"`
	Upos  string `json:"upos,omitempty"`
	Xpos  string `json:"xpos,omitempty"`
	Feats string `json:"feats,omitempty"`
	Misc  string `json:"misc,omitempty"`
}

func tokenObjects(d *text.Document, l *text.Layer, at func(int32) int) []tokenObject {
	out := make([]tokenObject, l.N)
	cell := func(name string, i int) string {
		if v := l.Strs(name); v != nil {
			return v[i]
		}
		return ""
	}
	for i := range out {
		a, z := l.Cols[2].Ints[i], l.Cols[3].Ints[i]
		out[i] = tokenObject{Start: at(a), End: at(z), Sent: l.Cols[0].Ints[i], Lemma: cell("lemma", i),
			Upos: cell("upos", i), Xpos: cell("xpos", i), Feats: cell("feats", i), Misc: cell("misc", i)}
		if f := cell("form", i); f != d.Text[a:z] {
			out[i].Form = f
		}
	}
	return out
}

type spanObject struct {
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Sent     int32  `json:"sent,omitempty"`
	TokStart int32  `json:"tok_start,omitempty"`
	TokEnd   int32  `json:"tok_end,omitempty"`
	Label    string `json:"label"`
}

func spanObjects(l *text.Layer, at func(int32) int) []spanObject {
	out := make([]spanObject, l.N)
	for i := range out {
		out[i] = spanObject{Start: at(l.Cols[1].Ints[i]), End: at(l.Cols[2].Ints[i]), Label: l.Strs("label")[i]}
		if l.Cols[0].Ints != nil && l.Cols[0].Ints[i] > 0 {
			out[i].Sent, out[i].TokStart, out[i].TokEnd = l.Cols[0].Ints[i], l.Cols[3].Ints[i], l.Cols[4].Ints[i]
		}
	}
	return out
}
