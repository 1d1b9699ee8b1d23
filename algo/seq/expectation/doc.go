// Package expectation trains models of labelled segmentations without labels, by what is expected of them:
// constraints on expectations, such as "in is the first word of a booktitle at least half of the time" (Singh,
// Hillard and Leggetter 2010; Bellare, Druck and McCallum 2009).
//
// Constraints are rows of a table. Each is a function g'_i of a segmentation with a target u_i for its expectation over
// all rows. Two distributions are kept close:
//
//	p_λ(s|x) ∝ exp(λ·G(x, s))                  the model
//	q_λμ(s|x) ∝ exp(λ·G(x, s) + μ·G'(x, s))    of all that meet the constraints the one next to p, by KL(q‖p)
//
// and training alternates: μ maximises D(μ) = μ·u − Σ_x log Z_λμ(x)/Z_λ(x), whose gradient is u − E_q[g']; λ maximises
// Σ_x E_q[log p_λ], whose gradient is E_q[G] − E_p[G]. A bound from below keeps μ_i ≥ 0, one from above μ_i ≤ 0.
//
// constraint.go has constraints and reads them, trigger.go finds the tokens that they are about, problem.go makes
// functions of segmentations of them, conflict.go finds those that exclude each other, batch.go and online.go train,
// report.go tells what was reached.
package expectation
