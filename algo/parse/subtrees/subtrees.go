// Package subtrees is the kind of frequent subtrees of parsed text (Chen, Kazama, Uchimoto and
// Torisawa 2009): pairs of a head with a dependent and triples of a head with two adjacent
// dependents, in sets by frequency that parsers look up; and chains of a head, a dependent and a
// dependent of that (Chen, Kazama and Torisawa 2010).
package subtrees

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "subtrees",
		Learns:   "frequent subtrees of parsed text, for parsers to look up",
		Revision: 1,
		Doc:      "frequent subtrees of two and three words in parsed text, in sets by frequency for parsers to look up",
		Paper:    "Chen, Kazama, Uchimoto and Torisawa 2009; Chen, Kazama and Torisawa 2010",
		New:      func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	words    []string // number 1 is the first
	index    map[string]uint32
	pairs    stored
	triples  stored
	siblings stored // triples without their heads
	chains   stored // empty unless they are asked for
	opt      struct {
		sizes        []string
		minCount     int
		high, middle float64
		lower        bool
		chains       bool
	}
}

// stored is a list with its table.
type stored struct {
	list
	high, middle int // subtrees before these are HF, and MF
	table        table
}

var _ lexical.Chains = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.sizes, "sizes", []string{"2", "3"}, "numbers of words of the subtrees that are counted: 2, 3")
	s.Int(&o.minCount, "min_count", 2, 1, math.MaxInt32, "rarer subtrees are left out")
	s.Float(&o.high, "hf", 0.1, 0, 1,
		"share of the subtrees of a list that is of high frequency; equal counts stay together")
	s.Float(&o.middle, "mf", 0.2, 0, 1, "share of high or middle frequency; the others are of low frequency")
	s.Bool(&o.lower, "lower", false, "words are taken in lower case, in training and where they are looked up")
	s.Bool(&o.chains, "chains", false,
		"chains of a head, a dependent and a dependent of that are counted too, as bilingual parsing looks them up")
	s.Check("sizes", func() error {
		for _, n := range o.sizes {
			if n != "2" && n != "3" {
				return fmt.Errorf("option sizes: subtrees have 2 or 3 words, not %s", n)
			}
		}
		if len(o.sizes) == 0 {
			return fmt.Errorf("option sizes: 2, 3 or both are wanted")
		}
		return nil
	})
	s.Check("mf", func() error {
		if o.middle < o.high {
			return fmt.Errorf("option mf: %v is less than hf, %v, which it contains", o.middle, o.high)
		}
		return nil
	})
}

var relation = kind.Relation{Name: "subtrees",
	Doc: "subtrees: pairs, triples, triples of any head, chains; of each the most frequent first", Columns: []kind.Column{
		{Name: "subtree", Type: value.Text,
			Doc: "word:place:place of its head for each word, the root's head being 0; * stands for any head"},
		{Name: "size", Type: value.Integer, Doc: "number of words"},
		{Name: "count", Type: value.Integer, Doc: "occurrences in the training data"},
		{Name: "set", Type: value.Text, Doc: "HF, MF or LF: of high, middle or low frequency in its list"},
		{Name: "head", Type: value.Text, Doc: "word of the head, NULL for any"},
		{Name: "first", Type: value.Text, Doc: "first dependent; of a chain that of the head"},
		{Name: "second", Type: value.Text, Doc: "second dependent, NULL for pairs; of a chain the dependent of the first"}}}

// Schema tells that trees are read and nothing is written.
func (m *model) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerDocument, Relations: []kind.Relation{relation}, Reads: []kind.LayerUse{
		{Layer: text.Tokens.Name, Columns: []string{"form"}}, {Layer: text.Dependencies.Name}}}
}

// Train counts the subtrees. It takes 8 bytes a token, 128 MB, the rest of the counts being in temporary files, and
// 48 bytes a kept subtree of the longest list.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	f, err := read(ctx, t, m.opt.lower)
	if err != nil {
		return err
	}
	words, left := f.rank(m.opt.minCount)
	if left > 0 {
		t.Notice(fmt.Sprintf("the %d most frequent words count, %d are left out", maxWords, left))
	}
	m.words = words
	for i, l := range m.lists() {
		if i < chained && !slices.Contains(m.opt.sizes, []string{"2", "3", "3"}[i]) {
			continue
		}
		all := []keys{f.pairs, f.triples, f.siblings, f.chains}[i]
		if l.list, err = tally(ctx, all, m.opt.minCount, count.Options{Workers: t.Workers, Keys: f.arcs}); err != nil {
			return err
		}
	}
	if m.count() == 0 {
		t.Notice(fmt.Sprintf("no subtree occurs %d times", m.opt.minCount))
	}
	m.ready()
	return ctx.Err()
}

func (m *model) count() (n int) {
	for _, l := range m.lists() {
		n += len(l.keys)
	}
	return n
}

