package subtreerules

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/text"
)

// rule is one that is kept.
type rule struct {
	left string
	bitext.Rule
}

// pairs are those of a part, by falling count, with a table that finds them.
type pairs struct {
	keys   []count.Tuple
	counts []uint32
	high   int // pairs before these are HF, and MF
	middle int
	slots  []uint32 // 1 + number, by hash; at most half full
}

// keepRules takes the most frequent rules of each type, of equal counts those whose text is less.
func (l *learning) keepRules(ctx context.Context) error {
	err := l.rules.Each(ctx, uint64(l.opt.minRule), func(key string, n uint64) bool {
		r := parseRule(key)
		r.Count = n
		list := append(l.model.rules[r.Type], r)
		if most := l.opt.top; most > 0 && len(list) >= 2*most+1000 {
			list = best(list, most)
		}
		l.model.rules[r.Type] = list
		return true
	})
	for t, list := range l.model.rules {
		if l.opt.top > 0 {
			l.model.rules[t] = best(list, l.opt.top)
		} else {
			l.model.rules[t] = best(list, len(list))
		}
	}
	return err
}

func best(list []*rule, n int) []*rule {
	slices.SortFunc(list, func(a, b *rule) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.left, b.left), cmp.Compare(right(a.Right), right(b.Right)))
	})
	return slices.Clone(list[:min(n, len(list))])
}

// parseRule reads what was counted, nil for what is no rule.
func parseRule(key string) *rule {
	if key == "" || key[0] < '0' || int(key[0]-'0') >= int(bitext.RuleTypes) {
		return nil
	}
	l, r, ok := strings.Cut(key[1:], unit+unit)
	words := (strings.Count(l, unit) + 1) / 2
	if !ok || words < 2 || words > 3 {
		return nil
	}
	out := &rule{left: strings.Clone(l),
		Rule: bitext.Rule{Type: bitext.RuleType(key[0] - '0'), Right: readRight(r, words)}}
	if out.Right == nil || typeOf(words, len(out.Right)) != out.Type {
		return nil
	}
	return out
}

// keepPairs takes the pairs that are frequent enough, and the words in them.
func (l *learning) keepPairs(ctx context.Context) error {
	least := l.opt.minPair
	kept, number := [2]*bitext.Vocabulary{}, [2][]uint32{}
	for side, v := range l.words {
		kept[side] = bitext.NewVocabulary([]string{""})
		number[side] = make([]uint32, len(v.Words))
	}
	renumber := func(side int, ids [3]uint32) [3]uint32 {
		for i, id := range ids {
			if id == 0 {
				continue
			}
			if number[side][id] == 0 {
				number[side][id] = kept[side].Add(l.words[side].Words[id])
			}
			ids[i] = number[side][id]
		}
		return ids
	}
	err := l.pairs.Each(ctx, uint64(least), func(key count.Tuple, n uint64) bool {
		p, s, t, so, to := unpack(key)
		list := &l.model.pairs[p]
		list.keys = append(list.keys, pack(p, renumber(0, s), renumber(1, t), so, to))
		list.counts = append(list.counts, uint32(min(n, 1<<32-1)))
		return true
	})
	l.model.words = kept
	for i := range l.model.pairs {
		l.model.pairs[i].sort()
	}
	return err
}

// sort orders pairs by falling count, equal ones by key.
func (p *pairs) sort() {
	order := make([]int, len(p.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := p.keys[a], p.keys[b]
		return cmp.Or(cmp.Compare(p.counts[b], p.counts[a]), cmp.Compare(x.Hi, y.Hi), cmp.Compare(x.Lo, y.Lo))
	})
	keys, counts := make([]count.Tuple, len(order)), make([]uint32, len(order))
	for i, k := range order {
		keys[i], counts[i] = p.keys[k], p.counts[k]
	}
	p.keys, p.counts = keys, counts
}

