package gecmodule

import (
	"fmt"
	"math"
	"slices"

	"parlance/algo/correct"
	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/correct/inflect"
	"parlance/algo/correct/window"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "gec_module",
		Learns:   "one part of `gec`, such as articles, from corrected or native text",
		Revision: 1,
		Doc: "corrects one kind of error of writers, such as articles, by a classifier that learns from corrected text, " +
			"by counts of n-grams of native text, or by both",
		Paper: "Rozovskaya, Chang, Sammons and Roth 2013; Rozovskaya, Chang, Sammons, Roth and Habash 2014",
		New:   func() kind.Model { return &model{} },
	}
}

// The values of options.
const (
	auto     = "auto"
	nb       = "nb"
	nbPriors = "nb_priors"
	ap       = "ap"
	lr       = "lr"

	byMargin = "margin"
	byAll    = "all"
)

type model struct {
	kind.Base
	module, algorithm, ngrams, evidence string
	prepositions, types                 []string
	inflation, smoothing, l1            float64
	beta, threshold, patternRate        float64
	skip                                bool
	epochs, folds, minCount, trees      int
	patternCount, capitalCount, ignore  int

	lists    lists
	prior    *prior
	weights  *weights // of ap and lr
	scale    float64  // mean absolute value of margins
	combine  []float64
	ranker   *ranker            // nil for none
	pairs    map[[2]int]float64 // weights of pairs of source and label
	tuned    float64            // threshold of prob
	ignored  map[[2]string]bool
	trained  results
	labelsOf []string
}

// results is what the training measured out of fold.
type results struct {
	Candidates, Options, Covered, Gold, Made, Right int
	F                                               float64
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	s.Choice(&m.module, "module", article, moduleNames, "what is corrected")
	s.Choice(&m.algorithm, "algorithm", auto, []string{auto, nb, nbPriors, ap, lr},
		"nb: naive Bayes on counts of n-grams; nb_priors: the same, with how often writers mean another word as prior; "+
			"ap: averaged perceptron with inflated errors; lr: logistic regression with an L1 penalty; "+
			"auto: ap, of word_form nb_priors")
	s.Model(&m.ngrams, "ngrams", "", "model of n-grams of native text, for nb and nb_priors, and as evidence")
	s.Choice(&m.evidence, "evidence", byAll, []string{byMargin, byAll},
		"what prob is fitted to: the margin of the algorithm alone; or besides the prior, the pair of labels and, with "+
			"ngrams, by how much a language model finds the correction more probable")
	s.Float(&m.inflation, "inflation", 0.85, 0, 1,
		"share of right examples that stay as they are in training; the others get an error that writers make; 1: all")
	s.Int(&m.epochs, "epochs", 5, 1, 1000, "passes of the perceptron over the examples")
	s.Float(&m.l1, "l1", 1, 0, 1e6, "weight of the sum of absolute weights of lr")
	s.Int(&m.minCount, "min_count", 2, 1, 1<<30, "features of fewer examples are dropped")
	s.Float(&m.smoothing, "smoothing", 1, 1e-3, 1e6, "what naive Bayes adds to each count")
	s.Bool(&m.skip, "backoff", true, "naive Bayes leaves n-grams out that occur with no option")
	s.List(&m.prepositions, "prepositions", confusion.Prepositions, "prepositions that are taken for each other")
	s.List(&m.types, "types", []string{"Wform", "R:MORPH"},
		"types of the edits whose words are those of word_form and what they were corrected to")
	s.Float(&m.patternRate, "pattern_rate", 0.95, 0, 1,
		"share of the gaps in a context with a comma that makes it a pattern")
	s.Int(&m.patternCount, "pattern_count", 5, 1, 1<<30, "how often a context occurs that is a pattern")
	s.Int(&m.capitalCount, "capital_count", 3, 1, 1<<30, "how often a word occurs, always with a capital, that wants one")
	s.Int(&m.ignore, "ignore", 5, 0, 1<<30,
		"a word is never replaced by another if that was proposed so often in training and never right; 0: no such list")
	s.Int(&m.trees, "trees", 80, 0, 1000,
		"boosted trees that change prob where what speaks for an edit does not add up; 0: none")
	s.Float(&m.beta, "beta", 0.5, 0.01, 100,
		"how many times as much recall counts as precision where the threshold is chosen")
	s.Int(&m.folds, "folds", 5, 2, 100, "folds of documents, of which margins out of fold fit prob and the threshold")
	s.Float(&m.threshold, "threshold", 0, 0, 1,
		"edits are made from this probability on; 0: from that whose F is greatest out of fold").In(option.Predict)
	s.Only("prepositions", "module", preposition)
	s.Only("types", "module", wordForm)
	s.Only("pattern_rate pattern_count", "module", punctuation)
	s.Only("capital_count", "module", capitalisation)
	s.Only("inflation epochs", "algorithm", auto, ap, lr)
	s.Only("l1", "algorithm", lr)
	s.Only("smoothing backoff", "algorithm", auto, nb, nbPriors)
	s.Check("algorithm", m.checkAlgorithm)
	s.Check("prepositions", func() error {
		if slices.Contains(m.prepositions, "") || slices.Contains(m.prepositions, "0") || len(m.prepositions) < 2 {
			return fmt.Errorf("two prepositions or more are wanted, and 0 is none")
		}
		return nil
	})
}

