package srl

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:   "srl",
		Learns: "predicates, senses, arguments and roles, from dependency trees; `prob` is a score",
		Figures: "English Web Treebank, as CoNLL-2009 scores: F1 86.2 with gold trees, 81.1 with those of " +
			"`depparser`",
		Revision: 1,
		Doc: "finds predicates, their senses, their arguments and roles in trees of dependencies, by maximum entropy over " +
			"features of pairs of tokens",
		Paper: "Zhao et al. 2009",
		New:   func() kind.Model { return &model{} },
	}
}

type options struct {
	predicates, tags, features, found, sense, candidates, spans string
	maxUp, epochs, cutoff, trees, senseFolds                    int
	stop, unique, selects                                       bool
	noneBias, rate, l2, share                                   float64
}

// label none is that of candidates that are no arguments; with stop_label there is one more, before the roles.
const (
	none = 0
	stop = 1
)

const stopLabel = "(stop)"

// pairHeader is how a set of features of pairs begins.
const pairHeader = "over (p token, a token, f span(roles))"

type model struct {
	kind.Base
	opt    options
	finder *frame.Finder
	labels []string // "" is none
	core   []int    // by label: the number of a core role, −1
	pairs  *frame.Softmax
	set    *place.Set
	counts [][3]string // sense, role, how often
	trace  []choice
	wide   bool      // arguments of the training had several tokens
	free   sync.Pool // of *worker
}

// predicateLayer is a layer of its own.
var predicateLayer = &text.LayerDef{Name: "predicates", Doc: "predicates with their senses", Columns: []text.Column{
	{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
	{Name: "tok", Type: value.Integer, Doc: "token, 1-based within the sentence"},
	{Name: "form", Type: value.Text, Role: text.OfToken, Doc: "word form"},
	{Name: "lemma", Type: value.Text, Doc: "lemma, as the model takes it"},
	{Name: "sense", Type: value.Text, Doc: "sense of the predicate"}}}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.predicates, "predicates", "found", []string{"found", "given"}, "found: among the tokens; given: those of "+
		"the layer roles, as in the shared task of CoNLL-2009").In(option.Predict)
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos"},
		"column of tokens with the tags; sets of features that are "+
			"built in read it")
	s.Features(&o.features, "features", "roles", "features of a predicate and a candidate: a set over (p token, a token, "+
		"f span(roles)), where f.sense is the sense of the predicate")
	s.Check("features", func() error { _, err := o.pairs(); return err })
	s.Text(&o.found, "predicate_features", "default",
		"features of a token that may be a predicate, a set over (p token); "+
			"default: those of the tokens around and of the place in the tree; window: of the tokens alone")
	s.Text(&o.sense, "sense_features", "default", "features that tell senses apart, each joined with the lemma, as above")
	s.Check("predicate_features", func() error { _, err := o.settings(); return err })
	s.Choice(&o.candidates, "candidates", "walk_grandchildren", []string{"walk", "walk_grandchildren", "children", "all"},
		"walk: the predicate and its children, its head with its children, and so on up; walk_grandchildren: the children "+
			"of the predicate's children as well; children: those of the predicate; all: every token")
	s.Int(&o.maxUp, "max_up", 0, 0, 100, "heads that the walk goes up, 0: to the root")
	s.Except("max_up", "candidates", "children", "all")
	s.Bool(&o.stop, "stop_label", false, "a label ends the candidates of a predicate after its last argument")
	s.Bool(&o.unique, "unique_core", true, "a predicate has each core role (A0, ARG1, …) once at most").In(option.Predict)
	s.Float(&o.noneBias, "none_bias", 0, -10, 10, "what is added to the score of none: below 0 more arguments are found, "+
		"and more of them wrong").In(option.Predict)
	s.Int(&o.trees, "trees", 1, 1, 10, "best trees whose features count; those of further trees stand for themselves")
	s.Int(&o.senseFolds, "sense_folds", 0, 0, 20,
		"parts of the training data whose senses, as features, come from models "+
			"of the other parts, as senses are when the model serves; 0: gold senses")
	s.Int(&o.epochs, "epochs", 10, 1, 100, "passes over the training data")
	s.Float(&o.rate, "rate", 0.1, 1e-4, 10, "step of AdaGrad")
	s.Float(&o.l2, "l2", 0.02, 0, 10, "penalty ½·l2·w² each time that a feature is seen")
	s.Int(&o.cutoff, "cutoff", 2, 1, 100, "how often a feature is seen at least")
	s.Bool(&o.selects, "select", false,
		"templates are chosen by greedy search: those that help alone are added one by one, "+
			"then those that the others make up for are dropped, until nothing changes; the relation templates has the trace")
	s.Float(&o.share, "select_share", 0.1, 0.001, 1,
		"share of the sentences that the search uses; a quarter of them, each "+
			"fourth, is held out and scored")
	s.Only("select_share", "select", "true")
	s.Choice(&o.spans, "spans", "learned", []string{"learned", "head", "subtree", "constituent"},
		"tokens of an argument: "+
			"learned: head if all arguments of the training were one token, else subtree; head: its head; subtree: from the "+
			"first to the last token below it, without the predicate; constituent: the largest constituent with "+
			"that head that does not hold the predicate").In(option.Predict)
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	roles := kind.LayerUse{Layer: text.Roles.Name}
	s := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score, Learns: []kind.LayerUse{roles},
		Writes: []kind.LayerUse{roles, {Layer: predicateLayer.Name}}, Defs: []*text.LayerDef{predicateLayer},
		Relations: []kind.Relation{senseRelation, frameRelation, templateRelation}}
	set, err := m.opt.settings()
	if err != nil {
		return s
	}
	pairs, err := m.opt.pairs()
	if err != nil {
		return s
	}
	s.Reads = frame.Reads(m.opt.tags, append(set.Sets(), pairs)...)
	arcs := slices.IndexFunc(s.Reads, func(u kind.LayerUse) bool { return u.Layer == text.Dependencies.Name })
	if arcs < 0 {
		arcs = len(s.Reads)
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Dependencies.Name})
	}
	s.Reads[arcs].Columns = []string{"sent", "tok", "head", "deprel"}
	if m.opt.trees > 1 {
		s.Reads[arcs].NBest = m.opt.trees
	}
	if m.opt.spans == "constituent" && !slices.ContainsFunc(s.Reads, func(u kind.LayerUse) bool {
		return u.Layer == text.Constituents.Name
	}) {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Constituents.Name})
	}
	if set.Given {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: roles.Layer, Columns: []string{"sent", "predicate"}})
	}
	for _, x := range append(set.Sets(), pairs) {
		for _, r := range x.Resources() {
			if !slices.Contains(s.Resources, r) {
				s.Resources = append(s.Resources, r)
			}
		}
	}
	return s
}

