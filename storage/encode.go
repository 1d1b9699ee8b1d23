package storage

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Bounds of a segment; a document that is larger is a segment of its own.
const (
	segmentTokens = 8192
	segmentText   = 64 << 10
	segmentDocs   = 4096
)

// encoded is a segment ready to be written.
type encoded struct {
	state  *segmentState
	ids    []string
	places []string
	blocks map[uint16][]byte
	sum    [16]byte
	bytes  int
	err    error
}

// encodeSegment encodes documents. part numbers the layers by name.
func encodeSegment(docs []*text.Document, places []string, part map[string]uint16) (*encoded, error) {
	e := &encoded{state: &segmentState{Docs: len(docs), Parts: map[uint16]partMeta{}}, places: places, blocks: map[uint16][]byte{}}
	for _, d := range docs {
		for _, l := range d.Layers {
			if err := checkLayer(d, l); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
	}
	if err := e.documents(docs); err != nil {
		return nil, err
	}
	if err := e.fields(docs); err != nil {
		return nil, err
	}
	for _, name := range layerNames(docs) {
		p, ok := part[name]
		if !ok {
			return nil, fmt.Errorf("layer %s has no number", name)
		}
		if err := e.layer(docs, name, p); err != nil {
			return nil, fmt.Errorf("layer %s: %w", name, err)
		}
	}
	for _, b := range e.blocks {
		e.bytes += len(b)
	}
	return e, nil
}

func layerNames(docs []*text.Document) []string {
	seen := map[string]bool{}
	var out []string
	for _, d := range docs {
		for _, l := range d.Layers {
			if !seen[l.Name] {
				seen[l.Name] = true
				out = append(out, l.Name)
			}
		}
	}
	sort.Strings(out)
	return out
}

// documents writes ids, sequence numbers, lengths of texts, tokens and content hashes, and
// the texts.
func (e *encoded) documents(docs []*text.Document) error {
	n := len(docs)
	lens, tokens := make([]int32, n), make([]int32, n)
	ascii := make([]int32, n)
	seqs := make([]uint64, n)
	var texts, hashes []byte
	var buf []byte
	for i, d := range docs {
		if len(d.Text) > math.MaxInt32/2 {
			return fmt.Errorf("document %s has %d bytes of text, at most %d are possible", d.ID, len(d.Text), math.MaxInt32/2)
		}
		e.ids = append(e.ids, d.ID)
		seqs[i], lens[i] = d.Seq, int32(len(d.Text))
		if utf8.RuneCountInString(d.Text) == len(d.Text) {
			ascii[i] = 1
		}
		if l := d.Layer("tokens"); l != nil {
			tokens[i] = int32(l.N)
			e.state.Tokens += l.N
		}
		texts = append(texts, d.Text...)
		var h [16]byte
		h, buf = hashDocument(d, buf)
		hashes = append(hashes, h[:]...)
		addHash(&e.sum, h)
	}
	e.state.First, e.state.Last = seqs[0], seqs[n-1]
	w := newBlockWriter(n)
	w.words(e.ids)
	w.longs(seqs)
	w.ints(lens)
	w.ints(tokens)
	w.ints(ascii)
	w.bytes(hashes)
	e.blocks[partDocuments] = w.finish()
	w = newBlockWriter(n)
	w.bytes(texts)
	e.blocks[partTexts] = w.finish()
	return nil
}

// addHash adds content hashes as 128-bit numbers, so that their order does not matter.
func addHash(sum *[16]byte, h [16]byte) {
	lo := binary.LittleEndian.Uint64(sum[:8]) + binary.LittleEndian.Uint64(h[:8])
	hi := binary.LittleEndian.Uint64(sum[8:]) + binary.LittleEndian.Uint64(h[8:])
	binary.LittleEndian.PutUint64(sum[:8], lo)
	binary.LittleEndian.PutUint64(sum[8:], hi)
}

func subHash(sum *[16]byte, h [16]byte) {
	lo := binary.LittleEndian.Uint64(sum[:8]) - binary.LittleEndian.Uint64(h[:8])
	hi := binary.LittleEndian.Uint64(sum[8:]) - binary.LittleEndian.Uint64(h[8:])
	binary.LittleEndian.PutUint64(sum[:8], lo)
	binary.LittleEndian.PutUint64(sum[8:], hi)
}

// hashDocument hashes id, text, metadata and gold layers of a document.
func hashDocument(d *text.Document, buf []byte) ([16]byte, []byte) {
	b := buf[:0]
	str := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	str(d.ID)
	str(d.Text)
	fields := append([]text.Field{}, d.Fields...)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	for _, f := range fields {
		if f.Value.IsNull() {
			continue
		}
		str(f.Name)
		b = value.AppendRow(b, []value.Value{f.Value})
	}
	layers := append([]*text.Layer{}, d.Layers...)
	sort.Slice(layers, func(i, j int) bool { return layers[i].Name < layers[j].Name })
	for _, l := range layers {
		if l.Name != l.Def.Name || l.N == 0 {
			continue
		}
		str(l.Name)
		b = binary.AppendUvarint(b, uint64(l.N))
		for c, col := range l.Def.Columns {
			switch {
			case !col.Stored():
			case col.Role == text.Form:
				b = appendForms(b, d, l, c)
			case !blank(&l.Cols[c]): // a missing column is the same as one of missing values
				b = append(b, byte(c))
				b = appendColumn(b, &l.Cols[c])
			}
		}
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16]), b
}

