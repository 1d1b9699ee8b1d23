// Package tokenizer is the kind that cuts text into sentences and tokens, as annotated text cuts it.
//
// White space always ends a token; one of the input that holds some is learned as its parts. What stands between two
// white spaces, a chunk, is cut as it was most often cut where it was seen (chunk.go). The characters of other chunks
// are labelled B, where a token begins, or I, by a conditional random field over windows of characters, their classes,
// and the runs of letters or digits around them (characters.go). Then the tokens of a paragraph are labelled B, where a
// sentence begins, or I, by another one over windows of tokens, their shapes and the white space before them
// (sentences.go). A blank line ends a paragraph, and every paragraph ends a sentence. A document of several paragraphs
// is learned from once more as one, so that text without blank lines is read too. With x the characters of a chunk, or
// the tokens of a paragraph, and y their labels, both are
//
//	p(y|x) ∝ exp(Σ_t w·f(x, t, y_t) + v[y_{t−1}, y_t])
//
// as kind crf fits it (Lafferty, McCallum and Pereira 2001; of token boundaries Evang, Basile, Chrupała and Bos 2013).
// The frame of taggers, algo/seq/tagger, does both: what is labelled becomes a document whose tokens are characters, or
// whose sentences are paragraphs.
package tokenizer
