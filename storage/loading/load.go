// Package loading writes documents as the segments of a new generation: goroutines encode them, and one writes them
// with the entries of their indexes. What a load has written is of no corpus until its caller publishes it.
package loading

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
	"parlance/storage/textindex"
)

// Options of New.
type Options struct {
	OnConflict string               // error, replace or skip: what happens to documents whose id is taken
	Added      func(*text.Document) // is called with each document that is not skipped; may be nil
}

// Result counts the documents of a load.
type Result struct {
	Documents, Skipped, Replaced int
	Tokens                       int64
}

// DuplicateError is the error of two documents with one id.
type DuplicateError struct{ ID, First, Second string }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("document id %s is taken: it is in %s and in %s", e.ID, e.First, e.Second)
}

// SameFile says whether both documents are of one file.
func (e *DuplicateError) SameFile() bool {
	first, second := strings.LastIndexByte(e.First, ':'), strings.LastIndexByte(e.Second, ':')
	return first >= 0 && second >= 0 && e.First[:first] == e.Second[:second]
}

// Env is the file, and what loads share.
type Env struct {
	*dbfile.File
	Segments  *documents.Cache
	Sequences *atomic.Uint64 // the next sequence number of a document
}

// Target is the corpus of a load.
type Target struct {
	Known      *catalog.Object // as the caller of the load knows it
	Now        *catalog.Object // its entry under the lock, which may be newer
	State      *documents.Corpus
	Generation uint32                         // number of the new generation
	FreePart   func([]documents.Layer) uint16 // a number for a new layer, besides layers
}

// Written is what a load has written.
type Written struct {
	Generation *documents.Generation
	Layers     []documents.Layer      // of the corpus, with new ones
	Indexes    []documents.IndexState // that the generation has runs of
	Columns    []catalog.ColumnDef    // new ones
	Replaced   documents.Tombstones   // documents of the corpus that others replace
	Sum        [16]byte               // content hash of the documents
	Result     Result
}

// Load takes documents of a corpus, behind those that it has; one that replaces another has its place. Memory does not
// depend on the number of documents. A Load is for one goroutine, and must be ended by Finish or Abort.
type Load struct {
	env       *Env
	o         *catalog.Object // as the caller knows it
	opt       Options
	base      *documents.Corpus
	gen       *documents.Generation
	layers    []documents.Layer
	indexes   []documents.IndexState
	builders  []*textindex.Builder // by index
	table     documents.LayerTable
	fileIndex map[string]int
	columns   []catalog.ColumnDef
	docs      []*text.Document
	seqs      []uint64 // of docs that replace others: the sequence numbers of these; 0 for new ones
	replacing int      // number of these in docs
	places    []string
	tokens    int
	text      int
	recent    map[string]documents.Place // ids in segments that are not in the file yet
	dead      documents.Tombstones       // documents of the corpus that this load replaces
	ids       [][]string                 // of the segments after forgotten
	numbers   [][]uint64                 // likewise: the sequence numbers
	forgotten int                        // number of segments whose ids recent no longer holds
	flushed   int                        // number of segments handed to the writer
	stored    int                        // number of segments in the file
	result    Result
	queue     chan chan *encodedSegment
	work      chan job
	written   chan struct{}
	wait      sync.WaitGroup
	ctx       context.Context
	cancel    context.CancelFunc
	mu        sync.Mutex
	err       error
	done      bool
	freePart  func([]documents.Layer) uint16
	keepSeq   bool            // documents keep their sequence numbers
	raw       bool            // metadata have stored names
	keyed     [][]string      // of the corpus, by stored names
	now       *catalog.Object // the entry of the corpus under the lock, which may be newer than o
	sum       [16]byte        // content hash of what was written
}

// encodedSegment is a segment ready to be written, with its index entries.
type encodedSegment struct {
	*documents.Encoded
	places   []string
	bytes    int
	inverted []*textindex.Terms  // by full-text index
	index    []metaindex.Entries // by the indexes of the corpus
	err      error
}

type job struct {
	docs    []*text.Document
	places  []string
	table   documents.LayerTable
	indexes []documents.IndexState
	out     chan *encodedSegment
}

