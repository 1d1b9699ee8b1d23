package maxent

import (
	"fmt"
	"math"
	"strconv"

	"parlance/algo/classify/logistic"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// options are the settings of a model.
type options struct {
	tagger.Settings
	optimizer     string
	prior, widths string
	width, slack  float64
	shrink, gamma float64
	sweep         string
	accelerate    bool
	refresh       int
	multilabel    bool
	threshold     float64
	decoder       string
	beam          int
}

const (
	lbfgs       = "lbfgs"
	inequality  = "inequality"
	inequality2 = "inequality2"
)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.Documents, o.History = "tfidf", true
	o.DeclareTask(s, tagger.TaskDoc{Layer: text.Labels.Name, What: tagger.DocumentsAndTokens,
		Doc: "feature set or templates, of tokens they may read label[-1] and label[-2]; left out: tfidf for labels, " +
			tagger.ByTarget})
	o.Declare(s, tagger.Exact)
	o.ofDocuments(s)
	s.Int(&o.Order, "order", 1, 0, 2, "labels before the token that are features, where the templates read none; 0 "+
		"labels each token alone")
	s.Choice(&o.optimizer, "optimizer", lbfgs, []string{lbfgs, "cd", "cd_exact", "scgis", "gis", "iis"},
		"how weights are found: L-BFGS; coordinate descent with a Newton step a weight, or to the minimum; sequential, "+
			"generalized or improved iterative scaling. An iteration of the others than L-BFGS is a sweep over all weights")
	s.Choice(&o.prior, "prior", "gaussian", []string{"gaussian", "none", inequality, inequality2}, "penalty: l2 and "+
		"l1; none; expected sums of features within width of the observed ones; the same with a quadratic price beyond")
	s.Float(&o.width, "width", 0.05, 0, math.Inf(1), "with an inequality: W, how far sums over all items may be off")
	s.Choice(&o.widths, "widths", "single", []string{"single", "bayes"}, "with an inequality: the same width for all "+
		"weights, or width standard deviations of each observed sum")
	s.Float(&o.slack, "slack", 100, 1e-9, math.Inf(1), "with inequality2: C, the penalty is w²/(4·slack), as of l2 = "+
		"1/(2·slack)")
	s.Float(&o.shrink, "shrink", 0.5, 1e-3, 0.999, "with cd: factor by which the line search shortens a step (β)")
	s.Float(&o.gamma, "gamma", 0.001, 1e-9, 0.499, "with cd: share of the expected decrease that the line search wants "+
		"(γ)")
	s.Choice(&o.sweep, "sweep", "permuted", []string{"permuted", "cyclic"}, "with cd, cd_exact, scgis: order of groups "+
		"of attributes, a random one each time or frequent ones first")
	s.Bool(&o.accelerate, "accelerate", true, "with cd, cd_exact and no width or l1: after each sweep, weights move on "+
		"in the plane of the last two moves, as conjugate gradients do")
	s.Int(&o.refresh, "refresh", 5, 1, 1000, "with cd, cd_exact, scgis: sweeps between computations of all "+
		"probabilities from the weights; checkpoints come after those")
	s.Bool(&o.multilabel, "multilabel", false, "with labels: a document has any number of labels, each decided alone")
	s.Float(&o.threshold, "threshold", 0.5, 0, 1, "with multilabel: a label is given where its probability is above").In(
		option.Predict)
	s.Choice(&o.decoder, "decoder", "viterbi", []string{"viterbi", "beam", "greedy"}, "with tokens: search for the "+
		"most probable labels, exact, by a beam, or token by token").In(option.Predict)
	s.Int(&o.beam, "beam", 5, 1, 10000, "with decoder = beam: labellings kept").In(option.Predict)
	s.Check("optimizer", o.checkOptimizer)
	s.Check("prior", o.checkPrior)
	s.Check("multilabel", o.checkMultilabel)
	s.Only("memory", "optimizer", lbfgs)
	s.Only("shrink gamma", "optimizer", "cd")
	s.Only("sweep refresh", "optimizer", "cd", "cd_exact", "scgis")
	s.Only("accelerate", "optimizer", "cd", "cd_exact")
	s.Only("l2", "prior", "gaussian")
	s.Only("l1", "prior", "gaussian", inequality, inequality2) // checkPrior tells what to give in place of it
	s.Only("width widths", "prior", inequality, inequality2)
	s.Only("slack", "prior", inequality2)
	s.Only("threshold", "multilabel", "true")
	s.Only("beam", "decoder", "beam")
	s.Except("order decoder beam", "layer", text.Labels.Name)
	tagger.OfSpans(s, "scheme constrained")
}

