package documents

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

// Part is a segment to be read, and which of its documents; nil is all of them.
type Part struct {
	Segment *SegmentState
	Docs    []int
}

// small reports whether a segment is less than a quarter of what it could be.
func (s *SegmentState) small() bool {
	return s.Tokens < SegmentTokens/4 && s.Text < SegmentText/4 && s.Docs < max(SegmentDocs/4, 1)
}

// windowSegments is about how many segments of documents a window has at most. Where more segments overlap, windows are
// smaller ranges, so that the documents of a window fit into memory.
const windowSegments = 32

// WholeSegments lists the segments of generations that have live documents.
func WholeSegments(gens []*Generation) []Part {
	n := 0
	for _, g := range gens {
		n += len(g.Segments)
	}
	out := make([]Part, 0, n)
	for _, g := range gens {
		for _, sg := range g.Segments {
			if sg.LiveDocuments() > 0 {
				out = append(out, Part{sg, nil})
			}
		}
	}
	return out
}

// Segment finds a segment by its name; nil if there is none.
func (st *Corpus) Segment(id SegmentID) *SegmentState {
	for _, g := range st.Gens {
		if g.ID == id.Gen && int(id.Number) < len(g.Segments) {
			return g.Segments[id.Number]
		}
	}
	return nil
}

// ascending reports whether each segment ends before the next begins.
func ascending(parts []Part) bool {
	for i := range parts[1:] {
		if parts[i].Segment.Last >= parts[i+1].Segment.First {
			return false
		}
	}
	return true
}

// Windows puts the documents of segments in order.
func Windows(parts []Part) []Window {
	if len(parts) == 0 {
		return nil
	}
	if !ascending(parts) {
		parts = slices.Clone(parts)
		slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.Segment.First, b.Segment.First) })
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

func (p Part) selection() Selection {
	return Selection{SegmentID{p.Segment.Gen, p.Segment.Number}, p.Docs}
}

// overlapping makes windows of segments of which some overlap, and which stand by their first sequence numbers.
func overlapping(parts []Part) (out []Window) {
	var open []Part // that have documents from at on
	at, next := parts[0].Segment.First, 0
	for {
		for next < len(parts) && parts[next].Segment.First <= at {
			open = append(open, parts[next])
			next++
		}
		if len(open) == 0 {
			if next == len(parts) {
				return out
			}
			at = parts[next].Segment.First
			continue
		}
		last := windowEnd(open, parts[next:], at)
		for next < len(parts) && parts[next].Segment.First <= last {
			open = append(open, parts[next])
			next++
		}
		out = appendWindows(out, open, at, last)
		open = slices.DeleteFunc(open, func(p Part) bool { return p.Segment.Last <= last })
		if last == math.MaxUint64 {
			return out
		}
		at = last + 1
	}
}

// windowEnd is where a window ends that begins within the open segments: where one of them ends that is not small, the
// first that leaves it half a segment at least. Small segments do not cut it. Among small segments alone it is where
// they end, or where one begins that is not small.
func windowEnd(open, next []Part, at uint64) uint64 {
	var large []Part
	most := uint64(0)
	for _, p := range open {
		if !p.Segment.small() {
			large = append(large, p)
		}
		most = max(most, p.Segment.Last)
	}
	if len(large) > 0 {
		slices.SortFunc(large, func(a, b Part) int { return cmp.Compare(a.Segment.Last, b.Segment.Last) })
		i := sort.Search(len(large)-1, func(i int) bool { return segmentsWithin(large, at, large[i].Segment.Last) >= 0.5 })
		return large[i].Segment.Last
	}
	for _, p := range next {
		switch {
		case p.Segment.First > most:
			return most
		case !p.Segment.small():
			return p.Segment.First - 1
		}
		most = max(most, p.Segment.Last)
	}
	return most
}

// segmentsWithin estimates the documents within a range of sequence numbers, in segments.
func segmentsWithin(parts []Part, first, last uint64) (n float64) {
	for _, p := range parts {
		from, to := max(first, p.Segment.First), min(last, p.Segment.Last)
		if from <= to {
			n += float64(to-from+1) / float64(p.Segment.Last-p.Segment.First+1)
		}
	}
	return n
}

// appendWindows appends the window of a range, or several smaller ones if it has many documents.
func appendWindows(out []Window, open []Part, first, last uint64) []Window {
	pieces := uint64(1 + segmentsWithin(open, first, last)/windowSegments)
	step := max((last-first+1)/pieces, 1)
	for from := first; ; from += step {
		to := last
		if last-from >= 2*step-1 { // the last piece takes the rest
			to = from + step - 1
		}
		w := Window{first: from, last: to}
		for _, p := range open {
			if p.Segment.First <= to && p.Segment.Last >= from {
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
func (w *Window) Documents(ctx context.Context, c *Cache, st *Corpus, names Names,
	want Want) (out []*text.Document, err error) {
	for _, p := range w.Parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		state := st.Segment(p.Segment)
		if state == nil {
			return nil, fmt.Errorf("segment %d/%d: %w", p.Segment.Gen, p.Segment.Number, dbfile.ErrNotFound)
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
			if i >= first && i < end && sg.state.Live(i) {
				out = append(out, sg.document(i))
			}
		}
		return out
	}
	for i := first; i < end; i++ {
		if sg.state.Live(i) {
			out = append(out, sg.document(i))
		}
	}
	return out
}
