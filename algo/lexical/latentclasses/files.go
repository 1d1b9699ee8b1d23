package latentclasses

import (
	"math"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/packed"
)

// Bytes of shards, parameters and sums, for rounds of EM in several processes.

func (s *Shard) write(w *packed.Writer) {
	w.Number(uint64(s.rows.Len()))
	w.Number(uint64(len(s.rows.IDs)))
	w.Number(uint64(s.contexts))
	w.Number(uint64(len(s.words)))
	w.Float(s.total)
	for i := range s.rows.Len() {
		w.Number(uint64(len(s.names[i])))
		w.Text(s.names[i])
		ids, counts := s.rows.Row(i)
		w.Number(uint64(len(ids)))
		for k, f := range ids {
			w.Number(uint64(f))
			w.Float(counts[k])
		}
	}
	w.Floats(s.words)
}

func (s *Shard) read(r *packed.Reader) {
	words, pairs, contexts := r.Count(math.MaxInt32), r.Count(math.MaxInt32), r.Count(math.MaxInt32)
	parameters := r.Count(1 << 40)
	s.total, s.contexts = r.Float(), contexts
	s.rows, s.names = &cooccurrence.Index{Start: []int{0}}, nil
	for i := 0; i < words && r.Err() == nil; i++ {
		s.names = append(s.names, r.Text(r.Count(1<<20)))
		for n := r.Count(pairs); n > 0 && r.Err() == nil; n-- {
			f := r.Count(math.MaxInt32)
			if f >= contexts {
				r.Fail("a context out of range")
			}
			s.rows.IDs, s.rows.Counts = append(s.rows.IDs, uint32(f)), append(s.rows.Counts, r.Float())
		}
		s.rows.Start = append(s.rows.Start, len(s.rows.IDs))
	}
	if r.Err() == nil && (len(s.rows.IDs) != pairs || words > 0 && parameters%words != 0) {
		r.Fail("counts that do not add up")
	}
	s.words, s.active = r.Floats(parameters), newActive(words)
	if r.Err() == nil && parameters > 0 && words > 0 {
		s.find(parameters / words)
	}
}

func (c *Contexts) write(w *packed.Writer) {
	w.Number(uint64(c.Classes))
	w.Number(uint64(len(c.start)))
	w.Number(uint64(len(c.p)))
	w.Floats(c.start)
	w.Floats(c.p)
}

func (c *Contexts) read(r *packed.Reader) {
	c.Classes = r.Count(math.MaxInt32)
	start, n := r.Count(math.MaxInt32), r.Count(1<<40)
	if r.Err() == nil && (c.Classes == 0 || n%c.Classes != 0 || start != 0 && start != c.Classes) {
		r.Fail("numbers that do not fit the classes")
	}
	c.start = r.Floats(start)
	if start == 0 {
		c.start = nil
	}
	c.p = r.Floats(n)
}

func (s *Sums) write(w *packed.Writer) {
	w.Integers([]int64{s.likelihood, s.skipped, int64(len(s.classes)), int64(len(s.counts))})
	w.Integers(s.classes)
	w.Integers(s.counts)
}

func (s *Sums) read(r *packed.Reader) {
	head := r.Integers(4)
	if r.Err() == nil && (head[2] < 0 || head[3] < 0 || head[2] > 1<<31 || head[3] > 1<<40) {
		r.Fail("a size out of range")
	}
	if r.Err() != nil {
		return
	}
	s.likelihood, s.skipped = head[0], head[1]
	s.classes, s.counts = r.Integers(int(head[2])), r.Integers(int(head[3]))
}
