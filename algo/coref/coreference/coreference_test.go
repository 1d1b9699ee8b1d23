package coreference

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestKind(t *testing.T) {
	train, test := sample(14), sample(5)
	for name, opts := range map[string][]option.Arg{
		"pl3m": {kindtest.Arg("train", "pl3m")},
		"l3m":  {kindtest.Arg("train", "l3m"), kindtest.Arg("l2", 1e-4), kindtest.Arg("separate_pronouns", true)},
		"latent": {kindtest.Arg("train", "latent"), kindtest.Arg("decay", 0), kindtest.Arg("runs", 2),
			kindtest.Arg("passes", 2)},
		"pairs":    {kindtest.Arg("train", "pairs")},
		"limited":  {kindtest.Arg("antecedents", 3), kindtest.Arg("cache", 0)},
		"cccp":     {kindtest.Arg("train", "l3m"), kindtest.Arg("optimizer", "cccp"), kindtest.Arg("l2", 1e-4)},
		"slt":      {kindtest.Arg("train", "slt"), kindtest.Arg("rounds", 2), kindtest.Arg("bias", "nearest")},
		"all":      {kindtest.Arg("train", "structured"), kindtest.Arg("method", "all_link")},
		"forest":   {kindtest.Arg("train", "structured"), kindtest.Arg("method", "spanning_forest")},
		"sieve":    {kindtest.Arg("method", "sieve")},
		"ruled":    {kindtest.Arg("constraints", "property_mismatch"), kindtest.Arg("mentions", "gold")},
		"all link": {kindtest.Arg("train", "pairs"), kindtest.Arg("method", "all_link")},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("bits", 11)), Train: train,
				Test: test, Resumes: name != "sieve"})
		})
	}
}

func TestKindWithAKnowledgeBase(t *testing.T) {
	w := newWorld().add("Ann", "Ann_(queen)", 2).add("Ann", "Ann_Lee", 1).add("Bob", "Bob_Roe", 1).add("Eve", "Ann_Lee",
		1).add("the man", "Bob_Roe", 1)
	w.types["Bob_Roe"], w.types["Ann_Lee"] = []string{"old man", "person"}, []string{"woman"}
	for name, opts := range map[string][]option.Arg{
		"dynamic": {},
		"gold":    {kindtest.Arg("kb_rollin", "gold"), kindtest.Arg("passes", 2)},
		"latent":  {kindtest.Arg("train", "latent"), kindtest.Arg("separate_pronouns", true)},
		"pairs":   {kindtest.Arg("train", "pairs"), kindtest.Arg("runs", 2), kindtest.Arg("passes", 2)},
		"static": {kindtest.Arg("kb_mode", "static"), kindtest.Arg("train", "l3m"), kindtest.Arg("l2", 1e-4),
			kindtest.Arg("method", "all_link")},
		"cccp":    {kindtest.Arg("train", "l3m"), kindtest.Arg("optimizer", "cccp"), kindtest.Arg("l2", 1e-4)},
		"none":    {kindtest.Arg("kb_mode", "none")},
		"linking": {kindtest.Arg("method", "kb_linking")},
		"merged": {kindtest.Arg("merge_features", true), kindtest.Arg("method", "closest_link"),
			kindtest.Arg("train", "pairs"), kindtest.Arg("margin", 1),
			kindtest.Arg("l2", 1e-4), kindtest.Arg("prune", 3), kindtest.Arg("first_mentions", "none"),
			kindtest.Arg("separate_pronouns", true)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t,
				kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("bits", 11), kindtest.Arg("kb", "wiki")),
					Train: sample(14), Test: sample(5),
					Resumes: name != "linking", Resources: resources(w)})
		})
	}
}
