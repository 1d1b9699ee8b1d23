package lookahead

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/text"
	trees "parlance/algo/text/treebank"
)

// treebank is the trees to learn from, with the values of their tokens.
type treebank struct {
	alphabet *transition.Alphabet
	extract  *transition.Extractor
	labels   []string // of arcs; one empty label where they are not learned
	index    map[string]uint16
	roots    []int // trees by the label of the root
	trees    []transition.Tree
	values   [][][]uint32
	faulty   [transition.NonProjective + 1]int // sentences left out
	headless int                               // sentences without heads
	pruned   bool                              // attributes are numbered, no others get weights
}

// readTrees reads the trees that a transition system can build.
func readTrees(ctx context.Context, in kind.Input, set *transition.Set, labelled bool) (*treebank, error) {
	a := transition.NewAlphabet(set)
	b := &treebank{alphabet: a, extract: transition.NewExtractor(a, true), index: map[string]uint16{}}
	if !labelled {
		b.labels, b.roots = []string{""}, []int{0}
	}
	n := 0
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := b.add(ctx, d, labelled); err != nil {
			return nil, fmt.Errorf("document %s: %w", d.ID, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(b.trees) == 0 {
		return nil, fmt.Errorf("%w: no sentence has a projective tree of dependencies with one root", kind.ErrNoData)
	}
	return b, nil
}

func (b *treebank) add(ctx context.Context, d *text.Document, labelled bool) error {
	toks := d.Layer(text.Tokens.Name)
	if d.Layer(text.Dependencies.Name) == nil {
		return nil
	}
	for s := range kind.While(ctx, trees.Sentences(d)) {
		t := transition.Tree{Heads: slices.Clone(s.Heads), Labels: make([]uint16, s.Len()+1)}
		root := uint16(0)
		for m := 1; m <= s.Len() && labelled && s.Attached(); m++ {
			id, err := b.label(s.Labels[m])
			if err != nil {
				return err
			}
			if t.Labels[m] = id; t.Heads[m] == 0 {
				root = id
			}
		}
		if err := b.keep(toks, s.From, s.To, t, root); err != nil {
			return err
		}
	}
	return nil
}

func (b *treebank) label(l string) (uint16, error) {
	id, ok := b.index[l]
	if !ok {
		if len(b.labels) == transition.MaxLabels {
			return 0, fmt.Errorf("more than %d labels of dependencies", transition.MaxLabels)
		}
		id = uint16(len(b.labels))
		b.index[l] = id
		b.labels, b.roots = append(b.labels, l), append(b.roots, 0)
	}
	return id, nil
}

// keep adds a tree unless no actions build it.
func (b *treebank) keep(toks *text.Layer, from, to int, t transition.Tree, root uint16) error {
	if from == to {
		return nil
	}
	if slices.Contains(t.Heads, transition.Unattached) {
		b.headless++
		return nil
	}
	if f := transition.Check(t.Heads); f != transition.Sound {
		b.faulty[f]++
		return nil
	}
	if err := b.extract.Load(toks, from, to); err != nil {
		return err
	}
	b.roots[root]++
	b.trees, b.values = append(b.trees, t), append(b.values, b.extract.Values())
	return nil
}

// notice tells what was left out.
func (b *treebank) notice(t *kind.Training) {
	if b.headless > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: a token has no head", b.headless))
	}
	for f, n := range b.faulty {
		if n > 0 {
			t.Notice(text.Countf("%d {sentence is|sentences are} left out, for no actions build {its tree|their trees}: %s", n,
				transition.Fault(f)))
		}
	}
}

// root is the most frequent label of roots.
func (b *treebank) root() uint16 {
	best := 0
	for l, n := range b.roots {
		if n > b.roots[best] {
			best = l
		}
	}
	return uint16(best)
}

// actions are those that build the trees, rising. A move that builds none has the label of the root,
// so that every state has an action.
func (b *treebank) actions() []uint32 {
	seen := map[transition.Action]bool{}
	for _, t := range b.trees {
		for d := 1; d <= t.Len(); d++ {
			switch h := int(t.Heads[d]); {
			case h > d:
				seen[transition.NewAction(transition.Left, t.Labels[d])] = true
			case h > 0:
				seen[transition.NewAction(transition.Right, t.Labels[d])] = true
			}
		}
	}
	var moves [transition.Moves]bool
	out := []uint32{uint32(transition.NewAction(transition.Shift, 0))}
	for a := range seen {
		moves[a.Move()] = true
		out = append(out, uint32(a))
	}
	for _, m := range []transition.Move{transition.Left, transition.Right} {
		if !moves[m] {
			out = append(out, uint32(transition.NewAction(m, b.root())))
		}
	}
	slices.Sort(out)
	return out
}

// prune numbers the attributes of at least n states on the way to the trees; others get no
// weights then.
func (b *treebank) prune(ctx context.Context, least int) error {
	if least <= 1 {
		return nil
	}
	all := transition.NewAlphabet(b.alphabet.Set())
	e := transition.NewExtractor(b.alphabet, false)
	var count []int32
	var keys []transition.Key
	var s transition.State
	sys := transition.ArcStandard{}
	for i := range b.trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.Restore(b.values[i])
		for s.Init(b.trees[i].Len()); !sys.Terminal(&s); sys.Do(&s, sys.Oracle(&s, &b.trees[i])) {
			g := b.alphabet.Set().Signature(&s)
			keys = e.Keys(&g, keys[:0])
			for _, k := range keys {
				id := all.Add(k)
				if int(id) == len(count) {
					count = append(count, 0)
				}
				count[id]++
			}
		}
	}
	for id, n := range count {
		if int(n) >= least {
			b.alphabet.Add(all.Key(uint32(id)))
		}
	}
	b.pruned = true
	return nil
}
