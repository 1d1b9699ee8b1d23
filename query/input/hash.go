package input

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"slices"

	"parlance/algo/text"
	"parlance/storage"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// PartHash hashes the documents of a part as a training reads them from storage: in their order, those that the filter
// leaves, with the layers and metadata columns that it, and the models that annotate them, read. The hash is kept for
// the snapshot that it was made of.
func (in *Input) PartHash(ctx context.Context, i int) ([]byte, error) {
	if in.hashed.at != in.R.Snapshot {
		in.hashed = hashes{at: in.R.Snapshot, parts: map[int][]byte{}}
	}
	if sum := in.hashed.parts[i]; sum != nil {
		return sum, nil
	}
	p := in.Parts[i]
	whole, want := in.readsWhole(p), p.Want
	if whole {
		want = documents.Want{IDs: true}
	}
	src, err := in.R.ReadDocuments(p.Node, p.Node.DocFilter, want)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	var sum [16]byte
	var buf []byte
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return nil, err
		}
		if docs == nil {
			break
		}
		for _, d := range docs {
			if whole {
				sum, err = in.stored(p, d)
			} else {
				sum, buf = documents.DocumentHash(p.asWanted(d), buf)
			}
			if err != nil {
				return nil, err
			}
			h.Write(sum[:])
		}
	}
	in.hashed.parts[i] = h.Sum(nil)
	return in.hashed.parts[i], nil
}

// readsWhole reports whether a part reads all that its documents store, so that their hashes are those that were stored
// with them. Metadata makes others, for columns may have been dropped or renamed since.
func (in *Input) readsWhole(p Part) bool {
	o := p.Node.Corpus
	if len(o.Columns) > 0 || len(o.Retired) > 0 || !p.Want.Text || !p.Want.IDs {
		return false
	}
	for _, l := range in.R.Snapshot.LayerDefs(o) {
		if l.Model == "" && !slices.ContainsFunc(p.Want.Layers, func(w documents.LayerWant) bool {
			return w.Name == l.Name && w.Columns == nil
		}) {
			return false
		}
	}
	return true
}

// stored is the hash that was stored with a document.
func (in *Input) stored(p Part, d *text.Document) ([16]byte, error) {
	sum, found, err := in.R.Snapshot.Content(p.Node.Corpus, d.Seq)
	if err == nil && !found {
		err = fmt.Errorf("document %d of %s: %w", d.Seq, p.Node.Corpus.Name, storage.ErrNotFound)
	}
	return sum, err
}

// hashes are those of the parts of an input, under a snapshot.
type hashes struct {
	at    *storage.Snapshot
	parts map[int][]byte
}

// asWanted is a document without what only the filter reads.
func (p Part) asWanted(d *text.Document) *text.Document {
	v := *d
	v.Fields = slices.DeleteFunc(slices.Clone(d.Fields),
		func(f text.Field) bool { return !slices.Contains(p.Want.Fields, f.Name) })
	v.Layers = slices.DeleteFunc(slices.Clone(d.Layers), func(l *text.Layer) bool {
		return !slices.ContainsFunc(p.Want.Layers, func(w documents.LayerWant) bool { return w.Name == l.Name })
	})
	return &v
}

// HashTables hashes the rows of the tables as they are read: in their order, those that the filter leaves, with the
// columns of the schema.
func (in *Input) HashTables(ctx context.Context, out io.Writer) error {
	for _, t := range in.Order {
		h := sha256.New()
		for row, err := range t.Rows(ctx) {
			if err != nil {
				return err
			}
			hashRow(h, row)
		}
		fmt.Fprintf(out, "%s\x00%x\x00", t.Use.Name, h.Sum(nil))
	}
	return nil
}

// hashRow hashes the values of a row, each with its length.
func hashRow(h hash.Hash, row []value.Value) {
	h.Write(value.AppendRow(nil, row))
}
