package textindex

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/guard"
)

// Hit is a unit that a search finds: a document, or a row of a layer.
type Hit struct {
	Seq     uint64  // sequence number of the document
	Score   float64 // 0 unless scores were wanted
	Row     int32   // of the layer within the document, 0-based; 0 for documents
	segment int32   // of Hits.Segments
}

// Hits are what a search finds, in the order of documents.
type Hits struct {
	List     []Hit
	Segments []documents.SegmentID // with hits
}

// Search finds what matches by a full-text index of a corpus, with scores if they are wanted.
func (s *Reader) Search(ctx context.Context, st *documents.Corpus, x *documents.IndexState, q *fulltext.Search,
	scores bool) (*Hits, error) {
	y := &searching{s: s, st: st, x: x, q: q, stats: fulltext.Statistics{DF: make([]int, len(q.Leaves))}}
	for _, g := range st.Gens {
		if err := y.generation(ctx, g); err != nil {
			return nil, err
		}
	}
	if err := y.evaluateAll(ctx, scores); err != nil {
		return nil, err
	}
	total := 0
	for _, r := range y.runs {
		total += len(r.units)
	}
	out := &Hits{List: make([]Hit, 0, total)}
	for _, r := range y.runs {
		if err := y.hits(r, out); err != nil {
			return nil, err
		}
	}
	if y.overlap() {
		slices.SortFunc(out.List, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Row, b.Row))
		})
	}
	return out, nil
}

// overlap reports whether documents of different segments interleave.
func (y *searching) overlap() bool {
	last := uint64(0)
	for _, r := range y.runs {
		for _, sg := range r.segments {
			if sg.First <= last {
				return true
			}
			last = sg.Last
		}
	}
	return false
}

// SearchTop finds the k best of what matches by a full-text index of a corpus, by falling score, equal ones in the
// order of documents. It takes one run after the other: the scores found so far are the bound for the next run.
func (s *Reader) SearchTop(ctx context.Context, st *documents.Corpus, x *documents.IndexState, q *fulltext.Search,
	k int) ([]Hit, error) {
	y := &searching{s: s, st: st, x: x, q: q, stats: fulltext.Statistics{DF: make([]int, len(q.Leaves))}}
	for _, g := range y.st.Gens {
		if err := y.generation(ctx, g); err != nil {
			return nil, err
		}
	}
	best := &fulltext.Best{K: k}
	overlap := y.overlap()
	for i, r := range y.runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		run, err := y.run(i, r)
		if err != nil {
			return nil, err
		}
		if overlap {
			run.Place = func(unit uint32) (uint64, error) { return y.place(r, unit) }
		}
		if err := y.q.Top(run, y.stats, best); err != nil {
			return nil, fmt.Errorf("%w: %w", dbfile.ErrCorrupt, err)
		}
	}
	list := best.List()
	out := make([]Hit, 0, len(list))
	for _, b := range list {
		r := *y.runs[b.Run]
		r.units, r.weights = []uint32{b.Unit}, []float64{b.Score}
		one := &Hits{}
		if err := y.hits(&r, one); err != nil {
			return nil, err
		}
		out = append(out, one.List...)
	}
	return out, nil
}

// run is a run with the posting lists of the query, and the most that each can add to a score.
func (y *searching) run(number int, r *searchedRun) (*fulltext.Run, error) {
	out := &fulltext.Run{Number: number, Lengths: r.head.lengths, Dead: r.dead, Bounds: make([]float64, len(y.q.Leaves))}
	mean := 0.0
	if y.stats.Units > 0 {
		mean = float64(y.stats.Tokens) / float64(y.stats.Units)
	}
	for i, l := range y.q.Leaves {
		out.Bounds[i] = fulltext.K1 + 1
		if !l.Prefix && mean > 0 {
			var err error
			if out.Bounds[i], err = y.s.bound(r.head, l.Text, mean); err != nil {
				return nil, err
			}
		}
	}
	out.Index = y.index(r)
	return out, nil
}

