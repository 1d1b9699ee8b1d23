// Package depparser is the kind of graph-based dependency parsers: the score of a tree is a sum over
// its parts, and the best tree of all is found. Four things are chosen one by one: the features of
// parts (templates.go, score.go), the parts (package tree), the decoder (decoders.go, packages tree,
// chart and dual), and what is learned and how (objective.go, fit.go).
package depparser

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/dual"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "depparser",
		Learns:   "dependency trees: the best of all, with calibrated probabilities",
		Figures:  "English EWT: UAS 89.8, LAS 87.8; with `factorization = model1` 90.1, 88.0",
		Revision: 5,
		Doc: "graph-based dependency parser: finds the best tree under scores of arcs, or of two or three arcs " +
			"together; with features of a translation, if there is one",
		Paper: "McDonald, Crammer and Pereira 2005; Carreras 2007; Koo, Globerson, Carreras and Collins 2007; Koo and " +
			"Collins 2010; Koo et al. 2010; Chen, Kazama and Torisawa 2010; Chen et al. 2011",
		New: func() kind.Model { return &model{} },
	}
}

// Values of options.
const (
	projective    = "projective"
	nonprojective = "nonprojective"

	maxMargin  = "maxmargin"
	logLinear  = "loglinear"
	perceptron = "perceptron"

	secondStage = "second_stage"
	together    = "joint"
	noLabels    = "none"

	standardSet = "standard"
	leanSet     = "lean"
)

type settings struct {
	factorization, trees, roots string
	decoder                     string
	objective, optimizer        string
	features, tag, coarse       string
	c, rate, l2, prune          float64
	epochs, patience, bits      int
	labels                      string
	iterations, subproblems     int
	beta                        float64
	maxLength, minCount, k      int
	memory                      int

	clusters, guide, subtrees string
	prefixes                  []string
	topWords                  int

	history, punct []string
	policy         string
	headTags       int

	bilingual bilingualSettings
}

