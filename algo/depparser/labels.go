package depparser

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/tree"
)

// labeler chooses the relations of the arcs of a tree, each for itself: it sees the arc, the
// modifiers of the head next to it, the outer modifiers of the modifier, and the head's head.
type labeler struct {
	labels     []string
	group      *group
	history    *group // templates that are joined with labels of arcs above and before
	table      *table
	salts      []uint64            // by label, where it is part of a feature of another one
	candidates map[uint64][]uint16 // labels seen with the tags of head and modifier and a direction
	byTag      map[uint64][]uint16 // with the tag of the modifier
	all        []uint16
}

func newLabeler(labels []string, set features, size int) *labeler {
	l := &labeler{labels: labels, group: newGroup(set.labels), history: newGroup(set.history), table: newTable(size), candidates: map[uint64][]uint16{}, byTag: map[uint64][]uint16{}}
	l.salt()
	return l
}

// newJointLabeler is what the relations of a treebank are scored by together with heads; the weights
// are those of the parser.
func newJointLabeler(b *bank, set features) *labeler {
	l := &labeler{labels: b.labels, group: newGroup(set.joint()), candidates: map[uint64][]uint16{}, byTag: map[uint64][]uint16{}}
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
		*s = resize(*s, n+1)
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
	order  []int32 // of tokens: heads before modifiers, modifiers of one head from the left
	near   around
	keys   []uint64
	scores []float64
}

func (x *labelling) load(s *sentence, heads []int32) {
	x.v.load(x.l.group, s)
	x.vh.load(x.l.history, s)
	x.s = s
	x.near.load(heads)
	x.order = append(x.order[:0], 0)
	for i := 0; i < len(x.order); i++ {
		for m := x.near.left[x.order[i]]; m != tree.None; m = x.near.after[m] {
			x.order = append(x.order, m)
		}
	}
}

// arc sets the keys of the arc to m: bare with direction, and with distance.
func (x *labelling) arc(heads []int32, labels []uint16, m int) {
	h := heads[m]
	g := int32(tree.None)
	if h > 0 {
		g = heads[h]
	}
	T := len(x.l.group.templates)
	H := len(x.l.history.templates)
	x.keys = resize(x.keys, 2*T+2*H+2)
	salt := shapes[direction(h, int32(m))]
	far := salts[span(int(h), m)]
	for t := range T {
		x.keys[t] = salt
	}
	n := &x.near
	for r, token := range [roles]int32{g, h, int32(m), n.before[m], n.after[m], n.left[m], n.right[m]} {
		if x.l.group.used[r] {
			for t, k := range x.v.row(role(r), T, token) {
				x.keys[t] += k
			}
		}
	}
	for t := range T {
		x.keys[T+t] = x.keys[t] ^ far
	}
	above, prior := uint64(noLabel), uint64(noLabel)
	if h > 0 {
		above = x.l.salts[labels[h]]
	}
	if b := n.before[m]; b != tree.None {
		prior = x.l.salts[labels[b]]
	}
	var b tagsBetween
	b.start(x.s, int(h))
	b.extend(m)
	x.keys[2*T+2*H], x.keys[2*T+2*H+1] = b.keys(int(h), m)
	k := x.keys[2*T:]
	for t := range H {
		k[t], k[H+t] = salt+mix(above), salt+mix(prior+1)
	}
	for r, token := range [roles]int32{g, h, int32(m), n.before[m], n.after[m], n.left[m], n.right[m]} {
		if x.l.history.used[r] {
			for t, half := range x.vh.row(role(r), H, token) {
				k[t] += half
				k[H+t] += half
			}
		}
	}
	if len(x.s.guess) > 0 {
		x.keys = x.s.guideKeys(x.keys, int(h), m)
	}
}

// noLabel stands for the label of the root.
const noLabel = 0x10ab

// score writes the scores of the choices.
func (x *labelling) score(choices []uint16) {
	x.scores = resize(x.scores, len(choices))
	if t := x.l.table; t.q != nil {
		scoreLabels(x.scores, t.small(), x.keys, choices)
	} else {
		scoreLabels(x.scores, t.exact(), x.keys, choices)
	}
}

// scoreLabels writes the scores of labels: those of one feature stand near each other.
func scoreLabels[W numeric](scores []float64, l lookup[W], keys []uint64, choices []uint16) {
	clear(scores)
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
func (x *labelling) learn(ctx context.Context, items []*item, c float64, rng *rand.Rand, steps *float64) (wrong int, err error) {
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
