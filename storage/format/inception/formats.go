package inception

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "inception", Doc: "TSV (version 3) and UIMA CAS XMI of INCEpTION and WebAnno: tokens with their columns, " +
		"dependencies, chunks, spans, relations, chains; a file a document, whose name is the id",
		Layers: []string{"tokens", "sentences", "chunks",
			"entities", "dependencies", "mentions", "relations"},
		New: func() codec.Codec { return &inception{} }},
}
