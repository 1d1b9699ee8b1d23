package tree

// Type is a type of part, a bit of a set of types.
type Type uint8

// The types. h is a head, m its modifier, s the next nearer modifier of h on the same side, t the one
// nearer still, g the head of h.
const (
	Dep      Type = 1 << iota // h, m
	Sib                       // h, m, s; s is None for the nearest modifier
	Grand                     // g, h, m
	Leaf                      // h, m, and the side of m on which it has no modifier: S is Inside or Outside
	GrandSib                  // g, h, m, s; g is None where h is the root
	TriSib                    // h, m, s, t; None where there is none
	End                       // h, its outermost modifier m on a side, S the direction; m is None where there is none
)

// None stands for a token that there is not.
const None = -1

// Sides of a modifier in parts of type Leaf.
const (
	Inside  = 0 // towards the head
	Outside = 1 // away from the head
)

// Part is one part of a tree. Tokens that its type has not are None.
type Part struct {
	Type          Type
	G, H, M, S, T int32
}

// Factorization tells which parts a tree is scored by.
type Factorization uint8

// The factorizations.
const (
	Arc      Factorization = iota // arcs (McDonald et al. 2005)
	Sibling                       // and adjacent siblings (McDonald and Pereira 2006)
	Carreras                      // and the outermost modifiers of a modifier on both sides (Carreras 2007)
	Model0                        // arcs and all grandchildren (Koo and Collins 2010)
	Model1                        // and grand-siblings (Koo and Collins 2010)
	// and tri-siblings, grandparents for the outermost pair of a side (Koo and Collins 2010)
	Model2
	HeadAutomata       // siblings with ends, each head for itself (Koo et al. 2010)
	GrandparentSibling // the same with the grandparent (Koo et al. 2010)
)

var factorizations = [...]struct {
	name  string
	types Type
}{
	Arc:                {"arc", Dep},
	Sibling:            {"sibling", Dep | Sib},
	Carreras:           {"carreras", Dep | Sib | Grand | Leaf},
	Model0:             {"model0", Dep | Grand},
	Model1:             {"model1", Dep | Sib | Grand | GrandSib},
	Model2:             {"model2", Dep | Sib | Grand | GrandSib | TriSib},
	HeadAutomata:       {"head_automata", Dep | Sib | End},
	GrandparentSibling: {"grandparent_sibling", Dep | Sib | Grand | GrandSib | End},
}

// Factorizations returns the names, by number.
func Factorizations() []string {
	var out []string
	for _, f := range factorizations {
		out = append(out, f.name)
	}
	return out
}

func (f Factorization) String() string { return factorizations[f].name }

// Types returns the types of its parts.
func (f Factorization) Types() Type { return factorizations[f].types }

// Parts appends the parts of a tree. What stands for the grandparent of a modifier of the root is
// left out (Grand) or None (GrandSib). O(n²).
func (f Factorization) Parts(heads []int32, dst []Part) []Part {
	types, n := f.Types(), len(heads)-1
	for h := range n + 1 {
		g := int32(None)
		if h > 0 {
			g = heads[h]
		}
		for d := Left; d <= Right; d++ {
			s, t, m := int32(None), int32(None), int32(None)
			for x := next(heads, h, d, h); x != None; x = next(heads, h, d, x) {
				if m != None && f == Model2 {
					dst = appendTri(dst, int32(h), m, s, t)
				}
				s, t, m = m, s, int32(x)
				dst = f.arc(dst, types, heads, g, int32(h), m, s)
			}
			if m != None && f == Model2 {
				dst = append(appendTri(dst, int32(h), m, s, t), Part{GrandSib, g, int32(h), m, s, None})
				if g != None {
					dst = append(dst, Part{Grand, g, int32(h), m, None, None})
				}
				if g != None && s != None {
					dst = append(dst, Part{Grand, g, int32(h), s, None, None})
				}
			}
			if types&End != 0 && (h > 0 || d == Right) {
				dst = append(dst, Part{End, None, int32(h), m, int32(d), None})
			}
		}
	}
	return dst
}

func appendTri(dst []Part, h, m, s, t int32) []Part {
	return append(dst, Part{TriSib, None, h, m, s, t})
}

// arc appends the parts of an arc with its next nearer sibling.
func (f Factorization) arc(dst []Part, types Type, heads []int32, g, h, m, s int32) []Part {
	dst = append(dst, Part{Dep, None, h, m, None, None})
	if types&Sib != 0 {
		dst = append(dst, Part{Sib, None, h, m, s, None})
	}
	switch {
	case f == Carreras:
		for side := int32(Inside); side <= Outside; side++ {
			d := Right
			if (m > h) == (side == Inside) {
				d = Left
			}
			if c := outermost(heads, int(m), d); c != None {
				dst = append(dst, Part{Grand, h, m, int32(c), None, None})
			} else {
				dst = append(dst, Part{Leaf, None, h, m, side, None})
			}
		}
	case f != Model2:
		if types&Grand != 0 && g != None {
			dst = append(dst, Part{Grand, g, h, m, None, None})
		}
		if types&GrandSib != 0 {
			dst = append(dst, Part{GrandSib, g, h, m, s, None})
		}
	}
	return dst
}

// next returns the next modifier of h from token x on, away from h, None where there is none.
func next(heads []int32, h, direction, x int) int {
	step := 2*direction - 1
	for x += step; x >= 1 && x < len(heads); x += step {
		if int(heads[x]) == h {
			return x
		}
	}
	return None
}

// outermost returns the modifier of h farthest away in a direction.
func outermost(heads []int32, h, direction int) int {
	x, to := 1, h
	if direction == Right {
		x, to = len(heads)-1, h
	}
	for step := 1 - 2*direction; x != to; x += step {
		if int(heads[x]) == h {
			return x
		}
	}
	return None
}
