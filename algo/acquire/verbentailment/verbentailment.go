package verbentailment

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "verb_entailment",
		Learns:   "verbs that entail others, by the nouns in their slots: rows of `tuples`, with evidence",
		Figures:  "500 best entailments: 18.8 % in WordNet, 5.1 shuffled; with `per_right` = 10 22.6 and 3.6",
		Revision: 1,
		Doc:      "which verbs entail which, by the nouns in their slots, with the nouns that witness it",
		Paper:    "Hashimoto, Torisawa, Kuroda, De Saeger, Murata and Kazama 2009",
		New:      func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	counts           *template.Counts
	weights          *template.Weights
	verb             []uint32 // of each template the number of its verb
	pairs, verbPairs []pair   // the best ones, the best first
	opt              struct {
		measure, direction, passive  string
		slots, vague                 []string
		minTemplate, nbest, perRight int
		maxDegree                    int
		sameSlot, names              bool
		alpha, beta                  float64
		task                         string
	}
}

// vague are verbs that say too little to be entailed.
var vague = []string{"be", "do", "become", "have", "get", "make", "go", "take", "let", "seem", "say", "include"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.measure, "measure", "score", measures, "score: base times trick; score_base, score_trick: its parts; "+
		"lin, precision, recall, binc: by mutual information; dirt: lin of subjects and of objects together; random")
	s.Int(&o.minTemplate, "min_template", 20, 1, math.MaxInt32,
		"templates that are rarer, after all other filters, are left out")
	s.List(&o.slots, "slots", []string{"nsubj", "obj", "iobj", "obl:to", "obl:with", "obl:in", "obl:from", "obl:on",
		"obl:for", "obl:at", "obl:into"}, "slots of the templates")
	s.List(&o.vague, "vague", vague, "verbs that are left out, for they say too little")
	s.Choice(&o.passive, "passive", "drop", []string{"drop", "map"},
		"passives are left out, or count by the slots that their nouns have in the active voice")
	s.Bool(&o.names, "names", false, "names count as nouns")
	s.Bool(&o.sameSlot, "same_slot", false, "only templates with the same slot are compared")
	s.Int(&o.nbest, "nbest", 20000, 1, 10000000, "pairs that are kept, of templates and of verbs").Per("pairs")
	s.Int(&o.perRight, "per_right", 0, 0, math.MaxInt32,
		"pairs that are kept with the same entailed side; 0: any number")
	s.Int(&o.maxDegree, "max_degree", 0, 0, math.MaxInt32,
		"nouns in more templates are passed over, which loses what they add and saves time; 0: none is")
	s.Choice(&o.direction, "direction", "both", []string{"both", "ledir"},
		"both: a pair has a score in either direction; "+
			"ledir: it is left out where the entailed side has fewer nouns, by alpha and beta")
	s.Float(&o.alpha, "alpha", 0.15, 0, 1, "of ledir: share of the nouns of the smaller side that must be common")
	s.Float(&o.beta, "beta", 3, 1, 1e6, "of ledir: how many times as many nouns the entailing side may not have")
	s.Choice(&o.task, "task", "ranking", []string{"ranking", "judgements"},
		"what EVALUATE asks: ranking, the share of the pairs at the top of the list of verbs that are in a table; "+
			"judgements, to tell right pairs from wrong ones").In(option.Predict)
}

// Schema tells that tuples are read.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{template.Table}, Relations: relations, Scores: []kind.TableUse{goldTable}}
	if m.opt.task == "judgements" {
		s.Scores = []kind.TableUse{judgedTable}
	}
	return s
}

// Train reads the tuples, which takes 40 bytes a row, and scores all pairs of templates that share a noun: in time
// Σ_f deg(f)² with deg(f) the templates of noun f.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(template.Table.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s; TRAIN tuples makes one of parsed text", kind.ErrNoData,
			template.Table.Name)
	}
	o := &m.opt
	c, err := template.Read(ctx, table, template.Filter{Slots: o.slots, Vague: o.vague, Passive: o.passive == "map",
		Names: o.names, Least: float64(o.minTemplate)})
	if err != nil {
		return err
	}
	m.counts = c
	m.ready()
	if err := m.rank(ctx, t); err != nil {
		return err
	}
	t.Notice(text.Countf("%d {template|templates} of %d {verb|verbs}, %d {noun|nouns}, %d {cell|cells}; %d {pair|pairs} "+
		"of verbs", len(c.Templates),
		len(c.Predicates()), len(c.Nouns), len(c.Rows.IDs), len(m.verbPairs)))
	return nil
}

// ready numbers the verbs and weighs the cells.
func (m *model) ready() {
	m.weights = m.counts.Weigh()
	m.verb = make([]uint32, len(m.counts.Templates))
	for i := range m.verb {
		if i > 0 {
			m.verb[i] = m.verb[i-1]
			if m.counts.Templates[i].Predicate != m.counts.Templates[i-1].Predicate {
				m.verb[i]++
			}
		}
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.counts == nil {
		return 0
	}
	return m.counts.Bytes() + int64(8*len(m.counts.Rows.IDs)+16*(len(m.pairs)+len(m.verbPairs)))
}

// Encode writes the counts and the lists.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.counts.Encode(w); err != nil {
		return err
	}
	for i, list := range [][]pair{m.pairs, m.verbPairs} {
		var ids []uint32
		var scores []float64
		for _, p := range list {
			ids, scores = append(ids, p.l, p.r), append(scores, p.score)
		}
		if err := w.Uint32s(listNames[i], ids); err != nil {
			return err
		}
		if err := w.Float64s(listNames[i]+".scores", scores); err != nil {
			return err
		}
	}
	return nil
}

var listNames = []string{"pairs", "verbs"}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.counts, err = template.Decode(r); err != nil {
		return err
	}
	for i, list := range []*[]pair{&m.pairs, &m.verbPairs} {
		ids, err := r.Uint32s(listNames[i])
		if err != nil {
			return err
		}
		scores, err := r.Float64s(listNames[i] + ".scores")
		if err != nil {
			return err
		}
		if len(ids) != 2*len(scores) {
			return kind.Corrupt(listNames[i], "has another number of scores")
		}
		*list = nil
		for k, s := range scores {
			p := pair{ids[2*k], ids[2*k+1], s}
			if int(max(p.l, p.r)) >= len(m.counts.Templates) || math.IsNaN(s) {
				return kind.Corrupt(listNames[i], "has a template that is not there or a score that is none")
			}
			*list = append(*list, p)
		}
	}
	m.ready()
	return nil
}
