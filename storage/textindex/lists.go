package textindex

import (
	"fmt"
	"sync"

	"parlance/storage/dbfile"
	"parlance/storage/fulltext"
	"parlance/storage/recent"
)

// listBytes is the memory for decoded posting lists.
const listBytes = 128 << 20

// listCache holds decoded posting lists of terms that were searched recently.
type listCache struct {
	mu    sync.Mutex
	lists recent.Map[listKey, *decodedList]
}

type listKey struct {
	head headKey
	term string
}

// decodedList is a posting list, and the greatest weight in it for a mean length of units, once that was needed.
type decodedList struct {
	list        fulltext.List
	mean, bound float64
}

func (c *listCache) get(k listKey) (*decodedList, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists.Get(k)
}

func (c *listCache) put(k listKey, l *decodedList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists.Limit = listBytes
	c.lists.Cost = func(l *decodedList) int { return 200 + 8*len(l.list.Units) }
	c.lists.Put(k, l)
}

// drop evicts the lists of a generation.
func (c *listCache) drop(corpus, gen uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists.DeleteFunc(func(k listKey, _ *decodedList) bool { return k.head.corpus == corpus && k.head.gen == gen })
}

// list returns the decoded list of a term of a run, empty where no unit has it.
func (s *Reader) list(h *runHead, term string) (*decodedList, error) {
	k := listKey{h.key, term}
	if l, ok := s.lists.get(k); ok {
		return l, nil
	}
	e, err := s.postings(h, term, false)
	if err != nil {
		return nil, err
	}
	l := &decodedList{}
	if e.count > 0 {
		if l.list, err = fulltext.Decode(e.units, e.count, h.meta.Units); err != nil {
			return nil, fmt.Errorf("%w: %w", dbfile.ErrCorrupt, err)
		}
	}
	s.lists.put(k, l)
	return l, nil
}

// bound is the greatest weight in the list of a term for a mean length of units.
func (s *Reader) bound(h *runHead, term string, mean float64) (float64, error) {
	l, err := s.list(h, term)
	if err != nil || l.mean == mean {
		return l.boundOr0(), err
	}
	known := &decodedList{list: l.list, mean: mean, bound: fulltext.Bound(l.list, h.lengths, mean)}
	s.lists.put(listKey{h.key, term}, known)
	return known.bound, nil
}

func (l *decodedList) boundOr0() float64 {
	if l == nil {
		return 0
	}
	return l.bound
}
