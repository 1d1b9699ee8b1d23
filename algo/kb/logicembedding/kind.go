// Package logicembedding is the kind of soft truth: facts and rules about entities and pairs of
// entities are learned as vectors and matrices in which operators of logic are fixed tensors, so
// that any formula has a value (Rocktäschel, Bošnjak, Singh and Riedel 2014).
package logicembedding

import (
	"context"
	"math"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "logic_embedding",
		Learns: "truth of facts and formulas learned from the facts and rules of a knowledge base: " +
			"`logic.truth('profAt(x) => worksFor(x)')`",
		Figures:  "relations of UMLS: F1 20.2 by facts, 71.6 by rules, 76.3 by both",
		Revision: 1, Starts: true,
		Doc: "truth of facts and formulas about entities and pairs of entities, by embeddings learned from facts and " +
			"rules; or exactly, with or without what rules derive",
		Paper: "Rocktäschel, Bošnjak, Singh and Riedel 2014",
		New:   func() kind.Model { return &model{know: newKnowledge()} },
	}
}

type model struct {
	kind.Base
	know    *knowledge
	emb     *embedding // nil but for variant embed
	hold    *closed    // nil for variant embed
	derived derivation // what the rules derive
	opt     options
}

type options struct {
	variant, loss, negatives, ground, truthMap, forall string
	k, epochs, ruleSamples, replay                     int
	eta, l2, initSD, threshold                         float64
	decay, rules, spare                                bool
}

// The variants.
const (
	embedded     = "embed"
	exact        = "exact"
	forwardChain = "forward_chain"
)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.variant, "variant", embedded, []string{embedded, exact, forwardChain}, "embed learns vectors; exact "+
		"takes the facts that hold as true and all others as false; forward_chain adds to them what the rules derive")
	s.Int(&o.k, "k", 0, 0, 500, "length of the vectors; 0 takes 4 for up to 100 pairs and 50 for more")
	s.Int(&o.epochs, "epochs", 100, 1, math.MaxInt32, "passes over facts, negatives and instances of rules")
	s.Float(&o.eta, "eta", 0.05, 1e-9, 1, "learning rate")
	s.Bool(&o.decay, "decay", false, "the learning rate falls to 0 in equal steps from epoch to epoch")
	s.Float(&o.l2, "l2", 0.05, 0, 1e6, "penalty: each step takes eta·l2 of the values that it touches off")
	s.Float(&o.initSD, "init_sd", 0.1, 1e-9, 1, "standard deviation of the values before the first step")
	s.Choice(&o.loss, "loss", "norm", []string{"norm", "squared"},
		"distance of the value from the true or false vector, or its square, whose steps are cut where they would overshoot")
	s.Choice(&o.negatives, "negatives", "sampled", []string{"listed", "sampled", "all", "none"},
		"what is false: listed takes the facts whose truth is false, sampled also a random pair and relation without a "+
			"true fact for each true fact anew in each epoch, all every pair and relation without a true fact; none takes "+
			"nothing, so that all drifts to true")
	s.Bool(&o.spare, "spare_derived", false, "negatives = sampled and all leave out what the rules derive from the facts")
	s.Bool(&o.rules, "rules", true, "learns from the rules; false leaves them to the relations violations and derived")
	s.Require(func() bool { return o.rules || !o.spare }, "spare_derived = true needs rules = true")
	s.Choice(&o.ground, "ground", "all", []string{"all", "active"}, "instances of rules: all over known pairs, or only "+
		"those whose condition holds by the facts and what the rules derive, far fewer where variables join")
	s.Int(&o.ruleSamples, "rule_samples", 0, 0, math.MaxInt32,
		"instances of each rule in an epoch, drawn anew; 0 takes all")
	s.Int(&o.replay, "replay", 1, 0, 1000, "with init: items of what the first model knew, for each new item of an epoch")
	s.Choice(&o.truthMap, "truth_map", "clamp", []string{"clamp", "cosine", "first"},
		"truth of a value (t, f): clamp is (t − f + 1)/2, cosine that of the angle to (1, 0), first is t; all kept "+
			"within 0 and 1").In(option.Predict)
	s.Choice(&o.forall, "forall", "min", []string{"min", "mean"},
		"truth of a formula with variables: the least or the mean of its instances").In(option.Predict)
	s.Float(&o.threshold, "threshold", 0.5, 0, 1, "truth from which on a formula holds").In(option.Predict)
}

// Schema tells the tables and relations.
func (m *model) Schema() kind.Schema {
	return kind.Schema{
		Unit:   kind.PerDocument,
		Tables: []kind.TableUse{triplesTable, rulesTable, relationsTable},
		Scores: []kind.TableUse{scoresTable},
		Relations: []kind.Relation{truthRelation, predictRelation, violationsRelation, explainRelation, pairsRelation,
			derivedRelation},
	}
}

var triplesTable = kind.TableUse{Name: "triples", Doc: "facts; without an object a fact is about the subject alone",
	Columns: []kind.Column{
		{Name: "subject", Type: value.Text, Doc: "entity"}, {Name: "relation", Type: value.Text, Doc: "name of the relation"},
		{Name: "object", Type: value.Text, Optional: true, Doc: "entity; NULL or empty for a fact about the subject alone"},
		{Name: "weight", Type: value.Float, Optional: true, Doc: "of the loss of the fact, 1 if NULL; 0 leaves it out"},
		{Name: "truth", Type: value.Boolean, Optional: true, Doc: "false for what does not hold; NULL is true"}}}