// blank reports whether a column has no value but 0 and "".
func blank(c *text.Col) bool {
	for _, x := range c.Ints {
		if x != 0 {
			return false
		}
	}
	for _, x := range c.Strs {
		if x != "" {
			return false
		}
	}
	for _, x := range c.Floats {
		if x != 0 {
			return false
		}
	}
	return true
}

// appendForms appends the forms that are not what the text says.
func appendForms(b []byte, d *text.Document, l *text.Layer, c int) []byte {
	forms, start, end := l.Cols[c].Strs, l.Cols[2].Ints, l.Cols[3].Ints
	for i, f := range forms {
		if len(start) == l.N && len(end) == l.N && start[i] <= end[i] && d.Text[start[i]:end[i]] == f {
			continue
		}
		b = binary.AppendUvarint(append(b, 0xff), uint64(i))
		b = append(binary.AppendUvarint(b, uint64(len(f))), f...)
	}
	return b
}

func appendColumn(b []byte, c *text.Col) []byte {
	for _, x := range c.Ints {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	for _, s := range c.Strs {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	for _, x := range c.Floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// fields writes the metadata columns that any document has, as rows of one value.
func (e *encoded) fields(docs []*text.Document) error {
	seen := map[string]bool{}
	for _, d := range docs {
		for _, f := range d.Fields {
			if !f.Value.IsNull() {
				seen[f.Name] = true
			}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	for name := range seen {
		e.state.Fields = append(e.state.Fields, name)
	}
	sort.Strings(e.state.Fields)
	w := newBlockWriter(len(docs))
	for _, name := range e.state.Fields {
		col := make([]string, len(docs))
		for i, d := range docs {
			if v := d.Field(name); !v.IsNull() {
				col[i] = string(value.AppendRow(nil, []value.Value{v}))
			}
		}
		w.words(col)
	}
	e.blocks[partFields] = w.finish()
	return nil
}

// layer writes the rows of a layer: rows a document, prob, then the columns of the definition.
func (e *encoded) layer(docs []*text.Document, name string, part uint16) error {
	rows := make([]int32, len(docs))
	var def *text.LayerDef
	total := 0
	for i, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		if def == nil {
			def = l.Def
		} else if !sameColumns(def, l.Def) {
			return fmt.Errorf("document %s has another definition of it", d.ID)
		}
		rows[i] = int32(l.N)
		total += l.N
	}
	if len(def.Columns) > 64 {
		return fmt.Errorf("a layer has at most 64 columns")
	}
	w := newBlockWriter(total)
	// The number of rows a document has a length of its own.
	w.ints(rows)
	meta := partMeta{Rows: total}
	for c := range def.Columns {
		if e.column(w, docs, def, name, c, total) {
			meta.Present |= 1 << c
		}
	}
	e.blocks[part], e.state.Parts[part] = w.finish(), meta
	return nil
}

// sameColumns reports whether two definitions have the same columns.
func sameColumns(a, b *text.LayerDef) bool {
	if a == b {
		return true
	}
	if a.Spans != b.Spans || len(a.Columns) != len(b.Columns) {
		return false
	}
	for i, c := range a.Columns {
		if o := b.Columns[i]; c.Name != o.Name || c.Type != o.Type || c.Role != o.Role {
			return false
		}
	}
	return true
}

// checkLayer refuses rows that would not come back as they are.
func checkLayer(d *text.Document, l *text.Layer) error {
	for c, col := range l.Cols {
		if n := max(len(col.Ints), len(col.Strs), len(col.Floats)); n != 0 && n != l.N {
			return fmt.Errorf("layer %s: column %s has %d values for %d rows", l.Name, l.Def.Columns[c].Name, n, l.N)
		}
		if l.Def == text.Dependencies && l.Def.Columns[c].Name == "head" {
			for _, x := range col.Ints {
				if x < 0 {
					return fmt.Errorf("layer %s: head %d is negative", l.Name, x)
				}
			}
		}
		if l.Def.Columns[c].Role == text.Offset {
			for _, x := range col.Ints {
				if x < 0 || int(x) > len(d.Text) {
					return fmt.Errorf("layer %s: offset %d lies outside the text", l.Name, x)
				}
			}
		}
	}
	return nil
}

// column writes one column and reports whether it has values.
func (e *encoded) column(w *blockWriter, docs []*text.Document, def *text.LayerDef, name string, c, total int) bool {
	col := def.Columns[c]
	switch {
	case !col.Stored() && !(def.Spans && col.Name == "text"):
		w.none()
		return true
	case col.Type == value.Integer:
		return e.integers(w, docs, def, name, c, total)
	case col.Type == value.Float:
		var v []float64
		any := false
		for _, d := range docs {
			if l := d.Layer(name); l != nil && l.N > 0 {
				f := l.Cols[c].Floats
				any = any || f != nil
				v = append(v, f...)
				v = append(v, make([]float64, l.N-len(f))...)
			}
		}
		if !any {
			v = nil
		}
		w.floats(v)
		return any
	}
	return e.texts(w, docs, def, name, c, total)
}

func (e *encoded) integers(w *blockWriter, docs []*text.Document, def *text.LayerDef, name string, c, total int) bool {
	v := make([]int32, 0, total)
	any := false
	follows := true
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		ints := l.Cols[c].Ints
		any = any || ints != nil
		if ints == nil {
			ints = make([]int32, l.N)
		}
		v = append(v, ints...)
		follows = follows && numbered(d, l, c)
	}
	if !any {
		w.none()
		return false
	}
	switch {
	case follows:
		w.same()
	case def == text.Tokens && def.Columns[c].Role == text.Offset:
		w.deltas(gaps(docs, name, c))
	case def == text.Dependencies && def.Columns[c].Name == "head":
		w.ints(relative(docs, name, v))
	case def.Columns[c].Name == "sent" || def.Columns[c].Role == text.Offset:
		w.deltas(v)
	default:
		w.ints(v)
	}
	return true
}

// numbered reports whether a column of tokens or dependencies follows from others: tok counts
// within the sentence, and dependencies have a row a token.
func numbered(d *text.Document, l *text.Layer, c int) bool {
	name := l.Def.Columns[c].Name
	if l.Def == text.Dependencies && (name == "sent" || name == "tok") {
		toks := d.Layer("tokens")
		if toks == nil || toks.N != l.N || len(toks.Cols[c].Ints) != l.N || len(l.Cols[c].Ints) != l.N {
			return false
		}
		for i, x := range l.Cols[c].Ints {
			if x != toks.Cols[c].Ints[i] {
				return false
			}
		}
		return len(l.Cols[c].Ints) == l.N
	}
	if l.Def != text.Tokens || name != "tok" {
		return false
	}
	sent, tok := l.Cols[0].Ints, l.Cols[1].Ints
	if len(sent) != l.N || len(tok) != l.N {
		return false
	}
	next := int32(1)
	for i := range tok {
		if i > 0 && sent[i] != sent[i-1] {
			next = 1
		}
		if tok[i] != next {
			return false
		}
		next++
	}
	return true
}

// gaps returns, for char_start of tokens, the gap to the end before it, and for char_end the
// length, summed up so that differences give them back.
func gaps(docs []*text.Document, name string, c int) []int32 {
	var out []int32
	sum := int32(0)
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		start, end := l.Cols[2].Ints, l.Cols[3].Ints
		last := int32(0)
		for i := range l.N {
			var s, e int32
			if start != nil {
				s = start[i]
			}
			if end != nil {
				e = end[i]
			}
			if c == 2 {
				sum += s - last
			} else {
				sum += e - s
			}
			out = append(out, sum)
			last = e
		}
	}
	return out
}

// relative writes heads as head − tok in zigzag, after 0 for the root.
func relative(docs []*text.Document, name string, heads []int32) []int32 {
	out := make([]int32, 0, len(heads))
	k := 0
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		for i := range l.N {
			h := heads[k]
			k++
			if h == 0 {
				out = append(out, 0)
				continue
			}
			tok := int32(0)
			if t := l.Cols[1].Ints; t != nil {
				tok = t[i]
			}
			out = append(out, 1+int32(zigzag(h-tok)))
		}
	}
	return out
}

func (e *encoded) texts(w *blockWriter, docs []*text.Document, def *text.LayerDef, name string, c, total int) bool {
	v := make([]string, 0, total)
	any := false
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		strs := l.Cols[c].Strs
		any = any || strs != nil
		v = append(v, strs...)
		v = append(v, make([]string, l.N-len(strs))...)
	}
	switch {
	case !any:
		w.none()
	case def.Columns[c].Role == text.Form:
		if exceptions(docs, name, v) {
			w.words(v)
		} else {
			w.same()
		}
	case def == text.Tokens && def.Columns[c].Name == "lemma":
		w.words(edits(docs, name, v))
	default:
		w.words(v)
	}
	return any
}

