package storage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/dbfile"
)

// The order of documents is that of their sequence numbers: a new document gets the next number, a changed one keeps
// its own. The documents of a segment stand in order, while segments may overlap: a changed document lies in a later
// segment, between documents of an earlier one. A reader takes the documents window by window. A window is a range of
// sequence numbers with the segments that have documents in it. It is found from the first and last numbers of the
// segments alone.

// Selection is some documents of a segment, by ascending ordinals; nil is all of them.
type Selection struct {
	Segment SegmentID
	Docs    []int
}

// Window is the documents of some segments whose sequence numbers lie in a range. Windows follow each other in the
// order of documents.
type Window struct {
	Parts []Selection
	first uint64
	last  uint64
}

// part is a segment to be read, and which of its documents; nil is all of them.
type part struct {
	sg   *segmentState
	docs []int
}

// small reports whether a segment is less than a quarter of what it could be.
func (s *segmentState) small() bool {
	return s.Tokens < segmentTokens/4 && s.Text < segmentText/4 && s.Docs < max(segmentDocs/4, 1)
}

// windowSegments is about how many segments of documents a window has at most. Where more segments overlap, windows are
// smaller ranges, so that the documents of a window fit into memory.
const windowSegments = 32

// wholeSegments lists the segments of generations that have live documents.
func wholeSegments(gens []*generation) []part {
	n := 0
	for _, g := range gens {
		n += len(g.segments)
	}
	out := make([]part, 0, n)
	for _, g := range gens {
		for _, sg := range g.segments {
			if sg.liveCount() > 0 {
				out = append(out, part{sg, nil})
			}
		}
	}
	return out
}

// segmentOf finds a segment by its name; nil if there is none.
func (st *corpusState) segmentOf(id SegmentID) *segmentState {
	for _, g := range st.gens {
		if g.id == id.gen && int(id.number) < len(g.segments) {
			return g.segments[id.number]
		}
	}
	return nil
}

// ascending reports whether each segment ends before the next begins.
func ascending(parts []part) bool {
	for i := range parts[1:] {
		if parts[i].sg.Last >= parts[i+1].sg.First {
			return false
		}
	}
	return true
}

// windows puts the documents of segments in order.
func windows(parts []part) []Window {
	if len(parts) == 0 {
		return nil
	}
	if !ascending(parts) {
		parts = slices.Clone(parts)
		slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.sg.First, b.sg.First) })
		if !ascending(parts) {
			return overlapping(parts)
		}
	}
	selections, out := make([]Selection, len(parts)), make([]Window, len(parts))
	for i, p := range parts {
		selections[i] = p.selection()
		out[i] = Window{selections[i : i+1 : i+1], 0, math.MaxUint64}
	}
	return out
}

func (p part) selection() Selection { return Selection{SegmentID{p.sg.gen, p.sg.number}, p.docs} }

// overlapping makes windows of segments of which some overlap, and which stand by their first sequence numbers.
func overlapping(parts []part) (out []Window) {
	var open []part // that have documents from at on
	at, next := parts[0].sg.First, 0
	for {
		for next < len(parts) && parts[next].sg.First <= at {
			open = append(open, parts[next])
			next++
		}
		if len(open) == 0 {
			if next == len(parts) {
				return out
			}
			at = parts[next].sg.First
			continue
		}
		last := windowEnd(open, parts[next:], at)
		for next < len(parts) && parts[next].sg.First <= last {
			open = append(open, parts[next])
			next++
		}
		out = appendWindows(out, open, at, last)
		open = slices.DeleteFunc(open, func(p part) bool { return p.sg.Last <= last })
		if last == math.MaxUint64 {
			return out
		}
		at = last + 1
	}
}

