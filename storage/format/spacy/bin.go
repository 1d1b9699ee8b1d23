package spacy

import (
	"encoding/binary"
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
)

// Columns of a DocBin that are read and written, by the numbers of their attributes.
const (
	attrORTH      = 65
	attrLEMMA     = 73
	attrPOS       = 74
	attrTAG       = 75
	attrDEP       = 76
	attrENTIOB    = 77
	attrENTTYPE   = 78
	attrHEAD      = 79
	attrSENTSTART = 80
	attrENTKBID   = 452
	attrMORPH     = 453
)

// binReader is a DocBin on its way.
type binReader struct {
	c       *spacy
	src     *codec.Source
	strings map[uint64]string
	column  map[int64]int // of attributes
	width   int
	tokens  []byte
	spaces  []byte
	lengths []byte
	cats    []any
	flags   []any
	groups  []any
}

func (c *spacy) readBin(src *codec.Source, packed []byte, emit func(doc *text.Document, line int) error) error {
	whole, err := unpack(src, packed)
	if err != nil {
		return err
	}
	m := newMsgReader(whole, src.Ending())
	v, err := m.value()
	if err != nil {
		if m.ended != nil && m.ended() != nil {
			return m.ended()
		}
		return src.Fault(1, 0, "no DocBin: %v", err)
	}
	top, ok := v.(map[string]any)
	if !ok {
		return src.Fault(1, 0, "no DocBin: a map with attrs, tokens, spaces, lengths and strings is wanted")
	}
	r := &binReader{c: c, src: src}
	if err := r.begin(top); err != nil {
		return src.Fault(1, 0, "no DocBin: %v", err)
	}
	first := 0
	for i := range len(r.lengths) / 4 {
		if src.Stopped() != nil {
			return src.Stopped()
		}
		n := int(int32(binary.LittleEndian.Uint32(r.lengths[4*i:])))
		if n < 0 || n > len(r.spaces)-first {
			return src.Fault(1, 0, "no DocBin: document %d has %d tokens, of %d that are left", i+1, n, len(r.spaces)-first)
		}
		d, err := r.document(i, first, n)
		if err != nil {
			return src.Fault(1, 0, "document %d: %v", i+1, err)
		}
		if err := emit(d, 1); err != nil {
			return err
		}
		first += n
	}
	if first != len(r.spaces) {
		return src.Fault(1, 0, "no DocBin: %d tokens are of no document", len(r.spaces)-first)
	}
	return nil
}

// begin checks the parts against each other.
func (r *binReader) begin(top map[string]any) error {
	attrs, ok := top["attrs"].([]any)
	if !ok || len(attrs) == 0 {
		return fmt.Errorf("it has no list attrs")
	}
	r.column, r.width = map[int64]int{}, len(attrs)
	for i, a := range attrs {
		n, ok := a.(int64)
		if !ok {
			return fmt.Errorf("attrs are numbers")
		}
		r.column[n] = i
	}
	if _, ok := r.column[attrORTH]; !ok {
		return fmt.Errorf("its tokens have no ORTH, attribute %d", attrORTH)
	}
	for _, part := range []struct {
		name string
		to   *[]byte
	}{{"tokens", &r.tokens}, {"spaces", &r.spaces}, {"lengths", &r.lengths}} {
		if *part.to, ok = top[part.name].([]byte); !ok {
			return fmt.Errorf("it has no bytes %s", part.name)
		}
	}
	if len(r.tokens) != 8*r.width*len(r.spaces) || len(r.lengths)%4 != 0 {
		return fmt.Errorf("%d bytes of tokens are not %d tokens of %d attributes", len(r.tokens), len(r.spaces), r.width)
	}
	list, ok := top["strings"].([]any)
	if !ok {
		return fmt.Errorf("it has no list strings")
	}
	r.strings = make(map[uint64]string, len(list))
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return fmt.Errorf("strings are texts")
		}
		if err := jsonvalue.CheckTexts(map[string]any{"strings": s}); err != nil {
			return err
		}
		r.strings[murmur64A(s, 1)] = s
	}
	r.cats, _ = top["cats"].([]any)
	r.flags, _ = top["flags"].([]any)
	r.groups, _ = top["span_groups"].([]any)
	return nil
}

