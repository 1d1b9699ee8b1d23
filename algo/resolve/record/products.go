package record

// Products computes features of pairs of records of a store. It belongs to one goroutine.
type Products struct {
	store *Store
	parts []float64
}

// Products returns one.
func (s *Store) Products() *Products {
	n := 0
	for _, a := range s.Attributes {
		n += a.Type.parts()
	}
	return &Products{s, make([]float64, n)}
}

// Features appends the features of two records, in the order of their weights.
func (p *Products) Features(dst []float64, a, b int32) []float64 {
	clear(p.parts)
	x, y := p.store.of(a), p.store.of(b)
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].key < y[0].key:
			x = x[1:]
		case x[0].key > y[0].key:
			y = y[1:]
		default:
			p.parts[x[0].part] += float64(x[0].value) * float64(y[0].value)
			x, y = x[1:], y[1:]
		}
	}
	part := 0
	for _, at := range p.store.Attributes {
		for _, row := range products[at.Type] {
			v := 0.0
			for k, c := range row {
				v += c * p.parts[part+k]
			}
			dst = append(dst, v/(Scale*Scale))
		}
		part += at.Type.parts()
	}
	return dst
}
