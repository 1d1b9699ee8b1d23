package storage

import (
	"context"

	"parlance/algo/text"
	"parlance/storage/loading"
)

// Replacement replaces documents by others with the same ids, which get their places, and adds those whose ids are new,
// behind all. They are visible after Commit. Memory does not depend on the number of documents. A Replacement must be
// ended by Commit or Abort.
type Replacement struct {
	s    *Store
	o    *Object
	load *Load // nil without documents
}

// NewReplacement begins to replace documents of a corpus.
func (s *Store) NewReplacement(o *Object) *Replacement { return &Replacement{s: s, o: o} }

// Add adds documents, which are not changed.
func (p *Replacement) Add(ctx context.Context, docs []*text.Document) error {
	if len(docs) == 0 {
		return nil
	}
	if p.load == nil {
		l, err := p.s.NewLoad(ctx, p.o, loading.Options{OnConflict: "replace"})
		if err != nil {
			return err
		}
		p.load = l
	}
	copies := make([]*text.Document, len(docs)) // to be given sequence numbers
	for i, d := range docs {
		c := *d
		copies[i] = &c
	}
	return p.load.Add(ctx, copies, nil)
}

// Commit publishes all replacements.
func (p *Replacement) Commit(ctx context.Context) error {
	if p.load == nil {
		return nil
	}
	_, err := p.load.Commit(ctx)
	return err
}

// Abort discards the replacement, unless it is committed.
func (p *Replacement) Abort() {
	if p.load != nil {
		p.load.Abort()
	}
}

// ReplaceDocuments is a Replacement by some documents.
func (s *Store) ReplaceDocuments(ctx context.Context, o *Object, docs []*text.Document) error {
	p := s.NewReplacement(o)
	defer p.Abort()
	if err := p.Add(ctx, docs); err != nil {
		return err
	}
	return p.Commit(ctx)
}
