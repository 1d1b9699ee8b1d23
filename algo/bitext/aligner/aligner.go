package aligner

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"parlance/algo/bitext"
	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "aligner",
		Learns: "links of words in sentences and their translations, learned from pairs of sentences alone; a " +
			"bilingual dictionary: `m.lexicon('house')`",
		Figures: "Chinese-English, 65,000 pairs: alignment error 25.3 % by words, 20.9 % by characters, 14.7 % " +
			"on 547 English-French pairs",
		Revision: 1,
		Doc: "links words of sentences and their translations, learned from pairs of sentences alone; a bilingual " +
			"dictionary",
		Paper: "Brown, Della Pietra, Della Pietra and Mercer 1993; Vogel, Ney and Tillmann 1996; Liang, Taskar and Klein " +
			"2006; Dyer, Chahuneau and Smith 2013",
		New: func() kind.Model { return &model{} },
	}
}

// The models of alignments, and the estimates of translation probabilities.
const (
	ibm1          = "ibm1"
	ibm2          = "ibm2"
	byHMM         = "hmm"
	byShares      = "shares"
	byVariational = "variational"
)

type model struct {
	kind.Base
	vocabulary [2]*bitext.Vocabulary
	table      *table
	p          parameters
	drop       map[string]bool // source|target in lower case
	opt        struct {
		group, side, source         string
		model, estimate, characters string
		way                         string
		joint, lower                bool
		first, iterations, longest  int
		null, alpha, tension, keep  float64
		threshold                   float64
		dropped                     []string
	}
}

var _ bitext.Aligner = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Text(&o.group, "group", "pair", "column whose value both documents of a pair share")
	s.Text(&o.side, "side", "side", "column that tells the sides")
	s.Text(&o.source, "source", "source", "value of side for the source, whose documents have the links")
	s.Choice(&o.model, "model", byHMM, []string{ibm1, ibm2, byHMM},
		"ibm1: words come from any place; ibm2: from places near the diagonal; hmm: from places near that of the word before")
	s.Bool(&o.joint, "joint", true, "both directions are trained to agree")
	s.Int(&o.first, "first", 5, 0, 1000, "rounds of ibm1, directions apart, before those of hmm")
	s.Int(&o.iterations, "iterations", 5, 1, 1000, "rounds of the model")
	s.Float(&o.null, "null", 0.2, 0, 0.99, "probability that a word comes from none of the other sentence")
	s.Float(&o.tension, "tension", 4, 0.1, 20, "pull of ibm2 to the diagonal at the beginning; it is learned")
	s.Choice(&o.estimate, "estimate", byShares, []string{byShares, byVariational},
		"shares: translation probabilities are shares of expected links; variational: with a Dirichlet prior of alpha "+
			"on them, which is good for ibm2")
	s.Float(&o.alpha, "alpha", 0.01, 1e-6, 10, "parameter of this prior")
	s.Bool(&o.lower, "lower", true, "words are taken in lower case")
	s.Choice(&o.characters, "characters", "none", []string{"none", "source", "target", "both"},
		"the side whose characters are aligned in place of tokens, as is good for Chinese; links are between tokens "+
			"all the same")
	s.Int(&o.longest, "longest", 100, 1, math.MaxInt32,
		"pairs with more words on a side are not learned from; they are aligned all the same")
	s.Float(&o.keep, "keep", 1e-6, 0, 1, "translations less probable in both directions are not kept")
	s.Choice(&o.way, "links", byAverage, ways, "what is linked. average, product: words whose probability of a link, the "+
		"mean or geometric mean of both directions, is above threshold; else the likeliest links of a direction (forward, "+
		"backward), of both, of either, or of both and what grows from them").In(option.Predict)
	s.Float(&o.threshold, "threshold", 0.5, 0, 1, "probability that a link of average and product exceeds").In(
		option.Predict)
	s.List(&o.dropped, "drop_links", nil, "pairs of words, source|target, that are not linked, such as 'the|的'").In(
		option.Predict)
	s.Only("first", "model", byHMM)
	s.Only("tension", "model", ibm2)
	s.Only("alpha", "estimate", byVariational)
	s.Only("threshold", "links", byAverage, byProduct)
	s.Require(func() bool { return o.model == byHMM || !o.joint || o.estimate == byShares },
		"estimate: variational estimates of ibm1 and ibm2 collapse where directions agree; joint = false is wanted")
	s.Check("drop_links", func() error {
		m.drop = map[string]bool{}
		for _, d := range o.dropped {
			a, b, ok := strings.Cut(strings.ToLower(d), "|")
			if !ok || a == "" || b == "" {
				return fmt.Errorf("'%s' is no pair of words source|target", d)
			}
			m.drop[a+"|"+b] = true
		}
		return nil
	})
}

func (m *model) sides() bitext.Sides {
	return bitext.Sides{Key: m.opt.group, Side: m.opt.side, Source: m.opt.source}
}

func (m *model) units() *units {
	c := m.opt.characters
	return &units{lower: m.opt.lower, characters: [2]bool{c == "source" || c == "both", c == "target" || c == "both"}}
}

