// Package kind is the contract between the database and its kinds of model.
//
// A kind is what TRAIN names. It reads and writes layers of documents, opens relations,
// explains its decisions and keeps its weights in named sections. It knows nothing of
// storage or of the query language.
//
// # State
//
// A kind whose answer is about a whole corpus or table (entities over records and across documents, clusters, acquired
// tables) does not annotate PerCorpus: that takes all documents in memory, again for each statement, and all is
// computed anew when one document changes. It trains. Train reads the records one by one, in bounded memory where it
// can, reports Progress each round and keeps checkpoints by Save, so that RESUME goes on; the model is the state, and
// its Relations list entities, members and trees in batches. With Kind.Starts, Training.Init is an earlier state, which
// TRAIN … WITH (init = …) refines by new records into a new version. kindtest.EntitiesKind is a small one. PerCorpus is
// for layers that depend on few documents, such as a ranking of them; the cache keeps what it gives document by
// document, for as long as no document changes.
//
// # Conventions
//
// Train, Annotate, Open and Evaluate return ctx.Err() where the context has ended, wrapped or as it is, and look at it
// at least every some milliseconds.
//
// Annotate meets documents that lack an input layer, or have it without rows: it writes its layers then as well,
// without rows or with its answer to nothing, or leaves them out, which readers see in the same way; it fails on no
// document. Columns that are missing are empty.
//
// Prob is from 0 to 1, or NaN for a row without; Schema.Prob says which meaning of Probability it has. It is set where
// Run.Prob or Run.NBest over 1 asks for it, and changes no other column. Ranks are from 1, in the unit of the decoder:
// a sentence or a document.
package kind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Sentinels of the contract.
var (
	ErrCorrupt = errors.New("damaged model")       // returned by Decode for bytes that are no model
	ErrNoData  = errors.New("nothing to train on") // returned by Train for inputs without a usable item
	// returned by Evaluate: the engine annotates and scores the written layers
	ErrByLayers   = errors.New("scored by layers")
	ErrNoExplain  = errors.New("kind explains no prediction") // returned by Explain of kinds without it
	ErrNoRelation = errors.New("no such relation")            // returned by Open
	ErrNoSection  = errors.New("no such section")             // wrapped by a Reader for a section that was not written
)

// Kind declares a kind of model. Revision rises when equal weights would answer differently.
type Kind struct {
	Name     string
	Doc      string
	Learns   string // what it learns and how its answers are asked for, in Markdown, for docs/kinds.md
	Figures  string // how well it does, in Markdown, for docs/kinds.md; "" if nobody measured it
	Paper    string // sources, "" if textbook
	Revision int
	Starts   bool     // Train can start from another model, Training.Init
	Optional []string // sections that models of earlier revisions may lack
	New      func() Model
}

// Model is an untrained or trained model. Options is called first, once; the rest sees
// the applied options. A trained model is never changed again and is safe for concurrent
// use by Annotate, Open, Evaluate, Explain and Encode.
type Model interface {
	// Options declares the options, storing into the model.
	Options(*option.Set)
	// Schema tells, after options or Decode, what the model reads and writes.
	Schema() Schema
	// Train learns from the inputs. The same documents, options and seed give the same bytes.
	Train(context.Context, *Training) error
	// Annotate adds the written layers that the run wants to the documents of one unit with SetLayer. The engine
	// refuses what Document.Verify finds wrong with them.
	Annotate(context.Context, []*text.Document, *Run) error
	// Open opens a relation of the model with its arguments.
	Open(context.Context, string, []value.Value, *Run) (Rows, error)
	// Evaluate scores the model on gold documents or tables; ErrByLayers leaves it to the engine.
	// The first metric is the main one.
	Evaluate(context.Context, Input, *Run) ([]metrics.Metric, error)
	// Explain tells the features and weights behind a decision.
	Explain(context.Context, []*text.Document, At, *Run) (Explanation, error)
	// Encode writes the trained model as named sections; Decode reads them after Options.
	Encode(*Writer) error
	Decode(*Reader) error
}

