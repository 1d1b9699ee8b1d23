package classpatterns

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "class_patterns",
		Learns: "pairs in a relation, such as causes and effects, by patterns between classes of words: rows of " +
			"`tuples`, with evidence",
		Figures:  "50 patterns of causes on SemEval-2010: precision 96, recall 31",
		Revision: 1,
		Doc: "pairs of nouns in a relation, such as causes and their effects, by seed patterns and patterns that " +
			"share pairs with them between classes of words",
		Paper: "De Saeger, Torisawa, Tsuchida, Kazama, Hashimoto, Yamada, Oh, Varga and Yan 2011; Pantel and " +
			"Pennacchiotti 2006",
		New: func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	nouns, docs []string
	classes     []string // names; one "" without classes
	patterns    []rule   // the best ones first
	instances   []fact
	seeds       []string // that were found
	opt         struct {
		seeds                                       []string
		method, similarity                          string
		threshold, smooth                           float64
		minPairs, minSupport, nbest, patterns, topN int
		reliable, rounds                            int
		cscore, assoc                               bool
		task                                        string
	}
}

// rule is a pattern between two classes as it is stored.
type rule struct {
	text string // X is the source
	classed
}

// fact is an acquired pair as it is stored.
type fact struct {
	source, target uint32
	by             uint32 // pattern
	score, assoc   float64
	count          float64
	at             place
}

// causes are patterns of causes in English.
var causes = []string{"X <nsubj cause >obj Y", "X <nsubj lead >obl:to Y", "X <nsubj result >obl:in Y",
	"Y <nsubj result >obl:from X", "X <nsubj trigger >obj Y", "X <nsubj induce >obj Y"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.seeds, "seeds", causes,
		"seed patterns: paths with X for the source and Y for the target, in either order")
	s.Choice(&o.method, "method", "cdp", []string{"cdp", "espresso", "seeds"},
		"cdp: patterns between classes; espresso: patterns and instances by turns; seeds: the seed patterns alone")
	s.Choice(&o.similarity, "similarity", "ratio", []string{"jaccard", "ratio"},
		"of cdp, how like the seeds a pattern is: jaccard, "+
			"the share of common pairs in all of both, as in the paper; ratio, in those of the pattern and smooth more")
	s.Float(&o.smooth, "smooth", 5, 0, 1e6, "of ratio: pairs that are added to those of a pattern")
	s.Float(&o.threshold, "threshold", 0.2, 0, 1, "words are of classes that are as probable at least")
	s.Int(&o.minPairs, "min_pairs", 3, 1, math.MaxInt32, "different pairs of nouns that a pattern has at least")
	s.Int(&o.minSupport, "min_support", 2, 1, math.MaxInt32,
		"pairs that a pattern shares with the seeds at least, within its classes")
	s.Bool(&o.cscore, "cscore", true, "a pair of classes counts by its share of the pairs of the seeds")
	s.Bool(&o.assoc, "assoc", true, "an instance counts by its mutual information with the pattern")
	s.Int(&o.patterns, "patterns", 10000, 1, 10000000, "patterns between classes that are kept, the best ones")
	s.Int(&o.nbest, "nbest", 100000, 1, 100000000, "instances that are kept, the best ones")
	s.Int(&o.topN, "top", 25000, 1, 100000000,
		"instances whose patterns give the partial patterns; at most a tenth of the list")
	s.Int(&o.reliable, "reliable", 200, 1, math.MaxInt32, "of espresso: instances that patterns are induced from")
	s.Int(&o.rounds, "rounds", 20, 1, 10000, "of espresso: rounds at most")
	s.Choice(&o.task, "task", "sentences", []string{"sentences", "pairs"},
		"what EVALUATE asks: sentences, which of them express the relation, by the paths between two marked nouns; "+
			"pairs, how many of a list are known").In(option.Predict)
}

// Schema tells that paths are read, and classes in a role.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{pathTable}, Relations: relations, Scores: []kind.TableUse{sentenceTable},
		Roles: []kind.Role{{Name: "classes",
			Doc: "classes of words, such as lc.memberships of a model of latent_classes; without, all are of " +
				"one class",
			Tables: []kind.TableUse{classTable}, Optional: true, Train: true}}}
	if m.opt.task == "pairs" {
		s.Scores = []kind.TableUse{template.Pairs}
	}
	return s
}

