package learner

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "crfpp", Doc: "data of CRF++ and Wapiti for a chain that was trained here: a token a line, a column for each " +
		"value that its templates read, the label last, a blank line after a sentence",
		Layers: []string{"tokens", "sentences", "chunks",
			"entities", "segments"},
		New: func() codec.Codec { return &crfpp{} }},
	{Name: "crfsuite", Doc: "data of CRFsuite: a label and attributes a line, parted by tabs, a blank line after a " +
		"sequence; the attributes of a token are in misc",
		Layers: []string{"tokens", "sentences", "chunks", "entities", "segments"},
		New:    func() codec.Codec { return &crfsuite{} }},
	{Name: "svmlight", Doc: "data of SVMlight, LIBSVM and LIBLINEAR: a label, then features index:value, a document a " +
		"line; the text is the features",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &svmlight{} }},
}
