package kindtest

import "testing"

func TestToysKeepTheContract(t *testing.T) {
	docs := Sample(12)
	for _, c := range []Case{{Kind: GroupKind()}, {Kind: CorpusKind()}, {Kind: RelationKind()}, {Kind: ParserKind()}, {Kind: LookingKind()}, {Kind: MemoryKind()}, {Kind: InputsKind()}} {
		c.Train, c.Test = docs[:8], docs[8:]
		t.Run(c.Kind.Name, func(t *testing.T) { Run(t, c) })
	}
}
