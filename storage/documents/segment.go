package documents

import (
	"fmt"
	"maps"
	"slices"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/value"
)

// SegmentID names a segment of a corpus.
type SegmentID struct{ Gen, Number uint32 }

// Segment is a block of consecutive documents, of which the wanted parts are decoded. It is shared and must not be
// changed.
type Segment struct {
	state  *SegmentState
	corpus *Corpus
	names  Names
	want   Want
	part   *Parts
	fields []field // wanted metadata
	docs   []*text.Document
}

// Names translate the names of metadata columns. Without functions they are those of the file.
type Names struct {
	Stored  func(name string) string                   // name in the file
	Visible func(stored string) (name string, ok bool) // ok is false for dropped columns
}

// Read returns a segment with what is wanted of it.
func (c *Cache) Read(st *Corpus, state *SegmentState, names Names, want Want) (*Segment, error) {
	sg := &Segment{state: state, corpus: st, names: names, want: want, part: c.segment(st.ID, state)}
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	before := sg.part.size
	err := sg.decode()
	c.grown(sg.part, sg.part.size-before)
	if err != nil {
		return nil, err
	}
	return sg, nil
}

// ReadAfresh is Read without what is in the cache, and leaves nothing there.
func (c *Cache) ReadAfresh(st *Corpus, state *SegmentState, names Names, want Want) (*Segment, error) {
	sg := &Segment{state: state, corpus: st, names: names, want: want, part: c.newPartSet(st.ID, state)}
	return sg, sg.decode()
}

// field is a metadata column of a segment.
type field struct{ name, stored string }

// wantedFields lists the metadata that a reader wants.
func (sg *Segment) wantedFields() []field {
	names := sg.want.Fields
	if sg.want.AllFields {
		names = sg.state.Fields
	}
	out := make([]field, 0, len(names))
	for _, n := range names {
		f := field{n, n}
		switch {
		case sg.names.Stored == nil:
		case sg.want.AllFields:
			visible, ok := sg.names.Visible(n)
			if !ok {
				continue
			}
			f.name = visible
		default:
			f.stored = sg.names.Stored(n)
		}
		out = append(out, f)
	}
	return out
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
	sg.fields = sg.wantedFields()
	for _, f := range sg.fields {
		if _, err := p.field(f.stored); err != nil {
			return err
		}
	}
	if sg.want.AllLayers {
		sg.want.Layers = nil
		for _, l := range sg.corpus.Layers {
			sg.want.Layers = append(sg.want.Layers, LayerWant{Name: l.Name})
		}
	}
	v := reading{sg.corpus, sg.state}
	for _, w := range sg.want.Layers {
		l := sg.corpus.LayerOf(w.Name)
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
		if w.Columns == nil {
			if err := p.probAndRank(l, lp); err != nil {
				return err
			}
		}
		for c := range l.Def.Columns {
			if wantsColumn(w, l.Def, c) {
				if _, err := p.column(v, l, lp, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// N returns the number of documents, including deleted ones.
func (sg *Segment) N() int { return sg.state.Docs }

// AllLive reports whether every document is live.
func (sg *Segment) AllLive() bool { return sg.state.LiveDocuments() == sg.state.Docs }

// Seq returns the sequence number of document i.
func (sg *Segment) Seq(i int) uint64 { return sg.part.seqs[i] }

// ID returns the id of document i.
func (sg *Segment) ID(i int) string { return sg.part.id(i) }

// Content returns the content hash of document i, as it was written, and its number of tokens.
func (sg *Segment) Content(i int) (hash [16]byte, tokens int) { return sg.part.Content(i) }

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
	if sg.names.Stored == nil {
		return sg.part.fields[name]
	}
	return sg.part.fields[sg.names.Stored(name)]
}

// Rows returns where the rows of documents start in a layer: document i has rows [starts[i],
// starts[i+1]); nil if no document has the layer.
func (sg *Segment) Rows(layer string) []int32 {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	if l := sg.corpus.LayerOf(layer); l != nil {
		if lp := sg.part.layers[l.Part]; lp != nil {
			return lp.starts
		}
	}
	return nil
}

// Vec returns a wanted column of a layer over the rows [from, to) of the segment; offsets are in bytes.
// ok is false where the column has no values.
func (sg *Segment) Vec(layer, column string, from, to int) (v value.Vec, ok bool) {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	l := sg.corpus.LayerOf(layer)
	if l == nil {
		return v, false
	}
	lp, c := sg.part.layers[l.Part], l.Def.Index(column)
	if lp == nil || c < 0 || lp.cols[c] == nil {
		return v, false
	}
	by := lp.cols[c].code()
	if lp.vecs[c] == nil {
		lp.vecs[c] = lp.vec(c)
		by += len(lp.vecs[c].Null)
	}
	if by > 0 {
		sg.part.size += by
		sg.part.cache.grown(sg.part, by)
	}
	v = lp.vecs[c].Slice(from, to)
	if ints := lp.cols[c].col.Ints; ints != nil { // converted each time, which is cheaper than to store them
		v.Ints = make([]int64, to-from)
		for i, x := range ints[from:to] {
			v.Ints[i] = int64(x)
		}
	}
	return v, v.Ints != nil || v.Strs != nil || v.Codes != nil || v.Floats != nil
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
		if sg.state.Live(i) {
			sg.docs = append(sg.docs, sg.document(i))
		}
	}
	return sg.docs
}

// Document returns document i, which may be deleted, with what was wanted.
func (sg *Segment) Document(i int) *text.Document {
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	return sg.document(i)
}

// document builds document i of the segment. The lock of the segment must be held.
func (sg *Segment) document(i int) *text.Document {
	p := sg.part
	d := &text.Document{Seq: p.seqs[i], ID: p.id(i)}
	if p.texts != nil && sg.want.Text {
		d.Text = p.texts[i]
	}
	for _, f := range sg.fields {
		if col := p.fields[f.stored]; col != nil && !col[i].IsNull() {
			d.Fields = append(d.Fields, text.Field{Name: f.name, Value: col[i]})
		}
	}
	for _, w := range sg.want.Layers {
		l := sg.corpus.LayerOf(w.Name)
		if l == nil {
			continue
		}
		lp := p.layers[l.Part]
		if lp == nil {
			continue
		}
		for c, cp := range lp.cols {
			if cp != nil && wantsColumn(w, l.Def, c) {
				if by := cp.spell(); by > 0 {
					p.size += by
					p.cache.grown(p, by)
				}
			}
		}
		d.Layers = append(d.Layers, lp.of(l.Name, w, i))
	}
	return d
}

// Check verifies the blocks that were read, the order of the documents and their content, which must have been wanted
// whole.
func (sg *Segment) Check() error {
	p := sg.part
	for _, part := range slices.Sorted(maps.Keys(p.blocks)) {
		if err := p.blocks[part].Check(); err != nil {
			return fmt.Errorf("part %d: %w", part, err)
		}
	}
	if !slices.IsSorted(p.seqs) || p.seqs[0] != sg.state.First || p.seqs[len(p.seqs)-1] != sg.state.Last {
		return fmt.Errorf("%w: documents are out of order", dbfile.ErrCorrupt)
	}
	var buf []byte
	for i := range sg.state.Docs {
		var h [16]byte
		d := sg.Document(i)
		if h, buf = DocumentHash(d, buf); h != p.hash(i) {
			return fmt.Errorf("%w: the content of document %s is not what was written", dbfile.ErrCorrupt, d.ID)
		}
	}
	return nil
}
