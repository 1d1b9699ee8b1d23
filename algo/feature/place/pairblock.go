package place

import (
	"errors"
	"slices"
)

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
