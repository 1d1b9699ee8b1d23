package hierarchy

import (
	"math"

	"parlance/algo/resolve/record"
)

// model is the weights of the factors.
type model struct {
	o     *Options
	names [][3]float64 // equal, initial, different; of strings the second is not used
	bags  [][2]float64 // weight, offset
}

func newModel(s *record.Store, weights []float64, o *Options) *model {
	m := &model{o: o}
	at := 0
	for _, a := range s.Attributes {
		switch a.Type {
		case record.Name:
			m.names = append(m.names, [3]float64{weights[at], weights[at+1], weights[at+2]})
		case record.String:
			m.names = append(m.names, [3]float64{weights[at], weights[at+1], weights[at+1]})
		default:
			m.bags = append(m.bags, [2]float64{weights[at], weights[at+1]})
		}
		at += len(a.Weights)
	}
	return m
}

// name compares two values: 0 where one is missing.
func name(w [3]float64, a, b record.Value) float64 {
	switch {
	case a.Whole < 0 || b.Whole < 0:
		return 0
	case a.Whole == b.Whole:
		return w[0]
	case a.Initial != b.Initial && a.Letter == b.Letter:
		return w[1]
	}
	return w[2]
}

// nameSum is the part of pw that names have.
func (m *model) nameSum(a, b []record.Value) float64 {
	sum := 0.0
	for i, w := range m.names {
		sum += name(w, a[i], b[i])
	}
	return sum
}

// bagSum is the part of pw that bags have, from products by bag: of the child with itself, of the child with the parent
// and of the parent with itself, the child's words being in the parent.
//
//	cos(c, p) = c·p / (|c| |p|)        cos(c, p − c) = (c·p − c·c) / (|c| √(p·p − 2 c·p + c·c))
func (m *model) bagSum(cc, cp, pp []int64) float64 {
	sum := 0.0
	for b, w := range m.bags {
		dot, square := cp[b], pp[b]
		if m.o.ExcludeSelf {
			dot, square = cp[b]-cc[b], pp[b]-2*cp[b]+cc[b]
		}
		if cc[b] > 0 && square > 0 {
			sum += w[0]*float64(dot)/(math.Sqrt(float64(cc[b]))*math.Sqrt(float64(square))) + w[1]
		}
	}
	return sum
}

// prior is the factor of the number of children.
func (m *model) prior(children int32) float64 {
	if children == 0 {
		return 0
	}
	return 1 / (math.Abs(float64(children)-m.o.Ideal) + 1)
}

// cost is what a node costs as a root, or below one.
func (m *model) cost(inner, root bool) float64 {
	switch {
	case root:
		return m.o.RootCost
	case inner:
		return m.o.NodeCost
	}
	return 0
}

// dots are the products of two nodes, by bag.
func (f *forest) dots(x, y int32, out []int64) {
	clear(out)
	switch {
	case !f.inner(x) && f.inner(y):
		sum := &f.sums[int(y)-f.leaves]
		for _, e := range f.entries[f.offset[x]:f.offset[x+1]] {
			out[e.bag] += e.value * sum.Of(e.key)
		}
	case f.inner(x) && !f.inner(y):
		f.dots(y, x, out)
	case !f.inner(x):
		a, b := f.entries[f.offset[x]:f.offset[x+1]], f.entries[f.offset[y]:f.offset[y+1]]
		for _, e := range a {
			for _, g := range b {
				if e.key == g.key {
					out[e.bag] += e.value * g.value
				}
			}
		}
	default:
		f.innerDots(x, y, out)
	}
}

// innerDots goes over the smaller of two inner nodes.
func (f *forest) innerDots(x, y int32, out []int64) {
	a, b := &f.sums[int(x)-f.leaves], &f.sums[int(y)-f.leaves]
	if a.Len() > b.Len() {
		a, b = b, a
	}
	a.Each(func(key int32, value int64) {
		if v := b.Of(key); v != 0 {
			out[f.bagOf[key]] += v * value
		}
	})
}

// edge is pw of a node and its parent.
func (m *model) edge(f *forest, c int32) float64 {
	p := f.parent[c]
	var cp [maxBags]int64
	f.dots(c, p, cp[:f.bags])
	return m.nameSum(f.value(c), f.value(p)) + m.bagSum(f.square(c), cp[:f.bags], f.square(p))
}

// tree is the score of all below a node and of the node itself.
func (m *model) tree(f *forest, x int32) float64 {
	s := m.cost(f.inner(x), f.parent[x] == none) + m.prior(f.children[x])
	for c := f.first[x]; c != none; c = f.next[c] {
		s += m.edge(f, c) + m.tree(f, c)
	}
	return s
}

// score is that of the forest.
func (m *model) score(f *forest) float64 {
	s := 0.0
	for x := range int32(len(f.parent)) {
		if f.parent[x] == none && (f.children[x] > 0 || !f.inner(x)) {
			s += m.tree(f, x)
		}
	}
	return s
}
