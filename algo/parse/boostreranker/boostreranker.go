package boostreranker

import (
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/rerank"
	"parlance/algo/parse/treefeature"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "boost_reranker", Revision: 1,
		Doc: "chooses among the n best trees of a parser by boosting over features of whole trees; the trace tells the " +
			"work that its indices save",
		Paper: "Collins and Koo 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		base, tags, heads   string
		candidates          int
		answer              bool
		features            []string
		minCount            int
		loss, weights       string
		rounds, roundsInUse int
		smoothing           float64
	}
	learned rerank.Model
	names   []string // of features
	rounds  int      // that VALIDATE found best, else all

	weights []float64        // by feature, with the rounds in use
	numbers map[uint64]int32 // of features by hash
	set     *treefeature.Set
	table   *constituent.HeadTable
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Model(&o.base, "base", "",
		"model that writes n best constituents, such as one of pcfg or tag_parser. With jackknife, "+
			"trees of training come from models that have not seen the sentence, as they must")
	s.Int(&o.candidates, "candidates", 20, 2, 1000, "trees of a sentence among which one is chosen")
	s.Bool(&o.answer, "own_answer", true,
		"what base answers when it is asked for one tree is a candidate as well, and known as "+
			"such: pcfg answers another one than the likeliest")
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos", "none"}, "column of tokens with the tags of leaves")
	s.Text(&o.heads, "heads", "collins",
		"which child of a phrase is its head: collins (English), left, right, or rules such as "+
			"NP right-any NN NNS; VP left VBD VB VP; * left")
	s.Check("heads", func() error { _, err := constituent.Heads(o.heads); return err })
	s.List(&o.features, "features", treefeature.Names(), "families of features of trees")
	s.Check("features", func() error { _, err := treefeature.New(o.features); return err })
	s.Int(&o.minCount, "min_feature_count", 5, 1, 1000, "a feature counts if it tells trees apart in as many sentences")
	s.Choice(&o.loss, "loss", "exp", []string{"exp", "log"},
		"exp: the sum of exp(−margin) over pairs of trees; log: the negative "+
			"log-probability of the best tree among those of the sentence")
	s.Choice(&o.weights, "weights", "score", []string{"score", "one"},
		"what a pair of trees counts: by how many brackets one is "+
			"better, or each the same")
	s.Except("weights", "loss", "log")
	s.Float(&o.smoothing, "smoothing", 0.0025, 1e-9, 1, "ε: the larger, the smaller the steps for rare features")
	s.Int(&o.rounds, "rounds", 10000, 1, 1_000_000,
		"changes of a weight; with VALIDATE, the best number up to that is kept")
	s.Int(&o.roundsInUse, "use_rounds", 0, 0, 1_000_000,
		"as if training had ended after so many rounds; 0: those that were "+
			"kept").In(option.Predict)
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	trees := kind.LayerUse{Layer: text.Constituents.Name}
	out := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score,
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Learns: []kind.LayerUse{trees}, Writes: []kind.LayerUse{trees}, Ranked: []string{trees.Layer},
		Relations: []kind.Relation{featureRelation, roundRelation}}
	if c := m.opt.tags; c == "xpos" || c == "upos" {
		out.Reads[0].Columns = append(out.Reads[0].Columns, c)
	}
	if m.opt.base != "" {
		out.Resources = []kind.Resource{{Kind: "model", Name: m.opt.base}}
	}
	return out
}

// parser returns the base; it refuses models that write no n best trees, and those that read what this one does not.
func (m *model) parser(res kind.Resources) (kind.Trained, error) {
	if m.opt.base == "" {
		return kind.Trained{},
			fmt.Errorf("option base: a model that writes n best constituents is wanted, of the kind pcfg or " +
				"tag_parser: WITH (base = 'NAME')")
	}
	t, err := res.Model(m.opt.base)
	if err != nil {
		return t, err
	}
	s := t.Model.Schema()
	if s.Unit != kind.PerDocument || !slices.Contains(s.Ranked, text.Constituents.Name) {
		return t, fmt.Errorf("option base: model %s does not write n best constituents", t.Label)
	}
	for _, need := range s.Reads {
		have := m.Schema().Reads[0]
		if need.Layer != have.Layer {
			return t, fmt.Errorf("option base: model %s reads the layer %s, which is not read here", t.Label, need.Layer)
		}
		for _, c := range need.Columns {
			if !slices.Contains(have.Columns, c) {
				return t, fmt.Errorf("option base: model %s reads %s.%s, and %s %v are read here; the option tags tells which",
					t.Label, need.Layer, c, need.Layer, have.Columns)
			}
		}
	}
	return t, nil
}

// ready computes what follows from what was learned.
func (m *model) ready() (err error) {
	if m.set, err = treefeature.New(m.opt.features); err != nil {
		return err
	}
	if m.table, err = constituent.Heads(m.opt.heads); err != nil {
		return err
	}
	rounds := m.opt.roundsInUse
	if rounds == 0 {
		rounds = m.rounds
	}
	m.weights = m.learned.Weights(len(m.names), rounds)
	m.numbers = make(map[uint64]int32, len(m.names))
	for i, name := range m.names {
		m.numbers[hash([]byte(name))] = int32(i)
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(40 * len(m.learned.Steps))
	for _, name := range m.names {
		n += int64(len(name)) + 64
	}
	return n
}
