package kindtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/value"
)

// altered is a model of which some methods are others.
type altered struct {
	kind.Model
	options  func(*option.Set)
	schema   func(*kind.Schema)
	train    func(context.Context, *kind.Training) error
	annotate func(context.Context, []*text.Document, *kind.Run) error
	open     func(string, kind.Rows) kind.Rows
	evaluate func([]metrics.Metric)
	explain  func(*kind.Explanation)
	encode   func(*kind.Writer) error
	decode   func(*kind.Reader) error
}

func (a *altered) Options(s *option.Set) {
	a.Model.Options(s)
	if a.options != nil {
		a.options(s)
	}
}

func (a *altered) Schema() kind.Schema {
	s := a.Model.Schema()
	if a.schema != nil {
		s.Relations = slices.Clone(s.Relations)
		a.schema(&s)
	}
	return s
}

func (a *altered) Train(ctx context.Context, t *kind.Training) error {
	if from, ok := t.Init.(*altered); ok {
		x := *t
		x.Init, t = from.Model, &x
	}
	if a.train != nil {
		return a.train(ctx, t)
	}
	return a.Model.Train(ctx, t)
}

func (a *altered) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	if a.annotate != nil {
		return a.annotate(ctx, docs, r)
	}
	return a.Model.Annotate(ctx, docs, r)
}

func (a *altered) Open(ctx context.Context, name string, args []value.Value, r *kind.Run) (kind.Rows, error) {
	rows, err := a.Model.Open(ctx, name, args, r)
	if err == nil && a.open != nil {
		rows = a.open(name, rows)
	}
	return rows, err
}

func (a *altered) Evaluate(ctx context.Context, in kind.Input, r *kind.Run) ([]metrics.Metric, error) {
	list, err := a.Model.Evaluate(ctx, in, r)
	if a.evaluate != nil {
		a.evaluate(list)
	}
	return list, err
}

func (a *altered) Explain(ctx context.Context, docs []*text.Document, at kind.At, r *kind.Run) (
	kind.Explanation, error) {
	x, err := a.Model.Explain(ctx, docs, at, r)
	if a.explain != nil {
		a.explain(&x)
	}
	return x, err
}

func (a *altered) Encode(w *kind.Writer) error {
	if err := a.Model.Encode(w); err != nil || a.encode == nil {
		return err
	}
	return a.encode(w)
}

func (a *altered) Decode(r *kind.Reader) error {
	if a.decode != nil {
		return a.decode(r)
	}
	return a.Model.Decode(r)
}

var (
	encodings, busy atomic.Int32
	trainedHere     atomic.Bool // whether the process has trained the model of the fault "process"
)

// each annotates, then changes the labels of each document.
func each(a *altered, change func(d *text.Document, l *text.Layer, r *kind.Run)) {
	m := a.Model
	a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
		gold := make([]text.Document, len(docs))
		for i, d := range docs {
			gold[i] = *d
		}
		if err := m.Annotate(ctx, docs, r); err != nil {
			return err
		}
		for i, d := range docs {
			change(&gold[i], d.Layer("labels"), r)
		}
		return nil
	}
}

// compute takes longer for a long document than a cancelled statement may.
func compute(d *text.Document) {
	if len(d.Text) < 1000 {
		return
	}
	for w := testtime.Start(); w.Took() < testtime.Allow(mostWait)*3/2; {
	}
}

// say makes a label the only one.
func say(l *text.Layer, label string) {
	for i := range l.N {
		l.Strs("label")[i] = label
	}
}

// emptied are rows without any.
type emptied struct{ kind.Rows }

func (emptied) Next(context.Context) (*value.Batch, error) { return nil, nil }

// numbered has a number where a text is declared.
type numbered struct{ kind.Rows }

func (n numbered) Next(ctx context.Context) (*value.Batch, error) {
	b, err := n.Rows.Next(ctx)
	if b != nil {
		b.Cols[0] = value.Vec{Type: value.Integer, Ints: make([]int64, b.N)}
	}
	return b, err
}

// sound is a kind without faults.
type sound string

const (
	voters sound = "sound"
	tables sound = "sound tables" // learns from tables
	trees  sound = "sound layers" // writes several layers
	states sound = "sound state"  // can start from another model
	ruling sound = "sound roles"  // takes inputs by role
	voting sound = "sound ranks"  // asks for n best outputs and prob
	naming sound = "sound names"  // has clusters across documents
	fields sound = "sound fields" // reads metadata
)

