// Package plain reads and writes texts as they are, or with few marks in them: lines, articles, tags around spans,
// words with their tag after a slash, sentences with their translation, with their corrections, or with one relation.
package plain
