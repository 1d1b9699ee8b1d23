package spacy

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

// binAttrs are the attributes of a DocBin that is written, in the order of their numbers.
var binAttrs = []uint64{attrORTH, attrLEMMA, attrPOS, attrTAG, attrDEP, attrENTIOB, attrENTTYPE, attrHEAD,
	attrSENTSTART, attrMORPH}

// docBin is a DocBin on its way. It is in memory until the end.
type docBin struct {
	strings map[string]bool
	tokens  []byte
	spaces  []byte
	lengths []byte
	cats    [][]string
}

// Document writes an object a line, or notes a document of a DocBin.
func (c *spacy) Document(w io.Writer, d *text.Document) error {
	holds := []*text.LayerDef{text.Entities, text.Labels}
	columns := []string(nil)
	if !c.json {
		holds, columns = append(holds, text.Dependencies), []string{"lemma", "upos", "xpos", "feats"}
	}
	offset.TellLayers(&c.Notes, "spaCy", d, columns, holds...)
	if c.json {
		return c.line(w, d)
	}
	if len(d.Fields) > 0 {
		c.Tell(codec.Topic{One: "the metadata of 1 document was left out, for which a DocBin has no place",
			Many: "the metadata of %d documents was left out, for which a DocBin has no place"}, 1, d.ID, 0)
	}
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.N == 0 {
		return fmt.Errorf("document %s has no tokens, which a DocBin needs", d.ID)
	}
	if c.bin == nil {
		c.bin = &docBin{strings: map[string]bool{}}
	}
	t := c.tokensOf(d, toks)
	c.bin.add(t)
	var names []string
	if l := d.Layer(text.Labels.Name); l != nil {
		names = l.Strs("label")
	}
	c.bin.cats = append(c.bin.cats, names)
	return nil
}

