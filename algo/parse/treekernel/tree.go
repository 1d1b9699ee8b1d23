package treekernel

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"parlance/algo/parse/constituent"
)

// Alphabet numbers names: labels, and productions. Names that it lacks are numbered by an Overlay. It is safe for
// concurrent reading.
type Alphabet struct {
	number map[string]uint32
	names  []string
	marked []bool // labels with a mark
}

// NewAlphabet returns an empty one.
func NewAlphabet() *Alphabet { return &Alphabet{number: map[string]uint32{}} }

// Len returns the number of names.
func (a *Alphabet) Len() int { return len(a.names) }

// add numbers a name.
func (a *Alphabet) add(name string) uint32 {
	id, ok := a.number[name]
	if !ok {
		id = uint32(len(a.names))
		a.number[name], a.names = id, append(a.names, name)
		a.marked = append(a.marked, name[:min(1,
			len(name))] != string(rune(productionSign)) && strings.Contains(name, markSign))
	}
	return id
}

// Overlay numbers names that an alphabet lacks, for trees that are compared with those of the alphabet and with
// themselves only. It belongs to one goroutine.
type Overlay struct {
	base  *Alphabet
	extra map[string]uint32
}

// NewOverlay returns one above an alphabet.
func NewOverlay(a *Alphabet) *Overlay { return &Overlay{a, map[string]uint32{}} }

func (o *Overlay) add(name string) uint32 {
	if id, ok := o.base.number[name]; ok {
		return id
	}
	id, ok := o.extra[name]
	if !ok {
		id = uint32(len(o.base.names) + len(o.extra))
		o.extra[name] = id
	}
	return id
}

// Namer is an Alphabet or an Overlay.
type Namer interface{ add(name string) uint32 }

// Shape is a tree, or several in a row, as they are written down: nodes in preorder.
type Shape struct {
	Labels []string
	Parent []int32  // of a node, −1 for a root
	Marks  []string // of a node, "" without
}

// Add adds a node below another one, −1 for none, and returns its number, from 0. A parent is added before its
// children, and a child with all that is below it before the next one.
func (s *Shape) Add(parent int32, label, mark string) int32 {
	s.Labels, s.Parent, s.Marks = append(s.Labels, label), append(s.Parent, parent), append(s.Marks, mark)
	return int32(len(s.Labels) - 1)
}

// AddTree adds a tree of a sentence. The words of its tokens, words[0] being that of token 1, stand in lower case
// below the tags, in their place where there is none; without words tags are the leaves. Marks may be nil.
func (s *Shape) AddTree(n *constituent.Node, words []string, marks map[*constituent.Node]string) {
	s.addNode(-1, n, words, marks)
}

func (s *Shape) addNode(parent int32, n *constituent.Node, words []string, marks map[*constituent.Node]string) {
	if n.Leaf() && n.Label == "" && words != nil {
		s.Add(parent, strings.ToLower(words[n.Token-1]), marks[n])
		return
	}
	at := s.Add(parent, n.Label, marks[n])
	if n.Leaf() && words != nil {
		s.Add(at, strings.ToLower(words[n.Token-1]), "")
	}
	for _, c := range n.Children {
		s.addNode(at, c, words, marks)
	}
}

// Tree is a tree, or several in a row, ready for kernels. Nodes are numbered in preorder from 0; node n has all that
// is below it in [n+1, end[n]). It never changes.
type Tree struct {
	label      []uint32 // with the mark
	production []uint32 // label and labels of the children; not of leaves
	parent     []int32
	end        []int32
	marked     []bool
	marks      []int32  // nodes with a mark
	mark       []string // of each of these
	roots      []int32  // and the number of nodes last
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.label) }

func (t *Tree) leaf(n int32) bool { return t.end[n] == n+1 }

// Signs that keep names apart: between label and mark, and before a production.
const (
	markSign       = "\x00"
	productionSign = 1
)

// nodesOfLook is after how many nodes, of some 100 ns, a context is looked at.
const nodesOfLook = 1 << 16

// Tree numbers labels and productions.
func (s *Shape) Tree(names Namer) *Tree {
	t, _ := s.TreeWithin(context.Background(), names)
	return t
}

// TreeWithin is Tree for the trees of long documents. It fails only when the context ends.
func (s *Shape) TreeWithin(ctx context.Context, names Namer) (*Tree, error) {
	n := len(s.Labels)
	t := &Tree{label: make([]uint32, n), production: make([]uint32, n), parent: slices.Clone(s.Parent),
		end:    make([]int32, n),
		marked: make([]bool, n)}
	for i, l := range s.Labels {
		if i%nodesOfLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if m := s.Marks[i]; m != "" {
			l += markSign + m
			t.marked[i] = true
			t.marks, t.mark = append(t.marks, int32(i)), append(t.mark, m)
		}
		t.label[i] = names.add(l)
		t.end[i] = int32(i + 1)
		if s.Parent[i] < 0 {
			t.roots = append(t.roots, int32(i))
		}
	}
	t.roots = append(t.roots, int32(n))
	for i := n - 1; i >= 0; i-- {
		if p := t.parent[i]; p >= 0 {
			t.end[p] = max(t.end[p], t.end[i])
		}
	}
	var key []byte
	for i := range int32(n) {
		if i%nodesOfLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if t.leaf(i) {
			continue
		}
		key = binary.LittleEndian.AppendUint32(append(key[:0], productionSign), t.label[i])
		for c := i + 1; c < t.end[i]; c = t.end[c] {
			key = binary.LittleEndian.AppendUint32(key, t.label[c])
		}
		t.production[i] = names.add(string(key))
	}
	return t, nil
}

// symbols are the labels of a production, that of the parent first.
func (a *Alphabet) symbols(production uint32) []uint32 {
	key := a.names[production][1:]
	out := make([]uint32, len(key)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32([]byte(key[4*i:]))
	}
	return out
}
