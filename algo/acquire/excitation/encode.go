package excitation

import (
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
)

// Encode writes network and facts, column by column.
func (m *model) Encode(w *kind.Writer) error {
	n, f := m.net, m.facts
	var names []string
	for _, t := range n.templates {
		names = append(names, t.Predicate, t.Slot)
	}
	ints, reals := m.columns()
	if err := w.Strings("templates", names); err != nil {
		return err
	}
	if err := w.Strings("nouns", f.nouns); err != nil {
		return err
	}
	for _, c := range ints {
		if err := w.Uint32s(c.name, *c.ints); err != nil {
			return err
		}
	}
	for _, c := range reals {
		if err := w.Float64s(c.name, *c.reals); err != nil {
			return err
		}
	}
	return nil
}

// stored is a column of what is stored.
type stored struct {
	name  string
	ints  *[]uint32
	reals *[]float64
}

// columns are the state in columns.
func (m *model) columns() (ints, reals []stored) {
	n, f := m.net, m.facts
	add := func(name string) *[]uint32 {
		c := stored{name: name, ints: new([]uint32)}
		ints = append(ints, c)
		return c.ints
	}
	real := func(name string, list []float64) { reals = append(reals, stored{name: name, reals: &list}) }
	seeds, partners, links := add("seeds"), add("partners"), add("links")
	for i, s := range n.seed {
		*seeds, *partners = append(*seeds, uint32(s+1)), append(*partners, n.partners[i])
	}
	var weights []float64
	for _, l := range n.links {
		*links, weights = append(*links, l.i, l.j), append(weights, l.w)
	}
	rounds := add("iterations")
	for _, x := range n.iterations {
		for _, k := range []int{x.linked, x.same, x.opposite, x.pnp, x.nnp, x.seeds, x.sweeps} {
			*rounds = append(*rounds, uint32(k))
		}
	}
	phrases, counts := add("phrases"), []float64(nil)
	for _, p := range f.phrases {
		*phrases, counts = append(*phrases, p.template, p.noun), append(counts, p.count)
	}
	against, scores := add("contradictions"), []float64(nil)
	for _, c := range f.contradictions {
		*against, scores = append(*against, c.exc, c.inh), append(scores, c.sim, c.score)
	}
	causes, causeScores := add("causalities"), []float64(nil)
	for _, c := range f.causalities {
		flags := uint32(0)
		if c.not1 {
			flags |= 1
		}
		if c.not2 {
			flags |= 2
		}
		*causes = append(*causes, c.first, c.second, c.noun1, c.noun2, flags)
		causeScores = append(causeScores, c.count, c.npfreq, c.score)
	}
	guesses, guessScores := add("hypotheses"), []float64(nil)
	for _, h := range f.hypotheses {
		*guesses, guessScores = append(*guesses, h.first, h.second, h.noun1, h.noun2, h.from),
			append(guessScores, h.score)
	}
	real("values", n.value)
	real("frequencies", n.freq)
	real("links.weights", weights)
	real("links.votes", n.votes)
	real("phrases.counts", counts)
	real("contradictions.scores", scores)
	real("causalities.scores", causeScores)
	real("hypotheses.scores", guessScores)
	return ints, reals
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	m.net, m.facts = &network{}, &facts{}
	n, f := m.net, m.facts
	names, err := r.Strings("templates")
	if err != nil {
		return err
	}
	if f.nouns, err = r.Strings("nouns"); err != nil {
		return err
	}
	ints, reals := map[string][]uint32{}, map[string][]float64{}
	blankInts, blankReals := (&model{net: &network{}, facts: &facts{}}).columns()
	for _, c := range blankInts {
		if ints[c.name], err = r.Uint32s(c.name); err != nil {
			return err
		}
	}
	for _, c := range blankReals {
		if reals[c.name], err = r.Float64s(c.name); err != nil {
			return err
		}
		if slices.ContainsFunc(reals[c.name], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			return kind.Corrupt(c.name, "has what is no number")
		}
	}
	size := len(names) / 2
	if len(names)%2 != 0 || len(ints["seeds"]) != size || len(ints["partners"]) != size ||
		len(reals["values"]) != size || len(reals["frequencies"]) != size {
		return kind.Corrupt("templates", "has another length than what belongs to it")
	}
	for i := range size {
		n.templates = append(n.templates, template.Template{Predicate: names[2*i], Slot: names[2*i+1]})
		n.seed = append(n.seed, int8(ints["seeds"][i]&3)-1)
	}
	if !slices.IsSortedFunc(n.templates, template.Compare) || !slices.IsSorted(f.nouns) {
		return kind.Corrupt("templates", "are not in order")
	}
	n.partners, n.value, n.freq, n.votes = ints["partners"], reals["values"], reals["frequencies"], reals["links.votes"]
	return m.restore(ints, reals)
}

