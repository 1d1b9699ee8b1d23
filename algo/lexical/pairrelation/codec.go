package pairrelation

import (
	"math"
	"slices"

	"parlance/algo/kind"
)

// saved is what a model keeps besides strings and weights.
type saved struct {
	Pairs   int
	Maxent  bool
	Classes [][2]int8 // label and direction
}

// The numbers of a pair, and those of its answer.
const (
	perPair   = 12
	perFlag   = 7
	perRating = 2
)

// Encode writes the model.
func (m *model) Encode(w *kind.Writer) error {
	s := saved{Pairs: len(m.pairs), Maxent: m.classifier != nil}
	c := m.classifier
	if c == nil {
		c = &classifier{}
	}
	for _, x := range c.classes {
		s.Classes = append(s.Classes, [2]int8{x.label, int8(x.dir)})
	}
	if err := w.JSON("model", s); err != nil {
		return err
	}
	var terms, rules, raters []string
	var numbers []float64
	var flags, ratings []uint32
	for i := range m.pairs {
		p, a := &m.pairs[i], &m.answers[i]
		terms, rules = append(terms, p.term1, p.term2), append(rules, a.rule)
		numbers = append(numbers, p.weight, p.score, p.count1, p.count2, p.contrast, p.conjunction, p.suchAs, p.partOf, p.pmi,
			a.prob, float64(p.rank), float64(p.back))
		flags = append(flags, flag(p.scored), flag(p.hasPMI), small(p.label), small(int8(p.dir)), small(a.label),
			small(int8(a.dir)), uint32(len(p.ratings)))
		for _, r := range p.ratings {
			raters = append(raters, r.rater)
			ratings = append(ratings, small(r.label), small(int8(r.dir)))
		}
	}
	return first(
		func() error { return w.Strings("terms", terms) },
		func() error { return w.Strings("rules", rules) },
		func() error { return w.Strings("raters", raters) },
		func() error { return w.Float64s("numbers", numbers) },
		func() error { return w.Uint32s("flags", flags) },
		func() error { return w.Uint32s("ratings", ratings) },
		func() error { return w.Strings("features", c.names) },
		func() error { return w.Uint32s("starts", c.start) },
		func() error { return w.Uint32s("classes", c.label) },
		func() error { return w.Float64s("weights", c.weight) },
	)
}

// first calls functions until one fails.
func first(list ...func() error) error {
	for _, f := range list {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// small keeps numbers from −1 on.
func small(x int8) uint32 { return uint32(x + 1) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var s saved
	if err := r.JSON("model", &s); err != nil {
		return err
	}
	var terms, rules, raters, features []string
	var numbers, weights []float64
	var flags, ratings, starts, classes []uint32
	text := func(name string, to *[]string) func() error {
		return func() (err error) { *to, err = r.Strings(name); return err }
	}
	words := func(name string, to *[]uint32) func() error {
		return func() (err error) { *to, err = r.Uint32s(name); return err }
	}
	floats := func(name string, to *[]float64) func() error {
		return func() (err error) { *to, err = r.Float64s(name); return err }
	}
	err = first(text("terms", &terms), text("rules", &rules), text("raters", &raters), floats("numbers", &numbers),
		words("flags", &flags), words("ratings", &ratings),
		text("features", &features), words("starts", &starts), words("classes", &classes), floats("weights", &weights))
	if err != nil {
		return err
	}
	n := s.Pairs
	if n < 0 || len(terms) != 2*n || len(rules) != n || len(numbers) != perPair*n || len(flags) != perFlag*n ||
		len(ratings) != perRating*len(raters) {
		return kind.Corrupt("model", "has another number of pairs than the other sections")
	}
	if err := m.decodePairs(terms, rules, raters, numbers, flags, ratings); err != nil || !s.Maxent {
		return err
	}
	m.classifier = &classifier{names: features, start: starts, label: classes, weight: weights}
	return m.classifier.check(s.Classes)
}

// valid reports whether a kept number is that of a label, or of none, and a direction.
func valid(label, dir uint32, labelled bool) bool {
	return label <= uint32(len(leaves)) && dir <= 2 && (!labelled || label > 0)
}

func (m *model) decodePairs(terms, rules, raters []string, numbers []float64, flags, ratings []uint32) error {
	at := 0
	for i := range rules {
		x, f := numbers[perPair*i:perPair*(i+1)], flags[perFlag*i:perFlag*(i+1)]
		if !valid(f[2], f[3], false) || !valid(f[4], f[5], true) || int64(f[6]) > int64(len(raters)-at) {
			return kind.Corrupt("flags", "names a label, direction or rating that there is not")
		}
		rank, back := x[10], x[11]
		if !(rank >= 0 && rank <= math.MaxInt32 && back >= 0 && back <= math.MaxInt32 && x[0] >= 0 && x[0] <= maxWeight &&
			x[9] >= 0 && x[9] <= 1) || slices.ContainsFunc(x, math.IsNaN) {
			return kind.Corrupt("numbers", "has a rank, weight or probability out of range")
		}
		p := pair{term1: terms[2*i], term2: terms[2*i+1], weight: x[0], label: int8(f[2]) - 1, dir: direction(f[3]) - 1}
		p.facts = facts{rank: int(rank), back: int(back), score: x[1], scored: f[0] != 0, count1: x[2], count2: x[3],
			contrast: x[4], conjunction: x[5], suchAs: x[6], partOf: x[7], pmi: x[8], hasPMI: f[1] != 0}
		for range f[6] {
			label, dir := ratings[perRating*at], ratings[perRating*at+1]
			if !valid(label, dir, true) {
				return kind.Corrupt("ratings", "names a label or direction that there is not")
			}
			p.ratings = append(p.ratings, rating{raters[at], int8(label) - 1, direction(dir) - 1})
			at++
		}
		m.pairs = append(m.pairs, p)
		m.answers = append(m.answers, answer{int8(f[4]) - 1, direction(f[5]) - 1, x[9], rules[i]})
	}
	if at != len(raters) {
		return kind.Corrupt("raters", "has more raters than the pairs")
	}
	return nil
}

// check completes a classifier that was read.
func (c *classifier) check(classes [][2]int8) error {
	for _, x := range classes {
		if x[0] < 0 || int(x[0]) >= len(leaves) || x[1] < -1 || x[1] > 1 ||
			slices.Contains(c.classes, class{x[0], direction(x[1])}) {
			return kind.Corrupt("model", "has a class that there is not, or twice")
		}
		c.classes = append(c.classes, class{x[0], direction(x[1])})
	}
	n := len(c.label)
	if len(c.classes) == 0 || len(c.weight) != n || len(c.start) != len(c.names)+1 || c.start[0] != 0 ||
		int(c.start[len(c.names)]) != n || !slices.IsSorted(c.start) {
		return kind.Corrupt("starts", "does not fit features, classes and weights")
	}
	for i, y := range c.label {
		if int(y) >= len(c.classes) || math.IsNaN(c.weight[i]) || math.IsInf(c.weight[i], 0) {
			return kind.Corrupt("classes", "names a class that there is not, or a weight is no number")
		}
	}
	if !slices.IsSorted(c.names) || len(slices.Compact(slices.Clone(c.names))) != len(c.names) {
		return kind.Corrupt("features", "is not sorted")
	}
	c.ready()
	return nil
}
