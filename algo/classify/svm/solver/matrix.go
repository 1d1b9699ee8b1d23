package solver

import "fmt"

// matrix is the kernel of a list of samples with each other. Rows are computed when they are
// asked for and the latest kept, as many as fit into a number of bytes.
type matrix struct {
	kernel Kernel
	index  *index
	gram   Gram      // in place of kernel and index
	whole  []float64 // a row of gram
	ids    []uint32
	table  []float64 // of binary samples: kernel by z
	diag   []float64
	cache  cache
}

// line is a row of a matrix: for binary samples the z of each, which the table turns into
// kernels, else the kernels.
type line struct {
	keys []uint16
	vals []float64
}

func newMatrix(k Kernel, x *Rows, ids []uint32, m *ColumnMap, bytes int64) *matrix {
	a := &matrix{kernel: k, ids: ids, index: newIndex(x, ids, k.Shape == Radial, m), diag: make([]float64, len(ids))}
	size := int64(8)
	if a.index.binary {
		a.table, size = k.table(a.index.largest), 2
	}
	for t, s := range a.index.square {
		if k.Shape == Radial {
			s = 0
		}
		a.diag[t] = k.of(s)
	}
	a.cache.init(len(ids), max(2, int(bytes/(size*int64(max(1, len(ids)))))))
	return a
}

// Gram is a matrix of kernels of samples with each other.
type Gram interface {
	Len() int
	At(i, j int) float64
	Row(i int, dst []float64) // of Len elements
}

func newGramMatrix(g Gram, ids []uint32, bytes int64) *matrix {
	a := &matrix{gram: g, ids: ids, diag: make([]float64, len(ids)), whole: make([]float64, g.Len())}
	for t, i := range ids {
		a.diag[t] = g.At(int(i), int(i))
	}
	a.cache.init(len(ids), max(2, int(bytes/(8*int64(max(1, len(ids)))))))
	return a
}

// largest bounds kernels, so that sums of them are numbers.
const largest = 1e100

// check refuses kernels whose values are too large to compute with; those of a sample with itself bound
// the others.
func (a *matrix) check() error {
	for _, v := range a.diag {
		if !(v <= largest) {
			return fmt.Errorf(
				"%w: the kernel of a sample with itself is %.3g, want at most %g; smaller gamma, coef0 or degree would help",
				ErrInvalid, v, float64(largest))
		}
	}
	return nil
}

// row returns row t; it holds until two others have been asked for.
func (a *matrix) row(t int) line {
	l, known := a.cache.get(t)
	if known {
		return *l
	}
	if a.gram != nil {
		a.gather(t, l)
	} else {
		a.fill(a.index.sample(t), l)
	}
	return *l
}

// gather takes row t from the matrix of all samples.
func (a *matrix) gather(t int, l *line) {
	if len(l.vals) != len(a.ids) {
		l.vals = make([]float64, len(a.ids))
	}
	a.gram.Row(int(a.ids[t]), a.whole)
	for k, i := range a.ids {
		l.vals[k] = a.whole[i]
	}
}

// fill computes the row of a query.
func (a *matrix) fill(q query, l *line) {
	n := a.index.n
	if a.index.binary {
		if len(l.keys) != n {
			l.keys = make([]uint16, n)
		}
		a.index.counts(q, l.keys)
		return
	}
	if len(l.vals) != n {
		l.vals = make([]float64, n)
	}
	a.index.products(q, l.vals)
	if a.kernel.Shape != Dot {
		for i, z := range l.vals {
			l.vals[i] = a.kernel.of(z)
		}
	}
}

// at is element t of a row.
func (a *matrix) at(l line, t int) float64 {
	if l.keys != nil {
		return a.table[l.keys[t]]
	}
	return l.vals[t]
}

// restrict returns the matrix of the samples at the positions, with the rows that are at hand.
func (a *matrix) restrict(x *Rows, keep []uint32, m *ColumnMap, bytes int64) *matrix {
	ids := make([]uint32, len(keep))
	for i, t := range keep {
		ids[i] = a.ids[t]
	}
	var b *matrix
	if a.gram != nil {
		b = newGramMatrix(a.gram, ids, bytes)
	} else if b = newMatrix(a.kernel, x, ids, m, bytes); b.index.binary != a.index.binary {
		return b
	}
	for i, t := range keep {
		old := a.cache.peek(int(t))
		if old == nil || b.cache.full() {
			continue
		}
		l, _ := b.cache.get(i)
		if old.keys != nil {
			l.keys = make([]uint16, len(keep))
			for j, s := range keep {
				l.keys[j] = old.keys[s]
			}
		} else {
			l.vals = make([]float64, len(keep))
			for j, s := range keep {
				l.vals[j] = old.vals[s]
			}
		}
	}
	return b
}