// index is the index of a run that a query is evaluated on.
func (y *searching) index(r *searchedRun) fulltext.Index {
	return fulltext.Index{Units: r.head.meta.Units, Lists: r.lists, Positions: func(i int) (*fulltext.Positions, error) {
		e, err := y.s.term(r.head, y.q.Leaves[i].Text)
		if err != nil {
			return nil, err
		}
		return fulltext.NewPositions(r.lists[i], e.positions)
	}}
}

// searching is one search.
type searching struct {
	s     *Reader
	st    *documents.Corpus
	x     *documents.IndexState
	q     *fulltext.Search
	runs  []*searchedRun
	stats fulltext.Statistics // of live units
}

// searchedRun is a run with the posting lists of a search.
type searchedRun struct {
	head     *runHead
	segments []*documents.SegmentState
	docs     []int  // number of the first document of each segment, and the end
	dead     []bool // by unit; nil if all live
	lists    []fulltext.List
	units    []uint32  // that match
	weights  []float64 // their scores; nil if these are not wanted
}

// generation reads the posting lists of the query's terms in the runs of a generation, and counts live units.
func (y *searching) generation(ctx context.Context, g *documents.Generation) error {
	runs, ok := g.Runs[y.x.Part]
	if !ok {
		return fmt.Errorf("%w: generation %d has none", dbfile.ErrCorrupt, g.ID)
	}
	for i, meta := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if int(meta.Last) >= len(g.Segments) || meta.First > meta.Last {
			return fmt.Errorf("%w: segments of a run", dbfile.ErrCorrupt)
		}
		r := &searchedRun{segments: g.Segments[meta.First : meta.Last+1], docs: []int{0}}
		for _, sg := range r.segments {
			r.docs = append(r.docs, r.docs[len(r.docs)-1]+sg.Docs)
		}
		var err error
		if r.head, err = y.s.runHead(y.st.ID, g, y.x.Part, i, r.docs[len(r.docs)-1]); err != nil {
			return err
		}
		r.markDead()
		if err := y.count(r); err != nil {
			return err
		}
		y.runs = append(y.runs, r)
	}
	return nil
}

// markDead marks the units of deleted documents.
func (r *searchedRun) markDead() {
	for i, sg := range r.segments {
		if sg.Dead == nil {
			continue
		}
		if r.dead == nil {
			r.dead = make([]bool, r.head.meta.Units)
		}
		for d := range sg.Docs {
			if sg.Live(d) {
				continue
			}
			from, to := r.docs[i]+d, r.docs[i]+d+1
			if r.head.starts != nil {
				from, to = int(r.head.starts[from]), int(r.head.starts[to])
			}
			for u := from; u < to; u++ {
				r.dead[u] = true
			}
		}
	}
}

// count adds a run to the statistics.
func (y *searching) count(r *searchedRun) error {
	y.stats.Units += r.head.meta.Units
	y.stats.Tokens += r.head.meta.Tokens
	for u, dead := range r.dead {
		if dead {
			y.stats.Units--
			y.stats.Tokens -= int64(r.head.lengths[u])
		}
	}
	r.lists = make([]fulltext.List, len(y.q.Leaves))
	for i, l := range y.q.Leaves {
		var err error
		if l.Prefix {
			if r.lists[i], err = y.s.prefixed(r.head, l.Text); err != nil {
				return err
			}
		} else {
			d, err := y.s.list(r.head, l.Text)
			if err != nil {
				return err
			}
			r.lists[i] = d.list
		}
		if r.dead == nil {
			y.stats.DF[i] += len(r.lists[i].Units)
			continue
		}
		for _, u := range r.lists[i].Units {
			if !r.dead[u] {
				y.stats.DF[i]++
			}
		}
	}
	return nil
}

// evaluateAll finds the units of all runs that match, as many runs at once as there are cores.
func (y *searching) evaluateAll(ctx context.Context, scores bool) error {
	errs := make([]error, len(y.runs))
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(y.runs) {
				return
			}
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = guard.Call("searching", func() error { return y.evaluate(y.runs[i], scores) })
			}
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(y.runs)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// evaluate finds the units of a run that match.
func (y *searching) evaluate(r *searchedRun, scores bool) error {
	x := y.index(r)
	units, err := y.q.Units(&x)
	if err != nil {
		return fmt.Errorf("%w: %w", dbfile.ErrCorrupt, err)
	}
	if r.dead != nil {
		live := make([]uint32, 0, len(units))
		for _, u := range units {
			if !r.dead[u] {
				live = append(live, u)
			}
		}
		units = live
	}
	r.units = units
	if scores {
		r.weights = y.q.Scores(units, r.lists, r.head.lengths, y.stats)
	}
	r.lists = nil
	return nil
}