// Schema tells that tokens of pairs are read and alignments written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerGroup, Group: m.opt.group, Relations: relations, Prob: kind.Score,
		Fields: []string{m.opt.side},
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: text.Alignments.Name}}}
	if m.opt.model != byHMM {
		s.Relations = relations[:1]
	}
	if m.opt.way == byForward || m.opt.way == byBackward {
		s.Prob = kind.Marginal
	}
	return s
}

// Train counts expected links over rounds of expectation-maximisation. It holds the sentences as numbers, 4 bytes for
// each two words of a pair, and 32 bytes for each two words that occur together.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c, err := read(ctx, t.On, m.sides(), m.units(), m.opt.longest)
	if err != nil {
		return err
	}
	c.tell(t, m.opt.longest)
	if c.size() == 0 {
		return fmt.Errorf("%w: there is no pair of sentences with words on both sides", kind.ErrNoData)
	}
	c.sorted()
	m.vocabulary = c.vocabulary
	tab, x, err := newTable(ctx, c)
	if err != nil {
		return err
	}
	m.table = tab
	if err := m.rounds(ctx, t, newTrainer(c, tab, x, t.Workers)); err != nil {
		return err
	}
	m.prune()
	return ctx.Err()
}

// tell says what is not learned from.
func (c *corpus) tell(t *kind.Training, longest int) {
	for _, n := range []struct {
		count int
		what  string
	}{{c.alone, "documents without a partner"}, {c.empty, "pairs of sentences of which a side has no words"},
		{c.long, text.Countf("pairs with more than %d {word|words} on a side (option longest)", longest)}} {
		if n.count > 0 {
			t.Notice(fmt.Sprintf("%d %s are not learned from", n.count, n.what))
		}
	}
}

// rounds runs all rounds, from a checkpoint if there is one.
func (m *model) rounds(ctx context.Context, t *kind.Training, r *trainer) error {
	begun, done := time.Now(), 0
	first, all := m.opt.first, m.opt.first+m.opt.iterations
	if m.opt.model != byHMM {
		first, all = 0, m.opt.iterations
	}
	m.p = m.begin()
	state := checkpoint.State{}.With("done", checkpoint.Value(&done)).With("chain", checkpoint.Value(&m.p.hmm)).
		With("diagonal", checkpoint.Value(&m.p.diagonal))
	for d := range m.table.prob {
		state = state.With(fmt.Sprintf("prob.%d", d), checkpoint.Float32s(m.table.prob[d])).
			With(fmt.Sprintf("null.%d", d), checkpoint.Float32s(m.table.null[d]))
	}
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	keep := checkpoint.NewKeeper(t)
	for done < all {
		early := done < first
		if r.joint = m.opt.joint && !early; r.counts == nil {
			r.counts = newCounts(m.table, r.joint)
		}
		if r.joint {
			r.counts.links[1] = r.counts.links[0]
		}
		m.p.chain = m.opt.model == byHMM && !early
		r.p = &m.p
		alpha := 0.0
		if m.opt.estimate == byVariational && !early {
			alpha = m.opt.alpha
		}
		log, err := r.round(ctx, alpha)
		if err != nil {
			return err
		}
		done++
		p := kind.Progress{Step: done, Of: all, Objective: -log, HeldOut: math.NaN(), Seconds: time.Since(begun).Seconds()}
		if t.Score != nil {
			if p.HeldOut, p.Metric, err = t.Score(ctx, m); err != nil {
				return err
			}
		}
		t.Report(p)
		if done < all {
			if err := keep.Save(state.Write); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearness is how fast weights of jumps fall at the beginning with the distance from the next position; languages
// mostly keep the order of words.
const nearness = 0.3

// begin is what training begins with.
func (m *model) begin() parameters {
	p := parameters{chain: m.opt.model == byHMM}
	for d := range p.hmm {
		p.hmm[d].Null, p.diagonal[d].Null = m.opt.null, m.opt.null
		for k := range p.hmm[d].Weight {
			p.hmm[d].Weight[k] = math.Exp(-nearness * math.Abs(float64(k-longestJump-1)))
		}
		if m.opt.model == ibm2 {
			p.diagonal[d].Lambda = m.opt.tension
		}
	}
	return p
}

// prune drops translations that are improbable in both directions.
func (m *model) prune() {
	t, kept := m.table, 0
	least := float32(m.opt.keep)
	for s := range len(t.starts) - 1 {
		from, to := t.starts[s], t.starts[s+1]
		t.starts[s] = uint64(kept)
		for e := from; e < to; e++ {
			if t.prob[0][e] >= least || t.prob[1][e] >= least {
				t.targets[kept], t.prob[0][kept], t.prob[1][kept] = t.targets[e], t.prob[0][e], t.prob[1][e]
				kept++
			}
		}
	}
	t.starts[len(t.starts)-1] = uint64(kept)
	t.targets, t.prob[0], t.prob[1] = t.targets[:kept:kept], t.prob[0][:kept:kept], t.prob[1][:kept:kept]
}
