// Package relationacquirer is the kind that acquires pairs of nouns in a relation from sentences, by classes of
// words and partial patterns (De Saeger, Torisawa, Tsuchida, Kazama, Hashimoto, Yamada, Oh, Varga and Yan 2011,
// second stage).
//
// The first stage, a model of class_patterns, gives pairs, their classes, and partial patterns: paths from one noun
// up to the verb or adjective that both hang on. A pair of nouns in a sentence is a candidate if its classes are a
// pair of classes of the first stage, and one of the nouns matches a partial pattern of its own role. Its whole path
// may be of any length and need not have been seen before.
//
// Training data are made of these: candidates that are among the first pairs of stage 1 are positive; where only one of
// their nouns matches, the other is exchanged for another noun of the sentence, which makes a negative. A support
// vector machine with the kernel (γ·x·z + 1)^d learns from the words around both nouns and between them, their
// classes and partial patterns, and
//
//	score(n1,n2) = max over the candidates (n1,n2,sentence) of  f(x) = Σ α_i y_i K(x_i,x) + b
//
// candidate.go finds candidates, features.go describes them, learn.go makes training data and the machine, rank.go
// scores all candidates of the text, annotate.go those of a document.
package relationacquirer
