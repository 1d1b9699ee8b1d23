package entityresolver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/engine/mcmc"
	"parlance/algo/option"
	"parlance/algo/resolve/hierarchy"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
)

// The models.
const (
	pairwiseModel     = "pairwise"
	hierarchicalModel = "hierarchical"
	layeredModel      = "layered"
)

// options are the options with what is parsed of them.
type options struct {
	attributeTexts, blockingTexts []string
	attributes                    []record.Attribute
	blocking                      record.Blocking
	canopy                        int

	model, weights, sampler, evaluation, proposal string
	bias                                          float64
	proportion, width, z                          float64
	least                                         int

	sweeps, merge, samples, every int
	chains                        int
	first, last, temperature      float64
	schedule                      string
	seconds                       float64
	l2                            float64
	epochs                        int
	rate, margin                  float64
	pairs                         int
	rootCost, nodeCost, ideal     float64
	excludeSelf                   bool
	maxDepth                      int
	scoring                       string
	shards, rounds                int
	subBias, superBias            float64
	layers                        string
}

// declare declares the options.
func (o *options) declare(s *option.Set) {
	s.List(&o.attributeTexts, "attributes", []string{"name trigrams"},
		"columns that are compared, each as 'column type [weights]'; types and their weights: name (equal, initial, "+
			"different), "+
			"string (equal, different), number tolerance (near, both), words, list (of items between semicolons) "+
			"and trigrams (cosine, both)")
	s.Check("attributes", func() (err error) {
		o.attributes, err = record.ParseAttributes(o.attributeTexts)
		if err == nil && slices.ContainsFunc(o.attributes,
			func(a record.Attribute) bool { return reserved(a.Column) }) {
			err = errors.New("id and entity are columns with a meaning of their own and are not compared")
		}
		return err
	})
	s.List(&o.blockingTexts, "blocking", nil,
		"keys that records must share to be compared, one of them at least: columns, "+
			"initial(column), prefix(column, n), joined by +, or words(column); none compares all with all")
	s.Check("blocking", func() (err error) {
		o.blocking, err = record.ParseBlocking(o.blockingTexts)
		return err
	})
	s.Int(&o.canopy, "max_block", 0, 0, 1<<30, "keys that more records share are not used; 0 for any number")
	s.Choice(&o.model, "model", pairwiseModel, []string{pairwiseModel, hierarchicalModel, layeredModel},
		"pairwise: factors of pairs of records; hierarchical: trees of sub-entities whose nodes sum up what is below; "+
			"layered: sub-entities, entities and super-entities under factors of pairs")
	s.Choice(&o.weights, "weights", "hand", []string{"hand", "logistic", "samplerank"},
		"where weights and bias come from: the options, a logistic regression on pairs that are known, or SampleRank")
	s.Float(&o.bias, "bias", .05, -50, 50,
		"what the score of a pair must exceed to speak for one entity; larger makes more entities")
	o.declareSampler(s)
	o.declareLearning(s)
	o.declareTrees(s)
	o.declareLayers(s)
}

func reserved(column string) bool {
	return strings.EqualFold(column, "id") || strings.EqualFold(column, "entity")
}

func (o *options) declareSampler(s *option.Set) {
	s.Choice(&o.sampler, "sampler", "exact", mcmc.Strategies,
		"factors of a proposal that are evaluated: all, a share, or as many as a confidence interval takes")
	s.Float(&o.proportion, "proportion", .2, 1e-6, 1, "share of the factors of each side")
	s.Float(&o.width, "width", .5, 0, 1000, "width of the confidence interval of the mean factor of a side")
	s.Float(&o.z, "z", 1.96, 0, 100, "standard errors to each side of the interval")
	s.Int(&o.least, "least", 20, 1, 1000000, "factors of a side that are evaluated at least; too few stop by accident")
	s.Choice(&o.evaluation, "evaluation", "auto", pairwise.Evaluations,
		"how all factors are added up: pair by pair, with sums of vectors of entities, with the matrix of a block; "+
			"the results are equal")
	s.Choice(&o.proposal, "proposal", "auto", []string{"auto", "partner", "cluster", "gibbs"},
		"partner: a record moves to the entity of a record drawn from its block; cluster: to an entity drawn from it; "+
			"gibbs: it is drawn into one of all entities of its block by what each scores, which takes longer a step "+
			"and finds more; auto: gibbs in blocks of at most 1,024 records whose factors are in a matrix, else partner")
	s.Int(&o.merge, "merge", 16, 0, 1000, "whole entities of at most this many records are moved too; 0: never")
	s.Int(&o.sweeps, "sweeps", 20, 1, 1000000,
		"sweeps of annealing, with a proposal for each record; of model = layered in each round and level")
	s.Float(&o.first, "temperature", .3, 1e-6, 1000, "temperature of the first sweep")
	s.Float(&o.last, "temperature_end", .1, 1e-6, 1000, "temperature of the last sweep")
	s.Choice(&o.schedule, "schedule", "geometric", []string{"geometric", "linear"}, "how the temperature falls")
	s.Int(&o.samples, "samples", 20, 0, 1000, "states sampled after annealing, whose shares are prob")
	s.Int(&o.chains, "chains", 1, 1, 100,
		"chains run alike with other random numbers: the best state is kept, prob is over the samples of all, and the "+
			"relation convergence tells how far they agree")
	s.Int(&o.every, "every", 1, 1, 10000, "sweeps from one sampled state to the next")
	s.Float(&o.temperature, "sample_temperature", .1, 1e-6, 1000,
		"temperature of the sampled states; 1 is the model itself")
	s.Float(&o.seconds, "seconds", 0, 0, 1e9,
		"time after which the best state so far is kept, which is not the same in each run; 0 for no end").Per("s")
	s.Only("proportion", "sampler", "uniform")
	s.Only("width z", "sampler", "confidence")
	s.Only("least", "sampler", "uniform", "confidence")
	s.Only("sampler merge samples chains", "model", pairwiseModel)
	s.Only("evaluation proposal", "model", pairwiseModel, layeredModel)
	s.Check("evaluation", func() error {
		if o.sampler != "exact" && o.evaluation != "auto" && o.evaluation != "pairs" {
			return errors.New("sampled factors are those of pairs; give evaluation = pairs or leave it out")
		}
		return nil
	})
	s.Except("every sample_temperature", "samples", "0")
}

