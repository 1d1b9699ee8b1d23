package input

import (
	"encoding/binary"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/storage/value"
)

// FoldAnswers is what models say about the documents of a part, each learned without the document.
type FoldAnswers []ModelAnswers

// ModelAnswers is what one model says, by the place of the document in reading order.
type ModelAnswers struct {
	Writes []kind.LayerUse
	Def    func(string) *text.LayerDef
	Found  [][]byte // as encodeResult makes them
}

// views returns views of documents with the layers of the models.
func (a FoldAnswers) views(docs []*text.Document, places []int) ([]*text.Document, error) {
	out := make([]*text.Document, len(docs))
	for i, d := range docs {
		v := *d
		out[i] = &v
		for _, m := range a {
			if err := annotate.DecodeResult(m.Found[places[i]], out[i:i+1], m.Writes, m.Def); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// FoldedRows chooses among the rows of a table by their fold.
type FoldedRows struct {
	Folds *RowFolds
	Key   []int // columns
	Fold  int
	In    bool // the rows of the fold, or all others
}

func (h *FoldedRows) Has(row []value.Value) bool {
	at, _ := slices.BinarySearch(h.Folds.Hashes, h.Folds.Hash(row, h.Key))
	return (at%h.Folds.N == h.Fold) == h.In
}

// Hash is FNV-1a over the seed and the key of a row, mixed.
func (f *RowFolds) Hash(row []value.Value, key []int) uint64 {
	b := binary.LittleEndian.AppendUint64(nil, f.Seed)
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

// RowFolds tells the folds of rows.
type RowFolds struct {
	Seed   uint64
	N      int
	Hashes []uint64 // of the keys, ascending
}
