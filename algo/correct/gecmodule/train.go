package gecmodule

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/correct/inflect"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// read is a sentence of the training with its gold edits.
type read struct {
	s    *confusion.Sentence
	gold confusion.Gold
	fold int
}

// example is a candidate of the training.
type example struct {
	of      int // sentence
	c       confusion.Candidate
	gold    int // label that is right
	usable  bool
	right   []bool // of the options
	hashes  []uint64
	item    int // in the task of the learner, −1 for none
	margins []float64
}

// learner is a training on its way.
type learner struct {
	m     *model
	in    *kind.Training
	list  []read
	x     []example
	w     *worker
	gold  int // edits
	steps int

	ranked map[[2]int]float64 // what trees add to the log-odds, out of fold, by example and option
}

// Train learns lists, weights, the regression of prob and the threshold.
func (m *model) Train(ctx context.Context, in *kind.Training) error {
	l := &learner{m: m, in: in}
	if err := l.read(ctx); err != nil {
		return err
	}
	var err error
	if l.w, err = m.worker(in.Resources, &evidence.Windows{}); err != nil {
		return err
	}
	if err := l.learnLists(ctx); err != nil {
		return err
	}
	if err := l.examples(ctx); err != nil {
		return err
	}
	if err := l.margins(ctx); err != nil {
		return err
	}
	return l.calibrate(ctx)
}

func (l *learner) report(note string) {
	l.steps++
	l.in.Report(kind.Progress{Step: l.steps, Objective: math.NaN(), HeldOut: math.NaN(), Note: note})
}

