package loading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
)

// collected is a document that a load has collected for its next segment.
type collected struct {
	doc *text.Document
	seq uint64 // of the document that it replaces; 0 for a new one
	at  string
}

// append collects a document, and hands others to an encoder if the segment would be too large with it.
func (l *Load) append(ctx context.Context, x collected) error {
	for len(l.docs) > 0 && (l.tokens+tokensOf(x.doc) > documents.SegmentTokens ||
		l.text+len(x.doc.Text) > documents.SegmentText || len(l.docs) >= documents.SegmentDocs) {
		if err := l.cut(ctx); err != nil {
			return err
		}
	}
	l.collect(x)
	return nil
}

// collect adds a document to the next segment.
func (l *Load) collect(x collected) {
	l.recent[x.doc.ID] = documents.Place{Gen: l.gen.ID, Segment: uint32(l.flushed), Ordinal: len(l.docs), File: -1,
		Line: x.at}
	l.docs, l.seqs, l.places = append(l.docs, x.doc), append(l.seqs, x.seq), append(l.places, x.at)
	l.tokens += tokensOf(x.doc)
	l.text += len(x.doc.Text)
	if x.seq != 0 {
		l.replacing++
	}
}

// replaceTaken collects a document that replaces another.
func (l *Load) replaceTaken(ctx context.Context, d *text.Document, at string, taken *documents.Place) error {
	l.result.Replaced++
	l.result.Documents--
	if taken.Gen == l.gen.ID {
		l.result.Documents--
	}
	if taken.Gen == l.gen.ID && int(taken.Segment) == l.flushed { // among those collected
		old := l.docs[taken.Ordinal]
		l.tokens += tokensOf(d) - tokensOf(old)
		l.text += len(d.Text) - len(old.Text)
		l.docs[taken.Ordinal], l.places[taken.Ordinal] = d, at
		l.recent[d.ID] = documents.Place{Gen: taken.Gen, Segment: taken.Segment, Ordinal: taken.Ordinal, File: -1, Line: at}
		return nil
	}
	seq, err := l.numberOf(taken)
	if err != nil {
		return err
	}
	l.dead.Add(documents.SegmentID{Gen: taken.Gen, Number: taken.Segment}, taken.Ordinal)
	return l.append(ctx, collected{d, seq, at})
}

// numberOf returns the sequence number of a document of the corpus or of a segment of the load.
func (l *Load) numberOf(p *documents.Place) (uint64, error) {
	sg := l.base.Segment(p.Of())
	if p.Gen == l.gen.ID {
		if int(p.Segment) >= l.forgotten {
			return l.numbers[int(p.Segment)-l.forgotten][p.Ordinal], nil
		}
		l.mu.Lock()
		sg = l.gen.Segments[p.Segment]
		l.mu.Unlock()
	}
	if sg == nil {
		return 0, fmt.Errorf("%w: segment %d/%d is missing", dbfile.ErrCorrupt, p.Gen, p.Segment)
	}
	parts, err := l.env.Segments.Documents(l.o.ID, sg)
	if err != nil {
		return 0, err
	}
	return parts.Seqs()[p.Ordinal], nil
}

// sort puts the documents for the next segment in order. If some replace others and some are new, those of the kind
// that is fewer are taken out and returned: a segment with both would reach from the place of a replaced document to
// the end of the corpus.
func (l *Load) sort() (rest []collected) {
	if l.replacing == 0 {
		return nil
	}
	var segment []collected
	replaces := l.replacing >= len(l.docs)-l.replacing
	for i, d := range l.docs {
		x := collected{d, l.seqs[i], l.places[i]}
		if (x.seq != 0) == replaces {
			segment = append(segment, x)
		} else {
			rest = append(rest, x)
		}
	}
	slices.SortStableFunc(segment, func(a, b collected) int { return cmp.Compare(a.seq, b.seq) })
	l.docs, l.seqs, l.places, l.tokens, l.text, l.replacing = nil, nil, nil, 0, 0, 0
	for _, x := range segment {
		l.collect(x)
	}
	return rest
}

// setNumbers gives the documents for the next segment their sequence numbers.
func (l *Load) setNumbers() {
	if l.keepSeq {
		return
	}
	next := uint64(0)
	for i, d := range l.docs {
		if d.Seq = l.seqs[i]; d.Seq != 0 {
			continue
		}
		if next == 0 { // all are new
			next = l.env.sequence(len(l.docs))
		}
		d.Seq = next
		next++
	}
}

// cutAll hands all collected documents to encoders.
func (l *Load) cutAll(ctx context.Context) error {
	for len(l.docs) > 0 {
		if err := l.cut(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sequence reserves n sequence numbers. They are never 0.
func (e *Env) sequence(n int) uint64 {
	e.Sequences.CompareAndSwap(0, 1)
	return e.Sequences.Add(uint64(n)) - uint64(n)
}
