// Package treefeature has features of trees of phrases, to choose among trees (Collins and Koo 2005, section 5.2).
//
// A feature says that something occurs in a tree at least once. A Set names the families that are looked for:
//
//	rules                 VP -> PP VBD! NP NP SBAR: a phrase with its children, ! after the head
//	bigrams               two children next to each other on a side of the head, outwards, with STOP after the last
//	grandparent_rules     a rule with the phrase above
//	grandparent_bigrams   bigrams with the phrase above
//	lexical_bigrams       bigrams with the head words of both
//	two_level_rules       a rule with the whole rule above
//	two_level_bigrams     bigrams with the whole rule above
//	trigrams              three children next to each other, with STOP at both ends
//	head_modifiers        the head with one modifier, the phrase above, and whether they stand side by side
//	pps                   a phrase with a PP: labels and words of the head, the preposition and its object
//	distances             a head with a modifier, and how many words are between their head words
//	closed                all of these but head_modifiers, pps and distances once more, with labels that carry their head
//	                      word if it is of a closed class: determiners, prepositions, pronouns and the like, by their
//	                      tags
package treefeature
