package depparser

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// knowledge is what features are made of besides the treebank: clusters of words, the trees of
// another parser, frequent subtrees, translations. What is not used is nil.
type knowledge struct {
	clusters kind.Lexicon
	prefixes []int
	guide    *guide
	subtrees lexical.Subtrees
	second   *bilingual
	often    []uint64 // rising hashes of the forms that are frequent; nil for all
}

// bitsColumn is the column of a lexicon of clusters.
const bitsColumn = "bits"

// known looks up what the options name.
func (m *model) known(res kind.Resources) (*knowledge, error) {
	o := &m.opt
	k := &knowledge{often: m.often}
	if o.clusters != "" {
		var err error
		if k.clusters, err = res.Lexicon(o.clusters); err != nil {
			return nil, err
		}
		if x, ok := k.clusters.(interface{ Has(string) bool }); ok && !x.Has(bitsColumn) {
			return nil, fmt.Errorf("option clusters: %s has no column %s with the paths of clusters", o.clusters, bitsColumn)
		}
		k.prefixes, _ = o.prefixLengths()
	}
	if o.guide != "" {
		t, err := res.Model(o.guide)
		if err != nil {
			return nil, err
		}
		if k.guide, err = newGuide(t, m.Schema()); err != nil {
			return nil, err
		}
	}
	if o.subtrees != "" {
		t, err := res.Model(o.subtrees)
		if err != nil {
			return nil, err
		}
		var ok bool
		if k.subtrees, ok = t.Model.(lexical.Subtrees); !ok {
			return nil, fmt.Errorf("option subtrees: model %s has no subtrees; the kind subtrees makes some", t.Label)
		}
	}
	var err error
	k.second, err = m.translations(res)
	return k, err
}

// prefixLengths are the lengths of the prefixes of clusters' paths.
func (o *settings) prefixLengths() ([]int, error) {
	var out []int
	for _, p := range o.prefixes {
		n, err := strconv.Atoi(p)
		switch {
		case err != nil || n < 1 || n > 64:
			return nil, fmt.Errorf("%q is no length of a prefix from 1 to 64", p)
		case len(out) == maxPrefixes:
			return nil, fmt.Errorf("more than %d prefixes", maxPrefixes)
		case slices.Contains(out, n):
			return nil, fmt.Errorf("%d stands twice", n)
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("a prefix is wanted")
	}
	return out, nil
}

// looksInto are the resources of the options.
func (o *settings) looksInto() []kind.Resource {
	var out []kind.Resource
	add := func(kindOf, name, from string) {
		if name != "" {
			out = append(out, kind.Resource{Kind: kindOf, Name: name, From: from})
		}
	}
	add("lexicon", o.clusters, "brown")
	add("model", o.guide, "")
	add("model", o.subtrees, "subtrees")
	add("model", o.bilingual.constraints, "subtree_rules")
	add("model", o.bilingual.targets, "subtrees")
	for _, name := range o.bilingual.models {
		add("model", name, "")
	}
	return out
}

// picks tells whether frequent words are told from others.
func (o *settings) picks() bool { return o.topWords > 0 && (o.clusters != "" || o.subtrees != "") }

// facts are what is known of the tokens of a sentence, by token; 0 is the root. What is not used is
// empty.
type facts struct {
	subtrees lexical.Subtrees
	words    []uint32 // numbers for subtrees
	often    []bool   // whether the form is frequent
	pairs    []uint8  // 1 + set of the pair of a head with a dependent, once it has been looked up
	guess    []int32  // heads of the guide, −1 for none
	relation []uint64 // hashes of its relations
	crossed  *crossed
}

// aside is what is known of a document besides its tokens.
type aside struct {
	guesses     *guesses
	translation *translation
}

// of reads what is known of a document.
func (k *knowledge) of(ctx context.Context, d sided) (*aside, error) {
	out := &aside{}
	var err error
	if k.guide != nil {
		if out.guesses, err = k.guide.trees(ctx, d.doc); err != nil {
			return nil, err
		}
	}
	out.translation, err = k.second.translated(ctx, d.doc, d.target)
	return out, err
}

// load adds what is known of rows [from, to) of the tokens of a document; of what is needed.
func (k *knowledge) load(s *sentence, toks *text.Layer, of *aside, from, to int) {
	forms := toks.Strs("form")
	if k.clusters != nil {
		for i := from; i < to; i++ {
			k.cluster(s, at(forms, i))
		}
		for a := cluster; int(a) <= int(cluster)+len(k.prefixes); a++ {
			s.value[a] = append(s.value[a], hashAfter)
		}
	}
	k.pick(s)
	if s.subtrees = k.subtrees; k.subtrees != nil {
		s.words = append(s.words[:0], 0)
		for i := from; i < to; i++ {
			s.words = append(s.words, k.subtrees.Word(at(forms, i)))
		}
		s.pairs = buffer.Resize(s.pairs, (s.n+1)*(s.n+1))
		clear(s.pairs)
	}
	if k.guide != nil {
		s.guess, s.relation = append(s.guess[:0], -1), append(s.relation[:0], 0)
		s.guess = append(s.guess, of.guesses.heads[from:to]...)
		s.relation = append(s.relation, of.guesses.relations[from:to]...)
	}
	if k.second != nil {
		s.crossed = of.translation.sentence(from, to-from)
	}
}

// pick sets the atom of frequent forms: others are one form.
func (k *knowledge) pick(s *sentence) {
	if k.often == nil {
		return
	}
	v := append(s.value[frequent][:0], hashBefore, hashRoot)
	s.often = append(s.often[:0], true)
	for _, h := range s.value[form][2 : s.n+2] {
		_, ok := slices.BinarySearch(k.often, h)
		s.often = append(s.often, ok)
		if !ok {
			h = hashRare
		}
		v = append(v, h)
	}
	s.value[frequent] = append(v, hashAfter)
}

// slice is what is known of tokens (from, to].
func (f *facts) slice(from, to int) facts {
	out := facts{subtrees: f.subtrees, crossed: f.crossed.part(from, to-from)}
	if f.words != nil {
		out.words = append([]uint32{0}, f.words[from+1:to+1]...)
		out.pairs = make([]uint8, (to-from+1)*(to-from+1))
	}
	if f.often != nil {
		out.often = append([]bool{true}, f.often[from+1:to+1]...)
	}
	if f.guess != nil {
		out.guess, out.relation = []int32{-1}, append([]uint64{0}, f.relation[from+1:to+1]...)
		for _, h := range f.guess[from+1 : to+1] {
			switch {
			case h > int32(from) && h <= int32(to):
				h -= int32(from)
			case h != 0:
				h = -1
			}
			out.guess = append(out.guess, h)
		}
	}
	return out
}

// mostFrequent returns the hashes of the n forms that are most frequent in the items, rising; of equal
// ones those with the lesser hash.
func mostFrequent(items []*item, n int) []uint64 {
	counts := map[uint64]int{}
	for _, it := range items {
		for _, h := range it.value[form][2 : it.n+2] {
			counts[h]++
		}
	}
	all := make([]uint64, 0, len(counts))
	for h := range counts {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b uint64) int {
		if c := counts[b] - counts[a]; c != 0 {
			return c
		}
		if a < b {
			return -1
		}
		return 1
	})
	all = all[:min(n, len(all))]
	slices.Sort(all)
	return all
}