// place is the sequence number of the document of a unit.
func (y *searching) place(r *searchedRun, unit uint32) (uint64, error) {
	doc, _ := r.head.docOf(unit)
	i := sort.SearchInts(r.docs, doc+1) - 1
	seqs, err := y.sequence(r.segments[i])
	if err != nil {
		return 0, err
	}
	return seqs[doc-r.docs[i]], nil
}

// hits finds the documents of the units of a run.
func (y *searching) hits(r *searchedRun, out *Hits) error {
	segment := -1
	var seqs []uint64 // of the segment's documents; nil if they have no gaps
	for i, u := range r.units {
		doc, row := r.head.docOf(u)
		if segment < 0 || doc >= r.docs[segment+1] {
			segment = max(segment, 0)
			segment += sort.Search(len(r.segments)-segment, func(k int) bool { return r.docs[segment+k+1] > doc })
			sg := r.segments[segment]
			out.Segments = append(out.Segments, documents.SegmentID{Gen: sg.Gen, Number: sg.Number})
			seqs = nil
			if sg.Last-sg.First != uint64(sg.Docs-1) {
				var err error
				if seqs, err = y.sequence(sg); err != nil {
					return err
				}
			}
		}
		h := Hit{Seq: r.segments[segment].First + uint64(doc-r.docs[segment]), Row: int32(row),
			segment: int32(len(out.Segments) - 1)}
		if seqs != nil {
			h.Seq = seqs[doc-r.docs[segment]]
		}
		if r.weights != nil {
			h.Score = r.weights[i]
		}
		out.List = append(out.List, h)
	}
	return nil
}

// sequence returns the sequence numbers of a segment's documents.
func (y *searching) sequence(sg *documents.SegmentState) ([]uint64, error) {
	p, err := y.s.docs.Documents(y.st.ID, sg)
	if err != nil {
		return nil, err
	}
	return p.Seqs(), nil
}

// Find returns the hit of a document, or of a row of it.
func (h *Hits) Find(seq uint64, row int32) (Hit, bool) {
	i := sort.Search(len(h.List), func(i int) bool {
		x := &h.List[i]
		return x.Seq > seq || x.Seq == seq && x.Row >= row
	})
	if i < len(h.List) && h.List[i].Seq == seq && h.List[i].Row == row {
		return h.List[i], true
	}
	return Hit{}, false
}

// Top returns the hits with the k highest scores, and those that equal the last of these.
func (h *Hits) Top(k int) *Hits {
	if k <= 0 || len(h.List) <= k {
		return h
	}
	best := make([]float64, 0, k) // a heap, the least first
	for i := range h.List {
		best = push(best, h.List[i].Score, k)
	}
	return h.Keep(func(x *Hit) bool { return x.Score >= best[0] })
}

// Keep returns the hits for which f holds.
func (h *Hits) Keep(f func(*Hit) bool) *Hits {
	out := &Hits{}
	number := make([]int32, len(h.Segments)) // in out, from 1; 0 for none yet
	for _, x := range h.List {
		if !f(&x) {
			continue
		}
		if number[x.segment] == 0 {
			out.Segments = append(out.Segments, h.Segments[x.segment])
			number[x.segment] = int32(len(out.Segments))
		}
		x.segment = number[x.segment] - 1
		out.List = append(out.List, x)
	}
	return out
}

// push adds a number to a heap of the k greatest ones.
func push(heap []float64, x float64, k int) []float64 {
	if len(heap) < k {
		heap = append(heap, x)
		for i := len(heap) - 1; i > 0 && heap[i] < heap[(i-1)/2]; i = (i - 1) / 2 {
			heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
		}
		return heap
	}
	if x <= heap[0] {
		return heap
	}
	heap[0] = x
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < k; c++ {
			if heap[c] < heap[least] {
				least = c
			}
		}
		if least == i {
			return heap
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
