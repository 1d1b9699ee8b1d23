package argumentrecognizer

import (
	"cmp"
	"context"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/frame"
	"parlance/algo/parse/treekernel"
	"parlance/algo/parse/treesvm"
	"parlance/algo/text"
)

// Marks of the predicate and of an argument.
const (
	predicateMark = "0"
	argumentMark  = "1"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "argument_recognizer",
		Learns:   "predicates, senses, arguments and roles, from marked trees of phrases; `prob` is a score",
		Figures:  "120 sentences of the English Web Treebank: F1 79.7 without roles, 49.7 with unweighted marks",
		Revision: 1,
		Doc: "finds predicates, their senses, their arguments among the phrases of a tree, and roles, by support vector " +
			"machines over marked trees",
		Paper: "Kazama and Torisawa 2006, 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type options struct {
	predicates, tags, family, candidates, method, recognition      string
	decay, gamma, c, roleC, roleGamma, tolerance, negatives, ratio float64
	above, apart, classify                                         bool
	trees, roleTrees, size, searches, cache, shown, kept           int
}

type model struct {
	kind.Base
	opt      options
	found    *frame.Finder
	vectors  *treesvm.Vectors // of the recogniser: one class
	labels   []string
	roles    *treesvm.Vectors  // of the roles, nil without
	subtrees []treesvm.Subtree // class 0 is that of arguments, the others are labels

	kernel, roleKernel treekernel.Kernel
	names              *treekernel.Alphabet
	supports           []support
	roleSupports       []support
	free               sync.Pool // of *worker
}

// support is a support vector ready for kernels.
type support struct {
	tree  *treekernel.Prepared
	scale float64
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.predicates, "predicates", "found", []string{"found", "given"}, "found: among the tokens; given: those of "+
		"the layer roles").In(option.Predict)
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos"}, "column of tokens that gives the labels above words")
	s.Choice(&o.family, "kernel", "partial", treekernel.Families()[1:], "which subtrees count: subset_tree: whole "+
		"productions; partial: any children of a node, in their order")
	s.Float(&o.decay, "decay", 0.2, 0.001, 1, "λ: what a node more in a subtree takes from its weight, or a production")
	s.Float(&o.gamma, "mark_weight", 4000, 1, 1e6, "γ: what a mark multiplies the weight of a subtree by")
	s.Float(&o.c, "c", 12, 1e-4, 1e6, "C of the machine that finds arguments, what an error in training costs")
	s.Float(&o.negatives, "negatives", 0.2, 0.001, 1, "share of the nodes that are no arguments that training takes, at "+
		"random")
	s.Choice(&o.candidates, "candidates", "highest", []string{"highest", "all"}, "highest: of nodes over the same tokens "+
		"the highest; all: every node, words too")
	s.Bool(&o.above, "above", false, "phrases that hold the predicate are candidates as well")
	s.Bool(&o.apart, "non_overlap", true, "no argument is above another one; false: all nodes with a score above 0 are "+
		"arguments").In(option.Predict)
	s.Choice(&o.recognition, "recognition", "fast", []string{"fast", "plain"}, "fast: kernels of all nodes at once, with "+
		"kernel = partial; plain: node by node. The answers are the same but for rounding").In(option.Predict)
	s.Bool(&o.classify, "classify", true, "arguments get roles; false: the label ARG")
	s.Float(&o.roleC, "role_c", 10, 1e-4, 1e6, "C of the machines of roles")
	s.Float(&o.roleGamma, "role_mark_weight", 1, 1, 1e6, "γ of the machines of roles")
	s.Only("role_c", "classify", "true")
	s.Only("role_mark_weight", "classify", "true")
	s.Int(&o.trees, "trees", 4000, 2, 200_000, "examples of the machine that finds arguments, at most: of more documents "+
		"the first ones are taken. Time grows with the square")
	s.Int(&o.roleTrees, "role_trees", 4000, 2, 200_000, "examples of the machines of roles, at most, spread over the "+
		"documents")
	s.Only("role_trees", "classify", "true")
	s.Float(&o.tolerance, "tolerance", 1e-3, 1e-9, 0.1, "training ends when the optimality conditions hold to so much")
	s.Choice(&o.method, "method", "mined", []string{"mined", "kernel"}, "mined: shared subtrees are searched first, and "+
		"kernels are products of vectors; kernel: all are found from the trees. The models are the same but for rounding")
	s.Int(&o.size, "size", 10, 1, 100, "trees that share a subtree of this many nodes or productions are compared "+
		"without vectors")
	s.Float(&o.ratio, "ratio", 20, 1, 1e6,
		"as are those with a subtree in more places than this for each tree that has it")
	s.Int(&o.searches, "searches", 50_000_000, 1, 2_000_000_000, "subtrees that are looked at, at most; where there are "+
		"more, the relation subtrees is empty, and training goes on as with method = kernel")
	s.Int(&o.shown, "subtree_size", 3, 1, 20, "nodes of a subtree in the relation subtrees with kernel = partial, else "+
		"productions, at most")
	s.Int(&o.kept, "subtrees", 200, 1, 1_000_000,
		"subtrees in the relation for each label, those with the largest weights")
	for _, name := range []string{"size", "ratio"} {
		s.Only(name, "method", "mined")
	}
	s.Int(&o.cache, "cache", 256, 1, 65536, "megabytes of kernels that are kept in training")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	roles := kind.LayerUse{Layer: text.Roles.Name}
	s := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score, Learns: []kind.LayerUse{roles},
		Writes:    []kind.LayerUse{roles},
		Relations: []kind.Relation{subtreeRelation}}
	set, err := m.opt.settings()
	if err != nil {
		return s
	}
	s.Reads = append(frame.Reads(m.opt.tags, set.Sets()...), kind.LayerUse{Layer: text.Constituents.Name})
	if set.Given {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: roles.Layer, Columns: []string{"sent", "predicate"}})
	}
	return s
}