// sources are those of features of arcs, siblings and grandchildren beyond templates.
type sources struct{ guide, subtrees, translation, siblings, grands bool }

func (s sources) any() bool { return s.guide || s.subtrees || s.translation }

// sources are those of the options.
func (o *settings) sources() sources {
	b := &o.bilingual
	return sources{o.guide != "", o.subtrees != "", b.use != monolingual, o.subtrees != "" || b.thirds(tree.Sib),
		b.thirds(tree.Grand)}
}

// arcKeys returns the keys of an arc beyond templates, until the next call.
func (v *view) arcKeys(h, m int) []uint64 {
	v.more = v.more[:0]
	if v.s.more.guide {
		v.more = v.sent.guideKeys(v.more, h, m)
	}
	if v.s.more.subtrees {
		v.more = v.sent.pairKeys(v.more, h, m)
	}
	if v.s.more.translation {
		v.facts = v.sent.crossed.arcFacts(v.facts[:0], h, m)
		v.add()
	}
	return v.more
}

// siblingKeys returns those of adjacent siblings, of which s is nearer to the head.
func (v *view) siblingKeys(h, m, s int) []uint64 {
	v.more = v.more[:0]
	if v.s.more.subtrees {
		v.more = v.sent.tripleKeys(v.more, h, m, s)
	}
	if v.s.more.translation {
		v.facts = v.sent.crossed.siblingFacts(v.facts[:0], h, m, s)
		v.add()
	}
	return v.more
}

// grandKeys returns those of a chain.
func (v *view) grandKeys(g, h, m int) []uint64 {
	v.more, v.facts = v.more[:0], v.sent.crossed.grandFacts(v.facts[:0], g, h, m)
	v.add()
	return v.more
}

// add adds the keys of facts.
func (v *view) add() {
	for _, f := range v.facts {
		v.more = append(v.more, f.key())
	}
}
