package segmenter

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "segmenter",
		Learns:   "words with tags of text without spaces: `tokens(TEXT '…') USING zh_seg`, and models above it",
		Figures:  "People's Daily: F1 96.2 of words, 93.1 with tags",
		Revision: 1,
		Doc: "cuts unsegmented text (Chinese, Japanese, Thai) into words with tags: one search over dictionary " +
			"words and over characters that may form unknown ones",
		Paper: "Kruengkrai, Uchimoto, Kazama, Wang, Torisawa and Isahara 2009; Nakagawa and Uchimoto 2007; " +
			"Crammer et al. 2006",
		New: func() kind.Model { return &model{} },
	}
}

// formColumn stands for no tags among the columns to learn.
const formColumn = "form"

type options struct {
	layer, lattice, policy, learner, recover, spaces string
	threshold, folds, foldEpochs, epochs, k          int
	patience                                         int
	clip, fp, fn, rate                               float64
	mask, fullWidth                                  bool
	features                                         []string
}

type model struct {
	kind.Base
	opt     options
	weights *weights
	workers *sync.Pool

	temperature float64 // what scores are divided by for probabilities
}

// Names of the groups of features.
var groupNames = []string{"C", "CT", "W", "A", "T", "B", "TB"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", formColumn, "column of tags to learn, upos or xpos, or form for words without "+
		"tags; left out, the only column of tags that the corpus stores")
	s.Choice(&o.lattice, "lattice", hybridLattice, []string{hybridLattice, characterLattice, wordLattice},
		"hybrid: words of the dictionary compete with characters that form unknown words; characters: those "+
			"alone; words: the dictionary and single characters alone")
	s.Choice(&o.policy, "policy", errorPolicy, []string{noPolicy, thresholdPolicy, errorPolicy},
		"words that are learned by their characters, as if they were unknown; threshold: entries (a word with a "+
			"tag) that are rare; error: those, and unknown ones that models of other folds do not find; none: "+
			"no word, so that unknown words are hardly found")
	s.Int(&o.threshold, "threshold", 3, 0, math.MaxInt32, "entries that are at most as frequent are rare")
	s.Int(&o.folds, "folds", 5, 2, 100, "of policy = error: parts of the data, each read by a model of the others")
	s.Int(&o.foldEpochs, "fold_epochs", 2, 1, math.MaxInt32, "of policy = error: passes of the model of a fold, "+
		"an averaged perceptron")
	s.Choice(&o.recover, "recover", "tagged", []string{"tagged", "word"}, "of policy = error: an unknown word "+
		"is found if it has its tag besides, or as a word")
	s.Bool(&o.mask, "mask", false, "leaves the dictionary nodes of words that count as unknown out of the "+
		"lattices of training")
	s.Choice(&o.learner, "learner", miraLearner, []string{miraLearner, perceptronLearner, logLinearLearner},
		"mira: the least change of the weights after which the gold analysis is ahead of each of the k best by "+
			"its loss; perceptron: towards the gold analysis, away from the best one; loglinear: up the "+
			"likelihood of the gold analysis among all, whose sums take many times as long. All give the mean "+
			"of the weights after every sentence")
	s.Float(&o.rate, "rate", 0.1, 1e-6, 100, "of loglinear: length of a step along the gradient of a sentence")
	s.Int(&o.k, "k", 5, 1, 50, "of mira: best analyses that an update looks at")
	s.Float(&o.clip, "clip", 0, 0, math.Inf(1), "of mira: greatest multiplier of a constraint; 0: any")
	s.Float(&o.fp, "fp_weight", 1, 0, 1000, "of mira: loss of a node too much")
	s.Float(&o.fn, "fn_weight", 1, 0, 1000, "of mira: loss of a node that is missing")
	s.Int(&o.epochs, "epochs", 6, 1, math.MaxInt32, "passes over the data at most; training ends sooner when a "+
		"pass moves no weight")
	s.List(&o.features, "features", []string{"C", "CT", "W", "B", "TB"},
		"groups of features: C characters around a place and pairs of them, CT their types, W words, A first "+
			"and last characters of words, T their types, B pairs of neighbouring words, TB types where they meet")
	s.Bool(&o.fullWidth, "full_width", false, "reads digits, letters and signs of ASCII as their full-width "+
		"forms; training and text then need not agree")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after this many passes without a "+
		"better score and keeps the best model; 0: never").Validating()
	s.Choice(&o.spaces, "spaces", "ignore", []string{"ignore", "cut"},
		"ignore: white space within a line says nothing, as in text rebuilt from files of words; cut: no word "+
			"goes across it").In(option.Predict)
	s.Check("layer", func() error {
		if !slices.Contains([]string{formColumn, "upos", "xpos"}, o.layer) {
			return fmt.Errorf("layer is a column of tags, upos or xpos, or form for words without tags, not "+
				"%s", o.layer)
		}
		return nil
	})
	s.Check("features", func() error { _, err := o.groups(); return err })
	s.Only("rate", "learner", logLinearLearner)
	s.Only("k clip fp_weight fn_weight", "learner", miraLearner)
	s.Only("folds fold_epochs recover", "policy", errorPolicy)
	s.Only("threshold", "policy", thresholdPolicy, errorPolicy)
}

