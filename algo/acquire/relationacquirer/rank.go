package relationacquirer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parlance/algo/acquire/tuples"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// instance is an acquired pair with its best candidate.
type instance struct {
	pair
	score    float64
	count    int    // candidates
	known    bool   // among the first pairs of the first stage
	doc      string // of the best candidate
	sent     int
	path     string // from the noun that stands first to the other one, "" if it is too long
	reversed bool   // the target stands first
	features []uint32
}

// ranking is the best candidates of some documents.
type ranking struct {
	best       map[pair]*instance
	order      []*instance // as they came
	candidates int
	query      solver.Query
	scan       scan
	room       []uint32
}

// rank scores all candidates and keeps the best one of each pair; of equal ones the first of the text.
func (m *model) rank(ctx context.Context, t *kind.Training, top map[pair]bool) (int, error) {
	all := &ranking{best: map[pair]*instance{}}
	err := each(ctx, t, m.opt.ReaderOptions, func(r *tuples.Reader, d *text.Document, found *ranking) {
		if found.best == nil {
			found.best = map[pair]*instance{}
		}
		for s := range kind.While(ctx, r.Sentences(d)) {
			if m.look(s, &found.scan) || m.opt.candidates == "class" {
				m.rankSentence(d.ID, found)
			}
		}
	}, func(found *ranking) {
		all.candidates += found.candidates
		for _, i := range found.order {
			all.take(i)
		}
	})
	if err != nil {
		return 0, err
	}
	m.instances = nil
	for _, i := range all.order {
		i.known = top[i.pair]
		m.instances = append(m.instances, *i)
	}
	slices.SortFunc(m.instances, func(a, b instance) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count),
			strings.Compare(a.source, b.source), strings.Compare(a.target, b.target))
	})
	m.instances = slices.Clone(m.instances[:min(len(m.instances), m.opt.nbest)])
	return all.candidates, nil
}

// rankSentence scores the candidates of a sentence.
func (m *model) rankSentence(doc string, r *ranking) {
	x := &r.scan
	m.candidates(x, m.opt.candidates, func(a, b int) {
		r.candidates++
		r.room = m.known(x, a, b, r.room[:0])
		f := m.score(&r.query, r.room)
		key := pair{x.nouns[a], x.nouns[b]}
		old := r.best[key]
		if old != nil && f <= old.score {
			old.count++
			return
		}
		r.take(&instance{pair: pair{strings.Clone(key.source), strings.Clone(key.target)}, score: f, count: 1,
			doc: doc, sent: x.Number, path: x.Path(x.Nouns[min(a, b)], x.Nouns[max(a, b)]), reversed: a > b,
			features: slices.Clone(r.room)})
	})
}

// take adds candidates of a pair.
func (r *ranking) take(i *instance) {
	old := r.best[i.pair]
	switch {
	case old == nil:
		r.best[i.pair] = i
		r.order = append(r.order, i)
	case i.score > old.score:
		i.count += old.count
		*old = *i
	default:
		old.count += i.count
	}
}
