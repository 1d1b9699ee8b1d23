package kindtest

import (
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
)

// asked returns documents as Annotate gets them: with what the model reads, and without gold.
func asked(s kind.Schema, docs []*text.Document) []*text.Document {
	out := make([]*text.Document, len(docs))
	for i, d := range docs {
		v := &text.Document{Seq: d.Seq, ID: d.ID, Text: d.Text}
		for _, f := range d.Fields {
			if slices.Contains(s.DocumentFields(), f.Name) {
				v.Fields = append(v.Fields, f)
			}
		}
		for _, l := range d.Layers {
			k := slices.IndexFunc(s.Reads, func(u kind.LayerUse) bool { return u.Layer == l.Name })
			switch {
			case k >= 0:
				v.Layers = append(v.Layers, only(l, columnsRead(s, l.Name)))
			case l.Def == text.Tokens:
				v.Layers = append(v.Layers, only(l, []string{"form"}))
			case l.Def == text.Sentences:
				v.Layers = append(v.Layers, l)
			}
		}
		out[i] = v
	}
	return out
}

// columnsRead are the columns of a layer that are read, needed or optional; nil for all.
func columnsRead(s kind.Schema, layer string) []string {
	var out []string
	for _, u := range s.Reads {
		switch {
		case u.Layer != layer:
		case u.Columns == nil:
			return nil
		default:
			out = append(out, u.Columns...)
		}
	}
	return out
}

// only returns a layer with the columns, nil for all. Tokens keep their places and forms.
func only(l *text.Layer, columns []string) *text.Layer {
	if columns == nil {
		return l
	}
	v := *l
	v.Cols = slices.Clone(l.Cols)
	for i, c := range l.Def.Columns {
		place := l.Def == text.Tokens && (c.Name == "sent" || c.Name == "tok" || c.Name == "form" || c.Role == text.Offset)
		if !place && !slices.Contains(columns, c.Name) {
			v.Cols[i] = text.Col{}
		}
	}
	return &v
}

// baseline checks that what is learned is better than any constant answer.
func baseline(t *testing.T, c Case) {
	m := trained(t, c, 1)
	schema := m.Schema()
	predicted := annotate(t, m, c.Test, c.run(false, 0))
	compared := false
	for _, w := range schema.Writes {
		def := text.Builtins(w.Layer)
		learned := slices.ContainsFunc(schema.Learns, func(u kind.LayerUse) bool { return u.Layer == w.Layer })
		if def == nil || !learned || !slices.ContainsFunc(c.gold, func(d *text.Document) bool { return goldOf(d, w) }) {
			continue
		}
		if _, ok := metrics.ForLayer(def, w.Columns, metrics.Options{}); !ok {
			continue
		}
		got, best := score(t, m, def, w, c.gold, predicted), 0.0
		for _, x := range constants(def, w, c.Train, c.Test) {
			best = max(best, score(t, m, def, w, c.gold, x))
		}
		if best >= 1 && got >= 1 {
			continue // the sample cannot tell them apart
		}
		compared = true
		if !(got > best) {
			t.Errorf("%s %v: %.4f, a constant answer has %.4f", w.Layer, w.Columns, got, best)
		}
	}
	if !compared {
		t.Skip("there is no gold of what the kind learns and writes, or a constant answer has all of it right")
	}
}

// goldOf reports whether a document has gold of what is written.
func goldOf(d *text.Document, w kind.LayerUse) bool {
	l := d.Layer(w.Layer)
	return l != nil && (l.Def != text.Tokens || len(w.Columns) > 0 && l.Strs(w.Columns[0]) != nil)
}

// score is the main metric of what a model writes, unit by unit.
func score(t *testing.T, m kind.Model, def *text.LayerDef, w kind.LayerUse, gold, predicted []*text.Document) float64 {
	t.Helper()
	s, _ := metrics.ForLayer(def, w.Columns, metrics.Options{})
	place := map[*text.Document]int{}
	for i, d := range predicted {
		place[d] = i
	}
	for _, unit := range units(m, predicted) {
		key := make([]*text.Document, len(unit))
		for i, d := range unit {
			key[i] = gold[place[d]]
		}
		if err := s.Add(background, key, unit); err != nil {
			t.Fatal(err)
		}
	}
	if main := metrics.Main(s.Metrics()); main != nil {
		return main.Value()
	}
	return 0
}

// constants annotates documents with the answers of those who have learned nothing: the label that is most frequent in
// training, or the token to the left or to the right as the head, or one cluster of all mentions. Nothing is the answer
// for spans.
func constants(def *text.LayerDef, w kind.LayerUse, train, docs []*text.Document) [][]*text.Document {
	with := func(layer func(*text.Document) *text.Layer) []*text.Document {
		out := views(docs)
		for _, d := range out {
			d.SetLayer(layer(d))
		}
		return out
	}
	switch def {
	case text.Mentions:
		return [][]*text.Document{with(func(d *text.Document) *text.Layer {
			from := d.Layer(text.Mentions.Name)
			if from == nil {
				return text.NewLayer(text.Mentions)
			}
			l := *from
			l.Cols = slices.Clone(l.Cols)
			l.SetStrs("cluster", slices.Repeat([]string{"1"}, l.N))
			return &l
		})}
	case text.Labels:
		most := frequent(train, w.Layer, "label")
		return [][]*text.Document{with(func(*text.Document) *text.Layer {
			l := text.NewLayer(text.Labels)
			l.N = 1
			l.SetStrs("label", []string{most})
			return l
		})}
	case text.Tokens:
		most := frequent(train, w.Layer, w.Columns[0])
		return [][]*text.Document{with(func(d *text.Document) *text.Layer {
			l := *d.Layer(w.Layer)
			l.Cols = slices.Clone(l.Cols)
			l.SetStrs(w.Columns[0], slices.Repeat([]string{most}, l.N))
			return &l
		})}
	case text.Dependencies:
		left := with(func(d *text.Document) *text.Layer { return arcs(d, func(tok, _ int32) int32 { return tok - 1 }) })
		right := with(func(d *text.Document) *text.Layer {
			return arcs(d, func(tok, n int32) int32 { return (tok + 1) % (n + 1) })
		})
		return [][]*text.Document{left, right}
	}
	return nil
}

// frequent is the most frequent value of a column, of several the first in order.
func frequent(docs []*text.Document, layer, column string) string {
	count := map[string]int{}
	best := ""
	for _, d := range docs {
		if l := d.Layer(layer); l != nil {
			for _, s := range l.Strs(column) {
				count[s]++
			}
		}
	}
	for s, n := range count {
		if n > count[best] || n == count[best] && s < best {
			best = s
		}
	}
	return best
}

// arcs gives each token a head by its number and that of the tokens of its sentence.
func arcs(d *text.Document, head func(tok, n int32) int32) *text.Layer {
	l := text.NewLayer(text.Dependencies)
	bounds := d.SentenceTokens()
	var sent, tok, heads []int32
	for s := 1; s < len(bounds); s++ {
		n := bounds[s] - bounds[s-1]
		for k := int32(1); k <= n; k++ {
			sent, tok, heads = append(sent, int32(s)), append(tok, k), append(heads, head(k, n))
		}
	}
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", heads)
	l.SetStrs("deprel", make([]string, l.N))
	return l
}
