package record

// Value is a name or text of a record, for trees whose nodes have one of those below.
type Value struct {
	Whole   int32 // number of the text, −1 for a missing one
	Letter  int32 // number of the first letter of a name
	Initial bool  // it is an initial
}

// Values appends the values of the attributes of a record that are names or strings, in order.
func (s *Store) Values(dst []Value, i int32) []Value {
	row := s.of(i)
	part := 0
	for _, a := range s.Attributes {
		if a.Type <= String {
			v := Value{Whole: -1}
			for _, e := range row {
				switch k := int(e.part) - part; {
				case a.Type == Name && k == 1:
					v.Letter = e.key
				case a.Type == Name && k == 3:
					v.Initial = true
				case a.Type == Name && k == 4 || a.Type == String && k == 1:
					v.Whole = e.key
				}
			}
			dst = append(dst, v)
		}
		part += a.Type.parts()
	}
	return dst
}

// Bags calls use with the components of the vectors of a record: those of the attributes that are neither names nor
// strings, numbered from 0.
func (s *Store) Bags(i int32, use func(bag int, key int32, value int64)) {
	part, bag, row := uint16(0), 0, s.of(i)
	for _, a := range s.Attributes {
		if a.Type > String {
			for _, e := range row {
				if e.part == part+1 && e.value != 0 {
					use(bag, e.key, int64(e.value))
				}
			}
			bag++
		}
		part += uint16(a.Type.parts())
	}
}

// BagOf tells for each key which vector it belongs to, as Bags numbers them.
func (s *Store) BagOf() []uint8 {
	out := make([]uint8, s.keys)
	part, bag := uint16(0), uint8(0)
	of := map[uint16]uint8{}
	for _, a := range s.Attributes {
		if a.Type > String {
			of[part+1] = bag
			bag++
		}
		part += uint16(a.Type.parts())
	}
	for _, page := range s.pages {
		for _, e := range page {
			if b, ok := of[e.part]; ok {
				out[e.key] = b
			}
		}
	}
	return out
}
