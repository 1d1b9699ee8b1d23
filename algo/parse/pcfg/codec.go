package pcfg

import (
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
)

// stored is what is written as JSON.
type stored struct {
	Root      int32
	RootLabel string
	Coarse    []int32
	Size      int
	Whole     []bool
}

// Encode writes the grammar and the words.
func (m *model) Encode(w *kind.Writer) error {
	c := &m.coarse
	if err := w.JSON("grammar", stored{m.root, m.rootLabel, c.of, c.size, c.whole}); err != nil {
		return err
	}
	var names []string
	for _, s := range m.symbols {
		partial := ""
		if s.Partial {
			partial = "@"
		}
		names = append(names, s.Label, s.Parent, s.Before, partial)
	}
	var rules, chains, between, coarseRules, coarseChains []uint32
	var weights []float64
	for _, r := range m.rules {
		rules = append(rules, uint32(r.left), uint32(r.right), uint32(r.parent))
		weights = append(weights, r.weight)
	}
	for _, x := range m.chains {
		chains = append(chains, uint32(x.top), uint32(x.bottom), uint32(len(x.between)))
		for _, s := range x.between {
			between = append(between, uint32(s))
		}
		weights = append(weights, x.weight)
	}
	for _, r := range c.rules {
		coarseRules = append(coarseRules, uint32(r.left), uint32(r.right), uint32(r.parent))
		weights = append(weights, r.p)
	}
	for _, x := range c.chains {
		coarseChains = append(coarseChains, uint32(x.top), uint32(x.bottom))
		weights = append(weights, x.p)
	}
	for _, x := range []struct {
		name string
		list []uint32
	}{{"rules", rules}, {"chains", chains}, {"between", between}, {"coarse.rules", coarseRules},
		{"coarse.chains", coarseChains}, {"words.first", m.words.first}, {"words.symbols", m.words.symbols}} {
		if err := w.Uint32s(x.name, x.list); err != nil {
			return err
		}
	}
	if err := w.Float64s("weights", weights); err != nil {
		return err
	}
	if err := w.Float32s("words.counts", m.words.counts); err != nil {
		return err
	}
	if err := w.Strings("symbols", names); err != nil {
		return err
	}
	return w.Strings("words", m.words.words)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var x stored
	if err := r.JSON("grammar", &x); err != nil {
		return err
	}
	names, err := r.Strings("symbols")
	if err != nil {
		return err
	}
	g := &grammar{root: x.Root}
	for i := 0; i+3 < len(names); i += 4 {
		g.symbols = append(g.symbols, constituent.Symbol{Label: names[i], Parent: names[i+1], Before: names[i+2],
			Partial: names[i+3] == "@"})
	}
	n := len(g.symbols)
	if len(names)%4 != 0 || x.Root < 0 || int(x.Root) >= n || len(x.Coarse) != n || x.Size > n || len(x.Whole) != x.Size {
		return kind.Corrupt("symbols", "and the grammar are of different symbols")
	}
	for _, k := range x.Coarse {
		if k < 0 || int(k) >= x.Size {
			return kind.Corrupt("grammar", "has a coarse symbol that is not there")
		}
	}
	g.coarse = coarse{of: x.Coarse, size: x.Size, root: x.Coarse[x.Root], whole: x.Whole}
	if err := g.decode(r, n); err != nil {
		return err
	}
	words, err := decodeWords(r, g)
	if err != nil {
		return err
	}
	m.grammar, m.words, m.rootLabel = g, words, x.RootLabel
	return nil
}

// numbers reads rows of n numbers, of which the first limited ones are below limit.
func numbers(r *kind.Reader, section string, width, limited, limit int) ([]uint32, error) {
	list, err := r.Uint32s(section)
	if err != nil {
		return nil, err
	}
	if len(list)%width != 0 {
		return nil, kind.Corrupt(section, "ends within a row")
	}
	for i, x := range list {
		if i%width < limited && int64(x) >= int64(limit) {
			return nil, kind.Corrupt(section, "has a symbol that is not there")
		}
	}
	return list, nil
}