// faults are what can be wrong with a kind, each with the case that must find it.
var faults = []struct {
	name, fails string
	of          sound
	alter       func(*altered)
}{
	{"option without doc", "declaration", voters, func(a *altered) {
		a.options = func(s *option.Set) { s.Int(new(int), "mute", 0, 0, 1, "") }
	}},
	{"relation without doc", "declaration", voters, func(a *altered) {
		a.schema = func(s *kind.Schema) { s.Relations[0].Doc = "" }
	}},
	{"learns from nothing", "no_data", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			if err := m.Train(ctx, t); !errors.Is(err, kind.ErrNoData) {
				return err
			}
			return nil
		}
	}},
	{"learns from no rows", "no_data", tables, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			if err := m.Train(ctx, t); !errors.Is(err, kind.ErrNoData) {
				return err
			}
			return nil
		}
	}},
	{"learns from what it could read", "unreadable", voters, deaf},
	{"learns from the rows that it could read", "unreadable", tables, deaf},
	{"counts encodings", "same_bytes", voters, func(a *altered) {
		a.encode = func(w *kind.Writer) error { return w.JSON("count", encodings.Add(1)) }
	}},
	{"forgets when it is stored", "save_and_load", voters, func(a *altered) {
		m := a.Model
		a.decode = func(r *kind.Reader) error {
			err := m.Decode(r)
			if v := m.(*voter); err == nil {
				clear(v.votes)
			}
			return err
		}
	}},
	{"leans on the process", "fresh_process", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			trainedHere.Store(true)
			return m.Train(ctx, t)
		}
		each(a, func(_ *text.Document, l *text.Layer, _ *kind.Run) {
			if !trainedHere.Load() {
				say(l, "forgotten")
			}
		})
	}},
	{"loses the error of a section that it writes", "lost_errors", voters, func(a *altered) {
		m := a.Model
		a.encode = func(w *kind.Writer) error { _ = w.JSON("more", 0); return nil }
		a.decode = func(r *kind.Reader) error {
			var n int
			return errors.Join(m.Decode(r), r.JSON("more", &n))
		}
	}},
	{"loses the error of a section that it reads", "lost_errors", voters, func(a *altered) {
		a.encode = func(w *kind.Writer) error { return w.JSON("more", 0) }
		a.decode = func(r *kind.Reader) error {
			n := 0
			_ = r.JSON("more", &n)
			return a.Model.Decode(r)
		}
	}},
	{"loses the error of a checkpoint", "lost_errors", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			x := *t
			if t.Save != nil {
				x.Save = func(write func(*kind.Writer) error) error { _ = t.Save(write); return nil }
			}
			return m.Train(ctx, &x)
		}
	}},
	{"goes on from a checkpoint that it cannot read", "lost_errors", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			anew := *t
			err := m.Train(ctx, t)
			if anew.Resume = nil; t.Resume != nil && err != nil && ctx.Err() == nil {
				return m.Train(ctx, &anew)
			}
			return err
		}
	}},
	{"loses the end of the context of a training", "lost_errors", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			err := m.Train(ctx, t)
			_ = ctx.Err()
			return err
		}
	}},
	{"takes anything for a model", "damage", voters, func(a *altered) {
		m := a.Model
		a.decode = func(r *kind.Reader) error {
			_ = m.Decode(r)
			return nil
		}
	}},
	{"cannot be cancelled", "cancelled_training", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error { return m.Train(context.WithoutCancel(ctx), t) }
	}},
	{"learns on from long documents", "large_inputs", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			for d, err := range t.On.Documents(ctx) {
				if err != nil {
					return err
				}
				compute(d)
			}
			return m.Train(ctx, t)
		}
	}},
	{"annotates on in long documents", "large_inputs", voters, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			for _, d := range docs {
				compute(d)
			}
			return m.Annotate(ctx, docs, r)
		}
	}},
	{"short column", "layers", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, _ *kind.Run) { l.N++ })
	}},
	{"copies gold", "baseline", voters, func(a *altered) {
		each(a, func(d *text.Document, l *text.Layer, _ *kind.Run) {
			if gold := d.Layer("labels"); gold != nil {
				say(l, gold.Strs("label")[0])
			} else {
				say(l, "unknown")
			}
		})
	}},
	{"copies a column", "baseline", voters, func(a *altered) {
		each(a, func(d *text.Document, l *text.Layer, _ *kind.Run) { say(l, d.Field("topic").S) })
	}},
	{"says the same of all", "baseline", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, _ *kind.Run) { say(l, "food") })
	}},
	{"wants tokens", "odd_documents", voters, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			for _, d := range docs {
				if d.Layer("tokens") == nil {
					return errors.New("there are no tokens")
				}
			}
			return m.Annotate(ctx, docs, r)
		}
	}},
	{"changes what it reads", "inputs_stay", voters, func(a *altered) {
		each(a, func(d *text.Document, _ *text.Layer, r *kind.Run) {
			if toks := d.Layer("tokens"); toks != nil && toks.N > 0 && r.Prob {
				toks.Strs("form")[0] += "x"
			}
		})
	}},
	{"improbable", "prob", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, r *kind.Run) {
			if r.Prob {
				l.Prob[0] = 2
			}
		})
	}},
	{"prob changes the answer", "prob", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, r *kind.Run) {
			if r.Prob {
				say(l, "other")
			}
		})
	}},
	{"one at a time", "concurrent", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, _ *kind.Run) {
			if busy.Add(1) > 1 {
				say(l, "busy")
			}
			time.Sleep(5 * time.Millisecond)
			busy.Add(-1)
		})
	}},
	{"annotates on", "cancel", voters, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			return m.Annotate(context.WithoutCancel(ctx), docs, r)
		}
	}},
	{"miscounts its margin", "explain", voters, func(a *altered) {
		a.explain = func(x *kind.Explanation) {
			for i := range x.Decisions {
				x.Decisions[i].Margin++
			}
		}
	}},
	{"stores what it cannot load", "odd_numbers", tables, func(a *altered) {
		m := a.Model
		a.decode = func(r *kind.Reader) error {
			err := m.Decode(r)
			if slices.ContainsFunc(m.(*partners).weights, func(w float64) bool { return w > 1e10 }) {
				return fmt.Errorf("%w: a weight is too large", kind.ErrCorrupt)
			}
			return err
		}
	}},
	{"has an empty relation", "relations", voters, func(a *altered) {
		a.open = func(name string, rows kind.Rows) kind.Rows {
			if name == "votes" {
				return emptied{rows}
			}
			return rows
		}
	}},
	{"answers with another type", "queries", voters, func(a *altered) {
		a.open = func(name string, rows kind.Rows) kind.Rows {
			if name == "of" {
				return numbered{rows}
			}
			return rows
		}
	}},
	{"has no main metric", "evaluate", tables, func(a *altered) {
		a.evaluate = func(list []metrics.Metric) {
			for i := range list {
				list[i].Label = "salt"
			}
		}
	}},
	{"ranks from 0", "n_best", voters, func(a *altered) {
		each(a, func(_ *text.Document, l *text.Layer, _ *kind.Run) {
			for i := range l.Rank {
				l.Rank[i]--
			}
		})
	}},
	{"misses no resource", "missing_resources", voters, func(a *altered) {
		a.schema = func(s *kind.Schema) { s.Resources = []kind.Resource{{Kind: "lexicon", Name: "l"}} }
	}},
	{"writes only all layers", "some_layers", trees, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			if r.Wanted != nil {
				return ctx.Err()
			}
			return m.Annotate(ctx, docs, r)
		}
	}},
	{"never writes a layer", "some_layers", trees, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			err := m.Annotate(ctx, docs, r)
			for _, d := range docs {
				d.DropLayer("arcs")
			}
			return err
		}
	}},
	{"wants an input that may be left out", "roles", ruling, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			t.Roles["unlabelled"].Count()
			return m.Train(ctx, t)
		}
	}},
	{"counts on a second tree", "ranked_inputs", voting, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			for _, d := range docs {
				if l := d.Layer("dependencies"); l != nil && l.N > 0 {
					_ = l.Prob[slices.Index(l.Rank, 2)]
				}
			}
			return m.Annotate(ctx, docs, r)
		}
	}},
	{"spoils what it starts from", "init", states, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			err := m.Train(ctx, t)
			if t.Init != nil {
				t.Init.(*entities).done++
			}
			return err
		}
	}},
	{"keeps no checkpoint", "resume", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			x := *t
			x.Save = nil
			return m.Train(ctx, &x)
		}
	}},
	{"gives prob and declares none", "prob", voters, func(a *altered) {
		a.schema = func(s *kind.Schema) { s.Prob = kind.NoProb }
	}},
	{"starts anew in place of going on", "resume", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			anew := *t
			anew.Resume = nil
			return m.Train(ctx, &anew)
		}
	}},
	{"reads what it does not declare", "metadata", voters, func(a *altered) {
		each(a, func(d *text.Document, l *text.Layer, _ *kind.Run) {
			if v := d.Field("topic"); !v.IsNull() {
				say(l, "of "+v.S)
			}
		})
	}},
	{"wants its metadata", "metadata", fields, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			if len(docs) > 0 && docs[0].Field("genre").IsNull() {
				return errors.New("a document has no genre")
			}
			return m.Annotate(ctx, docs, r)
		}
	}},
	{"knows of other groups", "units", naming, func(a *altered) {
		m, before := a.Model, ""
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			if err := m.Annotate(ctx, docs, r); err != nil {
				return err
			}
			for _, d := range docs {
				for i := range clustersOf(d) {
					clustersOf(d)[i] += before
				}
			}
			if len(docs) > 0 {
				before = docs[0].ID
			}
			return nil
		}
	}},
	{"keeps documents apart", "clusters_across_documents", naming, func(a *altered) {
		m := a.Model
		a.annotate = func(ctx context.Context, docs []*text.Document, r *kind.Run) error {
			if err := m.Annotate(ctx, docs, r); err != nil {
				return err
			}
			for i, d := range cutAtDocuments(docs) {
				docs[i].SetLayer(d.Layer("mentions"))
			}
			return nil
		}
	}},
	{"keeps records apart", "clusters_of_items", states, func(a *altered) {
		a.open = func(name string, rows kind.Rows) kind.Rows { return apart{rows} }
	}},
	{"goes on one round too far", "resume", voters, func(a *altered) {
		m := a.Model
		a.train = func(ctx context.Context, t *kind.Training) error {
			if t.Resume != nil {
				m.(*voter).rounds++
			}
			return m.Train(ctx, t)
		}
	}},
}

