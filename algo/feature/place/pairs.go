package place

import (
	"context"
	"errors"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Pairs computes the features of many pairs of rows of a layer at once: those of the first place alone and of the
// second place alone once for each row, those of both for a block of first rows against one second row. Values of a row
// are computed once when a document is bound; values of pairs column by column, without a step of the extractor for
// each pair where the function is a common one. It serves one goroutine.
//
// Features are the same as those of an Extractor; a hash here is the upper half of its hash, and never 0.
type Pairs struct {
	x      *Extractor
	rows   int
	side   []side    // by instruction
	cols   [][]int32 // by instruction: values by row, those of pairs by place in the block; missed without one
	lists  [][][]int32
	bloom  [][]uint64 // by instruction of a list: bits of its texts, by row
	plan   []int      // instructions of pairs, of which none only serves instructions that go pair by pair
	slow   []int      // instructions that go pair by pair, with all that they read
	bySlow []bool     // by instruction
	bins   [][]int32  // by instruction of bins: the text by number, for small ones
	first  []int      // templates of the first place alone
	second []int      // of the second place alone
	both   []int
	starts []int32 // by row: how many mentions begin before the end of its first token
	wide   []int32 // a constant as a column
	hash   []uint64
	dense  [][]uint8 // by instruction of the first place with few texts: which of them each row has, from 1, 0 for none
	few    [][]int32 // by instruction: these texts
	begins map[uint64]*[few]uint64
	said   []int32      // a column of numbers as texts
	gone   [widest]bool // pairs of a block without a value
	out    []uint32
	one    []uint32
	memo   map[[2]int32]bool
	age    int              // of the numbers of texts below
	yes    [3]int32         // yes, no, unknown
	orders map[string]int32 // what order says
}

// side is the places that a value depends on.
type side uint8

const (
	noSide side = iota
	firstSide
	secondSide
	bothSides
)

// missed is the value that is not there, as numbers may be below 0.
const missed = -1 << 31

// widest is the largest block.
const widest = 64

// NewPairs returns the features of pairs of a set over two places of the same layer, with the lexicons that the set
// names. Templates with a list of texts are refused: bag and seq make one text of a list.
func NewPairs(set *Set, res kind.Resources) (*Pairs, error) {
	if len(set.places) != 2 || set.places[0].Layer == "" || set.places[0].Layer != set.places[1].Layer {
		return nil, errors.New("features of pairs are over two places of one layer, such as over (n mention, m mention)")
	}
	x, err := NewExtractor(set, res)
	if err != nil {
		return nil, err
	}
	n := len(set.code)
	p := &Pairs{x: x, side: make([]side, n), cols: make([][]int32, n), lists: make([][][]int32, n),
		bloom:  make([][]uint64, n),
		bySlow: make([]bool, n), dense: make([][]uint8, n), few: make([][]int32, n), bins: make([][]int32, n),
		wide: make([]int32, widest), hash: make([]uint64, widest),
		said: make([]int32, widest)}
	for k := range set.code {
		p.side[k] = side(x.reads[k])
	}
	for i, t := range set.templates {
		if t.many >= 0 {
			return nil, errors.New("template " + t.name + " has a list of texts; bag or seq make one text of it")
		}
		var all side
		for _, k := range t.values {
			all |= p.side[k]
		}
		switch all {
		case bothSides:
			p.both = append(p.both, i)
		case firstSide:
			p.first = append(p.first, i)
		default:
			p.second = append(p.second, i)
		}
	}
	p.out = make([]uint32, widest*len(p.both))
	p.schedule()
	return p, nil
}

// Templates returns the templates of the first place alone, of the second one alone, and of both, in the order of their
// hashes.
func (p *Pairs) Templates() (first, second, both []string) {
	names := func(list []int) (out []string) {
		for _, i := range list {
			out = append(out, p.x.set.templates[i].name)
		}
		return out
	}
	return names(p.first), names(p.second), names(p.both)
}

// schedule lists the instructions of pairs in order: those that have a loop of their own, and those that go pair by
// pair.
func (p *Pairs) schedule() {
	code := p.x.set.code
	used := make([]bool, len(code))
	for _, i := range p.both {
		for _, k := range p.x.set.templates[i].values {
			used[k] = true
		}
	}
	for k := len(code) - 1; k >= 0; k-- {
		if used[k] && p.side[k] == bothSides && !p.fast(k) {
			p.need(k)
		}
		if used[k] {
			for _, in := range code[k].in {
				used[in] = true
			}
		}
	}
	for k := range code {
		if p.bySlow[k] {
			p.slow = append(p.slow, k)
		}
		if used[k] && p.side[k] == bothSides {
			p.plan = append(p.plan, k)
		}
	}
}

// need marks an instruction that goes pair by pair, with what it reads.
func (p *Pairs) need(k int) {
	p.bySlow[k] = true
	for _, in := range p.x.set.code[k].in {
		p.need(in)
	}
}

// fast tells whether an instruction of a pair has a loop of its own. What it reads is scalar, a list of one row, or the
// places themselves.
func (p *Pairs) fast(k int) bool {
	c := &p.x.set.code[k]
	scalar := func(k int) bool {
		t := p.x.set.code[k].typ
		return t == textType || t == numberType
	}
	place := func(k int) bool { return p.x.set.code[k].step == nil && p.x.set.code[k].walk == nil }
	if c.step != nil {
		return c.step.one != nil && !c.each && scalar(c.in[0]) && scalar(k)
	}
	a, b := c.in[0], c.in[1]
	switch c.walk.name {
	case "equals":
		return scalar(a) && scalar(b) || p.x.set.code[a].typ == tokenType && p.x.set.code[b].typ == tokenType &&
			p.side[a] != bothSides && p.side[b] != bothSides
	case "contains":
		return scalar(a) && scalar(b) || p.x.set.code[a].typ == textsType && scalar(b) && p.side[a] != bothSides &&
			p.side[b] != bothSides
	case "share":
		return p.side[a] != bothSides && p.side[b] != bothSides && p.side[a] != p.side[b]
	case "sentence_distance", "mention_distance", "order", "compatible", "compatible_between":
		return place(a) && place(b) && p.side[a] != p.side[b]
	}
	return false
}

// Bind prepares a document: all that depends on one row. After an error, as when the context has ended, another
// document must be bound.
func (p *Pairs) Bind(ctx context.Context, d *text.Document) error {
	x := p.x
	if err := x.Bind(ctx, d); err != nil {
		return err
	}
	p.number()
	p.memo = map[[2]int32]bool{}
	p.rows = len(x.layers[0].from)
	p.starts = p.starts[:0]
	for k := range p.cols {
		if p.side[k] != bothSides {
			p.cols[k], p.lists[k], p.bloom[k] = p.cols[k][:0], p.lists[k][:0], p.bloom[k][:0]
		} else if p.cols[k] == nil {
			p.cols[k] = make([]int32, widest)
		}
	}
	for r := range p.rows {
		if r&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if x.layers[0].from[r] < 0 {
			for k := range p.cols {
				p.keep(k, &val{none: true})
			}
			p.starts = append(p.starts, 0)
			continue
		}
		if _, err := x.give([]Ref{Row(r), Row(r)}); err != nil {
			return err
		}
		for k := range x.set.code {
			if p.side[k] != bothSides {
				x.compute(k)
				p.keep(k, &x.vals[k])
			}
		}
		rank := int32(0)
		if x.set.needs()&needMentions != 0 {
			rank = x.rank(x.layers[0].from[r] + 1)
		}
		p.starts = append(p.starts, rank)
	}
	for k := range x.set.code {
		p.dense[k], p.few[k] = p.denseOf(k)
	}
	p.begins = map[uint64]*[few]uint64{}
	x.fresh = true
	return nil
}

// number looks the texts up that loops write, again after texts were forgotten.
func (p *Pairs) number() {
	if p.age == p.x.age {
		return
	}
	p.age, p.orders = p.x.age, map[string]int32{}
	p.yes = [3]int32{p.x.id("yes"), p.x.id("no"), p.x.id("unknown")}
	for _, word := range []string{"same", "before", "after", "inside", "covers", "overlaps"} {
		p.orders[word] = p.x.id(word)
	}
	for k := range p.x.set.code {
		c := &p.x.set.code[k]
		if p.bins[k] = nil; c.step == nil || c.step.name != "bins" {
			continue
		}
		for a := range int32(widest) {
			p.bins[k] = append(p.bins[k], c.step.one(p.x, k, a))
		}
	}
}

func (p *Pairs) truth(is bool) int32 {
	if is {
		return p.yes[0]
	}
	return p.yes[1]
}

// keep stores the value of a row.
func (p *Pairs) keep(k int, v *val) {
	switch t := p.x.set.code[k].typ; {
	case p.side[k] == bothSides:
	case t == textsType:
		var bits uint64
		var list []int32
		if !v.none {
			list = slices.Clone(v.list)
		}
		for _, w := range list {
			if w >= 0 {
				bits |= 1 << (w & 63)
			}
		}
		p.lists[k], p.bloom[k] = append(p.lists[k], list), append(p.bloom[k], bits)
		fallthrough
	case t == textType || t == numberType || t == tokenType:
		a := v.a
		if v.none {
			a = missed
		}
		if t == textsType && !v.none {
			a = 0
		}
		p.cols[k] = append(p.cols[k], a)
	}
}

// First returns the features of a row as the first place, 0 for those that are not there, valid until the next call.
func (p *Pairs) First(row int) []uint32 { return p.alone(p.first, row) }

// Second returns the features of a row as the second place, and those of no place.
func (p *Pairs) Second(row int) []uint32 { return p.alone(p.second, row) }

func (p *Pairs) alone(templates []int, row int) []uint32 {
	p.one = p.one[:0]
	for _, i := range templates {
		t := &p.x.set.templates[i]
		h, there := t.hash, true
		for _, k := range t.values {
			v := p.cols[k][row]
			if there = v != missed; !there {
				break
			}
			h = mix(h*multiplier + p.x.hashes[p.textOf(k, v)])
		}
		p.one = append(p.one, short(h, there))
	}
	return p.one
}

// short is the upper half of a hash that is there.
func short(h uint64, there bool) uint32 {
	if !there {
		return 0
	}
	return max(1, uint32(h>>32))
}

// textOf is the number of the text of a value.
func (p *Pairs) textOf(k int, v int32) int32 {
	if p.x.set.code[k].typ != numberType {
		return v
	}
	return p.x.numberText(v)
}

// Short is the hash here of a feature with a hash of an Extractor.
func Short(hash uint64) uint32 { return short(hash, true) }
