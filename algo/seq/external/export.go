package external

import (
	"fmt"
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/seq/tagger"
)

// Export is a chain as writers of model files see it.
type Export struct {
	Labels   []string
	Chain    *chain.Model
	Name     func(attr uint32) string
	Foreign  *Model            // nil for a chain that was trained here
	Alphabet *feature.Alphabet // of a chain that was trained here
	Target   tagger.Target     // what the labels are
	Rules    string            // what decoding keeps to beyond the weights; empty for nothing
}

// Exporter is a model that can be seen as a chain.
type Exporter interface {
	// Export returns the chain, or an error that says what of the model is more than a chain of first order.
	Export() (*Export, error)
}

// Row is a feature with its weights: by label, or by from·labels + to; the others are 0.
type Row struct {
	Name    string
	At      []uint32
	Weights []float64
}

// Unigrams lists the features that weigh labels.
func (m *Model) Unigrams() (out []Row) {
	for a := range uint32(m.Chain.Attributes()) {
		labels, weights := m.Chain.Row(a)
		r := Row{Name: m.features.at(int(a)), Weights: weights}
		for _, y := range labels {
			r.At = append(r.At, uint32(y))
		}
		out = append(out, r)
	}
	return out
}

// Bigrams lists the features that weigh pairs of labels. What holds at every token stands under the text of the first
// template that makes the same text everywhere.
func (m *Model) Bigrams() (out []Row) {
	constant, _ := Constants(m.Notation, m.Templates)
	for k, name := range m.pairs.features.all() {
		from, to := m.pairs.start[k], m.pairs.start[k+1]
		if constant[name] == 0 {
			out = append(out, Row{name, m.pairs.pair[from:to], m.pairs.weight[from:to]})
		}
	}
	all, times := Row{}, 1.0
	for i := range m.templates {
		if t := &m.templates[i]; t.bigram && t.fixed {
			all.Name, times = t.text, float64(constant[t.text])
			break
		}
	}
	for w := range m.Chain.Transitions() {
		all.At = append(all.At, uint32(w.From)*uint32(len(m.Labels))+uint32(w.To))
		all.Weights = append(all.Weights, w.Weight/times)
	}
	if len(all.At) > 0 {
		out = append(out, all)
	}
	return out
}

// Templated is a chain whose features are made by templates over columns.
type Templated struct {
	Templates         []string
	Columns           int // that templates read, or are there
	Local             bool
	Unigrams, Bigrams []Row
}

// Templated writes a chain by the templates of a program. The error says why there are none.
//
// A chain that was trained here has a column for each atom of its feature set, which feature.Cells gives. Its templates
// are these cells, parted by |, which no cell holds, after a number of their own: different attributes have different
// texts. Templates of the set that have no value at a token make texts there that no attribute has, for
// neither a missing value nor a token outside of the sentence is the cell of a value.
func (x *Export) Templated(n Notation) (*Templated, error) {
	if m := x.Foreign; m != nil {
		if m.Notation != n {
			return nil, fmt.Errorf("its features are not made by templates of %s", n)
		}
		out := &Templated{Templates: m.Templates, Local: m.Local, Unigrams: m.Unigrams(), Bigrams: m.Bigrams()}
		for _, t := range m.Templates {
			out.Columns = max(out.Columns, TemplateColumns(n, t))
		}
		return out, nil
	}
	set := x.Alphabet.Set()
	names, err := set.CellNames()
	if err != nil {
		return nil, err
	}
	templates, err := set.CellTemplates()
	if err != nil {
		return nil, err
	}
	out := &Templated{Columns: len(names)}
	unigram, bigram := "U", "B"
	if n == Wapiti {
		unigram, bigram = "u", "b"
	}
	prefixes := make([]string, len(templates))
	for i, cells := range templates {
		var list []string
		for _, c := range cells {
			if n == CRFPP && (c.Offset < -crfppRows || c.Offset > crfppRows) {
				return nil, fmt.Errorf("a template reads a token %d away, and templates look at most %d tokens away",
					max(c.Offset, -c.Offset), crfppRows)
			}
			list = append(list, fmt.Sprintf("%%x[%d,%d]", c.Offset, c.Column))
		}
		prefixes[i] = fmt.Sprintf("%s%02d:", unigram, i)
		out.Templates = append(out.Templates, prefixes[i]+strings.Join(list, "|"))
	}
	var values []string
	for a := range uint32(x.Chain.Attributes()) {
		labels, weights := x.Chain.Row(a)
		if len(labels) == 0 {
			continue
		}
		k := 0
		k, values = x.Alphabet.Values(a, values[:0])
		for i, v := range values {
			values[i] = feature.Escaped(v)
		}
		r := Row{Name: prefixes[k] + strings.Join(values, "|"), Weights: weights}
		for _, y := range labels {
			r.At = append(r.At, uint32(y))
		}
		out.Unigrams = append(out.Unigrams, r)
	}
	all := Row{Name: bigram}
	for w := range x.Chain.Transitions() {
		all.At = append(all.At, uint32(w.From)*uint32(len(x.Labels))+uint32(w.To))
		all.Weights = append(all.Weights, w.Weight)
	}
	if len(all.At) > 0 {
		out.Templates, out.Bigrams = append(out.Templates, bigram), []Row{all}
	}
	return out, nil
}
