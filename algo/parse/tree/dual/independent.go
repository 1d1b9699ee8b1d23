package dual

import "parlance/algo/parse/tree"

// Independent appends the parts that the automata choose each for itself, and returns their score: the
// best of all sets of arcs, in which a token may have no head or several, and with grandparents
// another one for the automaton than in the set. Training with these needs no tree (Koo et al. 2010,
// section 6). If the context of the parts ends, they are not complete.
func (d *Decoder) Independent(p *tree.Parts, score []float64, parts []tree.Part) ([]tree.Part, float64) {
	d.load(d.f, p, score, 0)
	sum := 0.0
	for h := range p.N + 1 {
		if p.Ended() {
			return parts, sum
		}
		d.decode(h, all)
		sum += d.value[h]
		g := int32(tree.None)
		if d.parent[h] >= 0 {
			g = p.Head[d.parent[h]]
		}
		for side := tree.Left; side <= tree.Right; side++ {
			if h > 0 || side == tree.Right {
				parts = d.chosen(int32(h), g, side, parts)
			}
		}
	}
	return parts, sum
}

// chosen appends the parts of the modifiers of a head with parent g on a side.
func (d *Decoder) chosen(h, g int32, side int, parts []tree.Part) []tree.Part {
	const none = tree.None
	from, to := d.p.Of(int(h), side)
	s := int32(none)
	for x := from; x < to; x++ {
		if !d.take[x] {
			continue
		}
		m := d.p.Mod[x]
		parts = append(parts,
			tree.Part{Type: tree.Dep, G: none, H: h, M: m, S: none, T: none},
			tree.Part{Type: tree.Sib, G: none, H: h, M: m, S: s, T: none})
		if d.grand {
			parts = append(parts, tree.Part{Type: tree.GrandSib, G: g, H: h, M: m, S: s, T: none})
			if h > 0 {
				parts = append(parts, tree.Part{Type: tree.Grand, G: g, H: h, M: m, S: none, T: none})
			}
		}
		s = m
	}
	return append(parts, tree.Part{Type: tree.End, G: none, H: h, M: s, S: int32(side), T: none})
}
