// Package lemmatizer is the kind that writes the lemmas of tokens by rules of edits, learned from the column lemma.
//
// A rule makes a lemma of a form. It cuts characters off both ends, puts others in their place and sets the case:
//
//	lemma = case(before + form[cut_before : n − cut_after] + after)
//
// The rule of a form and its lemma keeps their longest common substring (Straka, Straková and Hajič 2019, section 4.3,
// with fewer patterns of case); a pair without one has the lemma itself for a rule. Words that were seen with their
// tags have the rule that they most often had (rule.go, dictionary.go). For others a linear classifier over the rules
// decides, by the ends of the form, its case and its tags, each with a weight for each rule:
//
//	rule = argmax_r Σ_k w[f_k, r]        f_k the features of the form and its tags
//
// w is an averaged perceptron over the different pairs of form and tags (Freund and Schapire 1999), so that frequent
// irregular words count once. features.go has the features, train.go the training, annotate.go the answers.
package lemmatizer
