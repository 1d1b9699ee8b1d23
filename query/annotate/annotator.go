package annotate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/meter"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/parallel"
	"parlance/query/turn"
	"parlance/storage/guard"
	"parlance/storage/predictions"
)

// Setup is how a statement annotates.
type Setup struct {
	Models  *models.Set        // which know the layers that models declare
	Workers int                // goroutines that annotate
	Cache   *predictions.Cache // nil for a statement that does not use it
	Shared  *Shared            // in place of the cache, of models that several nodes annotate with; nil for none
	Meter   *meter.Models      // counts what is annotated
}

// Uncached is a setup whose answers are neither looked up nor kept.
func (s Setup) Uncached() Setup {
	s.Cache, s.Shared = nil, nil
	return s
}

// Annotator adds the layers of models to documents: from the cache, else computed by workers, unit by unit. It keeps
// the order of the documents.
type Annotator struct {
	Setup  Setup
	Models []*models.Configured // in the order in which they annotate
	Stats  *operator.Stats
	Reuses bool // the views that Apply returns are valid until the next call only

	// memory for a single model, unit and document
	stats operator.Stats
	first models.Configured
	list  [1]*models.Configured
	units [1][]*text.Document
	hash  [1][16]byte
	seq   [1]uint64
	todo  [1]int
	view  text.Document
	views [1]*text.Document
}

// Init makes an annotator without models. Stats may be nil.
func (a *Annotator) Init(s Setup, stats *operator.Stats) {
	a.Setup, a.Models, a.Stats = s, a.list[:0], stats
	if stats == nil {
		a.stats = operator.Stats{}
		a.Stats = &a.stats
	}
	a.Stats.Annotated = true
}

// Add adds a model to the end, for the caller to configure.
func (a *Annotator) Add() *models.Configured {
	c := &a.first
	if len(a.Models) > 0 {
		c = new(models.Configured)
	}
	a.Models = append(a.Models, c)
	return c
}

// NeedsAll reports whether a model needs all documents at once.
func (a *Annotator) NeedsAll() bool {
	for _, m := range a.Models {
		if m.Schema.Unit != kind.PerDocument {
			return true
		}
	}
	return false
}

