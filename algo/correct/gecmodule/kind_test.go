package gecmodule

import (
	"testing"

	"parlance/algo/correct/correcttest"
	"parlance/algo/correct/ngrams"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// native is counts of generated text without errors.
func native(t testing.TB) kindtest.Resources {
	t.Helper()
	web, err := correcttest.Train(ngrams.Kind(), correcttest.Documents(300, 0, 9), nil, kindtest.Arg("lower", true))
	if err != nil {
		t.Fatal(err)
	}
	return kindtest.Resources{Models: map[string]kind.Trained{"web": web}}
}

func TestKind(t *testing.T) {
	res, web := native(t), kindtest.Arg("ngrams", "web")
	train, all := correcttest.Documents(80, 0.15, 1), correcttest.Documents(3000, 0.15, 2)
	run := func(name, has string, res kind.Resources, opts ...option.Arg) {
		test := correcttest.Having(all, has, 30)
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: train, Test: test, Resources: res, Options: opts})
		})
	}
	has := map[string]string{wordForm: "technological", capitalisation: "friday", style: "n't", spelling: "studetns"}
	for _, m := range moduleNames {
		run(m, has[m], res, kindtest.Arg("module", m), web)
	}
	for _, a := range []string{nb, nbPriors, lr} {
		run("article by "+a, "", res, kindtest.Arg("algorithm", a), web)
	}
	run("without n-grams", "", nil)
}
