package exec

import (
	"encoding/binary"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// foldAnswers is what models say about the documents of a part, each learned without the document.
type foldAnswers []modelAnswers

// modelAnswers is what one model says, by the place of the document in reading order.
type modelAnswers struct {
	writes []kind.LayerUse
	def    func(string) *text.LayerDef
	found  [][]byte // as encodeResult makes them
}

// views returns views of documents with the layers of the models.
func (a foldAnswers) views(docs []*text.Document, places []int) ([]*text.Document, error) {
	out := make([]*text.Document, len(docs))
	for i, d := range docs {
		v := *d
		out[i] = &v
		for _, m := range a {
			if err := decodeResult(m.found[places[i]], out[i:i+1], m.writes, m.def); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// foldedRows chooses among the rows of a table by their fold.
type foldedRows struct {
	folds *rowFolds
	key   []int // columns
	fold  int
	in    bool // the rows of the fold, or all others
}

func (h *foldedRows) has(row []value.Value) bool {
	at, _ := slices.BinarySearch(h.folds.hashes, h.folds.hash(row, h.key))
	return (at%h.folds.n == h.fold) == h.in
}

// hash is FNV-1a over the seed and the key of a row, mixed.
func (f *rowFolds) hash(row []value.Value, key []int) uint64 {
	b := binary.LittleEndian.AppendUint64(nil, f.seed)
	for _, c := range key {
		b = value.AppendKey(b, row[c])
	}
	h := uint64(14695981039346656037)
	for _, x := range b {
		h = (h ^ uint64(x)) * 1099511628211
	}
	h = (h ^ h>>32) * 0xD6E8FEB86659FD93
	return h ^ h>>32
}

// rowFolds tells the folds of rows.
type rowFolds struct {
	seed   uint64
	n      int
	hashes []uint64 // of the keys, ascending
}