// chained is the number of the list of chains.
const chained = 3

// lists are those that are counted; chains are the last.
func (m *model) lists() []*stored {
	if m.opt.chains {
		return []*stored{&m.pairs, &m.triples, &m.siblings, &m.chains}
	}
	return []*stored{&m.pairs, &m.triples, &m.siblings}
}

// ready makes what look-ups need.
func (m *model) ready() {
	m.index = make(map[string]uint32, len(m.words))
	for i, w := range m.words {
		m.index[w] = uint32(i + 1)
	}
	for _, l := range m.lists() {
		l.high, l.middle = l.top(m.opt.high), l.top(m.opt.middle)
		l.table = newTable(l.list, l.high, l.middle)
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Word is the number of a form.
func (m *model) Word(form string) uint32 {
	if m.opt.lower {
		form = strings.ToLower(form)
	}
	return m.index[form]
}

// Lookup2 finds a head with a dependent.
func (m *model) Lookup2(head, dependent uint32, right bool) lexical.Set {
	if head == 0 || dependent == 0 {
		return lexical.Zero
	}
	return m.pairs.table.find(pairKey(head, dependent, right))
}

// Lookup3 finds a head with two dependents.
func (m *model) Lookup3(head, first, second uint32, right bool) lexical.Set {
	if head == 0 || first == 0 || second == 0 {
		return lexical.Zero
	}
	return m.triples.table.find(tripleKey(head, first, second, right))
}

// Siblings finds two dependents of any head.
func (m *model) Siblings(first, second uint32, right bool) lexical.Set {
	if first == 0 || second == 0 {
		return lexical.Zero
	}
	return m.siblings.table.find(pairKey(first, second, right))
}

// Chain finds a head with a dependent and a dependent of that.
func (m *model) Chain(head, middle, last uint32, order lexical.Order) lexical.Set {
	if head == 0 || middle == 0 || last == 0 || max(head, middle, last) > maxChained {
		return lexical.Zero
	}
	return m.chains.table.find(chainKey(head, middle, last, order))
}

// Open opens subtrees.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if name != relation.Name {
		return nil, kind.ErrNoRelation
	}
	return kind.RowsOf(relation, func(yield func([]value.Value) bool) {
		for n, l := range m.lists() {
			for i := range l.keys {
				if !yield(m.row(n, l, i)) {
					return
				}
			}
		}
	}), nil
}

// row is subtree i of list n.
func (m *model) row(n int, l *stored, i int) []value.Value {
	set := lexical.Low
	switch {
	case i < l.high:
		set = lexical.High
	case i < l.middle:
		set = lexical.Middle
	}
	a, b, c, right := parts(l.keys[i])
	var order lexical.Order
	if n == chained {
		a, b, c, order = chainParts(l.keys[i])
	}
	head, first, second := value.Value{}, value.Value{}, value.Value{}
	words := []string{"*", "", ""}
	switch n {
	case 0:
		head, first = value.Str(m.words[b-1]), value.Str(m.words[c-1])
		words = []string{head.S, first.S}
	default:
		first, second = value.Str(m.words[b-1]), value.Str(m.words[c-1])
		if n == 1 || n == chained {
			head = value.Str(m.words[a-1])
			words[0] = head.S
		}
		words[1], words[2] = first.S, second.S
	}
	shown := printed(words, right)
	if n == chained {
		shown = printedChain(words, order)
	}
	return []value.Value{value.Str(shown), value.Int(int64(len(words))), value.Int(int64(l.counts[i])),
		value.Str(set.String()), head, first, second}
}

// printed is a subtree, head first, as text in the order of the sentence.
func printed(words []string, right bool) string {
	head := "1"
	order := words
	if !right {
		head = strconv.Itoa(len(words))
		order = append(slices.Clone(words[1:]), words[0])
	}
	var b strings.Builder
	for i, w := range order {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(w)
		b.WriteByte(':')
		at := strconv.Itoa(i + 1)
		b.WriteString(at)
		if at == head {
			b.WriteString(":0")
		} else {
			b.WriteString(":" + head)
		}
	}
	return b.String()
}

// printedChain is a chain, head first, as text in the order of the sentence.
func printedChain(words []string, o lexical.Order) string {
	var at [3]int // places of the words, from 1
	for i := range words {
		at[i] = 1
	}
	for i, pair := range [3][2]int{{0, 1}, {1, 2}, {0, 2}} { // head and middle, middle and last, head and last
		later := pair[0]
		if o&(1<<i) != 0 {
			later = pair[1]
		}
		at[later]++
	}
	parts := make([]string, 3)
	for i, w := range words {
		head := 0
		if i > 0 {
			head = at[i-1]
		}
		parts[at[i]-1] = fmt.Sprintf("%s:%d:%d", w, at[i], head)
	}
	return strings.Join(parts, "-")
}
