package ngrams

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/engine/count"
)

// Ids below firstWord are no words. Words follow in the order of their bytes.
const (
	none      = iota // pads windows
	unknown          // <unk>
	begin            // <s>
	end              // </s>
	firstWord        // the first word of the vocabulary
)

var reserved = [firstWord]string{"", "<unk>", "<s>", "</s>"}

// open is n-grams of one order while a trie is built: a node is an n-gram, its children are those one word longer,
// which stand together, by their last word.
type open struct {
	n      int
	words  []uint32 // last one of each; nil for single words, where a node is the id of the word
	ends   []uint32 // of the children of each, in the next order
	counts counts
}

// trie is n-grams of all orders, packed. Level 0 has single words, a node for each id; level k has n-grams of k+1
// words, by their words.
type trie struct {
	levels []level
}

// level is the n-grams of one order.
type level struct {
	n      int
	words  packed // last words
	starts rising // of children, one more than nodes; none at the last level
	counts counts
	prob   reals // log10 of the probability after the words before; empty without a model
	back   reals // log10 of the back-off weight; none at the last level
}

// rows yields windows and their counts by rising key; both ends may fail.
type rows func(yield func(t count.Tuple, n uint64) error) error

// build makes the open trie of windows of ids below ids. Longer n-grams with a count below least are left out.
func build(ctx context.Context, g count.Grams, ids int, all rows, least uint64) (t []open, err error) {
	drains := make([]*drain, g.Order)
	for k := range drains {
		if drains[k], err = newDrain(); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, drains[k].close()) }()
	}
	var gram []uint32
	taken := 0
	add := func(order int, key count.Tuple, n uint64) error {
		if taken++; taken&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if order > 1 && n < least {
			return nil // its extensions have been left out before
		}
		gram = g.IDs(gram[:0], key)
		last, end := gram[order-1], 0
		if order < g.Order {
			if end = drains[order].n; end > maxNodes {
				return fmt.Errorf("there are more than %d n-grams of order %d", maxNodes, order+1)
			}
		}
		if order == 1 {
			if err := drains[0].fill(int(last)); err != nil {
				return err
			}
			drains[0].last = uint32(end)
		}
		return drains[order-1].add(last, uint32(end), n)
	}
	p := g.Prefixes(add)
	if err = all(p.Add); err == nil {
		err = p.Close()
	}
	if err == nil {
		err = drains[0].fill(ids)
	}
	t = make([]open, g.Order)
	for k := range t {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			t[k], err = drains[k].level(k > 0, k+1 < len(t))
		}
	}
	return t, err
}

const maxNodes = 1<<32 - 2

// start is the first child of a node.
func (l *open) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(l.ends[i-1])
}

// pack packs a trie, whose words and ends it takes; ids are below ids.
func pack(open []open, ids int) *trie {
	t := &trie{levels: make([]level, len(open))}
	for k := range open {
		o, l := &open[k], &t.levels[k]
		l.n = o.n
		if k > 0 {
			l.words = newPacked(l.n, uint64(ids-1))
			for i, w := range o.words {
				l.words.set(i, uint64(w))
			}
			o.words = nil
		}
		l.counts = o.counts
		if k+1 < len(open) {
			l.starts = newRising(slices.Concat([]uint32{0}, o.ends))
			o.ends = nil
		}
	}
	return t
}

// children are the nodes one level down.
func (t *trie) children(k, node int) (from, to int) {
	if k+1 >= len(t.levels) {
		return 0, 0
	}
	return t.levels[k].starts.pair(node)
}

// child is the node one level down with a last word, or −1.
func (t *trie) child(k, node int, word uint32) int {
	if k+1 >= len(t.levels) {
		return -1
	}
	from, to := t.levels[k].starts.pair(node)
	return t.levels[k+1].words.find(from, to, uint64(word))
}

// find is the node of an n-gram of known ids, at level len(ids)−1, or −1.
func (t *trie) find(ids []uint32) int {
	if len(ids) == 0 || len(ids) > len(t.levels) {
		return -1
	}
	node := int(ids[0])
	for k, w := range ids[1:] {
		if node = t.child(k, node, w); node < 0 {
			return -1
		}
	}
	return node
}

// count is the count of an n-gram of known ids.
func (t *trie) count(ids []uint32) uint64 {
	node := t.find(ids)
	if node < 0 {
		return 0
	}
	return t.levels[len(ids)-1].counts.get(node)
}

// walk yields a node at level len(gram)−1 and all that extend it, each before its extensions, until yield returns
// false.
func (t *trie) walk(gram []uint32, node int, yield func(gram []uint32, node int) bool) bool {
	if !yield(gram, node) {
		return false
	}
	from, to := t.children(len(gram)-1, node)
	for i := from; i < to; i++ {
		if !t.walk(append(gram, uint32(t.levels[len(gram)].words.get(i))), i, yield) {
			return false
		}
	}
	return true
}

// windows yields the windows that the counts come from by rising key, with ids renumbered in their order. A window
// that was cut, or whose extensions were left out, is a shorter one.
func (t *trie) windows(g count.Grams, number []uint32) func(func(count.Tuple, uint64) bool) {
	return func(yield func(count.Tuple, uint64) bool) {
		ids := make([]uint32, 0, len(t.levels))
		one := func(gram []uint32, node int) bool {
			k := len(gram) - 1
			n := t.levels[k].counts.get(node)
			from, to := t.children(k, node)
			for i := from; i < to; i++ {
				n -= t.levels[k+1].counts.get(i)
			}
			if n == 0 {
				return true
			}
			ids = ids[:0]
			for _, w := range gram {
				ids = append(ids, number[w])
			}
			return yield(g.Pack(ids), n)
		}
		gram := make([]uint32, 0, len(t.levels))
		for w := 1; w < t.levels[0].n; w++ {
			if !t.walk(append(gram, uint32(w)), w, one) {
				return
			}
		}
	}
}
