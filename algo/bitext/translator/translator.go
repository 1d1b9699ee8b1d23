package translator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"parlance/algo/bitext"
	"parlance/algo/correct"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "translator",
		Learns:   "translations by phrases: `translations(TEXT '…') USING zh_en`",
		Figures:  "the same pairs, captions: BLEU 18.1",
		Revision: 1,
		Doc:      "translates sentences by phrases, learned from pairs of sentences that a model of kind aligner links",
		Paper:    "Koehn, Och and Marcu 2003; Koehn 2004; Och 2003",
		New:      func() kind.Model { return &model{weights: start} },
	}
}

// vector is a number for each feature.
type vector [features]float64

// start is what training of weights begins with.
var start = vector{.2, .2, .2, .2, .2, -1, .3, .5}

func (v *vector) dot(h *[features]float64) (s float64) {
	for k, x := range h {
		s += v[k] * x
	}
	return s
}

type model struct {
	kind.Base
	vocabulary [2]*bitext.Vocabulary
	table      *table
	weights    vector
	opt        struct {
		group, side, source         string
		aligner, lm, tuning         string
		longest, least, keep        int
		stack, limit, rounds, nbest int
		beam                        float64
		lower                       bool
	}
}

var _ bitext.Translator = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Text(&o.group, "group", "pair", "column whose value both documents of a pair share")
	s.Text(&o.side, "side", "side", "column that tells the sides")
	s.Text(&o.source, "source", "source", "value of side for the source")
	s.Model(&o.aligner, "aligner", "", "model of kind aligner that links the words of the pairs")
	s.Model(&o.lm, "lm", "", "model of kind ngrams of the target language; '': translations are not judged as texts")
	s.Int(&o.longest, "max_phrase", 7, 1, 20, "words of the longest phrases")
	s.Int(&o.least, "min_count", 1, 1, math.MaxInt32, "phrase pairs that occur less often are left out")
	s.Int(&o.keep, "keep", 20, 1, 1000, "translations of a phrase that are kept, the most probable ones")
	s.Bool(&o.lower, "lower", true, "words are taken in lower case")
	s.Choice(&o.tuning, "tuning", "mert", []string{"mert", "none"},
		"mert: weights of features are trained for BLEU on what VALIDATE names; none: they stay as they begin")
	s.Int(&o.rounds, "rounds", 8, 1, 100, "times that the held-out pairs are translated for mert, at most")
	s.Int(&o.nbest, "nbest", 100, 2, 10000, "translations of a sentence that mert chooses from, of each round")
	s.Int(&o.stack, "stack", 100, 1, math.MaxInt32,
		"partial translations that are kept for each number of words covered").In(option.Predict)
	s.Float(&o.beam, "beam", 10, 0, math.MaxFloat64,
		"partial translations are dropped whose score is so much below the best of as many words").In(option.Predict)
	s.Int(&o.limit, "distortion_limit", 6, -1, longest, "words that the search jumps at most; -1: any number").In(
		option.Predict)
	s.Only("rounds", "tuning", "mert")
	s.Only("nbest", "tuning", "mert")
}

func (m *model) sides() bitext.Sides {
	return bitext.Sides{Key: m.opt.group, Side: m.opt.side, Source: m.opt.source}
}

// Schema tells that tokens are read and translations written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument, Fields: []string{m.opt.group, m.opt.side}, Relations: relations,
		Defs:   []*text.LayerDef{bitext.Translations},
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: bitext.Translations.Name}}, Ranked: []string{bitext.Translations.Name}}
	for _, name := range []string{m.opt.aligner, m.opt.lm} {
		if name != "" {
			s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: name})
		}
	}
	return s
}

