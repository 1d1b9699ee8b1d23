package solver

// Pool is support vectors whose kernels with any sample are found together. It never changes and
// is safe for concurrent use.
type Pool struct {
	kernel Kernel
	rows   *Rows
	index  *index
	m      *ColumnMap
}

// NewPool indexes support vectors.
func NewPool(k Kernel, rows *Rows) *Pool {
	ids := make([]uint32, rows.Len())
	for i := range ids {
		ids[i] = uint32(i)
	}
	p := &Pool{kernel: k, rows: rows, m: NewColumnMap(rows.Width)}
	p.index = newIndex(rows, ids, k.Shape == Radial, p.m)
	return p
}

// Len returns the number of support vectors.
func (p *Pool) Len() int { return p.rows.Len() }

// Rows returns the support vectors, which must not be changed.
func (p *Pool) Rows() *Rows { return p.rows }

// Bytes is what the pool takes in memory.
func (p *Pool) Bytes() int64 {
	d := p.index
	return int64(4*(len(p.rows.Columns)+len(p.rows.Values)+len(p.rows.Offsets)+len(p.m.number)+len(d.cols)+len(d.vals)+
		len(d.at)+len(d.weight)+len(d.from)) + 8*(len(d.bits)+len(d.square)))
}

// Query is memory for the kernels of one sample after the other. It belongs to one goroutine.
type Query struct {
	q      query
	counts []uint16
	table  []float64
	Values []float64 // kernels with the support vectors, in their order
}

// Kernels sets q.Values for a sample; columns that no support vector has may be any number.
func (p *Pool) Kernels(q *Query, cols []uint32, vals []float32) {
	q.q.translate(p.m, cols, vals)
	if len(q.Values) != p.Len() {
		q.Values, q.counts = make([]float64, p.Len()), make([]uint16, p.Len())
	}
	most := len(cols) // z at most
	if p.kernel.Shape == Radial {
		most += p.index.largest
	}
	if !p.index.binary || vals != nil || most > maxTable {
		p.index.products(q.q, q.Values)
		if p.kernel.Shape != Dot {
			for i, z := range q.Values {
				q.Values[i] = p.kernel.of(z)
			}
		}
		return
	}
	for z := len(q.table); z <= most; z++ {
		q.table = append(q.table, p.kernel.of(float64(z)))
	}
	p.index.counts(q.q, q.counts)
	for i, z := range q.counts {
		q.Values[i] = q.table[z]
	}
}

const maxTable = 1 << 12 // kernels by z that a query keeps
