package coreference

import (
	"context"

	"parlance/algo/coref/kblink"
	"parlance/algo/coref/linking"
)

// kbLearner gives features of a knowledge base while weights are learned. Where clusters so far are those of the
// corpus, they are computed once.
type kbLearner struct {
	gold    [][]cells // by document, by mention; nil where clusters are predicted
	current []cells   // of the document that is learned from

	walk *walk // through it, where clusters are predicted
	now  cells // of mention at
	at   int
}

// readKB looks the mentions of a document up.
func (l *learner) readKB(ctx context.Context, base *kblink.Base, d *document) error {
	if err := d.look(ctx, base); err != nil {
		return err
	}
	if !l.opt.goldClusters() {
		return nil
	}
	w, list := d.newWalk(l.opt), make([]cells, len(d.mentions))
	last := map[int32]int32{} // the nearest mention before, by cluster
	for i, c := range d.gold {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.cells(i, &list[i])
		if a, ok := last[c]; ok {
			w.join(a)
		} else {
			w.join(linking.None)
		}
		last[c] = int32(i)
	}
	l.kb.gold = append(l.kb.gold, list)
	d.kb = nil // it is not looked at again
	return ctx.Err()
}

// begin turns to document k.
func (l *learner) begin(k int) {
	b := &l.kb
	l.history = history{cluster: l.history.cluster[:0]}
	switch {
	case b.gold != nil:
		b.current = b.gold[k]
	case l.opt.weighsKB():
		b.walk, b.at = l.docs[k].newWalk(l.opt), -1
	}
}

// of are the features of the links of a mention, nil without a knowledge base.
func (b *kbLearner) of(i int) *cells {
	switch {
	case b.current != nil:
		return &b.current[i]
	case b.walk == nil:
		return nil
	}
	if b.at != i {
		b.walk.cells(i, &b.now)
		b.at = i
	}
	return &b.now
}

// nextKB links mention i where clusters are predicted: to its best antecedent.
func (l *learner) nextKB(d *document, v *vectors, i int) {
	if l.kb.walk == nil {
		return
	}
	if l.opt.train == "pairs" { // which has no row of scores
		l.score(d, v, i)
	}
	best, high := int32(linking.None), 0.0
	for k, s := range l.row {
		if s > 0 && s >= high {
			best, high = int32(d.table.First(i)+k), s
		}
	}
	l.kb.walk.join(best)
}
