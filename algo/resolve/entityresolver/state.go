package entityresolver

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/resolve/record"
)

// state is what a training has come to. The entity of a record has the number of its first record.
type state struct {
	ids     []string
	values  [][]byte // of each chunk of records: their values, column after column
	ends    []uint32 // of each value, in its chunk
	labels  []uint32
	samples [][]uint32 // sampled states, chain after chain
	parent  []uint32   // of records, then of inner nodes of trees; itself for a root. nil where there are no trees
	weights []float64
	Info    info
}

// chunk is how many records share a start.
const chunk = 1024

// info is what is small.
type info struct {
	Columns  []string
	Features []string
	Bias     float64
	Sweeps   []sweep
	Blocks   []blockInfo
	Done     int // blocks of a training that goes on
	Built    int64
	Nodes    int       // inner nodes so far
	Chains   int       // that the samples are of; 0 stands for 1
	Scores   []float64 // of the sampled states, less that of the state to begin with
}

// sweep is a line of the trace: what all blocks did in a sweep.
type sweep struct {
	Temperature                  float64
	Proposals, Accepted, Factors int64
	Gain                         float64
}

// blockInfo describes a block.
type blockInfo struct {
	Key                    string
	Records, Keys, Largest int
	Entities               int
}

// score is the sum of the changes of the score of the state: of model = pairwise, from records alone.
func (s *state) score() float64 {
	sum := 0.0
	for _, x := range s.Info.Sweeps {
		sum += x.Gain
	}
	return sum
}

// add adds a record with its values.
func (s *state) add(id string, values []string) error {
	if len(s.ids)%chunk == 0 {
		if n := len(s.values); n > 0 {
			s.values[n-1] = slices.Clone(s.values[n-1]) // without room for more
		}
		s.values = append(s.values, nil)
	}
	s.ids = append(s.ids, id)
	last := &s.values[len(s.values)-1]
	for _, v := range values {
		*last = append(*last, v...)
		if len(*last) > math.MaxUint32 {
			return fmt.Errorf("record %s: its values are too long", id)
		}
		s.ends = append(s.ends, uint32(len(*last)))
	}
	return nil
}

// index finds the numbers of records by their ids, of those that are there and those that are added to it.
func (s *state) index() *record.Index[string] {
	x := record.NewIndex(func(i int32) string { return s.ids[i] })
	for i := range s.ids {
		x.Add(int32(i))
	}
	return x
}

// value is the text of a column of a record.
func (s *state) value(i, column int) string {
	k, from := i*len(s.Info.Columns)+column, uint32(0)
	if k > i/chunk*chunk*len(s.Info.Columns) {
		from = s.ends[k-1]
	}
	return string(s.values[i/chunk][from:s.ends[k]])
}

// vectorsOf makes the vectors of the records, laid out in an order, nil for that of their numbers. If the weights are
// known, what the model of the options has no use for is left out.
func (m *model) vectorsOf(ctx context.Context, order []int32, known bool) (*record.Store, error) {
	b, values := record.NewBuilder(m.opt.attributes), make([]string, len(m.opt.attributes))
	switch {
	case known && m.opt.model == hierarchicalModel:
		b.Trees()
	case known:
		b.Weights(m.weights)
	}
	for k := range m.ids {
		if k%chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		i := k
		if order != nil {
			i = int(order[k])
		}
		for c, a := range m.opt.attributes {
			values[c] = m.value(i, slices.Index(m.Info.Columns, a.Column))
		}
		if err := b.Add(values); err != nil {
			return nil, err
		}
	}
	return b.Store(order), nil
}

// entities is how many there are.
func (s *state) entities() (n int) {
	for i, x := range s.labels {
		if int(x) == i {
			n++
		}
	}
	return n
}

// Encode writes the state.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("ids", m.ids); err != nil {
		return err
	}
	if err := w.Chunks("values", m.values); err != nil {
		return err
	}
	if err := w.Uint32s("ends", m.ends); err != nil {
		return err
	}
	starts, at := make([]uint64, len(m.values)), uint64(0)
	for c, p := range m.values {
		starts[c] = at
		at += uint64(len(p))
	}
	if err := w.Uint64s("starts", starts); err != nil {
		return err
	}
	return m.found(w)
}

// found writes what a training has found so far, which is a checkpoint: the records are read again.
func (m *model) found(w *kind.Writer) error {
	if err := w.JSON("info", m.Info); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		list []uint32
	}{{"labels", m.labels}, {"parent", m.parent}, {"samples", m.flat()}} {
		if err := w.Uint32s(s.name, s.list); err != nil {
			return err
		}
	}
	return w.Float64s("weights", m.weights)
}

// flat is the samples one after the other.
func (s *state) flat() []uint32 {
	out := make([]uint32, 0, len(s.samples)*len(s.ids))
	for _, x := range s.samples {
		out = append(out, x...)
	}
	return out
}

