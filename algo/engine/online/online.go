// Package online learns weights of sparse features, one example after the other.
//
// An update moves the weights along a difference of feature vectors, Δ = Φ(x, y) − Φ(x, z), of the gold output y and of
// another, z. With gap = w·Δ and loss ℓ(y, z), w += α·Δ where
//
//	perceptron          α = 1 if gap ≤ 0                      (Collins 2002)
//	margin              α = 1 if gap ≤ C
//	loss-augmented      α = 1 if gap < ℓ
//	passive-aggressive  α = min(C, max(0, ℓ − gap) / |Δ|²)    (Crammer et al. 2006, PA-I)
//	MIRA                α_j of the least change with w·Δ_j ≥ ℓ_j for all of k outputs, 0 ≤ α_j ≤ C
//	Pegasos             α = η = 1/(λ·t) if gap < ℓ, after w ← (1 − η·λ)·w
//
// A latent update is the same with derivations: y is the best one that has the gold output, z the best of all.
//
// The mean of the weights after each of N steps is kept lazily: with u = Σ_k (k−1)·Δ_k it is w − u/N, so that a step
// costs no more than the features that it moves.
//
// vector.go has sparse vectors, weights.go the weights with their mean, rule.go the updates by one output, mira.go
// those by several, pegasos.go the subgradient method, rows.go weights of pairs of which few are ever moved,
// shrinking.go weights under a penalty with their mean.
package online

import "errors"

// ErrNotFinite tells that an update would lead to weights that are not finite. It is not made.
var ErrNotFinite = errors.New("an update is not finite")
