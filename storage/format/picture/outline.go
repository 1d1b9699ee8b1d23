package picture

import (
	"fmt"
	"io"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// outline writes the trees of a document for a terminal: a node a line, joined by lines to the one that it is part of,
// a token with its tag.
type outline struct {
	tags string
	ids  bool
}

func (o *outline) Options(s *option.Set) {
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos", "none"}, "column of tokens that stands before the words")
	s.Bool(&o.ids, "ids", false, "the id of a document stands before its trees")
}

// outlineNode is a node with what stands below it.
type outlineNode struct {
	name string
	down []*outlineNode
}

func (o *outline) Document(w io.Writer, d *text.Document) error {
	byID, err := layers.Trees(d)
	if err != nil {
		return err
	}
	if o.ids {
		if _, err := fmt.Fprintf(w, "%s%s\n\n", layers.DocLine, d.ID); err != nil {
			return err
		}
	}
	toks := d.Layer("tokens")
	bounds := d.SentenceTokens()
	for s := int32(1); int(s) < len(bounds); s++ {
		root := o.tree(d, toks, byID[s], bounds[s-1], bounds[s])
		for _, n := range root.down {
			if err := n.write(w, "", "", ""); err != nil {
				return err
			}
		}
		if len(root.down) > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

// tree makes that of the tokens [from, to) of a document, below a node without a name.
func (o *outline) tree(d *text.Document, toks *text.Layer, nodes []layers.Node, from, to int32) *outlineNode {
	root := &outlineNode{}
	open := []*outlineNode{root}
	add := func(name string) *outlineNode {
		n, above := &outlineNode{name: name}, open[len(open)-1]
		above.down = append(above.down, n)
		return n
	}
	var tags []string
	if o.tags != "none" {
		tags = toks.Strs(o.tags)
	}
	forms := toks.Strs("form")
	layers.Walk(nodes, to-from, func(label string) { open = append(open, add(label)) }, func(tok int32) {
		row, name := from+tok-1, ""
		if tags != nil && tags[row] != "" {
			name = tags[row] + " "
		}
		if forms != nil {
			name += forms[row]
		}
		add(name)
	}, func() { open = open[:len(open)-1] })
	return root
}

// write writes a node with what is below it; first stands before its name, rest before the lines below.
func (n *outlineNode) write(w io.Writer, before, first, rest string) error {
	if _, err := fmt.Fprintf(w, "%s%s%s\n", before, first, n.name); err != nil {
		return err
	}
	for i, c := range n.down {
		mark, below := "├─ ", "│  "
		if i == len(n.down)-1 {
			mark, below = "└─ ", "   "
		}
		if err := c.write(w, before+rest, mark, below); err != nil {
			return err
		}
	}
	return nil
}
