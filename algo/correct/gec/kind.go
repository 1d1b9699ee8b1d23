package gec

import (
	"fmt"
	"slices"

	"parlance/algo/correct/evidence"
	"parlance/algo/correct/gecmodule"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "gec",
		Learns: "corrections of English with probabilities and reasons, from corrected and native text: " +
			"`edits(TEXT 'He go …') USING g`, `corrected(…)`",
		Figures:  "CoNLL-2013 out of fold: F0.5 32.9, JFLEG dev: 48.8; 1,000 sentences a second",
		Revision: 1,
		Doc: "corrects errors of writers of English: puts modules of gec_module together, by probability or as a union, " +
			"so that articles, nouns and verbs agree",
		Paper: "Rozovskaya, Chang, Sammons and Roth 2013; Rozovskaya, Chang, Sammons, Roth and Habash 2014",
		New:   func() kind.Model { return &model{} },
	}
}

// The values of options.
const (
	calibrated = "calibrated"
	union      = "union"
	none       = "none"
	mild       = "mild"
	hard       = "hard"
	target     = "target"
)

type model struct {
	kind.Base
	modules         []string
	ngrams          string
	combine, joint  string
	beta, threshold float64
	folds           int
	pairWeights     bool

	own        []kind.Model         // modules that were trained with the model, where no models are named
	names      []string             // of the modules, as corrections name them
	weights    []float64            // by module and input
	pairs      map[string][]float64 // weights of pairs of labels, by module and pair
	thresholds []float64            // of union: by module, of its log-odds
	tuned      float64              // of calibrated: log-odds
	measured   []measure
}

// measure is a score of edits out of fold.
type measure struct {
	Metric           string
	Value, Low, High float64
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	s.List(&m.modules, "modules", nil,
		"models of gec_module, name or name@version; without them the model trains modules of its own, one of each "+
			"kind of error")
	s.Model(&m.ngrams, "ngrams", "", "model of n-grams of native text for modules of its own")
	s.Choice(&m.combine, "combine", calibrated, []string{calibrated, union},
		"calibrated: what modules say of an edit adds up to its probability, and one threshold chooses; union: each module "+
			"has a threshold, and of edits that clash the likelier is made")
	s.Bool(&m.pairWeights, "pairs", true,
		"whether pairs of labels, such as the for nothing, have weights: they fit the target more closely, and "+
			"other text less")
	s.Choice(&m.joint, "joint", mild, []string{none, mild, hard},
		"whether articles, nouns and verbs are chosen together so that they agree: mild: where that costs little; hard: "+
			"always where one of them is changed")
	s.Float(&m.beta, "beta", 0.5, 0.01, 100,
		"how many times as much recall counts as precision where thresholds are chosen")
	s.Int(&m.folds, "folds", 5, 2, 100, "folds of documents, by which edits are scored and thresholds chosen out of fold")
	s.Float(&m.threshold, "threshold", 0, 0, 1,
		"edits are made from this probability on; 0: from that whose F is greatest out of fold").In(option.Predict)
	s.Except("threshold pairs", "combine", union)
	s.Check("modules", func() error {
		if len(m.modules) > 0 && m.ngrams != "" {
			return fmt.Errorf("models of modules have n-grams of their own, those of option ngrams would do nothing")
		}
		for i, n := range m.modules {
			if n == "" || slices.Contains(m.modules[:i], n) {
				return fmt.Errorf("a module is named twice, or has no name")
			}
		}
		return nil
	})
}