// ready makes what look-ups need.
func (m *model) ready() {
	m.class, m.index = map[string]uint32{}, map[uint64][]*bitext.Rule{}
	for _, list := range m.rules {
		for _, r := range list {
			f := strings.Split(r.left, unit)
			var classes []uint32
			var heads []int8
			for i := 0; i+1 < len(f); i += 2 {
				id, ok := m.class[f[i]]
				if !ok {
					id = uint32(len(m.class) + 1)
					m.class[f[i]] = id
				}
				classes, heads = append(classes, id), append(heads, int8(f[i+1][0]-'1'))
			}
			if len(m.class) >= 1<<classBits {
				continue // keys have room for no more words
			}
			k := subtreeKey(classes, heads)
			m.index[k] = append(m.index[k], &r.Rule)
		}
	}
	for i := range m.pairs {
		p := &m.pairs[i]
		p.high, p.middle = p.top(m.opt.high), p.top(m.opt.middle)
		p.hash()
	}
}

// top is the number of pairs whose rank, the number of those with a greater count, is below a share of all.
func (p *pairs) top(share float64) (n int) {
	least := share*float64(len(p.keys)) - 1e-9 // shares such as 0.1 are not exact
	for n < len(p.keys) && float64(n) < least {
		for c := p.counts[n]; n < len(p.keys) && p.counts[n] == c; n++ {
		}
	}
	return n
}

// set is that of pair i.
func (p *pairs) set(i int) lexical.Set {
	switch {
	case i < p.high:
		return lexical.High
	case i < p.middle:
		return lexical.Middle
	}
	return lexical.Low
}

// hash fills the table.
func (p *pairs) hash() {
	p.slots = make([]uint32, 1<<bits.Len(uint(2*len(p.keys)+1)))
	for i, k := range p.keys {
		at := p.at(k)
		for p.slots[at] != 0 {
			at = (at + 1) & (len(p.slots) - 1)
		}
		p.slots[at] = uint32(i + 1)
	}
}

// at is where a key is looked up first: Fibonacci hashing (Knuth 1998, sec. 6.4) of both halves.
func (p *pairs) at(k count.Tuple) int {
	h := (k.Hi*0x9E3779B97F4A7C15 ^ k.Lo) * 0x9E3779B97F4A7C15
	return int(h >> (64 - bits.Len(uint(len(p.slots)-1))))
}

// find is the number of a pair, −1 for none.
func (p *pairs) find(k count.Tuple) int {
	if len(p.keys) == 0 {
		return -1
	}
	for at := p.at(k); p.slots[at] != 0; at = (at + 1) & (len(p.slots) - 1) {
		if i := int(p.slots[at] - 1); p.keys[i] == k {
			return i
		}
	}
	return -1
}

// classBits is the width of a class in a key, with two bits for the place of its head: 63 bits for three words.
const classBits = 19

// subtreeKey is the key of the source side of rules.
func subtreeKey(classes []uint32, heads []int8) (k uint64) {
	for i, c := range classes {
		k = k<<(classBits+2) | uint64(c)<<2 | uint64(heads[i]+1)
	}
	return k
}

// Class implements bitext.Constraints.
func (m *model) Class(form, tag string) (id uint32, content bool) {
	name := m.of(tag)
	if name != "" {
		return m.class[name], true
	}
	if m.opt.lower {
		form = strings.ToLower(form)
	}
	return m.class[form+"/"+tag], false
}

// Rules implements bitext.Constraints.
func (m *model) Rules(classes []uint32, heads []int8) []*bitext.Rule {
	for _, c := range classes {
		if c == 0 {
			return nil
		}
	}
	return m.index[subtreeKey(classes, heads)]
}

// Source implements bitext.Constraints.
func (m *model) Source(form string) uint32 { return m.word(0, form) }

// Target implements bitext.Constraints.
func (m *model) Target(form string) uint32 { return m.word(1, form) }

