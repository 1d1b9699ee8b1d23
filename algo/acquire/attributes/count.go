package attributes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/acquire/tuples"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// counter counts for several classes at once.
type counter struct {
	m         *model
	names     map[string][]name // words for classes by their first word
	tallies   []*tally          // by place in the option classes
	documents int
	lengths   float64        // tokens of all documents
	all       map[string]int // documents with a noun
	aside     bool           // f is counted in other text
	lemma     func(form, upos, xpos string) string
}

// name is a word, or several, for a class.
type name struct {
	words []string
	class int
}

// tally is what is counted of a class.
type tally struct {
	name   string
	hits   []hit
	chosen map[int]bool // documents by place in the corpus
	counts map[string]*candidate
}

// hit is a document with the class: how often, and its length.
type hit struct {
	document, times, length int
}

func (m *model) newCounter(ctx context.Context, t *kind.Training) (*counter, error) {
	c := &counter{m: m, names: map[string][]name{}, all: map[string]int{}, aside: t.Roles["parsed"] != nil}
	if m.opt.language == "en" {
		c.lemma = tuples.EnglishLemma
	}
	place := map[string]int{}
	for _, n := range m.opt.classes {
		if _, ok := place[n]; ok {
			continue
		}
		place[n] = len(c.tallies)
		c.tallies = append(c.tallies, &tally{name: n, chosen: map[int]bool{}, counts: map[string]*candidate{}})
	}
	if m.opt.local == byClass {
		for i, x := range c.tallies {
			c.add(x.name, i)
		}
		return c, nil
	}
	in := t.Roles["hyponyms"]
	if in == nil {
		return nil,
			fmt.Errorf("local = hyponyms needs the words: TRAIN attributes … ON …, table AS hyponyms, with the " +
				"columns class and hyponym")
	}
	table, ok := in.Table(hyponymTable.Name)
	if !ok {
		return nil, fmt.Errorf("%w: there are no hyponyms", kind.ErrNoData)
	}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if i, ok := place[strings.ToLower(row[0].S)]; ok && !row[1].IsNull() {
			c.add(row[1].S, i)
		}
	}
	return c, nil
}

func (c *counter) add(s string, class int) {
	ws := strings.Fields(strings.ToLower(s))
	if len(ws) == 0 {
		return
	}
	n := name{ws, class}
	if !slices.ContainsFunc(c.names[ws[0]], func(x name) bool {
		return x.class == class &&
			slices.Equal(x.words, ws)
	}) {
		c.names[ws[0]] = append(c.names[ws[0]], n)
	}
}

// at is how many words the name of a class at a token has, 0 if none begins there; the longest counts.
func (c *counter) at(ws []word, i, class int) int {
	best := 0
	for _, n := range c.names[ws[i].noun] {
		if n.class == class && len(n.words) > best && c.matches(ws, i, n.words) {
			best = len(n.words)
		}
	}
	return best
}

func (c *counter) matches(ws []word, i int, words []string) bool {
	if i+len(words) > len(ws) || !ws[i+len(words)-1].isNoun() {
		return false
	}
	for k, w := range words {
		if x := &ws[i+k]; x.sent != ws[i].sent || x.noun != w && x.form != w {
			return false
		}
	}
	return true
}

// each yields the documents that have tokens, with their places.
func (c *counter) each(ctx context.Context, in kind.Input,
	do func(place int, d *text.Document, ws []word, parsed bool)) error {
	place := 0
	for d, err := range in.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if ws, parsed := words(d, c.lemma); len(ws) > 0 {
			do(place, d, ws, parsed)
		}
		place++
	}
	return ctx.Err()
}

