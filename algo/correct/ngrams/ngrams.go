package ngrams

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"strings"

	"parlance/algo/correct"
	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "ngrams",
		Learns: "counts of n-grams of text or of a table, with a language model: `web.ngrams('depend on')`, " +
			"`web.score('he goes to school .')`",
		Figures: "Wikipedia, 17 MB: all 8.9 million n-grams of 1 to 5 words in 4 s of processor time, perplexity " +
			"that of KenLM",
		Revision: 2, Starts: true,
		Doc:   "counts of n-grams of text or of a table, looked up and listed by prefix, with a language model on them",
		Paper: "Chen and Goodman 1999; Brants, Popat, Xu, Och and Dean 2007",
		New:   func() kind.Model { return &model{} },
	}
}

// Options of the language model and of what is counted.
const (
	byKneserNey = "kneser_ney"
	byStupid    = "stupid_backoff"
	byText      = "text"
	byCounts    = "counts"
	byModel     = "probabilities"
)

type model struct {
	kind.Base
	vocabulary *vocabulary
	trie       *trie
	discounts  [][4]float64 // of Kneser-Ney, by level
	tokens     float64      // with the ends of sentences
	memory     int          // of the counts in training; 0: as count has it
	opt        struct {
		source, smoothing string
		orders            int
		minCount, bits    int
		lower             bool
		backoff           float64
	}
}

var _ correct.Ngrams = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.source, "source", byText, []string{byText, byCounts, byModel},
		"text: sentences of documents; counts: a table of n-grams with their counts; "+
			"probabilities: a back-off model as in files of FORMAT arpa, which tells no counts: they are 1")
	s.Int(&o.orders, "orders", 5, 1, 8, "words of the longest n-grams")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "n-grams of two words and more that are rarer are left out")
	s.Choice(&o.smoothing, "smoothing", byKneserNey, []string{byKneserNey, byStupid},
		"kneser_ney: interpolated modified Kneser-Ney, probabilities; "+
			"stupid_backoff: relative counts, scores that need no memory besides the counts")
	s.Float(&o.backoff, "backoff", 0.4, 0, 1, "factor of stupid_backoff for each word of the context that is given up")
	s.Int(&o.bits, "bits", 0, 0, 16, "bits of a stored logarithm; 0: all 32")
	s.Bool(&o.lower, "lower", false, "words are taken in lower case, in training and where they are looked up")
	s.Require(func() bool { return o.source != byModel || o.smoothing == byKneserNey },
		"smoothing: probabilities are given (source = 'probabilities'), stupid_backoff has none")
	s.Require(func() bool { return o.source != byModel || o.minCount == 1 },
		"min_count: probabilities come without counts (source = 'probabilities')")
}

// Schema tells that tokens are read, or a table of counts.
func (m *model) Schema() kind.Schema {
	reads := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}
	s := kind.Schema{Relations: relations}
	switch m.opt.source {
	case byCounts:
		s.Tables, s.Scores = []kind.TableUse{gramTable}, []kind.TableUse{lineTable}
		return s
	case byModel:
		s.Tables, s.Scores = []kind.TableUse{probabilityTable}, []kind.TableUse{lineTable}
		return s
	}
	s.Reads = reads
	return s
}

// Train counts windows of words in sorted runs, of 128 MB in memory and else in temporary files, and builds the model
// of their sums, with 16 bytes an n-gram, with Kneser-Ney about 40 bytes and those that min_count leaves out too.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if t.Shards != nil {
		return m.trainShards(ctx, t)
	}
	switch m.opt.source {
	case byCounts:
		return m.trainTable(ctx, t)
	case byModel:
		return m.trainModel(ctx, t)
	}
	s, err := newSpool(m.opt.lower)
	if err != nil {
		return err
	}
	if err = s.read(ctx, t); err == nil {
		kind.Done(t.On)
		free(s.tokens)
		err = m.trainText(ctx, t, s)
	}
	return errors.Join(err, s.close())
}

func (m *model) trainText(ctx context.Context, t *kind.Training, s *spool) error {
	v, number, err := m.start(t, s.sorted())
	if err != nil {
		return err
	}
	g, err := grams(m.opt.orders, v)
	if err != nil {
		return err
	}
	c, err := s.tally(ctx, v, g, count.Options{Workers: t.Workers, Memory: m.memory, Keys: s.tokens})
	if err != nil {
		return err
	}
	return m.build(ctx, t, v, g, counted(ctx, c), number, c.Close)
}

func (m *model) trainTable(ctx context.Context, t *kind.Training) error {
	in, ok := t.On.Table(gramTable.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, gramTable.Name)
	}
	read, err := readTable(ctx, in, m.opt.orders, m.opt.lower)
	if err != nil {
		return err
	}
	v, number, err := m.start(t, read.sorted)
	if err != nil {
		return err
	}
	g, err := grams(m.opt.orders, v)
	if err != nil {
		return err
	}
	all, err := read.windows(ctx, v, g)
	if err != nil {
		return err
	}
	return m.build(ctx, t, v, g, listed(all), number, func() error { return nil })
}