// Decode reads the state.
func (m *model) Decode(r *kind.Reader) (err error) {
	s := state{}
	if s.ids, err = r.Strings("ids"); err != nil {
		return err
	}
	values, err := r.Bytes("values")
	if err != nil {
		return err
	}
	if s.ends, err = r.Uint32s("ends"); err != nil {
		return err
	}
	starts, err := r.Uint64s("starts")
	if err != nil {
		return err
	}
	if err = s.readFound(r, len(s.ids)); err != nil {
		return err
	}
	if err = s.cut(values, starts); err == nil {
		m.state = s
	}
	return err
}

// readFound reads what found wrote of n records.
func (s *state) readFound(r *kind.Reader, n int) (err error) {
	if err = r.JSON("info", &s.Info); err != nil {
		return err
	}
	var samples []uint32
	for _, x := range []struct {
		name string
		list *[]uint32
	}{{"labels", &s.labels}, {"parent", &s.parent}, {"samples", &samples}} {
		if *x.list, err = r.Uint32s(x.name); err != nil {
			return err
		}
	}
	if s.weights, err = r.Float64s("weights"); err != nil {
		return err
	}
	return s.check(n, samples)
}

// cut lays values into chunks, and refuses ends and starts that cannot be.
func (s *state) cut(values []byte, starts []uint64) error {
	n, columns := len(s.ids), len(s.Info.Columns)
	if len(s.ends) != n*columns || len(starts) != (n+chunk-1)/chunk {
		return kind.Corrupt("ends", "one a value is wanted")
	}
	for c, from := range starts {
		end := uint64(len(values))
		if c+1 < len(starts) {
			end = starts[c+1]
		}
		if end > uint64(len(values)) || from > end {
			return kind.Corrupt("starts", "values begin where there are none")
		}
		last := uint64(0)
		for _, e := range s.ends[min(n, c*chunk)*columns : min(n, (c+1)*chunk)*columns] {
			if uint64(e) < last || uint64(e) > end-from {
				return kind.Corrupt("ends", "a value ends where it cannot")
			}
			last = uint64(e)
		}
		s.values = append(s.values, values[from:end:end])
	}
	return nil
}

// check refuses numbers that point nowhere, and cuts the samples of n records.
func (s *state) check(n int, samples []uint32) error {
	if len(s.labels) != n {
		return kind.Corrupt("labels", "one a record is wanted")
	}
	for i, x := range s.labels {
		if int(x) > i || s.labels[x] != x {
			return kind.Corrupt("labels", "an entity is not named by its first record")
		}
	}
	if len(s.parent) > 0 && len(s.parent) < n {
		return kind.Corrupt("parent", "one a record is wanted")
	}
	if err := s.checkTree(n); err != nil {
		return err
	}
	states := 0
	if n > 0 {
		states = len(samples) / n
	}
	if states*n != len(samples) || len(s.weights) != len(s.Info.Features) || s.Info.Done > len(s.Info.Blocks) ||
		s.Info.Done < 0 || s.Info.Chains < 0 || states%max(1, s.Info.Chains) != 0 ||
		len(s.Info.Scores) > 0 && len(s.Info.Scores) != states {
		return kind.Corrupt("samples", "have no whole number of states")
	}
	for len(samples) > 0 {
		for i, x := range samples[:n] {
			if int(x) > i {
				return kind.Corrupt("samples", "an entity is not named by its first record")
			}
		}
		s.samples, samples = append(s.samples, samples[:n]), samples[n:]
	}
	return nil
}

// checkTree refuses parents that are records, or that form a circle.
func (s *state) checkTree(n int) error {
	for i, p := range s.parent {
		if int(p) >= len(s.parent) || int(p) != i && int(p) < n {
			return kind.Corrupt("parent", "points to what is no inner node")
		}
	}
	done := make([]bool, len(s.parent))
	for i := range s.parent {
		steps := 0
		for k := i; !done[k] && int(s.parent[k]) != k; k = int(s.parent[k]) {
			if steps++; steps > len(s.parent) {
				return kind.Corrupt("parent", "has a circle")
			}
		}
		for k := i; !done[k]; k = int(s.parent[k]) {
			done[k] = true
			if int(s.parent[k]) == k {
				break
			}
		}
	}
	return nil
}

// resume takes what a checkpoint knows of the same records.
func (m *model) resume(r *kind.Reader) error {
	kept := state{}
	if err := kept.readFound(r, len(m.ids)); err != nil {
		return err
	}
	if len(kept.Info.Blocks) != len(m.Info.Blocks) || len(kept.weights) != len(m.weights) {
		return kind.Corrupt("info", "is of other records")
	}
	m.labels, m.samples, m.parent, m.weights, m.Info = kept.labels, kept.samples, kept.parent, kept.weights, kept.Info
	return nil
}
