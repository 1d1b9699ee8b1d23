package kindtest

import (
	"testing"

	"parlance/algo/kind"
	"parlance/storage/value"
)

func TestToysKeepTheContract(t *testing.T) {
	docs := Sample(12)
	pairs := kind.Tables{"pairs": {{value.Str("salt"), value.Str("pepper"), value.Real(2)}, {value.Str("salt"), value.Str("water"), {}}, {value.Str("bread"), value.Str("butter"), value.Real(1)}}}
	t.Run("partners", func(t *testing.T) {
		Run(t, Case{Kind: TableKind(), Tables: pairs, Gold: pairs, Queries: []Query{
			{Relation: "of", Args: []value.Value{value.Str("salt"), {}}}, {Relation: "of", Args: []value.Value{value.Str("bred"), {}}, Fails: "bread"}}})
	})
	for _, c := range []Case{{Kind: GroupKind()}, {Kind: CorpusKind()}, {Kind: RelationKind(), Queries: []Query{{Relation: "starting", Args: []value.Value{value.Str(""), {}}}}}, {Kind: ParserKind()}, {Kind: LookingKind()}, {Kind: MemoryKind()}, {Kind: InputsKind()}} {
		c.Train, c.Test = docs[:8], docs[8:]
		t.Run(c.Kind.Name, func(t *testing.T) { Run(t, c) })
	}
}
