package format

// spacyFormats are the formats of the family.
var spacyFormats = []*Format{
	{Name: "spacy", Doc: "data for spaCy: a DocBin (.spacy), JSON lines of texts with entities, the JSON of version 2",
		Layers: []string{"tokens", "sentences", "entities", "dependencies", "labels"},
		new:    func() Codec { return &spacy{} }},
}
