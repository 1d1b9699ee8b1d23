package hiddenreranker

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/parse/boosting"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// kept is a sentence with its candidates in few bytes.
type kept struct {
	tally  candidates.Tally
	words  []string
	answer []bool
	trees  []candidates.Packed
}

// sentence has the trees again.
func (k *kept) sentence(l *candidates.Labels) *candidates.Sentence {
	s := &candidates.Sentence{Words: k.words}
	for i, p := range k.trees {
		s.List = append(s.List, candidates.Candidate{Tree: l.Unpack(p), Log: k.tally.Logs[i], Answer: k.answer[i]})
	}
	return s
}

// training is what is learned from.
type training struct {
	m       *model
	t       *kind.Training
	labels  candidates.Labels
	learn   []*kept
	heldOut []*kept
	senses  senses
	mu      sync.Mutex // reports
}

// Train lists the candidates, learns the members and mixes them.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.ready(); err != nil {
		return err
	}
	base, err := m.opt.candidates.Parser(t.Resources)
	if err != nil {
		return err
	}
	d := &training{m: m, t: t}
	if d.senses, err = m.senses(t.Resources); err != nil {
		return err
	}
	if err := d.read(ctx, base); err != nil {
		return err
	}
	if err := d.members(ctx); err != nil {
		return err
	}
	if err := d.mix(ctx); err != nil {
		return err
	}
	return m.ready()
}

// read lists the candidates of all sentences.
func (d *training) read(ctx context.Context, base kind.Trained) error {
	add := func(list *[]*kept) func(x *read) {
		return func(x *read) {
			if k := x.pack(&d.labels); k != nil {
				*list = append(*list, k)
			}
		}
	}
	found, err := candidates.Read(ctx, &d.m.opt.candidates, d.t.On, d.t, base, newRead, add(&d.learn))
	if err != nil {
		return err
	}
	found.Tell(d.t.Notice)
	if found.Sentences == 0 {
		return fmt.Errorf("%w: there are no sentences with constituents for which the base has trees", kind.ErrNoData)
	}
	if d.t.Validate != nil {
		if _, err = candidates.Read(ctx, &d.m.opt.candidates, d.t.Validate, d.t, base, newRead,
			add(&d.heldOut)); err != nil {
			return err
		}
		if len(d.heldOut) == 0 {
			d.t.Notice("VALIDATE has no sentence with constituents for which the base has trees: sentences of ON are held out")
		}
	}
	if len(d.heldOut) == 0 {
		d.holdOut()
	}
	return nil
}

// holdOut takes sentences from those that are learned from.
func (d *training) holdOut() {
	all := d.learn
	d.learn = nil
	for i, k := range all {
		if (i+1)%d.m.opt.heldOut == 0 {
			d.heldOut = append(d.heldOut, k)
		} else {
			d.learn = append(d.learn, k)
		}
	}
}

// read is a sentence as it was read.
type read struct {
	x *candidates.Sentence
	y candidates.Tally
}

func newRead(_ int, x *candidates.Sentence, gold []constituent.Bracket) *read {
	return &read{x, candidates.TallyOf(x, gold)}
}

// pack is nil for a sentence with more labels than can be numbered.
func (r *read) pack(l *candidates.Labels) *kept {
	k := &kept{tally: r.y, words: r.x.Words}
	for _, c := range r.x.List {
		p, ok := l.Pack(c.Tree)
		if !ok {
			return nil
		}
		k.trees, k.answer = append(k.trees, p), append(k.answer, c.Answer)
	}
	return k
}

// telling are the sentences that something can be learned from: some candidate is worse than the best.
func telling(list []*kept) (out []*kept) {
	for _, k := range list {
		for i := range k.trees {
			if k.tally.Goodness(i) < k.tally.Goodness(k.tally.Target()) {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// members learns all members, several at once: none depends on others, so that the result is the same with any number
// of workers.
func (d *training) members(ctx context.Context) error {
	m, learn := d.m, telling(d.learn)
	if len(learn) == 0 {
		d.t.Notice("no sentence has a better and a worse candidate: the order of the base stays")
	}
	m.members, m.boost, m.likes = nil, nil, nil
	names := m.opt.members
	made := make([]*member, len(names))
	likes := make([][]description, len(names))
	err := parallel.For(ctx, parallel.Workers(d.t.Workers), len(names), func(_, i int) (err error) {
		if names[i] == boosted {
			m.boost, err = d.boosting(ctx, learn)
			return err
		}
		made[i] = m.newMember(names[i])
		made[i].senses = d.senses
		likes[i], err = d.member(ctx, made[i], learn, rand.New(rand.NewPCG(d.t.Seed, uint64(i)+17)))
		return err
	})
	if err != nil {
		return err
	}
	for i, x := range made {
		if x != nil {
			m.members, m.likes = append(m.members, x), append(m.likes, likes[i]...)
		}
	}
	return nil
}

// report passes a report on, one at a time.
func (d *training) report(p kind.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.t.Report(p)
}

// member learns one.
func (d *training) member(ctx context.Context, x *member, learn []*kept, rng *rand.Rand) ([]description, error) {
	o, start := &d.m.opt, time.Now()
	in := newReader(d.m.table)
	if err := x.count(ctx, in, learn, &d.labels, o.least); err != nil {
		return nil, err
	}
	r := &rates{optimizer: o.optimizer, epochs: o.epochs, eta: o.eta, decay: o.decay, l2: o.l2, deviation: o.deviation,
		patience: o.patience, learn: d.problems(x, in, learn), heldOut: d.problems(x, in, d.heldOut)}
	r.report = func(epoch int, loss, held float64) {
		p := kind.Progress{Step: epoch, Of: o.epochs, Objective: loss, HeldOut: held, Active: x.size(), Aside: true,
			Seconds: time.Since(start).Seconds(), Note: text.Countf("%s: %d {sentence|sentences}", x.name, len(learn))}
		if !math.IsNaN(held) {
			p.Metric = "f1"
		}
		d.report(p)
	}
	if err := x.fit(ctx, r, rng); err != nil {
		return nil, err
	}
	return d.describe(ctx, x, learn)
}

// problems are the sentences as a member sees them.
func (d *training) problems(x *member, in *reader, list []*kept) []*problem {
	b := x.builder(in)
	out := make([]*problem, len(list))
	for i, k := range list {
		out[i] = b.problem(k.sentence(&d.labels), k.tally)
	}
	return out
}

// boosting learns the weights of features of whole trees.
func (d *training) boosting(ctx context.Context, learn []*kept) (*boosting.Model, error) {
	b, o := &boosting.Model{}, &d.m.opt
	if err := b.Prepare(&o.boost, &o.candidates); err != nil {
		return nil, err
	}
	f, s := b.Finder(), boosting.NewStore(o.boost.MinCount)
	for _, k := range learn {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Add(f.Example(k.sentence(&d.labels), k.tally))
	}
	t := *d.t
	t.Report = func(p kind.Progress) { p.Aside, p.Note = true, boosted+": "+p.Note; d.report(p) }
	if err := b.Fit(ctx, &o.boost, s, &t); err != nil {
		return nil, err
	}
	var list []*boosting.Example
	for _, k := range d.heldOut {
		list = append(list, b.HeldOutExample(f, k.sentence(&d.labels), k.tally))
	}
	if len(list) > 0 {
		if _, err := b.Validate(ctx, list); err != nil {
			return nil, err
		}
	}
	return b, nil
}
