package kindtest

import (
	"math"
	"testing"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

func TestToysKeepTheContract(t *testing.T) {
	docs := Sample(12)
	pairs := kind.Tables{"pairs": {{value.Str("salt"), value.Str("pepper"), value.Real(2)},
		{value.Str("salt"), value.Str("water"), {}}, {value.Str("bread"), value.Str("butter"), value.Real(1)}}}
	t.Run("partners", func(t *testing.T) {
		Run(t, Case{Kind: TableKind(), Tables: pairs, Gold: pairs, Queries: []Query{
			{Relation: "of", Args: []value.Value{value.Str("salt"), {}}},
			{Relation: "of", Args: []value.Value{value.Str("bred"), {}}, Fails: "bread"}}})
	})
	lex := gazetteer.NewLexicon([]string{"word", "label"}, "exact")
	lex.Add([]string{"the", "a"})
	lex.Add([]string{"the", "b"})
	res := Resources{Lexicons: map[string]kind.Lexicon{"r": lex}, KBs: map[string]kind.KB{"r": entries{}},
		Corpora: map[string]kind.Corpus{"r": Corpus(docs)}}
	for _, k := range []kind.Kind{RuleVotesKind(), LinkerKind(), SearchKind()} {
		of := map[string]string{"rule_votes": "lexicon", "linker": "kb", "searcher": "corpus"}[k.Name]
		t.Run(k.Name, func(t *testing.T) {
			Run(t, Case{Kind: k, Train: docs[:8], Test: docs[8:], Resources: res, Options: []option.Arg{Arg(of, "r")}})
		})
	}
	t.Run("same_words", func(t *testing.T) {
		list, gold := records()
		Run(t, Case{Kind: EntitiesKind(), Train: list, Resumes: true, Clusters: &Clusters{"entities", gold},
			Queries: []Query{{Relation: "members", Args: []value.Value{value.Str(list[0].ID)}}, {Relation: "members",
				Args: []value.Value{value.Str("x")}, Fails: "record"}}})
	})
	t.Run("genres", func(t *testing.T) {
		told := withGenres(docs)
		Run(t, Case{Kind: FieldsKind(), Train: told[:8], Test: told[8:]})
	})
	t.Run("same_names", func(t *testing.T) {
		named := Mentioned(docs)
		Run(t, Case{Kind: NamesKind(), Train: named[:8], Test: named[8:]})
	})
	for _, c := range []Case{{Kind: GroupKind()}, {Kind: CorpusKind()},
		{Kind: RelationKind(), Queries: []Query{{Relation: "starting", Args: []value.Value{value.Str(""), {}}}}},
		{Kind: ParserKind()}, {Kind: LookingKind()}, {Kind: MemoryKind()}, {Kind: InputsKind()}} {
		c.Train, c.Test = docs[:8], docs[8:]
		t.Run(c.Kind.Name, func(t *testing.T) { Run(t, c) })
	}
}

// entries is a knowledge base in which every name means one entity.
type entries struct{ kind.KB }

func (entries) Candidates(alias string) []kind.Candidate {
	return []kind.Candidate{{Entity: "e", Count: 1, Weight: math.NaN()}}
}

func (entries) Column(string, string) value.Value { return value.Str("known") }
