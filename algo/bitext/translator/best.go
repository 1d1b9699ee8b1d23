package translator

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/correct"
	"parlance/algo/engine/hypergraph"
)

// found is a translation with its features.
type found struct {
	words []string
	links []bitext.Link
	h     [features]float64
	score float64
}

// best translates a sentence of at most longest words in up to n ways that differ in their words.
func (m *model) best(ctx context.Context, lm correct.Ngrams, forms []string, n int) ([]found, error) {
	if len(forms) == 0 {
		return []found{{}}, nil
	}
	s := m.collect(lm, forms)
	if err := s.search(ctx); err != nil {
		return nil, err
	}
	g := s.graph()
	l := hypergraph.NewLister(g)
	top := int32(g.Nodes() - 1)
	var out []found
	known := map[string]bool{}
	for k := int32(0); len(out) < n && k < int32(20*n) && l.Find(top, k); k++ {
		f := s.read(l, top, k)
		text := strings.Join(f.words, " ")
		if !known[text] {
			known[text] = true
			out = append(out, f)
		}
	}
	return out, ctx.Err()
}

// graph has a node for each partial translation that was kept, and one for their end.
func (s *searcher) graph() *hypergraph.Graph {
	var g hypergraph.Graph
	g.Reset(nil)
	node := map[int32]int32{}
	for k, stack := range s.stacks {
		if k == 0 {
			node[0] = hypergraph.Empty
			continue
		}
		for _, at := range stack {
			p := &s.all[at]
			for _, a := range slices.Concat([]arc{p.arc}, p.arcs) {
				g.Add(node[a.back], hypergraph.Empty, a.weight, a.choice)
			}
			node[at] = g.Node()
		}
	}
	return &g
}

// read follows a derivation back.
func (s *searcher) read(l *hypergraph.Lister, v, k int32) (f found) {
	var path []*choice
	for v != hypergraph.Empty {
		d := l.At(v, k)
		e := l.Edge(d.Edge)
		path = append(path, &s.choices[e.Label])
		v, k = e.Tail[0], d.At[0]
	}
	slices.Reverse(path)
	end := 0
	var lm correct.State
	if s.lm != nil {
		lm = s.lm.Start()
	}
	for _, c := range path {
		for _, l := range c.links {
			f.links = append(f.links, bitext.Link{Source: c.from + int(l>>8), Target: len(f.words) + int(l&255), Prob: 1})
		}
		if c.copied != "" {
			f.words = append(f.words, c.copied)
		}
		for _, w := range c.words {
			f.words = append(f.words, s.m.vocabulary[1].Words[w])
		}
		var log float64
		log, lm = s.speak(lm, c)
		for i, x := range c.h {
			f.h[i] += x
		}
		f.h[language] += log
		f.h[distortion] -= float64(abs(c.from - end))
		end = c.to
	}
	if s.lm != nil {
		f.h[language] += natural * s.lm.Next(&lm, s.lm.ID("</s>"))
	}
	f.score = s.m.weights.dot(&f.h)
	slices.SortFunc(f.links, func(a, b bitext.Link) int {
		if a.Source != b.Source {
			return a.Source - b.Source
		}
		return a.Target - b.Target
	})
	return f
}
