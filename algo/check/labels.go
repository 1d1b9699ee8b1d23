package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Columns with more different labels than this are no set of labels and are left out.
const maxLabels = 10_000

// A column with fewer labels in all is too small to call one of them rare.
const enoughLabels = 100

// labels counts the labels of columns, in training documents and in others.
type labels struct {
	c       *Checker
	columns []*labelColumn // in order of layers
	index   map[string]*labelColumn
}

// labelColumn is a column of a layer with its labels.
type labelColumn struct {
	name   string // layer.column
	place  int    // of the layer and the column, for the order
	total  int
	train  int
	labels map[string]*labelCount
	closed bool // it has too many labels
}

type labelCount struct {
	label, split string // the first split that is not for training
	n, train     int
	seq          uint64 // of the first document with the label, outside training if it has one
	id           string
}

func newLabels(c *Checker, _ int) detector {
	return &labels{c: c, index: map[string]*labelColumn{}}
}

// labelled reports whether a column holds labels of a closed set.
func labelled(c text.Column) bool {
	if c.Type != value.Text || c.Role != text.Plain {
		return false
	}
	switch c.Name {
	case "label", "deprel", "upos", "xpos", "kind", "type":
		return true
	}
	return false
}

func (x *labels) add(d *view) {
	for _, l := range d.Layers {
		if !x.c.reads(l.Name) {
			continue
		}
		for i, c := range l.Def.Columns {
			if !labelled(c) || len(l.Cols[i].Strs) != l.N || x.c.Learns != nil && !x.c.Learns(l.Name, c.Name) {
				continue
			}
			x.column(l, i).count(d, l.Cols[i].Strs, d.split == x.c.Train)
		}
	}
}

func (x *labels) column(l *text.Layer, i int) *labelColumn {
	name := l.Name + "." + l.Def.Columns[i].Name
	c := x.index[name]
	if c == nil {
		place := len(text.Builtin)
		for k, d := range text.Builtin {
			if d.Name == l.Name {
				place = k
			}
		}
		c = &labelColumn{name: name, place: place*64 + i, labels: map[string]*labelCount{}}
		x.index[name], x.columns = c, append(x.columns, c)
	}
	return c
}

func (c *labelColumn) count(d *view, values []string, train bool) {
	if c.closed {
		return
	}
	for _, v := range values {
		if v == "" {
			continue
		}
		c.total++
		k := c.labels[v]
		if k == nil {
			if len(c.labels) >= maxLabels {
				c.closed, c.labels = true, nil
				return
			}
			v = strings.Clone(v)
			k = &labelCount{label: v, seq: d.Seq, id: adhocID(d)}
			c.labels[v] = k
		}
		k.n++
		if train {
			k.train++
			c.train++
		} else if k.n-k.train == 1 {
			k.split, k.seq, k.id = d.split, d.Seq, adhocID(d)
		}
	}
}

func (x *labels) finish() bool {
	slices.SortStableFunc(x.columns, func(a, b *labelColumn) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.name, b.name))
	})
	order := 0
	for _, c := range x.columns {
		if c.closed {
			continue
		}
		list := make([]*labelCount, 0, len(c.labels))
		for _, k := range c.labels {
			list = append(list, k)
		}
		slices.SortFunc(list, func(a, b *labelCount) int {
			return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.label, b.label))
		})
		for _, k := range list {
			order++
			x.rare(c, k, order)
			x.missing(c, k, order)
		}
	}
	return false
}

func (x *labels) rare(c *labelColumn, k *labelCount, order int) {
	if k.n >= x.c.Rare || c.total < enoughLabels {
		return
	}
	x.c.note("label-rare", order, func() Finding {
		return Finding{Document: x.c.name(k.seq, k.id), Place: c.name,
			Message: text.Countf("%s occurs %s among %d {label|labels}, first here; a model can hardly learn it",
				excerpt(k.label),
				count(k.n, "time", "times"), c.total)}
	})
}

func (x *labels) missing(c *labelColumn, k *labelCount, order int) {
	if c.train == 0 || k.train > 0 {
		return
	}
	x.c.note("label-missing-in-train", order, func() Finding {
		return Finding{Document: x.c.name(k.seq, k.id), Place: c.name,
			Message: fmt.Sprintf("%s occurs %s, first here in %s, and never in %s; no model that is trained there predicts it",
				excerpt(k.label), count(k.n, "time", "times"), splitName(k.split), x.c.Train)}
	})
}