func (o *options) declareLearning(s *option.Set) {
	s.Float(&o.l2, "l2", 1, 0, 1e6, "penalty on the weights of the logistic regression")
	s.Int(&o.pairs, "pairs", 100000, 10, 100000000, "pairs that weights are learned from at most, drawn at random")
	s.Int(&o.epochs, "epochs", 20, 1, 100000, "sweeps of learning by SampleRank")
	s.Float(&o.rate, "rate", .1, 1e-9, 1000, "step of SampleRank")
	s.Float(&o.margin, "margin", 1, 0, 1000, "by how much the better state must score higher in SampleRank")
	s.Only("l2 pairs", "weights", "logistic")
	s.Only("epochs rate margin", "weights", "samplerank")
}

func (o *options) declareTrees(s *option.Set) {
	s.Float(&o.rootCost, "root_cost", -7, -1000, 0, "log factor of each entity")
	s.Float(&o.nodeCost, "node_cost", -8, -1000, 0, "log factor of each sub-entity")
	s.Float(&o.ideal, "ideal_children", 8, 1, 1000,
		"children that a node has at best: its factor is 1 / (|children − ideal| + 1)")
	s.Bool(&o.excludeSelf, "exclude_self", true, "a node is compared with its parent without the node itself")
	s.Choice(&o.scoring, "scoring", "local", []string{"local", "exact"},
		"factors of a proposal: of the edges that change, or also of edges whose parent has other words then")
	s.Int(&o.maxDepth, "max_depth", 16, 2, 64, "depth of trees")
	s.Check("attributes", func() error {
		n := 0
		for _, a := range o.attributes {
			if a.Type > record.String {
				n++
			}
		}
		if o.model == hierarchicalModel && n > hierarchy.MostBags {
			return fmt.Errorf("%d attributes are numbers, words, lists or trigrams; there may be %d", n,
				hierarchy.MostBags)
		}
		return nil
	})
	s.Only("max_depth root_cost node_cost ideal_children exclude_self scoring", "model", hierarchicalModel)
}

func (o *options) declareLayers(s *option.Set) {
	s.Int(&o.shards, "shards", 4, 1, 100000,
		"shards of each round, sampled independently; another number gives another result, workers do not")
	s.Int(&o.rounds, "rounds", 10, 1, 100000, "rounds of sampling in shards and distributing anew")
	s.Float(&o.subBias, "sub_bias", .25, -50, 50, "bias of sub-entities, above bias")
	s.Float(&o.superBias, "super_bias", -.05, -50, 50, "bias of super-entities, below bias")
	s.Choice(&o.layers, "layers", "combined", []string{"entities", "sub", "super", "combined"},
		"layers beside the entities: none, sub-entities, super-entities, both")
	s.Only("shards rounds sub_bias super_bias layers", "model", layeredModel)
}

// sampling are the options of the pairwise chain.
func (o *options) sampling(seed uint64) pairwise.Options {
	p := pairwise.Options{Merge: o.merge, Sweeps: o.sweeps, Samples: o.samples, Every: o.every,
		Temperature: o.temperature, Seed: seed,
		Schedule: mcmc.Schedule{First: o.first, Last: o.last, Linear: o.schedule == "linear"}}
	p.Sampler = mcmc.Sampler{Strategy: mcmc.Strategy(slices.Index(mcmc.Strategies, o.sampler)),
		Proportion: o.proportion, Width: o.width, Z: o.z, Least: o.least}
	p.Evaluation = pairwise.Evaluation(slices.Index(pairwise.Evaluations, o.evaluation))
	if p.Sampler.Strategy != mcmc.Exact {
		p.Evaluation = pairwise.Pairs
	}
	p.Chains, p.Proposal = o.chains, mcmc.ByPartner
	switch {
	case o.proposal == "cluster":
		p.Proposal = mcmc.ByCluster
	case o.proposal == "gibbs":
		p.Gibbs = math.MaxInt
	case o.proposal == "auto" && (p.Evaluation == pairwise.Auto || p.Evaluation == pairwise.Dense):
		p.Gibbs = pairwise.MostDense
	}
	return p
}

// columns are the columns of the table of records besides id and entity.
func (o *options) columns() []string {
	var out []string
	for _, a := range o.attributes {
		if !slices.Contains(out, a.Column) {
			out = append(out, a.Column)
		}
	}
	for _, c := range o.blocking.Columns() {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