// line writes an object.
func (c *spacy) line(w io.Writer, d *text.Document) error {
	b := bytes.NewBufferString("{")
	err := jsonvalue.WriteMember(b, "id", jsonvalue.IDValue(d.ID))
	if err == nil {
		err = jsonvalue.WriteMember(b, "text", d.Text)
	}
	if l := d.Layer(text.Entities.Name); err == nil && l != nil {
		spans, _ := offset.WrittenSpans(&c.Notes, d, c.offset)
		list := make([][3]any, len(spans))
		for i, s := range spans {
			list[i] = [3]any{s.Start, s.End, s.Label}
		}
		err = jsonvalue.WriteMember(b, "entities", list)
	}
	if l := d.Layer(text.Labels.Name); err == nil && l != nil && l.N > 0 {
		cats := map[string]float64{}
		for _, name := range l.Strs("label") {
			cats[name] = 1
		}
		err = jsonvalue.WriteMember(b, "cats", cats)
	}
	if err == nil {
		err = jsonvalue.WriteMetadata(b, d)
	}
	if err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// tokensOf is the tokens of a document with what stands between them: a blank belongs to the token before it, other
// white space is a token, as spaCy has it.
func (c *spacy) tokensOf(d *text.Document, toks *text.Layer) *docTokens {
	t := &docTokens{cells: map[string][]string{}}
	var tags []string
	if l := d.Layer(text.Entities.Name); l != nil {
		tags = layers.Tags{Scheme: "bio"}.Tags(d, toks, l, func(what codec.Topic) { c.Tell(what, 1, d.ID, 0) })
	}
	at, last := make([]int, toks.N), 0
	add := func(word string, row int) {
		t.words, t.spaces, t.starts = append(t.words, word), append(t.spaces, false), append(t.starts, false)
		n := len(t.words) - 1
		t.heads, t.rels, t.tags = append(t.heads, max(0, n-1)), append(t.rels, ""), append(t.tags, "")
		for _, column := range []string{"lemma", "upos", "xpos", "feats"} {
			v := ""
			if row >= 0 && toks.Strs(column) != nil {
				v = toks.Strs(column)[row]
			}
			t.cells[column] = append(t.cells[column], v)
		}
		if row < 0 {
			t.cells["upos"][n] = "SPACE"
		}
		switch {
		case tags == nil:
		case row >= 0:
			t.tags[n] = tags[row]
		default:
			t.tags[n] = "O"
		}
	}
	gap := func(s string) {
		if s != "" && s[0] == ' ' && len(t.words) > 0 {
			t.spaces[len(t.spaces)-1], s = true, s[1:]
		}
		if s != "" {
			add(s, -1)
		}
	}
	for i := range toks.N {
		start, end := int(toks.Cols[2].Ints[i]), int(toks.Cols[3].Ints[i])
		gap(d.Text[last:start])
		if add(d.Text[start:end], i); i > 0 && toks.Cols[0].Ints[i] != toks.Cols[0].Ints[i-1] || i == 0 {
			t.starts[len(t.starts)-1] = true
		}
		at[i], last = len(t.words)-1, end
		t.heads[at[i]] = at[i]
	}
	gap(d.Text[last:])
	if t.heads[0] == 0 && at[0] > 0 { // white space before the first token
		t.heads[0] = at[0]
	}
	if l := d.Layer(text.Dependencies.Name); l != nil {
		bounds := d.SentenceTokens()
		for i := range l.N {
			first := int(bounds[l.Ints("sent")[i]-1]) - 1
			k := at[first+int(l.Ints("tok")[i])]
			if h := l.Ints("head")[i]; h > 0 {
				t.heads[k] = at[first+int(h)]
			}
			if t.rels[k] = layers.TextIn(l, "deprel", i); t.rels[k] == "root" {
				t.rels[k] = "ROOT"
			}
		}
	}
	t.joinEntities()
	return t
}

// joinEntities lets white space within an entity belong to it.
func (t *docTokens) joinEntities() {
	for i := 1; i+1 < len(t.words); i++ {
		if next := t.tags[i+1]; strings.TrimSpace(t.words[i]) == "" && strings.HasPrefix(next, "I-") {
			t.tags[i] = next
		}
	}
}

// add adds a document.
func (b *docBin) add(t *docTokens) {
	for i, w := range t.words {
		iob, label := uint64(0), ""
		switch mark, name, _ := strings.Cut(t.tags[i], "-"); mark {
		case "O":
			iob = 2
		case "B":
			iob, label = 3, name
		case "I":
			iob, label = 1, name
		}
		start := int64(-1)
		if t.starts[i] {
			start = 1
		}
		for _, v := range []uint64{b.number(w), b.number(t.cells["lemma"][i]), b.number(t.cells["upos"][i]),
			b.number(t.cells["xpos"][i]), b.number(t.rels[i]), iob, b.number(label), uint64(int64(t.heads[i] - i)),
			uint64(start), b.number(t.cells["feats"][i])} {
			b.tokens = binary.LittleEndian.AppendUint64(b.tokens, v)
		}
		b.spaces = append(b.spaces, map[bool]byte{true: 1}[t.spaces[i]])
	}
	b.lengths = binary.LittleEndian.AppendUint32(b.lengths, uint32(len(t.words)))
}

// number is the number of a text, which is among the strings of the file.
func (b *docBin) number(s string) uint64 {
	if s != "" {
		b.strings[s] = true
	}
	return spacyHash(s)
}

// End writes the DocBin.
func (c *spacy) End(out io.Writer) error {
	if c.json {
		return nil
	}
	b := c.bin
	if b == nil {
		b = &docBin{}
	}
	c.bin = nil
	m := newMsgWriter()
	m.object(9)
	m.text("version")
	m.text("0.1")
	m.text("attrs")
	m.list(len(binAttrs))
	for _, a := range binAttrs {
		m.number(a)
	}
	for _, part := range []struct {
		name  string
		bytes []byte
	}{{"tokens", b.tokens}, {"spaces", b.spaces}, {"lengths", b.lengths}} {
		m.text(part.name)
		m.bytes(part.bytes)
	}
	m.text("strings")
	m.list(len(b.strings))
	for _, s := range slices.Sorted(maps.Keys(b.strings)) {
		m.text(s)
	}
	m.text("cats")
	m.list(len(b.cats))
	for _, names := range b.cats {
		m.object(len(names))
		for _, name := range names {
			m.text(name)
			m.float(1)
		}
	}
	m.text("flags")
	m.list(len(b.cats))
	for range b.cats {
		m.object(1)
		m.text("has_unknown_spaces")
		m.bool(false)
	}
	m.text("span_groups")
	m.list(len(b.cats))
	for range b.cats {
		m.bytes([]byte{0x90})
	}
	if m.err != nil {
		return m.err
	}
	z := zlib.NewWriter(out)
	if _, err := z.Write(m.b.Bytes()); err != nil {
		return err
	}
	return z.Close()
}
