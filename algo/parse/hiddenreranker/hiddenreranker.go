package hiddenreranker

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/boosting"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "hidden_reranker",
		Learns:   "which of the n best trees of a parser is right, by hidden values of words, mixed with boosting",
		Figures:  "English Web Treebank from words, 1,042 trees: F1 69.8, its base `tag_parser` 68.0",
		Revision: 1,
		Doc: "chooses among the n best trees of a parser by log-linear models with hidden values of words, mixed with the " +
			"parser and with boosting",
		Paper: "Koo and Collins 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		candidates        candidates.Options
		boost             boosting.Options
		members, use      []string
		values, subValues int
		normalise         bool
		supersenses       string
		optimizer         string
		epochs, patience  int
		eta, decay, l2    float64
		deviation         float64
		least             int
		heldOut           int
		restarts          int
	}
	members  []*member
	boost    *boosting.Model // nil without
	mixtures []mixture
	likes    []description

	table *constituent.HeadTable
	inUse mixture
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.candidates.Declare(s)
	s.List(&o.members, "members", []string{"lexical/sibling", "pos/head", "highest_nt/head", boosted},
		"what is mixed with the base: models named by what hidden values are values of (lexical: the word; pos: its tag; "+
			"highest_nt: the highest phrase with it as the head; supersense: what supersenses says; none: there are no "+
			"hidden values) and by the edges between words (head: from heads to modifiers; sibling: between neighbours "+
			"below a phrase), and boost: boosting over features of whole trees")
	s.Check("members", func() error { return checkMembers(o.members) })
	s.Int(&o.values, "values", 5, 1, 20, "hidden values of a tag, or of a label of phrases")
	s.Int(&o.subValues, "sub_values", 3, 1, 20, "hidden values of a word, or of a supersense")
	s.Resource(&o.supersenses, "supersenses", "", "lexicon of words with a supersense in the second column, such as "+
		"noun.act; a word may have several, and without any has values of its tag")
	s.Bool(&o.normalise, "normalise_domains", false, "a tree is no better for words that may have more hidden values")
	s.Choice(&o.optimizer, "optimizer", "sgd", []string{"sgd", "lbfgs"},
		"sgd: a step after each sentence; lbfgs: after all")
	s.Int(&o.epochs, "epochs", 20, 1, 1000, "passes over the sentences; the best one by held-out sentences is kept")
	s.Int(&o.patience, "patience", 4, 1, 1000, "passes without a better one after which learning ends")
	s.Float(&o.eta, "eta", 0.05, 1e-5, 10, "length of the steps of sgd at the start")
	s.Float(&o.decay, "decay", 0.2, 0, 10, "steps of sgd are divided by 1 + decay × passes")
	s.Only("eta", "optimizer", "sgd")
	s.Only("decay", "optimizer", "sgd")
	s.Float(&o.l2, "l2", 1e-6, 0, 1, "λ: how much weights are drawn to 0")
	s.Float(&o.deviation, "init_deviation", 0.01, 1e-9, 10, "standard deviation of the weights at the start")
	s.Int(&o.least, "min_sentences", 5, 1, 1000, "a feature of words or edges counts if it occurs in as many sentences")
	s.Int(&o.heldOut, "held_out", 10, 2, 1000,
		"without VALIDATE every nth sentence is not learned from: it chooses "+
			"passes, rounds and the mixture")
	s.Int(&o.restarts, "restarts", 10, 0, 1000, "searches for the mixture from random weights")
	s.List(&o.use, "use", nil, "mix these alone: names of members, and base; without, all of them").In(option.Predict)
	o.boost.Declare(s)
}

func checkMembers(names []string) error {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s stands twice", name)
		}
		if name != boosted {
			if _, _, err := parseMember(name); err != nil {
				return err
			}
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("a member is wanted, such as pos/head")
	}
	return nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	out := m.opt.candidates.Schema()
	out.Defs = []*text.LayerDef{hiddenLayer}
	out.Writes = append(out.Writes, kind.LayerUse{Layer: hiddenLayer.Name})
	out.Relations = []kind.Relation{valueRelation, mixtureRelation}
	if m.opt.supersenses != "" {
		out.Resources = append(out.Resources, kind.Resource{Kind: "lexicon", Name: m.opt.supersenses})
	}
	return out
}

// hiddenLayer is what Annotate tells of words.
var hiddenLayer = &text.LayerDef{Name: "hidden_values", Doc: "hidden values of the words of a tree",
	Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
		{Name: "tok", Type: value.Integer, Doc: "token, 1-based within the sentence"},
		{Name: "member", Type: value.Text, Doc: "hidden-variable model"},
		{Name: "value", Type: value.Text,
			Doc: "of the likeliest assignment to all words of the tree: what it is a value of, and a number"}}}

// senses are the supersenses of words, if a member asks for them.
func (m *model) senses(res kind.Resources) (senses, error) {
	wanted := slices.ContainsFunc(m.opt.members, func(s string) bool { return strings.HasPrefix(s, "supersense/") })
	if !wanted || m.opt.supersenses == "" {
		if wanted {
			return senses{},
				fmt.Errorf("option supersenses: a lexicon of words with supersenses is wanted by the member supersense")
		}
		return senses{}, nil
	}
	l, err := res.Lexicon(m.opt.supersenses)
	return senses{l}, err
}

// ready computes what follows from what was learned.
func (m *model) ready() (err error) {
	if m.table, err = constituent.Heads(m.opt.candidates.Heads); err != nil {
		return err
	}
	if m.boost != nil {
		if err := m.boost.Prepare(&m.opt.boost, &m.opt.candidates); err != nil {
			return err
		}
	}
	m.inUse, err = m.mixtureOf(m.opt.use)
	return err
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for _, x := range m.members {
		n += int64(8*len(x.theta) + 40*(len(x.singles)+len(x.pairs)))
	}
	if m.boost != nil {
		n += m.boost.Bytes()
	}
	return n
}
