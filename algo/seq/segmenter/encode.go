package segmenter

import (
	"math"
	"unicode/utf8"

	"parlance/algo/engine/online"
	"parlance/algo/kind"
)

// entryWidth is how many numbers an entry is written as: word, tag, count, origin.
const entryWidth = 4

// Encode writes the dictionary and the weights.
func (m *model) Encode(w *kind.Writer) error {
	x := m.weights
	if err := w.Strings("tags", x.tags); err != nil {
		return err
	}
	words := make([]string, len(x.dict.words))
	for i := range words {
		words[i] = string(x.dict.words[i].runes)
	}
	if err := w.Strings("words", words); err != nil {
		return err
	}
	var entries []uint32
	for _, e := range x.dict.entries {
		entries = append(entries, uint32(e.word), uint32(e.tag), e.count, uint32(e.kind))
	}
	if err := w.Uint32s("entries", entries); err != nil {
		return err
	}
	if err := w.Uint64s("contexts", x.contexts.keys()); err != nil {
		return err
	}
	return x.encodeRows(w)
}

func (w *weights) encodeRows(to *kind.Writer) error {
	sizes := make([]uint32, len(w.rows.Spans))
	for i, s := range w.rows.Spans {
		sizes[i] = uint32(s.N)
	}
	columns, values := make([]uint32, len(w.rows.Cells)), make([]float32, len(w.rows.Cells))
	for i, c := range w.rows.Cells {
		columns[i], values[i] = uint32(c.Column), c.W
	}
	dense := make([]float32, len(w.dense.W))
	for i, x := range w.dense.W {
		dense[i] = float32(x)
	}
	if err := to.Uint32s("sizes", sizes); err != nil {
		return err
	}
	if err := to.Uint32s("columns", columns); err != nil {
		return err
	}
	if err := to.Float32s("weights", values); err != nil {
		return err
	}
	return to.Float32s("dense", dense)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	g, err := m.opt.groups()
	if err != nil {
		return err
	}
	tags, err := r.Strings("tags")
	if err != nil {
		return err
	}
	if len(tags) == 0 || len(tags) > maxTags {
		return kind.Corrupt("tags", "has none, or too many")
	}
	d, err := decodeDictionary(r, len(tags))
	if err != nil {
		return err
	}
	w := newWeights(d, tags, g)
	if err := w.decodeRows(r); err != nil {
		return err
	}
	w.freeze()
	m.ready(w)
	return nil
}

func decodeDictionary(r *kind.Reader, tags int) (*dictionary, error) {
	words, err := r.Strings("words")
	if err != nil {
		return nil, err
	}
	numbers, err := r.Uint32s("entries")
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || len(numbers)%entryWidth != 0 {
		return nil, kind.Corrupt("entries", "has no word, or a part of an entry")
	}
	runes, seen := make([][]rune, len(words)), make(map[string]bool, len(words))
	for i, s := range words {
		if s == "" || seen[s] || !utf8.ValidString(s) {
			return nil, kind.Corrupt("words", "has a word twice, or what is no word")
		}
		runes[i], seen[s] = []rune(s), true
	}
	var entries []entry
	for i := 0; i < len(numbers); i += entryWidth {
		e := entry{int32(numbers[i]), uint16(numbers[i+1]), numbers[i+2], origin(numbers[i+3])}
		last := len(entries) - 1
		ordered := last < 0 || entries[last].word < e.word || entries[last].word == e.word && entries[last].tag < e.tag
		if int(numbers[i]) >= len(words) || int(numbers[i+1]) >= tags || numbers[i+3] > uint32(missed) || !ordered {
			return nil, kind.Corrupt("entries", "has an entry out of range or order")
		}
		entries = append(entries, e)
	}
	return newDictionary(runes, entries), nil
}

func (w *weights) decodeRows(r *kind.Reader) error {
	keys, err := r.Uint64s("contexts")
	if err != nil {
		return err
	}
	sizes, err := r.Uint32s("sizes")
	if err != nil {
		return err
	}
	columns, err := r.Uint32s("columns")
	if err != nil {
		return err
	}
	values, err := r.Float32s("weights")
	if err != nil {
		return err
	}
	dense, err := r.Float32s("dense")
	if err != nil {
		return err
	}
	if len(keys) != len(sizes) || len(columns) != len(values) || len(dense) != len(w.dense.W) {
		return kind.Corrupt("weights", "contexts, columns and weights differ in number")
	}
	at := 0
	for i, n := range sizes {
		if v, added := w.contexts.add(keys[i]); keys[i] == 0 || !added || int(v) != i {
			return kind.Corrupt("contexts", "has a context twice")
		}
		if n > math.MaxUint16 || uint64(at)+uint64(n) > uint64(len(values)) {
			return kind.Corrupt("sizes", "does not add up to the weights")
		}
		w.rows.Spans = append(w.rows.Spans, online.RowSpan{At: uint32(at), N: uint16(n), Room: uint16(n)})
		at += int(n)
	}
	if at != len(values) {
		return kind.Corrupt("sizes", "does not add up to the weights")
	}
	return w.decodeCells(keys, columns, values, dense)
}

func (w *weights) decodeCells(keys []uint64, columns []uint32, values, dense []float32) error {
	w.rows.Cells, w.rows.Sums = make([]online.Cell, len(values)), nil
	for i, s := range w.rows.Spans {
		template := keys[i] >> 56
		if template == 0 || template >= templates {
			return kind.Corrupt("contexts", "has an unknown template")
		}
		for k := s.At; k < s.At+uint32(s.N); k++ {
			if int(columns[k]) >= w.columnsOf(int(template)) || !finite(values[k]) {
				return kind.Corrupt("columns", "has a column or a weight out of range")
			}
			w.rows.Cells[k] = online.Cell{W: values[k], Column: uint16(columns[k])}
		}
	}
	w.dense.U = nil
	for i, x := range dense {
		if !finite(x) {
			return kind.Corrupt("dense", "has a weight that is no number")
		}
		w.dense.W[i] = float64(x)
	}
	return nil
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// columnsOf is the number of columns of the contexts of a template.
func (w *weights) columnsOf(template int) int {
	switch {
	case template < ctxWord:
		return positions * w.plain
	case template == ctxTwoWords:
		return w.pairColumn(w.all, 0)
	}
	return 1 + w.all
}
