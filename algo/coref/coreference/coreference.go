// Package coreference is the kind coref: it groups the mentions of a document by what they refer to.
//
// Pairs of a mention and an earlier one are scored by linear weights of features, which are data (algo/feature/place).
// Decoders make clusters of the scores and learners weights of gold clusters (coref/linking): pairs one by one and
// best-link or all-link decoding (Chang et al. 2011), the latent structured perceptron with a model of pronouns (Chang
// et al. 2012), latent left-linking models, their probabilistic form and constraints (Chang, Samdani and Roth 2013),
// and structured local training with biased potentials (Choi and Cardie 2007). Multi-pass rules that learn nothing
// stand beside them (Raghunathan et al. 2010).
//
// A knowledge base may weigh in (Zheng et al. 2013, coref/kblink): features of what the names of the antecedent's
// cluster mean, which changes while clusters grow.
package coreference

import (
	"fmt"
	"slices"
	"sync"

	"parlance/algo/coref/linking"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "coref",
		Learns: "which mentions refer to the same, with links and explanations; a `detector` finds the " +
			"mentions, `kb` links clusters to a knowledge base",
		Figures: "OntoGUM, mean of MUC, B³ and CEAFe: 80 with gold mentions, 81 with WordNet, 65 with those of " +
			"`mention_detector`; rules 72 with gold ones",
		Revision: 1, Starts: true,
		Doc: "groups the mentions of a document by what they refer to, by scores of pairs: best-link, all-link, " +
			"left-linking models",
		Paper: "Chang, Samdani, Rozovskaya, Rizzolo, Sammons and Roth 2011; Chang, Samdani, Rozovskaya, Sammons and Roth " +
			"2012; Chang, Samdani and Roth 2013; Choi and Cardie 2007; Zheng, Vilnis, Singh, Choi and McCallum 2013",
		New: func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt     options
	trained *trained
}

// Options declares the options.
func (m *model) Options(s *option.Set) { m.opt.declare(s) }

// linksLayer has the links that were chosen.
var linksLayer = &text.LayerDef{Name: "links", Doc: "links of mentions to the antecedents that were chosen, from " +
	"which the clusters follow", Columns: []text.Column{
	{Name: "mention", Type: value.Integer, Doc: "mention, 1-based within the document, as in the layer mentions of the " +
		"same answer"},
	{Name: "antecedent", Type: value.Integer, Doc: "the earlier mention that it is linked to"},
	{Name: "score", Type: value.Float, Doc: "score of the link; linked are those above 0, with rules and thresholds"},
}}

// candidatesLayer has the pairs that are linked before clusters are made.
var candidatesLayer = &text.LayerDef{Name: "link_candidates", Doc: "pairs of mentions with a score above 0, before " +
	"clusters are made of them", Columns: []text.Column{
	{Name: "mention", Type: value.Integer, Doc: "mention, 1-based within the document, as in the layer mentions of the " +
		"same answer with singletons = keep"},
	{Name: "antecedent", Type: value.Integer, Doc: "an earlier mention"},
	{Name: "score", Type: value.Float, Doc: "score of the pair, with thresholds"},
}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument, Defs: []*text.LayerDef{linksLayer, candidatesLayer},
		Writes: []kind.LayerUse{{Layer: text.Mentions.Name}, {Layer: linksLayer.Name}, {Layer: candidatesLayer.Name}},
		Learns: []kind.LayerUse{{Layer: text.Mentions.Name}},
		Roles: []kind.Role{{Name: constraintTable.Name, Doc: "pairs of phrases that must corefer or may not",
			Tables:   []kind.TableUse{constraintTable},
			Optional: true, Train: true}}}
	sets, err := m.opt.sets()
	if err != nil {
		return s
	}
	s.Reads = layersOf(sets[:]...)
	s.Reads = slices.DeleteFunc(s.Reads, func(u kind.LayerUse) bool { return u.Layer == text.Mentions.Name })
	places := kind.LayerUse{Layer: text.Mentions.Name, Columns: append(slices.Clone(placeColumns), "kind")}
	if m.opt.detector == "" {
		s.Reads = append(s.Reads, places)
	}
	s.Reads = withLayers(s.Reads, m.opt.reads)
	for _, f := range sets {
		for _, r := range f.set.Resources() {
			if !slices.Contains(s.Resources, r) {
				s.Resources = append(s.Resources, r)
			}
		}
	}
	if m.opt.detector != "" {
		s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: m.opt.detector})
	}
	s.Resources = append(s.Resources, m.opt.resourcesOfKB()...)
	if m.opt.temperatureOf() > 0 {
		s.Prob = kind.Score
	}
	return s
}

