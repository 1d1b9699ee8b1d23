package depparser

import (
	"math"
	"math/bits"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/tree"
)

// Encode writes the tables of the parser, of its pruner and of the labels.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.parser.encode(w, "parser."); err != nil {
		return err
	}
	if m.parser.pruner != nil {
		if err := m.parser.pruner.encode(w, "pruner."); err != nil {
			return err
		}
	}
	if d := m.parser.decisions; d != nil {
		if err := w.Uint64s("governs", d.governs); err != nil {
			return err
		}
	}
	if m.opt.picks() {
		if err := w.Uint64s("frequent", m.often); err != nil {
			return err
		}
	}
	if m.labeler != nil {
		return m.labeler.encode(w)
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	p := m.empty()
	var err error
	if p.scorer, err = decodeScorer(r, "parser.", m.set(), p.factorization.Types()); err != nil {
		return err
	}
	p.scorer.more = m.opt.sources()
	if m.opt.prune > 0 && p.factorization != tree.Arc {
		p.pruner = &parser{factorization: tree.Arc, projective: p.projective, single: p.single}
		if p.pruner.scorer, err = decodeScorer(r, "pruner.", pruning, tree.Dep); err != nil {
			return err
		}
	}
	m.parser = p
	if p.decisions != nil {
		if p.decisions.governs, err = r.Uint64s("governs"); err != nil {
			return err
		}
		if !slices.IsSorted(p.decisions.governs) {
			return kind.Corrupt("governs", "keys are not in order")
		}
	}
	if m.opt.picks() {
		if m.often, err = r.Uint64s("frequent"); err != nil {
			return err
		}
		if len(m.often) == 0 || !slices.IsSorted(m.often) {
			return kind.Corrupt("frequent", "there are no words, or they are not in order")
		}
	}
	if m.opt.labels == noLabels {
		return nil
	}
	if m.labeler, err = decodeLabeler(r, m.set(), m.opt.labels == together); err == nil && m.opt.labels == together {
		p.labeler, p.sums = m.labeler, m.opt.objective == logLinear
		if p.scorer.labels, err = decodeTable(r, "parser."+tableNames[relations]); err == nil &&
			p.scorer.labels.size() < len(m.labeler.labels) {
			err = kind.Corrupt("parser."+tableNames[relations], "there are fewer weights than labels")
		}
	}
	return err
}

func (p *parser) encode(w *kind.Writer, prefix string) error {
	for i, t := range p.scorer.tables() {
		if t != nil {
			if err := t.encode(w, prefix+tableNames[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

var tableNames = [...]string{"arcs", "pairs", "triples", "relations"}

func decodeScorer(r *kind.Reader, prefix string, set features, types tree.Type) (*scorer, error) {
	s := newScorer(set, types, 1)
	for i, t := range []**table{&s.first, &s.second, &s.third} {
		if *t == nil {
			continue
		}
		var err error
		if *t, err = decodeTable(r, prefix+tableNames[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// encode writes the settled weights and their unit.
func (t *table) encode(w *kind.Writer, section string) error {
	if err := w.Float64s(section+".unit", []float64{t.unit}); err != nil {
		return err
	}
	b := make([]byte, len(t.q))
	for i, x := range t.q {
		b[i] = byte(x)
	}
	return w.Bytes(section, b)
}

func decodeTable(r *kind.Reader, section string) (*table, error) {
	unit, err := r.Float64s(section + ".unit")
	if err != nil {
		return nil, err
	}
	if len(unit) != 1 || !(unit[0] > 0) || unit[0] > math.MaxFloat32 {
		return nil, kind.Corrupt(section, "the unit of the weights is no positive number")
	}
	b, err := r.Bytes(section)
	if err != nil {
		return nil, err
	}
	n := len(b)
	if n < 64 || n&(n-1) != 0 || n > 1<<28 {
		return nil, kind.Corrupt(section, "its length is no power of two, or too small or great")
	}
	q := make([]int8, n)
	for i, x := range b {
		q[i] = int8(x)
	}
	return &table{q: q, unit: unit[0], drop: uint(64 - bits.Len(uint(n-1)))}, nil
}

// flatten writes lists by key as keys, rising, the ends of their lists, and the lists.
func flatten(m map[uint64][]uint16) (keys []uint64, ends, list []uint32) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		for _, x := range m[k] {
			list = append(list, uint32(x))
		}
		ends = append(ends, uint32(len(list)))
	}
	return keys, ends, list
}

// decodeLabeler reads what encode wrote.
func decodeLabeler(r *kind.Reader, set features, joint bool) (*labeler, error) {
	labels, err := r.Strings("labels")
	if err != nil {
		return nil, err
	}
	if len(labels) == 0 || len(labels) > maxLabels {
		return nil, kind.Corrupt("labels", "there is none, or there are too many")
	}
	l := &labeler{labels: labels}
	if joint {
		l.group = newGroup(set.joint())
	} else {
		l.group, l.history, l.below = newGroup(set.labels), newGroup(set.history), newGroup(set.below)
	}
	l.salt()
	if l.candidates, err = decodeLists(r, "labels.pairs", len(labels)); err != nil {
		return nil, err
	}
	if l.byTag, err = decodeLists(r, "labels.tags", len(labels)); err != nil {
		return nil, err
	}
	if !joint {
		if l.table, err = decodeTable(r, "labels.weights"); err == nil && l.table.size() < len(labels) {
			err = kind.Corrupt("labels.weights", "there are fewer weights than labels")
		}
	}
	return l, err
}

func decodeLists(r *kind.Reader, section string, labels int) (map[uint64][]uint16, error) {
	keys, err := r.Uint64s(section)
	if err != nil {
		return nil, err
	}
	ends, err := r.Uint32s(section + ".ends")
	if err != nil {
		return nil, err
	}
	list, err := r.Uint32s(section + ".list")
	if err != nil {
		return nil, err
	}
	if len(keys) != len(ends) {
		return nil, kind.Corrupt(section, "keys and lists differ in number")
	}
	out, from := make(map[uint64][]uint16, len(keys)), uint32(0)
	for i, k := range keys {
		if ends[i] <= from || int(ends[i]) > len(list) {
			return nil, kind.Corrupt(section, "a list is empty or too long")
		}
		for _, x := range list[from:ends[i]] {
			if int(x) >= labels {
				return nil, kind.Corrupt(section, "a label is unknown")
			}
			out[k] = append(out[k], uint16(x))
		}
		from = ends[i]
	}
	return out, nil
}