// Corrected is the layer of corrected sentences.
var Corrected = &text.LayerDef{Name: "corrected", Doc: "sentences with the edits made", Columns: []text.Column{
	text.Sentences.Columns[0], text.Sentences.Columns[1], text.Sentences.Columns[2],
	{Name: "source", Type: value.Text, Role: text.Slice, From: "char", Doc: "the sentence as it was written"},
	{Name: "text", Type: value.Text, Doc: "the sentence as it should be"},
	{Name: "marked", Type: value.Text, Doc: "the sentence with what is taken away as [-go-] and what is put as {+goes+}"},
	{Name: "edits", Type: value.Integer, Doc: "number of edits"},
}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{
		Reads:     gecmodule.Inputs(true),
		Learns:    []kind.LayerUse{{Layer: text.Edits.Name}},
		Writes:    []kind.LayerUse{{Layer: text.Edits.Name}, {Layer: gecmodule.Candidates.Name}, {Layer: Corrected.Name}},
		Defs:      []*text.LayerDef{gecmodule.Candidates, Corrected},
		Prob:      kind.Calibrated,
		Relations: relations,
	}
	if len(m.modules) == 0 {
		s.Roles = []kind.Role{{Name: target, Train: true, Optional: true, Reads: s.Reads, Learns: s.Learns,
			Doc: "corrected text like that to be corrected, which the regression and thresholds are fitted to; " +
				"without it that is a fifth of the documents, of which the modules do not learn"}}
		if m.ngrams != "" {
			s.Resources = []kind.Resource{{Kind: "model", Name: m.ngrams}}
		}
	}
	for _, n := range m.modules {
		s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: n})
	}
	return s
}

// member is a module with its worker.
type member struct {
	evidence.Module
	name string
	work evidence.Worker
}

// members are the modules, with workers of their own that share what they know of a sentence.
func (m *model) members(res kind.Resources) ([]member, error) {
	var out []member
	w := &evidence.Windows{}
	for _, own := range m.own {
		mod := own.(evidence.Module)
		work, err := mod.Worker(res, w)
		if err != nil {
			return nil, err
		}
		out = append(out, member{mod, mod.Corrects(), work})
	}
	if len(m.modules) > 0 && res == nil {
		return nil, fmt.Errorf("option modules: there is no model %s", m.modules[0])
	}
	for _, n := range m.modules {
		t, err := res.Model(n)
		if err != nil {
			return nil, err
		}
		mod, ok := t.Model.(evidence.Module)
		if !ok {
			return nil, fmt.Errorf("option modules: %s is no model of gec_module", n)
		}
		work, err := mod.Worker(t.Resources, w)
		if err != nil {
			return nil, fmt.Errorf("module %s: %w", n, err)
		}
		out = append(out, member{mod, n, work})
	}
	return out, nil
}

// Encode writes the model.
func (m *model) Encode(w *kind.Writer) error {
	for _, own := range m.own {
		if err := w.Within(own.(evidence.Module).Corrects(), own.Encode); err != nil {
			return err
		}
	}
	return w.JSON("corrector", stored{m.names, m.weights, m.pairs, m.thresholds, m.tuned, m.measured})
}

// stored is the model as it is kept.
type stored struct {
	Names      []string
	Weights    []float64
	Pairs      map[string][]float64
	Thresholds []float64
	Tuned      float64
	Measured   []measure
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var s stored
	if err := r.JSON("corrector", &s); err != nil {
		return err
	}
	if len(m.modules) == 0 {
		for _, n := range s.Names {
			own, err := m.newModule(n)
			if err != nil {
				return kind.Corrupt("corrector", err.Error())
			}
			if err := own.Decode(r.Within(n)); err != nil {
				return err
			}
			m.own = append(m.own, own)
		}
	}
	if len(s.Names) != max(len(m.modules), len(m.own)) ||
		len(s.Weights) != inputs*len(s.Names) && m.combine == calibrated ||
		len(s.Thresholds) != len(s.Names) && m.combine == union {
		return kind.Corrupt("corrector", "does not fit the modules")
	}
	m.names, m.weights, m.pairs, m.thresholds, m.tuned, m.measured = s.Names, s.Weights, s.Pairs, s.Thresholds,
		s.Tuned, s.Measured
	return nil
}