// checkAlgorithm says what does not go together.
func (m *model) checkAlgorithm() error {
	switch how := m.method(); {
	case (how == nb || how == nbPriors) && m.ngrams == "":
		return fmt.Errorf("%s counts n-grams: option ngrams names no model of them", how)
	case (how == ap || how == lr) && m.module == wordForm:
		return fmt.Errorf("the words of word_form are labels that %s cannot learn; nb_priors or nb can", how)
	case m.module == spelling && m.ngrams == "":
		return fmt.Errorf("spelling looks words up in native text: option ngrams names no model of it")
	case (m.module == capitalisation || m.module == style || m.module == spelling) && m.algorithm != auto:
		return fmt.Errorf("%s has patterns, and no algorithm", m.module)
	}
	return nil
}

// method is the algorithm, "" for modules of patterns.
func (m *model) method() string {
	switch {
	case m.algorithm != auto:
		return m.algorithm
	case m.module == wordForm:
		return nbPriors
	case m.module == capitalisation || m.module == style || m.module == spelling:
		return ""
	}
	return ap
}

// learns tells whether weights of features are learned.
func (m *model) learns() bool { return m.method() == ap || m.method() == lr }

// Candidates is the layer of all that a module or a corrector could correct.
var Candidates = &text.LayerDef{Name: "candidates", Doc: "edits that could be made, whether they are or not",
	Columns: []text.Column{
		text.Edits.Columns[0], text.Edits.Columns[1], text.Edits.Columns[2], text.Edits.Columns[3], text.Edits.Columns[4],
		text.Edits.Columns[5],
		{Name: "module", Type: value.Text, Doc: "who proposes it: the module, or the models of modules"},
		{Name: "score", Type: value.Float, Doc: "margin of the module, or log-odds of the corrector"},
		{Name: "made", Type: value.Integer, Doc: "1 if the edit is made, else 0"},
	}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{
		Reads:     Inputs(phrased(m.module)),
		Learns:    []kind.LayerUse{{Layer: text.Edits.Name}},
		Writes:    []kind.LayerUse{{Layer: text.Edits.Name}, {Layer: Candidates.Name}},
		Defs:      []*text.LayerDef{Candidates},
		Prob:      kind.Calibrated,
		Relations: m.relations(),
	}
	if m.ngrams != "" {
		s.Resources = []kind.Resource{{Kind: "model", Name: m.ngrams}}
	}
	return s
}

// Inputs is what sentences are read from.
func Inputs(phrases bool) []kind.LayerUse {
	out := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", "xpos"}}}
	if phrases {
		out = append(out, kind.LayerUse{Layer: text.Chunks.Name, Columns: []string{"sent", "tok_start", "tok_end", "label"}})
	}
	return out
}

// Corrects implements evidence.Module.
func (m *model) Corrects() string { return m.module }

// ErrorType implements evidence.Module.
func (m *model) ErrorType() string { return errorTypes[m.module] }

// Threshold implements evidence.Module.
func (m *model) Threshold() float64 {
	if m.threshold > 0 {
		return m.threshold
	}
	return m.tuned
}

// Ignores implements evidence.Module.
func (m *model) Ignores(p *evidence.Proposal) bool { return m.ignored[[2]string{p.Written, p.Fill}] }

// worker finds and scores candidates.
type worker struct {
	m       *model
	windows *window.Windows // nil without n-grams
	known   inflect.Known
	speller confusion.Speller
	col     collector
	scores  []float64
	bayes   []float64
	fills   []string
	inputs  []float32
}

// Worker implements evidence.Module.
func (m *model) Worker(res kind.Resources, w *evidence.Windows) (evidence.Worker, error) {
	return m.worker(res, w)
}

func (m *model) worker(res kind.Resources, w *evidence.Windows) (*worker, error) {
	out := &worker{m: m}
	if m.ngrams == "" {
		return out, nil
	}
	if res == nil {
		return nil, fmt.Errorf("option ngrams: there is no model %s", m.ngrams)
	}
	t, err := res.Model(m.ngrams)
	if err != nil {
		return nil, err
	}
	n, ok := t.Model.(correct.Ngrams)
	if !ok {
		return nil, fmt.Errorf("option ngrams: %s is no model of n-grams", m.ngrams)
	}
	out.windows = w.Of(n)
	out.known = out.windows.Count
	out.speller.Known = func(w string) float64 { return float64(n.CountIDs([]uint32{n.ID(w)})) }
	return out, nil
}

