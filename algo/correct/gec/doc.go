// Package gec corrects English by modules, each of which knows one kind of error (package gecmodule; Rozovskaya et al.
// 2014).
//
// All modules look at the text as it was written. What they propose for one edit is put together; a regression, fitted
// to corrected text, makes log-odds of it; edits are chosen so that articles, nouns and verbs agree; then a and an,
// capitals and blanks are set right.
//
// kind.go has the options, collect.go what modules propose, train.go fits regression and threshold, decide.go chooses
// edits, joint.go has the 0/1 program of agreement, annotate.go and explain.go the answers.
package gec