// Apply returns views of the documents with the layers of every model.
func (a *Annotator) Apply(ctx context.Context, docs []*text.Document) ([]*text.Document, error) {
	a.Stats.Documents += int64(len(docs))
	views := a.viewsOf(docs)
	for _, m := range a.Models {
		if err := a.annotate(ctx, m, views); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// viewsOf returns copies of the documents, which share their layers.
func (a *Annotator) viewsOf(docs []*text.Document) []*text.Document {
	if a.Reuses && len(docs) == 1 {
		a.view, a.views[0] = *docs[0], &a.view
		return a.views[:]
	}
	copies, views := make([]text.Document, len(docs)), make([]*text.Document, len(docs))
	for i, d := range docs {
		copies[i] = *d
		views[i] = &copies[i]
	}
	return views
}

// unitsOf divides documents into the units of a model.
func (a *Annotator) unitsOf(docs []*text.Document, s *kind.Schema) [][]*text.Document {
	if s.Unit == kind.PerDocument && len(docs) == 1 {
		a.units[0] = docs
		return a.units[:]
	}
	return s.Units(docs)
}

// annotate adds the layers of one model to documents.
func (a *Annotator) annotate(ctx context.Context, m *models.Configured, docs []*text.Document) error {
	us := a.unitsOf(docs, &m.Schema)
	hashes := a.hash[:]
	if len(us) != 1 {
		hashes = make([][16]byte, len(us))
	}
	var memory [1 << 10]byte
	buf := memory[:0]
	for i, u := range us {
		hashes[i], buf = contentHash(u, &m.Schema, buf)
	}
	if m.Schema.Unit == kind.PerCorpus && len(docs) > 1 {
		return a.corpus(ctx, m, docs, hashes[0])
	}
	todo := a.fromCache(m, us, hashes)
	if err := a.compute(ctx, m, us, hashes, todo); err != nil || !m.Schema.CutsText() {
		return err
	}
	for _, d := range docs {
		document.Refit(d)
	}
	return nil
}

// fromCache fills the units whose results the cache has and returns the places of the others.
func (a *Annotator) fromCache(m *models.Configured, us [][]*text.Document, hashes [][16]byte) []int {
	todo := a.todo[:0]
	seqs := a.seq[:]
	if len(us) != 1 {
		seqs = make([]uint64, len(us))
	}
	for i, u := range us {
		if len(u) > 0 {
			seqs[i] = cacheSeq(u[0], hashes[i])
		}
	}
	found := a.known(m, seqs, hashes)
	writes := m.Wanted()
	for i, u := range us {
		if found[i] == nil || DecodeResult(found[i], u, writes, m.LayerDef(a.Setup.Models.LayerDef)) != nil {
			todo = append(todo, i)
		}
	}
	a.Stats.Misses += int64(len(todo))
	a.Stats.Hits += int64(len(us) - len(todo))
	return todo
}

// known returns the results that are in the cache, nil for others.
func (a *Annotator) known(m *models.Configured, seqs []uint64, hashes [][16]byte) [][]byte {
	if cache := a.Setup.Cache; cache != nil {
		return cache.GetMany(m.Key, seqs, hashes)
	}
	return a.Setup.Shared.getMany(m.Key, seqs, hashes)
}

// store hands the result of a model for documents to the cache, under the first of them.
func (a *Annotator) store(
	ctx context.Context, m *models.Configured, docs []*text.Document, hash [16]byte, buf []byte,
) error {
	if cache := a.Setup.Cache; cache != nil {
		return cache.Put(ctx, m.Key, cacheSeq(docs[0], hash), hash, EncodeResult(buf, docs, m.Wanted()))
	}
	if shared := a.Setup.Shared; shared != nil {
		shared.put(m.Key, cacheSeq(docs[0], hash), hash, EncodeResult(nil, docs, m.Wanted()))
	}
	return nil
}

// corpus runs a model that looks at all documents at once. The cache has an entry for each document, so that no value
// is as large as a corpus: the result is known if all of them are.
func (a *Annotator) corpus(ctx context.Context, m *models.Configured, docs []*text.Document, hash [16]byte) error {
	seqs, hashes := make([]uint64, len(docs)), make([][16]byte, len(docs))
	for i, d := range docs {
		sum := sha256.Sum256(binary.AppendUvarint(hash[:], uint64(i)))
		hashes[i] = [16]byte(sum[:16])
		seqs[i] = cacheSeq(d, hashes[i])
	}
	found, writes, def := a.known(m, seqs, hashes), m.Wanted(), m.LayerDef(a.Setup.Models.LayerDef)
	hit := true
	for i := range docs {
		hit = hit && found[i] != nil && DecodeResult(found[i], docs[i:i+1], writes, def) == nil
	}
	if hit {
		a.Stats.Hits++
		return nil
	}
	a.Stats.Misses++
	if err := a.answer(ctx, m, docs); err != nil {
		return err
	}
	for i := range docs {
		if err := a.store(ctx, m, docs[i:i+1], hashes[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// cacheSeq is the sequence number of the unit; ad-hoc text goes by its hash, with the top bit set.
func cacheSeq(d *text.Document, hash [16]byte) uint64 {
	if d.Seq != 0 {
		return d.Seq
	}
	return binary.LittleEndian.Uint64(hash[:]) | 1<<63
}

// compute annotates the units at some places and stores their results.
func (a *Annotator) compute(
	ctx context.Context, m *models.Configured, us [][]*text.Document, hashes [][16]byte, todo []int,
) error {
	switch len(todo) {
	case 0:
		return nil
	case 1:
		return a.unit(ctx, m, us[todo[0]], hashes[todo[0]])
	}
	one := func(ctx context.Context, k int) error { return a.unit(ctx, m, us[todo[k]], hashes[todo[k]]) }
	return parallel.Each(ctx, a.Setup.Workers, len(todo), "annotate with "+m.Label, one)
}

// unit annotates one unit and stores its result.
func (a *Annotator) unit(ctx context.Context, m *models.Configured, u []*text.Document, hash [16]byte) (err error) {
	defer guard.Recover(&err, "annotate with "+m.Label)
	if err := a.answer(ctx, m, u); err != nil || len(u) == 0 {
		return err
	}
	var memory [256]byte
	return a.store(ctx, m, u, hash, memory[:0])
}

// answer annotates one unit.
func (a *Annotator) answer(ctx context.Context, m *models.Configured, u []*text.Document) (err error) {
	if err := turn.Err(ctx); err != nil {
		return err
	}
	views, copied := modelViews(u, m)
	var memory [1]*text.Layer
	tokens := tokensOf(views, memory[:0])
	run, start := m.Run, time.Now()
	if err := m.Model.Annotate(ctx, views, &run); err != nil {
		return fault.Annotating(m.Label, err)
	}
	if err := verify(m, views, tokens, a.Setup.Models.LayerDef); err != nil {
		return err
	}
	a.Setup.Meter.Of(m.Label).Annotated(len(u), tokenCount(u), time.Since(start))
	if copied {
		handOver(m, views, u)
	}
	return nil
}

// tokenCount counts the tokens of documents.
func tokenCount(docs []*text.Document) (n int) {
	for _, d := range docs {
		if l := d.Layer(text.Tokens.Name); l != nil {
			n += l.N
		}
	}
	return n
}
