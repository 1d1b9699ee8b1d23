// Package latentclasses is the kind of soft clusters of words: a latent class model of the pairs of words
// and contexts, p(w,f) = Σ_a p(a) p(w|a) p(f|a), learned by expectation maximisation (Rooth et al. 1999;
// Hofmann 1999).
package latentclasses

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "latent_classes",
		Learns:   "soft classes of words by these counts, for the templates of others",
		Figures:  "see `wiki_gazetteer`",
		Revision: 2,
		Doc: "soft classes of words and of their contexts, found in counts by expectation maximisation; can be used as a " +
			"lexicon",
		Paper: "Rooth, Riezler, Prescher, Carroll and Beil 1999; Hofmann 1999; Kazama and Torisawa 2008; Kuroda, Kazama " +
			"and Torisawa 2010",
		New: func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	words, contexts side
	prior           []float64 // p(a), falling
	opt             struct {
		classes, iterations, restarts, pruneFrom int
		tolerance, prune, background             float64
	}
}

var _ lexical.Classes = (*model)(nil)
var _ kind.Lexicon = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Int(&o.classes, "classes", 200, 1, 10000, "number of classes; time and memory grow with it")
	s.Int(&o.iterations, "iterations", 100, 1, math.MaxInt32, "iterations of a start at most")
	s.Float(&o.tolerance, "tolerance", 1e-5, 0, 1, "iterations end when the log-likelihood gains less than this share "+
		"of itself")
	s.Int(&o.restarts, "restarts", 1, 1, 1000, "random starts, of which the one with the best likelihood is kept")
	s.Float(&o.prune, "prune", 1e-9, 0, 0.01, "classes that a word or a context belongs to with less probability are "+
		"left out for good; 0 keeps all. 0.0001 makes iterations with many classes faster")
	s.Int(&o.pruneFrom, "prune_from", 3, 0, math.MaxInt32, "iterations of a start before anything is left out")
	s.Float(&o.background, "background", 0.001, 0, 1, "share of p(word)·p(context) in the probabilities that EVALUATE "+
		"gives pairs, so that those which no class foresees have one").In(option.Predict)
}

// Schema tells that counts are read.
func (m *model) Schema() kind.Schema {
	return kind.Schema{Tables: []kind.TableUse{cooccurrence.Table}, Scores: []kind.TableUse{cooccurrence.Table},
		Relations: relations}
}

// Train finds the classes. It takes 8 bytes for each class of a word, 16 for each of a context, and 12 for each pair
// that was counted.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(cooccurrence.Table.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, cooccurrence.Table.Name)
	}
	counts, err := cooccurrence.Read(ctx, table)
	if err != nil {
		return err
	}
	if n := max(len(counts.Words), len(counts.Contexts)); m.opt.classes > n {
		t.Notice(text.Countf("classes = %d is more than the %d {word|words} and the %d {context|contexts} can tell apart",
			m.opt.classes,
			len(counts.Words), len(counts.Contexts)))
	}
	c := &climb{m: m, t: t, x: newMixture(counts, m.opt.classes, t.Workers), keep: checkpoint.NewKeeper(t)}
	if t.Shards != nil {
		c.x.away = &away{shards: t.Shards}
	}
	c.best.New = func() kind.Model { return &model{opt: m.opt} }
	if err := c.begin(ctx); err != nil {
		return err
	}
	for c.at.Start < m.opt.restarts {
		likelihood, err := c.top(ctx)
		if err == nil && c.x.away != nil {
			err = c.x.away.collect(c.x.shard)
		}
		if err != nil {
			return err
		}
		c.best.Better(m.found(counts, c.x), likelihood, c.at.Start)
		if c.at = (place{Start: c.at.Start + 1}); c.at.Start < m.opt.restarts {
			if err := c.start(ctx); err != nil {
				return err
			}
		}
	}
	if n := c.x.skipped; n > 0 {
		t.Notice(text.Countf("%d {pair was|pairs were} left out at the end, for no class that is left has both word and "+
			"context; a "+
			"smaller prune keeps them", n))
	}
	if best, ok := c.best.Model.(*model); ok {
		m.words, m.contexts, m.prior = best.words, best.contexts, best.prior
	}
	if m.sound() != nil {
		return errors.New("the counts are so small or so unlike each other that no probabilities come of them")
	}
	m.ready()
	return nil
}

