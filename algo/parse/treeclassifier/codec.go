package treeclassifier

import (
	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
)

// Encode writes the support vectors with their coefficients.
func (m *model) Encode(w *kind.Writer) error {
	number := map[string]uint32{}
	var names []string
	id := func(s string) uint32 {
		i, known := number[s]
		if !known {
			i = uint32(len(names))
			number[s], names = i, append(names, s)
		}
		return i
	}
	sizes := make([]uint32, len(m.shapes))
	var nodes []uint32 // label, parent and mark of each
	for i, s := range m.shapes {
		sizes[i] = uint32(len(s.Labels))
		for n, l := range s.Labels {
			nodes = append(nodes, id(l), uint32(s.Parent[n]+1), id(s.Marks[n]))
		}
	}
	for _, write := range []func() error{
		func() error { return w.Strings("labels", m.labels) },
		func() error { return w.Strings("names", names) },
		func() error { return w.Uint32s("sizes", sizes) },
		func() error { return w.Uint32s("nodes", nodes) },
		func() error { return w.Float64s("coefficients", m.coef) },
		func() error { return w.Float64s("bias", m.bias) },
		func() error { return w.JSON("subtrees", m.subtrees) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var names []string
	var sizes, nodes []uint32
	var err error
	for _, read := range []func(){
		func() { m.labels, err = r.Strings("labels") },
		func() { names, err = r.Strings("names") },
		func() { sizes, err = r.Uint32s("sizes") },
		func() { nodes, err = r.Uint32s("nodes") },
		func() { m.coef, err = r.Float64s("coefficients") },
		func() { m.bias, err = r.Float64s("bias") },
		func() { err = r.JSON("subtrees", &m.subtrees) },
	} {
		if read(); err != nil {
			return err
		}
	}
	if len(m.labels) < 2 || len(m.bias) != len(m.labels) || len(m.coef) != len(sizes)*len(m.labels) {
		return kind.Corrupt("coefficients", "does not fit the labels")
	}
	for _, x := range m.subtrees {
		if x.Class < 0 || x.Class >= len(m.labels) {
			return kind.Corrupt("subtrees", "has a class that does not exist")
		}
	}
	if m.shapes, err = shapes(names, sizes, nodes); err != nil {
		return err
	}
	return m.ready()
}

// shapes reads trees; a parent comes before its children, and is the node before or above it.
func shapes(names []string, sizes, nodes []uint32) (out []*treekernel.Shape, err error) {
	for _, size := range sizes {
		s := &treekernel.Shape{}
		if uint64(size)*3 > uint64(len(nodes)) {
			return nil, kind.Corrupt("nodes", "is too short")
		}
		var open []int32
		for i := range size {
			label, parent, mark := nodes[3*i], int64(nodes[3*i+1])-1, nodes[3*i+2]
			if int(label) >= len(names) || int(mark) >= len(names) {
				return nil, kind.Corrupt("nodes", "has a name that does not exist")
			}
			for len(open) > 0 && int64(open[len(open)-1]) != parent {
				open = open[:len(open)-1]
			}
			if parent >= 0 && len(open) == 0 {
				return nil, kind.Corrupt("nodes", "has a node out of order")
			}
			open = append(open, s.Add(int32(parent), names[label], names[mark]))
		}
		nodes = nodes[3*size:]
		out = append(out, s)
	}
	if len(nodes) > 0 {
		return nil, kind.Corrupt("nodes", "is too long")
	}
	return out, nil
}
