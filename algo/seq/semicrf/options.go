package semicrf

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "semicrf",
		Learns: "segments as a whole, from gold or, without any, from what is expected of them: rows of a table " +
			"AS constraints",
		Figures: "fields of citations (Cora), tokens right: 93 % from 300 labelled rows; 80 % without labels, by " +
			"the same words as rules 65 %",
		Revision: 1,
		Doc: "semi-Markov conditional random field: labels segments as a whole, learned from gold segments or " +
			"from constraints on expectations",
		Paper: "Sarawagi and Cohen 2004; Singh, Hillard and Leggetter 2010",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		expectation.Settings
		layer                       string
		features                    [sorts]string
		lengths, identity           bool
		lexicon, column             string
		maxLength, minCount         int
		repeat, states, transitions string
		l2, epsilon, delta          float64
		iterations, memory, period  int
	}
	labels    labelSet
	alphabets [sorts]*feature.Alphabet // nil for none
	wholes    []string                 // attributes of whole segments
	layout    *semimarkov.Layout
	w         []float64
	reached   []expectation.Reached // of a training by constraints

	wholeIndex map[string]uint32
	space      *semimarkov.Labels
	free       *sync.Pool
}

// Sorts of templates: of all tokens of a segment, of its first and its last one, and of its first one with the label
// of the segment before.
const (
	ofToken = iota
	ofBegin
	ofEnd
	ofEdge
	sorts
)

var sortNames = [sorts]string{"features", "begin_features", "end_features", "edge_features"}

// none is the value of features for no templates.
const none = "none"

// Templates by default.
const (
	defaultBegin = "lower[-1..1], short_shape[-1..1], suffix(1)[-1], bos"
	defaultEnd   = "lower[-1..1], short_shape[-1..1], suffix(1)[0], eos"
)

// Lengths of segments by default.
const (
	longestLearned = 30 // at most what is learned from gold
	longestUnknown = 15 // without gold
)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "entities", "layer of spans to learn; left out, the only one that the corpus stores")
	s.Features(&o.features[ofToken], sortNames[ofToken], "",
		"templates of each token of a segment; left out: chunk for chunks, ner for other spans").
		Standing(func() string { return tagger.DefaultFeatures(o.layer, "") })
	s.Features(&o.features[ofBegin], sortNames[ofBegin], defaultBegin,
		"templates of the first token of a segment").Knows(none)
	s.Features(&o.features[ofEnd], sortNames[ofEnd], defaultEnd, "templates of its last token").Knows(none)
	s.Features(&o.features[ofEdge], sortNames[ofEdge], none,
		"templates of its first token, each with the label of the segment and of the one before").Knows(none)
	s.Bool(&o.lengths, "length_features", true, "the length of a segment is a feature")
	s.Bool(&o.identity, "identity", false, "the words of a whole segment are a feature, of those that gold has")
	s.Resource(&o.lexicon, "segment_lexicon", "", "lexicon in which the words of a whole segment, in lower case, "+
		"are looked up")
	s.Text(&o.column, "segment_column", "", "column of segment_lexicon whose value is a feature")
	s.Int(&o.maxLength, "max_length", 0, 0, 1000, fmt.Sprintf("tokens of a segment at most; 0: those of the "+
		"longest gold segment, at most %d; %d without gold", longestLearned, longestUnknown))
	s.Choice(&o.repeat, "repeat", "auto", []string{"auto", "yes", "no"},
		"whether neighbouring segments may have the same label; auto: if gold has such")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "attributes of fewer tokens are dropped")
	s.Choice(&o.states, "states", "observed", []string{"observed", "all"},
		"pairs of attribute and label that have a weight; with alternating_projections, all")
	s.Choice(&o.transitions, "transitions", "observed", []string{"observed", "all"},
		"pairs of neighbouring labels that have a weight; with alternating_projections, all")
	s.Float(&o.l2, "l2", 1, 0, math.Inf(1), "weight of the penalty ½·l2·|w|²")
	s.Int(&o.iterations, "iterations", 200, 1, math.MaxInt32, "iterations of L-BFGS at most")
	s.Int(&o.memory, "memory", 10, 1, 1000, "pairs of differences that L-BFGS keeps")
	s.Float(&o.epsilon, "epsilon", 1e-5, 0, 1, "ends when |gradient| ≤ epsilon·max(1, |w|); 0: off")
	s.Float(&o.delta, "delta", 1e-5, 0, 1, "ends when the objective fell by less than this share in period "+
		"iterations; 0: off")
	s.Int(&o.period, "period", 10, 1, 1000, "iterations that delta looks back")
	o.Declare(s)
	s.Only("states transitions iterations memory epsilon delta period identity", "objective", expectation.Likelihood)
	s.Check("layer", func() error { _, err := m.target(); return err })
	for i := range sorts {
		s.Check(sortNames[i], func() error { _, err := m.set(i); return err })
	}
	s.Check("segment_column", func() error {
		if (o.column == "") != (o.lexicon == "") {
			return fmt.Errorf("segment_lexicon and segment_column belong together; give both")
		}
		return nil
	})
}

// target is the layer of spans.
func (m *model) target() (tagger.Target, error) {
	t, err := tagger.NewTarget(m.opt.layer, bio.BIO)
	if err == nil && !t.Spans() {
		err = fmt.Errorf("semicrf labels segments: name a layer of spans, or label tokens.%s with crf", t.Column)
	}
	return t, err
}

// set compiles templates, nil for none.
func (m *model) set(sort int) (*feature.Set, error) {
	t, err := m.target()
	if err != nil {
		return nil, err
	}
	if name := m.opt.features[sort]; name != none || sort == ofToken {
		return t.Features(name)
	}
	return nil, nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	t, err := m.target()
	if err != nil {
		return kind.Schema{}
	}
	use := []kind.LayerUse{t.Use()}
	s := kind.Schema{Unit: kind.PerDocument, Learns: use, Writes: use, Prob: kind.Marginal, Ranked: t.Ranked(),
		Relations: []kind.Relation{tagger.Weights, tagger.Transitions}, Roles: []kind.Role{taxonomyRole}}
	for i := range sorts {
		set, err := m.set(i)
		if err != nil {
			return kind.Schema{}
		}
		if set != nil {
			s.Reads, s.Resources = expectation.MergeUses(s.Reads, set.Layers()), append(s.Resources, set.Resources()...)
		}
	}
	s.Reads = expectation.MergeUses(s.Reads, []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}})
	if m.opt.lexicon != "" {
		s.Resources = append(s.Resources, kind.Resource{Kind: "lexicon", Name: m.opt.lexicon})
	}
	s.Resources = unique(s.Resources)
	m.opt.Complete(&s)
	return s
}

func unique(list []kind.Resource) []kind.Resource {
	var out []kind.Resource
	for _, r := range list {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}
