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
	Layer  string // of the analyses: constituents, which "" means, or a layer of spans
	Base   string // model that gives them
	Tags   string // column of tokens with the labels of leaves
	Heads  string // table of heads
	Count  int
	Answer bool // what the base answers by itself is one of them
}

// Declare declares the options.
func (o *Options) Declare(s *option.Set) {
	s.Model(&o.Base, "base", "",
		"model that writes n best analyses, such as one of pcfg or tag_parser for trees. With jackknife, "+
			"those of training come from models that have not seen the sentence, as they must")
	s.Int(&o.Count, "candidates", 20, 2, 1000, "analyses of a sentence among which one is chosen")
	s.Bool(&o.Answer, "own_answer", true,
		"what base answers when it is asked for one tree is a candidate as well, and known as "+
			"such: pcfg answers another one than the likeliest")
	s.Choice(&o.Tags, "tags", "xpos", []string{"xpos", "upos", "none"}, "column of tokens with the tags of leaves")
	s.Text(&o.Heads, "heads", "collins",
		"which child of a phrase is its head: collins (English), left, right, or rules such as "+
			"NP right-any NN NNS; VP left VBD VB VP; * left")
	s.Check("heads", func() error { _, err := constituent.Heads(o.Heads); return err })
}

// DeclareLayer declares the option layer, for kinds that choose among spans as well.
func (o *Options) DeclareLayer(s *option.Set) {
	s.Layer(&o.Layer, "layer", text.Constituents.Name, "what is chosen: constituents, or a layer of spans such as "+
		"entities, of which base gives n best labellings of each sentence")
	s.Check("layer", func() error {
		if o.def() == nil {
			return fmt.Errorf("%q is neither constituents nor a layer of spans", o.Layer)
		}
		return nil
	})
	s.Only("own_answer", "layer", text.Constituents.Name)
	s.Only("heads", "layer", text.Constituents.Name)
}

// Trees tells whether the analyses are trees; else they are spans.
func (o *Options) Trees() bool { return o.Layer == "" || o.Layer == text.Constituents.Name }

// def is the layer, nil if it cannot be.
func (o *Options) def() *text.LayerDef {
	if o.Trees() {
		return text.Constituents
	}
	for _, d := range text.Builtin {
		if d.Spans && d.Name == o.Layer {
			return d
		}
	}
	return nil
}

// Schema is what a kind that chooses reads, learns and writes.
func (o *Options) Schema() kind.Schema {
	layer := text.Constituents.Name
	if d := o.def(); d != nil {
		layer = d.Name
	}
	use := kind.LayerUse{Layer: layer}
	out := kind.Schema{Unit: kind.PerDocument, Prob: kind.Score,
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Learns: []kind.LayerUse{use}, Writes: []kind.LayerUse{use}, Ranked: []string{layer}}
	if o.Tags == "xpos" || o.Tags == "upos" {
		out.Reads[0].Columns = append(out.Reads[0].Columns, o.Tags)
	}
	if o.Base != "" {
		out.Resources = []kind.Resource{{Kind: "model", Name: o.Base}}
	}
	return out
}

// Parser returns the base; it refuses models that write no n best analyses, and those that read what is not read here.
func (o *Options) Parser(res kind.Resources) (kind.Trained, error) {
	mine := o.Schema()
	layer := mine.Ranked[0]
	if o.Base == "" {
		kinds := "pcfg or tag_parser"
		if !o.Trees() {
			kinds = "crf"
		}
		return kind.Trained{}, fmt.Errorf("option base: a model that writes n best %s is wanted, of the kind %s: "+
			"WITH (base = 'NAME')", layer, kinds)
	}
	t, err := res.Model(o.Base)
	if err != nil {
		return t, err
	}
	s := t.Model.Schema()
	if s.Unit != kind.PerDocument || !slices.Contains(s.Ranked, layer) {
		return t, fmt.Errorf("option base: model %s does not write n best %s", t.Label, layer)
	}
	have := mine.Reads[0]
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
