package lemmatizer

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// counts is what the input has: rules, and how often words have them.
type counts struct {
	rules []rule
	index map[rule]uint32
	words tally // by the keys of all levels
	tags  map[string][]string
	forms map[string]string // by the keys of formAndTags
}

// Train counts the rules of words and fits the classifier.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c := &counts{index: map[rule]uint32{}, words: tally{}, tags: map[string][]string{}, forms: map[string]string{}}
	n := 0
	for d, err := range t.On.Documents(ctx) {
		if err == nil && n&63 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		n++
		c.document(d, m.opt.tags)
	}
	if len(c.forms) == 0 {
		return fmt.Errorf("%w: no token has a lemma", kind.ErrNoData)
	}
	learned := m.take(c)
	return m.fit(ctx, t, c, learned)
}

// document counts the tokens that have a lemma.
func (c *counts) document(d *text.Document, columns []string) {
	tokens := d.Layer(text.Tokens.Name)
	if tokens == nil || tokens.Strs(lemma) == nil {
		return
	}
	var w word
	r := newReader(d, columns)
	for i, l := range tokens.Strs(lemma) {
		if l == "" || !r.read(i, &w) {
			continue
		}
		id := c.ruleOf(derive(w.form, l))
		for k := range levels {
			c.words.add(w.keyOf(k), id)
		}
		key := w.keyOf(formAndTags)
		if _, ok := c.forms[string(key)]; !ok {
			c.forms[string(key)], c.tags[string(key)] = w.form, slices.Clone(w.tags)
		}
	}
}

func (c *counts) ruleOf(r rule) uint32 {
	id, ok := c.index[r]
	if !ok {
		id = uint32(len(c.rules))
		c.rules, c.index[r] = append(c.rules, r), id
	}
	return id
}

// example is a form with tags and the number of its rule.
type example struct {
	word
	characters int
	gold       uint16
	features   []uint32
}

// take gives rules their numbers, those of the classifier first, keeps the dictionary, and returns the words that the
// classifier learns from: each pair of form and tags with its most frequent rule.
func (m *model) take(c *counts) []example {
	keys := slices.Sorted(maps.Keys(c.forms))
	best := make([]uint32, len(keys))
	pairs, first := make([]uint32, len(c.rules)), make([]string, len(c.rules))
	for i, key := range keys {
		best[i] = most(c.words[key]).rule
		if pairs[best[i]]++; pairs[best[i]] == 1 {
			first[best[i]] = c.forms[key]
		}
	}
	number := make([]uint32, len(c.rules))
	learned := 0
	m.rules, m.pairs, m.examples = nil, nil, nil
	for pass := range 2 {
		for _, r := range byCount(c.rules, pairs) {
			if general := c.rules[r].Whole == "" && pairs[r] >= uint32(m.opt.minCount); general != (pass == 0) {
				continue
			}
			number[r] = uint32(len(m.rules))
			m.rules, m.pairs = append(m.rules, c.rules[r]), append(m.pairs, pairs[r])
			m.examples = append(m.examples, first[r])
		}
		if pass == 0 {
			learned = min(len(m.rules), math.MaxUint16-1)
		}
	}
	m.words = c.words.best()
	for key, s := range m.words {
		m.words[key] = seen{number[s.rule], s.count, s.total}
	}
	m.weights = online.NewRows(0, learned)
	var out []example
	for i, key := range keys {
		if r := number[best[i]]; int(r) < learned {
			form := c.forms[key]
			x := example{word: word{form: form, lower: lower(form), tags: c.tags[key]}, gold: uint16(r)}
			x.characters = len([]rune(form))
			out = append(out, x)
		}
	}
	return out
}

// number gives the features of the examples numbers in the order in which they come.
func (m *model) number(examples []example) {
	m.features, m.names = map[string]uint32{}, nil
	x := extractor{suffix: m.opt.suffix, prefix: m.opt.prefix}
	for i := range examples {
		e := &examples[i]
		x.each(&e.word, func(feature []byte) {
			id, ok := m.features[string(feature)]
			if !ok {
				id = uint32(len(m.names))
				name := string(feature)
				m.names, m.features[name] = append(m.names, name), id
			}
			e.features = append(e.features, id)
		})
	}
}

// fit makes passes of a perceptron over the examples, in an order by chance, and keeps the mean of the weights.
func (m *model) fit(ctx context.Context, t *kind.Training, c *counts, examples []example) error {
	m.number(examples)
	w := online.NewRows(len(m.names), m.weights.Columns)
	scores := make([]float64, w.Columns)
	order := rand.New(rand.NewPCG(t.Seed, uint64(len(examples))))
	began := time.Now()
	steps := 0.0
	for epoch := 1; epoch <= m.opt.epochs; epoch++ {
		order.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
		wrong := 0
		for i := range examples {
			if i&255 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			e := &examples[i]
			steps++
			if got := m.best(w, e.features, e.characters, scores); got != int(e.gold) {
				wrong++
				for _, f := range e.features {
					w.Move(f, e.gold, 1, steps)
					if got >= 0 {
						w.Move(f, uint16(got), -1, steps)
					}
				}
			}
		}
		p := kind.Progress{Step: epoch, Of: m.opt.epochs, Objective: float64(wrong), HeldOut: math.NaN(),
			Note: text.Countf("errors among %d {word|words} with tags", len(examples))}
		if t.Score != nil {
			var err error
			if p.HeldOut, p.Metric, err = t.Score(ctx, m.with(w, steps)); err != nil {
				return err
			}
		}
		p.Seconds = time.Since(began).Seconds()
		if t.Report(p); wrong == 0 {
			break
		}
	}
	*m = *m.with(w, max(steps, 1))
	return ctx.Err()
}

// best is the rule of the highest score that the form is long enough for, of equal ones the first; −1 for none.
func (m *model) best(w *online.Rows, features []uint32, characters int, scores []float64) int {
	clear(scores)
	for _, f := range features {
		w.AddRow(f, scores)
	}
	best := -1
	for r := range scores {
		if (best < 0 || scores[r] > scores[best]) && m.rules[r].fits(characters) {
			best = r
		}
	}
	return best
}

// with is the model with the mean of weights, of which those of 0 and features without others are left out.
func (m *model) with(w *online.Rows, steps float64) *model {
	out := &model{opt: m.opt, rules: m.rules, pairs: m.pairs, examples: m.examples, words: m.words}
	out.weights = &online.Rows{Columns: w.Columns}
	for f, span := range w.Spans {
		at := uint32(len(out.weights.Cells))
		for k := span.At; k < span.At+uint32(span.N); k++ {
			if x := float32(w.Mean(k, steps)); x != 0 {
				out.weights.Cells = append(out.weights.Cells, online.Cell{W: x, Column: w.Cells[k].Column})
			}
		}
		if n := uint16(uint32(len(out.weights.Cells)) - at); n > 0 {
			out.weights.Spans = append(out.weights.Spans, online.RowSpan{At: at, N: n, Room: n})
			out.names = append(out.names, m.names[f])
		}
	}
	out.ready()
	return out
}
