// Package classpatterns is the kind that acquires pairs of nouns in a relation from seed patterns, by patterns that
// hold between classes of words (De Saeger, Torisawa, Tsuchida, Kazama, Hashimoto, Yamada, Oh, Varga and Yan 2011,
// first stage), with Espresso (Pantel and Pennacchiotti 2006) to compare with.
//
// Patterns are the paths of a store of tuples, in both directions. With I(p;c,c') the pairs of nouns of pattern p whose
// nouns are of classes c and c', and S the seed patterns,
//
//	Para(p;c,c')  = |I(p;c,c') ∩ I(S;c,c')| / |I(p;c,c') ∪ I(S;c,c')|
//	CScore(c,c')  = |I(S;c,c')| / max_(d,d') |I(S;d,d')|
//	Score(n1,n2)  = max over p, c of n1, c' of n2:  CScore·Para·Assoc(n1,p,n2)
//
// with Assoc the discounted mutual information of pair and pattern over its maximum, floored at 0. The paper refers to
// another one for this stage, so its factors can be switched. similarity = ratio has |I∩S|/(|I|+smooth) for Para.
//
// index.go reads pairs and patterns, cdp.go and espresso.go rank, relations.go lists the instances with their evidence,
// the patterns and the partial patterns that they are made of.
package classpatterns
