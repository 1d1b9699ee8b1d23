package excitation

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "excitation",
		Learns: "verbs that activate and verbs that suppress; from these contradictions and causes: rows of " +
			"`tuples`, with evidence",
		Figures:  "antonyms with opposite signs: 36 %, synonyms 26; of the lists a third is right",
		Revision: 1,
		Doc: "verbs that activate and verbs that suppress what they apply to, grown from seeds over pairs of " +
			"clauses; from these contradictions, causes with their effects, and hypotheses of causes",
		Paper: "Hashimoto, Torisawa, De Saeger, Oh and Kazama 2012",
		New:   func() kind.Model { return &model{} },
	}
}

// options are those of the kind.
type options struct {
	excitatory, inhibitory      []string
	slots, vague, skip          []string
	method, negation, votes     string
	iterations, top             int
	nounPairs, minLinks         int
	minTemplate, neighbours     int
	topExc, topInh              int
	causalities, contradictions int
	perTemplate, hypotheses     int
	beta, coupling              float64
	names, sameNoun, reclamp    bool
	core, strict                bool
	task                        string
}

type model struct {
	kind.Base
	net   *network
	facts *facts
	opt   options
}

// The seeds for English, in object slots but for the last ones. The lists of the paper are Japanese and not printed.
var (
	excitatory = []string{"cause", "increase", "produce", "create", "generate", "develop", "buy", "promote", "enable",
		"enhance", "strengthen", "activate", "support", "raise", "import", "grow", "induce", "trigger", "lead|obl:to",
		"bring_about", "introduce", "suffer|obl:from", "undergo", "start", "build", "provide", "gain", "boost",
		"accelerate", "expand", "stimulate", "increase|nsubj", "occur|nsubj"}
	inhibitory = []string{"prevent", "reduce", "decrease", "suppress", "destroy", "stop", "lose", "disable", "remove",
		"quit"}
)

// vague are verbs that say little of what they apply to.
var vague = []string{"be", "do", "become", "say", "include", "make", "give", "take", "go", "come", "see", "look",
	"hold", "bring", "put", "work", "know", "want", "call", "have", "get", "use"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.excitatory, "excitatory", excitatory, "seeds that activate: verb|slot, or a verb alone for its object")
	s.List(&o.inhibitory, "inhibitory", inhibitory, "seeds that suppress")
	s.Choice(&o.method, "method", "constraints", []string{"constraints", "similarity"},
		"what links templates: constraints, "+
			"pairs of clauses; similarity, the nouns in their slots, all links of the same sign, to compare with")
	s.Int(&o.neighbours, "neighbours", 20, 0, 100000,
		"of similarity: templates that each one is linked with; 0: all that share a noun")
	s.Int(&o.iterations, "iterations", 7, 0, 100, "rounds; 0 reads the clauses and lists candidates for seeds")
	s.Int(&o.top, "top", 30, 0, math.MaxInt32, "templates of each sign that a round adds to the seeds of the next")
	s.Int(&o.nounPairs, "noun_pairs", 0, 0, math.MaxInt32,
		"pairs of nouns are classified that occur more often with seeds. The paper has 5, of much more text")
	s.Int(&o.minLinks, "min_links", 2, 1, math.MaxInt32, "templates with fewer links are left out. The paper has 5")
	s.Bool(&o.core, "core", false, "this is repeated until none is left out")
	s.Bool(&o.sameNoun, "same_noun", true,
		"a noun facilitates itself: templates with the same noun in both clauses are linked. Not in the paper")
	s.Choice(&o.votes, "votes", "tokens", []string{"tokens", "pairs"},
		"how a link is voted on: by occurrences, or by different pairs of clauses")
	s.Float(&o.beta, "beta", 0.75, 1e-6, 10, "inverse temperature of the spin model; below 1 there is one solution")
	s.Float(&o.coupling, "coupling", 0, 0, 1e6, "strength that holds seeds at their sign; 0: they are fixed")
	s.Bool(&o.reclamp, "reclamp", false,
		"seeds that rounds add are held like given ones, as in the paper; false: their values are free")
	s.Choice(&o.negation, "negation", "flip", []string{"flip", "separate"},
		"a denied verb counts as its opposite, or is a template of its own")
	s.Int(&o.minTemplate, "min_template", 20, 1, math.MaxInt32,
		"templates that are rarer in pairs of clauses are left out")
	s.List(&o.slots, "slots", nil, "slots of templates; none: all")
	s.List(&o.vague, "vague", vague, "verbs that are left out")
	s.List(&o.skip, "skip_connectives", nil, "connectives whose pairs of clauses are left out")
	s.Bool(&o.names, "names", false, "names count as nouns")
	s.Int(&o.topExc, "top_excitatory", 400, 1, math.MaxInt32,
		"templates with the highest values that contradictions are made of. The paper has 2000 of 10,825")
	s.Int(&o.topInh, "top_inhibitory", 100, 1, math.MaxInt32, "templates with the lowest values. The paper has 500")
	s.Int(&o.contradictions, "contradictions", 20000, 0, 10000000,
		"contradicting pairs of templates that are kept, the best ones")
	s.Int(&o.causalities, "causalities", 100000, 0, 10000000, "causalities that are kept, the best ones")
	s.Bool(&o.strict, "strict", false,
		"pairs that a causal connective joins somewhere are no causalities, for they are stated")
	s.Int(&o.perTemplate, "per_template", 100, 1, math.MaxInt32,
		"contradictions of a phrase that hypotheses try, the best ones")
	s.Int(&o.hypotheses, "hypotheses", 20000, 0, 10000000, "hypotheses that are kept, the best ones")
	s.Choice(&o.task, "task", "signs", []string{"signs", "pairs"},
		"what EVALUATE asks: signs of verbs, or antonyms and synonyms").In(option.Predict)
}

