// Package annotate runs models over documents. A result comes from the cache of predictions if the text, and all else
// that the model reads of a unit, is as it was; else workers compute it, and it is checked before anything reads it.
package annotate
