// Package wikigazetteer is the kind that makes a gazetteer of an encyclopedia (Kazama and Torisawa 2007, sec. 3): every
// title becomes a phrase, and its label is the head of the noun phrase by which the first sentence defines it,
// "guitarist" for "Jimi Hendrix was an American guitarist, singer and songwriter".
//
// # The way of a page
//
// sentence.go finds the defining sentence in the tokens of a page. label.go finds the label in it, by tags and base
// noun phrases: the head of the first phrase behind the first form of "be", or of the second one where the first is "a
// kind", "one", "a type" or "the name of". redirect.go follows pages that lead to others. phrase.go makes phrases of
// titles; what cannot match a name, such as titles of more than eight words, is left out there, so that readers of the
// gazetteer need no rules of their own: leftmost longest match over tokens is all they do. relations.go has what the
// model answers.
//
// Nothing is fitted and nothing random: equal documents give equal bytes.
package wikigazetteer