// options are what TRAIN and USING set.
type options struct {
	compiled                  *sync.Map // sets by notation
	features, pronounFeatures string
	separate                  bool
	train                     string
	mentions, detector, match string
	reads                     []string
	limit                     int

	passes, runs, bits    int
	rate, decay, l2       float64
	temperature           float64
	missed, false_, wrong float64
	margin                float64
	negatives, positives  string
	prune                 int
	first                 string
	merge                 bool
	averaged              bool
	optimizer             string
	inner                 int
	drop                  string
	exact                 int
	rounds, iterations    int
	variance              float64
	estep, bias, biasForm string
	beta, linkProb        float64
	cache                 int
	tune                  bool
	relaxed               bool
	constraints           []string
	constraintWeight      float64

	method             string
	linkTemperature    float64
	threshold, pronoun float64
	singletons         string

	kb kbOptions
}

const builtinSet = "coref"

func (o *options) declare(s *option.Set) {
	o.compiled = &sync.Map{}
	o.declareInput(s)
	o.declareSteps(s)
	o.declareObjectives(s)
	o.declareDecoding(s)
	o.declareKB(s)
	o.declareUses(s)
}

// declareInput declares features, mentions and their candidates for antecedents.
func (o *options) declareInput(s *option.Set) {
	s.Features(&o.features, "features", builtinSet, "features of an antecedent and a mention: a set over two mentions")
	s.Features(&o.pronounFeatures, "pronoun_features", "", "features of links of pronouns; the same as of others "+
		"unless said").Standing(func() string { return "features" })
	s.Bool(&o.separate, "separate_pronouns", false, "links of pronouns have weights of their own")
	s.Choice(&o.train, "train", "pl3m", []string{"pairs", "latent", "l3m", "pl3m", "structured", "slt"},
		"how weights are learned: pairs one by one, latent perceptron, latent left-linking model, its probabilistic form, "+
			"whole clusters as method makes them, structured local training of a logistic model")
	s.Choice(&o.mentions, "mentions", "gold", []string{"gold", "predicted", "both"}, "mentions that are learned from: "+
		"those with clusters, those of the detector, or both; what is predicted alone is a cluster of its own")
	s.Model(&o.detector, "detector", "", "model that writes mentions: they are grouped in place of those that the "+
		"corpus stores or USING brings")
	s.Choice(&o.match, "match", "relaxed", []string{"exact", "relaxed"}, "predicted mentions that have the cluster of "+
		"a gold one in training: those on the same tokens, or but for determiners, numbers, adverbs and verbs before and "+
		"punctuation and 's after")
	s.List(&o.reads, "reads", nil, "further layers and columns of tokens that the detector reads, such as "+
		"constituents, tokens.misc")
	s.Int(&o.limit, "antecedents", 0, 0, 1<<20,
		"the nearest mentions that may be the antecedent of one. With a limit, time "+
			"and memory are linear in the mentions of a document. 0 stands for all, above 8,192 mentions for as many as "+
			"make 2^25 pairs").In(option.Predict)
}

