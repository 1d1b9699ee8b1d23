package mrlsa

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/numeric/lowrank"
	"parlance/storage/value"

	"gonum.org/v1/gonum/blas/blas32"
)

// folding makes vectors of words that the tensor lacks, by the rows that list them:
//
//	u_i = [w_1[i,:]·V | … | w_m[i,:]·V]·L,  v = [w_1ᵀ·U | … | w_mᵀ·U]·R
//
// where L and R are the projectors of the last sweep. At convergence the vector of a word that the
// tensor has is that of the tensor.
type folding struct {
	Names []string `state:"rows,some,len=Rows"`
	index map[string]uint32
	Cells []*lowrank.Matrix `state:"cells,len=Cross"` // W of each slot
	Inner int               `state:"inner,from=1"`    // length of u
	Left  []float32         `state:"left,len=Cross*Inner*Rank"`
	Right []float32         `state:"right,len=Cross*Inner*Rank"`     // L, slots·rank × inner, and R, slots·inner × rank
	Core  [][]float32       `state:"core,len=Cross,each=Inner*Rank"` // S of each slot, inner × rank
}

func newFolding(rows []string, cells []*lowrank.Matrix, t *lowrank.Tucker) *folding {
	f := &folding{Names: rows, Cells: cells, Inner: t.U.Cols, Left: single(t.Left.Data), Right: single(t.Right.Data)}
	for _, s := range t.Core {
		f.Core = append(f.Core, single(s.Data))
	}
	f.ready()
	return f
}

func (f *folding) ready() {
	f.index = make(map[string]uint32, len(f.Names))
	for i, r := range f.Names {
		f.index[r] = uint32(i)
	}
}

// axpy adds a·x to y.
func axpy(a float32, x, y []float32) {
	blas32.Axpy(a, blas32.Vector{N: len(y), Inc: 1, Data: x}, blas32.Vector{N: len(y), Inc: 1, Data: y})
}

// project adds x·P to y, with the rows of P of one slot.
func project(y, x, p []float32, slot int) {
	p = p[slot*len(x)*len(y):]
	for i, v := range x {
		axpy(v, p[i*len(y):(i+1)*len(y)], y)
	}
}

// row is u_i.
func (f *folding) row(i uint32, of *factored) []float32 {
	u := make([]float32, f.Inner)
	for k, w := range f.Cells {
		x := make([]float32, of.Rank)
		words, values := w.Row(int(i))
		for n, j := range words {
			axpy(float32(values[n]), of.vector(j).Data, x)
		}
		project(u, x, f.Left, k)
	}
	return u
}

// unseen is v of a word with values in rows, of each slot.
func (f *folding) unseen(ctx context.Context, values []map[uint32]float64, of *factored) ([]float32, error) {
	v := make([]float32, of.Rank)
	for k, column := range values {
		x := make([]float32, f.Inner)
		for _, i := range sortedKeys(column) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			axpy(float32(column[i]), f.row(i, of), x)
		}
		project(v, x, f.Right, k)
	}
	return v, nil
}

func sortedKeys(m map[uint32]float64) []uint32 {
	out := make([]uint32, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// rounded is the share of the longest column below which one that is computed here is 0 but for rounding.
const rounded = 1e-6

// length is ‖S·v‖ of a slot, 0 where there is no degree.
func (f *folding) length(v []float32, slot int, others []float32) float32 {
	sum, r := 0.0, len(v)
	for i := range f.Inner {
		x := float64(blas32.Dot(blas32.Vector{N: r, Inc: 1, Data: f.Core[slot][i*r : (i+1)*r]},
			blas32.Vector{N: r, Inc: 1, Data: v}))
		sum += x * x
	}
	if x := float32(math.Sqrt(sum)); x > rounded*slices.Max(others) {
		return x
	}
	return 0
}

var foldRelation = kind.Relation{Name: "fold",
	Doc:     "words by the degree to which they stand in the relation to a word that the model lacks, the highest first",
	Columns: relatedRelation.Columns,
	Args: []kind.Arg{{Name: "rows", Type: value.JSON,
		Doc: "rows that list the word, by relation, as in {\"synonym\": [\"good.a.01\"]}"},
		{Name: "relation", Type: value.Text, Doc: "slice of the model"}}}

// folded opens the relation fold.
func (m *model) folded(ctx context.Context, args []value.Value, run *kind.Run) (kind.Rows, error) {
	if args[0].IsNull() || args[1].IsNull() {
		return kind.RowsOf(foldRelation, func(func([]value.Value) bool) {}), nil
	}
	f, ok := m.degree.(*factored)
	if !ok || f.Folding == nil {
		return nil, kind.ErrNoRelation
	}
	relation, err := m.relation(args[1].S)
	if err != nil {
		return nil, err
	}
	values, err := m.listedIn(args[0].S, f)
	if err != nil {
		return nil, err
	}
	v, err := f.Folding.unseen(ctx, values, f)
	if err != nil {
		return nil, err
	}
	scores, err := m.allOf(ctx, run.Workers, v, relation, f)
	if err != nil {
		return nil, err
	}
	return ranked(foldRelation, m.Words, scores, nobody), nil
}

// listedIn weighs the rows of a new word as weigh does those of others.
func (m *model) listedIn(text string, f *factored) ([]map[uint32]float64, error) {
	var lists map[string][]string
	if err := json.Unmarshal([]byte(text), &lists); err != nil {
		return nil, fmt.Errorf(
			"argument rows: %s is no object of relations with lists of rows, such as {\"synonym\": [\"%s\"]}",
			text, f.Folding.Names[0])
	}
	of := make([]map[uint32]bool, len(m.Slices))
	joint := map[uint32]bool{}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		k, err := m.relation(name)
		if err != nil {
			return nil, err
		}
		of[k] = map[uint32]bool{}
		for _, r := range lists[name] {
			i, ok := f.Folding.index[r]
			if !ok {
				return nil, &kind.Unknown{What: "row", Name: r, Known: f.Folding.Names}
			}
			of[k][i] = true
			if m.Slices[k].Symmetric {
				joint[i] = true
			}
		}
	}
	values := make([]map[uint32]float64, len(f.Folding.Cells))
	for k, rows := range of {
		n := len(rows)
		if m.Slices[k].Symmetric && m.opt.idf == jointIDF {
			n = len(joint)
		}
		slot := f.Slot[k]
		if values[slot] == nil {
			values[slot] = map[uint32]float64{}
		}
		for i := range rows {
			values[slot][i] += float64(f.Sign[k]) * m.Slices[k].Scale * m.weightOf(n)
		}
	}
	return values, nil
}

// weightOf is the weight by rarity of a word in n rows.
func (m *model) weightOf(n int) float64 {
	rows := float64(m.Rows)
	switch {
	case m.opt.idf == noIDF:
		return 1
	case m.opt.smooth:
		rows++
	}
	return math.Log(rows / float64(n))
}

// allOf is the degrees of a relation between a vector and every word.
func (m *model) allOf(ctx context.Context, workers int, v []float32, relation int, f *factored) ([]float32, error) {
	slot := f.Slot[relation]
	lengths := []float32{f.Folding.length(v, f.Pivot, f.Lengths[f.Pivot]), f.Folding.length(v, slot, f.Lengths[slot])}
	probes := f.probes(blas32.Vector{N: f.Rank, Inc: 1, Data: v}, lengths, relation, m.Slices[relation].Symmetric)
	out := make([]float32, len(m.Words))
	return out, f.scan(ctx, workers, probes, f.Sign[relation], out)
}