// settings are how predicates are found.
func (o *options) settings() (frame.Settings, error) {
	named := func(notation string, built map[string]string) string {
		if n, ok := built[notation]; ok {
			return n
		}
		return notation
	}
	s := frame.Settings{Tags: o.tags, Given: o.predicates == "given",
		Found: named(o.found, map[string]string{"default": frame.WindowAndTree, "window": frame.Window}),
		Sense: named(o.sense, map[string]string{"default": frame.SenseWindowAndTree, "window": frame.SenseWindow}),
		Fit:   frame.Fit{Epochs: o.epochs, Rate: o.rate, L2: o.l2, Cutoff: 1}}
	return s, s.Compile()
}

// pairs is the set of features of pairs.
func (o *options) pairs() (*place.Set, error) {
	notation := o.features
	if n, ok := place.Builtin(notation); ok {
		if notation = n; o.tags != "xpos" {
			notation = strings.ReplaceAll(notation, ".xpos", "."+o.tags)
		}
	}
	set, err := place.Parse(notation)
	if err != nil {
		return nil, err
	}
	if set.Header() != pairHeader {
		return nil, fmt.Errorf("features of arguments are %s, not %s", pairHeader, set.Header())
	}
	return set, nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return m.finder.Bytes() + m.pairs.Bytes() + int64(len(m.counts))*96 }

// ready computes what follows from what was learned.
func (m *model) ready() {
	m.core = slices.Repeat([]int{-1}, len(m.labels))
	if m.opt.unique {
		m.core = frame.Cores(m.labels)
	}
	m.free = sync.Pool{New: func() any { return &worker{m: m} }}
}