// exceptions makes forms that are what the offsets cut out of the text empty, marks the
// others, and reports whether there are any.
func exceptions(docs []*text.Document, name string, forms []string) bool {
	any := false
	k := 0
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		start, end := l.Cols[2].Ints, l.Cols[3].Ints
		for i := range l.N {
			if len(start) == l.N && len(end) == l.N && start[i] <= end[i] && d.Text[start[i]:end[i]] == forms[k] {
				forms[k] = ""
			} else {
				forms[k] = "=" + forms[k]
				any = true
			}
			k++
		}
	}
	return any
}

// edits writes lemmas as what makes them of the form: bytes cut off, then the new ending.
func edits(docs []*text.Document, name string, lemmas []string) []string {
	out := make([]string, 0, len(lemmas))
	k := 0
	for _, d := range docs {
		l := d.Layer(name)
		if l == nil {
			continue
		}
		forms := l.Cols[4].Strs
		for i := range l.N {
			form := ""
			if forms != nil {
				form = forms[i]
			}
			out = append(out, edit(form, lemmas[k]))
			k++
		}
	}
	return out
}

// edit is "" for a missing lemma; else the number of bytes cut, as a rune, and the ending.
func edit(form, lemma string) string {
	if lemma == "" {
		return ""
	}
	n := 0
	for n < len(form) && n < len(lemma) && form[n] == lemma[n] {
		n++
	}
	cut := len(form) - n
	if cut > 0xd000 {
		n, cut = 0, 0xd000 // marks a lemma that is written whole
	}
	return string(rune(cut+1)) + lemma[n:]
}

func unedit(form, e string) (string, bool) {
	if e == "" {
		return "", true
	}
	r, w := utf8.DecodeRuneInString(e)
	cut := int(r) - 1
	if cut == 0xd000 {
		return e[w:], true
	}
	if cut < 0 || cut > len(form) {
		return "", false
	}
	return form[:len(form)-cut] + e[w:], true
}
