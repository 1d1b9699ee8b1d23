package format

// webFormats are the formats of the family.
var webFormats = []*Format{
	{Name: "mediawiki", Doc: "XML dumps of wikis, their markup reduced to text; categories are labels",
		Layers: []string{"labels"},
		new:    func() Codec { return &mediawiki{} }},
}
