package triples

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Answers are the options, relations and scores that models over triples share. A kind embeds it,
// sets its fields in Train and Decode, and declares what it learns from.
type Answers struct {
	kind.Base
	Graph  *Graph `state:",always"`
	Sets   *Sets  `state:"sets"` // nil: relations allow all entities
	Scorer Scorer
	opt    struct {
		typeCheck  string
		known      bool
		top        int
		maxScored  int
		task       string
		negatives  int
		seed       int
		byRelation bool
	}
}

// Options declares the options of the phase predict.
func (a *Answers) Options(s *option.Set) {
	s.Choice(&a.opt.typeCheck, "type_check", "auto", []string{"auto", "true", "false"},
		"what relations do not allow is left out by complete, scored -infinity and ranked last, "+
			"all of it where a given entity is not allowed; "+
			"auto: where the model has types, but not in the task relation_retrieval").In(option.Predict)
	s.Bool(&a.opt.known, "known", false, "complete gives facts that the model was trained on too").In(option.Predict)
	s.Int(&a.opt.top, "top", 1000, 1, 1<<24,
		"complete gives at most as many rows where more than one argument is left open").In(option.Predict)
	s.Int(&a.opt.maxScored, "max_scored", 2_000_000_000, 1, math.MaxInt,
		"complete refuses to score more triples than this for a pattern with more than one open argument; kinds that "+
			"bound their scores score few, others all that EXPLAIN estimates").In(option.Run)
	s.Choice(&a.opt.task, "task", tasks[0], tasks,
		"what EVALUATE ranks: all entities at each side of a triple; the objects of a subject and a relation among sampled "+
			"others; the pairs of a relation among as many sampled others; all relations of a pair").In(option.Predict)
	s.Int(&a.opt.negatives, "negatives", 100, 1, 1<<20, "sampled entities a query of the task entity_retrieval").In(
		option.Predict)
	s.Int(&a.opt.seed, "sample_seed", 1, 0, math.MaxInt32, "seed of what is sampled for a task").In(option.Predict)
	s.Bool(&a.opt.byRelation, "by_relation", false, "EVALUATE gives the scores of each relation too").In(option.Predict)
}

// Schema tells what such models learn from, are scored on and answer.
func (a *Answers) Schema() kind.Schema {
	return kind.Schema{Tables: Learns, Scores: Scores,
		Relations: []kind.Relation{completeRelation, scoreRelation, entityRelation, relationRelation},
		Roles:     []kind.Role{knownRole}}
}

// Learn takes over the facts of a training and what relations allow by the options of types.
func (a *Answers) Learn(ctx context.Context, d *Data, o Types, t *kind.Training) (err error) {
	if o.from == "declared" && !d.declares() {
		return fmt.Errorf(
			"types = declared wants relations with a domain or a range; the input declares none of its %d relations",
			d.Relations.Len())
	}
	if o.from == "stored" && !d.Typed() {
		return fmt.Errorf("types = stored wants entities with types; none of the %d of the input has one", d.Entities.Len())
	}
	a.Graph = d.Graph
	a.Sets, err = d.Sets(ctx, o, t.Seed, t.Workers)
	return err
}

// Annotate writes nothing.
func (a *Answers) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

var (
	subjectArg = kind.Arg{Name: "subject", Type: value.Text, Optional: true,
		Doc: "entity that the triple is about; open if left out"}
	relationArg = kind.Arg{Name: "relation", Type: value.Text, Optional: true,
		Doc: "name of the relation; open if left out"}
	objectArg = kind.Arg{Name: "object", Type: value.Text, Optional: true,
		Doc: "entity that it stands in the relation to; open if left out"}
	columns = []kind.Column{{Name: "subject", Type: value.Text, Doc: "entity that the triple is about"},
		{Name: "relation", Type: value.Text, Doc: "name of the relation"},
		{Name: "object", Type: value.Text, Doc: "entity that it stands in the relation to"},
		{Name: "score", Type: value.Float, Doc: "the higher the more likely; no probability"}}
)

var completeRelation = kind.Relation{Name: "complete",
	Doc: "triples that have the given arguments, by falling score, equal ones by the names of relation, subject " +
		"and object; without what the input denies and the facts that the model was trained on (known = true gives them " +
		"too) and what relations do not allow (type_check), nothing and a notice where a given entity is not allowed; with " +
		"several arguments open at most top rows, by scoring at most max_scored triples; a LIMIT without ORDER BY, or with " +
		"ORDER BY score DESC, is top, too",
	Columns: columns, Args: []kind.Arg{subjectArg, relationArg, objectArg}, Falling: "score"}

var scoreRelation = kind.Relation{Name: "score",
	Doc: "the score of one triple, -infinity where the relation does not allow it (type_check)",
	Columns: append(columns[:4:4],
		kind.Column{Name: "known", Type: value.Boolean, Doc: "whether the model was trained on it"},
		kind.Column{Name: "allowed", Type: value.Boolean, Doc: "whether the relation allows both entities"}),
	Args: []kind.Arg{{Name: "subject", Type: value.Text, Doc: "entity that the triple is about"},
		{Name: "relation", Type: value.Text, Doc: "name of the relation"},
		{Name: "object", Type: value.Text, Doc: "entity that it stands in the relation to"}}}

var entityRelation = kind.Relation{Name: "entities", Doc: "the entities that the model knows, by name",
	Columns: []kind.Column{
		{Name: "entity", Type: value.Text, Doc: "name"},
		{Name: "types", Type: value.Text, Doc: "its types with commas between; NULL without"},
		{Name: "degree", Type: value.Integer, Doc: "number of facts it is in"}}}

