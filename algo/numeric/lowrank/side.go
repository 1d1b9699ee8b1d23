package lowrank

import (
	"context"
	"encoding/binary"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// side multiplies by all slices of one side at once: Y = [W_1·X | … | W_m·X]. Y is never held as a
// whole: rows with values in the same slices are multiplied block by block.
type side struct {
	slices []*Matrix
	blocks []block
}

// block is rows that have values in the same slices.
type block struct {
	rows   []uint32
	slices []int
}

// Blocks hold at most this many rows and about this many values.
const (
	blockRows   = 2048
	blockValues = 4 << 20
)

// newSide groups the rows; cols is the width of X.
func newSide(slices []*Matrix, cols int) *side {
	s := &side{slices: slices}
	most := max(1, min(blockRows, blockValues/max(1, cols*len(slices))))
	open := map[string]int{} // by the slices that have values: the block that is being filled
	for i := range slices[0].Rows {
		var filled []int
		var key []byte
		for k, w := range slices {
			if w.Offsets[i+1] > w.Offsets[i] {
				filled, key = append(filled, k), binary.AppendUvarint(key, uint64(k))
			}
		}
		if filled == nil {
			continue
		}
		b, ok := open[string(key)]
		if !ok || len(s.blocks[b].rows) == most {
			b = len(s.blocks)
			open[string(key)] = b
			s.blocks = append(s.blocks, block{slices: filled})
		}
		s.blocks[b].rows = append(s.blocks[b].rows, uint32(i))
	}
	return s
}

// each calls f with the blocks of Y in order; y has a row a row of the block and X's columns for
// each of its slices, in their order.
func (s *side) each(ctx context.Context, workers int, x *Panel, f func(b *block, y *Panel) error) error {
	var data []float64
	for i := range s.blocks {
		b := &s.blocks[i]
		width := x.Cols * len(b.slices)
		if n := width * len(b.rows); cap(data) < n {
			data = make([]float64, n)
		}
		y := &Panel{len(b.rows), width, data[:width*len(b.rows)]}
		clear(y.Data)
		err := each(ctx, workers, (len(b.rows)+rowsPerTask-1)/rowsPerTask, func(t int) {
			for r := t * rowsPerTask; r < min(len(b.rows), (t+1)*rowsPerTask); r++ {
				for at, k := range b.slices {
					s.slices[k].addRow(y.Row(r)[at*x.Cols:(at+1)*x.Cols], int(b.rows[r]), x)
				}
			}
		})
		if err != nil {
			return err
		}
		if err := f(b, y); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// block of a panel: rows from r, columns from c.
func (p *Panel) block(r, rows, c, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: p.Cols, Data: p.Data[r*p.Cols+c:]}
}

// gram returns Yᵀ·Y, m·X.Cols square.
func (s *side) gram(ctx context.Context, workers int, x *Panel) (*Panel, error) {
	r := x.Cols
	g := NewPanel(r*len(s.slices), r*len(s.slices))
	err := s.each(ctx, workers, x, func(b *block, y *Panel) error {
		for i, k := range b.slices {
			for j := i; j < len(b.slices); j++ {
				err := gemm(ctx, workers, blas.Trans, blas.NoTrans, y.general(i*r, r), y.general(j*r, r),
					g.block(k*r, r, b.slices[j]*r, r), i == j)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	g.mirror()
	return g, err
}

// times returns Y·q, of the rows of the slices; q has m·X.Cols rows.
func (s *side) times(ctx context.Context, workers int, x, q *Panel) (*Panel, error) {
	r, out := x.Cols, NewPanel(s.slices[0].Rows, q.Cols)
	err := s.each(ctx, workers, x, func(b *block, y *Panel) error {
		z := NewPanel(len(b.rows), q.Cols)
		for i, k := range b.slices {
			if err := gemm(ctx, workers, blas.NoTrans, blas.NoTrans, y.general(i*r, r), q.block(k*r, r, 0, q.Cols),
				z.general(0, z.Cols), false); err != nil {
				return err
			}
		}
		for i, row := range b.rows {
			copy(out.Row(int(row)), z.Row(i))
		}
		return nil
	})
	return out, err
}

// cross returns Yᵀ·u, m·X.Cols rows.
func (s *side) cross(ctx context.Context, workers int, x, u *Panel) (*Panel, error) {
	r, out := x.Cols, NewPanel(x.Cols*len(s.slices), u.Cols)
	err := s.each(ctx, workers, x, func(b *block, y *Panel) error {
		own := NewPanel(len(b.rows), u.Cols)
		for i, row := range b.rows {
			copy(own.Row(i), u.Row(int(row)))
		}
		for i, k := range b.slices {
			if err := gemm(ctx, workers, blas.Trans, blas.NoTrans, y.general(i*r, r), own.general(0, own.Cols),
				out.block(k*r, r, 0, u.Cols), false); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}
