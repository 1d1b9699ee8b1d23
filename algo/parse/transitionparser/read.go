package transitionparser

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// sentence is a tree to learn from.
type sentence struct {
	words transition.Words
	tree  transition.Tree
	moves bool // the oracle can lead to it
}

// bank is the trees to learn from.
type bank struct {
	sentences []sentence
	tokens    int
	labels    []string // the first one is ""
	index     map[string]uint16
	ends      [2][]uint32                       // labels of arcs from the root, and of others, rising
	faulty    [transition.NonProjective + 1]int // sentences that moves are not learned from
	headless  int                               // sentences without a tree
}

// read reads the trees of documents with the columns given.
func read(ctx context.Context, in kind.Input, columns []string, m *model) (*bank, error) {
	b := &bank{labels: []string{""}, index: map[string]uint16{"": 0}}
	words := transition.NewWords(columns)
	n := 0
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := b.add(ctx, d, words, m); err != nil {
			return nil, fmt.Errorf("document %s: %w", d.ID, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(b.sentences, func(s sentence) bool { return s.moves }) {
		return nil, fmt.Errorf("%w: no sentence has a tree of dependencies that moves are learned from", kind.ErrNoData)
	}
	return b, nil
}

func (b *bank) add(ctx context.Context, d *text.Document, words *transition.Words, m *model) error {
	if d.Layer(text.Dependencies.Name) == nil {
		return nil
	}
	for s := range kind.While(ctx, treebank.Sentences(d)) {
		if s.Len() == 0 {
			continue
		}
		if !s.Attached() {
			b.headless++
			continue
		}
		heads, labels := slices.Clone(s.Heads), s.Labels
		fault := transition.Check(heads)
		if tree.Check(heads, false) == tree.Cyclic {
			fault = transition.Cyclic // which leaves no root, too
		}
		if lifting, ok := m.lift(); ok && fault == transition.NonProjective {
			labels = slices.Clone(labels)
			if _, err := lifting.Lift(heads, labels); err != nil {
				return fmt.Errorf("sentence %d: %w", s.Number, err)
			}
			fault = transition.Sound
		}
		if fault != transition.Sound {
			b.faulty[fault]++
		}
		if fault == transition.BadHead || fault == transition.Cyclic {
			continue
		}
		x := sentence{tree: transition.Tree{Heads: heads, Labels: make([]uint16, s.Len()+1)}}
		x.moves = fault == transition.Sound || m.costs() != nil
		for t := 1; t <= s.Len() && m.opt.labelled; t++ {
			y, err := b.label(labels[t])
			if err != nil {
				return err
			}
			x.tree.Labels[t] = y
			b.end(heads[t], y)
		}
		words.Load(d.Layer(text.Tokens.Name), s.From, s.To)
		x.words = words.Clone()
		b.sentences = append(b.sentences, x)
		b.tokens += s.Len()
	}
	return nil
}

// end notes that a label is of an arc from the root, or of another.
func (b *bank) end(head int32, y uint16) {
	list := &b.ends[min(1, head)]
	if at, ok := slices.BinarySearch(*list, uint32(y)); !ok && y != 0 {
		*list = slices.Insert(*list, at, uint32(y))
	}
}

func (b *bank) label(l string) (uint16, error) {
	id, ok := b.index[l]
	if !ok {
		if len(b.labels) == transition.MaxLabels {
			return 0, fmt.Errorf("more than %d labels of dependencies", transition.MaxLabels-1)
		}
		id = uint16(len(b.labels))
		b.index[l] = id
		b.labels = append(b.labels, l)
	}
	return id, nil
}

// notice tells what is not learned from.
func (b *bank) notice(t *kind.Training, m *model) {
	if b.headless > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: a token has no head", b.headless))
	}
	for f, n := range b.faulty {
		switch fault := transition.Fault(f); {
		case n == 0:
		case fault == transition.BadHead, fault == transition.Cyclic:
			t.Notice(text.Countf("%d {sentence is|sentences are} left out: %s", n, fault))
		case m.costs() == nil:
			t.Notice(text.Countf("%d {sentence teaches|sentences teach} labels only, for no moves build {its tree|their "+
				"trees}: %s", n, fault))
		}
	}
	if m.opt.labelled && len(b.labels) == 1 {
		t.Notice("dependencies have no relations: the parser learns heads only")
	}
}
