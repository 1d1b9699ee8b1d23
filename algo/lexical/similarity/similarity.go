// Package similarity is the kind of distributional similarity: words are alike that stand in the same
// contexts. It has the Bayesian measure of Kazama et al. (2010), which distrusts rare words, and those
// that it is compared with, and keeps the most similar words of every word.
package similarity

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/topk"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "similarity",
		Learns:   "similar words by these counts, with lists for all words: `sim.similar('wine')`",
		Figures:  "50,000 words of 4.4 million tokens, counting included: 36 s",
		Revision: 1,
		Doc:      "similar words by their contexts, with a list of the most similar ones of every word",
		Paper:    "Kazama, De Saeger, Kuroda, Murata and Torisawa 2010; Kuroda, Kazama and Torisawa 2010",
		New:      func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	counts  *cooccurrence.Matrix // without cells where counts are not kept
	vectors *vectors             // nil where counts are not kept
	lists   lists
	opt     struct {
		settings
		classes                   []string
		contexts, perContext, max int
		keep                      bool
		task                      string
		band                      int
	}
}

// lists are the most similar words of each word, the best first.
type lists struct {
	start  []int
	words  []uint32
	scores []float32
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.measure, "measure", bcb, []string{bcb, bc, bca, js, pmi, classes, dirichlet},
		"bcb: expected Bhattacharyya coefficient of the posteriors; bc: that of relative frequencies; bca: after absolute "+
			"discounting; "+
			"js: Jensen-Shannon divergence, as 1 − JS/ln 2; pmi_cos: cosine of pointwise mutual information; cls_js: js of "+
			"latent classes; dir_bhatt: Bhattacharyya coefficient of the densities of the posteriors")
	s.Float(&o.alpha, "alpha", 0.001, 1e-12, 1e6,
		"parameter of the Dirichlet prior for each context, of bcb and dir_bhatt; larger ones distrust rare words more")
	s.Choice(&o.prior, "prior", "uniform", []string{"uniform", "proportional"},
		"uniform: alpha for every context; proportional: the same sum, by the share of the contexts in all counts")
	s.Float(&o.d, "d", 0.5, 1e-3, 10, "exponent of the probabilities, of bcb; 1 is the product of the expected profiles")
	s.Float(&o.delta, "delta", 0.04, 0, 1e6, "what is taken off each count, of bca; less than the least count")
	s.Bool(&o.logs, "log_counts", true, "counts become ln(count) + 1, those below 1 stay")
	s.Bool(&o.positive, "positive", false, "negative pointwise mutual information counts as 0, of pmi_cos")
	s.List(&o.classes, "classes", nil, "models of the kind latent_classes whose divergences are averaged, of cls_js")
	s.Int(&o.contexts, "query_contexts", 1600, 1, math.MaxInt32,
		"contexts of a word, the most frequent ones, that propose similar words")
	s.Int(&o.perContext, "context_words", 1600, 1, math.MaxInt32,
		"words of a context, the most frequent ones, that it proposes")
	s.Int(&o.max, "list_length", 500, 1, 1000000, "most similar words that are kept of each word").Per("words")
	s.Bool(&o.keep, "keep_counts", true,
		"the counts stay in the model, for similarities of any two words and longer lists")
	s.Choice(&o.task, "task", "set_expansion", []string{"set_expansion", "correlation"},
		"what EVALUATE asks: set_expansion, to find the other members of the sets of a word; correlation, with "+
			"judgements of pairs").In(option.Predict)
	s.Int(&o.band, "band", 10000, 1, math.MaxInt32,
		"words in a band of frequency, which set_expansion also scores apart").In(option.Predict).Per("words")
	s.Check("classes", func() error {
		switch {
		case o.measure == classes && len(o.classes) == 0:
			return fmt.Errorf("option classes: measure = cls_js needs a model of the kind latent_classes")
		case o.measure != classes && len(o.classes) > 0:
			return fmt.Errorf("option classes: only measure = cls_js looks into classes, not %s", o.measure)
		}
		return nil
	})
}

// Schema tells that counts are read.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{cooccurrence.Table}, Relations: relations, Scores: []kind.TableUse{setsTable}}
	if !m.opt.keep {
		s.Relations = slices.DeleteFunc(slices.Clone(relations), func(r kind.Relation) bool { return r.Name == "similarity" })
	}
	if m.opt.task == "correlation" {
		s.Scores = []kind.TableUse{pairsTable}
	}
	for _, name := range m.opt.classes {
		s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: name})
	}
	return s
}

// Train reads the counts and finds the lists of all words. With n contexts of words and lists of m, it
// takes 60·n + 8·m bytes.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(cooccurrence.Table.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, cooccurrence.Table.Name)
	}
	counts, err := cooccurrence.Read(ctx, table)
	if err != nil {
		return err
	}
	if m.opt.measure == classes {
		if counts, err = m.classCounts(ctx, t, counts.Words); err != nil {
			return err
		}
	}
	v, err := newVectors(counts, m.opt.settings)
	if err != nil {
		return err
	}
	if err := m.neighbours(ctx, t, newSearch(v, counts.Rows, m.opt.contexts, m.opt.perContext)); err != nil {
		return err
	}
	m.counts, m.vectors = counts, v
	if !m.opt.keep {
		m.counts = &cooccurrence.Matrix{Words: counts.Words,
			Rows: &cooccurrence.Index{Start: make([]int, len(counts.Words)+1)}}
		m.counts.Ready()
		m.vectors = nil
	}
	return nil
}

// neighbours finds the lists of all words.
func (m *model) neighbours(ctx context.Context, t *kind.Training, s *search) error {
	n := s.v.words()
	found := make([]lists, n)
	begin, last := time.Now(), time.Now()
	var mu sync.Mutex
	done := func(words int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); words == n || now.Sub(last) > time.Second {
			last = now
			t.Report(kind.Progress{Step: words, Of: n, Objective: math.NaN(), HeldOut: math.NaN(),
				Seconds: now.Sub(begin).Seconds()})
		}
	}
	take := func(i int, list []topk.Item) {
		for _, x := range list {
			found[i].words, found[i].scores = append(found[i].words, x.ID), append(found[i].scores, float32(x.Score))
		}
	}
	if err := s.all(ctx, m.opt.max, t.Workers, take, done); err != nil {
		return err
	}
	m.lists = lists{start: make([]int, n+1)}
	for i, l := range found {
		m.lists.start[i+1] = m.lists.start[i] + len(l.words)
	}
	m.lists.words, m.lists.scores = make([]uint32, m.lists.start[n]), make([]float32, m.lists.start[n])
	for i, l := range found {
		copy(m.lists.words[m.lists.start[i]:], l.words)
		copy(m.lists.scores[m.lists.start[i]:], l.scores)
		found[i] = lists{}
	}
	return nil
}

// of returns the list of a word.
func (l *lists) of(i int) ([]uint32, []float32) {
	return l.words[l.start[i]:l.start[i+1]], l.scores[l.start[i]:l.start[i+1]]
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
	n := m.counts.Bytes() + int64(8*len(m.lists.words)+8*len(m.lists.start))
	if v := m.vectors; v != nil {
		n += int64(12*len(v.x) + 8*len(v.aux) + 24*len(v.start))
	}
	return n
}
