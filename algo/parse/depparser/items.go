package depparser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
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
	missing  omission
	unsound  omission // heads that are no tree with the root
	several  omission // several roots where one is wanted
	long     omission // beyond max_length
	crossing int      // trees made projective
	alone    int      // documents without a translation
}

// omission is sentences that are left out for one reason.
type omission struct {
	n     int
	first string
}

// add counts a sentence; what is wrong with it may follow its place.
func (o *omission) add(d *text.Document, s *treebank.Sentence, what string) {
	if o.n == 0 {
		o.first = fmt.Sprintf("; document %s, sentence %d%s", d.ID, s.Number, what)
	}
	o.n++
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
	for in, err := range m.documents(ctx, in) {
		if err != nil {
			return nil, err
		}
		d := in.doc
		if k++; k&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		toks := d.Layer(text.Tokens.Name)
		aside, err := known.of(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("document %s: %w", d.ID, err)
		}
		if known.second != nil && aside.translation == nil {
			b.alone++
		}
		for s := range kind.While(ctx, treebank.Sentences(d)) {
			if s.Len() > m.opt.maxLength {
				b.long.add(d, s, text.Countf(": %d {token|tokens}", s.Len()))
				continue
			}
			if s.Len() == 0 || !b.sound(d, s, m.single()) {
				continue
			}
			it := &item{gold: slices.Clone(s.Heads)}
			it.heads = it.gold
			it.load(toks, cols, s.From, s.To)
			known.load(&it.sentence, toks, aside, s.From, s.To)
			if err := b.label(it, s.Labels); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
			if fit != nil {
				fit(it)
			}
			b.items = append(b.items, it)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(b.items) == 0 {
		return nil, fmt.Errorf("%w: no sentence has a tree of dependencies that can be learned%s", kind.ErrNoData,
			strings.Join(append([]string{""}, b.omitted()...), "; "))
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
		b.missing.add(d, s, "")
	case fault != tree.Sound && fault != tree.NonProjective:
		b.unsound.add(d, s, ": "+fault.String())
	case single && roots > 1:
		b.several.add(d, s, "")
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

// omitted tells which sentences are left out.
func (b *bank) omitted() (out []string) {
	for _, x := range []struct {
		omission
		why string
	}{
		{b.missing, "a token has no head"},
		{b.unsound, "the heads are no tree"},
		{b.several, "several tokens have the root as their head; roots = multi learns from them"},
		{b.long, "more tokens than max_length"},
	} {
		if x.n > 0 {
			out = append(out, text.Countf("%d {sentence is|sentences are} left out: %s%s", x.n, x.why, x.first))
		}
	}
	return out
}

// notice tells what is left out or changed.
func (b *bank) notice(t *kind.Training) {
	for _, what := range b.omitted() {
		t.Notice(what)
	}
	if b.alone > 0 {
		t.Notice(text.Countf("%d {document has|documents have} no translation with links: {it is learned from as it "+
			"is|they are learned from as they are}", b.alone))
	}
	if b.crossing > 0 {
		t.Notice(fmt.Sprintf("%d trees have crossing arcs: the nearest projective ones are learned", b.crossing))
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
		return nil, fmt.Errorf(
			"every sentence has more than %d parts; a smaller max_length or a greater prune makes them fewer", mostParts)
	case wide > 0:
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: more than %d parts, which a smaller max_length or a "+
			"greater prune would avoid", wide, mostParts))
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
