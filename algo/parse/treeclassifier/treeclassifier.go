// Package treeclassifier is the kind of support vector machines over trees of phrases: it classifies documents, or
// pairs of marked phrases in them, by the subtrees that they share (Kazama and Torisawa 2005). No features are written
// by hand.
package treeclassifier

import (
	"cmp"
	"context"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/treekernel"
	"parlance/algo/parse/treesvm"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "tree_kernel",
		Learns:   "documents by the subtrees of their trees, or pairs of marked phrases; `prob` is a score",
		Figures:  "ARG2 among PropBank roles, 8,000 trees: F1 88.6 with `kernel = partial`",
		Revision: 1,
		Doc: "support vector machines over trees of phrases: classify documents (labels) by the subtrees that they " +
			"share, whole trees or such with marked phrases",
		Paper: "Kazama and Torisawa 2005",
		New:   func() kind.Model { return &model{trained: trained{vectors: &treesvm.Vectors{}}} },
	}
}

type model struct {
	kind.Base
	opt struct {
		family, tags, marks, method        string
		decay, c, tolerance, ratio         float64
		words, normal                      bool
		size, searches, cache, kept, shown int
	}
	trained
	kernel treekernel.Kernel
	trees  []*treekernel.Prepared // the support vectors
	scale  []float64
	names  *treekernel.Alphabet
	free   sync.Pool // of evaluators
}

// trained is what is stored.
type trained struct {
	labels   []string
	vectors  *treesvm.Vectors
	subtrees []treesvm.Subtree
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.family, "kernel", "subset_tree", treekernel.Families(), "which subtrees count: subtree: a node "+
		"with all below it; "+
		"subset_tree: whole productions; partial: any children of a node, in their order")
	s.Float(&o.decay, "decay", 0.2, 0.001, 1, "λ: what a production more in a subtree takes from its weight, or a "+
		"node with kernel = partial")
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos", "none"}, "column of tokens that gives the labels "+
		"above words; none: words stand below phrases")
	s.Bool(&o.words, "words", true, "words are leaves, in lower case; false: tags are")
	s.Require(func() bool { return o.words || o.tags != "none" }, "trees without tags and words have no leaves: "+
		"words = true, or other tags, are wanted")
	s.Choice(&o.marks, "marks", "none", []string{"none", text.Entities.Name}, "none: all subtrees count; entities: "+
		"the highest "+
		"phrase of the tokens of each entity is marked with its label, and only subtrees with a mark count")
	s.Bool(&o.normal, "normalise", true, "kernels are divided by the square roots of those of each tree with itself")
	s.Float(&o.c, "c", 10, 1e-4, 1e6, "C, what an error in training costs")
	s.Float(&o.tolerance, "tolerance", 1e-3, 1e-9, 0.1, "training ends when the optimality conditions hold to so "+
		"much")
	s.Choice(&o.method, "method", "mined", []string{"mined", "kernel"}, "mined: shared subtrees are searched "+
		"first, and kernels "+
		"are products of vectors; kernel: all are found from the trees. The models are the same but for rounding")
	s.Int(&o.size, "size", 10, 1, 100, "trees that share a subtree of this many nodes or productions are compared "+
		"without vectors")
	s.Float(&o.ratio, "ratio", 20, 1, 1e6, "as are those with a subtree in more places than this for each tree "+
		"that has it")
	s.Int(&o.searches, "searches", 50_000_000, 1, 2_000_000_000, "subtrees that are looked at, at most; where "+
		"there are more, the relation subtrees is empty, and training goes "+
		"on as with method = kernel")
	s.Int(&o.kept, "subtrees", 1000, 1, 1_000_000, "subtrees in the relation for each class, those with the "+
		"largest weights")
	s.Int(&o.shown, "subtree_size", 3, 1, 20, "nodes of these with kernel = partial, else productions, at most; "+
		"with kernel = subtree all are")
	s.Except("subtree_size", "kernel", "subtree")
	s.Only("size", "method", "mined")
	s.Only("ratio", "method", "mined")
	s.Int(&o.cache, "cache", 256, 1, 65536, "megabytes of kernels that are kept in training")
}

var subtrees = kind.Relation{Name: "subtrees", Doc: "shared subtrees that speak most for or against a class, those " +
	"of the largest weights first", Columns: []kind.Column{
	{Name: "class", Type: value.Text, Doc: "label"},
	{Name: "subtree", Type: value.Text, Doc: "in brackets; one of the smallest of those that occur in the same " +
		"trees equally often"},
	{Name: "weight", Type: value.Float, Doc: "what an occurrence adds to the score of the class, before the " +
		"division by the kernel of the tree with itself; where several occur in the same trees, together"},
	{Name: "support", Type: value.Integer, Doc: "support vectors that have it"},
	{Name: "subtrees", Type: value.Integer, Doc: "how many occur in the same trees equally often"}}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	labels := kind.LayerUse{Layer: text.Labels.Name}
	s := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score, Learns: []kind.LayerUse{labels},
		Writes: []kind.LayerUse{labels},
		Ranked: []string{labels.Layer},
		Reads: []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", m.opt.tags}},
			{Layer: text.Constituents.Name}},
		Relations: []kind.Relation{subtrees}}
	if m.opt.tags == "none" {
		s.Reads[0].Columns = []string{"form"}
	}
	if m.opt.marks != "none" {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: m.opt.marks})
	}
	return s
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return m.vectors.Bytes() }

// Open opens the subtrees.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if name != subtrees.Name {
		return nil, kind.ErrNoRelation
	}
	return kind.RowsOf(subtrees, func(yield func([]value.Value) bool) {
		for _, x := range m.subtrees {
			if !yield([]value.Value{value.Str(m.labels[x.Class]), value.Str(x.Text), value.Real(x.Weight),
				value.Int(int64(x.Support)),
				value.Int(int64(x.Subtrees))}) {
				return
			}
		}
	}), nil
}

// ready makes the support vectors ready for kernels.
func (m *model) ready(ctx context.Context) error {
	family, err := treekernel.ParseFamily(m.opt.family)
	if err != nil {
		return err
	}
	m.kernel = treekernel.Kernel{Family: family, Decay: m.opt.decay, Marked: m.opt.marks != "none"}
	m.names = treekernel.NewAlphabet()
	m.trees, m.scale = nil, nil
	m.free.New = func() any { return treekernel.NewEvaluator(m.kernel) }
	e := treekernel.NewEvaluator(m.kernel)
	e.Within(ctx)
	for _, s := range m.vectors.Shapes {
		t, err := s.TreeWithin(ctx, m.names)
		if err != nil {
			return err
		}
		p := m.kernel.Prepare(t)
		scale, err := e.Scale(p, m.opt.normal)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		m.trees, m.scale = append(m.trees, p), append(m.scale, scale)
	}
	return nil
}
