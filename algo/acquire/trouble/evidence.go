package trouble

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/storage/value"
)

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

// The relations of a store that evidence comes from.
var (
	tupleTable = kind.TableUse{Name: "tuples", Doc: "nouns in the slots of verbs", Columns: []kind.Column{
		column("noun", value.Text, "noun"), column("slot", value.Text, "slot"), column("predicate", value.Text, "verb"),
		column("count", value.Float, "how often, above 0"), column("negated", value.Boolean, "the verb is denied"),
		{Name: "name", Type: value.Boolean, Doc: "the noun is a name", Optional: true}}}
	surfaceTable = kind.TableUse{Name: "surface", Doc: "nouns with the words between them", Columns: []kind.Column{
		column("noun1", value.Text, "first noun"), column("noun2", value.Text, "second noun"),
		column("pattern", value.Text, "words between X and Y"), column("count", value.Float, "how often, above 0")}}
	pathTable = kind.TableUse{Name: "paths", Doc: "nouns with the path between them", Columns: []kind.Column{
		column("noun1", value.Text, "first noun"), column("noun2", value.Text, "second noun"),
		column("path", value.Text, "path from X to Y"), column("count", value.Float, "how often, above 0")}}
	nounTable = kind.TableUse{Name: "nouns", Doc: "nouns of the text", Columns: []kind.Column{
		column("noun", value.Text, "noun"), column("frequency", value.Float, "occurrences in the text")}}
	labelTable = kind.TableUse{Name: "labels", Doc: "nouns that people labelled", Columns: []kind.Column{
		column("noun", value.Text, "noun"), column("trouble", value.Boolean, "it is a trouble")}}
)

// Groups of evidence.
const (
	lsph = "lsph"
	dnv  = "dnv"
	dav  = "dav"
	sums = "sum"
)

var groups = []string{lsph, dnv, dav, sums}

// item is a noun with its evidence.
type item struct {
	noun           string
	lsph, dnv, dav float64
	features       []uint32 // sorted
	counts         []float64
}

// feature is a piece of evidence.
type feature struct{ group, name string }

// evidence is what all nouns have.
type evidence struct {
	items    []item // candidates, by noun
	features []feature
	freq     map[string]float64
	verbs    map[string]map[string]float64 // of each noun the verbs that it stands with, in any slot
	denied   map[string]map[string]bool    // of each noun the verbs that it stops
	uses     map[string]float64            // of each noun how often it is used
	genitive map[[2]string]float64         // object, what it has
}

// slotClass is the name of a slot in features, "" for others.
func (m *model) slotClass(slot string) string {
	switch {
	case slices.Contains(m.opt.causes, slot):
		return "cause"
	case slot == "nsubj":
		return "subj"
	case slot == "obj":
		return "obj"
	case slot == "iobj" || slot == "obl:to":
		return "iobj"
	case slot == "obl:about":
		return "topic"
	}
	return ""
}

// hypernymOf is, of a pattern of hyponymy, which of X and Y is the hypernym, 0 for others.
func hypernymOf(pattern string) int {
	switch {
	case strings.HasSuffix(pattern, "other Y"), strings.HasSuffix(pattern, " is a Y"), strings.HasSuffix(pattern,
		" is an Y"),
		strings.HasSuffix(pattern, " was a Y"), strings.HasSuffix(pattern, " was an Y"), pattern == "X are Y":
		return 2
	case pattern == "X":
		return 0
	}
	for _, w := range []string{"such as", "such X as", "including", "especially", "like", "called", "known as", "named",
		"other than",
		"similar to"} {
		if strings.Contains(pattern, w) {
			return 1
		}
	}
	return 0
}

// gathering is evidence that is being counted.
type gathering struct {
	*evidence
	m      *model
	counts map[string]map[feature]float64 // of each noun
	ofVerb map[string]float64
}

// read counts the evidence.
func (m *model) read(ctx context.Context, in kind.Input) (*evidence, error) {
	e := &evidence{freq: map[string]float64{}, verbs: map[string]map[string]float64{},
		denied: map[string]map[string]bool{}, uses: map[string]float64{}, genitive: map[[2]string]float64{}}
	g := &gathering{e, m, map[string]map[feature]float64{}, map[string]float64{}}
	for _, step := range []struct {
		use  kind.TableUse
		take func([]value.Value)
	}{
		{tupleTable, g.tuple}, {surfaceTable, g.surface}, {pathTable, g.path},
		{nounTable, func(r []value.Value) { e.freq[r[0].S] += r[1].Float() }},
	} {
		if err := m.rows(ctx, in, step.use, step.take); err != nil {
			return nil, err
		}
	}
	m.candidates(e, g.counts, g.ofVerb)
	if len(e.items) == 0 {
		return nil, fmt.Errorf("%w: none of %d nouns has over %d pieces of evidence, with a pattern or a denied "+
			"verb among them",
			kind.ErrNoData, len(g.counts), m.opt.minEvidence)
	}
	return e, ctx.Err()
}

func (g *gathering) add(noun string, f feature, n float64) {
	if g.counts[noun] == nil {
		g.counts[noun] = map[feature]float64{}
	}
	g.counts[noun][f] += n
}

