package segmenter

import (
	"context"
	"math/rand/v2"
	"sync"

	"parlance/algo/numeric/parallel"
)

// Policies: which words of the training data count as unknown, so that the characters of unknown words are learned.
const (
	noPolicy        = "none"
	thresholdPolicy = "threshold" // rare entries
	errorPolicy     = "error"     // those, and unknown ones that models of other folds do not find
)

// policy says which entries count as unknown.
type policy struct {
	name   string
	r      uint32 // entries at most as frequent are rare
	folds  int
	passes int  // of the model of each fold
	tagged bool // a word is found if it has its tag
}

// rareIn marks the entries of a dictionary that are at most as frequent as r.
func rareIn(d *dictionary, r uint32) {
	for e := range d.entries {
		if d.entries[e].count <= r {
			d.entries[e].kind = rare
		}
	}
}

// mark marks the artificial unknown words in the dictionary of all examples. It calls done with the number of folds
// that are read so far, one call after the other.
func (p policy) mark(ctx context.Context, d *dictionary, of []int32, data *corpus, w func(*dictionary) *weights,
	set settings, seed uint64, workers int, done func(folds int)) error {
	if p.name == noPolicy {
		return nil
	}
	rareIn(d, p.r)
	if p.name != errorPolicy {
		return nil
	}
	folds := data.folds(p.folds, seed)
	found := make([][]missedEntry, len(folds))
	var lock sync.Mutex
	read := 0
	err := parallel.For(ctx, workers, len(folds), func(_, f int) (err error) {
		found[f], err = p.fold(ctx, data, folds, f, w, set, seed)
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		read++
		done(read)
		return nil
	})
	if err != nil {
		return err
	}
	for _, list := range found {
		for _, m := range list {
			if e := d.find(of[m.word], m.tag); e >= 0 && d.entries[e].kind == known {
				d.entries[e].kind = missed
			}
		}
	}
	return nil
}

// missedEntry is an unknown word, of the corpus, that was not found with its tag.
type missedEntry struct {
	word int32
	tag  uint16
}

// folds parts the examples at random.
func (c *corpus) folds(n int, seed uint64) [][]int {
	n = max(1, min(n, len(c.examples)))
	order := c.all()
	rng := rand.New(rand.NewPCG(seed, 1<<63))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	out := make([][]int, n)
	for i, x := range order {
		out[i%n] = append(out[i%n], x)
	}
	return out
}

// fold trains a model on the other folds, with a dictionary of theirs in which words that are there once are unknown,
// and lists what it misses: gold words of the fold whose entries the dictionary lacks.
func (p policy) fold(ctx context.Context, data *corpus, folds [][]int, f int, w func(*dictionary) *weights,
	set settings, seed uint64) (out []missedEntry, err error) {
	var rest []int
	for g, list := range folds {
		if g != f {
			rest = append(rest, list...)
		}
	}
	if len(rest) == 0 {
		return nil, nil
	}
	d, of := data.dictionary(rest)
	rareIn(d, 1)
	set.learner = perceptronLearner
	l := newLearner(w(d), set, data, of)
	for pass := range p.passes {
		if _, err := l.pass(ctx, rest, seed, pass+1); err != nil {
			return nil, err
		}
	}
	mean := l.weights.mean()
	var lat lattice
	var s search
	for _, i := range folds[f] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = p.misses(&lat, &s, mean, &data.examples[i], of, out)
	}
	return out, nil
}

// misses appends the unknown words of an example that the best path has not.
func (p policy) misses(l *lattice, s *search, w *weights, x *example, of []int32, out []missedEntry) []missedEntry {
	l.load(w, &x.characters, hybridLattice)
	path, _ := s.best(l)
	found := map[span]bool{}
	for _, y := range l.read(nil, path) {
		if !p.tagged {
			y.tag = 0
		}
		found[y] = true
	}
	from := int32(0)
	for k, to := range x.ends {
		y := span{from, to, x.tag[k]}
		if !p.tagged {
			y.tag = 0
		}
		if w.dict.find(of[x.word[k]], x.tag[k]) < 0 && !found[y] {
			out = append(out, missedEntry{x.word[k], x.tag[k]})
		}
		from = to
	}
	return out
}

// span is a word of an analysis: the characters [from, to) with a tag.
type span struct {
	from, to int32
	tag      uint16
}

// read appends the words that a path spells.
func (l *lattice) read(dst []span, path []nodeID) []span {
	plain, width := l.w.plain, l.width()
	for _, id := range path[1 : len(path)-1] {
		if id < 0 {
			n := &l.nodes[^id]
			dst = append(dst, span{n.start, n.end, n.tag})
			continue
		}
		at, pos, tag := int32(int(id)/width), int(id)%width/plain, uint16(int(id)%plain)
		if pos == posB || pos == posS {
			dst = append(dst, span{at, at + 1, tag})
		} else {
			dst[len(dst)-1].to = at + 1
		}
	}
	return dst
}
