package depparser

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/tree"
	"parlance/algo/treebank"
)

// item is a sentence to learn from.
type item struct {
	sentence
	heads  []int32  // of the tree that is learned
	labels []uint16 // of the tree as it stands in the treebank
	gold   []int32  // its heads; heads unless they are made projective
	keep   []bool   // candidate arcs, nil for all
}

// bank is what is learned from.
type bank struct {
	items    []*item
	labels   []string
	index    map[string]uint16
	missing  int // sentences left out: a token has no head
	unsound  int // heads that are no tree with the root
	several  int // several roots where one is wanted
	crossing int // trees made projective
	long     int // sentences beyond max_length
	first    string
}

// maxLabels bounds the relations of a parser.
const maxLabels = 1 << 12

// read reads the sentences that have trees.
func (m *model) read(ctx context.Context, in kind.Input, known *knowledge) (*bank, error) {
	b := &bank{index: map[string]uint16{}}
	cols := m.columns()
	var fit func(*item)
	if m.opt.trees == projective {
		fit = projectivise(b, m.single())
	}
	k := 0
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if k++; k&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		toks := d.Layer(text.Tokens.Name)
		trees, err := known.trees(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("document %s: %w", d.ID, err)
		}
		for s := range treebank.Sentences(d) {
			if s.Len() > m.opt.maxLength {
				b.long++
				continue
			}
			if s.Len() == 0 || !b.sound(d, s, m.single()) {
				continue
			}
			it := &item{gold: slices.Clone(s.Heads)}
			it.heads = it.gold
			it.load(toks, cols, s.From, s.To)
			known.load(&it.sentence, toks, trees, s.From, s.To)
			if err := b.label(it, s.Labels); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
			if fit != nil {
				fit(it)
			}
			b.items = append(b.items, it)
		}
	}
	if len(b.items) == 0 {
		return nil, fmt.Errorf("%w: no sentence has a tree of dependencies%s", kind.ErrNoData, b.first)
	}
	if m.opt.picks() {
		known.often = mostFrequent(b.items, m.opt.topWords)
		for _, it := range b.items {
			known.pick(&it.sentence)
		}
	}
	return b, nil
}

// sound tells whether a sentence has a tree that can be learned.
func (b *bank) sound(d *text.Document, s *treebank.Sentence, single bool) bool {
	fault := tree.Check(s.Heads, false)
	roots := 0
	for _, h := range s.Heads[1:] {
		if h == 0 {
			roots++
		}
	}
	switch {
	case !s.Attached():
		b.missing++
	case fault != tree.Sound && fault != tree.NonProjective:
		b.unsound++
		if b.first == "" {
			b.first = fmt.Sprintf("; document %s, sentence %d: %s", d.ID, s.Number, fault)
		}
	case single && roots > 1:
		b.several++
	default:
		return true
	}
	return false
}

func (b *bank) label(it *item, labels []string) error {
	it.labels = make([]uint16, it.n+1)
	for m := 1; m <= it.n; m++ {
		id, ok := b.index[labels[m]]
		if !ok {
			if len(b.labels) == maxLabels {
				return fmt.Errorf("more than %d relations", maxLabels)
			}
			id = uint16(len(b.labels))
			b.index[labels[m]] = id
			b.labels = append(b.labels, labels[m])
		}
		it.labels[m] = id
	}
	return nil
}

// notice tells what is left out or changed.
func (b *bank) notice(t *kind.Training) {
	for _, x := range []struct {
		n    int
		text string
	}{
		{b.missing, "%d sentences are left out: a token has no head"},
		{b.unsound, "%d sentences are left out: their heads are no tree" + b.first},
		{b.several, "%d sentences are left out: several tokens have the root as their head; roots = multi learns from them"},
		{b.long, "%d sentences are left out: they have more tokens than max_length"},
		{b.crossing, "%d trees have crossing arcs: the nearest projective ones are learned"},
	} {
		if x.n > 0 {
			t.Notice(fmt.Sprintf(x.text, x.n))
		}
	}
}

// narrow is the bank without the sentences of more than mostParts parts.
func (b *bank) narrow(t *kind.Training, types tree.Type) (*bank, error) {
	out := *b
	out.items = nil
	var parts tree.Parts
	for _, it := range b.items {
		parts.Keep(it.n, it.keep)
		if parts.Reset(types); parts.Len() <= mostParts {
			out.items = append(out.items, it)
		}
	}
	switch wide := len(b.items) - len(out.items); {
	case len(out.items) == 0:
		return nil, fmt.Errorf("every sentence has more than %d parts; a smaller max_length or a greater prune makes them fewer", mostParts)
	case wide > 0:
		t.Notice(fmt.Sprintf("%d sentences are left out: they have more than %d parts, which a smaller max_length or a greater prune would avoid", wide, mostParts))
	}
	return &out, nil
}

// projectivise returns what gives an item the projective tree that shares most arcs with its own.
func projectivise(b *bank, single bool) func(*item) {
	d := tree.NewEisner(single)
	return func(it *item) {
		if tree.Projective(it.gold) {
			return
		}
		b.crossing++
		it.heads = make([]int32, it.n+1)
		d.Nearest(it.gold, it.heads)
	}
}