// declareSteps declares how weights of links are learned.
func (o *options) declareSteps(s *option.Set) {
	s.Int(&o.passes, "passes", 5, 1, 1000, "passes over the documents")
	s.Int(&o.runs, "runs", 1, 1, 100, "trainings with other orders of the documents, whose weights are averaged")
	s.Int(&o.bits, "bits", 20, 8, 24, "weights are a table of 2^bits, twice with separate_pronouns")
	s.Float(&o.rate, "rate", 0.1, 1e-6, 100, "length of the first step")
	s.Float(&o.decay, "decay", 0.5, 0, 100, "steps of pass p, from 0, are divided by 1 + decay·p")
	s.Float(&o.l2, "l2", 0, 0, 1, "weight λ of the penalty λ/2·|w|²; steps are divided by 1 + rate·λ·k as well")
	s.Float(&o.temperature, "temperature", 1, 0, 10, "γ of the probabilities of links in training")
	s.Float(&o.missed, "missed_cost", 1, 0, 100, "cost of linking a mention to nothing that has an antecedent: the "+
		"loss of the root")
	s.Float(&o.false_, "false_cost", 1, 0, 100, "cost of linking the first mention of a cluster")
	s.Float(&o.wrong, "wrong_cost", 1, 0, 100, "cost of a link to another cluster")
	s.Float(&o.margin, "margin", 0, 0, 100, "pairs are learned from whose score is right by at most so much")
	s.Choice(&o.negatives, "negatives", "all", []string{"all", "between"}, "pairs across clusters that are learned: of "+
		"each mention with all before it, or with those after its nearest antecedent")
	s.Choice(&o.positives, "positives", "all", []string{"all", "nearest"}, "pairs inside clusters that are learned: "+
		"all, or of each mention with its nearest antecedent")
	s.Int(&o.prune, "prune", 0, 0, 1<<20, "how far back pairs of a mention are learned: up to this many antecedents of "+
		"its cluster; 0: all mentions before it")
	s.Choice(&o.first, "first_mentions", "all", []string{"all", "none"}, "pairs that are learned of the first mention of "+
		"a cluster")
	s.Bool(&o.merge, "merge_features", false, "a link has also what the latest mention of the antecedent's cluster and "+
		"the mention have in common; the features of all pairs of a document, some 400 bytes each, are then in memory").In(
		option.Train)
}

// declareObjectives declares what the latent models and structured local training add.
func (o *options) declareObjectives(s *option.Set) {
	s.Choice(&o.optimizer, "optimizer", "sgd", []string{"sgd", "cccp"}, "stochastic gradient, or the concave-convex "+
		"procedure, whose objective never rises and whose steps are passes")
	s.Int(&o.inner, "inner", 5, 1, 1000, "passes over the documents within a step of the concave-convex procedure")
	s.Int(&o.rounds, "rounds", 4, 0, 100, "rounds of structured local training after the model of pairs alone; 0 keeps "+
		"that one")
	s.Int(&o.iterations, "iterations", 30, 1, 1000, "iterations of L-BFGS in each round")
	s.Float(&o.variance, "variance", 1, 1e-6, 1e6, "variance σ² of the prior of the weights")
	s.Choice(&o.estep, "estep", "gold", []string{"gold", "tree", "strict", "drop"}, "labels of pairs that the closure "+
		"of the decisions gets wrong: gold, those of a spanning tree, the most probable whose closure is gold; drop is "+
		"gold without the pairs that the closure mends")
	s.Choice(&o.bias, "bias", "none", []string{"none", "nearest", "coreferent"}, "pairs whose potentials are biased in "+
		"training: each mention with its nearest antecedent, or all inside clusters")
	s.Float(&o.beta, "bias_factor", 1.5, 0, 1000, "factor β of the bias")
	s.Choice(&o.biasForm, "bias_form", "weight", []string{"weight", "margin", "literal"}, "β multiplies the "+
		"log-likelihood of the pair, the potential of the wrong label, or both potentials, which changes nothing")
	s.Float(&o.linkProb, "link_prob", 0.5, 0, 1, "pairs above this probability are taken for coreferent in structured "+
		"local training")
	s.Bool(&o.averaged, "average", true, "the mean of the weights after each step is kept")
	s.Bool(&o.tune, "tune", true,
		"thresholds of names, nominals and pronouns are chosen for the score of VALIDATE").Validating()
	s.Int(&o.cache, "cache", 1500, 0, 1<<20, "features that are kept from pass to pass; others are computed anew").Per(
		"MB").In(option.Run)
}

