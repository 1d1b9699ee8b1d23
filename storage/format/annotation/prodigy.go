package annotation

import (
	"bytes"
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

// prodigy is the JSON lines of Prodigy: text, tokens, spans, relations, label or accept, and the answer. Records of one
// input, such as the questions about its labels one by one, become one document. The tokens of a record only say where
// relations are; those of a document are made by its corpus. Other members are metadata.
type prodigy struct {
	id, content, annotator string
	answers                []string
	offsets                string
	codec.Notes
}

// Answers of Prodigy.
const (
	accepted   = "accept"
	rejected   = "reject"
	ignored    = "ignore"
	unanswered = "none"
)

func (c *prodigy) Options(s *option.Set) {
	s.Text(&c.id, "id", "id", "member with the id of a document; without it, it is _input_hash, without that file:n")
	s.Text(&c.content, "text", "text", "member with the text of a document")
	s.Text(&c.annotator, "annotator", "", "whose records are taken, by _annotator_id or _session_id, where inputs were "+
		"annotated by several")
	s.List(&c.answers, "answers", []string{accepted, unanswered}, "answers whose records are taken, of accept, reject, "+
		"ignore and none; a rejected record says that its labels are wrong")
	s.Check("answers", func() error {
		for _, a := range c.answers {
			if !slices.Contains([]string{accepted, rejected, ignored, unanswered}, a) {
				return fmt.Errorf("answers are accept, reject, ignore and none, not '%s'", a)
			}
		}
		return nil
	})
	offset.Option(s, &c.offsets, offset.CodePoints, "")
}

// tellAnswer reports a record with an answer that is not taken.
func (c *prodigy) tellAnswer(answer, file string, line int) {
	all := "'" + strings.Join(append(slices.Clone(c.answers), answer), "', '") + "'"
	c.Tell(codec.Topic{One: "1 record with the answer " + answer + " was left out; WITH (answers = (" + all +
		")) takes it too",
		Many: "%d records with the answer " + answer + " were left out; WITH (answers = (" + all + ")) takes them too"},
		1, file, line)
}

// prodigyDocument is a document on its way, of one record or several.
type prodigyDocument struct {
	d         *text.Document
	line      int
	annotator string
	table     *offset.Table
	spans     []layers.Span
	known     map[layers.Span]bool // the same
	relations []layers.Relation
	names     []string
	spanny    bool // a record has a list of spans, which may be empty
}

// Read reads a file. Its documents are in memory until its end, for records of one input need not follow each other.
func (c *prodigy) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	var order []*prodigyDocument
	known := map[string]*prodigyDocument{}
	n := 0
	for {
		line, at, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n++
		m, err := jsonvalue.Decode(string(line), src.Ending())
		if err != nil {
			return src.Fault(at, 0, "no JSON object: %v", jsonvalue.Fault(err))
		}
		p, err := c.record(src, m, at, n, known)
		if err != nil {
			return src.Fault(at, 0, "%v", err)
		}
		if p != nil && p.line == at {
			order = append(order, p)
		}
	}
	for _, p := range order {
		if err := p.finish(src.Ending()); err != nil {
			return err
		}
		if err := emit(p.d, p.line); err != nil {
			return err
		}
	}
	return nil
}

// record reads a record into its document; nil for one that is left out.
func (c *prodigy) record(src *codec.Source, m map[string]any, line, n int,
	known map[string]*prodigyDocument) (*prodigyDocument, error) {
	answer, ok := m["answer"].(string)
	if !ok {
		answer = unanswered
	}
	annotator, _ := jsonvalue.ID(m["_annotator_id"])
	if annotator == "" {
		annotator, _ = jsonvalue.ID(m["_session_id"])
	}
	switch {
	case c.annotator != "" && annotator != c.annotator:
		return nil, nil
	case !slices.Contains(c.answers, answer):
		c.tellAnswer(answer, src.Name, line)
		return nil, nil
	}
	content, ok := m[c.content].(string)
	if !ok {
		return nil, fmt.Errorf("the object has no text %q", c.content)
	}
	id, ok := jsonvalue.ID(m[c.id])
	if !ok {
		if id, ok = jsonvalue.ID(m["_input_hash"]); !ok {
			id = fmt.Sprintf("%s:%d", src.Base, n)
		}
	}
	p := known[id]
	switch {
	case p == nil:
		p = &prodigyDocument{d: &text.Document{ID: id, Text: content}, line: line, annotator: annotator,
			table: offset.NewTable(content, c.offsets)}
		known[id] = p
		if err := c.fields(p.d, m, src.Ending()); err != nil {
			return nil, err
		}
	case p.d.Text != content:
		return nil, fmt.Errorf("document %s has another text in line %d", id, p.line)
	case p.annotator != annotator:
		return nil, offset.SeveralAnnotators("document "+id+" was annotated by", []string{p.annotator, annotator})
	}
	return p, c.add(p, m, &codec.Lookout{Ended: src.Ending()})
}

