package relationacquirer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"parlance/algo/acquire/template"
	"parlance/algo/acquire/tuples"
	"parlance/algo/kind"
	"parlance/storage/value"
)

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

var instanceTable = kind.TableUse{Name: "instances", Doc: "pairs of nouns that are in the relation, the best first",
	Columns: []kind.Column{column("source", value.Text, "source"), column("target", value.Text, "target"),
		{Name: "pattern", Type: value.Text, Optional: true,
			Doc: "path from X, the source, to Y, which speaks for the pair"},
		{Name: "source_class", Type: value.Text, Optional: true, Doc: "class of the source; NULL: of all words"},
		{Name: "target_class", Type: value.Text, Optional: true, Doc: "class of the target; NULL: of all words"}}}

var classTable = kind.TableUse{Name: "memberships",
	Doc: "classes of words, as the relation memberships of latent_classes has them",
	Columns: []kind.Column{column("word", value.Text, "word"), column("class", value.Text, "its class"),
		{Name: "prob", Type: value.Float, Optional: true, Doc: "probability of the class; NULL: 1"}}}

// pair is a source and a target.
type pair struct{ source, target string }

// generator finds candidates: pairs of nouns in sentences.
type generator struct {
	classed  bool                // words have classes
	classes  map[string][]string // of words, those of the pairs of classes
	between  map[pair]bool       // pairs of classes
	partials [2]map[string]bool  // of X and of Y
	heads    map[string]bool     // words that partial patterns end at
}

// readStage reads what the first stage has found and returns the first pairs. The partial patterns are the halves of
// their patterns.
func (m *model) readStage(ctx context.Context, t *kind.Training) (map[pair]bool, error) {
	g := generator{classed: t.Roles["classes"] != nil, classes: map[string][]string{}, between: map[pair]bool{},
		partials: [2]map[string]bool{{}, {}}}
	table, ok := t.Roles["stage1"].Table(instanceTable.Name)
	if !ok {
		return nil, fmt.Errorf("%w: the first stage has no table %s; a model of class_patterns is wanted",
			kind.ErrNoData, instanceTable.Name)
	}
	top := map[pair]bool{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() {
			return nil, fmt.Errorf("the pairs of the first stage have a NULL among source and target")
		}
		if len(top) >= m.opt.topN {
			break
		}
		top[pair{strings.Clone(row[0].S), strings.Clone(row[1].S)}] = true
		g.between[pair{strings.Clone(row[3].String()), strings.Clone(row[4].String())}] = true
		if row[2].IsNull() {
			continue
		}
		if !template.IsPath(row[2].S) || row[2].S[0] != 'X' {
			return nil, fmt.Errorf("the pattern '%s' of the first stage is no path such as 'X <nsubj cause >obj Y'",
				row[2].S)
		}
		if x, y, ok := template.Partial(row[2].S); ok {
			g.partials[0][strings.Clone(x)], g.partials[1][strings.Clone(y)] = true, true
		}
	}
	if len(top) == 0 {
		return nil, fmt.Errorf("%w: the first stage has no pairs", kind.ErrNoData)
	}
	if !g.classed {
		g.between = map[pair]bool{{}: true}
	}
	n := len(g.partials[0]) + len(g.partials[1])
	if n == 0 {
		return nil, fmt.Errorf("%w: the first stage gives no partial patterns: its first pairs have no pattern "+
			"with a verb or adjective that both nouns hang on", kind.ErrNoData)
	}
	if n < 20 {
		t.Notice(fmt.Sprintf("there are few partial patterns: %d", n))
	}
	g.ready()
	if err := g.readClasses(ctx, t.Roles["classes"], m.opt.threshold); err != nil {
		return nil, err
	}
	m.generator = g
	return top, ctx.Err()
}

// ready finds the words that partial patterns end at.
func (g *generator) ready() {
	g.heads = map[string]bool{}
	for p := range g.partials[0] {
		g.heads[p[strings.LastIndexByte(p, ' ')+1:]] = true
	}
	for p := range g.partials[1] {
		head, _, _ := strings.Cut(p, " ")
		g.heads[head] = true
	}
}

