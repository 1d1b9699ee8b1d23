package web

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "mediawiki", Doc: "XML dumps of wikis, their markup reduced to text; categories are labels",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &mediawiki{} }},
}
