package depparser

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// labeler chooses the relations of the arcs of a tree, heads before modifiers: it sees the arc, the
// modifiers of the head next to it, all modifiers of the modifier, the head's head, and the relations
// chosen for the arc above and the one before.
type labeler struct {
	labels     []string
	group      *group
	history    *group // templates that are joined with labels of arcs above and before
	below      *group // templates of each modifier of the modifier
	table      *table
	salts      []uint64            // by label, where it is part of a feature of another one
	candidates map[uint64][]uint16 // labels seen with the tags of head and modifier and a direction
	byTag      map[uint64][]uint16 // with the tag of the modifier
	all        []uint16
}

func newLabeler(labels []string, set features, size int) *labeler {
	l := &labeler{labels: labels, group: newGroup(set.labels), history: newGroup(set.history), below: newGroup(set.below),
		table: newTable(size), candidates: map[uint64][]uint16{}, byTag: map[uint64][]uint16{}}
	l.salt()
	return l
}

// newJointLabeler is what the relations of a treebank are scored by together with heads; the weights
// are those of the parser.
func newJointLabeler(b *bank, set features) *labeler {
	l := &labeler{labels: b.labels, group: newGroup(set.joint()), candidates: map[uint64][]uint16{},
		byTag: map[uint64][]uint16{}}
	l.salt()
	for _, it := range b.items {
		l.observe(it)
	}
	return l
}

// joint are the templates of relations that see an arc alone.
func (f features) joint() []string {
	var out []string
	for _, name := range f.labels {
		t, err := parseTemplate(name)
		if err == nil && len(t.pieces[roleH])+len(t.pieces[roleM]) == len(strings.Fields(name)) {
			out = append(out, name)
		}
	}
	return out
}

// bytes is what the weights take in memory.
func (l *labeler) bytes() int64 {
	if l.table == nil {
		return 0 // they are the parser's
	}
	return l.table.bytes()
}

func (l *labeler) salt() {
	for i := range l.labels {
		l.salts = append(l.salts, mix(uint64(i)+0x1abe1))
		l.all = append(l.all, uint16(i))
	}
}

// pair is the key of the tags of head and modifier and the direction.
func pair(s *sentence, h, m int) uint64 {
	c := s.value[coarse]
	return mix(c[h+shift]+5*c[m+shift]) + uint64(direction(int32(h), int32(m)))
}

// observe makes the labels of an item candidates.
func (l *labeler) observe(it *item) {
	add := func(to map[uint64][]uint16, k uint64, x uint16) {
		if i, ok := slices.BinarySearch(to[k], x); !ok {
			to[k] = slices.Insert(to[k], i, x)
		}
	}
	for m := 1; m <= it.n; m++ {
		add(l.candidates, pair(&it.sentence, int(it.gold[m]), m), it.labels[m])
		add(l.byTag, it.value[coarse][m+shift], it.labels[m])
	}
}

// choices returns the labels that an arc may have.
func (l *labeler) choices(s *sentence, h, m int) []uint16 {
	if c := l.candidates[pair(s, h, m)]; c != nil {
		return c
	}
	if c := l.byTag[s.value[coarse][m+shift]]; c != nil {
		return c
	}
	return l.all
}

// around are the tokens near an arc of a tree, by token: tree.None where there is none.
type around struct{ before, after, left, right []int32 }

func (a *around) load(heads []int32) {
	n := len(heads) - 1
	for _, s := range []*[]int32{&a.before, &a.after, &a.left, &a.right} {
		*s = buffer.Resize(*s, n+1)
		for i := range *s {
			(*s)[i] = tree.None
		}
	}
	for m := 1; m <= n; m++ {
		h := heads[m]
		if a.left[h] == tree.None {
			a.left[h] = int32(m)
		} else {
			b := a.right[h]
			a.before[m], a.after[b] = b, int32(m)
		}
		a.right[h] = int32(m)
	}
}

// labelling scores labels of the arcs of one sentence after the other.
type labelling struct {
	l      *labeler
	s      *sentence
	v, vh  halves
	vb     halves
	order  []int32 // of tokens: heads before modifiers, modifiers of one head from the left
	near   around
	keys   []uint64
	scores []float64
}

func (x *labelling) load(s *sentence, heads []int32) {
	x.v.load(x.l.group, s)
	x.vh.load(x.l.history, s)
	x.vb.load(x.l.below, s)
	x.s = s
	x.near.load(heads)
	x.order = append(x.order[:0], 0)
	for i := 0; i < len(x.order); i++ {
		for m := x.near.left[x.order[i]]; m != tree.None; m = x.near.after[m] {
			x.order = append(x.order, m)
		}
	}
}

