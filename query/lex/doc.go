// Package lex turns text into tokens: keywords, names, literals and signs, each with its place.
//
// A Scanner returns one token after another; participle reads its tokens, and so does code that needs no tree. Statement
// scans one whole statement and checks the limits on its length. Script splits a script into statements, and Cut finds
// where a shell has to act in text that is being typed. Which tokens may follow each other is no matter of this package:
// the grammar is in package parse.
package lex
