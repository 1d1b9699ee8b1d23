package hmm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// sentence is the words of a sentence and, where they are learned, their labels.
type sentence struct {
	words  []string
	labels []uint16
}

// corpus is what is read of the inputs.
type corpus struct {
	sentences []sentence
	words     []string // in the order of their first occurrence
	count     map[string]int
	names     []string // of labels
	index     map[string]uint16
	skipped   int
	over      int
	inside    bool // a token has a label other than O
}

// Train counts labels, or finds states.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	target, err := m.target()
	if err != nil {
		return err
	}
	if t.Shards != nil {
		return m.trainShards(ctx, t)
	}
	r, err := m.read(ctx, t, target)
	if err != nil {
		return err
	}
	if m.opt.states > 0 {
		slices.Sort(r.words) // the states do not depend on the order of the documents
	}
	m.symbols = newSymbols(r.words, r.count, m.opt.minCount)
	if m.opt.states > 0 {
		err = m.findHere(ctx, t, r)
	} else {
		err = m.counts(r)
	}
	if err != nil {
		return err
	}
	if err := m.ready(); err != nil || m.opt.states > 0 {
		return err
	}
	p := kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
		Note: text.Countf("%d {sentence|sentences}, %d "+
			"words, %d {label|labels} counted", len(r.sentences), len(r.words), len(r.names))}
	if t.Score != nil {
		if p.HeldOut, p.Metric, err = t.Score(ctx, m); err != nil {
			return err
		}
	}
	t.Report(p)
	return nil
}

func (m *model) read(ctx context.Context, t *kind.Training, target tagger.Target) (*corpus, error) {
	r := &corpus{count: map[string]int{}, index: map[string]uint16{}}
	n := 0
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.document(r, d, target); err != nil {
			return nil, err
		}
	}
	if len(r.sentences) == 0 || m.opt.states == 0 && !r.inside {
		what := target.Use().Layer
		switch {
		case m.opt.states > 0:
			what = "tokens"
		case !target.Spans():
			what = "tokens." + target.Column
		}
		return nil, fmt.Errorf("%w: the documents have no %s", kind.ErrNoData, what)
	}
	if r.skipped > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: a token has no %s", r.skipped, target.Column))
	}
	if r.over > 0 {
		t.Notice(text.Countf("%d {span is|spans are} left out: {it overlaps one before it|they overlap one before them}",
			r.over))
	}
	return r, nil
}

func (m *model) document(r *corpus, d *text.Document, target tagger.Target) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	forms, bounds := toks.Strs("form"), d.SentenceTokens()
	if forms == nil {
		return nil
	}
	var spans []text.Span
	if target.Spans() {
		if l := d.Layer(target.Layer.Name); l != nil {
			spans = l.Spans()
		}
	}
	for s := 1; s < len(bounds); s++ {
		var own []text.Span
		for len(spans) > 0 && spans[0].Sent <= int32(s) {
			if spans[0].Sent == int32(s) {
				own = append(own, spans[0])
			}
			spans = spans[1:]
		}
		from, to := bounds[s-1], bounds[s]
		if from == to {
			continue
		}
		x := sentence{words: forms[from:to:to]}
		if m.opt.states == 0 {
			labels, over, ok := target.Gold(nil, d, s, from, to, own)
			if r.over += over; !ok {
				r.skipped++
				continue
			}
			var err error
			if x.labels, err = r.number(labels); err != nil {
				return fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
		for _, w := range x.words {
			if r.count[w]++; r.count[w] == 1 {
				r.words = append(r.words, w)
			}
		}
		r.sentences = append(r.sentences, x)
	}
	return nil
}

func (r *corpus) number(labels []string) ([]uint16, error) {
	out := make([]uint16, len(labels))
	for i, l := range labels {
		id, ok := r.index[l]
		if !ok {
			if len(r.names) == maxStates {
				return nil, fmt.Errorf("more than %d labels", maxStates)
			}
			id = uint16(len(r.names))
			r.index[l] = id
			r.names = append(r.names, l)
		}
		r.inside = r.inside || l != "O"
		out[i] = id
	}
	return out, nil
}

// counts sets relative frequencies of labels after labels and of symbols by label, smoothed.
func (m *model) counts(r *corpus) error {
	m.labels = r.names
	n := len(r.names)
	m.markov = newMarkov(n, len(m.symbols.names))
	for _, s := range r.sentences {
		for t, y := range s.labels {
			if t == 0 {
				m.markov.start[y]++
			} else {
				m.markov.trans[int(s.labels[t-1])*n+int(y)]++
			}
			if v := m.symbols.of(s.words[t]); v != unknown {
				m.markov.emit[int(v)*n+int(y)]++
			}
		}
	}
	m.markov.smooth(m.opt.transition, m.opt.smoothing)
	m.markov.normalise()
	return nil
}

// findHere finds states in sentences that are in memory.
func (m *model) findHere(ctx context.Context, t *kind.Training, r *corpus) error {
	sentences := m.symbols.sentences(r)
	return m.find(ctx, t, r.count, func(ctx context.Context, tokens int) (*sums, error) {
		return m.markov.expect(ctx, sentences, tokens, t.Workers)
	})
}

// sentences is the symbols of each sentence, without unknown words.
func (s *symbols) sentences(r *corpus) [][]uint32 {
	out := make([][]uint32, len(r.sentences))
	for i, x := range r.sentences {
		for _, w := range x.words {
			if v := s.of(w); v != unknown {
				out[i] = append(out[i], v)
			}
		}
	}
	return out
}

// find runs Baum-Welch from a random start. expect counts all sentences by the model as it stands.
func (m *model) find(ctx context.Context, t *kind.Training, count map[string]int,
	expect func(ctx context.Context, tokens int) (*sums, error)) error {
	n, tokens := m.opt.states, 0
	frequency := make([]float64, len(m.symbols.names))
	for w, c := range count {
		if v := m.symbols.of(w); v != unknown {
			frequency[v] += float64(c) // exact
			tokens += c
		}
	}
	if tokens == 0 {
		return fmt.Errorf("%w: no word is there %d times; lower min_count", kind.ErrNoData, m.opt.minCount)
	}
	m.labels = make([]string, n)
	for i := range m.labels {
		m.labels[i] = fmt.Sprintf("S%d", i+1)
	}
	m.markov = newMarkov(n, len(frequency))
	m.markov.randomise(frequency, t.Seed)
	step, before, keep := 0, []float64{math.Inf(-1)}, checkpoint.NewKeeper(t)
	state := checkpoint.State{}.With("step", checkpoint.Value(&step)).With("before", checkpoint.Float64s(before)).
		With("start", checkpoint.Float64s(m.markov.start)).With("transitions", checkpoint.Float64s(m.markov.trans)).
		With("emissions", checkpoint.Float64s(m.markov.emit))
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	for step < m.opt.iterations {
		s, err := expect(ctx, tokens)
		if err != nil {
			return err
		}
		now := m.markov.maximise(s, tokens)
		step++
		t.Report(kind.Progress{Step: step, Of: m.opt.iterations, Objective: now, HeldOut: math.NaN(),
			Note: "logarithm of the likelihood"})
		if now-before[0] < m.opt.tolerance*math.Abs(now) {
			break
		}
		before[0] = now
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	return nil
}