// choose counts documents of nouns, and chooses the documents of each class: the first ones by BM25.
func (c *counter) choose(ctx context.Context, in kind.Input) error {
	err := c.each(ctx, in, func(place int, _ *text.Document, ws []word, _ bool) {
		c.documents++
		c.lengths += float64(len(ws))
		for n := range nouns(ws) {
			c.all[n]++
		}
		times := map[int]int{}
		for i := range ws {
			if kind.Ended(ctx, i) {
				return
			}
			for _, n := range c.names[ws[i].noun] {
				if c.matches(ws, i, n.words) {
					times[n.class]++
				}
			}
		}
		for class, n := range times {
			x := c.tallies[class]
			x.hits = append(x.hits, hit{place, n, len(ws)})
		}
	})
	if err != nil {
		return err
	}
	mean := c.lengths / math.Max(1, float64(c.documents))
	for _, x := range c.tallies {
		x.choose(c.m.opt.size, mean)
	}
	return nil
}

// choose keeps the hits with the greatest score tf·(k₁+1) / (tf + k₁·(1−b+b·length/mean)), k₁ = 1.2, b = 0.75, which
// orders the documents of one word as BM25 does; the first of equals.
func (x *tally) choose(size int, mean float64) {
	score := func(h hit) float64 {
		tf := float64(h.times)
		return tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(h.length)/mean))
	}
	slices.SortFunc(x.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(a.document, b.document))
	})
	x.hits = x.hits[:min(len(x.hits), size)]
	for _, h := range x.hits {
		x.chosen[h.document] = true
	}
}

// nouns is the different candidates of a document.
func nouns(ws []word) map[string]bool {
	out := map[string]bool{}
	for i := range ws {
		if ws[i].isNoun() {
			out[ws[i].noun] = true
		}
	}
	return out
}

// of is the counts of a noun of a class.
func (x *tally) of(noun string) *candidate {
	c := x.counts[noun]
	if c == nil {
		c = &candidate{Noun: noun}
		x.counts[noun] = c
	}
	return c
}

// count counts n, t and df in the documents of the classes, and f in all where no other text is given.
func (c *counter) count(ctx context.Context, in kind.Input) error {
	return c.each(ctx, in, func(place int, d *text.Document, ws []word, parsed bool) {
		for class, x := range c.tallies {
			if ctx.Err() != nil {
				return
			}
			if !c.aside {
				c.relate(ws, parsed, class)
			}
			if !x.chosen[place] {
				continue
			}
			for n := range nouns(ws) {
				x.of(n).DF++
			}
			for _, s := range between(d, ws, c.m.opt.longest) {
				x.of(s).T++
			}
			surface(ws, c.length(ws, class), c.m.opt.compound, func(g genitive) { x.of(ws[g.attribute].noun).N++ })
		}
	})
}

func (c *counter) length(ws []word, class int) func(i int) int {
	return func(i int) int { return c.at(ws, i, class) }
}

// relate counts f: by trees, or by the patterns where a document has none.
func (c *counter) relate(ws []word, parsed bool, class int) {
	find := surface
	if parsed {
		find = trees
	}
	find(ws, c.length(ws, class), c.m.opt.compound, func(g genitive) { c.tallies[class].of(ws[g.attribute].noun).F++ })
}

// parsed counts f in other text.
func (c *counter) parsed(ctx context.Context, in kind.Input) error {
	return c.each(ctx, in, func(_ int, _ *text.Document, ws []word, parsed bool) {
		for class := range c.tallies {
			if ctx.Err() != nil {
				return
			}
			c.relate(ws, parsed, class)
		}
	})
}

// classes are the counts, by class and noun. The class itself is no candidate, nor what has df alone.
func (c *counter) classes() []class {
	var out []class
	for _, x := range c.tallies {
		y := class{Name: x.name, Documents: len(x.hits)}
		for noun, k := range x.counts {
			if noun != x.name && k.N+k.F+k.T > 0 {
				k.All = c.all[noun]
				y.Candidates = append(y.Candidates, *k)
			}
		}
		slices.SortFunc(y.Candidates, func(a, b candidate) int { return cmp.Compare(a.Noun, b.Noun) })
		out = append(out, y)
	}
	slices.SortFunc(out, func(a, b class) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
