package annotate

import (
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/plan"
)

// Demand is what model i of a chain must give to those that read its layers, the models after it and the reader of the
// chain: how many best outputs, and whether prob.
func Demand(models []plan.ModelUse, i int, reader []kind.LayerUse) (nbest int, prob bool) {
	s := &models[i].Schema
	ask := func(reads []kind.LayerUse) {
		for _, u := range reads {
			if !slices.ContainsFunc(s.Writes, func(w kind.LayerUse) bool { return w.Layer == u.Layer }) {
				continue
			}
			prob = prob || u.Prob
			if slices.Contains(s.Ranked, u.Layer) && u.NBest > 1 {
				nbest = max(nbest, u.NBest)
			}
		}
	}
	for k := i + 1; k < len(models); k++ {
		ask(models[k].Schema.Reads)
	}
	ask(reader)
	return nbest, prob
}

// isAsRead reports whether a document has its layers as the reader asks for them: their n best rows, with or without
// prob and rank.
func isAsRead(d *text.Document, reads []kind.LayerUse) bool {
	for _, u := range reads {
		if l := d.Layer(u.Layer); layerAsRead(l, u) != l {
			return false
		}
	}
	return true
}

// asRead changes the layers of a view of a document to what the reader asks for.
func asRead(d *text.Document, reads []kind.LayerUse) {
	for _, u := range reads {
		if l := d.Layer(u.Layer); l != nil {
			if seen := layerAsRead(l, u); seen != l {
				d.SetLayer(seen)
			}
		}
	}
}

// ViewsAsRead returns views of documents with the layers as the reader asks for them, or the documents themselves.
func ViewsAsRead(docs []*text.Document, reads []kind.LayerUse) []*text.Document {
	out := docs
	for i, d := range docs {
		if isAsRead(d, reads) {
			continue
		}
		if &out[0] == &docs[0] {
			out = slices.Clone(docs)
		}
		v := *d
		asRead(&v, reads)
		out[i] = &v
	}
	return out
}

// layerAsRead is a layer as the reader asks for it, by the rules of kind.LayerUse, or the layer itself.
func layerAsRead(l *text.Layer, u kind.LayerUse) *text.Layer {
	if l == nil || l.Rank == nil && u.NBest <= 1 && (l.Prob != nil) == u.Prob {
		return l
	}
	n := max(1, u.NBest)
	more := slices.ContainsFunc(l.Rank, func(r int32) bool { return int(r) > n })
	if !more && u.NBest > 1 && l.Rank != nil && l.Prob != nil {
		return l
	}
	out := *l
	if more {
		out = *l.Filter(func(i int) bool { return int(l.Rank[i]) <= n })
	}
	switch {
	case u.NBest <= 1:
		out.Rank = nil
	case out.Rank == nil:
		out.Rank = slices.Repeat([]int32{1}, out.N)
	}
	switch wanted := u.Prob || u.NBest > 1; {
	case !wanted:
		out.Prob = nil
	case out.Prob == nil:
		out.Prob = slices.Repeat([]float64{math.NaN()}, out.N)
	}
	return &out
}
