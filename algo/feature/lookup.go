package feature

// lookUpBlock is how many tokens are looked up together.
const lookUpBlock = 256

// lookUp appends the attributes of n tokens that the alphabet knows. It goes template by template:
// the tables of one stay near, and look-ups of neighbouring tokens do not wait for each other.
func (e *Extractor) lookUp(templates []int, n int, rows *Rows) {
	width := len(templates)
	for lo := 0; lo < n; lo += lookUpBlock {
		hi := min(n, lo+lookUpBlock)
		e.ids = append(e.ids[:0], make([]uint32, (hi-lo)*width)...)
		for i, k := range templates {
			e.template(k, e.ids[i:], width, lo, hi, n)
		}
		for t := range hi - lo {
			for _, id := range e.ids[t*width : (t+1)*width] {
				if id != 0 {
					rows.Attrs = append(rows.Attrs, id-1)
				}
			}
			e.many(t, n, rows)
			rows.end()
		}
	}
}

// template notes 1 + the attributes of template k at the tokens [lo, hi) of n, one every width ids.
func (e *Extractor) template(k int, ids []uint32, width, lo, hi, n int) {
	atoms := e.a.set.templates[k].atoms
	if e.a.set.columns[atoms[0].column].def.many {
		return
	}
	from, to := lo, hi // tokens at which all atoms lie in the sentence
	for _, a := range atoms {
		from, to = max(from, -a.offset), min(to, n-a.offset)
	}
	switch len(atoms) {
	case 1:
		vals, single := e.vals[atoms[0].column], e.a.single[k]
		for t := from; t < to; t++ {
			if v := vals[t+atoms[0].offset]; int(v) < len(single) {
				ids[(t-lo)*width] = single[v]
			}
		}
	case 2:
		first, second, steps := e.vals[atoms[0].column], e.vals[atoms[1].column], &e.a.steps[k][1]
		for t := from; t < to; t++ {
			v, w := first[t+atoms[0].offset], second[t+atoms[1].offset]
			if v != 0 && w != 0 {
				ids[(t-lo)*width] = steps.get(uint64(v)<<32 | uint64(w))
			}
		}
	default:
		for t := from; t < to; t++ {
			ids[(t-lo)*width] = e.attribute(k, t, n)
		}
	}
}
