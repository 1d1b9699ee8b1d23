package annotation

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "brat", Doc: "texts .txt with the annotations of brat in files .ann beside them, a pair a document; the name " +
		"is the id",
		Layers: []string{"entities", "relations", "words"},
		New:    func() codec.Codec { return &brat{} }},
	{Name: "doccano", Doc: "JSON lines of doccano: spans, relations, labels and metadata",
		Layers: []string{"entities", "relations", "labels"},
		New:    func() codec.Codec { return &doccano{} }},
	{Name: "ecb", Doc: "XML of ECB+ and EventStoryLine: tokens, mentions, coreference, links",
		Layers: []string{"tokens", "sentences", "mentions", "relations", "words"},
		New:    func() codec.Codec { return &ecb{} }},
	{Name: "hf", Doc: "JSON lines or Parquet of data sets for Hugging Face: tokens with tags, or a text with a label; " +
		"classes by name or number",
		Layers: []string{"tokens", "sentences", "entities", "labels"},
		New:    func() codec.Codec { return &hf{} }},
	{Name: "label_studio", Doc: "JSON of Label Studio: tasks with the regions, relations and choices of one annotator, " +
		"or of a model; JSON-MIN",
		Layers: []string{"entities", "relations", "labels"},
		New:    func() codec.Codec { return &labelStudio{} }},
	{Name: "prodigy", Doc: "JSON lines of Prodigy: spans, relations and labels by the answers of one annotator",
		Layers: []string{"entities", "relations", "labels"},
		New:    func() codec.Codec { return &prodigy{} }},
}