// side is the words or the contexts with their classes: p(a|w), or p(a|f).
type side struct {
	names []string
	share []float64 // p(w), or p(f)
	start []int
	ids   []uint32 // classes, rising
	probs []float64
	index map[string]uint32
}

// row returns the classes of a name and their probabilities.
func (s *side) row(i int) ([]uint32, []float64) {
	return s.ids[s.start[i]:s.start[i+1]], s.probs[s.start[i]:s.start[i+1]]
}

// found is a model of the classes of a start, the most probable first.
func (m *model) found(counts *cooccurrence.Matrix, x *mixture) *model {
	p := make([]float64, x.classes)
	for i, v := range x.shard.words {
		p[i%x.classes] += v
	}
	order := make([]int, x.classes)
	for a := range order {
		order[a] = a
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(p[b], p[a]), cmp.Compare(a, b)) })
	out := &model{opt: m.opt}
	for _, a := range order {
		out.prior = append(out.prior, p[a])
	}
	out.words = posterior(counts.Words, x.shard.words, order, func(int) float64 { return 1 })
	out.contexts = posterior(counts.Contexts, x.c.p, order, func(a int) float64 { return p[a] })
	return out
}

// posterior makes p(a|name) of values that are in proportion to it but for a weight of the class.
func posterior(names []string, values []float64, order []int, weight func(class int) float64) side {
	s := side{names: names, share: make([]float64, len(names)), start: make([]int, len(names)+1)}
	for i := range names {
		row := values[i*len(order) : (i+1)*len(order)]
		for _, a := range order {
			s.share[i] += row[a] * weight(a)
		}
		for k, a := range order {
			if v := row[a] * weight(a); v > 0 {
				s.ids, s.probs = append(s.ids, uint32(k)), append(s.probs, min(1, v/s.share[i]))
			}
		}
		s.start[i+1] = len(s.ids)
	}
	return s
}

// ready indexes the words.
func (m *model) ready() {
	m.words.index = make(map[string]uint32, len(m.words.names))
	for i, w := range m.words.names {
		m.words.index[w] = uint32(i)
	}
}

// ClassCount is the number of classes.
func (m *model) ClassCount() int { return len(m.prior) }

// ClassesOf returns P(class | word), nothing for unknown words.
func (m *model) ClassesOf(word string) ([]uint32, []float64) {
	i, ok := m.words.index[word]
	if !ok {
		return nil, nil
	}
	return m.words.row(int(i))
}

// Has reports whether words have a column.
func (m *model) Has(column string) bool { return column == "class" || column == "prob" }

// Lookup returns the most probable class of a word or its probability, "" if the word is unknown.
func (m *model) Lookup(word, column string) string {
	i, ok := m.words.index[word]
	if !ok {
		return ""
	}
	switch class, prob := m.words.best(int(i)); column {
	case "class":
		return strconv.Itoa(class + 1)
	case "prob":
		return strconv.FormatFloat(prob, 'g', -1, 64)
	}
	return ""
}

// Columns names the columns of words.
func (m *model) Columns() []string { return relations[0].ColumnNames() }

// Rows returns the row of a word, none of an unknown one.
func (m *model) Rows(word string) [][]string {
	if i, ok := m.words.index[word]; ok {
		return [][]string{m.wordRow(int(i))}
	}
	return nil
}

func (m *model) wordRow(i int) []string {
	class, prob := m.words.best(i)
	return []string{m.words.names[i], strconv.Itoa(class + 1), strconv.FormatFloat(prob, 'g', -1, 64)}
}

// All yields the rows of all words.
func (m *model) All(ctx context.Context) iter.Seq2[[]string, error] {
	return kind.WordRows(ctx, len(m.words.names), m.wordRow)
}

// best returns the most probable class of a name, the first of equal ones.
func (s *side) best(i int) (class int, prob float64) {
	ids, probs := s.row(i)
	for k, p := range probs {
		if p > prob {
			class, prob = int(ids[k]), p
		}
	}
	return class, prob
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(8 * len(m.prior))
	for _, s := range []*side{&m.words, &m.contexts} {
		n += int64(12*len(s.ids) + 16*len(s.start) + 40*len(s.index))
		for _, w := range s.names {
			n += int64(len(w)) + 16
		}
	}
	return n
}
