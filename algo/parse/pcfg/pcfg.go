package pcfg

import (
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "pcfg",
		Learns:   "trees of phrases by a grammar, in a second; `prob` is exact marginals",
		Figures:  "English Web Treebank: F1 80.0 with gold tags, 77.1 from words",
		Revision: 1,
		Doc: "parser of phrase structure by a context-free grammar read off a treebank, with probabilities of phrases: " +
			"trained in seconds",
		Paper: "Johnson 1998; Klein and Manning 2003; Goodman 1996; Huang and Chiang 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		tags                 string
		vertical, horizontal int
		tagParents           bool
		coarse, cost         float64
		decoder              string
		maxLength            int
	}
	*grammar  `state:",always"`
	Words     *lexicon `state:"words,always"`
	RootLabel string   `state:"root_label"` // of the trees of the treebank, "" if they have none
	parsers   sync.Pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos", "own"}, "tags of tokens: those of a column, which a "+
		"tagger "+
		"may have written, or own: the grammar finds them from the words, and learns them from xpos")
	s.Int(&o.vertical, "vertical", 2, 1, 2, "labels that a symbol knows: 1 is its own, 2 that of the phrase above too")
	s.Int(&o.horizontal, "horizontal", 1, 0, 5, "how many children before it the rest of a phrase knows")
	s.Bool(&o.tagParents, "tag_parents", true, "tags know the phrase above, as phrases do with vertical = 2")
	s.Choice(&o.decoder, "decoder", "brackets", []string{"brackets", "viterbi"}, "brackets: the tree with the most right "+
		"phrases to be expected; viterbi: the likeliest tree, which is also the first of n best")
	s.Float(&o.cost, "bracket_cost", 0.4, 0, 1, "what a phrase costs with decoder = brackets: phrases less likely than "+
		"that "+
		"are better left out")
	s.Only("bracket_cost", "decoder", "brackets")
	s.Only("tag_parents", "vertical", "2")
	s.Float(&o.coarse, "coarse", 1e-3, 0, 0.1, "phrases that a grammar without context finds less probable are not "+
		"looked "+
		"at; 0: all are, and probabilities are those of all trees")
	s.Int(&o.maxLength, "max_length", 120, 10, 250, "longer sentences are parsed in pieces of as many tokens")
}

func (m *model) markov() constituent.Markov {
	return constituent.Markov{Vertical: m.opt.vertical, Horizontal: m.opt.horizontal, TagParents: m.opt.tagParents}
}

// column is that of the tags that are learned.
func (m *model) column() string {
	if m.opt.tags == "own" {
		return "xpos"
	}
	return m.opt.tags
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	trees := kind.LayerUse{Layer: text.Constituents.Name}
	out := kind.Schema{Unit: kind.PerDocument, Prob: kind.Marginal, Defs: []*text.LayerDef{constituent.Parses},
		Reads:     []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", m.column()}}},
		Learns:    []kind.LayerUse{trees},
		Writes:    []kind.LayerUse{trees, {Layer: constituent.Parses.Name}},
		Ranked:    []string{trees.Layer, constituent.Parses.Name},
		Relations: []kind.Relation{rules}}
	if m.opt.tags == "own" {
		out.Reads[0].Columns = []string{"form"}
		out.Learns = append(out.Learns, kind.LayerUse{Layer: text.Tokens.Name, Columns: []string{"xpos"}})
	}
	return out
}