// cell is a value of a token, 0 where the file has no such column.
func (r *binReader) cell(row int, attr int64) uint64 {
	k, ok := r.column[attr]
	if !ok {
		return 0
	}
	return binary.LittleEndian.Uint64(r.tokens[8*(row*r.width+k):])
}

// name is the text of a number; unknown reports that it is one of spaCy's own that is not known here.
func (r *binReader) name(n uint64) (s string, unknown bool, err error) {
	if n == 0 {
		return "", false, nil
	}
	if s, ok := r.strings[n]; ok {
		return s, false, nil
	}
	if s, ok := spacyNames[n]; ok {
		return s, false, nil
	}
	if n < ownNumbers {
		return "", true, nil
	}
	return "", false, fmt.Errorf("the strings have no text of the number %d", n)
}

// document reads n tokens from a row on.
func (r *binReader) document(i, first, n int) (*text.Document, error) {
	id := fmt.Sprintf("%s:%d", r.src.Base, i+1)
	t := &docTokens{words: make([]string, n), spaces: make([]bool, n), heads: make([]int, n), rels: make([]string, n),
		tags: make([]string, n), starts: make([]bool, n), cells: map[string][]string{}}
	length := 0
	for k := range n {
		s, unknown, err := r.name(r.cell(first+k, attrORTH))
		if unknown {
			err = fmt.Errorf("token %d is spaCy's own number %d, whose name is not known here", k+1,
				r.cell(first+k, attrORTH))
		}
		if err != nil {
			return nil, err
		}
		if length += len(s) + 1; length > codec.MaxLine {
			return nil, fmt.Errorf("its text is longer than %d MB", codec.MaxLine>>20)
		}
		t.words[k], t.spaces[k] = s, r.spaces[first+k] != 0
		if err := r.token(t, first+k, k, n); err != nil {
			return nil, err
		}
	}
	tell := func(what codec.Topic, n int) { r.c.Tell(what, n, r.src.Name, 1) }
	if i < len(r.flags) {
		if m, ok := r.flags[i].(map[string]any); ok && m["has_unknown_spaces"] == true {
			tell(guessedSpaces, 1)
		}
	}
	d := t.document(id, tell)
	if i < len(r.cats) {
		if cats, ok := r.cats[i].(map[string]any); ok {
			setCats(d, cats)
		}
	}
	return d, r.spanGroups(d, t, i)
}

// token reads the attributes of token k of n.
func (r *binReader) token(t *docTokens, row, k, n int) error {
	text := func(attr int64) (string, error) {
		s, unknown, err := r.name(r.cell(row, attr))
		if unknown {
			r.c.Tell(unknownNumbers, 1, r.src.Name, 1)
		}
		return s, err
	}
	for i, column := range []string{"lemma", "upos", "xpos", "feats"} {
		s, err := text([]int64{attrLEMMA, attrPOS, attrTAG, attrMORPH}[i])
		if err != nil {
			return err
		}
		if column == "feats" && s == "_" {
			s = ""
		}
		if t.cells[column] == nil {
			t.cells[column] = make([]string, n)
		}
		t.cells[column][k] = s
	}
	var err error
	if t.rels[k], err = text(attrDEP); err != nil {
		return err
	}
	if t.rels[k] == "ROOT" {
		t.rels[k] = "root"
	}
	head := int64(k) + int64(r.cell(row, attrHEAD))
	if head < 0 || head >= int64(n) {
		return fmt.Errorf("token %d has a head that is no token of the document", k+1)
	}
	t.heads[k] = int(head)
	t.starts[k] = int64(r.cell(row, attrSENTSTART)) == 1
	label, err := text(attrENTTYPE)
	if err != nil {
		return err
	}
	switch iob := r.cell(row, attrENTIOB); iob {
	case 0:
	case 2:
		t.tags[k] = "O"
	case 1:
		t.tags[k] = "I-" + label
	case 3:
		if t.tags[k] = "B-" + label; label == "" {
			t.tags[k] = "O" // an entity without a name says that there is none
		}
	default:
		return fmt.Errorf("token %d: ENT_IOB is 0 to 3, not %d", k+1, iob)
	}
	if r.cell(row, attrENTKBID) != 0 && strings.HasPrefix(t.tags[k], "B-") {
		r.c.Tell(linkedEntities, 1, r.src.Name, 1)
	}
	return nil
}