// ofDocuments declares what options are where documents are labelled (RESULTS.md, "Defaults of documents"). Values of
// length 1 want weights that are larger by the length that the values would have, so that the same penalty keeps them
// much closer to 0.
func (o *options) ofDocuments(s *option.Set) {
	l2, delta := s.Lookup("l2"), s.Lookup("delta")
	l2.Doc += "; left out: 0.1 where the values of a document have length 1, as in tfidf"
	l2.Beside(func() string {
		if !o.Classifies() {
			return ""
		}
		if set, err := o.Set(); err != nil || !set.UnitLength() {
			return ""
		}
		return "0.1"
	})
	delta.Doc += "; left out: 5e-3 for labels with lbfgs"
	delta.Beside(func() string {
		if !o.Classifies() || o.optimizer != lbfgs {
			return ""
		}
		return strconv.FormatFloat(tagger.Enough, 'g', -1, 64)
	})
}

func (o *options) checkOptimizer() error {
	if o.scales() && (o.L1 > 0 && o.prior == "gaussian") {
		return fmt.Errorf("optimizer = %s knows no l1, which is %g; cd and lbfgs do", o.optimizer, o.L1)
	}
	if o.scales() && o.inequal() {
		return fmt.Errorf("optimizer = %s knows no prior = %s; cd and lbfgs do", o.optimizer, o.prior)
	}
	return nil
}

func (o *options) checkPrior() error {
	if o.inequal() && o.L1 > 0 {
		return fmt.Errorf("l1 is %g, but prior = %s has its own in width", o.L1, o.prior)
	}
	return nil
}

func (o *options) checkMultilabel() error {
	if o.multilabel && !o.Classifies() {
		return fmt.Errorf("multilabel is for labels of documents, the layer is %s", o.Layer)
	}
	return nil
}

// scales reports whether training is by iterative scaling.
func (o *options) scales() bool {
	return o.optimizer == "gis" || o.optimizer == "iis" || o.optimizer == "scgis"
}

// inequal reports whether sums of features are constrained by inequalities.
func (o *options) inequal() bool { return o.prior == inequality || o.prior == inequality2 }

// penalties returns the weights of the penalties ½·l2·|w|² and l1·|w|, the latter in multiples of
// the width for an inequality.
func (o *options) penalties() (l2, l1 float64) {
	switch o.prior {
	case "none":
		return 0, 0
	case inequality:
		return 0, o.width
	case inequality2:
		return 1 / (2 * o.slack), o.width
	}
	return o.L2, o.L1
}

// bounded reports whether weights of their own widths are found by a variable metric method.
func (o *options) bounded() bool {
	return o.optimizer == lbfgs && o.inequal() && o.widths == "bayes"
}

// fit returns the settings of a training over features in columns.
func (o *options) fit(p *logistic.Problem, seed uint64, workers int) logistic.Options {
	l2, l1 := o.penalties()
	f := logistic.Options{Method: logistic.Method(o.optimizer), L2: l2, Shrink: o.shrink, Gamma: o.gamma,
		Cyclic: o.sweep == "cyclic", Plain: !o.accelerate, Refresh: o.refresh,
		Sweeps: o.Iterations, Epsilon: o.Epsilon, Period: o.Period, Delta: o.Delta, Seed: seed, Workers: workers}
	if o.bounded() {
		f.Method = logistic.BLMVM
	}
	switch {
	case l1 == 0:
	case o.inequal() && o.widths == "bayes":
		f.Widths = p.Bayes(l1)
	default:
		f.Widths = p.Single(l1)
	}
	return f
}
