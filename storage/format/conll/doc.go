// Package conll reads and writes a token a line in columns: the formats of the shared tasks CoNLL, from chunks (2000)
// to coreference (2012), CoNLL-U of Universal Dependencies and its kin. What the layers do not hold of a file is kept
// in the layer words, so that it is written back as it was.
package conll