// spanGroups makes entities of the group that the option names, and reports others.
func (r *binReader) spanGroups(d *text.Document, t *docTokens, i int) error {
	if r.c.spans != "" {
		d.SetLayer(layers.Spans(d, text.Entities, nil))
	}
	if i >= len(r.groups) {
		return nil
	}
	raw, _ := r.groups[i].([]byte)
	if len(raw) == 0 {
		return nil
	}
	m := newMsgReader(raw, r.src.Ending())
	v, err := m.value()
	if err != nil {
		return fmt.Errorf("span_groups: %w", err)
	}
	groups, ok := v.(map[string]any) // bytes of a group with its keys, or in older files a list of groups
	if list, isList := v.([]any); isList {
		groups, ok = map[string]any{}, true
		for _, g := range list {
			if b, isBytes := g.([]byte); isBytes {
				groups[string(b)] = nil
			}
		}
	}
	if !ok {
		return fmt.Errorf("span_groups: a map or a list of groups is wanted")
	}
	for _, group := range jsonvalue.Names(groups) {
		if err := r.spanGroup(d, t, group, groups[group]); err != nil {
			return fmt.Errorf("span_groups: %w", err)
		}
	}
	return nil
}

func (r *binReader) spanGroup(d *text.Document, t *docTokens, group string, keys any) error {
	m := newMsgReader([]byte(group), r.src.Ending())
	v, err := m.value()
	if err != nil {
		return err
	}
	parts, _ := v.(map[string]any)
	list, _ := parts["spans"].([]any)
	name, _ := parts["name"].(string)
	taken := r.c.spans != "" && name == r.c.spans
	if all, ok := keys.([]any); ok {
		for _, k := range all {
			taken = taken || r.c.spans != "" && k == r.c.spans
		}
	}
	if !taken {
		if len(list) > 0 && r.c.spans == "" {
			r.c.Tell(spanGroups, 1, r.src.Name, 1)
		}
		return nil
	}
	starts := make([]int, len(t.words)+1) // bytes of tokens
	for k, w := range t.words {
		starts[k+1] = starts[k] + len(w)
		if t.spaces[k] {
			starts[k+1]++
		}
	}
	var spans []layers.Span
	for _, x := range list {
		b, _ := x.([]byte)
		if len(b) != 40 {
			return fmt.Errorf("a span has 40 bytes")
		}
		label, unknown, err := r.name(binary.BigEndian.Uint64(b[16:]))
		if err != nil {
			return err
		}
		if unknown {
			r.c.Tell(unknownNumbers, 1, r.src.Name, 1)
			continue
		}
		from, to := int(int32(binary.BigEndian.Uint32(b[24:]))), int(int32(binary.BigEndian.Uint32(b[28:])))
		if from < 0 || to <= from || to > len(t.words) {
			return fmt.Errorf("the span %d to %d is of no tokens of the document", from, to)
		}
		spans = append(spans, layers.Span{Start: starts[from], End: starts[to-1] + len(t.words[to-1]), Label: label})
	}
	d.SetLayer(layers.Spans(d, text.Entities, spans))
	return nil
}
