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
	src, err := in.R.ReadDocuments(p.Node, p.Node.DocFilter, p.Want)
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
			sum, buf = documents.DocumentHash(p.asWanted(d), buf)
			h.Write(sum[:])
		}
	}
	in.hashed.parts[i] = h.Sum(nil)
	return in.hashed.parts[i], nil
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
