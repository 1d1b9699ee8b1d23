package depparser

import (
	"fmt"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/chart"
	"parlance/algo/parse/tree/dual"
)

// Names of decoders.
const (
	automatic     = "auto"
	eisner        = "eisner"
	cle           = "cle"
	decomposition = "dual_decomposition"
	mbr           = "mbr"
)

func decoderNames() []string { return []string{automatic, eisner, cle, decomposition, mbr} }

// automata tells whether a factorization is one of head automata, whose trees are found by dual
// decomposition.
func automata(f tree.Factorization) bool {
	return f == tree.HeadAutomata || f == tree.GrandparentSibling
}

// usual returns the decoder of a parser where none is chosen.
func (p *parser) usual() string {
	switch {
	case automata(p.factorization):
		return decomposition
	case p.projective:
		return eisner
	}
	return cle
}

// decodes tells whether the decoder finds the trees of the factorization.
func (m *model) decodes() error {
	o, p := m.opt, m.empty()
	switch usual := p.usual(); {
	case !p.projective && p.factorization != tree.Arc && !automata(p.factorization):
		return fmt.Errorf("factorization = %s has charts for trees = projective only; nonprojective takes arc, "+
			"head_automata or grandparent_sibling", o.factorization)
	case o.decoder == automatic || o.decoder == usual:
		return nil
	case o.decoder == mbr && !automata(p.factorization):
		return nil
	case o.decoder == mbr:
		return fmt.Errorf("decoder = mbr needs probabilities, which factorization = %s has not", o.factorization)
	default:
		return fmt.Errorf("decoder = %s does not find the trees of trees = %s with factorization = %s; %s does", o.decoder,
			o.trees, o.factorization, usual)
	}
}

// empty is the parser of the options, without weights.
func (m *model) empty() *parser {
	return &parser{decisions: m.opt.decisions(), factorization: m.factorization(), projective: m.opt.trees == projective,
		single: m.single(), threshold: m.opt.prune,
		search: dual.Options{Iterations: m.opt.iterations, Beta: m.opt.beta, Subproblems: m.opt.subproblems}}
}

// firstOrder is what finds, sums and lists trees of arcs.
type firstOrder interface {
	tree.Decoder
	tree.Summer
	tree.Lister
}

func (p *parser) firstOrder() firstOrder {
	if p.projective {
		return tree.NewEisner(p.single)
	}
	return tree.NewArborescence(p.single)
}

// newDecoder returns what finds the best trees of a parser.
func (p *parser) newDecoder() tree.Decoder {
	switch {
	case p.factorization == tree.Arc:
		return p.firstOrder()
	case automata(p.factorization):
		d, err := dual.New(p.factorization, p.firstOrder(), p.search)
		if err != nil {
			panic(err) // the options have ranges
		}
		return d
	}
	return chart.New(p.factorization, p.single)
}