// declareDecoding declares how clusters are made of scores.
func (o *options) declareDecoding(s *option.Set) {
	s.Choice(&o.method, "method", "auto", []string{"auto", "best_link", "closest_link", "all_link", "spanning_forest",
		"closure", "ilp", "sieve", "kb_linking"},
		"how clusters are made: each mention is linked to one antecedent or cluster, to the nearest above 0, the greatest "+
			"sum inside clusters, trees of pairs above 0, all pairs above 0, best links under constraints as a 0/1 program; "+
			"passes of rules without scores; names with a candidate of kb in common. auto is closure for slt, "+
			"else best_link").In(option.Predict)
	s.Choice(&o.drop, "drop", "none", []string{"none", "trans", "eucl", "anti"}, "which transitivity constraint of "+
		"each three mentions all_link goes without").In(option.Predict)
	s.Int(&o.exact, "exact", 14, 1, 40, "all_link is exact for this many mentions joined by pairs above 0, ilp for "+
		"documents of this many; beyond they are greedy").In(option.Predict)
	s.Bool(&o.relaxed, "relaxed", false, "constraints may join what no link of ilp joins").In(option.Predict)
	s.List(&o.constraints, "constraints", nil, "rules that add to scores, as name or name:weight. "+rulesDoc()).In(
		option.Predict)
	s.Float(&o.constraintWeight, "constraint_weight", 100, 0, 1e6, "weight of rules without one of their own; above 99 "+
		"they are obeyed whatever the scores").In(option.Predict)
	s.Float(&o.linkTemperature, "link_temperature", -1, -1, 10, "γ of sums of probabilities over clusters; 0 takes the "+
		"best antecedent, -1 the γ of training").In(option.Predict)
	s.Float(&o.threshold, "threshold", 0, -100, 100, "added to scores of links of names and nominals, besides what "+
		"VALIDATE chose: links are above 0").In(option.Predict)
	s.Float(&o.pronoun, "pronoun_threshold", 0, -100, 100, "the same for links of pronouns").In(option.Predict)
	s.Choice(&o.singletons, "singletons", "auto", []string{"auto", "keep", "drop"}, "clusters of one mention: auto "+
		"keeps them if the documents of the training have some").In(option.Predict)
}

// declareUses declares which options go together.
func (o *options) declareUses(s *option.Set) {
	s.Except("match", "mentions", "gold")
	s.Only("temperature", "train", "pl3m")
	s.Only("margin negatives positives prune first_mentions", "train", "pairs")
	s.Except("merge_features", "train", "slt", "structured")
	s.Except("merge_features", "method", "sieve", "kb_linking")
	s.Only("missed_cost false_cost wrong_cost", "train", "latent", "l3m", "pl3m")
	s.Only("rounds iterations variance estep bias bias_factor bias_form link_prob", "train", "slt")
	s.Except("passes runs rate decay l2 average", "train", "slt")
	s.Except("runs", "optimizer", "cccp")
	s.Only("optimizer", "train", "l3m", "latent")
	s.Only("inner", "optimizer", "cccp")
	s.Except("bias_factor bias_form", "bias", "none")
	s.Only("link_temperature", "method", "auto", "best_link")
	s.Only("drop", "method", "all_link")
	s.Only("exact", "method", "all_link", "ilp")
	s.Only("relaxed", "method", "ilp")
	s.Except("constraints constraint_weight", "method", "sieve", "closure", "kb_linking")
	s.Check("constraints", func() error { _, err := parseConstraints(o.constraints, 1); return err })
	s.Check("features", func() error { _, err := o.sets(); return err })
	s.Check("detector", func() error {
		if o.mentions != "gold" && o.detector == "" {
			return fmt.Errorf("option mentions: %s mentions come from a model, detector = name", o.mentions)
		}
		return nil
	})
}

// sets are the features of links of others and of pronouns.
func (o *options) sets() (out [2]*features, err error) {
	if out[0], err = o.compile(o.features); err != nil {
		return out, err
	}
	if out[1] = out[0]; o.pronounFeatures != "" {
		out[1], err = o.compile(o.pronounFeatures)
	}
	return out, err
}

// compile compiles a set once, as the schema is asked for often.
func (o *options) compile(notation string) (*features, error) {
	if f, ok := o.compiled.Load(notation); ok {
		return f.(*features), nil
	}
	f, err := compile(notation)
	if err == nil {
		o.compiled.Store(notation, f)
	}
	return f, err
}

// decoder is the method that makes clusters.
func (o *options) decoder() string {
	switch {
	case o.method != "auto":
		return o.method
	case o.train == "slt":
		return "closure"
	}
	return "best_link"
}

// temperatureOf is that of decoding.
func (o *options) temperatureOf() float64 {
	switch {
	case o.decoder() != "best_link":
		return 0
	case o.linkTemperature >= 0:
		return o.linkTemperature
	case o.train == "pl3m":
		return o.temperature
	}
	return 0
}

func (o *options) ranking() linking.Ranking {
	r := linking.Ranking{FalseLink: o.false_, MissedLink: o.missed, WrongLink: o.wrong}
	if o.train == "pl3m" {
		r.Temperature = o.temperature
	}
	return r
}
