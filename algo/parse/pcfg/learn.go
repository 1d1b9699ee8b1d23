package pcfg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// counter counts what trees are made of.
type counter struct {
	markov   constituent.Markov
	ids      map[constituent.Symbol]int32
	symbols  []constituent.Symbol
	rules    map[[3]int32]float64
	chains   map[string]*chain // by symbols from the top down; weight is the count
	tops     []float64         // how often a symbol begins a chain
	bottoms  []float64         // how often it ends one
	words    wordCounts
	trees    int
	faults   constituent.Faults
	noTree   int            // sentences without a tree, or of traces alone
	rootName map[string]int // labels of roots as written
}

// Train counts the trees. Memory follows the rules, not the trees.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c := &counter{markov: m.markov(), ids: map[constituent.Symbol]int32{}, rules: map[[3]int32]float64{},
		chains: map[string]*chain{}, rootName: map[string]int{}, words: wordCounts{byWord: map[string]map[int32]float64{}}}
	done, of := 0, t.On.Count()
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.document(ctx, d, m.column())
		if done++; done%max(1, of/10) == 0 {
			t.Report(kind.Progress{Step: done, Of: max(of, done), Objective: math.NaN(),
				Note: fmt.Sprintf("%d trees, %d rules", c.trees, len(c.rules))})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.faults.Tell(t.Notice)
	if c.trees == 0 {
		return fmt.Errorf("%w: there are no sentences with constituents", kind.ErrNoData)
	}
	if c.noTree > 0 {
		t.Notice(text.Countf("%d {sentence without a tree is|sentences without a tree are} left out", c.noTree))
	}
	m.grammar = c.grammar()
	m.Words = c.words.lexicon(m.Symbols)
	m.RootLabel = constituent.MostFrequent(c.rootName)
	return ctx.Err()
}

func (c *counter) document(ctx context.Context, d *text.Document, column string) {
	forms := d.Layer(text.Tokens.Name).Strs("form")
	for s := range kind.While(ctx, constituent.Sentences(d, column)) {
		if s.Fault != nil {
			c.faults.Add(d.ID, s.Fault)
			continue
		}
		tree := constituent.Clean(s.Best())
		if tree == nil {
			c.noTree++
			continue
		}
		c.rootName[constituent.RootLabel(s.Best())]++
		c.trees++
		c.node(c.markov.Binarize(tree), func(tok int) string { return forms[s.Rows[tok-1]] })
	}
}

func (c *counter) id(s constituent.Symbol) int32 {
	k, ok := c.ids[s]
	if !ok {
		k = int32(len(c.symbols))
		c.ids[s] = k
		c.symbols = append(c.symbols, s)
		c.tops, c.bottoms = append(c.tops, 0), append(c.bottoms, 0)
	}
	return k
}

// node counts the chain that begins at a node and what its bottom is made of, and returns the symbol of its top.
func (c *counter) node(b *constituent.Binary, form func(tok int) string) int32 {
	top := c.id(b.Symbol)
	all := []int32{top}
	for b.Left != nil && b.Right == nil {
		b = b.Left
		all = append(all, c.id(b.Symbol))
	}
	bottom := all[len(all)-1]
	c.tops[top]++
	c.bottoms[bottom]++
	if !b.Partial {
		key := fmt.Sprint(all)
		x := c.chains[key]
		if x == nil {
			x = &chain{Top: top, Bottom: bottom}
			if len(all) > 2 {
				x.Between = slices.Clone(all[1 : len(all)-1])
			}
			c.chains[key] = x
		}
		x.Weight++
	}
	if b.Left == nil {
		c.words.add(form(b.Token), bottom)
		return top
	}
	left, right := c.node(b.Left, form), c.node(b.Right, form)
	c.rules[[3]int32{left, right, bottom}]++
	return top
}

// grammar is the relative frequencies.
func (c *counter) grammar() *grammar {
	g := &grammar{Symbols: c.symbols, Root: c.ids[constituent.Symbol{Label: constituent.Root}]}
	for k, n := range c.rules {
		g.Rules = append(g.Rules, rule{k[0], k[1], k[2], math.Log(n / c.bottoms[k[2]])})
	}
	for _, x := range c.chains {
		x.Weight = math.Log(x.Weight / c.tops[x.Top])
		g.Chains = append(g.Chains, *x)
	}
	g.index()
	g.project(c.tops, c.bottoms)
	return g
}