// New begins a load.
func New(env *Env, t Target, opt Options) *Load {
	l := &Load{env: env, o: t.Known, opt: opt, now: t.Now, base: t.State, freePart: t.FreePart,
		gen: &documents.Generation{ID: t.Generation}, table: documents.LayerTable{},
		fileIndex: map[string]int{}, recent: map[string]documents.Place{}, dead: documents.Tombstones{},
		queue: make(chan chan *encodedSegment, 4), work: make(chan job), written: make(chan struct{})}
	l.keyed = l.now.StoredIndexes()
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.layers = append(l.layers, l.base.Layers...)
	l.index(l.base.Indexes)
	for i := range l.base.Layers {
		l.table[l.base.Layers[i].Name] = &l.base.Layers[i]
	}
	for range max(1, runtime.GOMAXPROCS(0)) {
		l.wait.Add(1)
		go l.encoder()
	}
	go l.writer()
	return l
}

// AddColumn declares a metadata column, which Commit adds to the corpus unless it exists. A column of another type is
// an error.
func (l *Load) AddColumn(c catalog.ColumnDef) error {
	for _, known := range slices.Concat(l.o.Columns, l.now.Columns, l.columns) {
		if known.Name != c.Name {
			continue
		}
		if known.Type != c.Type {
			return fmt.Errorf("column %s of corpus %s is %s, not %s", c.Name, l.o.Name, known.Type, c.Type)
		}
		return nil
	}
	free := *l.now
	free.Columns = slices.Concat(free.Columns, l.columns)
	c.Stored = free.FreeName(c.Name)
	l.columns = append(l.columns, c)
	return nil
}

// Add adds documents, which must not be changed afterwards. places name the origin of each, such as file:line, and may
// be nil.
func (l *Load) Add(ctx context.Context, docs []*text.Document, places []string) error {
	if err := l.failed(); err != nil {
		return err
	}
	l.forget()
	taken, err := l.taken(docs)
	if err != nil {
		return err
	}
	for i, d := range docs {
		at := ""
		if places != nil {
			at = places[i]
		}
		if err := l.add(ctx, d, at, taken[i]); err != nil {
			return err
		}
	}
	return nil
}

// taken looks ids up in the corpus and in this load.
func (l *Load) taken(docs []*text.Document) ([]*documents.Place, error) {
	out := make([]*documents.Place, len(docs))
	err := l.env.View(func(tx *sealed.Tx) error {
		dir := tx.Bucket(dbfile.Dir)
		for i, d := range docs {
			if v := dir.Get(documents.PlaceKey(l.o.ID, l.gen.ID, d.ID)); v != nil {
				p, err := documents.DecodePlace(l.gen.ID, v)
				if err != nil {
					return err
				}
				out[i] = &p
				continue
			}
			if len(l.base.Gens) == 0 {
				continue
			}
			p, ok, err := l.base.Locate(tx, d.ID)
			if err != nil {
				return err
			}
			if ok {
				out[i] = &p
			}
		}
		return nil
	})
	return out, err
}

// forget drops the ids of segments that are in the file, where they can be looked up.
func (l *Load) forget() {
	l.mu.Lock()
	stored := l.stored
	l.mu.Unlock()
	for l.forgotten < stored {
		for _, id := range l.ids[0] {
			if p := l.recent[id]; int(p.Segment) == l.forgotten {
				delete(l.recent, id)
			}
		}
		l.ids, l.numbers = l.ids[1:], l.numbers[1:]
		l.forgotten++
	}
}

func (l *Load) add(ctx context.Context, d *text.Document, at string, taken *documents.Place) error {
	if p, ok := l.recent[d.ID]; ok {
		taken = &p
	}
	if taken != nil {
		switch l.opt.OnConflict {
		case "replace":
		case "skip":
			l.result.Skipped++
			return nil
		default:
			return &DuplicateError{d.ID, l.placeText(taken), orHere(at)}
		}
	}
	given := d
	d, err := l.underStoredNames(d)
	if err != nil {
		return err
	}
	for _, ly := range d.Layers {
		if err := l.number(ly); err != nil {
			return fmt.Errorf("document %s: %w", d.ID, err)
		}
	}
	if taken != nil {
		err = l.replaceTaken(ctx, d, at, taken)
	} else {
		err = l.append(ctx, collected{d, 0, at})
	}
	if err != nil {
		return err
	}
	if l.opt.Added != nil {
		l.opt.Added(given)
	}
	l.result.Documents++
	l.result.Tokens += int64(tokensOf(d))
	if l.tokens > documents.SegmentTokens || l.text > documents.SegmentText {
		// a long document, which takes much memory, is a segment of its own
		return l.cut(ctx)
	}
	return nil
}