// trainModel takes the probabilities of a back-off model.
func (m *model) trainModel(ctx context.Context, t *kind.Training) error {
	if t.Init != nil {
		return fmt.Errorf("init: probabilities cannot be added to those of another model")
	}
	in, ok := t.On.Table(probabilityTable.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, probabilityTable.Name)
	}
	return m.readModel(ctx, in)
}

// readModel takes the probabilities of a table.
func (m *model) readModel(ctx context.Context, in kind.Table) error {
	grams, v, err := readModel(ctx, in, m.opt.orders)
	if err != nil {
		return err
	}
	levels, e, err := tree(ctx, grams, v)
	if err != nil {
		return err
	}
	m.vocabulary, m.trie = v, pack(levels, v.size())
	m.trie.model(e, m.opt.bits)
	m.ready()
	return ctx.Err()
}

func grams(order int, v *vocabulary) (count.Grams, error) {
	g, err := count.NewGrams(order, uint32(v.size()-1))
	if err != nil {
		return g, fmt.Errorf("%d words, in n-grams of %d: %w; a smaller value of orders is wanted", len(v.words),
			order, err)
	}
	return g, nil
}

// start is the vocabulary of these words and of the model that training starts from, whose ids get new numbers.
func (m *model) start(t *kind.Training, sorted []string) (*vocabulary, []uint32, error) {
	if t.Init == nil {
		v, err := newVocabulary(sorted)
		return v, nil, err
	}
	first, ok := t.Init.(*model)
	if !ok {
		return nil, nil, fmt.Errorf("init: the model is none of n-grams")
	}
	if a, b := first.opt.orders, m.opt.orders; a != b {
		return nil, nil, fmt.Errorf("init: the model has n-grams of %d words, option orders is %d", a, b)
	}
	if first.opt.lower != m.opt.lower {
		return nil, nil, fmt.Errorf("init: option lower is %v, that of the model is not", m.opt.lower)
	}
	if n := first.opt.minCount; n > 1 {
		t.Notice(fmt.Sprintf("init: n-grams that occurred fewer than %d times there were left out, "+
			"and count from 0 here", n))
	}
	return first.vocabulary.join(sorted)
}

// build makes the model of windows, and of those of the model that training starts from. It releases what the windows
// are read from.
func (m *model) build(ctx context.Context, t *kind.Training, v *vocabulary, g count.Grams, all rows, number []uint32,
	release func() error) error {
	if t.Init != nil {
		all = joined(all, t.Init.(*model).trie.windows(g, number))
	}
	least, atOnce := uint64(m.opt.minCount), uint64(m.opt.minCount)
	if m.opt.smoothing == byKneserNey {
		atOnce = 1
	}
	tree, err := build(ctx, g, v.size(), all, atOnce)
	if err = errors.Join(err, release()); err != nil {
		return err
	}
	nodes := 0
	for k := range tree {
		nodes += tree[k].n
	}
	free(nodes)
	var e *estimates
	if m.opt.smoothing == byKneserNey {
		if e, err = kneserNey(ctx, tree, least); err != nil {
			return err
		}
		m.discounts = e.discounts
		if len(e.fixed) > 0 {
			t.Notice("n-grams of " + orders(e.fixed) + " words: too few counts to estimate discounts, " +
				"0.5, 1 and 1.5 stand for them")
		}
		free(nodes)
		prune(tree, e, least)
	}
	m.vocabulary, m.trie = v, pack(tree, v.size())
	if e != nil {
		m.trie.model(e, m.opt.bits)
	}
	m.ready()
	free(nodes)
	return ctx.Err()
}

// many is from how many tokens or n-grams on memory is given back at once.
const many = 1 << 20

// free gives memory back before the next stage takes some, so that what is needed no more does not stand beside it.
func free(n int) {
	if n >= many {
		debug.FreeOSMemory()
	}
}

func orders(list []int) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = strconv.Itoa(n)
	}
	return strings.Join(s, ", ")
}

// model takes the estimates.
func (t *trie) model(e *estimates, bits int) {
	for k := range t.levels {
		t.levels[k].prob = newReals(e.prob[k], bits)
		if k < len(e.back) {
			t.levels[k].back = newReals(e.back[k], bits)
		}
	}
}

// ready sums up the tokens.
func (m *model) ready() {
	m.tokens = 0
	for w := range m.trie.levels[0].n {
		if w != begin {
			m.tokens += float64(m.trie.levels[0].counts.get(w))
		}
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Order is the number of words of the longest n-grams.
func (m *model) Order() int { return m.opt.orders }

// Count is how often words follow each other, 0 for more than Order.
func (m *model) Count(words ...string) uint64 {
	ids, ok := m.known(make([]uint32, 0, 8), words)
	if !ok {
		return 0
	}
	return m.trie.count(ids)
}

// known appends the ids of words, false where one is unknown.
func (m *model) known(ids []uint32, words []string) ([]uint32, bool) {
	for _, w := range words {
		id, ok := m.vocabulary.ids[w]
		if !ok {
			if id, ok = m.vocabulary.ids[plain(w, m.opt.lower)]; !ok {
				return ids, false
			}
		} else if m.opt.lower && id >= firstWord {
			id, ok = m.vocabulary.ids[strings.ToLower(w)]
			if !ok {
				return ids, false
			}
		}
		ids = append(ids, id)
	}
	return ids, true
}
