package reduction

import (
	"fmt"

	"parlance/algo/checkpoint"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
)

// jointState is what the training of one machine for all classes goes on from.
func jointState(s *solver.JointState) checkpoint.State {
	return checkpoint.State{}.With("passes", checkpoint.Value(&s.Passes)).With("target", checkpoint.Value(&s.Target)).
		With("whole", checkpoint.Value(&s.Whole)).With("random", checkpoint.Random(s.Random)).
		With("weights", checkpoint.Float64s(s.Weights)).With("mass", checkpoint.Float64s(s.Mass)).
		With("active", checkpoint.Integers(&s.Active)).With("rivals", checkpoint.Integers(&s.Rivals)).
		With("count", checkpoint.Integers(&s.Count))
}

const machinesSection = "machines"

// ended is the machines that are trained, nil for others, as what a training goes on from.
type ended struct {
	all  []*learned
	dual *float64 // sum of theirs, in the order in which they ended
}

// Write writes the numbers of the machines, four lengths and four numbers of each, and their lists.
func (e *ended) Write(w *kind.Writer, section string) error {
	var numbers, sizes, places []uint32
	var weights []float64
	scalars := []float64{*e.dual}
	for k, l := range e.all {
		if l == nil {
			continue
		}
		numbers = append(numbers, uint32(k))
		sizes = append(sizes, uint32(len(l.cols)), uint32(len(l.weights)), uint32(len(l.ids)), uint32(len(l.coefs)))
		places = append(append(places, l.cols...), l.ids...)
		weights = append(append(weights, l.weights...), l.coefs...)
		scalars = append(scalars, l.b, l.dual, l.sigmoid.A, l.sigmoid.B)
	}
	for _, part := range []struct {
		name string
		list []uint32
	}{{".numbers", numbers}, {".sizes", sizes}, {".places", places}} {
		if err := w.Uint32s(section+part.name, part.list); err != nil {
			return err
		}
	}
	if err := w.Float64s(section+".weights", weights); err != nil {
		return err
	}
	return w.Float64s(section+".scalars", scalars)
}

// Read reads what Write wrote.
func (e *ended) Read(r *kind.Reader, section string) error {
	var lists [3][]uint32
	var err error
	for i, name := range []string{".numbers", ".sizes", ".places"} {
		if lists[i], err = r.Uint32s(section + name); err != nil {
			return err
		}
	}
	weights, err := r.Float64s(section + ".weights")
	if err != nil {
		return err
	}
	scalars, err := r.Float64s(section + ".scalars")
	if err != nil {
		return err
	}
	numbers, sizes, places := lists[0], lists[1], lists[2]
	if len(sizes) != 4*len(numbers) || len(scalars) != 4*len(numbers)+1 {
		return kind.Corrupt(section, "machines and their sizes differ in number")
	}
	*e.dual = scalars[0]
	for i, k := range numbers {
		n, x := sizes[4*i:4*i+4], scalars[4*i+1:4*i+5]
		if int(k) >= len(e.all) || uint64(n[0])+uint64(n[2]) > uint64(len(places)) ||
			uint64(n[1])+uint64(n[3]) > uint64(len(weights)) {
			return kind.Corrupt(section, fmt.Sprintf("machine %d is beyond the end", k))
		}
		l := &learned{b: x[0], dual: x[1], sigmoid: solver.Sigmoid{A: x[2], B: x[3]}}
		l.cols, places = places[:n[0]:n[0]], places[n[0]:]
		l.ids, places = places[:n[2]:n[2]], places[n[2]:]
		l.weights, weights = weights[:n[1]:n[1]], weights[n[1]:]
		l.coefs, weights = weights[:n[3]:n[3]], weights[n[3]:]
		e.all[k] = l
	}
	return nil
}