// Train reads the paths, which takes 80 bytes a pair besides the texts, and ranks patterns and pairs.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(pathTable.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s; TRAIN tuples makes one of parsed text", kind.ErrNoData,
			pathTable.Name)
	}
	if len(m.opt.seeds) == 0 {
		return fmt.Errorf("option seeds is empty; a path with X for the source and Y for the target is wanted, "+
			"such as '%s'",
			causes[0])
	}
	for _, s := range m.opt.seeds {
		if !template.IsPath(s) {
			return fmt.Errorf("the seed '%s' is no path; one such as '%s' is wanted", s, causes[0])
		}
	}
	x, err := read(ctx, table, m.opt.minPairs)
	if err != nil {
		return err
	}
	seeds, err := m.plant(x, t.Notice)
	if err != nil {
		return err
	}
	c, err := readClasses(ctx, t.Roles["classes"], x, m.opt.threshold)
	if err != nil {
		return err
	}
	patterns, instances, err := m.rank(ctx, t, x, c, seeds)
	if err != nil {
		return err
	}
	m.keep(x, c, patterns, instances)
	t.Notice(text.Countf("%d {path|paths} of %d {pair|pairs} in both directions; %d {pattern|patterns} between classes, "+
		"%d {instance|instances}",
		len(x.paths), len(x.instances), len(m.patterns), len(m.instances)))
	if n := len(m.partials()); n < 20 && m.opt.method != "espresso" {
		t.Notice(fmt.Sprintf("there are %d partial patterns only", n))
	}
	return ctx.Err()
}

// rank ranks by the method.
func (m *model) rank(ctx context.Context, t *kind.Training, x *index, c *classes, seeds []int) ([]classed, []found,
	error) {
	switch m.opt.method {
	case "espresso":
		return m.espresso(ctx, t, x, seeds)
	case "seeds":
		c = &classes{names: []string{""}, of: make([][]uint32, len(x.nouns))}
		for i := range c.of {
			c.of[i] = []uint32{0}
		}
		var patterns []classed
		for _, p := range seeds {
			patterns = append(patterns, classed{pattern: uint32(p), pairs: x.rows.Width(p), support: x.rows.Width(p),
				para: 1, cscore: 1})
		}
		return patterns, m.extract(x, c, patterns), nil
	}
	patterns, err := m.rankPatterns(ctx, x, c, seeds)
	if err != nil {
		return nil, nil, err
	}
	return patterns, m.extract(x, c, patterns), nil
}

// plant finds the seeds.
func (m *model) plant(x *index, notice func(string)) (out []int, err error) {
	var missing []string
	for _, s := range m.opt.seeds {
		p, ok := x.find(s)
		switch {
		case !ok:
			missing = append(missing, s)
		case slices.Contains(out, p^1):
			return nil, fmt.Errorf("the seed '%s' goes against another one, which has X and Y exchanged", s)
		default:
			out = append(out, p)
			m.seeds = append(m.seeds, x.pattern(p))
		}
	}
	if len(out) == 0 {
		all := slices.Clone(x.paths)
		for _, p := range x.paths {
			all = append(all, template.Mirror(p))
		}
		return nil, fmt.Errorf("%w: no seed is among the %d paths with %d pairs of nouns; '%s' is not%s",
			kind.ErrNoData, len(x.paths), m.opt.minPairs, missing[0], option.DidYouMean(missing[0], all))
	}
	if len(missing) > 0 {
		notice(fmt.Sprintf("%d seeds are too rare or unknown: %v", len(missing), missing))
	}
	return out, nil
}

// keep makes what is stored, with the nouns that it needs.
func (m *model) keep(x *index, c *classes, patterns []classed, instances []found) {
	m.classes = c.names
	if m.opt.method != "cdp" {
		m.classes = []string{""}
	}
	m.patterns, m.instances = nil, nil
	for _, p := range patterns {
		m.patterns = append(m.patterns, rule{x.pattern(int(p.pattern)), p})
	}
	number := map[uint32]uint32{}
	noun := func(i uint32) uint32 {
		k, ok := number[i]
		if !ok {
			k = uint32(len(m.nouns))
			number[i] = k
			m.nouns = append(m.nouns, x.nouns[i])
		}
		return k
	}
	m.nouns, m.docs = nil, x.docs
	for _, f := range instances {
		i := x.instances[f.instance]
		m.instances = append(m.instances, fact{noun(i.source), noun(i.target), f.by, f.score, f.assoc, f.count, f.at})
	}
}

// partial is a part of a path from one of its nouns up to its verb or adjective.
type partial struct{ role, text string }

// partials are the partial patterns of the paths of the first instances, sorted.
func (m *model) partials() (out []partial) {
	seen := map[uint32]bool{}
	for k, f := range m.instances {
		if k >= m.opt.topN || k > 0 && k >= (len(m.instances)+9)/10 {
			break
		}
		if seen[f.by] {
			continue
		}
		seen[f.by] = true
		if x, y, ok := template.Partial(m.patterns[f.by].text); ok {
			out = append(out, partial{"X", x}, partial{"Y", y})
		}
	}
	slices.SortFunc(out, func(a, b partial) int {
		if a.role != b.role {
			return int(a.role[0]) - int(b.role[0])
		}
		return compare(a.text, b.text)
	})
	return slices.Compact(out)
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(64*len(m.patterns) + 56*len(m.instances))
	for _, list := range [][]string{m.nouns, m.docs, m.classes} {
		for _, w := range list {
			n += int64(len(w)) + 16
		}
	}
	for _, p := range m.patterns {
		n += int64(len(p.text))
	}
	return n
}
