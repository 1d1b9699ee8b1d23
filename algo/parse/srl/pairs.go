package srl

import (
	"context"
	"slices"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// pairReader finds the features of predicates with their candidates, of one document after the other. It belongs to one
// goroutine.
type pairReader struct {
	extractors []*place.Extractor // one a tree
	found      place.Found
	refs       [3]place.Ref
	hashes     []uint64
	template   []int32
	templates  int // of the set
	bounds     []int32
}

func newPairReader(set *place.Set, trees int, res kind.Resources) (*pairReader, error) {
	r := &pairReader{templates: len(set.Templates())}
	for range trees {
		x, err := place.NewExtractor(set, res)
		if err != nil {
			return nil, err
		}
		r.extractors = append(r.extractors, x)
	}
	return r, nil
}

// bind takes a document with lemmas, and its predicates with their senses, those of sentence s at s: row k of the layer
// roles, counted over all sentences, is the k-th predicate.
func (r *pairReader) bind(ctx context.Context, view *text.Document, frames [][]frame.Frame) error {
	w := frame.NewWriter(view, false)
	for s, list := range frames {
		for _, f := range list {
			w.Add(s, frame.Frame{Predicate: f.Predicate, Sense: f.Sense})
		}
	}
	view.SetLayer(w.Layer())
	r.bounds = view.SentenceTokens()
	for i, x := range r.extractors {
		d := *view
		d.Layers = slices.Clone(view.Layers)
		if arcs := view.Layer(text.Dependencies.Name); arcs != nil && arcs.Rank != nil {
			d.SetLayer(ranked(arcs, int32(i+1)))
		}
		if err := x.Bind(ctx, &d); err != nil {
			return err
		}
	}
	return nil
}

// ranked is the rows of a rank, without ranks.
func ranked(l *text.Layer, rank int32) *text.Layer {
	out := *l.Filter(func(row int) bool { return l.Rank[row] == rank })
	out.Rank = nil
	return &out
}

// features are those of predicate number k of the document and a candidate, tokens of sentence s. Features of tree i
// are mixed with i, but for those of the best tree.
func (r *pairReader) features(s, k, p, a int) ([]uint64, error) {
	from := int(r.bounds[s-1]) - 1
	r.refs = [3]place.Ref{place.Token(from + p), place.Token(from + a), place.Row(k)}
	r.hashes, r.template = r.hashes[:0], r.template[:0]
	for i, x := range r.extractors {
		r.found.Reset()
		if err := x.Extract(r.refs[:], &r.found); err != nil {
			return nil, err
		}
		for _, h := range r.found.Hashes {
			if i > 0 {
				h = frame.Mix(h + uint64(i))
			}
			r.hashes = append(r.hashes, h)
		}
		for _, t := range r.found.Templates {
			r.template = append(r.template, t+int32(i*r.templates))
		}
	}
	return r.hashes, nil
}

// sentence is what is known of a sentence: its tree, its predicates with the number of the first one.
type sentence struct {
	number int
	tree   *tree
	frames []frame.Frame
	first  int
}

// sentences calls do with the sentences of a document that have predicates.
func sentences(ctx context.Context, d *text.Document, frames [][]frame.Frame, do func(s *sentence) error) error {
	first := 0
	t := &tree{}
	if arcs := d.Layer(text.Dependencies.Name); arcs != nil && arcs.Rank != nil {
		x := *d
		x.Layers = slices.Clone(d.Layers)
		x.SetLayer(ranked(arcs, 1))
		d = &x
	}
	for s := range treebank.Sentences(d) {
		if len(frames[s.Number]) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		t.read(s)
		if err := do(&sentence{s.Number, t, frames[s.Number], first}); err != nil {
			return err
		}
		first += len(frames[s.Number])
	}
	return nil
}
