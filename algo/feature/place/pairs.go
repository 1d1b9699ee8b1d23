package place

import (
	"errors"
	"slices"
	"strings"

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
		bySlow: make([]bool, n), dense: make([][]uint8, n), few: make([][]int32, n), bins: make([][]int32, n), wide: make([]int32, widest), hash: make([]uint64, widest),
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

// Bind prepares a document: all that depends on one row.
func (p *Pairs) Bind(d *text.Document) error {
	x := p.x
	x.Bind(d)
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

// Block returns the features of rows [from, to) as the first place with a row as the second one, at most 64 rows:
// template by template, each with to − from hashes, 0 for those that are not there; valid until the next call.
func (p *Pairs) Block(second, from, to int) ([]uint32, error) {
	if from < 0 || to > p.rows || from >= to || to-from > widest || second < 0 || second >= p.rows {
		return nil, errors.New("a block of pairs has 1 to 64 rows of the layer")
	}
	if err := p.pairByPair(second, from, to); err != nil {
		return nil, err
	}
	for _, k := range p.plan {
		if !p.bySlow[k] {
			p.column(k, second, from, to)
		}
	}
	width := to - from
	for i, t := range p.both {
		p.mixed(&p.x.set.templates[t], second, from, p.out[i*width:(i+1)*width])
	}
	p.blank(second, from, width)
	return p.out[:len(p.both)*width], nil
}

// blank takes the features of rows without tokens away.
func (p *Pairs) blank(second, from, width int) {
	rows := p.x.layers[0].from
	for i := range width {
		if rows[second] >= 0 && rows[from+i] >= 0 {
			continue
		}
		for t := range p.both {
			p.out[t*width+i] = 0
		}
	}
}

// pairByPair runs the instructions without a loop of their own.
func (p *Pairs) pairByPair(second, from, to int) error {
	if len(p.slow) == 0 {
		return nil
	}
	x := p.x
	for r := from; r < to; r++ {
		there := x.layers[0].from[r] >= 0 && x.layers[0].from[second] >= 0
		if there {
			changed, err := x.give([]Ref{Row(r), Row(second)})
			if err != nil {
				return err
			}
			for _, k := range p.slow {
				if x.fresh || x.reads[k]&changed != 0 {
					x.compute(k)
				}
			}
			x.fresh = false
		}
		for _, k := range p.slow {
			if p.side[k] == bothSides {
				p.cols[k][r-from] = missed
				if there && !x.vals[k].none {
					p.cols[k][r-from] = x.vals[k].a
				}
			}
		}
	}
	return nil
}

// values is a column of a block: the values of an instruction for each pair.
func (p *Pairs) values(k, second, from, to int, wide []int32) []int32 {
	switch p.side[k] {
	case bothSides:
		return p.cols[k][:to-from]
	case firstSide:
		return p.cols[k][from:to]
	}
	wide = wide[:to-from]
	for i := range wide {
		wide[i] = p.cols[k][second]
	}
	return wide
}

// mixed writes the hashes of a template: that of the template, then of value after value, as Extractor does.
func (p *Pairs) mixed(t *template, second, from int, out []uint32) {
	h := p.hash[:len(out)]
	start, varied, some := t.hash, false, false // start is the hash of all pairs until a value varies
	for _, k := range t.values {
		if p.side[k] == secondSide || p.side[k] == noSide {
			v := p.cols[k][second]
			if v == missed {
				clear(out)
				return
			}
			add := p.x.hashes[p.textOf(k, v)]
			if !varied {
				start = mix(start*multiplier + add)
				continue
			}
			for i := range h {
				h[i] = mix(h[i]*multiplier + add)
			}
			continue
		}
		col := p.cols[k]
		if p.side[k] == firstSide {
			col = col[from:]
		}
		col = p.texts(k, col[:len(h)])
		switch {
		case varied:
			some = mixNext(h, col, p.x.hashes, &p.gone, some)
		case p.dense[k] != nil:
			some = p.take(h, p.begun(k, start), p.dense[k][from:])
		default:
			some = mixFirst(h, start, col, p.x.hashes, &p.gone)
		}
		varied = true
	}
	if !varied {
		for i := range out {
			out[i] = short(start, true)
		}
		return
	}
	for i, v := range h {
		out[i] = max(1, uint32(v>>32))
	}
	if some {
		for i := range out {
			if p.gone[i] {
				out[i] = 0
			}
		}
	}
}

// texts is a column as numbers of texts, missed where there is none.
func (p *Pairs) texts(k int, col []int32) []int32 {
	if p.x.set.code[k].typ != numberType {
		return col
	}
	out := p.said[:len(col)]
	for i, v := range col {
		if out[i] = v; v != missed {
			out[i] = p.x.numberText(v)
		}
	}
	return out
}

// few is how many texts a column of rows may have for hashes that begin with them to be kept.
const few = 32

// denseOf numbers the texts of a column of rows from 1, 0 where there is none; nil where they are many.
func (p *Pairs) denseOf(k int) (dense []uint8, texts []int32) {
	if p.side[k] != firstSide || p.x.set.code[k].typ != textType {
		return nil, nil
	}
	for _, v := range p.cols[k] {
		at := 0
		if v != missed {
			if at = slices.Index(texts, v) + 1; at == 0 {
				if len(texts) == few {
					return nil, nil
				}
				texts = append(texts, v)
				at = len(texts)
			}
		}
		dense = append(dense, uint8(at))
	}
	return dense, texts
}

// begun is the hashes that begin with a start and each of the few texts of a column, computed once a document.
func (p *Pairs) begun(k int, start uint64) *[few]uint64 {
	if out, ok := p.begins[start]; ok {
		return out
	}
	out := new([few]uint64)
	for i, v := range p.few[k] {
		out[i] = mix(start*multiplier + p.x.hashes[v])
	}
	p.begins[start] = out
	return out
}

// take begins hashes of pairs with those of the texts of a column.
func (p *Pairs) take(h []uint64, begun *[few]uint64, dense []uint8) (some bool) {
	clear(p.gone[:])
	for i, v := range dense[:len(h)] {
		if v == 0 {
			p.gone[i], some = true, true
			continue
		}
		h[i] = begun[(v-1)%few]
	}
	return some
}

// mixFirst begins hashes of pairs with one start and the texts of a column. It tells whether some are gone, as their
// text is missed.
func mixFirst(h []uint64, start uint64, col []int32, hashes []uint64, gone *[widest]bool) (some bool) {
	start *= multiplier
	clear(gone[:])
	for i, v := range col[:len(h)] {
		if uint(v) >= uint(len(hashes)) {
			gone[i], some = true, true
			continue
		}
		h[i] = mix(start + hashes[v])
	}
	return some
}

// mixNext adds the texts of a column to hashes of pairs.
func mixNext(h []uint64, col []int32, hashes []uint64, gone *[widest]bool, some bool) bool {
	for i, v := range col[:len(h)] {
		if uint(v) >= uint(len(hashes)) {
			gone[i], some = true, true
			continue
		}
		h[i] = mix(h[i]*multiplier + hashes[v])
	}
	return some
}

// column computes an instruction for a block.
func (p *Pairs) column(k, second, from, to int) {
	c := &p.x.set.code[k]
	out := p.cols[k][:to-from]
	if c.step != nil {
		p.stepped(k, c, p.values(c.in[0], second, from, to, p.wide), out)
		return
	}
	a, b := c.in[0], c.in[1]
	switch c.walk.name {
	case "equals", "contains":
		if p.x.set.code[a].typ == textsType {
			p.listed(a, b, second, from, out)
			return
		}
		var wide [widest]int32
		va, vb := p.values(a, second, from, to, p.wide), p.values(b, second, from, to, wide[:])
		for i := range out {
			switch {
			case va[i] == missed || vb[i] == missed:
				out[i] = p.yes[2]
			case c.walk.name == "equals":
				out[i] = p.truth(va[i] == vb[i])
			default:
				out[i] = p.truth(p.contains(va[i], vb[i]))
			}
		}
	case "share":
		p.shared(a, b, second, from, out)
	default:
		p.between(c, second, from, out)
	}
}

// stepped applies a step of a value.
func (p *Pairs) stepped(k int, c *instruction, in, out []int32) {
	small := p.bins[k]
	for i, v := range in {
		switch {
		case v == missed:
			out[i] = missed
		case uint32(v) < uint32(len(small)):
			out[i] = small[v]
		default:
			if out[i] = c.step.one(p.x, k, v); out[i] < 0 {
				out[i] = missed
			}
		}
	}
}

// contains tells whether a text is part of another one, each pair computed once a document.
func (p *Pairs) contains(a, b int32) bool {
	x, y := p.x.texts[a], p.x.texts[b]
	if len(y) >= len(x) {
		return x == y
	}
	if len(x) < 24 {
		return strings.Contains(x, y)
	}
	is, known := p.memo[[2]int32{a, b}]
	if !known {
		is = strings.Contains(x, y)
		p.memo[[2]int32{a, b}] = is
	}
	return is
}

// shared compares two lists of rows, by their bits first.
func (p *Pairs) shared(a, b, second, from int, out []int32) {
	if p.side[a] != firstSide {
		a, b = b, a
	}
	list, bits := p.lists[b][second], p.bloom[b][second]
	for i := range out {
		r := from + i
		switch {
		case p.cols[a][r] == missed || p.cols[b][second] == missed:
			out[i] = p.yes[2]
		case p.bloom[a][r]&bits == 0:
			out[i] = p.yes[1]
		default:
			out[i] = p.yes[1]
			for _, v := range p.lists[a][r] {
				if v >= 0 && slices.Contains(list, v) {
					out[i] = p.yes[0]
				}
			}
		}
	}
}

// listed tells whether texts are in lists.
func (p *Pairs) listed(a, b, second, from int, out []int32) {
	for i := range out {
		r, s := from+i, from+i
		if p.side[a] != firstSide {
			r = second
		}
		if p.side[b] != firstSide {
			s = second
		}
		v := p.cols[b][s]
		switch {
		case p.cols[a][r] == missed || v == missed:
			out[i] = p.yes[2]
		default:
			out[i] = p.truth(p.bloom[a][r]&(1<<(v&63)) != 0 && slices.Contains(p.lists[a][r], v))
		}
	}
}

// between computes what lies between two places.
func (p *Pairs) between(c *instruction, second, from int, out []int32) {
	x := p.x
	l := &x.layers[0]
	name, swapped := c.walk.name, p.side[c.in[0]] == secondSide
	for i := range out {
		r := from + i
		if l.from[r] < 0 || l.from[second] < 0 {
			out[i] = missed
			continue
		}
		a, b := int32(r), int32(second)
		if swapped {
			a, b = b, a
		}
		switch name {
		case "sentence_distance":
			d := x.sents[l.from[a]] - x.sents[l.from[b]]
			out[i] = max(d, -d)
		case "mention_distance":
			d := p.starts[a] - p.starts[b]
			out[i] = max(d, -d)
		case "order":
			out[i] = p.orders[orderOf(l.from[a], l.to[a], l.from[b], l.to[b])]
		case "compatible":
			out[i] = p.truth(x.compatible(a, b))
		default:
			out[i] = x.described.compatible(a, b)
		}
	}
}

// Short is the hash here of a feature with a hash of an Extractor.
func Short(hash uint64) uint32 { return short(hash, true) }