// readClasses reads the classes that stand in a pair of classes.
func (g *generator) readClasses(ctx context.Context, in kind.Input, threshold float64) error {
	if in == nil {
		return nil
	}
	table, ok := in.Table(classTable.Name)
	if !ok {
		return fmt.Errorf("the input classes has no table %s", classTable.Name)
	}
	wanted := map[string]bool{}
	for p := range g.between {
		wanted[p.source], wanted[p.target] = true, true
	}
	n := 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		n++
		if p := row[2].Float(); math.IsNaN(p) || math.IsInf(p, 0) {
			return fmt.Errorf("row %d of the classes: prob is %v, a number from 0 to 1 is wanted", n, p)
		}
		if row[0].IsNull() || row[1].IsNull() || !row[2].IsNull() && row[2].Float() < threshold || !wanted[row[1].S] {
			continue
		}
		if of := g.classes[row[0].S]; !slices.Contains(of, row[1].S) {
			g.classes[strings.Clone(row[0].S)] = append(of, strings.Clone(row[1].S))
		}
	}
	if len(g.classes) == 0 {
		return fmt.Errorf("%w: no word is of a class of the first stage; are these the classes that it was trained "+
			"with?",
			kind.ErrNoData)
	}
	return ctx.Err()
}

// classesOf are the classes of a noun, "" for all words where there are none.
func (g *generator) classesOf(noun string) []string {
	if !g.classed {
		return oneClass
	}
	return g.classes[noun]
}

var oneClass = []string{""}

// related tells whether classes of two nouns are a pair of classes.
func (g *generator) related(source, target []string) bool {
	for _, c := range source {
		for _, d := range target {
			if g.between[pair{c, d}] {
				return true
			}
		}
	}
	return false
}

// scan is a sentence with what its nouns match.
type scan struct {
	*tuples.Sentence
	nouns   []string      // beside Nouns
	classes [][]string    // beside Nouns
	match   [2][][]string // beside Nouns: partial patterns as X and as Y
}

// look finds what the nouns of a sentence match, and whether some match at all.
func (g *generator) look(s *tuples.Sentence, x *scan) bool {
	x.Sentence, x.nouns, x.classes = s, x.nouns[:0], x.classes[:0]
	x.match[0], x.match[1] = x.match[0][:0], x.match[1][:0]
	any := false
	for _, i := range s.Nouns {
		noun := s.Noun(i)
		x.nouns, x.classes = append(x.nouns, noun), append(x.classes, g.classesOf(noun))
		for role := range 2 {
			var found []string
			s.Branch(i, role == 0, g.heads, func(b string) {
				if g.partials[role][b] {
					found = append(found, b)
				}
			})
			any = any || found != nil
			x.match[role] = append(x.match[role], found)
		}
	}
	return any
}

// candidates yields the candidates of a sentence: places of source and target in Nouns.
func (g *generator) candidates(x *scan, mode string, yield func(a, b int)) {
	for a := range x.Nouns {
		for b := range x.Nouns {
			if a == b || x.nouns[a] == x.nouns[b] {
				continue
			}
			matches := mode == "class" || x.match[0][a] != nil || x.match[1][b] != nil
			if matches && (mode == "partial" || g.related(x.classes[a], x.classes[b])) {
				yield(a, b)
			}
		}
	}
}

// partialList is the partial patterns of a role, sorted.
func (g *generator) partialList(role int) []string { return slices.Sorted(maps.Keys(g.partials[role])) }

func (g *generator) bytes() (n int64) {
	for w, c := range g.classes {
		n += int64(len(w)) + 64 + 16*int64(len(c))
	}
	return n + int64(100*(len(g.partials[0])+len(g.partials[1])+len(g.between)))
}

// betweenList is the pairs of classes, sorted.
func (g *generator) betweenList() []pair {
	return slices.SortedFunc(maps.Keys(g.between), func(a, b pair) int {
		return cmp.Or(strings.Compare(a.source, b.source), strings.Compare(a.target, b.target))
	})
}
