package pcfg

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"brackets": nil,
		"viterbi":  {kindtest.Arg("decoder", "viterbi"), kindtest.Arg("horizontal", 1)},
		"own tags": {kindtest.Arg("tags", "own"), kindtest.Arg("coarse", 0.0)},
		"plain":    {kindtest.Arg("vertical", 1), kindtest.Arg("tags", "upos"), kindtest.Arg("horizontal", 0)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Phrased(kindtest.Sample(30))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:]})
		})
	}
}
