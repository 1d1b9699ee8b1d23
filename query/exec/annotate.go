package exec

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// Annotator adds the layers of models to documents: from the cache, else computed by
// workers, unit by unit, keeping the order.
type Annotator struct {
	R      *Execution
	Models []*Configured
	Stats  *operator.Stats
	room   *room // nil where the documents may be read after the end
	// room for a single model and a single unit
	own   operator.Stats
	model Configured
	list  [1]*Configured
	unit1 [1][]*text.Document
	hash  [1][16]byte
	seq   [1]uint64
	todo  [1]int
}

// units cuts documents into the units of a model.
func (a *Annotator) units(docs []*text.Document, s *kind.Schema) [][]*text.Document {
	if s.Unit == kind.PerDocument && len(docs) == 1 {
		a.unit1[0] = docs
		return a.unit1[:]
	}
	return s.Units(docs)
}

// Whole reports whether a model needs all documents at once.
func (a *Annotator) Whole() bool {
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
	views := a.views(docs)
	for _, m := range a.Models {
		if err := a.one(ctx, m, views); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// views returns copies of the documents, which share their layers.
func (a *Annotator) views(docs []*text.Document) []*text.Document {
	if m := a.room; m != nil && len(docs) == 1 {
		m.view, m.views[0] = *docs[0], &m.view
		return m.views[:]
	}
	copies, views := make([]text.Document, len(docs)), make([]*text.Document, len(docs))
	for i, d := range docs {
		copies[i] = *d
		views[i] = &copies[i]
	}
	return views
}

// one runs one model over the documents.
func (a *Annotator) one(ctx context.Context, m *Configured, docs []*text.Document) error {
	us := a.units(docs, &m.Schema)
	hashes := a.hash[:]
	if len(us) != 1 {
		hashes = make([][16]byte, len(us))
	}
	var room [1 << 10]byte
	buf := room[:0]
	for i, u := range us {
		hashes[i], buf = contentHash(u, &m.Schema, buf)
	}
	if m.Schema.Unit == kind.PerCorpus && len(docs) > 1 {
		return a.corpus(ctx, m, docs, hashes[0])
	}
	todo, err := a.fromCache(m, us, hashes)
	if err != nil {
		return err
	}
	if err := a.compute(ctx, m, us, hashes, todo); err != nil || !m.Schema.CutsText() {
		return err
	}
	for _, d := range docs {
		recut(d)
	}
	return nil
}

// fromCache fills the units that the cache knows and returns the others.
func (a *Annotator) fromCache(m *Configured, us [][]*text.Document, hashes [][16]byte) ([]int, error) {
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
		if found[i] == nil || DecodeResult(found[i], u, writes, m.LayerDef(a.R.LayerNamed)) != nil {
			todo = append(todo, i)
		}
	}
	a.Stats.Misses += int64(len(todo))
	a.Stats.Hits += int64(len(us) - len(todo))
	return todo, nil
}

// known returns what the cache has, nil for what it has not.
func (a *Annotator) known(m *Configured, seqs []uint64, hashes [][16]byte) [][]byte {
	if a.R.cached() {
		return a.R.Store.Cache().GetMany(m.key, seqs, hashes)
	}
	return a.R.Shared.getMany(m.key, seqs, hashes)
}

// keep hands what a model gave for documents to the cache; it goes by the first of them.
func (a *Annotator) keep(ctx context.Context, m *Configured, docs []*text.Document, hash [16]byte, room []byte) error {
	if !a.R.cached() {
		if a.R.Shared != nil {
			a.R.Shared.put(m.key, cacheSeq(docs[0], hash), hash, EncodeResult(nil, docs, m.Wanted()))
		}
		return nil
	}
	return a.R.Store.Cache().Put(ctx, m.key, cacheSeq(docs[0], hash), hash, EncodeResult(room, docs, m.Wanted()))
}

// corpus runs a model that looks at all documents at once. The cache has an entry for each document, so that no value
// is as large as a corpus: the answer is known if all of them are.
func (a *Annotator) corpus(ctx context.Context, m *Configured, docs []*text.Document, hash [16]byte) error {
	seqs, hashes := make([]uint64, len(docs)), make([][16]byte, len(docs))
	for i, d := range docs {
		sum := sha256.Sum256(binary.AppendUvarint(hash[:], uint64(i)))
		hashes[i] = [16]byte(sum[:16])
		seqs[i] = cacheSeq(d, hashes[i])
	}
	found, writes, def := a.known(m, seqs, hashes), m.Wanted(), m.LayerDef(a.R.LayerNamed)
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
		if err := a.keep(ctx, m, docs[i:i+1], hashes[i], nil); err != nil {
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

// compute annotates units by workers and stores what they give.
func (a *Annotator) compute(ctx context.Context, m *Configured, us [][]*text.Document, hashes [][16]byte, todo []int) error {
	switch len(todo) {
	case 0:
		return nil
	case 1:
		return a.unit(ctx, m, us[todo[0]], hashes[todo[0]])
	}
	return a.share(ctx, m, us, hashes, todo)
}

// share computes units by several workers, until one fails.
func (a *Annotator) share(ctx context.Context, m *Configured, us [][]*text.Document, hashes [][16]byte, todo []int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, len(todo))
	work := func() {
		defer wg.Done()
		for {
			k := int(next.Add(1)) - 1
			if k >= len(todo) {
				return
			}
			if errs[k] = a.unit(ctx, m, us[todo[k]], hashes[todo[k]]); errs[k] != nil {
				cancel()
				return
			}
		}
	}
	n := min(a.R.Workers(), len(todo))
	wg.Add(n)
	for range n {
		go work()
	}
	wg.Wait()
	return firstError(errs)
}

// firstError prefers what went wrong to what was cancelled because of it.
func firstError(errs []error) error {
	var out error
	for _, err := range errs {
		if err != nil && (out == nil || errors.Is(out, context.Canceled) && !errors.Is(err, context.Canceled)) {
			out = err
		}
	}
	return out
}

// unit annotates one unit and hands the result to the cache.
func (a *Annotator) unit(ctx context.Context, m *Configured, u []*text.Document, hash [16]byte) (err error) {
	defer guard.Recover(&err, "annotate with "+m.Label)
	if err := a.answer(ctx, m, u); err != nil || len(u) == 0 {
		return err
	}
	var room [256]byte
	return a.keep(ctx, m, u, hash, room[:0])
}

// answer annotates one unit.
func (a *Annotator) answer(ctx context.Context, m *Configured, u []*text.Document) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	views, copied := blind(u, m)
	var one [1]*text.Layer
	tokens := tokensOf(views, one[:0])
	run, start := m.Run, time.Now()
	if err := m.Model.Annotate(ctx, views, &run); err != nil {
		return fmt.Errorf("annotate with %s: %w", m.Label, err)
	}
	if err := m.verify(views, tokens, a.R.Database); err != nil {
		return err
	}
	a.R.annotated(m, u, start)
	if copied {
		m.hand(views, u)
	}
	return nil
}

// blind returns views of documents in which a model cannot see the layers that it writes, nor columns of tokens that it
// writes and does not read, and sees those that it reads as it asks for them; of a layer that it writes and reads it
// sees the columns that it names. They are the documents themselves if all that it writes is wanted and all layers are
// as they are read.
func blind(u []*text.Document, m *Configured) (views []*text.Document, copied bool) {
	views = u
	copied = m.Run.Wanted != nil || slices.ContainsFunc(u, func(d *text.Document) bool { return !asAsked(d, m.Schema.Reads) })
	if copied {
		views = make([]*text.Document, len(u))
		for i, d := range u {
			v := *d
			asRead(&v, m.Schema.Reads)
			views[i] = &v
		}
	}
	for _, d := range views {
		for _, w := range m.Schema.Writes {
			if w.CutsText() {
				d.DropLayer(text.Sentences.Name)
				d.DropLayer(w.Layer)
				continue
			}
			l := d.Layer(w.Layer)
			switch {
			case l == nil:
			case w.Layer == text.Tokens.Name:
				hide(d, l, w.Columns, m.Schema.Reads)
			default:
				narrow(d, l, m.Schema.Reads)
			}
		}
	}
	return views, copied
}

// narrow leaves a document the columns that are named as read of a layer that is written, without any no layer.
func narrow(d *text.Document, l *text.Layer, reads []kind.LayerUse) {
	var columns []string
	for _, u := range reads {
		if u.Layer == l.Def.Name {
			columns = append(columns, u.Columns...)
		}
	}
	if len(columns) == 0 {
		d.DropLayer(l.Name)
		return
	}
	v := *l
	v.Cols = slices.Clone(l.Cols)
	for i, c := range l.Def.Columns {
		if !slices.Contains(columns, c.Name) {
			v.Cols[i] = text.Col{}
		}
	}
	d.SetLayer(&v)
}

// hide takes columns of the tokens that nothing reads out of a document.
func hide(d *text.Document, l *text.Layer, columns []string, reads []kind.LayerUse) {
	var without *text.Layer
	for _, name := range columns {
		c := l.Def.Index(name)
		read := slices.ContainsFunc(reads, func(u kind.LayerUse) bool {
			return u.Layer == text.Tokens.Name && readsColumn(u, name)
		})
		if c < 0 || read || l.Cols[c].Strs == nil && l.Cols[c].Ints == nil {
			continue
		}
		if without == nil {
			v := *l
			v.Cols = slices.Clone(l.Cols)
			without = &v
		}
		without.Cols[c] = text.Col{}
	}
	if without != nil {
		d.SetLayer(without)
	}
}

// hand gives documents the wanted layers of their views.
func (c *Configured) hand(views, u []*text.Document) {
	for i, d := range u {
		for _, w := range c.Wanted() {
			if l := views[i].Layer(w.Layer); l != nil {
				d.SetLayer(l)
			} else {
				d.DropLayer(w.Layer)
			}
		}
	}
}

// contentHash hashes what a model reads of a unit: texts, metadata, and the layers and columns it names.
func contentHash(u []*text.Document, s *kind.Schema, buf []byte) ([16]byte, []byte) {
	buf = buf[:0]
	for _, d := range u {
		buf = appendString(buf, d.Text)
		for _, f := range s.Fields {
			buf = value.AppendRow(buf, []value.Value{d.Field(f)})
		}
		for _, r := range s.Reads {
			l := layerAsRead(d.Layer(r.Layer), r)
			if l == nil {
				buf = append(buf, 0)
				continue
			}
			buf = binary.AppendUvarint(append(buf, 1), uint64(l.N))
			for c := range l.Cols {
				if structural(l.Def, c) || readsColumn(r, l.Def.Columns[c].Name) {
					buf = appendCol(buf, &l.Cols[c])
				}
			}
			if l.Prob != nil || l.Rank != nil {
				buf = appendCol(appendCol(buf, &text.Col{Floats: l.Prob}), &text.Col{Ints: l.Rank})
			}
		}
	}
	sum := sha256.Sum256(buf)
	return [16]byte(sum[:16]), buf
}

// structural columns of tokens shape what every model sees.
func structural(d *text.LayerDef, c int) bool {
	return d == text.Tokens && (d.Columns[c].Name == "sent" || d.Columns[c].Role == text.Offset)
}

func readsColumn(r kind.LayerUse, name string) bool {
	if r.Columns == nil {
		return true
	}
	for _, c := range r.Columns {
		if c == name {
			return true
		}
	}
	return false
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendCol(b []byte, c *text.Col) []byte {
	for _, x := range c.Ints {
		b = binary.AppendUvarint(b, uint64(uint32(x)))
	}
	for _, x := range c.Strs {
		b = appendString(b, x)
	}
	for _, x := range c.Floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// Annotators prepares the models of a node.
func (r *Execution) Annotators(n *plan.Layer) (*Annotator, error) {
	a := new(Annotator)
	return a, a.Prepare(r, n, nil)
}

// Prepare configures the models of a node for what the reader of their layers asks, and the query itself.
func (a *Annotator) Prepare(r *Execution, n *plan.Layer, reads []kind.LayerUse) error {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return err
	}
	a.R, a.own = r, operator.Stats{Annotated: true}
	a.Stats, a.Models = &a.own, a.list[:0]
	if st := r.Stats.Of(n); st != nil {
		a.Stats = st
		a.Stats.Annotated = true
	}
	nbest, err := r.nbest(n, args)
	if err != nil {
		return optarg.AtOption(err, n.Options)
	}
	for i, m := range n.Models {
		last := i == len(n.Models)-1
		var own = args
		if !last {
			own = nil
		}
		k, prob := Demand(n.Models, i, reads)
		if last {
			k, prob = max(k, nbest), prob || n.Prob()
		}
		c := &a.model
		if i > 0 {
			c = new(Configured)
		}
		if err := r.configureInto(c, m, Request{Options: own, Layers: m.Wanted, Prob: prob, Nbest: k}); err != nil {
			return optarg.AtOption(err, n.Options)
		}
		a.Models = append(a.Models, c)
	}
	if len(a.Models) > 0 && n.ReadsProb() {
		r.WarnProb(a.Models[len(a.Models)-1])
	}
	return nil
}

// WarnProb tells those who read prob of a model where it does not say how often rows are right.
func (r *Execution) WarnProb(c *Configured) {
	what := ""
	switch c.Schema.Prob {
	case kind.Score:
		what = c.Label + ": prob is a score, which orders rows and says not how often they are right"
	case kind.NoProb:
		what = c.Label + ": prob is NULL, the model has none"
	}
	if what == "" || r.told[what] {
		return
	}
	if r.told == nil {
		r.told = map[string]bool{}
	}
	r.told[what] = true
	r.Session.Notice(what)
}

// nbest is the number of best outputs that a statement wants, 0 where it says nothing.
func (r *Execution) nbest(n *plan.Layer, args []option.Arg) (k int, err error) {
	for i, o := range args {
		if o.Name != "nbest" {
			continue
		}
		if k, err = optarg.IntArg(o, 1, 1000); err != nil || k == 1 || len(n.Models) == 0 {
			return k, err
		}
		m := &n.Models[len(n.Models)-1]
		if slices.Contains(m.Schema.Ranked, n.Name) {
			return k, nil
		}
		hint := "leave nbest out"
		if len(m.Schema.Ranked) > 0 {
			hint += "; it has n best " + strings.Join(m.Schema.Ranked, ", ")
		}
		return 0, plan.Errorf(n.Options[i].Pos, plan.CodeFeature, hint, "%s, a model of kind %s, gives the best %s only, "+
			"not the n best", m, m.Kind, n.Name)
	}
	return 0, nil
}