// apart are rows of items whose cluster is the item itself.
type apart struct{ kind.Rows }

func (a apart) Next(ctx context.Context) (*value.Batch, error) {
	b, err := a.Rows.Next(ctx)
	if b != nil && len(b.Cols) > 1 {
		b.Cols[0] = b.Cols[1]
	}
	return b, err
}

// records are documents of which some share words, with their entities.
func records() ([]*text.Document, map[string]string) {
	gold := map[string]string{}
	var docs []*text.Document
	for i, words := range []string{"Ann Lee", "Lee Oslo", "Oslo teacher", "Bob Rome", "Rome baker", "Cid", "Eve Oz",
		"Eve doctor"} {
		var b builder
		b.sentence(strings.Fields(words))
		id := fmt.Sprintf("r%d", i)
		docs, gold[id] = append(docs, b.document(id)), []string{"a", "a", "a", "b", "b", "c", "e", "e"}[i]
	}
	return docs, gold
}

// caseOf is a case of a sound kind, altered.
func caseOf(of sound, alter func(*altered)) Case {
	docs := Sample(20)
	k, c := VoterKind(), Case{Train: docs[:12], Test: docs[12:], Resumes: true,
		Queries: []Query{{Relation: "of", Args: []value.Value{value.Str("train")}}}}
	switch of {
	case tables:
		pairs := kind.Tables{"pairs": {{value.Str("salt"), value.Str("pepper"), value.Real(2)},
			{value.Str("bread"), value.Str("butter"), value.Real(1)}}}
		k, c = TableKind(), Case{Tables: pairs, Gold: pairs,
			Queries: []Query{{Relation: "of", Args: []value.Value{value.Str("salt"), {}}}}}
	case states:
		list, gold := records()
		k, c = EntitiesKind(), Case{Train: list, Resumes: true, Clusters: &Clusters{"entities", gold},
			Queries: []Query{{Relation: "members", Args: []value.Value{value.Str(list[0].ID)}}}}
	case ruling:
		k, c = RolesKind(), Case{Train: docs[:12], Test: docs[12:], Roles: ruledInputs(docs)}
	case voting:
		k, c = RankedKind(), Case{Train: withTrees(docs[:12]), Test: withTrees(docs[12:])}
	case fields:
		docs = withGenres(docs)
		k, c = FieldsKind(), Case{Train: docs[:12], Test: docs[12:]}
	case naming:
		docs = Mentioned(docs)
		k, c = NamesKind(), Case{Train: docs[:12], Test: docs[12:]}
	case trees:
		k, c = ParserKind(), Case{Train: docs[:12], Test: docs[12:]}
	}
	newModel := k.New
	k.New = func() kind.Model {
		a := &altered{Model: newModel()}
		if alter != nil {
			alter(a)
		}
		return a
	}
	c.Kind = k
	return c
}

