package srl

import (
	"strconv"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/parse/frame"
)

// Encode writes the models, the templates in use and the tables.
func (m *model) Encode(w *kind.Writer) error {
	var counts []string
	for _, c := range m.counts {
		counts = append(counts, c[:]...)
	}
	for _, write := range []func() error{
		func() error { return w.Within("predicates", m.finder.Encode) },
		func() error { return w.Strings("labels", m.labels) },
		func() error { return w.Bytes("features", []byte(m.set.String())) },
		func() error { return w.Within("pairs", m.pairs.Encode) },
		func() error { return w.Strings("frames", counts) },
		func() error { return w.JSON("choices", m.trace) },
		func() error { return w.JSON("wide", m.wide) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	set, err := m.opt.settings()
	if err != nil {
		return err
	}
	var notation []byte
	var counts []string
	for _, read := range []func(){
		func() { m.finder, err = frame.DecodeFinder(set, r.Within("predicates")) },
		func() { m.labels, err = r.Strings("labels") },
		func() { notation, err = r.Bytes("features") },
		func() { m.pairs, err = frame.DecodeSoftmax(r.Within("pairs"), len(m.labels)) },
		func() { counts, err = r.Strings("frames") },
		func() { err = r.JSON("choices", &m.trace) },
		func() { err = r.JSON("wide", &m.wide) },
	} {
		if read(); err != nil {
			return err
		}
	}
	if m.set, err = place.Parse(string(notation)); err != nil {
		return kind.Corrupt("features", err.Error())
	}
	switch {
	case len(m.set.Places()) != 3 || m.set.Header() != pairHeader:
		return kind.Corrupt("features", "are not of pairs")
	case len(m.labels) <= stop || m.labels[none] != "" || m.opt.stop && m.labels[stop] != stopLabel:
		return kind.Corrupt("labels", "lack that of no argument")
	case len(counts)%3 != 0:
		return kind.Corrupt("frames", "has a row that is cut")
	}
	for i := 0; i < len(counts); i += 3 {
		if _, err := strconv.ParseInt(counts[i+2], 10, 64); err != nil {
			return kind.Corrupt("frames", "has a count that is no number")
		}
		m.counts = append(m.counts, [3]string(counts[i:i+3]))
	}
	m.ready()
	return nil
}
