package classpatterns

import (
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
)

// Encode writes patterns and instances, column by column.
func (m *model) Encode(w *kind.Writer) error {
	var texts []string
	var ruleInts, factInts []uint32
	var ruleReals, factReals []float64
	for _, p := range m.patterns {
		texts = append(texts, p.text)
		ruleInts = append(ruleInts, p.source, p.target, uint32(p.pairs), uint32(p.support))
		ruleReals = append(ruleReals, p.para, p.cscore)
	}
	for _, f := range m.instances {
		factInts = append(factInts, f.source, f.target, f.by, f.at.doc, uint32(f.at.sent))
		factReals = append(factReals, f.score, f.assoc, f.count)
	}
	for _, step := range []func() error{
		func() error { return w.Strings("nouns", m.nouns) },
		func() error { return w.Strings("documents", m.docs) },
		func() error { return w.Strings("classes", m.classes) },
		func() error { return w.Strings("seeds", m.seeds) },
		func() error { return w.Strings("patterns", texts) },
		func() error { return w.Uint32s("patterns.numbers", ruleInts) },
		func() error { return w.Float64s("patterns.scores", ruleReals) },
		func() error { return w.Uint32s("instances.numbers", factInts) },
		func() error { return w.Float64s("instances.scores", factReals) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var texts []string
	var ruleInts, factInts []uint32
	var ruleReals, factReals []float64
	for _, s := range []struct {
		name string
		to   *[]string
	}{{"nouns", &m.nouns}, {"documents", &m.docs}, {"classes", &m.classes}, {"seeds", &m.seeds}, {"patterns", &texts}} {
		if *s.to, err = r.Strings(s.name); err != nil {
			return err
		}
	}
	if ruleInts, err = r.Uint32s("patterns.numbers"); err != nil {
		return err
	}
	if ruleReals, err = r.Float64s("patterns.scores"); err != nil {
		return err
	}
	if factInts, err = r.Uint32s("instances.numbers"); err != nil {
		return err
	}
	if factReals, err = r.Float64s("instances.scores"); err != nil {
		return err
	}
	if len(ruleInts) != 4*len(texts) || len(ruleReals) != 2*len(texts) || len(factInts)%5 != 0 ||
		len(factReals) != len(factInts)/5*3 {
		return kind.Corrupt("patterns", "has another length than what belongs to it")
	}
	if bad := func(x float64) bool { return math.IsNaN(x) }; slices.ContainsFunc(ruleReals, bad) ||
		slices.ContainsFunc(factReals, bad) {
		return kind.Corrupt("instances.scores", "has what is no number")
	}
	m.patterns, m.instances = nil, nil
	for k, s := range texts {
		x := ruleInts[4*k:]
		if !template.IsPath(s) || int(max(x[0], x[1])) >= len(m.classes) {
			return kind.Corrupt("patterns", "has a text that is no path, or a class that is not there")
		}
		m.patterns = append(m.patterns, rule{s,
			classed{source: x[0], target: x[1], pairs: int(x[2]), support: int(x[3]), para: ruleReals[2*k],
				cscore: ruleReals[2*k+1]}})
	}
	for k := range len(factInts) / 5 {
		x, s := factInts[5*k:], factReals[3*k:]
		if int(max(x[0], x[1])) >= len(m.nouns) || int(x[2]) >= len(m.patterns) || int(x[3]) > len(m.docs) {
			return kind.Corrupt("instances.numbers", "names what is not there")
		}
		m.instances = append(m.instances, fact{x[0], x[1], x[2], s[0], s[1], s[2], place{x[3], int32(x[4])}})
	}
	return nil
}
