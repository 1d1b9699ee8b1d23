package samplerank

import (
	"strings"

	"parlance/algo/engine/mcmc"
)

// Objectives of sentences without labels.
const (
	objectiveTruth            = "truth"
	objectiveSelf             = "self"
	objectiveConstraints      = "constraints"
	objectiveSelfConstraints  = "self+constraints"
	objectiveModelConstraints = "model+constraints"
)

var objectives = []string{objectiveTruth, objectiveSelf, objectiveConstraints, objectiveSelfConstraints,
	objectiveModelConstraints}

// byConstraints tells whether the objective has constraints.
func (m *model) byConstraints() bool { return strings.HasSuffix(m.opt.objective, objectiveConstraints) }

// objective is F over all tokens: labelled ones come first and are always compared with gold.
type objective struct {
	labelled    int        // tokens
	truth       mcmc.Truth // gold of labelled tokens, predictions for the others
	unlabelled  mcmc.Preference
	modelWeight float64 // of the score of the model, 0 or 1
}

// objective returns F. Of model+constraints, log p(y|x) + log Z(x) is the score as it stands.
//
//	self                −|{t: y_t ≠ ŷ_t}|
//	constraints         F_c = Σ_i p_i c_i(y),  c_i = 1 where the label is one that is asked for, −1 where it is not
//	self+constraints    self + λ_self · F_c
//	model+constraints   score(y) + λ_model · F_c
func (m *model) objective(labelled int, truth mcmc.Truth, c mcmc.Constraints) objective {
	o := objective{labelled: labelled, truth: truth}
	switch m.opt.objective {
	case objectiveTruth, objectiveSelf:
		o.unlabelled = truth
	case objectiveConstraints:
		o.unlabelled = c
	case objectiveSelfConstraints:
		o.unlabelled = mcmc.Mixture{{Weight: 1, Preference: truth}, {Weight: m.opt.selfConstraints, Preference: c}}
	case objectiveModelConstraints:
		o.unlabelled = mcmc.Mixture{{Weight: m.opt.modelConstraints, Preference: c}}
		o.modelWeight = 1
	}
	return o
}

// prefer is F(y′) − F(y) where token i changes its label from a to b; score is that of the model.
func (o *objective) prefer(i int, a, b int32, score float64) float64 {
	if i < o.labelled {
		return o.truth.Prefer(i, a, b)
	}
	return o.unlabelled.Prefer(i, a, b) + o.modelWeight*score
}