// ruledInputs are documents and rules that tell the labels of the sample.
func ruledInputs(docs []*text.Document) map[string]kind.Input {
	return map[string]kind.Input{"unlabelled": kind.Documents(docs[12:]), "rules": kind.Tables{"rules": {
		{value.Str("train"), value.Str("travel")}, {value.Str("the"), value.Str("food")}}}}
}

// withGenres gives documents a genre.
func withGenres(docs []*text.Document) []*text.Document {
	out := views(docs)
	for i, d := range out {
		d.Fields = append(slices.Clone(d.Fields), text.Field{Name: "genre", Value: value.Str([]string{"news", "prose"}[i%2])})
	}
	return out
}

// deaf makes a training pass over what cannot be read.
func deaf(a *altered) {
	m := a.Model
	a.train = func(ctx context.Context, t *kind.Training) error {
		if err := m.Train(ctx, t); !errors.Is(err, errUnreadable) {
			return err
		}
		return nil
	}
}

// withTrees gives documents the two best trees of the toy parser.
func withTrees(docs []*text.Document) []*text.Document {
	out := views(docs)
	for _, d := range out {
		d.SetLayer((&chainParser{deprel: "next"}).trees(d, &kind.Run{Prob: true, NBest: 2}))
	}
	return out
}

// faultyRun is set in the process that tests faulty kinds.
const faultyRun = "KINDTEST_FAULTS"

