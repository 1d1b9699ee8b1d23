// Package attributes finds the words for attributes of a class, such as price and engine for car, in tagged text.
//
// Tokunaga, Kazama and Torisawa 2005, Automatic Discovery of Attribute Words from Web Documents, rank the nouns A of a
// class C by (equation 1)
//
//	V(C,A) = n(C,A) · f(C,A) · t(C,A) · df(A,LD) · idf(A),   idf(A) = ln(|G| / df(A,G))
//
// LD is the documents of the class, those with the class word that BM25 ranks first, or with words for its kinds. n
// counts "A of the C" and "C's A" in LD where A ends its noun phrase, f the same by dependencies in parsed text, t the
// places in LD where A stands alone between two tags of a page, df documents; G is all documents.
//
// The corpus is read twice, and what is held are the counts of the documents of each class. A model keeps the factors
// apart, so that some can be left out, or smoothed, when it is asked.
package attributes