// read takes the sentences of all documents.
func (l *learner) read(ctx context.Context) error {
	n := 0
	for d, err := range l.in.On.Documents(ctx) {
		if err != nil {
			return err
		}
		list := confusion.Read(d)
		for i, g := range confusion.Golds(d, list) {
			l.list = append(l.list, read{list[i], g, n % l.m.folds})
			l.gold += g.Count
		}
		n++
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.gold == 0 {
		return fmt.Errorf("%w: no edit of %d documents corrects anything", kind.ErrNoData, n)
	}
	return nil
}

// minVerb is how often a base is tagged as a verb that is one.
const minVerb = 5

// learnLists learns what finders look up.
func (l *learner) learnLists(ctx context.Context) error {
	m := l.m
	switch m.module {
	case verbForm:
		n := map[string]int{}
		for i := range l.list {
			for k, t := range l.list[i].s.Tags {
				if strings.HasPrefix(t, "VB") {
					for _, a := range inflect.Verb(l.list[i].s.Lower[k], l.w.known) {
						n[a.Base]++
						break
					}
				}
			}
		}
		for w, k := range n {
			if k >= minVerb {
				m.lists.Verbs = append(m.lists.Verbs, w)
			}
		}
		slices.Sort(m.lists.Verbs)
	case wordForm:
		l.learnForms()
	case punctuation, capitalisation:
		right := make([]*confusion.Sentence, len(l.list))
		for i := range l.list {
			right[i] = l.list[i].s.Corrected(&l.list[i].gold)
		}
		if m.module == capitalisation {
			m.lists.Capitals = Capitals(right, m.capitalCount)
			break
		}
		m.lists.Patterns = Contexts(right, m.patternRate, m.patternCount)
		m.lists.Gaps = besideCommas(right)
	}
	m.lists.ready()
	m.labelsOf = m.labels()
	return ctx.Err()
}

// learnForms learns which words were corrected to which by edits of the types.
func (l *learner) learnForms() {
	forms := map[string][]string{}
	for i := range l.list {
		r := &l.list[i]
		for k, e := range r.gold.Edits {
			w, to := "", strings.ToLower(e.Words)
			if e.End == e.Start+1 {
				w = r.s.Lower[e.Start]
			}
			if slices.Contains(l.m.types, r.gold.Types[k]) && isWord(w) && isWord(to) && w != to &&
				!slices.Contains(forms[w], to) {
				forms[w] = append(forms[w], to)
			}
		}
	}
	for _, to := range forms {
		slices.Sort(to)
	}
	l.m.lists.Forms = forms
}

func isWord(w string) bool { return isLetter(w) && !strings.ContainsAny(w, " .,;:!?") }

// examples finds the candidates.
func (l *learner) examples(ctx context.Context) error {
	m := l.m
	m.prior = newPrior()
	for i := range l.list {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := &l.list[i]
		l.w.bind(r.s)
		for _, c := range l.w.find(r.s) {
			x := example{of: i, c: c, item: -1, right: make([]bool, len(c.Options))}
			x.gold, x.usable = r.gold.Label(&c)
			for k := range c.Options {
				x.right[k] = r.gold.Has(c.Options[k].Edit)
			}
			if m.learns() {
				l.w.col.reset()
				m.features(&l.w.col, &c, l.w.known)
				x.hashes = slices.Clone(l.w.col.hashes)
			}
			if x.usable {
				m.prior.add(c.Source, x.gold, 1)
			}
			l.x = append(l.x, x)
		}
	}
	if len(l.x) == 0 {
		return fmt.Errorf("%w: no sentence has a candidate of %s", kind.ErrNoData, m.module)
	}
	l.report(text.Countf("%d {candidate|candidates}", len(l.x)))
	return nil
}

// task numbers the features that minCount examples have.
func (l *learner) task() *task {
	n := map[uint64]int32{}
	for i := range l.x {
		for _, h := range l.x[i].hashes {
			n[h]++
		}
	}
	t := &task{labels: len(l.m.labelsOf)}
	for h, k := range n {
		if int(k) >= l.m.minCount {
			t.hashes = append(t.hashes, h)
		}
	}
	for s := range l.m.labelsOf {
		t.hashes = append(t.hashes, hash(l.m.sourceFeature(s)))
	}
	slices.Sort(t.hashes)
	t.hashes = slices.Compact(t.hashes)
	clear(n)
	for i, h := range t.hashes {
		n[h] = int32(i)
	}
	for s := range l.m.labelsOf {
		t.sources = append(t.sources, n[hash(l.m.sourceFeature(s))])
	}
	for i := range l.x {
		x := &l.x[i]
		it := item{source: x.c.Source, gold: x.gold, labels: []int{x.c.Source}}
		for _, o := range x.c.Options {
			if !slices.Contains(it.labels, o.Label) {
				it.labels = append(it.labels, o.Label)
			}
		}
		for _, h := range x.hashes {
			if k, ok := n[h]; ok {
				it.features = append(it.features, k)
			}
		}
		x.hashes, x.item = nil, len(t.items)
		t.items = append(t.items, it)
	}
	return t
}

// fit learns weights of the usable examples that want wants.
func (l *learner) fit(ctx context.Context, t *task, want func(x *example) bool) (*weights, error) {
	part := *t
	part.items = nil
	for i := range l.x {
		if x := &l.x[i]; x.usable && want(x) {
			part.items = append(part.items, t.items[x.item])
		}
	}
	if l.m.method() == lr {
		return part.regression(ctx, l.m.l1, l.m.inflation, l.in.Seed)
	}
	return part.perceptron(ctx, l.m.epochs, l.m.inflation, l.in.Seed)
}

// margins computes the margins of all options out of fold, and learns the weights of all.
func (l *learner) margins(ctx context.Context) error {
	m := l.m
	if !m.learns() {
		for i := range l.x {
			if i&255 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			x := &l.x[i]
			l.w.bind(l.list[x.of].s)
			m.without(x, func() { x.margins = slices.Clone(l.w.margins(&x.c, m.prior, nil)) })
		}
		return nil
	}
	t := l.task()
	scores := make([]float64, t.labels)
	for f := range m.folds {
		w, err := l.fit(ctx, t, func(x *example) bool { return l.list[x.of].fold != f })
		if err != nil {
			return err
		}
		for i := range l.x {
			x := &l.x[i]
			if l.list[x.of].fold != f {
				continue
			}
			w.scoreNumbers(scores, t.items[x.item].features, t.sources[x.c.Source])
			for _, o := range x.c.Options {
				x.margins = append(x.margins, scores[o.Label]-scores[x.c.Source])
			}
		}
		l.report(fmt.Sprintf("fold %d of %d", f+1, m.folds))
	}
	w, err := l.fit(ctx, t, func(*example) bool { return true })
	if err != nil {
		return err
	}
	m.weights = w.shrunk()
	return nil
}

// without calls do while the prior does not count an example.
func (m *model) without(x *example, do func()) {
	if x.usable {
		m.prior.add(x.c.Source, x.gold, -1)
		defer m.prior.add(x.c.Source, x.gold, 1)
	}
	do()
}

// calibrate fits prob and chooses the threshold. Margins are out of fold, and the prior is without the example.
func (l *learner) calibrate(ctx context.Context) error {
	m := l.m
	m.scale = 0
	options := 0
	for i := range l.x {
		for _, v := range l.x[i].margins {
			m.scale += math.Abs(v)
			options++
		}
	}
	if m.scale /= float64(max(options, 1)); m.scale == 0 {
		m.scale = 1
	}
	rows, pairs := &evidence.Rows{}, map[[2]int]uint32{}
	all := make([][]evidence.Proposal, len(l.x))
	for i := range l.x {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := &l.x[i]
		s := l.list[x.of].s
		l.w.bind(s)
		m.without(x, func() { all[i] = l.w.proposals(nil, s, &x.c, x.margins, m.prior) })
		for k := range x.c.Options {
			m.inputsOf(&all[i][k], rows.Put)
			if pair := [2]int{x.c.Source, x.c.Options[k].Label}; m.evidence == byAll && m.module != wordForm {
				at, ok := pairs[pair]
				if !ok {
					at = uint32(inputs + len(pairs))
					pairs[pair] = at
				}
				rows.Put(at, 1)
			}
			rows.Add(x.right[k])
		}
	}
	w := make([]float64, inputs+len(pairs))
	l2 := make([]float64, len(w))
	for i := 1; i < len(w); i++ {
		l2[i] = 1
	}
	if err := rows.Fit(ctx, w, l2, nil, 100); err != nil {
		return err
	}
	m.combine, m.pairs = w[:inputs], map[[2]int]float64{}
	for pair, at := range pairs {
		m.pairs[pair] = w[at]
	}
	if err := l.rank(ctx, all); err != nil {
		return err
	}
	l.choose(all)
	return nil
}

// choose sets the list of what is never proposed, and the threshold.
func (l *learner) choose(all [][]evidence.Proposal) {
	m := l.m
	collect := func() []evidence.Scored {
		var out []evidence.Scored
		for i := range l.x {
			x := &l.x[i]
			best := -1
			for k := range all[i] {
				p := &all[i][k]
				p.Prob = evidence.Sigmoid(m.logit(&x.c, &x.c.Options[k], p) + l.ranked[[2]int{i, k}])
				if !m.Ignores(p) && (best < 0 || p.Prob > all[i][best].Prob) {
					best = k
				}
			}
			if best >= 0 {
				out = append(out, evidence.Scored{Score: all[i][best].Prob, Right: x.right[best]})
			}
		}
		return out
	}
	m.tuned, _, _ = evidence.Threshold(collect(), l.gold, m.beta)
	m.ignored = map[[2]string]bool{}
	if m.ignore > 0 {
		l.learnIgnored(all)
		m.tuned, _, _ = evidence.Threshold(collect(), l.gold, m.beta)
	}
	m.trained = results{Candidates: len(l.x), Gold: l.gold}
	for _, s := range collect() {
		if s.Score >= m.tuned {
			m.trained.Made++
			if s.Right {
				m.trained.Right++
			}
		}
	}
	for i := range l.x {
		m.trained.Options += len(l.x[i].right)
		for _, r := range l.x[i].right {
			if r {
				m.trained.Covered++
			}
		}
	}
	m.trained.F = evidence.F(m.trained.Right, m.trained.Made, l.gold, m.beta)
	m.tuned = min(m.tuned, 1)
	l.report(text.Countf("out of fold %d {edit|edits}, %d right, of %d gold; F %.4f", m.trained.Made, m.trained.Right,
		l.gold, m.trained.F))
}

// learnIgnored lists the pairs of what was written and what was proposed that are proposed ignore times or more at the
// threshold, and never right.
func (l *learner) learnIgnored(all [][]evidence.Proposal) {
	made, right := map[[2]string]int{}, map[[2]string]int{}
	for i := range l.x {
		for k, p := range all[i] {
			pair := [2]string{l.x[i].c.Fill, p.Fill}
			if p.Prob >= l.m.tuned {
				made[pair]++
			}
			if l.x[i].right[k] {
				right[pair]++
			}
		}
	}
	for pair, n := range made {
		if n >= l.m.ignore && right[pair] == 0 {
			l.m.ignored[pair] = true
		}
	}
}
