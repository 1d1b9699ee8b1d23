// Package rerank learns to choose among the n best analyses of a sentence by boosting (Collins and Koo 2005): whatever
// model made them, and whatever their features are.
//
// # Model
//
// A candidate x has L(x), its log-probability under the model that made it, and a set of features. Its score is
//
//	F(x) = a₀·L(x) + Σ_k a_k·h_k(x),  h_k(x) = 1 if x has feature k, else 0
//
// and the candidate of a list with the highest score is the answer. The candidate of a list that is closest to gold is
// its target x₁; each other one that is worse forms a pair with it, of margin M = F(x₁) − F(x).
//
// # Learning
//
// Each round changes the weight of one feature. With W⁺_k and W⁻_k the sums of the weights w of the pairs whose target
// alone, or whose other candidate alone, has feature k, and Z the sum of all, it is the feature of the greatest
// |√W⁺ − √W⁻|, and the change is ½·log((W⁺ + εZ)/(W⁻ + εZ)) (section 4.4, eq. 17). For the exponential loss
// w = S·exp(−M), where S is what the pair counts; for the logarithmic one w is the probability of the other candidate
// among those of its list (appendix B).
//
// A round touches the pairs with its feature, and their features, alone: indices lead from features to pairs and back,
// and a tournament keeps the best feature. Weights of pairs are whole numbers in a unit of Z/2⁶¹ of the start, so that
// their sums are exact: they do not drift, and are those of a pass over all pairs.
//
// # Files
//
//	store.go       candidates, and pairs of them
//	weigh.go       the weight of a pair under a loss
//	train.go       rounds
//	tournament.go  the feature of the greatest gain
//	model.go       what was learned, and the work it took
package rerank
