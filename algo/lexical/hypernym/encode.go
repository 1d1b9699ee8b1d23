package hypernym

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
)

// Encode writes words with their distributions, the hierarchy, and the answers.
func (m *model) Encode(w *kind.Writer) error {
	var widths, ids, edges, named, answered, nodes []uint32
	var probs, scores []float64
	for _, p := range m.profiles {
		widths, ids, probs = append(widths, uint32(len(p.ids))), append(ids, p.ids...), append(probs, p.p...)
	}
	for _, e := range m.edges {
		edges = append(edges, e.low, e.high)
	}
	for _, n := range m.naming {
		named = append(named, n.node, n.word)
	}
	for _, a := range m.answers {
		answered = append(answered, a.word, uint32(len(a.list)))
		for _, x := range a.list {
			nodes, scores = append(nodes, x.node, uint32(x.voters)), append(scores, x.score)
		}
	}
	for _, step := range []func() error{
		func() error { return w.Strings("words", m.words) },
		func() error { return w.Strings("nodes", m.nodes) },
		func() error { return w.Uint32s("columns", []uint32{uint32(m.columns)}) },
		func() error { return w.Uint32s("widths", widths) },
		func() error { return w.Uint32s("contexts", ids) },
		func() error { return w.Float64s("probabilities", probs) },
		func() error { return w.Float64s("weights", m.weight) },
		func() error { return w.Uint32s("edges", edges) },
		func() error { return w.Uint32s("names", named) },
		func() error { return w.Uint32s("answers", answered) },
		func() error { return w.Uint32s("answers.nodes", nodes) },
		func() error { return w.Float64s("answers.scores", scores) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// sections are what Encode wrote, by name.
type sections struct {
	ints  map[string][]uint32
	reals map[string][]float64
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	s := sections{map[string][]uint32{}, map[string][]float64{}}
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.nodes, err = r.Strings("nodes"); err != nil {
		return err
	}
	for _, name := range []string{"columns", "widths", "contexts", "edges", "names", "answers", "answers.nodes"} {
		if s.ints[name], err = r.Uint32s(name); err != nil {
			return err
		}
	}
	for _, name := range []string{"probabilities", "weights", "answers.scores"} {
		if s.reals[name], err = r.Float64s(name); err != nil {
			return err
		}
		if slices.ContainsFunc(s.reals[name], func(x float64) bool {
			return math.IsNaN(x) || math.IsInf(x, 0) || x < 0
		}) {
			return kind.Corrupt(name, "has what is no number from 0")
		}
	}
	if !slices.IsSorted(m.nodes) {
		return kind.Corrupt("nodes", "are not in order")
	}
	for _, step := range []func(sections) error{m.decodeProfiles, m.decodeHierarchy, m.decodeAnswers} {
		if err := step(s); err != nil {
			return err
		}
	}
	return m.ready(context.Background())
}

func (m *model) decodeProfiles(s sections) error {
	columns, ids, probs := s.ints["columns"], s.ints["contexts"], s.reals["probabilities"]
	n := uint64(0)
	for _, w := range s.ints["widths"] {
		n += uint64(w)
	}
	if len(columns) != 1 || len(s.ints["widths"]) != len(m.words) || len(s.reals["weights"]) != len(m.words) ||
		n != uint64(len(ids)) || len(ids) != len(probs) || uint64(columns[0]) > uint64(len(ids)) {
		return kind.Corrupt("widths", "does not fit words and contexts")
	}
	m.columns, m.weight, m.profiles = int(columns[0]), s.reals["weights"], nil
	at := 0
	for _, w := range s.ints["widths"] {
		p := profile{ids[at : at+int(w)], probs[at : at+int(w)]}
		at += int(w)
		for k, id := range p.ids {
			if int(id) >= m.columns || k > 0 && p.ids[k-1] >= id {
				return kind.Corrupt("contexts", "is out of order or range")
			}
		}
		m.profiles = append(m.profiles, p)
	}
	return nil
}

func (m *model) decodeHierarchy(s sections) error {
	edges, named := s.ints["edges"], s.ints["names"]
	if len(edges)%2 != 0 || len(named)%2 != 0 {
		return kind.Corrupt("edges", "are no pairs")
	}
	m.edges, m.naming = nil, nil
	for k := 0; k < len(edges); k += 2 {
		e := edge{edges[k], edges[k+1]}
		if int(e.low) >= len(m.nodes) || int(e.high) >= len(m.nodes) {
			return kind.Corrupt("edges", "name a node that is not there")
		}
		m.edges = append(m.edges, e)
	}
	for k := 0; k < len(named); k += 2 {
		n := naming{named[k], named[k+1]}
		if int(n.node) >= len(m.nodes) || int(n.word) >= len(m.words) {
			return kind.Corrupt("names", "name what is not there")
		}
		m.naming = append(m.naming, n)
	}
	if !slices.IsSortedFunc(m.edges, func(a,
		b edge) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high))
	}) {
		return kind.Corrupt("edges", "are not in order")
	}
	return nil
}

func (m *model) decodeAnswers(s sections) error {
	answered, nodes, scores := s.ints["answers"], s.ints["answers.nodes"], s.reals["answers.scores"]
	if len(answered)%2 != 0 || len(nodes) != 2*len(scores) {
		return kind.Corrupt("answers", "does not fit their scores")
	}
	m.answers = nil
	at := 0
	for k := 0; k < len(answered); k += 2 {
		a, n := answers{word: answered[k]}, int(answered[k+1])
		if int(a.word) >= len(m.words) || n == 0 || n > len(scores)-at {
			return kind.Corrupt("answers", "has a word that is not there, or a length")
		}
		for ; n > 0; n-- {
			if int(nodes[2*at]) >= len(m.nodes) {
				return kind.Corrupt("answers.nodes", "name a node that is not there")
			}
			a.list = append(a.list, answer{nodes[2*at], scores[at], int(nodes[2*at+1])})
			at++
		}
		m.answers = append(m.answers, a)
	}
	if at != len(scores) {
		return kind.Corrupt("answers", "has fewer answers than scores")
	}
	return nil
}
