package lattice

import (
	"errors"
	"fmt"
	"math"

	"parlance/algo/numeric/buffer"
)

// ErrInvalid tells that numbers given to the package make no sense.
var ErrInvalid = errors.New("invalid lattice")

// ErrNoPath tells that no sequence of spans covers the sentence.
var ErrNoPath = errors.New("no path of spans covers the sentence")

// MaxLength is the greatest number of positions of a sentence.
const MaxLength = 1 << 20

// Span is a labelled span from position Start to End. A score of −Inf forbids it.
type Span struct {
	Start, End, Label int32
	Score             float64
}

// Segments appends to dst all spans of up to longest units with the labels that row has room for. score sets the scores
// of all labels of a span in row, which are 0 before; what it sets to −Inf is left out.
func Segments(dst []Span, n, longest int, row []float64, score func(start, end int, row []float64)) []Span {
	for start := range n {
		for end := start + 1; end <= min(n, start+longest); end++ {
			clear(row)
			score(start, end, row)
			for y, s := range row {
				if !math.IsInf(s, -1) {
					dst = append(dst, Span{int32(start), int32(end), int32(y), s})
				}
			}
		}
	}
	return dst
}

// AnyLabel stands in a Bracket for each label.
const AnyLabel = -1

// Bracket names a span by its ends and its label.
type Bracket struct{ Start, End, Label int32 }

// Constraints narrow the paths of a sentence.
type Constraints struct {
	Must    []Bracket // a path has all of these
	MustNot []Bracket // and none of these
	Longest int       // nor a span of more units; 0 allows any length
}

// filter tells which spans the constraints allow.
type filter struct {
	longest int32
	closed  []bool  // positions inside a span that must be used
	cuts    []int32 // how many positions before this one begin or end a span that must be used
	want    []int32 // label of the span that must begin here: AnyLabel unless told, contradicted where labels differ
	first   []int32 // by start: the first forbidden bracket, −1 for none
	next    []int32 // the next forbidden bracket with the same start
	mustNot []Bracket
}

const contradicted = -2

// set prepares the filter for a sentence of n units.
func (f *filter) set(n int, c *Constraints) error {
	f.longest, f.mustNot = int32(n), c.MustNot
	if c.Longest > 0 {
		f.longest = int32(min(n, c.Longest))
	}
	f.closed, f.cuts = buffer.Resize(f.closed, n+1), buffer.Zeros(f.cuts, n+2)
	f.want, f.first = buffer.Resize(f.want, n+1), buffer.Resize(f.first, n+1)
	f.next = buffer.Resize(f.next, len(c.MustNot))
	clear(f.closed)
	for p := range f.want {
		f.want[p], f.first[p] = AnyLabel, -1
	}
	for _, b := range c.Must {
		if err := b.check(n); err != nil {
			return err
		}
		for p := b.Start + 1; p < b.End; p++ {
			f.closed[p] = true
		}
		f.cuts[b.Start+1], f.cuts[b.End+1] = 1, 1
		if w := &f.want[b.Start]; *w == AnyLabel {
			*w = b.Label
		} else if b.Label != AnyLabel && b.Label != *w {
			*w = contradicted
		}
	}
	for p := range n + 1 {
		f.cuts[p+1] += f.cuts[p]
	}
	for i, b := range c.MustNot {
		if err := b.check(n); err != nil {
			return err
		}
		f.next[i], f.first[b.Start] = f.first[b.Start], int32(i)
	}
	return nil
}

func (b Bracket) check(n int) error {
	if b.Start < 0 || b.End <= b.Start || int(b.End) > n || b.Label < AnyLabel {
		return fmt.Errorf("%w: constraint on label %d from %d to %d of %d", ErrInvalid, b.Label, b.Start, b.End, n)
	}
	return nil
}

// allows tells whether a path may use the span.
func (f *filter) allows(s Span) bool {
	if s.End-s.Start > f.longest || f.closed[s.Start] || f.closed[s.End] || f.cuts[s.End] != f.cuts[s.Start+1] {
		return false
	}
	if w := f.want[s.Start]; w != AnyLabel && w != s.Label {
		return false
	}
	for i := f.first[s.Start]; i >= 0; i = f.next[i] {
		if b := f.mustNot[i]; b.End == s.End && (b.Label == AnyLabel || b.Label == s.Label) {
			return false
		}
	}
	return true
}