// groups reads the option features.
func (o *options) groups() (g groups, err error) {
	for _, name := range o.features {
		k := slices.Index(groupNames, name)
		if k < 0 {
			return g, fmt.Errorf("features: there is no group %s%s; groups are "+
				"%s", name, option.DidYouMean(name, groupNames), strings.Join(groupNames, ", "))
		}
		*[]*bool{&g.C, &g.CT, &g.W, &g.A, &g.T, &g.B, &g.TB}[k] = true
	}
	return g, nil
}

// Schema tells that tokens are learned and written as a whole.
func (m *model) Schema() kind.Schema {
	learns := []string{formColumn}
	if m.opt.layer != formColumn {
		learns = append(learns, m.opt.layer)
	}
	return kind.Schema{
		Unit:      kind.PerDocument,
		Learns:    []kind.LayerUse{{Layer: text.Tokens.Name, Columns: learns}},
		Writes:    []kind.LayerUse{{Layer: text.Tokens.Name}},
		Prob:      m.probability(),
		Ranked:    []string{text.Tokens.Name},
		Relations: relations,
	}
}

// probability says what prob is: of weights that were not fitted as probabilities, it orders words.
func (m *model) probability() kind.Probability {
	if m.opt.learner == logLinearLearner {
		return kind.Marginal
	}
	return kind.Score
}

// ready prepares annotation.
func (m *model) ready(w *weights) {
	m.weights, m.temperature = w, 1
	m.workers = &sync.Pool{New: func() any { return &worker{} }}
}

// Temper divides the scores that probabilities are made of by t.
func (m *model) Temper(t float64) error {
	m.temperature, m.workers = t, &sync.Pool{New: func() any { return &worker{} }}
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	w := m.weights
	n := 16*int64(len(w.contexts.slots)) + 8*int64(len(w.rows.Spans)+len(w.rows.Cells)+len(w.dense.W))
	d := w.dict
	n += 16*int64(len(d.trie.slots)) + 4*int64(len(d.ends)+len(d.first))
	n += 24*int64(len(d.entries)) + 40*int64(len(d.words))
	for _, x := range d.words {
		n += 4 * int64(len(x.runes))
	}
	return n
}

var _ kind.Sized = (*model)(nil)

// Annotate writes the tokens of documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if !run.Wants(text.Tokens.Name) {
		return ctx.Err()
	}
	w := m.workers.Get().(*worker)
	defer m.workers.Put(w)
	for _, d := range docs {
		if err := w.document(ctx, m, d, run); err != nil {
			return err
		}
	}
	return ctx.Err()
}
