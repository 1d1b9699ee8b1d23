package record

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Group returns a store of groups of records. The vector of a group is the sum of those of its members, scaled to unit
// length; its names and texts are the mean over its members, so that their features are means over pairs.
func (s *Store) Group(members [][]int32) *Store {
	out := &Store{Attributes: s.Attributes, keys: s.keys}
	unit := s.unitParts()
	type sum struct {
		key   int32
		part  uint16
		value int64
	}
	var sums []sum
	var row []entry
	for _, list := range members {
		sums = sums[:0]
		for _, i := range list {
			for _, e := range s.of(i) {
				sums = append(sums, sum{e.key, e.part, int64(e.value)})
			}
		}
		slices.SortFunc(sums, func(a, b sum) int { return cmp.Compare(a.key, b.key) })
		n, squares := 0, make([]float64, len(unit))
		for _, x := range sums {
			if n > 0 && sums[n-1].key == x.key {
				sums[n-1].value += x.value
				continue
			}
			sums[n] = x
			n++
		}
		for _, x := range sums[:n] {
			squares[x.part] += float64(x.value) * float64(x.value)
		}
		row = row[:0]
		for _, x := range sums[:n] {
			v := float64(x.value) / float64(len(list))
			if unit[x.part] && squares[x.part] > 0 {
				v = Scale * float64(x.value) / math.Sqrt(squares[x.part])
			}
			if r := int16(math.Round(v)); r != 0 && len(row) < mostTerms {
				row = append(row, entry{x.key, r, x.part})
			}
		}
		out.push(row)
	}
	return out
}

// unitParts tells which parts are vectors of unit length.
func (s *Store) unitParts() []bool {
	var out []bool
	for _, a := range s.Attributes {
		part := len(out)
		out = append(out, make([]bool, a.Type.parts())...)
		if a.Type > String {
			out[part+1] = true
		}
	}
	return out
}

// Subset returns a store of some records.
func (s *Store) Subset(items []int32) *Store {
	out := &Store{Attributes: s.Attributes, keys: s.keys}
	for _, i := range items {
		out.push(s.of(i))
	}
	return out
}

// AppendRecords appends the vectors of all records to a text of bytes: their number, that of the keys, and of each its
// components.
func (s *Store) AppendRecords(p []byte) []byte {
	p = binary.AppendUvarint(p, uint64(s.Len()))
	p = binary.AppendUvarint(p, uint64(s.keys))
	for i := range s.Len() {
		row := s.of(int32(i))
		p = binary.AppendUvarint(p, uint64(len(row)))
		for _, e := range row {
			p = binary.AppendUvarint(p, uint64(e.key))
			p = binary.AppendUvarint(p, uint64(e.part))
			p = binary.AppendVarint(p, int64(e.value))
		}
	}
	return p
}

var errRecords = errors.New("damaged vectors of records")

// ReadRecords reads what AppendRecords wrote, and returns what follows.
func ReadRecords(list []Attribute, p []byte) (*Store, []byte, error) {
	s := &Store{Attributes: list}
	parts := len(s.unitParts())
	var row []entry
	bad := false
	next := func() uint64 {
		v, n := binary.Uvarint(p)
		if n <= 0 {
			bad = true
			return 0
		}
		p = p[n:]
		return v
	}
	n, keys := next(), next()
	if bad || n > uint64(len(p)) || keys > math.MaxInt32 {
		return nil, nil, errRecords
	}
	s.keys = int(keys)
	for range n {
		k := next()
		if bad || k > mostTerms || k > uint64(len(p)) {
			return nil, nil, errRecords
		}
		row = row[:0]
		for range k {
			key, part := next(), next()
			v, m := binary.Varint(p)
			if bad || m <= 0 || key >= keys || part >= uint64(parts) || v != int64(int16(v)) {
				return nil, nil, errRecords
			}
			p = p[m:]
			row = append(row, entry{int32(key), int16(v), uint16(part)})
		}
		if s.full() {
			return nil, nil, errRecords
		}
		s.push(row)
	}
	return s, p, nil
}