type model struct {
	kind.Base
	opt     settings
	parser  *parser
	labeler *labeler // nil without labels
	often   []uint64 // hashes of the forms that are frequent, rising; nil for all
	pool    pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.factorization, "factorization", tree.Carreras.String(), tree.Factorizations(), "parts that are scored: "+
		"arcs; pairs of adjacent siblings; these and outermost grandchildren (carreras); all grandchildren (model0); "+
		"grand-siblings (model1); these and three siblings (model2); siblings with ends, without and with the grandparent "+
		"(head_automata, grandparent_sibling)")
	s.Choice(&o.trees, "trees", projective, []string{projective, nonprojective}, "trees without crossing arcs, or all")
	s.Choice(&o.roots, "roots", "single", []string{"single", "multi"}, "how many tokens have the root as their head")
	s.Choice(&o.decoder, "decoder", automatic, decoderNames(), "how the best tree is found; auto: a chart for "+
		"projective trees, cle for arcs of nonprojective ones, dual_decomposition for head automata; mbr: the tree whose "+
		"arcs are likeliest").In(option.Predict)
	s.Choice(&o.objective, "objective", maxMargin, []string{maxMargin, logLinear, perceptron},
		"what is learned: a margin of one for each wrong head, the likelihood of the trees, or that the best tree is right")
	s.Choice(&o.optimizer, "optimizer", automatic, []string{automatic, "mira", "sgd", "eg", "lbfgs"},
		"how it is learned; auto: mira for maxmargin, sgd for the others; eg: exponentiated gradient on the dual of "+
			"maxmargin or loglinear, lbfgs for loglinear, both with l2")
	s.Float(&o.c, "c", 0.01, 1e-9, math.Inf(1), "with mira: the step is at most so large")
	s.Int(&o.k, "k", 1, 1, 100,
		"with mira: constraints of the k best trees in each step; 1: of the tree with the greatest loss")
	s.Float(&o.rate, "rate", 0.05, 1e-9, math.Inf(1),
		"with sgd for loglinear and maxmargin: step of the first epoch; that of epoch e is rate/√e")
	s.Float(&o.l2, "l2", 1, 1e-9, math.Inf(1), "with eg and lbfgs: weight of the penalty ½·l2·‖w‖²; losses are sums")
	s.Int(&o.epochs, "epochs", 10, 1, 1000,
		"passes over the sentences, with lbfgs iterations; with VALIDATE, the best of them is kept")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32,
		"with VALIDATE: ends after this many epochs without a better score; 0: never").Validating()
	s.Choice(&o.features, "features", standardSet, []string{standardSet, leanSet}, "templates of parts")
	s.Text(&o.tag, "tag", "xpos", "column of tokens with the finer tag")
	s.Text(&o.coarse, "coarse_tag", "upos", "column of tokens with the coarser tag; may be the same")
	s.Float(&o.prune, "prune", 0.01, 0, 1, "arcs less likely than this fraction of the likeliest one to a token are left "+
		"out, by a parser of arcs that is learned first; 0 keeps all. Not with factorization = arc")
	s.Int(&o.bits, "bits", 22, 10, 27, "weights of arcs, of pairs and of triples stand in tables of 2^bits places by "+
		"hashed features, those of relations in twice as many, but with factorization = arc")
	s.Int(&o.minCount, "min_feature_count", 1, 1, 255, "features of fewer candidate parts of the treebank get no "+
		"weights; features at one place count together. Not with optimizer = lbfgs")
	s.Choice(&o.labels, "labels", "second_stage", []string{secondStage, together, noLabels},
		"relations are chosen once the heads are known, scored together with the heads, or not at all")
	s.Int(&o.iterations, "iterations", dual.Defaults().Iterations, 1, 1_000_000, "of dual decomposition at most, for "+
		"each subproblem; a tree that is not certified by then is the best one seen").In(option.Predict)
	s.Float(&o.beta, "beta", dual.Defaults().Beta, 0, 1, "with dual decomposition: share of the scores of arcs that "+
		"goes to the trees, to break ties").In(option.Predict)
	s.Int(&o.subproblems, "subproblems", dual.Defaults().Subproblems, 0, 1_000_000,
		"with dual decomposition: branch and bound over at most this many problems makes it exact; 0: off").In(option.Predict)
	s.Int(&o.maxLength, "max_length", 250, 1, math.MaxInt32, "sentences of more tokens are not learned from, and parsed "+
		"from coarse to fine, without prob: by all parts of the arcs that are likely by the scores of arcs alone, the "+
		"prune of training telling which; nonprojective trees by the scores of arcs alone").In(option.Predict)
	s.Int(&o.memory, "chart_memory", 256, 1, 8192, "megabytes that parts and chart of a sentence beyond max_length may "+
		"take: until they do, prune rises").In(option.Predict)
	s.Resource(&o.clusters, "clusters", "", "model of the kind brown, or lexicon whose column bits is the path to the "+
		"cluster of a word: adds features of clusters")
	s.List(&o.prefixes, "prefixes", []string{"4", "6"}, "with clusters: lengths of the prefixes of paths that are "+
		"features, at most 4")
	s.Int(&o.topWords, "top_words", 800, 0, math.MaxInt32, "with clusters: other forms than this many most frequent "+
		"ones are one form to the templates that find heads; with subtrees: only these are joined with sets; 0: all")
	s.Model(&o.guide, "guide", "", "model that writes dependencies: adds features of its trees. It learns from other "+
		"documents, or its trees are better in training than they will be")
	s.Model(&o.subtrees, "subtrees", "", "model of the kind subtrees: adds features of how frequent pairs and triples "+
		"of words are in parsed text")
	s.List(&o.history, "history", nil, "with factorization = carreras: adds features of the modifiers that the chart "+
		"has given both tokens of an arc: between them those of the first (shi) and of the second (thi), outside those of "+
		"the first (sho) and of the second (tho). The search is no longer exact")
	s.Choice(&o.policy, "history_policy", historyPolicies[0], historyPolicies,
		"arcs with a history: those between clauses (dsub), all, those over 3, 5 or 10 tokens and more")
	s.List(&o.punct, "punct_tags", []string{"PUNCT", "PU", ".", ",", ":", "``", "''"},
		"with history: tags, of either column, of the punctuation between clauses")
	s.Int(&o.headTags, "head_tag_count", 10, 1, math.MaxInt32, "with history: how often a tag must be the head of "+
		"another in training for the first to be taken for the head outside an arc")
	m.declareBilingual(s)
	s.Check("history", m.remembers)
	s.Check("prefixes", func() error { _, err := o.prefixLengths(); return err })
	s.Check("optimizer", m.fits)
	s.Check("decoder", m.decodes)
	for _, name := range []string{"tag", "coarse_tag"} {
		s.Check(name, func() error {
			if c := s.Lookup(name).Value(); !slices.Contains(tagColumnNames, c) {
				return fmt.Errorf("%q is no column of tokens for tags: %v", c, tagColumnNames)
			}
			return nil
		})
	}
	m.declareIdle(s)
}

// declareIdle says which options have no effect beside which others.
func (m *model) declareIdle(s *option.Set) {
	o := &m.opt
	s.Only("c", "objective", maxMargin)
	s.Only("c", "optimizer", automatic, "mira")
	s.Idle("rate", func() (string, string) {
		if o.optimizer == "sgd" && o.objective != perceptron || o.optimizer == automatic && o.objective == logLinear {
			return "", ""
		}
		return "belongs to sgd for loglinear and maxmargin; here objective = " + o.objective + ", optimizer = " + o.optimizer,
			"give optimizer = sgd"
	})
	s.Only("l2", "optimizer", "eg", "lbfgs")
	s.Except("min_feature_count", "optimizer", "lbfgs")
	s.Except("prune", "factorization", tree.Arc.String())
	s.Idle("iterations beta subproblems", func() (string, string) {
		if automata(m.factorization()) {
			return "", ""
		}
		return "belongs to dual decomposition; here factorization = " + o.factorization,
			"give factorization = head_automata or grandparent_sibling"
	})
	s.Except("prefixes", "clusters", "")
	s.Idle("top_words", func() (string, string) {
		if o.clusters != "" || o.subtrees != "" {
			return "", ""
		}
		return "has no effect without clusters and subtrees", "give one of them"
	})
	s.Except("history_policy punct_tags head_tag_count", "history", "")
}