var relationRelation = kind.Relation{Name: "relations", Doc: "the relations that the model knows, by name",
	Columns: []kind.Column{
		{Name: "relation", Type: value.Text, Doc: "name"}, {Name: "facts", Type: value.Integer, Doc: "number of facts"},
		{Name: "subjects", Type: value.Integer, Doc: "number of entities that it allows as subjects"},
		{Name: "objects", Type: value.Integer, Doc: "number of entities that it allows as objects"}}}

// Open opens a relation.
func (a *Answers) Open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	switch relation {
	case completeRelation.Name:
		return a.complete(ctx, args, run)
	case scoreRelation.Name:
		return a.score(args, run)
	case entityRelation.Name:
		return a.entities(), nil
	case relationRelation.Name:
		return a.relations(), nil
	}
	return nil, kind.ErrNoRelation
}

// open is the number of an argument that is left open.
const open = -1

// pattern resolves the arguments subject, relation and object.
func (a *Answers) pattern(args []value.Value) (t Triple, err error) {
	find := func(i int, what string, names *Names) int32 {
		if i >= len(args) || args[i].IsNull() || err != nil {
			return open
		}
		n, ok := names.Find(args[i].S)
		if !ok {
			err = &kind.Unknown{What: what, Name: args[i].S, Known: names.All}
			return open
		}
		return n
	}
	t = Triple{find(0, "entity", a.Graph.Entities), find(1, "relation", a.Graph.Relations),
		find(2, "entity", a.Graph.Entities)}
	return t, err
}

// score scores one triple.
func (a *Answers) score(args []value.Value, run *kind.Run) (kind.Rows, error) {
	t, err := a.pattern(args)
	if err != nil {
		return nil, err
	}
	if t.Subject == open || t.Relation == open || t.Object == open {
		return nil, fmt.Errorf("score leaves no argument open; complete does")
	}
	c, err := a.checks(true)
	if err != nil {
		return nil, err
	}
	if why := a.refusal(c, t); why != "" {
		run.Tell(why + "; type_check = false scores it without them")
	}
	allowed := check{a.Sets}.triple(t)
	row := append(a.row(t, c.score(a.Scorer, t)), value.Bool(a.Graph.Index.Has(t)), value.Bool(allowed))
	return kind.RowsOf(scoreRelation, func(yield func([]value.Value) bool) { yield(row) }), nil
}

func (a *Answers) row(t Triple, score float64) []value.Value {
	g := a.Graph
	return []value.Value{value.Str(g.Entities.Name(t.Subject)), value.Str(g.Relations.Name(t.Relation)),
		value.Str(g.Entities.Name(t.Object)), value.Real(score)}
}

func (a *Answers) entities() kind.Rows {
	g := a.Graph
	return kind.RowsOf(entityRelation, func(yield func([]value.Value) bool) {
		degrees := g.Degrees()
		for e := range int32(g.Entities.Len()) {
			types := value.Value{}
			for i, t := range g.TypesOf(e) {
				if i > 0 {
					types.S += ","
				}
				types = value.Str(types.S + g.Types.Name(t))
			}
			if !yield([]value.Value{value.Str(g.Entities.Name(e)), types, value.Int(int64(degrees[e]))}) {
				return
			}
		}
	})
}

func (a *Answers) relations() kind.Rows {
	g := a.Graph
	return kind.RowsOf(relationRelation, func(yield func([]value.Value) bool) {
		for r := range int32(g.Relations.Len()) {
			left, right := g.Entities.Len(), g.Entities.Len()
			if a.Sets != nil {
				left, right = len(a.Sets.Allowed(Subject, r)), len(a.Sets.Allowed(Object, r))
			}
			if !yield([]value.Value{value.Str(g.Relations.Name(r)), value.Int(int64(g.Index.Count(r))), value.Int(int64(left)),
				value.Int(int64(right))}) {
				return
			}
		}
	})
}

// Evaluate scores the model by the option task. Known are the facts it was trained on, those it is
// scored on, and those of the role known.
func (a *Answers) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	gold, err := a.Graph.Triples(ctx, in)
	if err != nil {
		return nil, err
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("%w: the input has no triple that is true", kind.ErrNoData)
	}
	named := [][]Triple{a.Graph.Facts, keepNamed(gold)}
	if further := run.Roles[KnownRole]; further != nil {
		list, err := a.Graph.Triples(ctx, further)
		if err != nil {
			return nil, err
		}
		named = append(named, keepNamed(list))
	}
	e := &evaluation{Answers: a, gold: gold, known: NewIndex(a.Graph.Relations.Len(), named...), workers: run.Workers}
	if e.check, err = a.checks(a.opt.task != relationRetrieval); err != nil {
		return nil, err
	}
	return e.run(ctx)
}

func keepNamed(list []Triple) []Triple {
	var out []Triple
	for _, t := range list {
		if t.Named() {
			out = append(out, t)
		}
	}
	return out
}

// Loaded keeps equal sets once, and finds their entities by bits.
func (a *Answers) Loaded() error {
	if a.Sets == nil {
		return nil
	}
	b := newBuilder(a.Graph.Relations.Len(), a.Graph.Entities.Len())
	for side, of := range a.Sets.Of {
		for relation, n := range of {
			b.add(Side(side), int32(relation), a.Sets.Lists[n])
		}
	}
	a.Sets = b.sets()
	return nil
}
