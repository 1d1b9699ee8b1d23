package entityresolver

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:   "entity_resolver",
		Learns: "which rows of a table are of one entity: `er.entities`, `er.pairs` with `prob` for review",
		Figures: "a million generated records: F1 of pairs 0.95 in 16 s of processor time; with learned weights " +
			"B³ 0.95 on Cora, 0.84 on 16 names of PubMed, 0.75 on 55 of AMiner",
		Revision: 1, Starts: true,
		Doc: "finds which records of a table are of one entity: er.entities, er.pairs; " +
			"init refines a state by new records, and rows AS links say what must and must not be together",
		Paper: "Singh, Subramanya, Pereira and McCallum 2011; Singh, Wick and McCallum 2012; Wick, Singh and " +
			"McCallum 2012",
		New: func() kind.Model { return &model{away: fewRecords} },
	}
}

type model struct {
	kind.Base
	opt options
	state
	vectors vectors
	away    int // records of a block from which on its rounds are done over Training.Shards
}

// Options declares the options.
func (m *model) Options(s *option.Set) { m.opt.declare(s) }

// The tables.
const (
	recordsTable = "records"
	linksTable   = "links"
)

// Schema tells which columns are read and which relations answer.
func (m *model) Schema() kind.Schema {
	id := kind.Column{Name: "id", Type: value.Text, Doc: "name of the record"}
	gold := kind.Column{Name: "entity", Type: value.Text, Doc: "the entity that it is known to be, NULL for unknown"}
	records := kind.TableUse{Name: recordsTable, Columns: []kind.Column{id},
		Doc: "records; entity is learned from by weights = logistic and samplerank alone, and found out by nobody else"}
	for _, c := range m.opt.columns() {
		records.Columns = append(records.Columns, kind.Column{Name: c, Type: value.Text, Doc: "attribute"})
	}
	score := kind.TableUse{Name: recordsTable, Columns: []kind.Column{id, gold}, Doc: "records with their entities"}
	gold.Optional = true
	records.Columns = append(records.Columns, gold)
	links := kind.TableUse{Name: linksTable, Doc: "pairs of records that must be of one entity, or must not be",
		Columns: []kind.Column{
			{Name: "a", Type: value.Text, Doc: "id of a record"}, {Name: "b", Type: value.Text, Doc: "id of another"},
			{Name: "same", Type: value.Boolean, Doc: "whether they are of one entity"}}}
	return kind.Schema{Tables: []kind.TableUse{records}, Scores: []kind.TableUse{score}, Relations: relations,
		Roles: []kind.Role{{Name: "links", Doc: "what people say of pairs, which is obeyed",
			Tables: []kind.TableUse{links}, Optional: true, Train: true}}}
}

// Train reads the records, learns weights where they are asked for, and samples block after block.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if t.Shards != nil && m.opt.model != layeredModel {
		return fmt.Errorf("%w: model = %s; over shards, model = layered samples", kind.ErrOneProcess, m.opt.model)
	}
	began := time.Now()
	in, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	if t.Resume != nil {
		err = m.resume(t.Resume)
	} else {
		err = in.learn(ctx, t)
	}
	if err != nil {
		return err
	}
	m.collect()
	r := &run{input: in, t: t, began: began, keeper: checkpoint.NewKeeper(t)}
	if m.opt.seconds > 0 {
		r.until = began.Add(time.Duration(m.opt.seconds * float64(time.Second)))
	}
	if err := r.all(ctx); err != nil {
		return err
	}
	m.finish()
	*r, *in = run{}, input{}
	m.collect()
	return nil
}

// manyRecords is from how many records on memory is given back at once.
const manyRecords = 100000

// collect frees what is needed no more, so that it does not stand beside what comes next: after reading the tables of
// texts, after sampling all but the state, which is then written.
func (m *model) collect() {
	if len(m.ids) >= manyRecords {
		debug.FreeOSMemory()
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is about what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(4*len(m.ends)) + int64(4*len(m.labels)) + int64(4*len(m.parent))
	for _, p := range m.values {
		n += int64(len(p))
	}
	for _, s := range m.samples {
		n += int64(4 * len(s))
	}
	for _, id := range m.ids {
		n += int64(len(id)) + 16
	}
	return n
}

// report tells how far the training is, in records of blocks.
func (r *run) report(blocks int) {
	done, of := 0, 0
	for i, b := range r.blocks {
		if of += len(b.Items); i < blocks {
			done = of
		}
	}
	note := text.Countf("%d {entity|entities}", r.m.entities())
	if blocks == len(r.blocks) {
		note += r.m.agreement()
	}
	r.t.Report(kind.Progress{Step: done, Of: of, Objective: r.m.score(), HeldOut: math.NaN(),
		Seconds: time.Since(r.began).Seconds(), Note: note})
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
