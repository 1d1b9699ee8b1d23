package treeclassifier

import (
	"context"

	"parlance/algo/parse/constituent"
	"parlance/algo/parse/treekernel"
	"parlance/algo/text"
)

// shape reads the trees of a document; fault is about a sentence whose constituents are not a tree. When the context
// ends, sentences are missing.
func (m *model) shape(ctx context.Context, d *text.Document) (s *treekernel.Shape, fault error) {
	s = &treekernel.Shape{}
	toks := d.Layer(text.Tokens.Name)
	spans := m.spans(d)
	for x := range constituent.Sentences(d, m.opt.tags) {
		if ctx.Err() != nil {
			break
		}
		if x.Fault != nil {
			fault = x.Fault
		}
		n := x.Best()
		if n == nil {
			continue
		}
		var words []string
		if form := toks.Strs("form"); m.opt.words && form != nil {
			for _, row := range x.Rows {
				words = append(words, form[row])
			}
		}
		var marks map[*constituent.Node]string
		if of := spans[int32(x.Number)]; len(of) > 0 {
			marks = map[*constituent.Node]string{}
			number := toks.Ints("tok")
			mark(n, func(first, last int) string {
				return of[[2]int32{number[x.Rows[first-1]],
					number[x.Rows[last-1]]}]
			}, marks)
		}
		s.AddTree(n, words, marks)
	}
	return s, fault
}

// mark marks the highest node of each span that has a label.
func mark(n *constituent.Node, label func(first, last int) string, marks map[*constituent.Node]string) {
	first, last := n.Span()
	if l := label(first, last); l != "" {
		marks[n] = l
		for !n.Leaf() && len(n.Children) == 1 { // nodes of the same tokens
			n = n.Children[0]
		}
	}
	for _, c := range n.Children {
		mark(c, label, marks)
	}
}

// spans are the labels to mark by sentence and by first and last token.
func (m *model) spans(d *text.Document) map[int32]map[[2]int32]string {
	l := d.Layer(m.opt.marks)
	if m.opt.marks == "none" || l == nil {
		return nil
	}
	sent, first, last, labels := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs("label")
	if sent == nil || first == nil || last == nil || labels == nil {
		return nil
	}
	out := map[int32]map[[2]int32]string{}
	for i, s := range sent {
		if out[s] == nil {
			out[s] = map[[2]int32]string{}
		}
		out[s][[2]int32{first[i], last[i]}] = labels[i]
	}
	return out
}