var rulesTable = kind.TableUse{Name: "rules", Optional: true, Doc: "formulas that hold", Columns: []kind.Column{
	{Name: "rule", Type: value.Text, Doc: "formula"},
	{Name: "weight", Type: value.Float, Optional: true, Doc: "of the loss of each instance, 1 if NULL; 0 leaves it out"}}}

var relationsTable = kind.TableUse{Name: "relations", Optional: true,
	Doc: "relations that rules may name although no fact has them", Columns: []kind.Column{
		{Name: "relation", Type: value.Text, Doc: "name of the relation"}}}

var scoresTable = kind.TableUse{Name: "triples", Doc: "facts to find true or false", Columns: []kind.Column{
	{Name: "subject", Type: value.Text, Doc: "entity"}, {Name: "relation", Type: value.Text, Doc: "name of the relation"},
	{Name: "object", Type: value.Text, Optional: true, Doc: "entity; NULL or empty for a fact about the subject alone"},
	{Name: "truth", Type: value.Boolean, Optional: true, Doc: "NULL is true"}}}

var formulaArg = []kind.Arg{{Name: "formula", Type: value.Text, Doc: "formula, with variables or without"}}

var truthRelation = kind.Relation{Name: "truth", Doc: "truth of a formula", Args: formulaArg, Columns: []kind.Column{
	{Name: "formula", Type: value.Text, Doc: "the formula as it was read"},
	{Name: "truth", Type: value.Float,
		Doc: "0 to 1; NULL if a pair is unknown, or a formula with variables has no instance"},
	{Name: "holds", Type: value.Boolean, Doc: "whether the truth reaches the threshold"}}}

var predictRelation = kind.Relation{Name: "predict",
	Doc: "facts about the pairs and entities that are known, the truest first",
	Args: []kind.Arg{{Name: "relation", Type: value.Text, Optional: true, Doc: "of this relation only"},
		{Name: "subject", Type: value.Text, Optional: true, Doc: "about this subject only"},
		{Name: "object", Type: value.Text, Optional: true, Doc: "about this object only"}},
	Columns: []kind.Column{{Name: "subject", Type: value.Text, Doc: "entity"},
		{Name: "relation", Type: value.Text, Doc: "relation"},
		{Name: "object", Type: value.Text, Doc: "entity, NULL for a fact about the subject alone"},
		{Name: "truth", Type: value.Float, Doc: "0 to 1"},
		{Name: "stated", Type: value.Boolean, Doc: "what the training data say, NULL for nothing"}}}

var violationsRelation = kind.Relation{Name: "violations", Doc: "how far the rules hold", Columns: []kind.Column{
	{Name: "rule", Type: value.Text, Doc: "the rule"}, {Name: "weight", Type: value.Float, Doc: "its weight"},
	{Name: "instances", Type: value.Integer, Doc: "instances over known pairs, the first 1048576 at most"},
	{Name: "mean", Type: value.Float, Doc: "mean truth of the instances, NULL without any"},
	{Name: "min", Type: value.Float, Doc: "least truth, NULL without any"},
	{Name: "rate", Type: value.Float, Doc: "share of the instances that do not reach the threshold, NULL without any"}}}

var explainRelation = kind.Relation{Name: "explain",
	Doc: "values of a formula and of the formulas in it, operands first; of one with variables, for its least " +
		"true instance", Args: formulaArg, Columns: []kind.Column{
		{Name: "formula", Type: value.Text, Doc: "formula within the formula"},
		{Name: "operator", Type: value.Text, Doc: "atom, not, and, or, xor, =>, <=>"},
		{Name: "depth", Type: value.Integer, Doc: "operators around it"},
		{Name: "truth", Type: value.Float, Doc: "0 to 1; NULL where a pair is unknown"},
		{Name: "true_part", Type: value.Float, Doc: "first component of the value, unbounded"},
		{Name: "false_part", Type: value.Float, Doc: "second component"},
		{Name: "slope", Type: value.Float, Doc: "derivative of t − f of the whole formula by t − f of this one"}}}

var pairsRelation = kind.Relation{Name: "pairs", Doc: "pairs and entities that facts are about; others are unknown",
	Columns: []kind.Column{
		{Name: "subject", Type: value.Text, Doc: "entity"},
		{Name: "object", Type: value.Text, Doc: "entity, NULL for an entity alone"},
		{Name: "true_facts", Type: value.Integer, Doc: "facts that hold"},
		{Name: "false_facts", Type: value.Integer, Doc: "facts that do not"}}}

var derivedRelation = kind.Relation{Name: "derived",
	Doc: "what the rules derive from the facts by forward chaining, in order of derivation", Columns: []kind.Column{
		{Name: "subject", Type: value.Text, Doc: "entity"}, {Name: "relation", Type: value.Text, Doc: "relation"},
		{Name: "object", Type: value.Text, Doc: "entity, NULL for a fact about the subject alone"},
		{Name: "truth", Type: value.Boolean, Doc: "whether the fact or its negation is derived"},
		{Name: "rule", Type: value.Text, Doc: "the rule that derived it first"},
		{Name: "round", Type: value.Integer, Doc: "number of steps from the facts"},
		{Name: "conflict", Type: value.Boolean, Doc: "whether the opposite is a fact or derived too"}}}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// object is a slot of a pair as text, NULL for none.
func (k *knowledge) object(id int32) value.Value {
	if id == logic.None {
		return value.Value{}
	}
	return value.Str(k.entities.Name(id))
}
