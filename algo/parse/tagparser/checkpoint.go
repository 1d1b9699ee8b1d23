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
		if len(all) == 0 || int64(len(all)-1) < 3*int64(all[0]) {
			return kind.Corrupt(section, "is of another training")
		}
		n := int(all[0])
		all = all[1:]
		e.arcs = e.arcs[:0]
		for ; n > 0; n-- {
			a := candidate{int32(all[0]), int32(all[1]), float64(math.Float32frombits(all[2]))}
			if a.head < 0 || int(a.head) > len(e.words) || a.mod < 1 || int(a.mod) > len(e.words) || a.head == a.mod {
				return kind.Corrupt(section, "is of another training")
			}
			e.arcs, all = append(e.arcs, a), all[3:]
		}
	}
	return x.p.decode(r)
}