// Schema tells that clauses and tuples are read.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{template.Clauses, template.Table}, Relations: relations,
		Scores: []kind.TableUse{signTable}}
	if m.opt.task == "pairs" {
		s.Scores = []kind.TableUse{pairTable}
	}
	return s
}

// Train reads the clauses, which takes 60 bytes a pair, grows the network, then reads the tuples, 40 bytes each, and
// ranks what follows.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	clauses, ok := t.On.Table(template.Clauses.Name)
	tuples, both := t.On.Table(template.Table.Name)
	if !ok || !both {
		return fmt.Errorf("%w: the input has no tables clauses and tuples; TRAIN tuples makes them of parsed text",
			kind.ErrNoData)
	}
	e, err := m.readEvents(ctx, clauses)
	if err != nil {
		return err
	}
	c, err := template.Read(ctx, tuples, template.Filter{Slots: m.opt.slots, Vague: m.opt.vague, Passive: true,
		Names: m.opt.names, Least: 1})
	if err != nil {
		return err
	}
	if m.opt.method == "similarity" {
		m.net, err = m.similar(ctx, t, e, c)
	} else {
		m.net, err = m.grow(ctx, t, e)
	}
	if err != nil {
		return err
	}
	m.facts, err = m.follow(ctx, e, c)
	return err
}

// parseTemplate reads verb|slot; a verb alone stands for its object.
func parseTemplate(s string) template.Template {
	verb, slot, ok := strings.Cut(s, "|")
	if !ok {
		slot = "obj"
	}
	return template.Template{Predicate: verb, Slot: slot}
}

// templateName writes verb|slot.
func templateName(t template.Template) string { return t.Predicate + "|" + t.Slot }

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.net == nil {
		return 0
	}
	n := int64(64*len(m.net.templates) + 24*len(m.net.links))
	for _, w := range m.facts.nouns {
		n += int64(len(w)) + 16
	}
	f := m.facts
	return n + int64(24*len(f.contradictions)+40*len(f.causalities)+56*len(f.hypotheses)+16*len(f.phrases))
}
