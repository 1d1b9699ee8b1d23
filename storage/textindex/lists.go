package textindex

import (
	"fmt"

	"parlance/storage/dbfile"
	"parlance/storage/fulltext"
)

// listBytes is the memory for decoded posting lists.
const listBytes = 128 << 20

type listKey struct {
	head headKey
	term string
}

// decodedList is a posting list, and the greatest weight in it for a mean length of units, once that was needed.
type decodedList struct {
	list        fulltext.List
	mean, bound float64
}

func (l *decodedList) size() int { return 200 + 8*len(l.list.Units) }

// list returns the decoded list of a term of a run, empty where no unit has it.
func (s *Reader) list(h *runHead, term string) (*decodedList, error) {
	k := listKey{h.key, term}
	if l, ok := s.lists.Get(k); ok {
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
	s.lists.Put(k, l)
	return l, nil
}

// bound is the greatest weight in the list of a term for a mean length of units.
func (s *Reader) bound(h *runHead, term string, mean float64) (float64, error) {
	l, err := s.list(h, term)
	if err != nil || l.mean == mean {
		return l.boundOr0(), err
	}
	known := &decodedList{list: l.list, mean: mean, bound: fulltext.Bound(l.list, h.lengths, mean)}
	s.lists.Put(listKey{h.key, term}, known)
	return known.bound, nil
}

func (l *decodedList) boundOr0() float64 {
	if l == nil {
		return 0
	}
	return l.bound
}
