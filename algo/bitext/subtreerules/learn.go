package subtreerules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parlance/algo/bitext"
	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/text"
)

// wordBits is the width of a word in the key of a pair: six words, a part and two orders are 128 bits.
const wordBits = 20

// maxWords is the greatest number of a word of a side; 0 is none.
const maxWords = 1<<wordBits - 1

// pack is a pair as a key.
func pack(p bitext.Part, source, target [3]uint32, so, to uint8) (k count.Tuple) {
	push := func(v uint64, width int) {
		k.Hi, k.Lo = k.Hi<<width|k.Lo>>(64-width), k.Lo<<width|v
	}
	push(uint64(p), 2)
	for _, w := range source {
		push(uint64(w), wordBits)
	}
	push(uint64(so), 3)
	for _, w := range target {
		push(uint64(w), wordBits)
	}
	push(uint64(to), 3)
	return k
}

// unpack is what pack packed.
func unpack(k count.Tuple) (p bitext.Part, source, target [3]uint32, so, to uint8) {
	pop := func(width int) uint64 {
		v := k.Lo & (1<<width - 1)
		k.Hi, k.Lo = k.Hi>>width, k.Lo>>width|k.Hi<<(64-width)
		return v
	}
	to = uint8(pop(3))
	for i := range target {
		target[2-i] = uint32(pop(wordBits))
	}
	so = uint8(pop(3))
	for i := range source {
		source[2-i] = uint32(pop(wordBits))
	}
	return bitext.Part(pop(2)), source, target, so, to
}

// learning is a training under way. Counts are in bounded memory; the words of both sides are held.
type learning struct {
	*model
	t        *kind.Training
	aligner  bitext.Aligner // nil where links are read
	analyses [2]bitext.Analysis
	words    [2]*bitext.Vocabulary
	rules    *count.Counter[string]
	pairs    *count.Counter[count.Tuple]
	addRule  func(string) error
	addPair  func(count.Tuple) error
	done     int // pairs
	alone    int // documents without a partner
	bare     int // pairs without links
	treeless int // pairs of which a side has no tree
	left     int // words that got no number
}

// batch is how many pairs are parsed and linked before they are counted.
const batch = 256

// Train parses and links pairs, several at once, and counts what is in them. It holds the words of both sides and 256
// MB of counts; what exceeds that is in temporary files.
func (m *model) Train(ctx context.Context, t *kind.Training) (err error) {
	l := &learning{model: m, t: t}
	if err := l.resources(); err != nil {
		return err
	}
	for side := range l.words {
		l.words[side] = bitext.NewVocabulary(nil)
		l.words[side].Add("") // number 0 is no word
	}
	o := count.Options{Workers: t.Workers}
	l.rules, l.pairs = count.New[string](o), count.New[count.Tuple](o)
	defer func() { err = errors.Join(err, l.rules.Close(), l.pairs.Close()) }()
	rw, pw := l.rules.Writer(ctx), l.pairs.Writer(ctx)
	l.addRule, l.addPair = rw.Add, pw.Add
	err = l.read(ctx)
	if err = errors.Join(err, rw.Close(), pw.Close()); err != nil {
		return err
	}
	if l.done == 0 {
		return fmt.Errorf("%w: there are no pairs of documents with words on both sides", kind.ErrNoData)
	}
	if err := l.keepRules(ctx); err != nil {
		return err
	}
	if err := l.keepPairs(ctx); err != nil {
		return err
	}
	m.ready()
	l.tell()
	return ctx.Err()
}

// resources looks up what the options name.
func (l *learning) resources() (err error) {
	if l.opt.aligner != "" {
		t, err := l.t.Resources.Model(l.opt.aligner)
		if err != nil {
			return err
		}
		var ok bool
		if l.aligner, ok = t.Model.(bitext.Aligner); !ok {
			return fmt.Errorf("option aligner: model %s links no words; one of kind aligner does", t.Label)
		}
	}
	for side, name := range []string{"source_models", "target_models"} {
		if l.analyses[side], err = bitext.NewAnalysis(l.t.Resources, name, l.opt.models[side], l.Schema().Reads); err != nil {
			return err
		}
	}
	return nil
}

