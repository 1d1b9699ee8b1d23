package whyqa

import (
	"maps"
	"slices"

	"parlance/algo/kind"
)

// header is what stands beside the lists.
type header struct {
	statistics
	Ranked bool
}

// Encode writes the statistics and the ranker.
func (m *model) Encode(w *kind.Writer) error {
	stems := slices.Sorted(maps.Keys(m.stats.frequency))
	counts := make([]uint32, len(stems))
	for i, s := range stems {
		counts[i] = m.stats.frequency[s]
	}
	for _, write := range []func() error{
		func() error { return w.JSON("header", header{m.stats, m.ranked}) },
		func() error { return w.Strings("stems", stems) },
		func() error { return w.Uint32s("frequencies", counts) },
		func() error { return w.Float64s("dense", m.dense) },
		func() error { return w.Uint64s("hashes", m.hashes) },
		func() error { return w.Float64s("weights", m.weights) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var h header
	if err = r.JSON("header", &h); err != nil {
		return err
	}
	var stems []string
	var counts []uint32
	for _, read := range []func() error{
		func() (err error) { stems, err = r.Strings("stems"); return },
		func() (err error) { counts, err = r.Uint32s("frequencies"); return },
		func() (err error) { m.dense, err = r.Float64s("dense"); return },
		func() (err error) { m.hashes, err = r.Uint64s("hashes"); return },
		func() (err error) { m.weights, err = r.Float64s("weights"); return },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	switch {
	case len(stems) != len(counts), len(m.hashes) != len(m.weights), !slices.IsSorted(m.hashes),
		h.Ranked && len(m.dense) != denseCount, !h.Ranked && len(m.dense)+len(m.hashes) > 0, h.Documents < 0:
		return kind.ErrCorrupt
	}
	m.ranked, m.stats = h.Ranked, h.statistics
	m.stats.frequency = make(map[string]uint32, len(stems))
	for i, s := range stems {
		m.stats.frequency[s] = counts[i]
	}
	return nil
}
