package lexical

// Classes is what a model knows of the latent classes of words.
type Classes interface {
	// ClassCount is the number of classes.
	ClassCount() int
	// ClassesOf returns P(class | word) where it is not 0, by rising class, 0-based; nothing for words
	// that the model does not know. The slices may not be changed.
	ClassesOf(word string) (classes []uint32, probs []float64)
}
