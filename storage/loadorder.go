package storage

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
)

// collected is a document that a load has collected for its next segment.
type collected struct {
	doc *text.Document
	seq uint64 // of the document that it replaces; 0 for a new one
	at  string
}

// append collects a document, and hands others to an encoder if the segment would be too large with it.
func (l *Load) append(ctx context.Context, x collected) error {
	for len(l.docs) > 0 && (l.tokens+tokensOf(x.doc) > segmentTokens || l.text+len(x.doc.Text) > segmentText ||
		len(l.docs) >= segmentDocs) {
		if err := l.cut(ctx); err != nil {
			return err
		}
	}
	l.collect(x)
	return nil
}

// collect adds a document to the next segment.
func (l *Load) collect(x collected) {
	l.recent[x.doc.ID] = place{gen: l.gen.id, segment: uint32(l.flushed), ordinal: len(l.docs), file: -1, line: x.at}
	l.docs, l.seqs, l.places = append(l.docs, x.doc), append(l.seqs, x.seq), append(l.places, x.at)
	l.tokens += tokensOf(x.doc)
	l.text += len(x.doc.Text)
	if x.seq != 0 {
		l.replacing++
	}
}

// replaceTaken collects a document that replaces another.
func (l *Load) replaceTaken(ctx context.Context, d *text.Document, at string, taken *place) error {
	l.result.Replaced++
	l.result.Documents--
	if taken.gen == l.gen.id {
		l.result.Documents--
	}
	if taken.gen == l.gen.id && int(taken.segment) == l.flushed { // among those collected
		old := l.docs[taken.ordinal]
		l.tokens += tokensOf(d) - tokensOf(old)
		l.text += len(d.Text) - len(old.Text)
		l.docs[taken.ordinal], l.places[taken.ordinal] = d, at
		l.recent[d.ID] = place{gen: taken.gen, segment: taken.segment, ordinal: taken.ordinal, file: -1, line: at}
		return nil
	}
	seq, err := l.numberOf(taken)
	if err != nil {
		return err
	}
	l.dead.add(SegmentID{taken.gen, taken.segment}, taken.ordinal)
	return l.append(ctx, collected{d, seq, at})
}

// numberOf returns the sequence number of a document of the corpus or of a segment of the load.
func (l *Load) numberOf(p *place) (uint64, error) {
	sg := l.base.segmentOf(p.of())
	if p.gen == l.gen.id {
		if int(p.segment) >= l.forgotten {
			return l.numbers[int(p.segment)-l.forgotten][p.ordinal], nil
		}
		l.mu.Lock()
		sg = l.gen.segments[p.segment]
		l.mu.Unlock()
	}
	if sg == nil {
		return 0, fmt.Errorf("%w: segment %d/%d is missing", ErrCorrupt, p.gen, p.segment)
	}
	parts, err := l.s.segments.documents(l.o.ID, sg)
	if err != nil {
		return 0, err
	}
	return parts.Seqs()[p.ordinal], nil
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
			next = l.s.sequence(len(l.docs))
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
