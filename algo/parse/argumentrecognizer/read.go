package argumentrecognizer

import (
	"context"

	"parlance/algo/parse/constituent"
	"parlance/algo/parse/frame"
	"parlance/algo/parse/treekernel"
	"parlance/algo/text"
)

// sentence is the tree of a sentence without marks. Nodes are those of the shape.
type sentence struct {
	number      int
	shape       *treekernel.Shape
	end         []int32 // of what is below a node
	first, last []int   // tokens of a node, numbered as in the document
	highest     []bool  // of the nodes over the same tokens
	byTokens    map[[2]int]int32
	frames      []frame.Frame // gold, or those that are given
}

// sentences reads the trees of a document, with its frames; fault is about constituents that are not a tree. When the
// context ends, sentences are missing.
func (m *model) sentences(ctx context.Context, d *text.Document) (out []*sentence, fault error) {
	frames, _ := frame.Read(d)
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.Strs("form") == nil {
		return nil, nil
	}
	form, number := toks.Strs("form"), toks.Ints("tok")
	for x := range constituent.Sentences(d, m.opt.tags) {
		if ctx.Err() != nil {
			break
		}
		if x.Fault != nil {
			fault = x.Fault
		}
		n := x.Best()
		if n == nil {
			n = constituent.Flat(x.Tags)
		}
		var words []string
		var places []int
		for _, row := range x.Rows {
			words, places = append(words, form[row]), append(places, int(number[row]))
		}
		if len(words) == 0 {
			continue
		}
		s := &sentence{number: x.Number, shape: &treekernel.Shape{}, frames: frames[x.Number]}
		s.shape.AddTree(n, words, nil)
		s.spans(places)
		out = append(out, s)
	}
	return out, fault
}

// spans finds the tokens of nodes; leaf k is the token places[k].
func (s *sentence) spans(places []int) {
	n := len(s.shape.Labels)
	s.end, s.first, s.last, s.highest = make([]int32, n), make([]int, n), make([]int, n), make([]bool, n)
	s.byTokens = map[[2]int]int32{}
	for i := n - 1; i >= 0; i-- {
		s.end[i] = max(s.end[i], int32(i+1))
		if p := s.shape.Parent[i]; p >= 0 {
			s.end[p] = max(s.end[p], s.end[i])
		}
	}
	leaf := 0
	for i := range s.first {
		s.first[i] = places[leaf]
		if s.end[i] == int32(i+1) {
			s.last[i] = places[leaf]
			leaf++
		}
	}
	for i := n - 1; i >= 0; i-- {
		if p := s.shape.Parent[i]; p >= 0 && s.last[p] == 0 { // the last child comes first here
			s.last[p] = s.last[i]
		}
	}
	for i := range s.first {
		at := [2]int{s.first[i], s.last[i]}
		if _, known := s.byTokens[at]; !known {
			s.byTokens[at] = int32(i)
			s.highest[i] = true
		}
	}
}

// candidates are the nodes that may be arguments of the predicate at a node.
func (s *sentence) candidates(o *options, predicate int32) (out []int32) {
	for i := range int32(len(s.first)) {
		holds := i <= predicate && predicate < s.end[i]
		inside := predicate <= i && i < s.end[predicate]
		if inside || holds && !o.above || o.candidates == "highest" && !s.highest[i] {
			continue
		}
		out = append(out, i)
	}
	return out
}

// node is the highest node over the token of a predicate, −1 without.
func (s *sentence) node(token int) int32 {
	if n, ok := s.byTokens[[2]int{token, token}]; ok {
		return n
	}
	return -1
}

// marked is the tree with a predicate and an argument.
func (s *sentence) marked(predicate, argument int32) *treekernel.Shape {
	out := &treekernel.Shape{Labels: s.shape.Labels, Parent: s.shape.Parent, Marks: make([]string, len(s.first))}
	out.Marks[predicate], out.Marks[argument] = predicateMark, argumentMark
	return out
}
