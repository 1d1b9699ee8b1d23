// Package mcmc samples from factor graphs: Metropolis-Hastings, Gibbs and multiple-try sampling, with annealing, and
// with estimates from a part of the factors.
//
// A state y has the score Ψ(y), the sum of its log factors, and the probability p(y) ∝ exp Ψ(y). A World is a factor
// graph with its current state; it proposes changes and knows which factors they touch, for all others cancel:
//
//	δ = Ψ(y′) − Ψ(y) = Σ of the factors that the change brings − Σ of those that it takes away
//	accept with min(1, exp(δ) · q(y|y′) / q(y′|y))     to sample from p
//	accept with min(1, exp(δ / τ)), τ falling          to find the most probable state
//
// chain.go runs a world, gibbs.go draws variables given all others, schedule.go has temperatures, sampler.go the
// estimates of δ from a random part of the factors, of a fixed share or up to a confidence interval (Singh, Wick and
// McCallum 2012). The worlds here are partition.go, clusterings under factors of pairs, and labels.go, chains of labels
// with further edges; trees of records are in algo/resolve. samplerank.go learns weights while a chain runs (Singh,
// Yao, Riedel and McCallum 2010), moments.go has means with their errors, and tells whether several chains agree.
package mcmc