// Sized is a model that knows what it takes in memory, in bytes. Of others the database takes a
// multiple of the stored weights.
type Sized interface {
	Bytes() int64
}

// Cautious is a model that may have something to say of the options after USING.
type Cautious interface {
	// Caution is a notice to the user, "" for none.
	Caution() string
}

// Estimated is a model that knows how much work it is to open a relation.
type Estimated interface {
	// Estimate is how many things of a sort are looked at, 0 where that is not worth telling. Arguments that are not
	// known yet are NULL.
	Estimate(relation string, args []value.Value) (n int64, what string)
}

// Unit is what a model annotates at once.
type Unit uint8

// The units.
const (
	PerDocument Unit = iota
	PerGroup         // documents that share the value of a column
	PerCorpus        // all documents of a statement, which are in memory at once; see State in the package's page
)

func (u Unit) String() string { return [...]string{"document", "group", "corpus"}[u] }

// LayerUse names a layer and the columns of it that are read or written; nil columns are all.
//
// NBest and Prob are asked of what is read: of a model that supplies the layer, or of what is stored. Rows of
// the layer then have rank 1 to NBest, or prob. A model without n best outputs gives its best one, with rank 1; prob is
// NaN where there is none. Without NBest a reader sees the rows of rank 1 alone, and no ranks.
//
// What is optional is read where a corpus stores it, or a model of USING or of the training supplies it, and absent or
// empty elsewhere. A layer may stand twice, with columns that are needed and with optional ones.
type LayerUse struct {
	Layer    string
	Columns  []string
	NBest    int  // number of best outputs, 0 or 1 for the best alone
	Prob     bool // rows have prob
	Optional bool // of what is read
}

// CutsText reports whether tokens are written as a whole, without a list of columns: the model cuts the text, and what
// it writes takes the place of the tokens that were there, and of the sentences. It reads no tokens.
func (u LayerUse) CutsText() bool { return u.Layer == text.Tokens.Name && u.Columns == nil }

// Role is an input beside the plain one, TRAIN … ON docs, raw AS unlabelled, rules AS constraints: documents, or
// tables. Documents come with the layers that the role reads and learns, in the units of the schema.
type Role struct {
	Name     string
	Doc      string
	Reads    []LayerUse // of documents: what models may supply
	Learns   []LayerUse // of documents: gold that must be stored
	Tables   []TableUse // what the input holds in place of documents
	Optional bool       // TRAIN may leave the input out; EVALUATE always may
	Train    bool       // TRAIN takes it
	Evaluate bool       // EVALUATE takes it
}

// Schema tells what a model reads, writes and answers.
type Schema struct {
	Unit   Unit
	Group  string     // column whose value makes a group, for PerGroup
	Reads  []LayerUse // inputs of Annotate; the engine supplies them
	Learns []LayerUse // gold layers that Train needs besides
	Writes []LayerUse
	Prob   Probability // what the column prob of these layers is
	Ranked []string    // written layers of which Annotate gives n best outputs
	// layers of its own that the registry does not know; a column prob or rank stands for the hidden one
	Defs      []*text.LayerDef
	Tables    []TableUse // what Train learns from in place of documents
	Scores    []TableUse // what Evaluate reads in place of documents
	Resources []Resource // objects that Train, Annotate and Open look into
	Relations []Relation
	Roles     []Role   // inputs besides the plain one, of Train and Evaluate
	Fields    []string // metadata columns of documents that are read; NULL for ad-hoc text and where a corpus lacks them
}

// Role returns the declaration of an input role, or nil.
func (s *Schema) Role(name string) *Role {
	for i := range s.Roles {
		if s.Roles[i].Name == name {
			return &s.Roles[i]
		}
	}
	return nil
}

// CutsText reports whether the model writes tokens as a whole.
func (s *Schema) CutsText() bool { return slices.ContainsFunc(s.Writes, LayerUse.CutsText) }

