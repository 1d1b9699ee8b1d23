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
	values  []byte   // of the records, column after column
	ends    []uint32 // of each value, relative to the start of its chunk of records
	starts  []uint64 // of each chunk in values
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
		s.starts = append(s.starts, uint64(len(s.values)))
	}
	s.ids = append(s.ids, id)
	from := s.starts[len(s.starts)-1]
	for _, v := range values {
		s.values = append(s.values, v...)
		if uint64(len(s.values))-from > math.MaxUint32 {
			return fmt.Errorf("record %s: its values are too long", id)
		}
		s.ends = append(s.ends, uint32(uint64(len(s.values))-from))
	}
	return nil
}

// value is the text of a column of a record.
func (s *state) value(i, column int) string {
	k := i*len(s.Info.Columns) + column
	base, from := s.starts[i/chunk], uint32(0)
	if k > i/chunk*chunk*len(s.Info.Columns) {
		from = s.ends[k-1]
	}
	return string(s.values[base+uint64(from) : base+uint64(s.ends[k])])
}

// vectorsOf makes the vectors of the records, laid out in an order, nil for that of their numbers. Known weights leave
// out
// what has none.
func (m *model) vectorsOf(ctx context.Context, order []int32, known bool) (*record.Store, error) {
	b, values := record.NewBuilder(m.opt.attributes), make([]string, len(m.opt.attributes))
	if known {
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

// Encode writes the state, which is a checkpoint as well.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.JSON("info", m.Info); err != nil {
		return err
	}
	if err := w.Strings("ids", m.ids); err != nil {
		return err
	}
	if err := w.Bytes("values", m.values); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		list []uint32
	}{{"ends", m.ends}, {"labels", m.labels}, {"parent", m.parent}, {"samples", m.flat()}} {
		if err := w.Uint32s(s.name, s.list); err != nil {
			return err
		}
	}
	if err := w.Uint64s("starts", m.starts); err != nil {
		return err
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
	if err = r.JSON("info", &s.Info); err != nil {
		return err
	}
	if s.ids, err = r.Strings("ids"); err != nil {
		return err
	}
	if s.values, err = r.Bytes("values"); err != nil {
		return err
	}
	var samples []uint32
	for _, x := range []struct {
		name string
		list *[]uint32
	}{{"ends", &s.ends}, {"labels", &s.labels}, {"parent", &s.parent}, {"samples", &samples}} {
		if *x.list, err = r.Uint32s(x.name); err != nil {
			return err
		}
	}
	if s.starts, err = r.Uint64s("starts"); err != nil {
		return err
	}
	if s.weights, err = r.Float64s("weights"); err != nil {
		return err
	}
	if err = s.check(samples); err == nil {
		m.state = s
	}
	return err
}

// check refuses numbers that point nowhere, and cuts the samples.
func (s *state) check(samples []uint32) error {
	n, columns := len(s.ids), len(s.Info.Columns)
	if len(s.labels) != n || len(s.ends) != n*columns || len(s.starts) != (n+chunk-1)/chunk {
		return kind.Corrupt("labels", "one a record is wanted")
	}
	for i, x := range s.labels {
		if int(x) > i || s.labels[x] != x {
			return kind.Corrupt("labels", "an entity is not named by its first record")
		}
	}
	for c, from := range s.starts {
		end := uint64(len(s.values))
		if c+1 < len(s.starts) {
			end = s.starts[c+1]
		}
		last := uint64(0)
		for _, e := range s.ends[min(n, c*chunk)*columns : min(n, (c+1)*chunk)*columns] {
			if uint64(e) < last || from > end || uint64(e) > end-from {
				return kind.Corrupt("ends", "a value ends where it cannot")
			}
			last = uint64(e)
		}
		if end > uint64(len(s.values)) || from > end {
			return kind.Corrupt("starts", "values begin where there are none")
		}
	}
	if len(s.parent) > 0 && len(s.parent) < n {
		return kind.Corrupt("parent", "one a record is wanted")
	}
	if err := s.checkTree(); err != nil {
		return err
	}
	if n == 0 && len(samples) > 0 || n > 0 && len(samples)%n != 0 || len(s.weights) != len(s.Info.Features) ||
		s.Info.Done > len(s.Info.Blocks) || s.Info.Done < 0 || s.Info.Chains < 0 || n > 0 &&
		(len(samples)/n)%max(1, s.Info.Chains) != 0 || n > 0 && len(s.Info.Scores) > 0 &&
		len(s.Info.Scores) != len(samples)/n {
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
func (s *state) checkTree() error {
	n := len(s.ids)
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
	kept := &model{}
	if err := kept.Decode(r); err != nil {
		return err
	}
	if len(kept.ids) != len(m.ids) || len(kept.Info.Blocks) != len(m.Info.Blocks) {
		return kind.Corrupt("info", "is of other records")
	}
	m.labels, m.samples, m.parent, m.weights, m.Info = kept.labels, kept.samples, kept.parent, kept.weights, kept.Info
	return nil
}
