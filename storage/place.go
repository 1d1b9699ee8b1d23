package storage

import (
	"encoding/binary"
	"fmt"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// place is the location of a document.
type place struct {
	gen, segment uint32
	ordinal      int
	file         int // of the generation's files, -1 for none
	line         string
}

func encodePlace(p place) []byte {
	b := binary.AppendUvarint(nil, uint64(p.segment))
	b = binary.AppendUvarint(b, uint64(p.ordinal))
	b = binary.AppendUvarint(b, uint64(p.file+1))
	return append(b, p.line...)
}

func decodePlace(gen uint32, b []byte) (place, error) {
	var v [3]uint64
	for i := range v {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			return place{}, fmt.Errorf("%w: directory entry", dbfile.ErrCorrupt)
		}
		v[i], b = x, b[n:]
	}
	return place{gen, uint32(v[0]), int(v[1]), int(v[2]) - 1, string(b)}, nil
}

// locate finds the live document of an id.
func (st *corpusState) locate(tx *sealed.Tx, id string) (p place, ok bool, err error) {
	dir := tx.Bucket(dbfile.Dir)
	for i := len(st.gens) - 1; i >= 0; i-- {
		g := st.gens[i]
		v := dir.Get(dirKey(st.id, g.id, id))
		if v == nil {
			continue
		}
		if p, err = decodePlace(g.id, v); err != nil {
			return p, false, err
		}
		if int(p.segment) >= len(g.segments) || p.ordinal >= g.segments[p.segment].Docs {
			return p, false, fmt.Errorf("%w: directory entry of %s", dbfile.ErrCorrupt, id)
		}
		if g.segments[p.segment].live(p.ordinal) {
			return p, true, nil
		}
	}
	return p, false, nil
}

// of is the segment of the document.
func (p place) of() SegmentID { return SegmentID{p.gen, p.segment} }