// tuple takes a common noun in a slot of a verb.
func (g *gathering) tuple(r []value.Value) {
	noun, slot, verb, n, denied := r[0].S, r[1].S, r[2].S, r[3].Float(), r[4].Bool()
	if len(r) > 5 && !r[5].IsNull() && r[5].Bool() {
		return
	}
	g.ofVerb[verb] += n
	deepAdd(g.verbs, noun, verb, n)
	if slot == "obj" && slices.Contains(g.m.opt.useVerbs, verb) {
		g.uses[noun] += n
	}
	class := g.m.slotClass(slot)
	if class == "" {
		return
	}
	group := dav
	if denied {
		group = dnv
		if class == "cause" {
			if g.denied[noun] == nil {
				g.denied[noun] = map[string]bool{}
			}
			g.denied[noun][verb] = true
		}
	}
	g.add(noun, feature{group, class + "|" + verb}, n)
}

// surface takes two nouns in a pattern of hyponymy.
func (g *gathering) surface(r []value.Value) {
	x, y := r[0].S, r[1].S
	switch h := hypernymOf(r[2].S); {
	case h == 1 && slices.Contains(g.m.opt.hypernyms, x):
		g.add(y, feature{lsph, r[2].S + "|" + x}, r[3].Float())
	case h == 2 && slices.Contains(g.m.opt.hypernyms, y):
		g.add(x, feature{lsph, r[2].S + "|" + y}, r[3].Float())
	}
}

// path takes two nouns of which one belongs to the other.
func (g *gathering) path(r []value.Value) {
	x, y, n := r[0].S, r[1].S, r[3].Float()
	switch p := r[2].S; {
	case p == "X >nmod:of Y" && slices.Contains(g.m.opt.hypernyms, x): // the problem of e
		g.add(y, feature{lsph, "X of Y|" + x}, n)
	case slices.Contains(g.m.opt.genitives, p):
		g.genitive[[2]string{y, x}] += n
	case p == "X <nmod:poss Y":
		g.genitive[[2]string{x, y}] += n
	}
}

func deepAdd(m map[string]map[string]float64, a, b string, n float64) {
	if m[a] == nil {
		m[a] = map[string]float64{}
	}
	m[a][b] += n
}

// rows yields the rows of a table, whose counts are checked.
func (m *model) rows(ctx context.Context, in kind.Input, use kind.TableUse, yield func([]value.Value)) error {
	t, ok := in.Table(use.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s; TRAIN tuples makes it of parsed text", kind.ErrNoData,
			use.Name)
	}
	count := slices.IndexFunc(use.Columns, func(c kind.Column) bool { return c.Type == value.Float })
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, c := range use.Columns {
			if !c.Optional && row[i].IsNull() {
				return fmt.Errorf("row %d of %s: column %s may not be NULL", n, use.Name, c.Name)
			}
		}
		if c := row[count].Float(); !cooccurrence.IsCount(c) {
			return fmt.Errorf("row %d of %s: %s is %v; 0 or a number from %v to %v is wanted", n, use.Name,
				use.Columns[count].Name, c, cooccurrence.MinCount, cooccurrence.MaxCount)
		}
		yield(row)
	}
	return ctx.Err()
}

// candidates are the nouns with a pattern of hyponymy or a denied verb that they cause, and enough evidence. Features
// of rare verbs are left out, but for the sums.
func (m *model) candidates(e *evidence, counts map[string]map[feature]float64, ofVerb map[string]float64) {
	names := cooccurrence.NewTexts()
	nouns := make([]string, 0, len(counts))
	for n := range counts {
		nouns = append(nouns, n)
	}
	slices.Sort(nouns)
	for _, n := range nouns {
		it := item{noun: n}
		kept := map[feature]float64{}
		for f, c := range counts[n] {
			slot, verb, _ := strings.Cut(f.name, "|")
			switch {
			case f.group == lsph:
				it.lsph += c
			case f.group == dnv:
				if slot == "cause" {
					it.dnv += c
				}
			case slot == "cause":
				it.dav += c
			}
			if f.group != lsph {
				kept[feature{sums, f.group + "|" + slot}] += c
				if ofVerb[verb] <= float64(m.opt.minVerb) {
					continue
				}
			}
			kept[f] += c
		}
		if it.lsph+it.dnv > 0 && it.lsph+it.dnv+it.dav > float64(m.opt.minEvidence) {
			m.number(&it, kept, names, e)
			e.items = append(e.items, it)
		}
	}
}

// number gives an item its features of the wanted groups, by numbers.
func (m *model) number(it *item, kept map[feature]float64, names *cooccurrence.Texts, e *evidence) {
	list := make([]feature, 0, len(kept))
	for f := range kept {
		if slices.Contains(m.opt.features, f.group) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	at := map[uint32]float64{}
	for _, f := range list {
		k := names.Number(f.group + "|" + f.name)
		if int(k) == len(e.features) {
			e.features = append(e.features, f)
		}
		it.features = append(it.features, k)
		at[k] = kept[f]
	}
	slices.Sort(it.features)
	for _, k := range it.features {
		it.counts = append(it.counts, at[k])
	}
}
