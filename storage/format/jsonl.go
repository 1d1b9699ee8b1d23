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
// points (or sent, tok_start, tok_end where there are tokens) and label; tokens with start and
// end, sent, form and the columns of tokens; labels as texts. Other members are metadata.
type jsonl struct{ id, content string }

func (j *jsonl) options(s *option.Set) {
	s.Text(&j.id, "id", "id", "member with the id of a document; without it, it is file:n")
	s.Text(&j.content, "text", "text", "member with the text of a document")
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
		case def == text.Labels && isList:
			err = jsonLabels(d, list)
		case def != nil && def.Spans && isList:
			err = jsonSpans(d, def, list)
		case def != nil && isList:
			err = jsonRows(d, def, list)
		default:
			err = jsonField(d, name, v)
		}
		if err != nil {
			return nil, b.fault(0, 0, "%s: %v", name, err)
		}
	}
	return []*text.Document{d}, nil
}

func jsonLabels(d *text.Document, list []any) error {
	names := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok || s == "" {
			return fmt.Errorf("texts are wanted")
		}
		names[i] = s
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

func jsonSpans(d *text.Document, def *text.LayerDef, list []any) error {
	l := text.NewLayer(def)
	l.N = len(list)
	ints := make([][]int32, 5)
	for c := range ints {
		ints[c] = make([]int32, l.N)
		l.Cols[c].Ints = ints[c]
	}
	names, texts := make([]string, l.N), make([]string, l.N)
	var byTokens []text.Span
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("objects are wanted")
		}
		label, ok := m["label"].(string)
		if !ok || label == "" {
			return fmt.Errorf("a span has no label")
		}
		if sent, ok := number(m, "sent"); ok && d.Layer("tokens") != nil {
			first, ok1 := number(m, "tok_start")
			last, ok2 := number(m, "tok_end")
			bounds := d.SentenceTokens()
			if !ok1 || !ok2 || sent < 1 || sent >= len(bounds) || first < 1 || last < first ||
				last > int(bounds[sent]-bounds[sent-1]) {
				return fmt.Errorf("a span names no tokens of the document")
			}
			byTokens = append(byTokens, text.Span{Sent: int32(sent), First: int32(first), Last: int32(last), Label: label})
			continue
		}
		from, ok1 := number(m, "start")
		to, ok2 := number(m, "end")
		a, z := byteAt(d.Text, from), byteAt(d.Text, to)
		if !ok1 || !ok2 || a < 0 || z < 0 || z < a {
			return fmt.Errorf("a span needs start and end within the text")
		}
		ints[1][i], ints[2][i], names[i], texts[i] = int32(a), int32(z), label, d.Text[a:z]
	}
	if len(byTokens) == l.N {
		d.SetLayer(d.SpanLayer(def, byTokens))
		return nil
	}
	if len(byTokens) > 0 {
		return fmt.Errorf("spans are given by tokens or by start and end, not both")
	}
	l.SetStrs("label", names)
	l.SetStrs("text", texts)
	if d.Layer("tokens") == nil {
		l.Cols[0].Ints, l.Cols[3].Ints, l.Cols[4].Ints = nil, nil, nil // the tokeniser aligns them
	}
	d.SetLayer(l)
	return nil
}

// jsonRows reads a layer of any other kind: objects with the columns as members.
func jsonRows(d *text.Document, def *text.LayerDef, list []any) error {
	l := text.NewLayer(def)
	l.N = len(list)
	for c, col := range def.Columns {
		if !col.Stored() {
			continue
		}
		l.Cols[c].Ints, l.Cols[c].Strs = make([]int32, l.N), make([]string, l.N)
		for i, v := range list {
			m, ok := v.(map[string]any)
			if !ok {
				return fmt.Errorf("objects are wanted")
			}
			if col.Type == value.Integer {
				n, ok := number(m, col.Name)
				if !ok || n < 0 {
					return fmt.Errorf("%s is a whole number from 0", col.Name)
				}
				if col.Role == text.Offset {
					if n = byteAt(d.Text, n); n < 0 {
						return fmt.Errorf("%s lies outside the text", col.Name)
					}
				}
				l.Cols[c].Ints[i] = int32(n)
			} else if m[col.Name] != nil {
				if l.Cols[c].Strs[i], ok = m[col.Name].(string); !ok {
					return fmt.Errorf("%s is a text", col.Name)
				}
			}
		}
		if col.Type == value.Integer {
			l.Cols[c].Strs = nil
		} else {
			l.Cols[c].Ints = nil
		}
	}
	d.SetLayer(l)
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
