package depparser

import (
	"fmt"

	"parlance/algo/tree"
	"parlance/algo/tree/chart"
)

// Names of decoders.
const (
	automatic = "auto"
	eisner    = "eisner"
	cle       = "cle"
	mbr       = "mbr"
)

func decoderNames() []string { return []string{automatic, eisner, cle, mbr} }

// decodes tells whether the decoder finds the trees of the factorization.
func (m *model) decodes() error {
	o := m.opt
	arcs := m.factorization() == tree.Arc
	switch {
	case o.trees == nonprojective && !arcs:
		return fmt.Errorf("trees = nonprojective takes factorization = arc, not %s", o.factorization)
	case o.decoder == eisner && o.trees == nonprojective:
		return fmt.Errorf("eisner finds projective trees; trees = nonprojective takes cle or mbr")
	case o.decoder == cle && o.trees == projective:
		return fmt.Errorf("cle finds nonprojective trees; trees = projective takes eisner or mbr")
	}
	return nil
}

// newDecoder returns what finds the best trees of a parser.
func (p *parser) newDecoder() tree.Decoder {
	switch {
	case !p.projective:
		return tree.NewArborescence(p.single)
	}
	if p.factorization == tree.Arc {
		return tree.NewEisner(p.single)
	}
	return chart.New(p.factorization, p.single)
}
