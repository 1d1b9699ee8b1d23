package paraphrase

import (
	"math"

	"parlance/algo/kind"
)

// Encode writes definitions, pairs of them and pairs of phrases.
func (m *model) Encode(w *kind.Writer) error {
	var terms, docs, texts, phrases, diffs []string
	var numbers, ends, rows []uint32
	var cosines, scores []float64
	for _, d := range m.definitions {
		terms, docs, texts = append(terms, d.term), append(docs, d.doc), append(texts, d.text)
		numbers = append(numbers, uint32(d.number))
	}
	for _, x := range m.pairs {
		ends, cosines = append(ends, x.a, x.b), append(cosines, x.cosine)
	}
	for _, r := range m.rows {
		phrases, diffs = append(phrases, r.p, r.q), append(diffs, r.diff)
		scores = append(scores, r.score, r.local)
		flags := uint32(0)
		for i, f := range []bool{r.turned, r.trivial, r.variation} {
			if f {
				flags |= 1 << i
			}
		}
		rows = append(rows, r.count, r.pair, flags)
	}
	for _, write := range []func() error{
		func() error { return w.Strings("terms", terms) },
		func() error { return w.Strings("docs", docs) },
		func() error { return w.Strings("texts", texts) },
		func() error { return w.Uint32s("numbers", numbers) },
		func() error { return w.Uint32s("pairs", ends) },
		func() error { return w.Float64s("cosines", cosines) },
		func() error { return w.Strings("phrases", phrases) },
		func() error { return w.Strings("differences", diffs) },
		func() error { return w.Float64s("scores", scores) },
		func() error { return w.Uint32s("rows", rows) },
		func() error { return w.Float64s("weights", append(m.weights[:len(m.weights):len(m.weights)], m.bias)) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var terms, docs, texts, phrases, diffs []string
	var numbers, ends, rows []uint32
	var cosines, scores, weights []float64
	for name, to := range map[string]*[]string{"terms": &terms, "docs": &docs, "texts": &texts, "phrases": &phrases,
		"differences": &diffs} {
		var err error
		if *to, err = r.Strings(name); err != nil {
			return err
		}
	}
	for name, to := range map[string]*[]uint32{"numbers": &numbers, "pairs": &ends, "rows": &rows} {
		var err error
		if *to, err = r.Uint32s(name); err != nil {
			return err
		}
	}
	for name, to := range map[string]*[]float64{"cosines": &cosines, "scores": &scores, "weights": &weights} {
		var err error
		if *to, err = r.Float64s(name); err != nil {
			return err
		}
	}
	switch {
	case len(docs) != len(terms), len(texts) != len(terms), len(numbers) != len(terms):
		return kind.Corrupt("numbers", "has not one number a definition")
	case len(ends) != 2*len(cosines):
		return kind.Corrupt("pairs", "has not two definitions a pair")
	case len(phrases) != 2*len(diffs), len(scores) != 2*len(diffs), len(rows) != 3*len(diffs):
		return kind.Corrupt("rows", "has not one row a pair of phrases")
	case len(weights) != 1 && len(weights) != featureCount+1:
		return kind.Corrupt("weights", "has not one weight a feature")
	}
	for i := range terms {
		m.definitions = append(m.definitions, source{terms[i], docs[i], texts[i], int(numbers[i])})
	}
	for i, c := range cosines {
		x := sourcePair{ends[2*i], ends[2*i+1], c}
		if int(x.a) >= len(terms) || int(x.b) >= len(terms) {
			return kind.Corrupt("pairs", "has a definition out of range")
		}
		m.pairs = append(m.pairs, x)
	}
	for i, d := range diffs {
		x := row{p: phrases[2*i], q: phrases[2*i+1], diff: d, score: scores[2*i], local: scores[2*i+1],
			count: rows[3*i],
			pair:  rows[3*i+1], turned: rows[3*i+2]&1 > 0, trivial: rows[3*i+2]&2 > 0, variation: rows[3*i+2]&4 > 0}
		if int(x.pair) >= len(m.pairs) || math.IsNaN(x.score) || math.IsNaN(x.local) {
			return kind.Corrupt("rows", "has a pair of definitions out of range, or a score that is none")
		}
		m.rows = append(m.rows, x)
	}
	m.weights, m.bias = weights[:len(weights)-1:len(weights)-1], weights[len(weights)-1]
	if len(m.weights) == 0 {
		m.weights = nil
	}
	return nil
}