var tagColumnNames = []string{"upos", "xpos", "feats", "lemma", "misc"}

func (m *model) columns() tagColumns { return tagColumns{m.opt.tag, m.opt.coarse} }

func (m *model) single() bool { return m.opt.roots == "single" }

func (m *model) factorization() tree.Factorization {
	return tree.Factorization(slices.Index(tree.Factorizations(), m.opt.factorization))
}

// fits tells whether the optimizer can minimise the objective.
func (m *model) fits() error {
	switch o := m.opt; {
	case o.k > 1 && (o.objective != maxMargin || o.optimizer != automatic && o.optimizer != "mira"):
		return fmt.Errorf("k = %d takes objective = maxmargin with optimizer = mira", o.k)
	case o.labels == together && (o.k > 1 || o.optimizer == "eg" || automata(m.factorization())):
		return fmt.Errorf("labels = joint takes charts and cle, with k = 1 and another optimizer than eg")
	case o.k > 1 && len(o.history) > 0:
		return fmt.Errorf("k = %d: a parser with a history has no k best trees", o.k)
	case o.k > 1 && automata(m.factorization()):
		return fmt.Errorf("k = %d: factorization = %s has no k best trees", o.k, o.factorization)
	case automata(m.factorization()) && (o.objective == logLinear || o.optimizer == "eg"):
		return fmt.Errorf(
			"factorization = %s has no probabilities; it is learned by maxmargin or perceptron with mira or sgd",
			o.factorization)
	case o.objective == logLinear && o.optimizer == "mira":
		return fmt.Errorf("mira minimises objective = maxmargin; loglinear takes sgd, eg or lbfgs")
	case o.objective == perceptron && o.optimizer != automatic && o.optimizer != "sgd":
		return fmt.Errorf("%s minimises other objectives; the perceptron takes sgd", o.optimizer)
	case o.objective == maxMargin && o.optimizer == "lbfgs":
		return fmt.Errorf("lbfgs minimises objective = loglinear; maxmargin takes mira, sgd or eg")
	}
	return nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	cols := []string{"form", m.opt.tag}
	if m.opt.coarse != m.opt.tag {
		cols = append(cols, m.opt.coarse)
	}
	use := []kind.LayerUse{{Layer: text.Dependencies.Name}}
	s := kind.Schema{Unit: kind.PerDocument, Reads: []kind.LayerUse{{Layer: text.Tokens.Name, Columns: cols}}, Learns: use,
		Writes: []kind.LayerUse{use[0], {Layer: parsesLayer.Name}, {Layer: arcsLayer.Name}},
		Defs:   []*text.LayerDef{parsesLayer, arcsLayer}, Resources: m.opt.looksInto()}
	if m.sumsRelations() {
		s.Writes, s.Defs = append(s.Writes, kind.LayerUse{Layer: relationsLayer.Name}), append(s.Defs, relationsLayer)
	}
	m.opt.bilingual.schema(&s)
	s.Prob = m.probability()
	if !automata(m.factorization()) && len(m.opt.history) == 0 {
		s.Ranked = []string{text.Dependencies.Name, parsesLayer.Name}
	}
	return s
}

// sumsRelations tells whether arcs have probabilities with each relation.
func (m *model) sumsRelations() bool { return m.opt.labels == together && m.opt.objective == logLinear }

// probability tells what prob is: only a likelihood with a penalty gives weights whose sums over trees mean something.
func (m *model) probability() kind.Probability {
	if o := m.opt; o.objective == logLinear && (o.optimizer == "eg" || o.optimizer == "lbfgs") {
		return kind.Marginal
	}
	return kind.Score
}

// Annotate parses every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	k, err := m.known(run.Resources)
	if err != nil {
		return err
	}
	a := m.pool.get(m)
	defer m.pool.put(a)
	a.known = k
	parse, bare := m.opt.bilingual.unit(docs)
	for _, d := range bare {
		(&output{run: run, trees: text.NewLayer(text.Dependencies)}).set(d, m.labeler != nil)
	}
	for _, d := range parse {
		if err := a.document(ctx, m, d, run); err != nil {
			return err
		}
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := m.parser.bytes()
	if m.labeler != nil {
		n += m.labeler.bytes()
	}
	return n
}
