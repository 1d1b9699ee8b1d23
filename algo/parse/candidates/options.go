package candidates

import (
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Options tell which candidates are listed.
type Options struct {
	Base   string // model that gives them
	Tags   string // column of tokens with the labels of leaves
	Heads  string // table of heads
	Count  int
	Answer bool // what the base answers by itself is one of them
}

// Declare declares the options.
func (o *Options) Declare(s *option.Set) {
	s.Model(&o.Base, "base", "",
		"model that writes n best constituents, such as one of pcfg or tag_parser. With jackknife, "+
			"trees of training come from models that have not seen the sentence, as they must")
	s.Int(&o.Count, "candidates", 20, 2, 1000, "trees of a sentence among which one is chosen")
	s.Bool(&o.Answer, "own_answer", true,
		"what base answers when it is asked for one tree is a candidate as well, and known as "+
			"such: pcfg answers another one than the likeliest")
	s.Choice(&o.Tags, "tags", "xpos", []string{"xpos", "upos", "none"}, "column of tokens with the tags of leaves")
	s.Text(&o.Heads, "heads", "collins",
		"which child of a phrase is its head: collins (English), left, right, or rules such as "+
			"NP right-any NN NNS; VP left VBD VB VP; * left")
	s.Check("heads", func() error { _, err := constituent.Heads(o.Heads); return err })
}

// Schema is what a kind that chooses reads, learns and writes.
func (o *Options) Schema() kind.Schema {
	trees := kind.LayerUse{Layer: text.Constituents.Name}
	out := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score,
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Learns: []kind.LayerUse{trees}, Writes: []kind.LayerUse{trees}, Ranked: []string{trees.Layer}}
	if o.Tags == "xpos" || o.Tags == "upos" {
		out.Reads[0].Columns = append(out.Reads[0].Columns, o.Tags)
	}
	if o.Base != "" {
		out.Resources = []kind.Resource{{Kind: "model", Name: o.Base}}
	}
	return out
}

// Parser returns the base; it refuses models that write no n best trees, and those that read what is not read here.
func (o *Options) Parser(res kind.Resources) (kind.Trained, error) {
	if o.Base == "" {
		return kind.Trained{},
			fmt.Errorf("option base: a model that writes n best constituents is wanted, of the kind pcfg or " +
				"tag_parser: WITH (base = 'NAME')")
	}
	t, err := res.Model(o.Base)
	if err != nil {
		return t, err
	}
	s := t.Model.Schema()
	if s.Unit != kind.PerDocument || !slices.Contains(s.Ranked, text.Constituents.Name) {
		return t, fmt.Errorf("option base: model %s does not write n best constituents", t.Label)
	}
	have := o.Schema().Reads[0]
	for _, need := range s.Reads {
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
