package bitext

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// Analysis is models that read a text one after the other: taggers, and a parser.
type Analysis []kind.Trained

// NewAnalysis looks up the models that an option names. Each reads single documents, of which it needs what is read
// here or what a model before it writes, and leaves their tokens where they are; one writes dependencies. Without names
// there is none.
func NewAnalysis(res kind.Resources, option string, names []string, here []kind.LayerUse) (a Analysis, err error) {
	parser := false
	have := slices.Clone(here)
	for _, name := range names {
		t, err := res.Model(name)
		if err != nil {
			return nil, err
		}
		s := t.Model.Schema()
		switch {
		case s.Unit != kind.PerDocument || s.CutsText():
			return nil, fmt.Errorf("option %s: model %s does not read documents with their tokens; taggers and a parser do",
				option, t.Label)
		case len(s.Writes) == 0:
			return nil, fmt.Errorf("option %s: model %s writes no layer; a tagger or a parser does", option, t.Label)
		}
		if what := lacking(s.Reads, have); what != "" {
			return nil, fmt.Errorf("option %s: model %s reads %s, which is neither read here nor written by a model before it",
				option, t.Label, what)
		}
		have = append(have, s.Writes...)
		parser = parser || slices.ContainsFunc(s.Writes, func(u kind.LayerUse) bool {
			return u.Layer == text.Dependencies.Name
		})
		a = append(a, t)
	}
	if len(names) > 0 && !parser {
		return nil, fmt.Errorf("option %s: none of %v writes dependencies; a parser is wanted at the end", option, names)
	}
	return a, nil
}

// lacking is the first layer, or column of tokens, that is read and not there.
func lacking(reads, have []kind.LayerUse) string {
	for _, r := range reads {
		if r.Optional {
			continue
		}
		columns := r.Columns
		if r.Layer != text.Tokens.Name || columns == nil {
			columns = []string{""}
		}
		for _, c := range columns {
			there := c == "form" || slices.ContainsFunc(have, func(u kind.LayerUse) bool {
				return u.Layer == r.Layer && (c == "" || slices.Contains(u.Columns, c))
			})
			if !there && c != "" {
				return r.Layer + "." + c
			}
			if !there {
				return r.Layer
			}
		}
	}
	return ""
}

// Annotate is a view of a document with what the models write in place of its own dependencies.
func (a Analysis) Annotate(ctx context.Context, d *text.Document) (*text.Document, error) {
	x := *d
	x.DropLayer(text.Dependencies.Name)
	for _, t := range a {
		run := &kind.Run{Resources: t.Resources, Workers: 1, Report: func(kind.Progress) {}}
		for _, w := range t.Model.Schema().Writes {
			if w.Layer == text.Tokens.Name || w.Layer == text.Dependencies.Name {
				run.Wanted = append(run.Wanted, w.Layer)
			}
		}
		if run.Wanted == nil {
			continue
		}
		if err := t.Model.Annotate(ctx, []*text.Document{&x}, run); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Label, err)
		}
	}
	return &x, nil
}

// Tree is the words and trees of a document by rows of its tokens. Heads are rows too.
type Tree struct {
	Forms, Tags []string // tags are empty texts where there are none
	Heads       []int32  // Root or None where no row is the head
}

// Heads that are no rows.
const (
	Root = -1
	None = -2
)

// NewTree reads a document; tag is the column of its tokens with the tags.
func NewTree(d *text.Document, tag string) *Tree {
	t := &Tree{Forms: Forms(d)}
	if t.Forms == nil {
		return t
	}
	if t.Tags = d.Layer(text.Tokens.Name).Strs(tag); t.Tags == nil {
		t.Tags = make([]string, len(t.Forms))
	}
	for s := range treebank.Sentences(d) {
		for m, h := range s.Heads[1:] {
			switch {
			case h == 0:
				h = Root
			case h < 0 || int(h) > s.Len() || int(h) == m+1:
				h = None
			default:
				h += int32(s.From) - 1
			}
			t.Heads = append(t.Heads, h)
		}
	}
	return t
}

// Head is the head of a row, None for what is no row.
func (t *Tree) Head(row int32) int32 {
	if row < 0 {
		return None
	}
	return t.Heads[row]
}

// Images are the target rows of source rows, None without a link. Of several it is the topmost, whose head is none of
// them, and of several of these the leftmost.
func Images(links []Link, sources int, target *Tree) []int32 {
	of := make([][]int32, sources)
	for _, l := range links {
		of[l.Source] = append(of[l.Source], int32(l.Target))
	}
	out := make([]int32, sources)
	for i, list := range of {
		out[i] = None
		slices.Sort(list)
		for _, t := range list {
			if !slices.Contains(list, target.Head(t)) {
				out[i] = t
				break
			}
		}
		if out[i] == None && len(list) > 0 { // a cycle
			out[i] = list[0]
		}
	}
	return out
}
