// Package external serves chains that other programs have trained: linear-chain conditional random fields and maximum
// entropy Markov models whose features are texts made of columns of tokens by templates, or attributes that stand
// beside the tokens. Readers of their files are in algo/foreign; they fill a Builder.
//
// The score of a labelling y of n tokens is
//
//	score(y) = Σ_t Σ_{a at t} v·w[a, y_t]  +  Σ_{t>1} (T[y_t−1, y_t] + Σ_{b at t} p[b, y_t−1, y_t])
//
// where a are features of a token with value v (1 but for attributes), T weighs pairs of labels, and b are features of
// a token that weigh pairs. A conditional random field has p(y) ∝ exp(score). A local model has, label by label,
// p(y_t | y_t−1) ∝ exp of the summands of t, and their product is p(y).
package external

import (
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Notation says how templates are written, and so what they make of tokens.
type Notation string

// The notations.
const (
	CRFPP      Notation = "crfpp"      // %x[row,col]
	Wapiti     Notation = "wapiti"     // %x, %t and %m, with expressions
	Attributes Notation = "attributes" // no templates: the first column holds attributes, parted by tabs
)

// Head is what a model says of itself beside its weights.
type Head struct {
	Notation  Notation `json:"notation"`
	Columns   []string `json:"columns"`         // columns of tokens, or layers of spans, in the order of the files
	Templates []string `json:"templates"`       // as the program writes them
	Local     bool     `json:"local,omitempty"` // a maximum entropy Markov model
}

// Model is a chain trained elsewhere. It never changes.
type Model struct {
	Head
	tagger.Trained // without alphabet
	features       *dictionary
	pairs          pairWeights
	templates      []template
	columns        []column
}

// pairWeights is the features that weigh pairs of labels: feature k has the weights start[k] to start[k+1] of the pairs
// from·labels + to, which rise.
type pairWeights struct {
	features *dictionary
	start    []uint32
	pair     []uint32
	weight   []float64
}

func (p *pairWeights) empty() bool { return len(p.start) <= 1 }

const section = "external"

// Section tells by its presence that stored weights are those of a chain trained elsewhere.
const Section = section + ".head"

// Encode writes the model.
func (m *Model) Encode(w *kind.Writer) error {
	if err := w.JSON(Section, m.Head); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		list []string
	}{{"labels", m.Labels}, {section + ".features", m.features.all()}, {section + ".pairs", m.pairs.features.all()}} {
		if err := w.Strings(s.name, s.list); err != nil {
			return err
		}
	}
	if err := w.Uint32s(section+".start", m.pairs.start); err != nil {
		return err
	}
	if err := w.Uint32s(section+".pair", m.pairs.pair); err != nil {
		return err
	}
	if err := w.Float64s(section+".weight", m.pairs.weight); err != nil {
		return err
	}
	return tagger.Encode(w, m.Chain)
}

// Decode reads what Encode wrote.
func Decode(r *kind.Reader) (*Model, error) {
	m := &Model{}
	if err := r.JSON(Section, &m.Head); err != nil {
		return nil, err
	}
	var err error
	if m.Labels, err = r.Strings("labels"); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name string
		to   **dictionary
	}{{section + ".features", &m.features}, {section + ".pairs", &m.pairs.features}} {
		names, err := r.Strings(s.name)
		if err != nil {
			return nil, err
		}
		if *s.to, err = newDictionary(names); err != nil {
			return nil, kind.Corrupt(s.name, err.Error())
		}
	}
	if m.pairs.start, err = r.Uint32s(section + ".start"); err != nil {
		return nil, err
	}
	if m.pairs.pair, err = r.Uint32s(section + ".pair"); err != nil {
		return nil, err
	}
	if m.pairs.weight, err = r.Float64s(section + ".weight"); err != nil {
		return nil, err
	}
	if m.Chain, err = tagger.Decode(r); err != nil {
		return nil, err
	}
	if err := m.ready(); err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

// ready checks that the parts belong together, and compiles the templates.
func (m *Model) ready() (err error) {
	if m.Chain.Labels() != len(m.Labels) || m.Chain.Attributes() != m.features.len() {
		return fmt.Errorf("%d labels and %d features, where the weights are of %d and %d", len(m.Labels), m.features.len(),
			m.Chain.Labels(), m.Chain.Attributes())
	}
	if err := m.pairs.check(len(m.Labels)); err != nil {
		return err
	}
	if n := len(m.Labels); n > maxPairLabels && (m.Local || !m.pairs.empty()) {
		return fmt.Errorf("%d labels, features of pairs and local models are served with at most %d", n, maxPairLabels)
	}
	if m.columns, err = columnsOf(m.Columns); err != nil {
		return err
	}
	m.templates = nil
	for _, s := range m.Templates {
		t, err := parseTemplate(m.Notation, s)
		if err == nil {
			err = t.check(m.Columns)
		}
		if err != nil {
			return err
		}
		t.fixed = t.constant()
		m.templates = append(m.templates, t)
	}
	return nil
}

// maxPairLabels bounds what a search takes in memory for all pairs of labels.
const maxPairLabels = 2048