// arc sets the keys of the arc to m.
func (x *labelling) arc(heads []int32, labels []uint16, m int) {
	h := heads[m]
	g, n := int32(tree.None), &x.near
	if h > 0 {
		g = heads[h]
	}
	tokens := [roles]int32{g, h, int32(m), n.before[m], n.after[m], n.left[m], n.right[m]}
	salt := shapes[direction(h, int32(m))]
	x.keys = x.keys[:0]
	x.join(x.l.group, &x.v, &tokens, salt)
	far := salts[span(int(h), m)]
	for _, k := range x.keys[:distanced] {
		x.keys = append(x.keys, k^far)
	}
	above, prior := uint64(noLabel), uint64(noLabel)
	if h > 0 {
		above = x.l.salts[labels[h]]
	}
	if b := n.before[m]; b != tree.None {
		prior = x.l.salts[labels[b]]
	}
	x.join(x.l.history, &x.vh, &tokens, salt+mix(above))
	x.join(x.l.history, &x.vh, &tokens, salt+mix(prior+1))
	for c := n.left[m]; c != tree.None; c = n.after[c] {
		tokens[roleL] = c
		x.join(x.l.below, &x.vb, &tokens, shapes[4+2*direction(h, int32(m))+direction(int32(m), c)])
	}
	var b tagsBetween
	b.start(x.s, int(h))
	b.extend(m)
	k1, k2 := b.keys(int(h), m)
	x.keys = append(x.keys, k1, k2)
	if len(x.s.guess) > 0 {
		x.keys = x.s.guideKeys(x.keys, int(h), m)
	}
}

// distanced is how many of the first templates come with the distance too.
const distanced = 2

// join appends the keys of a group: the sums of a salt and what the tokens of all roles add.
func (x *labelling) join(g *group, v *halves, tokens *[roles]int32, salt uint64) {
	T, from := len(g.templates), len(x.keys)
	for range T {
		x.keys = append(x.keys, salt)
	}
	keys := x.keys[from:]
	for r, token := range tokens {
		if g.used[r] {
			for t, half := range v.row(role(r), T, token)[:len(keys)] {
				keys[t] += half
			}
		}
	}
}

// noLabel stands for the label of the root.
const noLabel = 0x10ab

// score writes the scores of the choices.
func (x *labelling) score(choices []uint16) {
	x.scores = buffer.Resize(x.scores, len(choices))
	if t := x.l.table; t.q != nil {
		scoreLabels(x.scores, t.small(), x.keys, choices)
	} else {
		scoreLabels(x.scores, t.exact(), x.keys, choices)
	}
}

// scoreLabels writes the scores of labels: those of one feature stand near each other.
func scoreLabels[W numeric, S total](scores []float64, l lookup[W, S], keys []uint64, choices []uint16) {
	clear(scores)
	l.fetch(keys)
	for _, k := range keys {
		k >>= l.drop & 63
		for i, c := range choices {
			scores[i] += float64(l.w[k^uint64(c)])
		}
	}
	for i := range scores {
		scores[i] *= l.unit
	}
}

// label writes the best labels of a tree, labels[1..n].
func (x *labelling) label(s *sentence, heads []int32, labels []uint16) {
	x.load(s, heads)
	for _, t := range x.order[1:] {
		m := int(t)
		choices := x.l.choices(s, int(heads[m]), m)
		if len(choices) == 1 {
			labels[m] = choices[0]
			continue
		}
		x.arc(heads, labels, m)
		x.score(choices)
		best := 0
		for i, v := range x.scores {
			if v > x.scores[best] {
				best = i
			}
		}
		labels[m] = choices[best]
	}
}

// learn is one pass of 1-best MIRA over the arcs of the treebank with gold heads.
func (x *labelling) learn(ctx context.Context, items []*item, c float64, rng *rand.Rand,
	steps *float64) (wrong int, err error) {
	l := x.l
	for k, i := range rng.Perm(len(items)) {
		if k&63 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		it := items[i]
		x.load(&it.sentence, it.gold)
		for m := 1; m <= it.n; m++ {
			*steps++
			choices := l.choices(&it.sentence, int(it.gold[m]), m)
			if len(choices) == 1 {
				continue
			}
			x.arc(it.gold, it.labels, m)
			x.score(choices)
			gold, rival := -1, -1
			for j, y := range choices {
				if y == it.labels[m] {
					gold = j
				} else if rival < 0 || x.scores[j] > x.scores[rival] {
					rival = j
				}
			}
			margin := x.scores[gold] - x.scores[rival]
			if margin <= 0 {
				wrong++
			}
			if margin >= 1 {
				continue
			}
			// τ = min(C, (1 − w·Δ) / ‖Δ‖²)
			tau := math.Min(c, (1-margin)/float64(2*len(x.keys)))
			for _, key := range x.keys {
				l.table.add(uint32(key>>l.table.drop^uint64(choices[gold])), tau, *steps)
				l.table.add(uint32(key>>l.table.drop^uint64(choices[rival])), -tau, *steps)
			}
		}
	}
	return wrong, nil
}

// encode and decode keep labels, candidates and weights.
func (l *labeler) encode(w *kind.Writer) error {
	if err := w.Strings("labels", l.labels); err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		of   map[uint64][]uint16
	}{{"pairs", l.candidates}, {"tags", l.byTag}} {
		keys, ends, list := flatten(m.of)
		if err := w.Uint64s("labels."+m.name, keys); err != nil {
			return err
		}
		if err := w.Uint32s("labels."+m.name+".ends", ends); err != nil {
			return err
		}
		if err := w.Uint32s("labels."+m.name+".list", list); err != nil {
			return err
		}
	}
	if l.table == nil {
		return nil
	}
	return l.table.encode(w, "labels.weights")
}
