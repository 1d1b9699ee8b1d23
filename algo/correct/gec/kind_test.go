package gec

import (
	"testing"

	"parlance/algo/correct/correcttest"
	"parlance/algo/correct/gecmodule"
	"parlance/algo/correct/ngrams"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// names are the models of modules that tests put together.
var names = []string{"article", "preposition", "noun_number", "agreement", "verb_form", "word_form", "punctuation",
	"capitalisation", "style"}

// modules are models of all modules, learned from generated text.
func modules(t testing.TB) kindtest.Resources {
	t.Helper()
	res := kindtest.Resources{Models: map[string]kind.Trained{}}
	var err error
	if res.Models["web"], err = correcttest.Train(ngrams.Kind(), correcttest.Documents(100, 0, 9), nil,
		kindtest.Arg("lower", true)); err != nil {
		t.Fatal(err)
	}
	docs := correcttest.Documents(120, 0.15, 5)
	for _, n := range names {
		if res.Models[n], err = correcttest.Train(gecmodule.Kind(), docs, res, kindtest.Arg("module", n),
			kindtest.Arg("ngrams", "web")); err != nil {
			t.Fatal(n, err)
		}
	}
	return res
}

// list is the option modules.
func list(names ...string) option.Arg {
	a := option.Arg{Name: "modules", List: []option.Arg{}}
	for _, n := range names {
		a.List = append(a.List, option.Arg{Value: value.Str(n)})
	}
	return a
}

func TestKind(t *testing.T) {
	docs := correcttest.Documents(60, 0.15, 1)
	c := kindtest.Case{Kind: Kind(), Train: docs[:45], Test: docs[45:], Resources: modules(t),
		Options: []option.Arg{list(names...)}}
	own := c
	own.Options, own.Train, own.Roles = nil, correcttest.Documents(60, 0.15, 4),
		map[string]kind.Input{target: kind.Documents(c.Train)}
	t.Run("own modules", func(t *testing.T) { kindtest.Run(t, own) })
	kindtest.Variants(t, c, map[string][]option.Arg{
		"default": nil,
		"union":   {kindtest.Arg("combine", union)},
		"alone":   {kindtest.Arg("joint", none)},
		"hard":    {kindtest.Arg("joint", hard)},
	})
}