// Train links the pairs, gathers all phrases in memory, 12 bytes for each place of one, and trains weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if m.opt.aligner == "" {
		return fmt.Errorf("option aligner names the model of kind aligner that links the words of the pairs")
	}
	al, err := resource[bitext.Aligner](t.Resources, m.opt.aligner, "aligner")
	if err != nil {
		return err
	}
	if _, err := m.language(t.Resources); err != nil {
		return err
	}
	begun := time.Now()
	m.vocabulary = [2]*bitext.Vocabulary{bitext.NewVocabulary(nil), bitext.NewVocabulary(nil)}
	c, n := newCollector(m.opt.longest), 0
	err = m.pairs(ctx, t.On, func(a, b []string) error {
		ids := [2][]uint32{}
		for side, list := range [2][]string{a, b} {
			for _, w := range list {
				ids[side] = append(ids[side], m.vocabulary[side].Add(w))
			}
		}
		c.add(ids[0], ids[1], al.Align(ctx, a, b))
		if n++; n%1000 == 0 {
			t.Report(kind.Progress{Step: n, Of: max(n, t.On.Count()/2), Objective: math.NaN(), HeldOut: math.NaN(), Aside: true,
				Seconds: time.Since(begun).Seconds(), Note: text.Countf("%d {phrase|phrases}", len(c.all))})
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if len(c.all) == 0 {
		return fmt.Errorf("%w: there are no pairs of sentences with links", kind.ErrNoData)
	}
	if m.table, err = c.build(ctx, m.opt.least, m.opt.keep); err != nil {
		return err
	}
	m.weights = start
	if t.Validate != nil && m.opt.tuning == "mert" {
		return m.tune(ctx, t, begun)
	}
	return ctx.Err()
}

// resource is a model that a kind offers something with.
func resource[T any](r kind.Resources, name, what string) (of T, err error) {
	trained, err := r.Model(name)
	if err != nil {
		return of, err
	}
	of, ok := trained.Model.(T)
	if !ok {
		return of, fmt.Errorf("option %s: %s is of another kind", what, trained.Label)
	}
	return of, nil
}

// language is the language model, nil without one.
func (m *model) language(r kind.Resources) (correct.Ngrams, error) {
	if m.opt.lm == "" {
		return nil, nil
	}
	return resource[correct.Ngrams](r, m.opt.lm, "lm")
}

// pairs calls use with the words of each pair of sentences that has words on both sides.
func (m *model) pairs(ctx context.Context, in kind.Input, use func(a, b []string) error) error {
	for pair, err := range m.sides().Pairs(ctx, in) {
		if err != nil {
			return err
		}
		a, b := m.forms(pair.Source), m.forms(pair.Target)
		for _, s := range pair.Sentences() {
			if s[0].From < s[0].To && s[1].From < s[1].To {
				if err := use(a[s[0].From:s[0].To], b[s[1].From:s[1].To]); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}

func (m *model) forms(d *text.Document) []string {
	list := bitext.Forms(d)
	if !m.opt.lower {
		return list
	}
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = strings.ToLower(w)
	}
	return out
}

// Translate gives up to n translations of a sentence. One of more than longest words is translated in parts, once.
func (m *model) Translate(ctx context.Context, resources kind.Resources, sentence []string,
	n int) ([]bitext.Translation, error) {
	lm, err := m.language(resources)
	if err != nil {
		return nil, err
	}
	forms := sentence
	if m.opt.lower {
		forms = make([]string, len(sentence))
		for i, w := range sentence {
			forms[i] = strings.ToLower(w)
		}
	}
	if len(forms) > longest {
		return m.inParts(ctx, lm, forms)
	}
	list, err := m.best(ctx, lm, forms, max(n, 1))
	out := make([]bitext.Translation, len(list))
	for i, f := range list {
		out[i] = bitext.Translation{Words: f.words, Links: f.links, Score: f.score}
	}
	return out, err
}

func (m *model) inParts(ctx context.Context, lm correct.Ngrams, forms []string) ([]bitext.Translation, error) {
	var all bitext.Translation
	for from := 0; from < len(forms); from += longest / 2 {
		list, err := m.best(ctx, lm, forms[from:min(len(forms), from+longest/2)], 1)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, errors.New("the search was ended")
		}
		f := list[0]
		for _, l := range f.links {
			all.Links = append(all.Links, bitext.Link{Source: l.Source + from, Target: l.Target + len(all.Words), Prob: 1})
		}
		all.Words = append(all.Words, f.words...)
		all.Score += f.score
	}
	return []bitext.Translation{all}, nil
}

// Annotate translates the sentences of documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	for _, d := range docs {
		l := text.NewLayer(bitext.Translations)
		var sent []int32
		var words, links []string
		var scores []float64
		forms := bitext.Forms(d)
		if forms != nil {
			for s := range d.Sentences() {
				list, err := m.Translate(ctx, run.Resources, forms[s.From:s.To], run.NBest)
				if err != nil {
					return err
				}
				for i, t := range list {
					sent, words = append(sent, int32(s.Number)), append(words, strings.Join(t.Words, " "))
					links, scores = append(links, written(t.Links)), append(scores, t.Score)
					if run.NBest > 1 {
						l.Rank = append(l.Rank, int32(i+1))
					}
					if run.NBest > 1 || run.Prob {
						l.Prob = append(l.Prob, math.NaN())
					}
				}
			}
		}
		l.N = len(sent)
		l.SetInts("sent", sent)
		l.SetStrs("translation", words)
		l.SetStrs("links", links)
		l.Cols[l.Def.Index("score")].Floats = scores
		d.SetLayer(l)
	}
	return ctx.Err()
}

func written(links []bitext.Link) string {
	var b []byte
	for i, l := range links {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(l.Source+1), 10)
		b = append(b, '-')
		b = strconv.AppendInt(b, int64(l.Target+1), 10)
	}
	return string(b)
}