// decode reads rules and chains over n symbols.
func (g *grammar) decode(r *kind.Reader, n int) error {
	rules, err := numbers(r, "rules", 3, 3, n)
	if err != nil {
		return err
	}
	chains, err := numbers(r, "chains", 3, 2, n)
	if err != nil {
		return err
	}
	between, err := numbers(r, "between", 1, 1, n)
	if err != nil {
		return err
	}
	coarseRules, err := numbers(r, "coarse.rules", 3, 3, g.coarse.size)
	if err != nil {
		return err
	}
	coarseChains, err := numbers(r, "coarse.chains", 2, 2, g.coarse.size)
	if err != nil {
		return err
	}
	weights, err := r.Float64s("weights")
	if err != nil {
		return err
	}
	if len(weights) != len(rules)/3+len(chains)/3+len(coarseRules)/3+len(coarseChains)/2 {
		return kind.Corrupt("weights", "has not one weight a rule")
	}
	for _, x := range weights {
		if !(math.Abs(x) <= 1e6) {
			return kind.Corrupt("weights", "has one that is no number, or far too large")
		}
	}
	next := func() float64 {
		x := weights[0]
		weights = weights[1:]
		return x
	}
	for i := 0; i < len(rules); i += 3 {
		g.rules = append(g.rules, rule{int32(rules[i]), int32(rules[i+1]), int32(rules[i+2]), next()})
	}
	for i := 0; i < len(chains); i += 3 {
		x := chain{top: int32(chains[i]), bottom: int32(chains[i+1]), weight: next()}
		if int64(chains[i+2]) > int64(len(between)) {
			return kind.Corrupt("between", "ends within a chain")
		}
		for _, s := range between[:chains[i+2]] {
			x.between = append(x.between, int32(s))
		}
		between = between[chains[i+2]:]
		g.chains = append(g.chains, x)
	}
	if err := g.coarse.set(coarseRules, coarseChains, next); err != nil {
		return err
	}
	g.index()
	return nil
}

// set sets the rules and chains of a coarse grammar from their symbols; next returns the weight of each in turn.
func (c *coarse) set(coarseRules, coarseChains []uint32, next func() float64) error {
	c.first = make([]int32, c.size+1)
	for i := 0; i < len(coarseRules); i += 3 {
		if i > 0 && coarseRules[i] < coarseRules[i-3] {
			return kind.Corrupt("coarse.rules", "is out of order")
		}
		c.rules = append(c.rules, coarseRule{int32(coarseRules[i]), int32(coarseRules[i+1]), int32(coarseRules[i+2]), next()})
		c.first[coarseRules[i]+1]++
	}
	for i := range c.size {
		c.first[i+1] += c.first[i]
	}
	for i := 0; i < len(coarseChains); i += 2 {
		c.chains = append(c.chains, coarseChain{int32(coarseChains[i]), int32(coarseChains[i+1]), next()})
	}
	return nil
}

// decodeWords reads the lexicon.
func decodeWords(r *kind.Reader, g *grammar) (*lexicon, error) {
	l := &lexicon{}
	var err error
	if l.words, err = r.Strings("words"); err != nil {
		return nil, err
	}
	if l.first, err = r.Uint32s("words.first"); err != nil {
		return nil, err
	}
	if l.symbols, err = numbers(r, "words.symbols", 1, 1, len(g.symbols)); err != nil {
		return nil, err
	}
	if l.counts, err = r.Float32s("words.counts"); err != nil {
		return nil, err
	}
	if len(l.first) != len(l.words)+1 || l.first[0] != 0 || len(l.counts) != len(l.symbols) ||
		int64(l.first[len(l.words)]) != int64(len(l.symbols)) {
		return nil, kind.Corrupt("words", "and their tags are of different lengths")
	}
	for i := range l.words {
		if l.first[i] >= l.first[i+1] {
			return nil, kind.Corrupt("words.first", "falls")
		}
	}
	for _, x := range l.counts {
		if !(x > 0 && x < 1e12) {
			return nil, kind.Corrupt("words.counts", "has a count that is none")
		}
	}
	l.ready(g.symbols)
	return l, nil
}
