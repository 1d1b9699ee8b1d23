package coreference

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/coref/mention"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// detector is a model that finds mentions.
type detector struct{ kind.Trained }

// newDetector returns the detector that the options name, nil without one. It refuses models that write no mentions,
// and those that read what the schema does not.
func (m *model) newDetector(res kind.Resources) (*detector, error) {
	if m.opt.detector == "" {
		return nil, nil
	}
	if res == nil {
		return nil, fmt.Errorf("option detector: model %s is not at hand", m.opt.detector)
	}
	t, err := res.Model(m.opt.detector)
	if err != nil {
		return nil, err
	}
	s, own := t.Model.Schema(), m.Schema()
	if s.Unit != kind.PerDocument ||
		!slices.ContainsFunc(s.Writes, func(u kind.LayerUse) bool { return u.Layer == text.Mentions.Name }) {
		return nil, fmt.Errorf("option detector: model %s writes no mentions", t.Label)
	}
	for _, need := range s.Reads {
		if need.Optional {
			continue
		}
		if err := reads(t.Label, need, own.Reads); err != nil {
			return nil, err
		}
	}
	return &detector{t}, nil
}

// reads refuses a layer or column that a detector needs and that is not read here.
func reads(detector string, need kind.LayerUse, own []kind.LayerUse) error {
	var have []string
	there, all := false, false
	for _, u := range own {
		if u.Layer == need.Layer {
			there, all = true, all || u.Columns == nil
			have = append(have, u.Columns...)
		}
	}
	if !there {
		return fmt.Errorf("option detector: model %s reads the layer %s, which is not read here; reads = '%s' has it read",
			detector, need.Layer, need.Layer)
	}
	for _, c := range need.Columns {
		if !all && !slices.Contains(have, c) {
			return fmt.Errorf("option detector: model %s reads %s.%s, which is not read here; reads = '%s.%s' has it read",
				detector, need.Layer, c, need.Layer, c)
		}
	}
	return nil
}

// find returns a view of a document with the mentions that are found.
func (d *detector) find(ctx context.Context, doc *text.Document) (*text.Document, error) {
	x := *doc
	x.DropLayer(text.Mentions.Name)
	run := &kind.Run{Resources: d.Resources, Workers: 1, Wanted: []string{text.Mentions.Name},
		Report: func(kind.Progress) {}}
	if err := d.Model.Annotate(ctx, []*text.Document{&x}, run); err != nil {
		return nil, fmt.Errorf("detector %s: %w", d.Label, err)
	}
	return &x, nil
}

// training returns a view of a document with the mentions that are learned from, and their clusters: predicted ones,
// with the clusters of those gold mentions that they match, or both, predicted ones that match none besides gold.
func (d *detector) training(ctx context.Context, doc *text.Document, both, relaxed bool) (*text.Document, error) {
	found, err := d.find(ctx, doc)
	if err != nil {
		return nil, err
	}
	gold, predicted := doc.Layer(text.Mentions.Name), found.Layer(text.Mentions.Name)
	read, err := mention.Read(ctx, doc)
	if err != nil {
		return nil, err
	}
	spans, rows := read.Spans(doc)
	names := clusterNames(gold)
	cluster := map[mention.Span]string{}
	for k, s := range spans {
		if _, twice := cluster[s]; !twice {
			cluster[s] = names[rows[k]]
		}
	}
	trimmed := map[mention.Span]string{}
	if relaxed {
		for _, s := range spans {
			if t := trim(read, s); trimmed[t] == "" {
				trimmed[t] = cluster[s]
			}
		}
	}
	var list []row
	if both {
		for k, s := range spans {
			list = append(list, row{s, names[rows[k]], gold, rows[k]})
		}
	}
	others, rows := read.Spans(found)
	for k, s := range others {
		name, exact := cluster[s]
		near := ""
		if !exact && relaxed {
			near = trimmed[trim(read, s)]
		}
		switch {
		case both && (exact || near != ""):
		case exact:
			list = append(list, row{s, name, predicted, rows[k]})
		default:
			list = append(list, row{s, near, predicted, rows[k]})
		}
	}
	found.SetLayer(layerOf(list))
	return found, nil
}

// clusterNames are the clusters of rows, "" where there are none.
func clusterNames(l *text.Layer) []string {
	if l == nil {
		return nil
	}
	if names := l.Strs("cluster"); names != nil {
		return names
	}
	return make([]string, l.N)
}

// row is a mention with its cluster, and the row of a layer that it is like.
type row struct {
	mention.Span
	cluster string
	from    *text.Layer
	at      int32
}

// layerOf makes a layer of rows, in reading order.
func layerOf(list []row) *text.Layer {
	slices.SortStableFunc(list, func(a, b row) int { return a.Compare(b.Span) })
	l := text.NewLayer(text.Mentions)
	l.N = len(list)
	for i, c := range text.Mentions.Columns {
		switch {
		case c.Name == "mention":
			for k := range list {
				l.Cols[i].Ints = append(l.Cols[i].Ints, int32(k+1))
			}
		case c.Name == "cluster":
			for _, r := range list {
				l.Cols[i].Strs = append(l.Cols[i].Strs, r.cluster)
			}
		case slices.Contains(placeColumns, c.Name):
			for _, r := range list {
				l.Cols[i].Ints = append(l.Cols[i].Ints, numberAt(r.from.Cols[i].Ints, r.at))
			}
		case c.Name == "kind":
			for _, r := range list {
				kind := ""
				if from := r.from.Cols[i].Strs; from != nil {
					kind = from[r.at]
				}
				l.Cols[i].Strs = append(l.Cols[i].Strs, kind)
			}
		}
	}
	return l
}

// numberAt is a value of a column, 0 where there is none.
func numberAt(column []int32, row int32) int32 {
	if column == nil {
		return 0
	}
	return column[row]
}

// trim is a span without what relaxed matching overlooks: punctuation at the ends, a final 's, and adverbs, verbs,
// determiners and numbers at the beginning (Chang et al. 2012, section 2).
func trim(d *mention.Document, s mention.Span) mention.Span {
	punctuation := func(t int32) bool { return d.Upos[t] == "PUNCT" }
	for s.End > s.Start+1 && (punctuation(s.End-1) || d.Lower[s.End-1] == "'s" || d.Lower[s.End-1] == "’s") {
		s.End--
	}
	for s.Start < s.End-1 &&
		(punctuation(s.Start) || slices.Contains([]string{"ADV", "VERB", "AUX", "DET", "NUM"}, d.Upos[s.Start])) {
		s.Start++
	}
	return s
}
