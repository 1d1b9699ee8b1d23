package lemmatizer

import (
	"context"
	"iter"

	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/storage/value"
)

var rulesRelation = kind.Relation{Name: "rules",
	Doc: "rules of edits: a case, the replacement of a number of characters at the " +
		"beginning, and at the end; or a lemma after =", Columns: []kind.Column{
		{Name: "rule", Type: value.Text, Doc: "rule, such as lower -3+y"},
		{Name: "words", Type: value.Integer, Doc: "pairs of form and tags that have it most often"},
		{Name: "example", Type: value.Text, Doc: "one of these forms, NULL where it is never the most frequent"},
		{Name: "example_lemma", Type: value.Text, Doc: "its lemma"}}}

var weightsRelation = kind.Relation{Name: "weights", Doc: "weights of features of unseen words for rules",
	Columns: tagger.Weights.Columns}

// Open opens rules or weights.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case rulesRelation.Name:
		return kind.RowsOf(rulesRelation, m.ruleRows()), nil
	case weightsRelation.Name:
		return tagger.TripleRows(func(yield func(string, string, float64) bool) {
			for f, name := range m.names {
				for _, c := range m.weights.Row(uint32(f)) {
					if !yield(name, m.rules[c.Column].String(), float64(c.W)) {
						return
					}
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *model) ruleRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i, r := range m.rules {
			example, made := value.Value{}, value.Value{}
			if f := m.examples[i]; f != "" {
				l, _ := r.apply(f)
				example, made = value.Str(f), value.Str(l)
			}
			if !yield([]value.Value{value.Str(r.String()), value.Int(int64(m.pairs[i])), example, made}) {
				return
			}
		}
	}
}

// Encode writes rules, dictionary and weights.
func (m *model) Encode(w *kind.Writer) error {
	keys := m.words.keys()
	found := make([]uint32, 0, 3*len(keys))
	for _, k := range keys {
		found = append(found, m.words[k].rule, m.words[k].count, m.words[k].total)
	}
	rows := []uint32{uint32(m.weights.Columns)}
	for _, s := range m.weights.Spans {
		rows = append(rows, uint32(s.N))
	}
	columns, weights := make([]uint32, len(m.weights.Cells)), make([]float32, len(m.weights.Cells))
	for i, c := range m.weights.Cells {
		columns[i], weights[i] = uint32(c.Column), c.W
	}
	for _, write := range []func() error{
		func() error { return w.JSON("rules", m.rules) },
		func() error { return w.Uint32s("pairs", m.pairs) },
		func() error { return w.Strings("examples", m.examples) },
		func() error { return w.Strings("words", keys) },
		func() error { return w.Uint32s("seen", found) },
		func() error { return w.Strings("features", m.names) },
		func() error { return w.Uint32s("rows", rows) },
		func() error { return w.Uint32s("columns", columns) },
		func() error { return w.Float32s("weights", weights) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads them.
func (m *model) Decode(r *kind.Reader) (err error) {
	if err := r.JSON("rules", &m.rules); err != nil {
		return err
	}
	for _, x := range m.rules {
		if x.Case >= casings {
			return kind.Corrupt("rules", "a case is unknown")
		}
	}
	if m.pairs, err = r.Uint32s("pairs"); err != nil {
		return err
	}
	if m.examples, err = r.Strings("examples"); err != nil {
		return err
	}
	if len(m.pairs) != len(m.rules) || len(m.examples) != len(m.rules) {
		return kind.Corrupt("rules", "their number differs from that of their examples")
	}
	if err := m.decodeWords(r); err != nil {
		return err
	}
	if err := m.decodeWeights(r); err != nil {
		return err
	}
	m.ready()
	return nil
}

func (m *model) decodeWords(r *kind.Reader) error {
	keys, err := r.Strings("words")
	if err != nil {
		return err
	}
	found, err := r.Uint32s("seen")
	if err != nil {
		return err
	}
	if len(found) != 3*len(keys) {
		return kind.Corrupt("seen", "it has not three numbers a word")
	}
	m.words = make(dictionary, len(keys))
	for i, k := range keys {
		s := seen{found[3*i], found[3*i+1], found[3*i+2]}
		if int(s.rule) >= len(m.rules) || s.count > s.total {
			return kind.Corrupt("seen", "a rule or a count is out of range")
		}
		m.words[k] = s
	}
	return nil
}

func (m *model) decodeWeights(r *kind.Reader) (err error) {
	if m.names, err = r.Strings("features"); err != nil {
		return err
	}
	rows, err := r.Uint32s("rows")
	if err != nil {
		return err
	}
	columns, err := r.Uint32s("columns")
	if err != nil {
		return err
	}
	weights, err := r.Float32s("weights")
	if err != nil {
		return err
	}
	if len(rows) != len(m.names)+1 || int(rows[0]) > len(m.rules) || len(columns) != len(weights) {
		return kind.Corrupt("rows", "the numbers of features, rules or weights differ")
	}
	m.weights = &online.Rows{Columns: int(rows[0])}
	for i, c := range columns {
		if c >= rows[0] {
			return kind.Corrupt("columns", "a rule is out of range")
		}
		m.weights.Cells = append(m.weights.Cells, online.Cell{W: weights[i], Column: uint16(c)})
	}
	at := uint32(0)
	for _, n := range rows[1:] {
		if uint64(at)+uint64(n) > uint64(len(weights)) || n > rows[0] {
			return kind.Corrupt("rows", "a row is out of range")
		}
		m.weights.Spans = append(m.weights.Spans, online.RowSpan{At: at, N: uint16(n), Room: uint16(n)})
		at += n
	}
	if int(at) != len(weights) {
		return kind.Corrupt("rows", "weights belong to no feature")
	}
	return nil
}
