package documents

import (
	"encoding/binary"
	"fmt"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// Place is the location of a document.
type Place struct {
	Gen, Segment uint32
	Ordinal      int
	File         int // of the generation's files, -1 for none
	Line         string
}

// EncodePlace is the stored form of a place.
func EncodePlace(p Place) []byte {
	b := binary.AppendUvarint(nil, uint64(p.Segment))
	b = binary.AppendUvarint(b, uint64(p.Ordinal))
	b = binary.AppendUvarint(b, uint64(p.File+1))
	return append(b, p.Line...)
}

// DecodePlace reads a stored place; dbfile.ErrCorrupt if it is damaged.
func DecodePlace(gen uint32, b []byte) (Place, error) {
	var v [3]uint64
	for i := range v {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			return Place{}, fmt.Errorf("%w: directory entry", dbfile.ErrCorrupt)
		}
		v[i], b = x, b[n:]
	}
	return Place{gen, uint32(v[0]), int(v[1]), int(v[2]) - 1, string(b)}, nil
}

// Locate finds the live document of an id.
func (st *Corpus) Locate(tx *sealed.Tx, id string) (p Place, ok bool, err error) {
	dir := tx.Bucket(dbfile.Dir)
	for i := len(st.Gens) - 1; i >= 0; i-- {
		g := st.Gens[i]
		v := dir.Get(PlaceKey(st.ID, g.ID, id))
		if v == nil {
			continue
		}
		if p, err = DecodePlace(g.ID, v); err != nil {
			return p, false, err
		}
		if int(p.Segment) >= len(g.Segments) || p.Ordinal >= g.Segments[p.Segment].Docs {
			return p, false, fmt.Errorf("%w: directory entry of %s", dbfile.ErrCorrupt, id)
		}
		if g.Segments[p.Segment].Live(p.Ordinal) {
			return p, true, nil
		}
	}
	return p, false, nil
}

// Of is the segment of the document.
func (p Place) Of() SegmentID { return SegmentID{p.Gen, p.Segment} }
