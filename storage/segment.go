package storage

import (
	"context"
	"fmt"
	"sync"

	"parlance/algo/text"
	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// SegmentID names a segment of a corpus.
type SegmentID struct{ gen, number uint32 }

// LayerWant names a layer and the columns of it that are read; nil columns are all.
type LayerWant struct {
	Name    string
	Columns []string
}

// Want tells which parts of documents are read. Ids and sequence numbers always come.
type Want struct {
	Text, IDs            bool
	Fields               []string
	Layers               []LayerWant
	AllFields, AllLayers bool
}

// Segment is some consecutive documents, decoded as far as they are wanted. It is shared and
// must not be changed.
type Segment struct {
	state  *segmentState
	corpus *corpusState
	object *Object
	want   Want
	part   *partSet
	docs   []*text.Document
}

// partSet is the decoded parts of a segment; what has been decoded stays for the next reader.
type partSet struct {
	store  *Store
	corpus uint32
	state  *segmentState
	mu     sync.Mutex
	blocks map[uint16]*block
	size   int

	ids    *value.Dict
	codes  []uint32
	seqs   []uint64
	tokens []int32
	ascii  []int32
	hashes []byte
	texts  []string
	fields map[string][]value.Value
	layers map[uint16]*layerPart
}

// layerPart is the decoded columns of a layer in a segment.
type layerPart struct {
	def    *text.LayerDef
	starts []int32 // row of document i is starts[i] to starts[i+1]
	cols   []*columnPart
	vecs   []*value.Vec
}

type columnPart struct {
	col   text.Col // over all rows of the segment
	codes []uint32
	dict  *value.Dict
}

// reading is the state under which a segment is read.
type reading struct {
	corpus  *corpusState
	segment *segmentState
}

// block returns a part's block, read from the file once.
func (p *partSet) block(part uint16) (*block, error) {
	if b, ok := p.blocks[part]; ok {
		return b, nil
	}
	var raw []byte
	err := p.store.view(func(tx *bbolt.Tx) error {
		if v := tx.Bucket(bucketSegment).Get(blockKey(p.corpus, p.state.gen, part, p.state.number)); v != nil {
			raw = append(make([]byte, 0, len(v)), v...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fmt.Errorf("%w: part %d of segment %d/%d is missing", ErrCorrupt, part, p.state.gen, p.state.number)
	}
	b, err := openBlock(raw)
	if err != nil {
		return nil, err
	}
	p.blocks[part] = b
	p.size += 2 * len(raw)
	return b, nil
}

// documents decodes ids, sequence numbers and sizes.
func (p *partSet) documents() error {
	if p.seqs != nil {
		return nil
	}
	b, err := p.block(partDocuments)
	if err != nil {
		return err
	}
	if b.rows != p.state.Docs {
		return damaged("%d documents, %d are expected", b.rows, p.state.Docs)
	}
	if p.codes, p.ids, err = b.words(0); err != nil {
		return err
	}
	if p.tokens, err = b.ints(3, -1); err != nil {
		return err
	}
	if p.ascii, err = b.ints(4, -1); err != nil {
		return err
	}
	if p.hashes, err = b.bytes(5); err != nil {
		return err
	}
	if len(p.hashes) != 16*b.rows || p.ids == nil {
		return damaged("documents are incomplete")
	}
	p.seqs, err = b.longs(1)
	return err
}

func (p *partSet) id(i int) string { return p.ids.Words[p.codes[i]] }

func (p *partSet) hash(i int) [16]byte { return [16]byte(p.hashes[16*i : 16*i+16]) }

// text decodes the texts.
func (p *partSet) text() error {
	if p.texts != nil {
		return nil
	}
	b, err := p.block(partDocuments)
	if err != nil {
		return err
	}
	lens, err := b.ints(2, -1)
	if err != nil {
		return err
	}
	tb, err := p.block(partTexts)
	if err != nil {
		return err
	}
	raw, err := tb.bytes(0)
	if err != nil {
		return err
	}
	all := string(raw)
	texts := make([]string, len(lens))
	at := 0
	for i, n := range lens {
		if n < 0 || at+int(n) > len(all) {
			return damaged("texts are short")
		}
		texts[i] = all[at : at+int(n)]
		at += int(n)
	}
	p.texts = texts
	p.size += len(all)
	return nil
}

// field decodes a metadata column; nil if no document has it.
func (p *partSet) field(name string) ([]value.Value, error) {
	if v, ok := p.fields[name]; ok {
		return v, nil
	}
	at := -1
	for i, f := range p.state.Fields {
		if f == name {
			at = i
		}
	}
	if at < 0 {
		return nil, nil
	}
	b, err := p.block(partFields)
	if err != nil {
		return nil, err
	}
	codes, dict, err := b.words(at)
	if err != nil {
		return nil, err
	}
	words := make([]value.Value, len(dict.Words))
	for i, w := range dict.Words {
		if w == "" {
			continue
		}
		row, _, err := value.DecodeRow([]byte(w))
		if err != nil || len(row) != 1 {
			return nil, damaged("metadata column %s", name)
		}
		words[i] = row[0]
	}
	out := make([]value.Value, len(codes))
	for i, c := range codes {
		out[i] = words[c]
	}
	p.fields[name] = out
	p.size += 32 * len(out)
	return out, nil
}

// layer returns a layer, its columns not yet decoded; nil if no document has it.
func (p *partSet) layer(v reading, l *layerState) (*layerPart, error) {
	if lp, ok := p.layers[l.Part]; ok {
		return lp, nil
	}
	if _, ok := v.segment.Parts[l.Part]; !ok {
		return nil, nil
	}
	b, err := p.block(l.Part)
	if err != nil {
		return nil, err
	}
	rows, err := b.ints(0, p.state.Docs)
	if err != nil {
		return nil, err
	}
	if len(b.columns) != len(l.def.Columns)+1 {
		return nil, damaged("layer %s has %d columns", l.Name, len(b.columns)-1)
	}
	lp := &layerPart{def: l.def, starts: make([]int32, len(rows)+1), cols: make([]*columnPart, len(l.def.Columns)), vecs: make([]*value.Vec, len(l.def.Columns))}
	for i, n := range rows {
		lp.starts[i+1] = lp.starts[i] + n
	}
	if int(lp.starts[len(rows)]) != b.rows {
		return nil, damaged("rows of layer %s", l.Name)
	}
	p.layers[l.Part] = lp
	return lp, nil
}

// column decodes a column of a layer.
func (p *partSet) column(v reading, l *layerState, lp *layerPart, c int) (*columnPart, error) {
	if lp.cols[c] != nil {
		return lp.cols[c], nil
	}
	b, err := p.block(l.Part)
	if err != nil {
		return nil, err
	}
	cp := &columnPart{}
	switch lp.def.Columns[c].Type {
	case value.Integer:
		err = p.integers(v, l, lp, b, c, cp)
	case value.Float:
		cp.col.Floats, err = b.floats(c + 1)
	default:
		err = p.strings(v, l, lp, b, c, cp)
	}
	if err != nil {
		return nil, fmt.Errorf("layer %s, column %s: %w", l.Name, lp.def.Columns[c].Name, err)
	}
	lp.cols[c] = cp
	p.size += 4*len(cp.col.Ints) + 16*len(cp.col.Strs) + 4*len(cp.codes)
	return cp, nil
}

func (p *partSet) integers(v reading, l *layerState, lp *layerPart, b *block, c int, cp *columnPart) (err error) {
	name := lp.def.Columns[c].Name
	switch {
	case b.same(c+1) && lp.def == text.Dependencies:
		toks := v.corpus.layer("tokens")
		if toks == nil {
			return damaged("there are no tokens to follow")
		}
		tp, err := p.layer(v, toks)
		if err != nil || tp == nil {
			return fmt.Errorf("tokens: %w", orCorrupt(err))
		}
		tc, err := p.column(v, toks, tp, c)
		if err != nil {
			return err
		}
		cp.col.Ints = tc.col.Ints
		return nil
	case b.same(c + 1):
		sent, err := p.column(v, l, lp, 0)
		if err != nil {
			return err
		}
		cp.col.Ints = numbers(sent.col.Ints, lp.starts)
		return nil
	}
	if cp.col.Ints, err = b.ints(c+1, -1); err != nil || cp.col.Ints == nil {
		return err
	}
	switch {
	case lp.def == text.Tokens && lp.def.Columns[c].Role == text.Offset:
		return p.offsets(b, lp, c, cp)
	case lp.def == text.Dependencies && name == "head":
		tok, err := p.column(v, l, lp, 1)
		if err != nil {
			return err
		}
		for i, h := range cp.col.Ints {
			if h != 0 && tok.col.Ints != nil {
				cp.col.Ints[i] = unzigzag(uint32(h-1)) + tok.col.Ints[i]
			} else if h != 0 {
				cp.col.Ints[i] = unzigzag(uint32(h - 1))
			}
		}
	}
	return nil
}

func orCorrupt(err error) error {
	if err == nil {
		return ErrCorrupt
	}
	return err
}

// numbers counts tokens within sentences.
func numbers(sent, starts []int32) []int32 {
	out := make([]int32, len(sent))
	for d := 1; d < len(starts); d++ {
		n := int32(0)
		for i := starts[d-1]; i < starts[d]; i++ {
			if i > starts[d-1] && sent[i] != sent[i-1] {
				n = 0
			}
			n++
			out[i] = n
		}
	}
	return out
}

// offsets gives offsets of tokens back from gaps and lengths; both are decoded at once.
func (p *partSet) offsets(b *block, lp *layerPart, c int, cp *columnPart) error {
	gaps, err := b.ints(3, -1)
	if err != nil {
		return err
	}
	lens, err := b.ints(4, -1)
	if err != nil {
		return err
	}
	n := int(lp.starts[len(lp.starts)-1])
	start, end := make([]int32, n), make([]int32, n)
	var g, l int32
	for d := 1; d < len(lp.starts); d++ {
		last := int32(0)
		for i := lp.starts[d-1]; i < lp.starts[d]; i++ {
			var gap, length int32
			if gaps != nil {
				gap, g = gaps[i]-g, gaps[i]
			}
			if lens != nil {
				length, l = lens[i]-l, lens[i]
			}
			start[i] = last + gap
			end[i] = start[i] + length
			last = end[i]
		}
	}
	other := &columnPart{}
	if c == 2 {
		cp.col.Ints, other.col.Ints = start, end
		lp.cols[3] = other
	} else {
		cp.col.Ints, other.col.Ints = end, start
		lp.cols[2] = other
	}
	return nil
}

func (p *partSet) strings(v reading, l *layerState, lp *layerPart, b *block, c int, cp *columnPart) (err error) {
	col := lp.def.Columns[c]
	if b.same(c + 1) {
		cp.col.Strs, err = p.slices(v, l, lp)
		return err
	}
	if cp.codes, cp.dict, err = b.words(c + 1); err != nil || cp.dict == nil {
		return err
	}
	if col.Role == text.Form {
		return p.marked(v, l, lp, cp)
	}
	if lp.def == text.Tokens && col.Name == "lemma" {
		return p.lemmas(v, l, lp, cp)
	}
	cp.col.Strs = make([]string, len(cp.codes))
	for i, w := range cp.codes {
		cp.col.Strs[i] = cp.dict.Words[w]
	}
	return nil
}

// marked gives the forms that are not what the text says, and cuts out the others.
func (p *partSet) marked(v reading, l *layerState, lp *layerPart, cp *columnPart) error {
	forms, err := p.slices(v, l, lp)
	if err != nil {
		return err
	}
	if len(forms) != len(cp.codes) {
		forms = make([]string, len(cp.codes))
	}
	for i, c := range cp.codes {
		if w := cp.dict.Words[c]; w != "" {
			forms[i] = w[1:]
		}
	}
	cp.col.Strs, cp.codes, cp.dict = forms, nil, nil
	return nil
}

// slices cuts the forms of tokens out of the texts.
func (p *partSet) slices(v reading, l *layerState, lp *layerPart) ([]string, error) {
	if err := p.text(); err != nil {
		return nil, err
	}
	start, err := p.column(v, l, lp, 2)
	if err != nil {
		return nil, err
	}
	end, err := p.column(v, l, lp, 3)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(start.col.Ints))
	for d := 1; d < len(lp.starts); d++ {
		t := p.texts[d-1]
		for i := lp.starts[d-1]; i < lp.starts[d]; i++ {
			a, z := start.col.Ints[i], end.col.Ints[i]
			if a < 0 || a > z || int(z) > len(t) {
				return nil, damaged("a token lies outside the text")
			}
			out[i] = t[a:z]
		}
	}
	return out, nil
}

func (p *partSet) lemmas(v reading, l *layerState, lp *layerPart, cp *columnPart) error {
	form, err := p.column(v, l, lp, 4)
	if err != nil {
		return err
	}
	cp.col.Strs = make([]string, len(cp.codes))
	known := map[string]string{}
	for i, w := range cp.codes {
		f := ""
		if form.col.Strs != nil {
			f = form.col.Strs[i]
		}
		e := cp.dict.Words[w]
		if e == "\x01" { // the form itself
			cp.col.Strs[i] = f
			continue
		}
		key := f + "\x00" + e
		lemma, ok := known[key]
		if !ok {
			if lemma, ok = unedit(f, e); !ok {
				return damaged("a lemma does not fit its form")
			}
			known[key] = lemma
		}
		cp.col.Strs[i] = lemma
	}
	cp.codes, cp.dict = nil, nil
	return nil
}

// Segment reads a segment.
func (sn *Snapshot) Segment(ctx context.Context, o *Object, id SegmentID, want Want) (*Segment, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := sn.corpus(o)
	for _, g := range st.gens {
		if g.id == id.gen && int(id.number) < len(g.segments) {
			return sn.segment(st, o, g.segments[id.number], want)
		}
	}
	return nil, fmt.Errorf("segment %d/%d of %s: %w", id.gen, id.number, o.Name, ErrNotFound)
}

func (sn *Snapshot) segment(st *corpusState, o *Object, state *segmentState, want Want) (*Segment, error) {
	p := sn.s.cachedParts(st.id, state)
	sg := &Segment{state: state, corpus: st, object: o, want: want, part: p}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.size
	err := sg.decode()
	sn.s.segments.grown(p, p.size-before)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	return sg, nil
}

// decode unpacks what is wanted.
func (sg *Segment) decode() error {
	p := sg.part
	if err := p.documents(); err != nil {
		return err
	}
	if sg.want.Text {
		if err := p.text(); err != nil {
			return err
		}
	}
	if sg.want.AllFields {
		sg.want.Fields = sg.state.Fields
	}
	for _, f := range sg.want.Fields {
		if _, err := p.field(f); err != nil {
			return err
		}
	}
	if sg.want.AllLayers {
		sg.want.Layers = nil
		for _, l := range sg.corpus.layers {
			sg.want.Layers = append(sg.want.Layers, LayerWant{Name: l.Name})
		}
	}
	v := reading{sg.corpus, sg.state}
	for _, w := range sg.want.Layers {
		l := sg.corpus.layer(w.Name)
		if l == nil {
			continue
		}
		lp, err := p.layer(v, l)
		if err != nil {
			return err
		}
		if lp == nil {
			continue
		}
		for c := range l.def.Columns {
			if wantsColumn(w, l.def, c) {
				if _, err := p.column(v, l, lp, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func wantsColumn(w LayerWant, def *text.LayerDef, c int) bool {
	col := def.Columns[c]
	if !col.Stored() && !(def.Spans && col.Name == "text") {
		return false
	}
	if w.Columns == nil {
		return true
	}
	for _, n := range w.Columns {
		if n == col.Name {
			return true
		}
	}
	return false
}

// N returns the number of documents, dead ones among them.
func (sg *Segment) N() int { return sg.state.Docs }

// Live reports whether a document is neither deleted nor replaced.
func (sg *Segment) Live(i int) bool { return sg.state.live(i) }

// AllLive reports whether every document is live.
func (sg *Segment) AllLive() bool { return sg.state.liveCount() == sg.state.Docs }

// Seq returns the sequence number of document i.
func (sg *Segment) Seq(i int) uint64 { return sg.part.seqs[i] }

// ID returns the id of document i.
func (sg *Segment) ID(i int) string { return sg.part.id(i) }

// Ascii reports whether bytes and code points of the text of document i are the same.
func (sg *Segment) Ascii(i int) bool { return sg.part.ascii != nil && sg.part.ascii[i] == 1 }

// Text returns the text of document i, if it was wanted.
func (sg *Segment) Text(i int) string {
	if sg.part.texts == nil {
		return ""
	}
	return sg.part.texts[i]
}

// Field returns a metadata column, one value a document; nil if no document has it.
func (sg *Segment) Field(name string) []value.Value {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	return sg.part.fields[name]
}

// Rows returns where the rows of documents start in a layer: document i has rows [starts[i],
// starts[i+1]); nil if no document has the layer.
func (sg *Segment) Rows(layer string) []int32 {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	if l := sg.corpus.layer(layer); l != nil {
		if lp := sg.part.layers[l.Part]; lp != nil {
			return lp.starts
		}
	}
	return nil
}

// Vec returns a wanted column of a layer over all rows of the segment; offsets are in bytes.
// ok is false where the column has no values.
func (sg *Segment) Vec(layer, column string) (v value.Vec, ok bool) {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	l := sg.corpus.layer(layer)
	if l == nil {
		return v, false
	}
	lp, c := sg.part.layers[l.Part], l.def.Index(column)
	if lp == nil || c < 0 || lp.cols[c] == nil {
		return v, false
	}
	if lp.vecs[c] == nil {
		lp.vecs[c] = lp.cols[c].vec(l.def.Columns[c].Type)
		sg.part.size += 8 * len(lp.vecs[c].Ints)
	}
	v = *lp.vecs[c]
	return v, v.Ints != nil || v.Strs != nil || v.Codes != nil || v.Floats != nil
}

func (cp *columnPart) vec(t value.Type) *value.Vec {
	v := &value.Vec{Type: t, Floats: cp.col.Floats}
	if cp.col.Ints != nil {
		v.Ints = make([]int64, len(cp.col.Ints))
		for i, x := range cp.col.Ints {
			v.Ints[i] = int64(x)
		}
	}
	if cp.dict != nil {
		v.Codes, v.Dict = cp.codes, cp.dict
	} else {
		v.Strs = cp.col.Strs
	}
	return v
}

// Documents returns the live documents with what was wanted.
func (sg *Segment) Documents() []*text.Document {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	if sg.docs != nil {
		return sg.docs
	}
	sg.docs = make([]*text.Document, 0, sg.state.Docs)
	for i := range sg.state.Docs {
		if sg.state.live(i) {
			sg.docs = append(sg.docs, sg.document(i))
		}
	}
	return sg.docs
}

// document builds document i of the segment.
func (sg *Segment) document(i int) *text.Document {
	p := sg.part
	d := &text.Document{Seq: p.seqs[i], ID: p.id(i)}
	if p.texts != nil && sg.want.Text {
		d.Text = p.texts[i]
	}
	for _, f := range sg.want.Fields {
		if col := p.fields[f]; col != nil && !col[i].IsNull() {
			d.Fields = append(d.Fields, text.Field{Name: f, Value: col[i]})
		}
	}
	for _, w := range sg.want.Layers {
		l := sg.corpus.layer(w.Name)
		if l == nil {
			continue
		}
		lp := p.layers[l.Part]
		if lp == nil {
			continue
		}
		d.Layers = append(d.Layers, lp.of(l.Name, w, i))
	}
	return d
}

// of cuts the rows of document i out of the segment's.
func (lp *layerPart) of(name string, w LayerWant, i int) *text.Layer {
	from, to := lp.starts[i], lp.starts[i+1]
	out := &text.Layer{Def: lp.def, Name: name, N: int(to - from), Cols: make([]text.Col, len(lp.def.Columns))}
	for c, cp := range lp.cols {
		if cp == nil || !wantsColumn(w, lp.def, c) {
			continue
		}
		if cp.col.Ints != nil {
			out.Cols[c].Ints = cp.col.Ints[from:to:to]
		}
		if cp.col.Strs != nil {
			out.Cols[c].Strs = cp.col.Strs[from:to:to]
		}
		if cp.col.Floats != nil {
			out.Cols[c].Floats = cp.col.Floats[from:to:to]
		}
	}
	return out
}

// segmentCache keeps decoded segments, the least recently used ones leaving first.
type segmentCache struct {
	mu    sync.Mutex
	parts map[segmentKey]*cacheEntry
	clock uint64
	size  int
}

type segmentKey struct{ corpus, gen, number uint32 }

type cacheEntry struct {
	p    *partSet
	used uint64
	size int
}

const segmentCacheBytes = 96 << 20

func (s *Store) cachedParts(corpus uint32, state *segmentState) *partSet {
	c := &s.segments
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock++
	key := segmentKey{corpus, state.gen, state.number}
	if e, ok := c.parts[key]; ok {
		e.used = c.clock
		// Tombstones and layers of the asking snapshot may be newer; blocks are the same.
		return e.p
	}
	p := &partSet{store: s, corpus: corpus, state: state, blocks: map[uint16]*block{}, fields: map[string][]value.Value{}, layers: map[uint16]*layerPart{}}
	c.parts[key] = &cacheEntry{p: p, used: c.clock, size: 1 << 10}
	c.size += 1 << 10
	return p
}

// grown notes that a segment takes more memory and drops others until all fit.
func (c *segmentCache) grown(p *partSet, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := segmentKey{p.corpus, p.state.gen, p.state.number}
	if e, ok := c.parts[key]; ok && e.p == p {
		e.size += by
		c.size += by
	}
	for c.size > segmentCacheBytes && len(c.parts) > 1 {
		var oldest segmentKey
		least := ^uint64(0)
		for k, e := range c.parts {
			if e.used < least && k != key {
				oldest, least = k, e.used
			}
		}
		c.size -= c.parts[oldest].size
		delete(c.parts, oldest)
	}
}

// drop forgets segments of a generation.
func (c *segmentCache) drop(corpus, gen uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.parts {
		if k.corpus == corpus && k.gen == gen {
			c.size -= e.size
			delete(c.parts, k)
		}
	}
}
