package conll

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
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
	open              map[string][]openPart
	rows              []entityMention
	pending           map[string]int // mentions of which parts are to come, by group: their rows
}

// entityMention is a mention with its parts, in order.
type entityMention struct {
	layers.Mention
	parts [][2]int32 // first and last token; of empty nodes alone, first is behind last
	of    int        // how many parts there are to be
}

// openPart is a part of a mention that is not closed.
type openPart struct{ row, part int }

// begin takes the fields of a header.
func (e *entityReader) begin(header string) {
	fields := strings.Split(text.Trim(header), "-")
	*e = entityReader{header: header, fields: len(fields), group: -1, kind: -1, link: -1, open: e.open, rows: e.rows,
		pending: e.pending}
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
	if e.open == nil {
		e.open, e.pending = map[string][]openPart{}, map[string]int{}
	}
	cluster, k, n := partOf(id)
	row, more := e.pending[cluster]
	if more = more && k > 1 && e.rows[row].of == n && len(e.rows[row].parts) == k-1; !more {
		row = len(e.rows)
		e.rows = append(e.rows, entityMention{Mention: layers.Mention{Sent: sent, Cluster: cluster, Kind: at(e.kind),
			Link: at(e.link)}, of: n})
	}
	m := &e.rows[row]
	m.parts = append(m.parts, [2]int32{first, first - 1})
	if delete(e.pending, cluster); k < n {
		e.pending[cluster] = row
	}
	e.open[id] = append(e.open[id], openPart{row, len(m.parts) - 1})
	return id, nil
}

// partOf divides the group of a part of a mention, such as e5[1/2], into the group, the number of the part and that of
// all parts: 1 of 1 for a mention of one part.
func partOf(id string) (cluster string, k, n int) {
	cluster, rest, ok := strings.Cut(id, "[")
	if !ok {
		return id, 1, 1
	}
	if _, err := fmt.Sscanf(rest, "%d/%d]", &k, &n); err != nil || k < 1 || k > n {
		return cluster, 1, 1
	}
	return cluster, k, n
}

// close ends the innermost mention of the group.
func (e *entityReader) close(id string, last int32) error {
	k := len(e.open[id]) - 1
	if k < 0 {
		return fmt.Errorf("a mention of %s is closed that is not open in the sentence", id)
	}
	at := e.open[id][k]
	e.rows[at.row].parts[at.part][1] = last
	if e.open[id] = e.open[id][:k]; k == 0 {
		delete(e.open, id)
	}
	return nil
}

// end ends a sentence; mentions do not go on.
func (e *entityReader) end() error {
	clear(e.pending)
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

// spans are the first and last tokens of the rows that a mention makes, none where it is of empty nodes alone. hull
// tells that its parts do not touch and are one row.
func (m *entityMention) spans(fragments string) (out [][2]int32, hull bool) {
	for _, p := range m.parts {
		switch n := len(out); {
		case p[0] > p[1]:
		case n > 0 && p[0] <= out[n-1][1]+1:
			out[n-1][1] = max(out[n-1][1], p[1])
		default:
			out = append(out, p)
		}
	}
	if len(out) > 1 && fragments == layers.Hull {
		return [][2]int32{{out[0][0], out[len(out)-1][1]}}, true
	}
	return out, false
}

// set gives the document mentions and, where they have types, entities. What no row holds is noted in words and told.
func (e *entityReader) set(d *text.Document, toks *text.Layer, c *conllu, b *codec.Block, words *layers.Words) error {
	var rows layers.Mentions
	typed := false
	var at func(int32) int // bytes as code points
	for i := range e.rows {
		m := &e.rows[i]
		list, hull := m.spans(c.fragments)
		switch {
		case len(list) == 0:
			words.Add(int(m.Sent), text.EmptyRow, text.Mentions.Name+" "+m.Cluster)
			c.Tell(layers.EmptyMentions, 1, b.File, b.Line)
		case len(list) > 1 && c.fragments == layers.NoParts:
			return b.Fault(0, 0, "%v", layers.SeveralParts("a mention of "+m.Cluster))
		case hull:
			if c.Tell(layers.Hulls, 1, b.File, b.Line); at == nil {
				at = offset.Pointer(d.Text)
			}
			words.KeepParts(int(m.Sent), text.Mentions.Name, m.bytes(d, toks), at)
		}
		for _, p := range list {
			r := m.Mention
			r.First, r.Last = p[0], p[1]
			rows.Rows = append(rows.Rows, r)
			typed = typed || r.Kind != ""
		}
	}
	rows.Set(d, toks)
	if !typed {
		return nil
	}
	spans := make([]text.Span, len(rows.Rows))
	for i, r := range rows.Rows {
		spans[i] = text.Span{Sent: r.Sent, First: r.First, Last: r.Last, Label: r.Kind}
	}
	d.SetLayer(d.SpanLayer(text.Entities, spans))
	return nil
}

// bytes are the parts of a mention that cover text, as bytes.
func (m *entityMention) bytes(d *text.Document, toks *text.Layer) [][2]int {
	list, _ := m.spans(layers.Parts)
	out := make([][2]int, len(list))
	first := int(d.SentenceTokens()[m.Sent-1]) - 1 // row of token 0
	for i, p := range list {
		out[i] = [2]int{int(toks.Cols[2].Ints[first+int(p[0])]), int(toks.Cols[3].Ints[first+int(p[1])])}
	}
	return out
}