// read counts the pairs of the input.
func (l *learning) read(ctx context.Context) error {
	begun := time.Now()
	var some []bitext.Pair
	flush := func() error {
		couples := make([]*couple, len(some))
		err := parallel.For(ctx, max(1, l.t.Workers), len(some), func(_, i int) (err error) {
			couples[i], err = l.couple(ctx, some[i])
			return err
		})
		if err != nil {
			return err
		}
		for _, c := range couples {
			if err := l.count(c); err != nil {
				return err
			}
		}
		l.done, some = l.done+len(some), some[:0]
		l.t.Report(kind.Progress{Step: l.done, Of: max(l.done, l.t.On.Count()/2), Objective: math.NaN(), HeldOut: math.NaN(),
			Seconds: time.Since(begun).Seconds(),
			Note:    text.Countf("%d and %d words", len(l.words[0].Words)-1, len(l.words[1].Words)-1)})
		return ctx.Err()
	}
	for pair, err := range l.sides().Pairs(ctx, l.t.On) {
		if err != nil {
			return err
		}
		if pair.Source == nil || pair.Target == nil {
			l.alone++
			continue
		}
		if len(bitext.Forms(pair.Source)) == 0 || len(bitext.Forms(pair.Target)) == 0 {
			l.bare++
			continue
		}
		if some = append(some, pair); len(some) == batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(some) == 0 {
		return ctx.Err()
	}
	return flush()
}

// couple parses and links a pair.
func (l *learning) couple(ctx context.Context, p bitext.Pair) (*couple, error) {
	var trees [2]*bitext.Tree
	for side, d := range []*text.Document{p.Source, p.Target} {
		if a := l.analyses[side]; a != nil {
			var err error
			if d, err = a.Annotate(ctx, d); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
		trees[side] = bitext.NewTree(d, l.opt.tag)
		if l.opt.lower {
			forms := make([]string, len(trees[side].Forms))
			for i, w := range trees[side].Forms {
				forms[i] = strings.ToLower(w)
			}
			trees[side].Forms = forms
		}
	}
	return l.newCouple(trees[0], trees[1], l.links(ctx, p)), nil
}

// newCouple is trees with the links that count.
func (m *model) newCouple(source, target *bitext.Tree, links []bitext.Link) *couple {
	c := &couple{source: source, target: target, linked: make([]bool, len(target.Forms))}
	for _, k := range links {
		c.linked[k.Target] = true
	}
	several := make([]int, len(source.Forms))
	for _, k := range links {
		several[k.Source]++
	}
	flat := target
	if m.opt.multi != "top" { // without heads, the leftmost is the topmost
		flat = &bitext.Tree{Heads: slices.Repeat([]int32{bitext.None}, len(target.Forms))}
	}
	c.images = bitext.Images(links, len(source.Forms), flat)
	if m.opt.multi == "skip" {
		for i, n := range several {
			if n > 1 {
				c.images[i] = bitext.None
			}
		}
	}
	return c
}

// links are those of the aligner, or of the layer.
func (l *learning) links(ctx context.Context, p bitext.Pair) (out []bitext.Link) {
	if l.aligner == nil {
		return p.Links()
	}
	a, b := bitext.Forms(p.Source), bitext.Forms(p.Target)
	for _, s := range p.Sentences() {
		for _, k := range l.aligner.Align(ctx, a[s[0].From:s[0].To], b[s[1].From:s[1].To]) {
			k.Source += s[0].From
			k.Target += s[1].From
			out = append(out, k)
		}
	}
	return out
}

// count adds the rules and pairs of subtrees of a pair.
func (l *learning) count(c *couple) (err error) {
	if !slices.ContainsFunc(c.images, func(t int32) bool { return t >= 0 }) {
		l.bare++
		return nil
	}
	tree := func(t *bitext.Tree) bool { return slices.ContainsFunc(t.Heads, func(h int32) bool { return h >= 0 }) }
	if !tree(c.source) || !tree(c.target) {
		l.treeless++
		return nil
	}
	if l.counts("rules") {
		c.rules(l.classes, func(t bitext.RuleType, left, right string) {
			err = errors.Join(err, l.addRule(string('0'+byte(t))+left+unit+unit+right))
		})
	}
	if !l.counts("subtrees") {
		return err
	}
	c.parts(func(f found) {
		source, ok1 := l.number(0, c.source, f.source)
		target, ok2 := l.number(1, c.target, f.target)
		if !ok1 || !ok2 {
			return
		}
		so, to := f.orders()
		err = errors.Join(err, l.addPair(pack(f.part, source, target, uint8(so), uint8(to))))
	})
	return err
}

// number numbers words by first occurrence, as many as keys have room for.
func (l *learning) number(side int, t *bitext.Tree, rows [3]int32) (ids [3]uint32, ok bool) {
	v := l.words[side]
	for i, r := range rows {
		if r < 0 {
			continue
		}
		w := t.Forms[r]
		if w == "" {
			return ids, false
		}
		if ids[i] = v.Find(w); ids[i] == bitext.Unseen {
			if len(v.Words) > maxWords {
				l.left++
				return ids, false
			}
			ids[i] = v.Add(w)
		}
	}
	return ids, true
}

// tell says what is not counted.
func (l *learning) tell() {
	for _, n := range []struct {
		count int
		what  string
	}{{l.alone, "documents without a partner are left out"},
		{l.bare, "pairs are left out: there are no links between their words"},
		{l.treeless, "pairs are left out: a side has no tree"},
		{l.left, text.Countf("pairs of subtrees are left out, for only %d {word|words} of a side have numbers", maxWords)}} {
		if n.count > 0 {
			l.t.Notice(fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if l.counts("rules") && len(slices.Concat(l.model.rules[:]...)) == 0 {
		l.t.Notice(fmt.Sprintf("no rule occurs %d times (option min_count)", l.opt.minRule))
	}
}