// settings are how predicates are found.
func (o *options) settings() (frame.Settings, error) {
	s := frame.Settings{Tags: o.tags, Found: frame.Window, Sense: frame.SenseWindow, Given: o.predicates == "given",
		Fit: frame.Fit{Epochs: 6, Rate: 0.1, L2: 1e-3, Cutoff: 1}}
	return s, s.Compile()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := m.found.Bytes() + m.vectors.Bytes() + int64(len(m.subtrees))*128
	if m.roles != nil {
		n += m.roles.Bytes()
	}
	return n
}

// weights gives both marks a weight.
func weights(gamma float64) map[string]float64 {
	if gamma == 1 {
		return nil
	}
	return map[string]float64{predicateMark: gamma, argumentMark: gamma}
}

// ready makes the support vectors ready for kernels.
func (m *model) ready(ctx context.Context) error {
	family, err := treekernel.ParseFamily(m.opt.family)
	if err != nil {
		return err
	}
	m.kernel = treekernel.Kernel{Family: family, Decay: m.opt.decay, Marked: true, Weights: weights(m.opt.gamma)}
	m.roleKernel = m.kernel
	m.roleKernel.Weights = weights(m.opt.roleGamma)
	m.names = treekernel.NewAlphabet()
	m.free = sync.Pool{New: func() any {
		return &worker{m: m, find: treekernel.NewEvaluator(m.kernel), name: treekernel.NewEvaluator(m.roleKernel)}
	}}
	m.supports, m.roleSupports = nil, nil
	for _, of := range []struct {
		v    *treesvm.Vectors
		k    treekernel.Kernel
		list *[]support
	}{{m.vectors, m.kernel, &m.supports}, {m.roles, m.roleKernel, &m.roleSupports}} {
		if of.v == nil {
			continue
		}
		e := treekernel.NewEvaluator(of.k)
		e.Within(ctx)
		for _, s := range of.v.Shapes {
			p := of.k.PrepareAll(s.Tree(m.names))
			scale, err := e.Scale(p, true)
			if err = cmp.Or(ctx.Err(), err); err != nil {
				return err
			}
			*of.list = append(*of.list, support{p, scale})
		}
	}
	return nil
}
