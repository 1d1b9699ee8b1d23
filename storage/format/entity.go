package format

import (
	"fmt"
	"strings"

	"parlance/algo/text"
)

// entityHeader names the fields of Entity in MISC, as in
// # global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
const entityHeader = "# global.Entity = "

// entityReader reads the attribute Entity of MISC, brackets of mentions: (1-person-new opens one,
// 1) closes it, (1-person-new) is one token.
type entityReader struct {
	header            string
	fields            int // without a header 0
	group, kind, link int // places of fields, -1 without
	open              map[string][]int
	rows              []mentionRow
}

// begin takes the fields of a header.
func (e *entityReader) begin(header string) {
	fields := strings.Split(strings.TrimSpace(header), "-")
	*e = entityReader{header: header, fields: len(fields), group: -1, kind: -1, link: -1, open: e.open, rows: e.rows}
	for i, f := range fields {
		switch f {
		case "GRP", "eid":
			e.group = i
		case "etype":
			e.kind = i
		case "identity":
			e.link = i
		}
	}
	if e.group < 0 {
		e.fields = 0
	}
}

// entityValue is the value of Entity in MISC, "" without it.
func entityValue(misc string) string {
	if !strings.Contains(misc, "Entity=") {
		return ""
	}
	return attribute(misc, "Entity")
}

// read reads a value: mentions open at token first and close at token last.
func (e *entityReader) read(value string, sent, first, last int32) error {
	for value != "" {
		if value[0] != '(' {
			k := strings.IndexByte(value, ')')
			if k < 1 || strings.Contains(value[:k], "(") {
				return fmt.Errorf("%q is no bracket of a mention such as (1-person or 1)", value)
			}
			if err := e.close(value[:k], last); err != nil {
				return err
			}
			value = value[k+1:]
			continue
		}
		k := strings.IndexAny(value[1:], "()") + 1
		if k == 0 {
			k = len(value)
		}
		id, err := e.push(value[1:k], sent, first)
		if err != nil {
			return err
		}
		if value = value[k:]; strings.HasPrefix(value, ")") {
			value = value[1:]
			if err := e.close(id, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// push opens a mention of which the fields are given.
func (e *entityReader) push(s string, sent, first int32) (id string, err error) {
	fields := strings.SplitN(s, "-", e.fields)
	at := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return fields[i]
	}
	if id = at(e.group); id == "" {
		return "", fmt.Errorf("mention (%s names no group; its fields are %s", s, e.header)
	}
	cluster, _, _ := strings.Cut(id, "[") // part of a mention, such as e5[1/2]
	if e.open == nil {
		e.open = map[string][]int{}
	}
	e.open[id] = append(e.open[id], len(e.rows))
	e.rows = append(e.rows, mentionRow{sent: sent, first: first, cluster: cluster, kind: at(e.kind), link: at(e.link)})
	return id, nil
}

// close ends the innermost mention of the group.
func (e *entityReader) close(id string, last int32) error {
	k := len(e.open[id]) - 1
	if k < 0 {
		return fmt.Errorf("a mention of %s is closed that is not open in the sentence", id)
	}
	e.rows[e.open[id][k]].last = last
	if e.open[id] = e.open[id][:k]; k == 0 {
		delete(e.open, id)
	}
	return nil
}

// end ends a sentence; mentions do not go on.
func (e *entityReader) end() error {
	first := ""
	for id := range e.open {
		if first == "" || id < first {
			first = id
		}
	}
	if first != "" {
		return fmt.Errorf("the sentence ends within a mention of %s", first)
	}
	return nil
}

// set gives the document mentions and, where they have types, entities. Mentions of empty nodes
// alone cover no token and stay in the line kept.
func (e *entityReader) set(d *text.Document, toks *text.Layer) {
	var rows mentionRows
	typed := false
	for _, r := range e.rows {
		if r.first <= r.last {
			rows.rows = append(rows.rows, r)
			typed = typed || r.kind != ""
		}
	}
	rows.set(d, toks)
	if !typed {
		return
	}
	spans := make([]text.Span, len(rows.rows))
	for i, r := range rows.rows {
		spans[i] = text.Span{Sent: r.sent, First: r.first, Last: r.last, Label: r.kind}
	}
	d.SetLayer(d.SpanLayer(text.Entities, spans))
}
