// Package layers makes layers of documents of what readers find in files, and gives writers of files the rows of layers
// again: tokens with their text (Builder, TokenCells), spans of bytes (Span) and of tags (Tags), trees, mentions,
// relations, labels, and the layer words, which keeps what a file says beyond the other layers (Words, Kept).
package layers
