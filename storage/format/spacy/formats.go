package spacy

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "spacy", Doc: "data for spaCy: a DocBin (.spacy), JSON lines of texts with entities, the JSON of version 2",
		Layers: []string{"tokens", "sentences", "entities", "dependencies", "labels"},
		New:    func() codec.Codec { return &spacy{} }},
}
