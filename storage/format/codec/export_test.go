package codec

import (
	"context"

	"parlance/algo/text"
)

// ReadInChunks is ReadDocuments with chunks of another size.
func ReadInChunks(ctx context.Context, c Codec, src *Sources, workers, size int,
	emit func([]*text.Document, []string) error) error {
	return readBlocks(ctx, c.(blockReader), src, workers, size, emit)
}

// ReadsBlocks reports whether a codec reads documents that are cut apart first.
func ReadsBlocks(c Codec) bool {
	_, ok := c.(blockReader)
	return ok
}