// TestFaultyKinds is run by TestFaultsAreFound, in another process, for what fails here is right.
func TestFaultyKinds(t *testing.T) {
	if os.Getenv(faultyRun) == "" {
		t.Skip("run by TestFaultsAreFound")
	}
	for _, of := range []sound{voters, tables, trees, states, ruling, voting, naming, fields} {
		t.Run(string(of), func(t *testing.T) { Run(t, caseOf(of, nil)) })
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) { Run(t, caseOf(f.of, f.alter)) })
	}
}

// TestFaultsAreFound has every case find a fault, and none in sound kinds.
func TestFaultsAreFound(t *testing.T) {
	if os.Getenv(freshModel) != "" {
		t.Skip("a child process")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFaultyKinds$", "-test.v")
	cmd.Env = append(os.Environ(), faultyRun+"=1")
	out, _ := cmd.CombinedOutput() // it fails
	find := func(pattern string) map[string]bool {
		found := map[string]bool{}
		for _, x := range regexp.MustCompile(pattern).FindAllSubmatch(out, -1) {
			found[string(x[1])] = true
		}
		return found
	}
	cases := find(`(?m)^=== RUN   TestFaultyKinds/sound(?:_\w+)?/(.+)$`)
	failed := find(`(?m)^ +--- FAIL: TestFaultyKinds/(\S+)`)
	if len(cases) == 0 {
		t.Fatalf("nothing was tested:\n%s", out)
	}
	for name := range failed {
		if regexp.MustCompile(`^sound`).MatchString(name) {
			t.Errorf("a sound kind fails %s", name)
		}
	}
	for _, f := range faults {
		delete(cases, f.fails)
		if name := regexp.MustCompile(`\s`).ReplaceAllString(f.name, "_") + "/" + f.fails; !failed[name] {
			t.Errorf("%s is not found", name)
		}
	}
	for name := range cases {
		t.Errorf("no faulty kind fails the case %s", name)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