func tokensOf(d *text.Document) int {
	if t := d.Layer("tokens"); t != nil {
		return t.N
	}
	return 0
}

func orHere(at string) string {
	if at == "" {
		return "this statement"
	}
	return at
}

func (l *Load) placeText(p *documents.Place) string {
	if p.Gen != l.gen.ID {
		return "corpus " + l.o.Name
	}
	if p.File >= 0 && p.File < len(l.gen.Files) {
		return l.gen.Files[p.File] + ":" + p.Line
	}
	return orHere(p.Line)
}

// number gives a new layer a part number, and refuses a layer whose columns differ from the stored ones.
func (l *Load) number(ly *text.Layer) error {
	if known := l.table[ly.Name]; known != nil {
		if !documents.SameDefinition(known.Def, ly.Def) {
			return fmt.Errorf("layer %s has the columns %s, corpus %s has it with %s", ly.Name, columnNames(ly.Def), l.o.Name,
				columnNames(known.Def))
		}
		return nil
	}
	state := documents.NewLayer(ly.Name, l.freePart(l.layers), ly.Def, "")
	l.table = maps.Clone(l.table) // encoders read the old map
	l.table[ly.Name] = &state
	l.layers = append(l.layers, state)
	return nil
}

func columnNames(def *text.LayerDef) string {
	names := make([]string, len(def.Columns))
	for i, c := range def.Columns {
		names[i] = c.Name + " " + c.Type.String()
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// cut hands the collected documents to an encoder as a segment. Of documents that replace others and new ones, which
// stand apart, it takes those that are more.
func (l *Load) cut(ctx context.Context) error {
	if len(l.docs) == 0 {
		return nil
	}
	rest := l.sort()
	l.setNumbers()
	out := make(chan *encodedSegment, 1)
	select {
	case l.queue <- out:
	case <-l.ctx.Done():
		return l.failed()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case l.work <- job{l.docs, l.places, l.table, l.indexes, out}:
	case <-l.ctx.Done():
		close(out)
		return l.failed()
	}
	ids, numbers := make([]string, len(l.docs)), make([]uint64, len(l.docs))
	for i, d := range l.docs {
		ids[i], numbers[i] = d.ID, d.Seq
	}
	l.ids, l.numbers = append(l.ids, ids), append(l.numbers, numbers)
	l.flushed++
	l.docs, l.seqs, l.places, l.tokens, l.text, l.replacing = nil, nil, nil, 0, 0, 0
	for _, x := range rest {
		l.collect(x)
	}
	return nil
}

func (l *Load) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *Load) fail(err error) {
	if err == nil {
		return
	}
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	l.mu.Unlock()
	l.cancel()
}

// stop ends the workers and waits for them.
func (l *Load) stop() {
	close(l.work)
	l.wait.Wait()
	close(l.queue)
	<-l.written
	l.cancel()
	l.done = true
}

// Abort ends the load. The caller removes what it has written.
func (l *Load) Abort() {
	if l.done {
		return
	}
	l.fail(errors.New("the load was given up"))
	l.stop()
}

// Finish writes the rest. Even after an error the caller removes, or publishes, what was written.
func (l *Load) Finish(ctx context.Context) (*Written, error) {
	if l.done {
		return nil, errors.New("the load is over")
	}
	err := l.failed()
	if err == nil {
		err = l.cutAll(ctx)
	}
	l.stop()
	if err == nil {
		err = l.failed()
	}
	if err == nil {
		err = ctx.Err()
	}
	return &Written{l.gen, l.layers, l.indexes, l.columns, l.dead, l.sum, l.result}, err
}