// DocumentFields are the metadata columns that a model needs: those that it reads and that of its groups.
func (s *Schema) DocumentFields() []string {
	if s.Group == "" || slices.Contains(s.Fields, s.Group) {
		return s.Fields
	}
	return append(slices.Clone(s.Fields), s.Group)
}

// Probability says what the column prob of the written layers is. Where it is not NULL it lies from 0 to 1.
type Probability uint8

// The meanings of prob.
const (
	NoProb     Probability = iota // NULL
	Score                         // it orders rows, and says not how often they are right
	Marginal                      // exactly the share of the analyses with this row, under the weights of the model
	Calibrated                    // fitted to how often rows of held-out documents are right
)

// Doc says the same in a sentence.
func (p Probability) Doc() string {
	return [...]string{
		"the model has none, it is NULL",
		"it orders rows, and does not say how often they are right",
		"the exact share of the analyses with the row, under the weights of the model",
		"how probable the row is right, fitted to held-out documents",
	}[p]
}

func (p Probability) String() string {
	return [...]string{"none", "score", "marginal", "calibrated"}[p]
}

// TableUse names a table that a kind reads. A knowledge base supplies its table of that name, a
// model its relation of that name. A lexicon, a relation model.relation and a table kb.table are
// one table each and stand for the first TableUse, whatever they are called.
type TableUse struct {
	Name     string
	Columns  []Column // matched by name and cast to the type; the input may have more
	Optional bool     // the input may lack the table
	Doc      string
}

// Def returns the definition of a layer of the model's own, or nil.
func (s *Schema) Def(layer string) *text.LayerDef {
	for _, d := range s.Defs {
		if d.Name == layer {
			return d
		}
	}
	return nil
}

// Resource names an object that a model looks into. Gazetteers, lexicons, knowledge bases and corpora are live; a
// relation of another model may stand for a gazetteer or lexicon. Models, and their relations, are pinned: a trained
// model sees the versions that it was trained with, whatever is trained under their names later.
//
// A model whose options name another model (o.Model, o.Resource) puts the value of the option,
// name[@version], into Schema.Resources and gives it to Resources.Model, in Train and in Annotate.
// The engine finds it before training starts, records it in the lineage and in the key of the cache.
type Resource struct {
	Kind string // gazetteer, lexicon, kb, corpus, model
	Name string // of lexicons and gazetteers also model[@version][.relation], of corpora also corpus.layer
	From string // the kind whose models are usually named, for hints, such as brown; may be empty
}

// Relation is a table that a model offers, with arguments it is a table function.
//
// Prefix names a column of texts: rows whose text there begins with Run.Prefix are found without reading the others,
// which Open may leave out.
//
// Falling names a column, never NULL, whose highest values come first: where the rows with the highest ones are asked
// for, Run.Limit says how many of the first rows are read.
type Relation struct {
	Name    string
	Doc     string
	Columns []Column
	Args    []Arg
	Prefix  string
	Falling string
}

// ColumnNames are the names of the columns.
func (r Relation) ColumnNames() []string {
	out := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		out[i] = c.Name
	}
	return out
}

// Column is a typed column of a relation or of a table that is read.
type Column struct {
	Name     string
	Type     value.Type
	Doc      string
	Optional bool // of a table that is read: NULL where the table has no such column
	Infinite bool // of a table that is read: numbers may be infinite or NaN, which the engine refuses elsewhere
}

// Arg is an argument of a relation. Optional arguments are NULL when left out.
type Arg struct {
	Name     string
	Type     value.Type
	Optional bool
	Doc      string
}

// Rows is an open relation. Next returns nil at the end.
type Rows interface {
	Next(context.Context) (*value.Batch, error)
	Close() error
}

// Input is a re-iterable source of documents in a fixed order, or of tables: those of
// Schema.Tables or Schema.Scores, with the columns in the order that they are declared in.
// Documents come with the layers that the schema reads and learns. Nothing of a batch may be changed.
type Input interface {
	Documents(context.Context) iter.Seq2[*text.Document, error]
	Count() int // documents, an estimate where a filter is pending
	// Table returns a table of the schema, false for an optional one that the input lacks.
	Table(name string) (Table, bool)
}

