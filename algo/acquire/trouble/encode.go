package trouble

import (
	"math"
	"slices"

	"parlance/algo/kind"
)

// Encode writes candidates, features and pairs, column by column.
func (m *model) Encode(w *kind.Writer) error {
	var nouns, features, pairs []string
	var widths, ids, labels []uint32
	var counts, parts, values []float64
	for i := range m.items {
		it := &m.items[i]
		nouns = append(nouns, it.noun)
		widths, ids, labels = append(widths, uint32(len(it.features))), append(ids, it.features...),
			append(labels, uint32(m.labelled[i]+1))
		counts, parts = append(counts, it.counts...), append(parts, it.lsph, it.dnv, it.dav, m.scores[i], m.held[i])
	}
	for _, f := range m.features {
		features = append(features, f.group, f.name)
	}
	for _, p := range m.pairs {
		pairs, values = append(pairs, p.object, p.trouble, p.verb), append(values, p.count, p.score)
	}
	for _, step := range []func() error{
		func() error { return w.Strings("nouns", nouns) },
		func() error { return w.Strings("features", features) },
		func() error { return w.Strings("pairs", pairs) },
		func() error { return w.Uint32s("widths", widths) },
		func() error { return w.Uint32s("evidence", ids) },
		func() error { return w.Uint32s("labels", labels) },
		func() error { return w.Float64s("evidence.counts", counts) },
		func() error { return w.Float64s("nouns.scores", parts) },
		func() error { return w.Float64s("pairs.scores", values) },
		func() error { return w.Float64s("weights", m.weights) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	texts, ints, reals := map[string][]string{}, map[string][]uint32{}, map[string][]float64{}
	var err error
	for _, name := range []string{"nouns", "features", "pairs"} {
		if texts[name], err = r.Strings(name); err != nil {
			return err
		}
	}
	for _, name := range []string{"widths", "evidence", "labels"} {
		if ints[name], err = r.Uint32s(name); err != nil {
			return err
		}
	}
	for _, name := range []string{"evidence.counts", "nouns.scores", "pairs.scores", "weights"} {
		if reals[name], err = r.Float64s(name); err != nil {
			return err
		}
		if slices.ContainsFunc(reals[name], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			return kind.Corrupt(name, "has what is no number")
		}
	}
	n, f := len(texts["nouns"]), len(texts["features"])/2
	weights := len(reals["weights"])
	if len(texts["features"])%2 != 0 || len(ints["widths"]) != n || len(ints["labels"]) != n ||
		len(reals["nouns.scores"]) != 5*n ||
		len(ints["evidence"]) != len(reals["evidence.counts"]) || len(texts["pairs"])%3 != 0 ||
		len(reals["pairs.scores"]) != len(texts["pairs"])/3*2 ||
		weights != 0 && weights != f+1 || !slices.IsSorted(texts["nouns"]) {
		return kind.Corrupt("nouns", "does not fit what belongs to it")
	}
	m.items, m.features, m.labelled, m.scores, m.held, m.pairs, m.weights = nil, nil, nil, nil, nil, nil, nil
	if weights > 0 {
		m.weights = reals["weights"]
	}
	for k := 0; k < 2*f; k += 2 {
		m.features = append(m.features, feature{texts["features"][k], texts["features"][k+1]})
	}
	at := 0
	for i, noun := range texts["nouns"] {
		to := at + int(ints["widths"][i])
		if to > len(ints["evidence"]) {
			return kind.Corrupt("widths", "adds up to more than there is")
		}
		x := reals["nouns.scores"][5*i:]
		it := item{noun: noun, lsph: x[0], dnv: x[1], dav: x[2], features: ints["evidence"][at:to],
			counts: reals["evidence.counts"][at:to]}
		if slices.ContainsFunc(it.features, func(k uint32) bool { return int(k) >= f }) {
			return kind.Corrupt("evidence", "names a feature that is not there")
		}
		m.items, m.scores, m.held = append(m.items, it), append(m.scores, x[3]), append(m.held, x[4])
		m.labelled = append(m.labelled, int8(ints["labels"][i]&3)-1)
		at = to
	}
	for k := range len(texts["pairs"]) / 3 {
		p, x := texts["pairs"][3*k:], reals["pairs.scores"][2*k:]
		m.pairs = append(m.pairs, pair{p[0], p[1], x[0], x[1], p[2]})
	}
	return nil
}
