// Package resource reads and writes what models look up: lexicons, gazetteers, n-grams, word vectors, and the tables of
// knowledge bases, WordNet among them.
package resource