// Table is a re-iterable sequence of rows in a fixed order. A row is read before the next one is
// asked for; a value that the input lacks is NULL.
type Table interface {
	Rows(context.Context) iter.Seq2[[]value.Value, error]
	Count() int // rows, an estimate where a filter is pending
}

// Progress is one line of a training's trace.
type Progress struct {
	Step, Of  int
	Objective float64 // NaN where there is none, or 0 before the first step
	HeldOut   float64 // NaN without VALIDATE
	Metric    string  // name of the held-out score
	Gap       float64 // estimate from above of (objective − least objective) / least objective; 0 where unknown
	Active    int     // weights that are not 0; 0 where not counted
	Seconds   float64
	Note      string
	Aside     bool    // tells of other work than steps of the training, and is no line of the trace
	Share     float64 // part of the work that is done, from 0 to 1, where the steps of all are not known; 0 for unknown
	Rate      float64 // steps a second; 0 where it is not known yet; the engine sets it, and Left
	Left      float64 // seconds that the rest takes at this rate
}

// beforeSteps begins the progress of a training that has made no step yet.
const beforeSteps = "before the first step"

// IsProgress reports whether a line is the text of a Progress.
func IsProgress(line string) bool {
	return strings.HasPrefix(line, "step ") || strings.HasPrefix(line, beforeSteps)
}

// String is one line: step, objective, held-out score, time and what is left at most.
func (p Progress) String() string {
	s := fmt.Sprintf("step %d", p.Step)
	if p.Step == 0 {
		s = beforeSteps
		if p.Of > 0 {
			s += fmt.Sprintf(" of %d", p.Of)
		}
	} else if p.Of > 0 {
		s += fmt.Sprintf("/%d", p.Of)
	}
	if p.Share > 0 {
		s += fmt.Sprintf("  %.0f %%", 100*p.Share)
	}
	if !math.IsNaN(p.Objective) && (p.Step > 0 || p.Objective != 0) {
		s += fmt.Sprintf("  objective %.2f", p.Objective)
	}
	if p.Gap > 0 {
		s += fmt.Sprintf("  gap %.1e", p.Gap)
	}
	if p.Active > 0 {
		s += fmt.Sprintf("  active %d", p.Active)
	}
	if p.Metric != "" && !math.IsNaN(p.HeldOut) {
		s += fmt.Sprintf("  %s %.4f", p.Metric, p.HeldOut)
	}
	s += fmt.Sprintf("  %.1f s", p.Seconds)
	if p.Rate > 0 {
		s += fmt.Sprintf("  %.3g steps/s", p.Rate)
	}
	if p.Left > 0 {
		s += fmt.Sprintf("  at most %.0f s left", p.Left)
	}
	if p.Note != "" {
		s += "  " + p.Note
	}
	return s
}

// Known is the name of the role of rows that are known, though neither learned from nor asked for. When a kind
// is scored on held-out rows of its table, the others have it.
const Known = "known"

// Training is what Train learns from.
type Training struct {
	On        Input
	Roles     map[string]Input // further inputs by role
	Validate  Input            // nil without VALIDATE
	Resources Resources
	Init      Model // trained model of the same kind to start from, or nil; only of kinds with Starts
	Seed      uint64
	Workers   int
	Resume    *Reader                         // checkpoint to go on from, or nil
	Save      func(func(*Writer) error) error // keeps a checkpoint; may be nil
	// time between checkpoints; 0: a second to a minute, by what one costs. It changes no result
	SaveEvery time.Duration
	Report    func(Progress) // never nil
	// held-out score of the model as it stands; nil without VALIDATE
	Score  func(ctx context.Context, m Model) (float64, string, error)
	Notice func(string) // never nil
	NoProb bool         // nobody will ask the model for prob
	// the input in parts that others read, for kinds that are Sharded; nil: On
	Shards *Shards
}

