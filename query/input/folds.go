package input

import (
	"encoding/binary"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/storage/value"
)

// FoldPredictions are the predictions of models for the documents of a part. Each document was annotated by a model
// that was trained without it.
type FoldPredictions []ModelPredictions

// ModelPredictions are the predictions of one model, by the position of the document in reading order.
type ModelPredictions struct {
	Writes []kind.LayerUse
	Def    func(string) *text.LayerDef
	Found  [][]byte // encoded as by exec.EncodeResult
}

// views returns copies of documents with the predicted layers. places are their positions in reading order.
func (a FoldPredictions) views(docs []*text.Document, places []int) ([]*text.Document, error) {
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

// FoldedRows selects rows of a table by their fold.
type FoldedRows struct {
	Folds *RowFolds
	Key   []int // columns
	Fold  int
	In    bool // true for the rows of the fold, false for all others
}

func (h *FoldedRows) Has(row []value.Value) bool {
	at, _ := slices.BinarySearch(h.Folds.Hashes, h.Folds.Hash(row, h.Key))
	return (at%h.Folds.N == h.Fold) == h.In
}

// Hash is FNV-1a over the seed and the key of a row, with a final mix.
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

// RowFolds divides rows into N folds: the row whose key has the i-th smallest hash is in fold i mod N.
type RowFolds struct {
	Seed   uint64
	N      int
	Hashes []uint64 // of the keys, ascending
}
