// Package spacy reads and writes data for spaCy: DocBins, which are MessagePack in zlib, lines of JSON with texts and
// entities, and the JSON of version 2.
package spacy