// windowEnd is where a window ends that begins within the open segments: where one of them ends that is not small, the
// first that leaves it half a segment at least. Small segments do not cut it. Among small segments alone it is where
// they end, or where one begins that is not small.
func windowEnd(open, next []part, at uint64) uint64 {
	var large []part
	most := uint64(0)
	for _, p := range open {
		if !p.sg.small() {
			large = append(large, p)
		}
		most = max(most, p.sg.Last)
	}
	if len(large) > 0 {
		slices.SortFunc(large, func(a, b part) int { return cmp.Compare(a.sg.Last, b.sg.Last) })
		i := sort.Search(len(large)-1, func(i int) bool { return segmentsWithin(large, at, large[i].sg.Last) >= 0.5 })
		return large[i].sg.Last
	}
	for _, p := range next {
		switch {
		case p.sg.First > most:
			return most
		case !p.sg.small():
			return p.sg.First - 1
		}
		most = max(most, p.sg.Last)
	}
	return most
}

// segmentsWithin estimates the documents within a range of sequence numbers, in segments.
func segmentsWithin(parts []part, first, last uint64) (n float64) {
	for _, p := range parts {
		from, to := max(first, p.sg.First), min(last, p.sg.Last)
		if from <= to {
			n += float64(to-from+1) / float64(p.sg.Last-p.sg.First+1)
		}
	}
	return n
}

// appendWindows appends the window of a range, or several smaller ones if it has many documents.
func appendWindows(out []Window, open []part, first, last uint64) []Window {
	pieces := uint64(1 + segmentsWithin(open, first, last)/windowSegments)
	step := max((last-first+1)/pieces, 1)
	for from := first; ; from += step {
		to := last
		if last-from >= 2*step-1 { // the last piece takes the rest
			to = from + step - 1
		}
		w := Window{first: from, last: to}
		for _, p := range open {
			if p.sg.First <= to && p.sg.Last >= from {
				w.Parts = append(w.Parts, p.selection())
			}
		}
		if len(w.Parts) > 0 {
			out = append(out, w)
		}
		if to == last {
			return out
		}
	}
}

// Range returns which documents of a segment belong to the window: those with ordinals from first up to end.
func (w *Window) Range(sg *Segment) (first, end int) {
	if w.first <= sg.state.First && w.last >= sg.state.Last {
		return 0, sg.state.Docs
	}
	seqs := sg.part.seqs
	first = sort.Search(len(seqs), func(i int) bool { return seqs[i] >= w.first })
	return first, first + sort.Search(len(seqs)-first, func(i int) bool { return seqs[first+i] > w.last })
}

// Documents reads the live documents of the window, in their order, with what is wanted.
func (w *Window) Documents(ctx context.Context, c *segmentCache, st *corpusState, names Names,
	want Want) (out []*text.Document, err error) {
	for _, p := range w.Parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		state := st.segmentOf(p.Segment)
		if state == nil {
			return nil, fmt.Errorf("segment %d/%d: %w", p.Segment.gen, p.Segment.number, dbfile.ErrNotFound)
		}
		sg, err := c.Read(st, state, names, want)
		if err != nil {
			return nil, err
		}
		docs := w.Pick(sg, p.Docs)
		if len(w.Parts) == 1 {
			return docs, nil
		}
		out = append(out, docs...)
	}
	slices.SortFunc(out, func(a, b *text.Document) int { return cmp.Compare(a.Seq, b.Seq) })
	return out, nil
}

// Pick returns the live documents of a segment that belong to the window, with what was wanted: those among the
// ordinals, nil being all.
func (w *Window) Pick(sg *Segment, ordinals []int) []*text.Document {
	first, end := w.Range(sg)
	if ordinals == nil && end-first == sg.state.Docs {
		return sg.Documents()
	}
	sg.part.mu.Lock()
	defer sg.part.mu.Unlock()
	var out []*text.Document
	if ordinals != nil {
		for _, i := range ordinals {
			if i >= first && i < end && sg.state.live(i) {
				out = append(out, sg.document(i))
			}
		}
		return out
	}
	for i := first; i < end; i++ {
		if sg.state.live(i) {
			out = append(out, sg.document(i))
		}
	}
	return out
}
