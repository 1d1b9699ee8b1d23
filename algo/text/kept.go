package text

// Ids of rows of the layer words in which readers of files note what they could not put into another layer as it is.
const (
	// PartsRow is of a span of several parts, which the layer holds from its first part to its last. The line is the
	// name of the layer and the parts as offsets in code points, such as "entities 0 5;15 20".
	PartsRow = "PARTS"
	// EmptyRow is of a mention of empty nodes alone, which cover no text and are no row of mentions. The line is the
	// name of the layer and the cluster.
	EmptyRow = "EMPTY"
)