// fields makes metadata of the members that are no annotations.
func (c *prodigy) fields(d *text.Document, m map[string]any, ended func() error) error {
	for _, name := range jsonvalue.Names(m) {
		switch name {
		case c.id, c.content, "tokens", "spans", "relations", "label", "accept", "options":
			continue
		}
		if m[name] == nil {
			continue
		}
		if err := jsonvalue.SetField(d, name, m[name], ended); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// add adds the annotations of a record.
func (c *prodigy) add(p *prodigyDocument, m map[string]any, look *codec.Lookout) error {
	if list, ok := m["spans"].([]any); ok {
		p.spanny = true
		for _, v := range list {
			if err := look.Step(); err != nil {
				return err
			}
			if err := c.span(p, v); err != nil {
				return fmt.Errorf("spans: %w", err)
			}
		}
	}
	if list, ok := m["relations"].([]any); ok {
		p.spanny = true
		tokens, _ := m["tokens"].([]any)
		for _, v := range list {
			if err := c.relation(p, v, tokens); err != nil {
				return fmt.Errorf("relations: %w", err)
			}
		}
	}
	names, _ := m["accept"].([]any)
	if label, ok := m["label"].(string); ok && m["accept"] == nil {
		names = []any{label}
	}
	for _, v := range names {
		name, ok := jsonvalue.ID(v)
		if !ok {
			return fmt.Errorf("accept: names are wanted")
		}
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	return nil
}

// span reads a span, by its characters.
func (c *prodigy) span(p *prodigyDocument, v any) error {
	m, _ := v.(map[string]any)
	s, err := c.place(p, m)
	if err != nil {
		return err
	}
	if s.Label, _ = m["label"].(string); s.Label == "" {
		return fmt.Errorf("a span has no label")
	}
	if !p.known[s] {
		if p.known == nil {
			p.known = map[layers.Span]bool{}
		}
		p.known[s], p.spans = true, append(p.spans, s)
	}
	return nil
}

// place is where a span or token is.
func (c *prodigy) place(p *prodigyDocument, m map[string]any) (layers.Span, error) {
	from, ok1 := jsonvalue.Number(m, "start")
	to, ok2 := jsonvalue.Number(m, "end")
	covered, _ := m["text"].(string)
	if !ok1 || !ok2 {
		return layers.Span{}, fmt.Errorf("a span has no start and end")
	}
	a, z, err := p.table.Span(p.d.Text, from, to, c.offsets, covered)
	return layers.Span{Start: a, End: z}, err
}

// relation reads a relation. Its arguments are head_span and child_span, or else the numbers, from 0, of the tokens
// with which spans end; a token that ends none is an argument itself.
func (c *prodigy) relation(p *prodigyDocument, v any, tokens []any) error {
	m, _ := v.(map[string]any)
	label, _ := m["label"].(string)
	if label == "" {
		return fmt.Errorf("a relation has no label")
	}
	var ends [2]layers.Span
	for i, name := range []string{"head", "child"} {
		at, ok := m[name+"_span"].(map[string]any)
		tok, numbered := jsonvalue.Number(m, name)
		if !ok && numbered && tok >= 0 && tok < len(tokens) {
			at, ok = tokens[tok].(map[string]any)
		}
		if !ok {
			return fmt.Errorf("a relation has neither %s_span nor the number of a token as %s", name, name)
		}
		s, err := c.place(p, at)
		if err != nil {
			return err
		}
		if m[name+"_span"] == nil {
			if k := slices.IndexFunc(p.spans, func(x layers.Span) bool { return x.End == s.End }); k >= 0 {
				s.Start = p.spans[k].Start
			}
		}
		ends[i] = s
	}
	r := layers.Relation{Label: label, SubjectStart: ends[0].Start, SubjectEnd: ends[0].End, ObjectStart: ends[1].Start,
		ObjectEnd: ends[1].End}
	if !slices.Contains(p.relations, r) {
		p.relations = append(p.relations, r)
	}
	return nil
}

// finish gives the document its layers.
func (p *prodigyDocument) finish(ended func() error) error {
	if len(p.names) > 0 {
		p.d.SetLayer(layers.Labels(p.names...))
	}
	if p.spanny {
		l, err := layers.SpansUntil(p.d, text.Entities, p.spans, ended)
		if err != nil {
			return err
		}
		p.d.SetLayer(l)
	}
	if len(p.relations) > 0 {
		layers.SortRelations(p.relations)
		p.d.SetLayer(layers.Relations(p.relations))
	}
	return nil
}

// Document writes a record. Several labels are accepted options.
func (c *prodigy) Document(w io.Writer, d *text.Document) error {
	offset.TellLayers(&c.Notes, "Prodigy", d, nil, text.Entities, text.Relations, text.Labels)
	b := bytes.NewBufferString("{")
	err := jsonvalue.WriteMember(b, c.content, d.Text)
	if err == nil && (c.id != "id" || d.Field("_input_hash").String() != d.ID) {
		err = jsonvalue.WriteMember(b, c.id, d.ID)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(b, d)
	}
	table, toks := offset.NewTable(d.Text, c.offsets), d.Layer(text.Tokens.Name)
	if err == nil && toks != nil {
		err = jsonvalue.WriteMember(b, "tokens", prodigyTokens(d, toks, table))
	}
	if err == nil && d.Layer(text.Entities.Name) != nil {
		err = c.writeSpans(b, d)
	}
	if l := d.Layer(text.Labels.Name); err == nil && l != nil && l.N > 0 {
		err = writeAccepted(b, l.Strs("label"))
	}
	if err == nil && d.Field("answer").IsNull() {
		err = jsonvalue.WriteMember(b, "answer", accepted)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

type prodigyToken struct {
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	ID    int    `json:"id"`
	Space bool   `json:"ws"` // whether white space follows
}

func prodigyTokens(d *text.Document, toks *text.Layer, table *offset.Table) []prodigyToken {
	out := make([]prodigyToken, 0, toks.N)
	for i := range toks.N {
		a, z := toks.Ints("char_start")[i], toks.Ints("char_end")[i]
		from, to := table.Offset(a), table.Offset(z)
		out = append(out, prodigyToken{d.Text[a:z], from, to, i, strings.HasPrefix(d.Text[z:], " ")})
	}
	return out
}

type prodigySpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	First *int   `json:"token_start,omitempty"`
	Last  *int   `json:"token_end,omitempty"` // inclusive
	Label string `json:"label,omitempty"`
}

type prodigyArc struct {
	Head      int         `json:"head"`  // the last token of the span
	Child     int         `json:"child"` // likewise
	HeadSpan  prodigySpan `json:"head_span"`
	ChildSpan prodigySpan `json:"child_span"`
	Label     string      `json:"label"`
}

// writeSpans writes entities, with their tokens where they begin and end with tokens, and relations between them.
func (c *prodigy) writeSpans(b *bytes.Buffer, d *text.Document) error {
	found, arcs := offset.WrittenSpans(&c.Notes, d, c.offsets)
	toks, l := d.Layer(text.Tokens.Name), d.Layer(text.Entities.Name)
	spans := make([]prodigySpan, len(found))
	for i, s := range found {
		spans[i] = prodigySpan{Start: s.Start, End: s.End, Label: s.Label}
		if toks == nil {
			continue
		}
		a, z := l.Ints("char_start")[s.Row], l.Ints("char_end")[s.Row]
		if first, last, ok := layers.TokenRange(toks, 0, toks.N, a, z); ok && last > first {
			last-- // inclusive
			spans[i].First, spans[i].Last = &first, &last
		}
	}
	if err := jsonvalue.WriteMember(b, "spans", spans); err != nil || len(arcs) == 0 {
		return err
	}
	list := []prodigyArc{}
	for _, a := range arcs {
		head, child := spans[a.From], spans[a.To]
		if head.Last == nil || child.Last == nil {
			c.Tell(offTokens, 1, d.ID, 0)
			continue
		}
		list = append(list, prodigyArc{*head.Last, *child.Last, head, child, a.Label})
	}
	return jsonvalue.WriteMember(b, "relations", list)
}

var offTokens = codec.Topic{One: "1 relation was left out: its arguments are no whole tokens",
	Many: "%d relations were left out: their arguments are no whole tokens"}

// writeAccepted writes one label as such, several as accepted options.
func writeAccepted(b *bytes.Buffer, names []string) error {
	if len(names) == 1 {
		return jsonvalue.WriteMember(b, "label", names[0])
	}
	type choice struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	options := make([]choice, len(names))
	for i, n := range names {
		options[i] = choice{n, n}
	}
	if err := jsonvalue.WriteMember(b, "options", options); err != nil {
		return err
	}
	return jsonvalue.WriteMember(b, "accept", names)
}
