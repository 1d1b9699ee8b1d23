package tagparser

import (
	"math"

	"parlance/algo/kind"
)

// pruned is the part of a checkpoint that was made before the epochs: the pruner and the candidate arcs of the
// examples.
type pruned struct {
	r *reader
	p *pruner
}

// Write writes the sections of the pruner and all arcs.
func (x pruned) Write(w *kind.Writer, section string) error {
	var all []uint32
	for _, e := range x.r.examples {
		all = append(all, uint32(len(e.arcs)))
		for _, a := range e.arcs {
			all = append(all, uint32(a.head), uint32(a.mod), math.Float32bits(float32(a.prob)))
			if x.p.labelled() {
				all = a.write(all)
			}
		}
	}
	if err := w.Uint32s(section, all); err != nil {
		return err
	}
	return x.p.encode(w)
}

// Read restores them.
func (x pruned) Read(r *kind.Reader, section string) error {
	all, err := r.Uint32s(section)
	if err != nil {
		return err
	}
	for _, e := range x.r.examples {
		if len(all) == 0 {
			return kind.Corrupt(section, "is of another training")
		}
		n := int(all[0])
		all = all[1:]
		e.arcs = e.arcs[:0]
		for ; n > 0; n-- {
			a, rest, ok := x.candidate(e, all)
			if !ok {
				return kind.Corrupt(section, "is of another training")
			}
			e.arcs, all = append(e.arcs, a), rest
		}
	}
	return x.p.decode(r)
}

// candidate reads one of an example and returns what is left.
func (x pruned) candidate(e *example, all []uint32) (a candidate, rest []uint32, ok bool) {
	if len(all) < 3 {
		return a, nil, false
	}
	a = candidate{head: int32(all[0]), mod: int32(all[1]), prob: float64(math.Float32frombits(all[2]))}
	if a.head < 0 || int(a.head) > len(e.words) || a.mod < 1 || int(a.mod) > len(e.words) || a.head == a.mod {
		return a, nil, false
	}
	if !x.p.labelled() {
		return a, all[3:], true
	}
	rest, ok = a.read(all[3:], len(x.r.g.partID))
	return a, rest, ok
}

// write appends the probabilities of the parts of labels.
func (x *candidate) write(dst []uint32) []uint32 {
	for _, list := range x.parts {
		dst = append(dst, uint32(len(list)))
		for _, y := range list {
			dst = append(dst, uint32(y.part), math.Float32bits(y.prob))
		}
	}
	return dst
}

// read takes what write has written, of n parts, and returns what is left.
func (x *candidate) read(from []uint32, parts int) ([]uint32, bool) {
	for k := range x.parts {
		if len(from) == 0 || (len(from)-1)/2 < int(from[0]) {
			return nil, false
		}
		n := int(from[0])
		for from = from[1:]; n > 0; n, from = n-1, from[2:] {
			if int(from[0]) >= parts {
				return nil, false
			}
			x.parts[k] = append(x.parts[k], partProb{int32(from[0]), math.Float32frombits(from[1])})
		}
	}
	x.sum()
	return from, true
}