// Unconverged gives a notice that an option's limit ended the training while its objective still fell. It is for
// methods that minimise until nothing changes, not for those that make a number of passes.
func (t *Training) Unconverged(option string, limit int) {
	t.Notice(fmt.Sprintf("%s = %d ended the training before it converged: a higher limit may score better", option, limit))
}

// Run is the surroundings of annotation and of relations.
type Run struct {
	Resources Resources
	Workers   int
	Seed      uint64           // of what is drawn at random: that of the training
	Roles     map[string]Input // further inputs of Evaluate by role
	Wanted    []string         // written layers that are read; nil for all
	Prob      bool             // prob is wanted
	NBest     int              // number of best outputs wanted, 0 or 1 unless a layer of Schema.Ranked is wanted
	// of Open: what the texts of the column Relation.Prefix begin with in the rows that are read
	Prefix string
	Limit  int            // of Open: how many rows are read, the first ones; 0 for all
	Report func(Progress) // progress of Annotate, Open and Evaluate; never nil
	Notice func(string)   // of Open and Explain, for Tell; nil where nobody listens
}

// Tell gives the user a notice about an answer.
func (r *Run) Tell(notice string) {
	if r.Notice != nil {
		r.Notice(notice)
	}
}

// Wants reports whether somebody reads the layer. What a model writes of others is thrown away.
func (r *Run) Wants(layer string) bool { return r.Wanted == nil || slices.Contains(r.Wanted, layer) }

// At is a place in a text, all numbers 1-based, 0 where not given; or a relation with arguments.
type At struct {
	Sent, Tok int
	Relation  string
	Args      []value.Value
}

// Sentences yields the sentences of a document that are asked for, all if none is named.
func (a At) Sentences(d *text.Document) iter.Seq[text.Sentence] {
	return func(yield func(text.Sentence) bool) {
		for s := range d.Sentences() {
			if (a.Sent == 0 || a.Sent == s.Number) && !yield(s) {
				return
			}
		}
	}
}

// Token reports whether a token of such a sentence, counted from 1, is asked for.
func (a At) Token(tok int) bool { return a.Tok == 0 || a.Tok == tok }

// Contribution is one feature that spoke for or against an outcome.
type Contribution struct {
	Feature string
	Value   float64
	Weight  float64
}

// Decision is one explained decision: the outcome, the runner-up, the difference of their
// scores, and the features that differ between both, by falling |value·weight|.
type Decision struct {
	Doc, Place    string
	Sent, Tok     int
	Form          string
	Outcome       string
	RunnerUp      string
	Prob          float64 // NaN where the kind has none
	Margin        float64
	Contributions []Contribution
}

// Sort puts the contributions into their order; those of the same size stay as they are.
func (d *Decision) Sort() {
	slices.SortStableFunc(d.Contributions, func(a, b Contribution) int {
		return cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight))
	})
}

// Gather adds sums of weights by the names of their features, but for those of at most least, and their sum to the
// margin.
func (d *Decision) Gather(sums map[string]float64, least float64) {
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if w := sums[name]; math.Abs(w) > least {
			d.Contributions = append(d.Contributions, Contribution{Feature: name, Value: 1, Weight: w})
		}
	}
	d.Sort()
	for _, c := range d.Contributions {
		d.Margin += c.Weight
	}
}

// Explanation is the decisions at the asked places.
type Explanation struct{ Decisions []Decision }

// Base gives the empty answers; kinds embed it.
type Base struct{}

// Open has no relations.
func (Base) Open(_ context.Context, rel string, _ []value.Value, _ *Run) (Rows, error) {
	return nil, ErrNoRelation
}

// Evaluate leaves scoring to the engine.
func (Base) Evaluate(context.Context, Input, *Run) ([]metrics.Metric, error) {
	return nil, ErrByLayers
}

// Explain has no explanation.
func (Base) Explain(context.Context, []*text.Document, At, *Run) (Explanation, error) {
	return Explanation{}, ErrNoExplain
}