// margins are the scores of the options of a candidate less that of the source, by the algorithm. p is the prior of
// nb_priors, w the weights of ap and lr.
func (x *worker) margins(c *confusion.Candidate, p *prior, w *weights) []float64 {
	x.scores = x.scores[:0]
	switch x.m.method() {
	case nb, nbPriors:
		x.naive(c, p)
	case ap, lr:
		x.col.reset()
		x.m.features(&x.col, c, x.known)
		scores := w.score(x.col.hashes, hash(x.m.sourceFeature(c.Source)))
		for _, o := range c.Options {
			x.scores = append(x.scores, scores[o.Label]-scores[c.Source])
		}
	default:
		for range c.Options {
			x.scores = append(x.scores, 0)
		}
	}
	return x.scores
}

// naive are the margins of naive Bayes: log P(c) + Σ_f log P(f|c), with the share of c in native text or P(c|s).
func (x *worker) naive(c *confusion.Candidate, p *prior) {
	x.fills = append(x.fills[:0], c.Fill)
	for _, o := range c.Options {
		x.fills = append(x.fills, o.Fill)
	}
	x.bayes = x.windows.Scores(window.Bayes{Smoothing: x.m.smoothing, Skip: x.m.skip}, c.Slot, c.SlotEnd, x.fills, x.bayes)
	for i := range c.Options {
		margin := x.bayes[i+1] - x.bayes[0]
		if x.m.method() == nbPriors {
			margin += p.ratio(c, &c.Options[i])
		} else {
			margin += math.Log((x.windows.Total(x.fills[i+1]) + unseen) / (x.windows.Total(x.fills[0]) + unseen))
		}
		x.scores = append(x.scores, margin)
	}
}

// Propose implements evidence.Worker.
func (x *worker) Propose(s *confusion.Sentence) []evidence.Proposal {
	x.bind(s)
	var out []evidence.Proposal
	for _, c := range x.find(s) {
		margins := x.margins(&c, x.m.prior, x.m.weights)
		out = x.proposals(out, s, &c, margins, x.m.prior)
		x.prob(s, &c, out[len(out)-len(c.Options):], margins)
	}
	return out
}

// prob sets Prob of the options of a candidate.
func (x *worker) prob(s *confusion.Sentence, c *confusion.Candidate, list []evidence.Proposal, margins []float64) {
	for k := range list {
		logit := x.m.logit(c, &c.Options[k], &list[k])
		list[k].Prob = evidence.Sigmoid(logit + x.rank(s, c, k, &list[k], margins, logit))
	}
}

// bind goes to a sentence.
func (x *worker) bind(s *confusion.Sentence) {
	x.col.bind(s)
	if x.windows != nil {
		x.windows.Set(s)
	}
}

// proposals appends the options of a candidate with what speaks for them, but for prob.
func (x *worker) proposals(out []evidence.Proposal, s *confusion.Sentence, c *confusion.Candidate,
	margins []float64, p *prior,
) []evidence.Proposal {
	for i := range c.Options {
		o := &c.Options[i]
		r := evidence.Proposal{Edit: o.Edit, Slot: c.Slot, SlotEnd: c.SlotEnd, Source: x.m.labelsOf[c.Source],
			Label: x.m.labelsOf[o.Label], Written: c.Fill, Fill: o.Fill, Margin: margins[i], Prior: p.ratio(c, o)}
		if x.windows != nil {
			r.LM = x.windows.Diff(o.Edit)
			if c.Fill != "" && o.Fill != "" {
				r.Rarity = math.Log10((x.windows.Count(o.Fill) + unseen) / (x.windows.Count(c.Fill) + unseen))
			}
		}
		if x.m.module == punctuation && o.Label == confusion.LabelComma {
			r.Certain = x.m.lists.matches(s, c.Slot)
		}
		out = append(out, r)
	}
	return out
}

// The inputs of the regression that makes prob.
const (
	inBias = iota
	inMargin
	inPositive // margin above 0
	inPrior
	inLM
	inLMPositive
	inRarity
	inPattern
	inputs
)

// inputsOf yields the inputs of an option.
func (m *model) inputsOf(p *evidence.Proposal, put func(at uint32, v float64)) {
	put(inBias, 1)
	margin := evidence.Clip(p.Margin/m.scale, 5)
	put(inMargin, margin)
	if p.Certain {
		put(inPattern, 1)
	}
	if m.evidence != byAll {
		return
	}
	put(inPositive, max(margin, 0))
	put(inPrior, evidence.Clip(p.Prior, 12)/4)
	lm := evidence.Clip(p.LM, 5)
	put(inLM, lm)
	put(inLMPositive, max(lm, 0))
	put(inRarity, evidence.Clip(p.Rarity, 4))
}

// logit is the log-odds of prob.
func (m *model) logit(c *confusion.Candidate, o *confusion.Option, p *evidence.Proposal) float64 {
	sum := 0.0
	m.inputsOf(p, func(at uint32, v float64) { sum += m.combine[at] * v })
	if m.evidence == byAll {
		sum += m.pairs[[2]int{c.Source, o.Label}]
	}
	return sum
}
