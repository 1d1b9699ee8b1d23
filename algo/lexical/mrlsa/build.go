package mrlsa

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/numeric/lowrank"
)

// build makes the scorer of the method.
func (m *model) build(ctx context.Context, d *data, w []*lowrank.Matrix, t *kind.Training) (scorer, error) {
	switch m.opt.method {
	case byLookup:
		words, err := m.listing(d)
		return newListed(words), err
	case byRaw:
		var columns []*lowrank.Matrix
		for _, x := range w {
			columns = append(columns, x.Transposed())
		}
		return newRaw(columns, m.Pivot), nil
	}
	one := make([]float32, len(w))
	slot := make([]int, len(w))
	pivot := 0
	for k := range w {
		one[k] = 1
		if m.opt.method == byTucker {
			slot[k], pivot = k, m.Pivot
		} else if m.opt.method == byPILSA && k != m.Pivot {
			one[k] = -1
		}
	}
	if m.opt.method != byTucker {
		added, err := sum(w, one)
		if err != nil {
			return nil, err
		}
		w = []*lowrank.Matrix{added}
	}
	x, err := m.factor(ctx, w, t)
	if err != nil {
		return nil, err
	}
	f, err := newFactored(ctx, t.Workers, x, pivot, slot, one)
	if err == nil && m.opt.foldIn {
		f.Folding = newFolding(d.rows.names, w, x)
	}
	return f, err
}

// factor decomposes, a line of progress a sweep; the objective is the squared residual.
func (m *model) factor(ctx context.Context, w []*lowrank.Matrix, t *kind.Training) (*lowrank.Tucker, error) {
	norm := 0.0
	for _, x := range w {
		norm += x.SquaredNorm()
	}
	if norm == 0 {
		return nil, fmt.Errorf(
			"%w: all weights are 0, for each word stands in every row; idf_smooth = true or idf = 'none' keeps them",
			kind.ErrNoData)
	}
	if n, most := min(m.opt.rank, max(w[0].Rows, w[0].Cols))*len(w), lowrank.MaxCore; n > most {
		return nil, fmt.Errorf("option rank: %d with %d relations; their product is at most %d", m.opt.rank, len(w), most)
	}
	began := time.Now()
	restarts := m.opt.restarts
	from, err := resumed(t)
	if err != nil {
		return nil, err
	}
	keep := checkpoint.NewKeeper(t)
	x, err := lowrank.NewTucker(ctx, w, lowrank.TuckerOptions{
		Rank: m.opt.rank, Sweeps: m.opt.sweeps, Tolerance: max(m.opt.tolerance, math.SmallestNonzeroFloat64),
		Random: m.opt.init == "random", Restarts: restarts, Seed: t.Seed, Workers: t.Workers, Project: m.opt.foldIn,
		Report: func(start, sweep int, captured float64) {
			p := kind.Progress{Step: sweep, Of: m.opt.sweeps, Objective: max(0, norm-captured), HeldOut: math.NaN(),
				Seconds: time.Since(began).Seconds()}
			p.Note = fmt.Sprintf("fit %.4f", 1-math.Sqrt(max(0, norm-captured)/norm))
			if restarts > 1 {
				p.Note += fmt.Sprintf(", start %d of %d", start, restarts)
			}
			t.Report(p)
		},
		From: from, Save: func(s *lowrank.TuckerState) error { return keep.Save(stateOf(s).Write) }})
	if err != nil {
		return nil, err
	}
	if !x.Converged {
		t.Notice(fmt.Sprintf("the fit still changes after %d sweeps; raise sweeps or tolerance", m.opt.sweeps))
	}
	return x, nil
}

// stateOf is what a decomposition goes on from.
func stateOf(s *lowrank.TuckerState) checkpoint.State {
	return checkpoint.State{}.With("start", checkpoint.Value(&s.Start)).With("converged", checkpoint.Value(&s.Converged)).
		With("random", checkpoint.Random(s.Random)).With("vectors", checkpoint.Lists(&s.Vectors))
}

// resumed reads the checkpoint to go on from, nil if there is none.
func resumed(t *kind.Training) (*lowrank.TuckerState, error) {
	if t.Resume == nil {
		return nil, nil
	}
	s := &lowrank.TuckerState{Random: rand.NewPCG(0, 0)}
	return s, stateOf(s).Read(t.Resume)
}

// sum adds matrices up with signs.
func sum(w []*lowrank.Matrix, sign []float32) (*lowrank.Matrix, error) {
	var entries []lowrank.Entry
	for k, x := range w {
		for i := range x.Rows {
			columns, values := x.Row(i)
			for n, c := range columns {
				entries = append(entries, lowrank.Entry{Row: uint32(i), Col: c, Value: float64(sign[k]) * values[n]})
			}
		}
	}
	return lowrank.NewMatrix(w[0].Rows, w[0].Cols, entries)
}

// listing returns for each relation the words that are listed for a word: in its own row, or in
// those of its synsets. A symmetric relation lists both ways.
func (m *model) listing(d *data) ([]*lowrank.Matrix, error) {
	n := len(d.words.names)
	of := make([][]uint32, len(d.rows.names)) // words that a row is of
	for i, head := range d.heads {
		if head != nobody {
			of[i] = []uint32{head}
		}
	}
	if m.opt.rows != bySubject {
		for _, c := range d.cells[m.Pivot] {
			if d.heads[c.Row] == nobody {
				of[c.Row] = append(of[c.Row], c.Col)
			}
		}
	}
	var out []*lowrank.Matrix
	for k, cells := range d.cells {
		var pairs []lowrank.Entry
		for _, c := range cells {
			for _, i := range of[c.Row] {
				pairs = append(pairs, lowrank.Entry{Row: i, Col: c.Col, Value: 1})
				if m.Slices[k].Symmetric {
					pairs = append(pairs, lowrank.Entry{Row: c.Col, Col: i, Value: 1})
				}
			}
		}
		slices.SortFunc(pairs, func(a, b lowrank.Entry) int {
			if a.Row != b.Row {
				return int(a.Row) - int(b.Row)
			}
			return int(a.Col) - int(b.Col)
		})
		pairs = slices.Compact(pairs)
		x, err := lowrank.NewMatrix(n, n, pairs)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
