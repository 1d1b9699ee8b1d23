package storage

import (
	"context"
	"fmt"

	"parlance/algo/text"
	"parlance/storage/value"
)

// SegmentID names a segment of a corpus.
type SegmentID struct{ gen, number uint32 }

// Segment is a block of consecutive documents, of which the wanted parts are decoded. It is shared and must not be
// changed.
type Segment struct {
	state  *segmentState
	corpus *corpusState
	object *Object
	want   Want
	part   *partSet
	fields []field // wanted metadata
	docs   []*text.Document
}

// Segment reads a segment.
func (sn *Snapshot) Segment(ctx context.Context, o *Object, id SegmentID, want Want) (*Segment, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := sn.corpus(o)
	if sg := st.segmentOf(id); sg != nil {
		return sn.segment(st, o, sg, want)
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
	sg.fields = sg.wantedFields()
	for _, f := range sg.fields {
		if _, err := p.field(f.stored); err != nil {
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
		if w.Columns == nil {
			if err := p.probAndRank(l, lp); err != nil {
				return err
			}
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

// N returns the number of documents, including deleted ones.
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
	if sg.want.raw {
		return sg.part.fields[name]
	}
	return sg.part.fields[sg.object.storedName(name)]
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

// Vec returns a wanted column of a layer over the rows [from, to) of the segment; offsets are in bytes.
// ok is false where the column has no values.
func (sg *Segment) Vec(layer, column string, from, to int) (v value.Vec, ok bool) {
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
	by := lp.cols[c].code()
	if lp.vecs[c] == nil {
		lp.vecs[c] = lp.vec(c)
		by += len(lp.vecs[c].Null)
	}
	if by > 0 {
		sg.part.size += by
		sg.part.store.segments.grown(sg.part, by)
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
		if sg.state.live(i) {
			sg.docs = append(sg.docs, sg.document(i))
		}
	}
	return sg.docs
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
		l := sg.corpus.layer(w.Name)
		if l == nil {
			continue
		}
		lp := p.layers[l.Part]
		if lp == nil {
			continue
		}
		for c, cp := range lp.cols {
			if cp != nil && wantsColumn(w, l.def, c) {
				if by := cp.spell(); by > 0 {
					p.size += by
					p.store.segments.grown(p, by)
				}
			}
		}
		d.Layers = append(d.Layers, lp.of(l.Name, w, i))
	}
	return d
}