// restore makes the lists of their columns.
func (m *model) restore(ints map[string][]uint32, reals map[string][]float64) error {
	n := m.net
	for _, s := range []struct {
		name        string
		width, real int // numbers a row of either sort
	}{{"links", 2, 1}, {"phrases", 2, 1}, {"contradictions", 2, 2}, {"causalities", 5, 3}, {"hypotheses", 5, 1}} {
		scores := reals[s.name+map[string]string{"links": ".weights", "phrases": ".counts"}[s.name]]
		if scores == nil {
			scores = reals[s.name+".scores"]
		}
		if len(ints[s.name])%s.width != 0 || len(ints[s.name])/s.width*s.real != len(scores) {
			return kind.Corrupt(s.name, "has another number of scores")
		}
	}
	if len(n.votes) != len(reals["links.weights"]) || len(ints["iterations"])%7 != 0 {
		return kind.Corrupt("links", "has another number of votes")
	}
	for k, w := range reals["links.weights"] {
		n.links = append(n.links, edge{ints["links"][2*k], ints["links"][2*k+1], w})
	}
	for k := 0; k < len(ints["iterations"]); k += 7 {
		x := ints["iterations"][k:]
		n.iterations = append(n.iterations,
			iteration{int(x[0]), int(x[1]), int(x[2]), int(x[3]), int(x[4]), int(x[5]), int(x[6])})
	}
	for _, l := range n.links {
		if m.lacks([]uint32{l.i, l.j}, nil) || l.i >= l.j {
			return kind.Corrupt("links", "names what is not there")
		}
	}
	return m.restoreFacts(ints, reals)
}

// lacks tells whether one of the templates or nouns is not there.
func (m *model) lacks(templates, nouns []uint32) bool {
	return slices.ContainsFunc(templates, func(t uint32) bool { return int(t) >= len(m.net.templates) }) ||
		slices.ContainsFunc(nouns, func(k uint32) bool { return int(k) >= len(m.facts.nouns) })
}

// restoreFacts takes what follows from the network.
func (m *model) restoreFacts(ints map[string][]uint32, reals map[string][]float64) error {
	f := m.facts
	for k, c := range reals["phrases.counts"] {
		x := ints["phrases"][2*k:]
		f.phrases = append(f.phrases, phrase{x[0], x[1], c})
		if m.lacks(x[:1], x[1:2]) || k > 0 && f.phrases[k-1].template > x[0] {
			return kind.Corrupt("phrases", "names what is not there")
		}
	}
	for k := range len(ints["contradictions"]) / 2 {
		x, s := ints["contradictions"][2*k:], reals["contradictions.scores"][2*k:]
		f.contradictions = append(f.contradictions, contradiction{x[0], x[1], s[0], s[1]})
		if m.lacks(x[:2], nil) {
			return kind.Corrupt("contradictions", "names what is not there")
		}
	}
	for k := range len(ints["causalities"]) / 5 {
		x, s := ints["causalities"][5*k:], reals["causalities.scores"][3*k:]
		f.causalities = append(f.causalities,
			causality{x[0], x[1], x[2], x[3], x[4]&1 != 0, x[4]&2 != 0, s[0], s[1], s[2]})
		if m.lacks(x[:2], x[2:4]) {
			return kind.Corrupt("causalities", "names what is not there")
		}
	}
	for k, s := range reals["hypotheses.scores"] {
		x := ints["hypotheses"][5*k:]
		f.hypotheses = append(f.hypotheses, hypothesis{x[0], x[1], x[2], x[3], x[4], s})
		if m.lacks(x[:2], x[2:4]) || int(x[4]) >= len(f.causalities) {
			return kind.Corrupt("hypotheses", "names what is not there")
		}
	}
	return nil
}