func (p *pairWeights) check(labels int) error {
	if len(p.start) != p.features.len()+1 || len(p.pair) != len(p.weight) {
		return fmt.Errorf("%d features of pairs with %d starts, %d pairs with %d weights", p.features.len(), len(p.start),
			len(p.pair), len(p.weight))
	}
	for i, s := range p.start {
		if int64(s) > int64(len(p.pair)) || i > 0 && s < p.start[i-1] || i == 0 && s != 0 {
			return fmt.Errorf("start %d of features of pairs is out of order", i)
		}
	}
	if int(p.start[len(p.start)-1]) != len(p.pair) {
		return fmt.Errorf("weights of pairs that belong to no feature")
	}
	for i, x := range p.pair {
		if int64(x) >= int64(labels)*int64(labels) {
			return fmt.Errorf("pair %d is not below %d·%d", x, labels, labels)
		}
		if math.IsNaN(p.weight[i]) || math.IsInf(p.weight[i], 0) {
			return fmt.Errorf("weight %g of a pair, want a finite number", p.weight[i])
		}
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *Model) Bytes() int64 {
	return m.Chain.Bytes() + m.features.bytes() + m.pairs.features.bytes() + 4*int64(len(m.pairs.start)) +
		12*int64(len(m.pairs.pair))
}

// Reads lists the layers and columns that the features are made of.
func (m *Model) Reads() []kind.LayerUse {
	tokens := kind.LayerUse{Layer: text.Tokens.Name, Columns: []string{"form"}}
	var out []kind.LayerUse
	for i, c := range m.columns {
		switch {
		case !m.used(i) || c.name == "form":
		case c.spans:
			out = append(out, kind.LayerUse{Layer: c.name})
		default:
			tokens.Columns = append(tokens.Columns, c.name)
		}
	}
	return append([]kind.LayerUse{tokens}, out...)
}

// used reports whether a template reads a column, by its number from 0.
func (m *Model) used(column int) bool {
	if m.Notation == Attributes {
		return column == 0
	}
	for _, t := range m.templates {
		if t.reads(column) {
			return true
		}
	}
	return false
}

// Pairs is the relation of the weights of features for pairs of labels.
var Pairs = kind.Relation{Name: "pairs", Doc: "weights of features for a label after another", Columns: []kind.Column{
	{Name: "feature", Type: value.Text, Doc: "feature"}, {Name: "from_label", Type: value.Text, Doc: "label before"},
	{Name: "to_label", Type: value.Text, Doc: "label"}, {Name: "weight", Type: value.Float, Doc: "weight"}}}

// Relations lists what Open opens.
func (m *Model) Relations() []kind.Relation {
	out := []kind.Relation{tagger.Weights, tagger.Transitions}
	if !m.pairs.empty() {
		out = append(out, Pairs)
	}
	return out
}

// Open opens a relation.
func (m *Model) Open(relation string) (kind.Rows, error) {
	switch {
	case relation == tagger.Weights.Name:
		return tagger.WeightRows(m.Chain, m.Name, m.Labels), nil
	case relation == tagger.Transitions.Name:
		return tagger.TransitionRows(m.Chain, m.Labels), nil
	case relation == Pairs.Name && !m.pairs.empty():
		return kind.RowsOf(Pairs, m.pairRows), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *Model) pairRows(yield func([]value.Value) bool) {
	l := uint32(len(m.Labels))
	constant, _ := Constants(m.Notation, m.Templates) // they are the transitions
	for k := range m.pairs.features.len() {
		if constant[m.pairs.features.at(k)] > 0 {
			continue
		}
		name := value.Str(m.pairs.features.at(k))
		for i := m.pairs.start[k]; i < m.pairs.start[k+1]; i++ {
			x := m.pairs.pair[i]
			row := []value.Value{name, value.Str(m.Labels[x/l]), value.Str(m.Labels[x%l]), value.Real(m.pairs.weight[i])}
			if !yield(row) {
				return
			}
		}
	}
}

// Labeler prepares labelling, under the name of the kind that serves the model.
func (m *Model) Labeler(kindName string, t tagger.Target, constrained bool) (*tagger.Labeler, error) {
	search := tagger.NewSearch(m.Chain)
	if m.Local || !m.pairs.empty() {
		search = func(rules *chain.Constraints) (func() tagger.Search, error) {
			base := newPairTable(m, rules)
			return func() tagger.Search { return &pairSearch{pairTable: base} }, nil
		}
	}
	return tagger.NewLabelerOf(kindName, &m.Trained, m, t, constrained, search)
}

// HasPairs reports whether features weigh pairs of labels.
func (m *Model) HasPairs() bool { return !m.pairs.empty() }

// PairName is the first of them.
func (m *Model) PairName() string {
	constant, _ := Constants(m.Notation, m.Templates)
	for _, s := range m.pairs.features.all() {
		if constant[s] == 0 {
			return s
		}
	}
	return ""
}

// Export is the chain of the model.
func (m *Model) Export() (*Export, error) {
	return &Export{Labels: m.Labels, Chain: m.Chain, Name: m.Name, Foreign: m}, nil
}