func (m *model) word(side int, form string) uint32 {
	if m.opt.lower {
		form = strings.ToLower(form)
	}
	if id := m.words[side].Find(form); id != bitext.Unseen {
		return id
	}
	return 0
}

// Pair implements bitext.Constraints.
func (m *model) Pair(p bitext.Part, source, target [3]uint32, so, to lexical.Order) bool {
	return m.pairs[p].find(pack(p, source, target, uint8(so), uint8(to))) >= 0
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Encode writes rules as they are counted, words, and pairs.
func (m *model) Encode(w *kind.Writer) error {
	var rules []string
	var counts []uint64
	for t, list := range m.rules {
		for _, r := range list {
			rules = append(rules, string('0'+byte(t))+r.left+unit+unit+right(r.Right))
			counts = append(counts, r.Count)
		}
	}
	if err := w.Strings("rules", rules); err != nil {
		return err
	}
	if err := w.Uint64s("rules.counts", counts); err != nil {
		return err
	}
	for side, name := range []string{"source", "target"} {
		if err := w.Strings(name, m.words[side].Words); err != nil {
			return err
		}
	}
	for i := range m.pairs {
		p, name := &m.pairs[i], "pairs."+bitext.Part(i).String()
		halves := make([]uint64, 0, 2*len(p.keys))
		for _, k := range p.keys {
			halves = append(halves, k.Hi, k.Lo)
		}
		if err := w.Uint64s(name, halves); err != nil {
			return err
		}
		if err := w.Uint32s(name+".counts", p.counts); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	rules, err := r.Strings("rules")
	if err != nil {
		return err
	}
	counts, err := r.Uint64s("rules.counts")
	if err != nil {
		return err
	}
	if len(rules) != len(counts) {
		return kind.Corrupt("rules.counts", "one a rule is wanted")
	}
	for i, key := range rules {
		x := parseRule(key)
		if x == nil {
			return kind.Corrupt("rules", "has something that is no rule")
		}
		x.Count = counts[i]
		m.rules[x.Type] = append(m.rules[x.Type], x)
	}
	for side, name := range []string{"source", "target"} {
		words, err := r.Strings(name)
		if err != nil {
			return err
		}
		if len(words) == 0 || words[0] != "" || len(words) > maxWords+1 {
			return kind.Corrupt(name, "does not begin with no word, or has too many")
		}
		m.words[side] = bitext.NewVocabulary(words)
	}
	for i := range m.pairs {
		if err := m.decodePairs(r, bitext.Part(i)); err != nil {
			return err
		}
	}
	m.ready()
	return nil
}

func (m *model) decodePairs(r *kind.Reader, part bitext.Part) error {
	p, name := &m.pairs[part], "pairs."+part.String()
	halves, err := r.Uint64s(name)
	if err != nil {
		return err
	}
	if p.counts, err = r.Uint32s(name + ".counts"); err != nil {
		return err
	}
	if len(halves) != 2*len(p.counts) {
		return kind.Corrupt(name+".counts", "one a pair is wanted")
	}
	p.keys = nil
	for i := range p.counts {
		k := count.Tuple{Hi: halves[2*i], Lo: halves[2*i+1]}
		if err := m.sound(k, part); err != nil {
			return kind.Corrupt(name, err.Error())
		}
		if i > 0 && p.counts[i] > p.counts[i-1] {
			return kind.Corrupt(name+".counts", "rises")
		}
		p.keys = append(p.keys, k)
	}
	return nil
}

// sound refuses keys of another part, or with words that are not there.
func (m *model) sound(k count.Tuple, part bitext.Part) error {
	p, s, t, _, _ := unpack(k)
	if p != part {
		return fmt.Errorf("has a pair of another part")
	}
	for i := range 3 {
		if int(s[i]) >= len(m.words[0].Words) || int(t[i]) >= len(m.words[1].Words) || i < 2 && (s[i] == 0 || t[i] == 0) {
			return fmt.Errorf("has a pair with a word that is not there")
		}
	}
	return nil
}
