package annotate

import (
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/models"
)

// modelViews returns views of documents for a model. It does not see the layers that it writes, so that its answers do
// not depend on what is there already; of a layer that it writes and reads it sees the columns that it names. It sees
// the layers that it reads as it asks for them. The views are the documents themselves, and copied is false, if the
// statement wants all that the model writes and all layers are as they are read.
func modelViews(u []*text.Document, m *models.Configured) (views []*text.Document, copied bool) {
	views = u
	differs := func(d *text.Document) bool { return !isAsRead(d, m.Schema.Reads) }
	copied = m.Run.Wanted != nil || slices.ContainsFunc(u, differs)
	if copied {
		views = make([]*text.Document, len(u))
		for i, d := range u {
			v := *d
			asRead(&v, m.Schema.Reads)
			views[i] = &v
		}
	}
	for _, d := range views {
		for _, w := range m.Schema.Writes {
			if w.CutsText() {
				d.DropLayer(text.Sentences.Name)
				d.DropLayer(w.Layer)
				continue
			}
			l := d.Layer(w.Layer)
			switch {
			case l == nil:
			case w.Layer == text.Tokens.Name:
				hideColumns(d, l, w.Columns, m.Schema.Reads)
			default:
				keepColumns(d, l, m.Schema.Reads)
			}
		}
	}
	return views, copied
}

// keepColumns removes the columns of a layer that the model does not name as read, or the layer if it names none.
func keepColumns(d *text.Document, l *text.Layer, reads []kind.LayerUse) {
	var columns []string
	for _, u := range reads {
		if u.Layer == l.Def.Name {
			columns = append(columns, u.Columns...)
		}
	}
	if len(columns) == 0 {
		d.DropLayer(l.Name)
		return
	}
	v := *l
	v.Cols = slices.Clone(l.Cols)
	for i, c := range l.Def.Columns {
		if !slices.Contains(columns, c.Name) {
			v.Cols[i] = text.Col{}
		}
	}
	d.SetLayer(&v)
}

// hideColumns removes those of the named columns of tokens that the model does not read.
func hideColumns(d *text.Document, l *text.Layer, columns []string, reads []kind.LayerUse) {
	var without *text.Layer
	for _, name := range columns {
		c := l.Def.Index(name)
		read := slices.ContainsFunc(reads, func(u kind.LayerUse) bool {
			return u.Layer == text.Tokens.Name && readsColumn(u, name)
		})
		if c < 0 || read || l.Cols[c].Strs == nil && l.Cols[c].Ints == nil {
			continue
		}
		if without == nil {
			v := *l
			v.Cols = slices.Clone(l.Cols)
			without = &v
		}
		without.Cols[c] = text.Col{}
	}
	if without != nil {
		d.SetLayer(without)
	}
}

// handOver moves the layers that the statement wants from the views to the documents.
func handOver(c *models.Configured, views, u []*text.Document) {
	for i, d := range u {
		for _, w := range c.Wanted() {
			if l := views[i].Layer(w.Layer); l != nil {
				d.SetLayer(l)
			} else {
				d.DropLayer(w.Layer)
			}
		}
	}
}
