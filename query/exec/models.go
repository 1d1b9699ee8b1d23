package exec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/segment"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
)

// Loaded is a model version in memory.
type Loaded struct {
	Meta    storage.ModelVersion
	label   string // name and version
	Kind    *kind.Kind
	Model   kind.Model
	schema  kind.Schema
	Options *option.Set
	bytes   int64 // in memory
	asked   atomic.Pointer[[]asked]
}

// Kind returns a kind by name, or nil.
func (e *Database) Kind(name string) *kind.Kind {
	for i := range e.Kinds {
		if e.Kinds[i].Name == name {
			return &e.Kinds[i]
		}
	}
	return nil
}

// open decodes the weights of a version.
func (e *Database) open(meta storage.ModelVersion, args ...option.Arg) (*Loaded, error) {
	k := e.Kind(meta.Kind)
	if k == nil {
		return nil, fault.New(plan.CodeUndefinedObject, "this program has no kind %s", meta.Kind)
	}
	l := &Loaded{Meta: meta, label: plan.ModelUse{Name: meta.Name, Version: meta.Version}.String(), Kind: k, Model: k.New(), Options: &option.Set{}}
	l.Model.Options(l.Options)
	if err := l.Options.Restore(meta.Options); err != nil {
		return nil, err
	}
	if err := l.Options.Apply(args); err != nil { // before decoding, which prepares by them
		return nil, err
	}
	w, err := e.Store.Weights(meta.WeightsID)
	if err != nil {
		return nil, err
	}
	if err := l.Model.Decode(SectionReader(w.Section)); err != nil {
		return nil, err
	}
	l.schema = l.Model.Schema()
	for _, d := range l.schema.Defs {
		e.Names.Store(d.Name, d)
	}
	return l, nil
}

// SectionReader reads stored sections.
func SectionReader(section func(string) ([]byte, error)) *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) {
		p, err := section(name)
		if errors.Is(err, storage.ErrNotFound) {
			err = fmt.Errorf("%w: %w", kind.ErrNoSection, err)
		}
		return p, err
	})
}

// modelCatalog knows the versions and aliases of models: those of now, or those that a snapshot sees.
type modelCatalog interface {
	ModelVersions(name string) []storage.ModelVersion
	Alias(name, alias string) (int, bool)
}

// Resolve returns the version that a reference names in what the statement sees.
// What was dropped after a frozen state is gone, whoever has its number.
func (r *Execution) Resolve(ref ast.ModelRef) (storage.ModelVersion, error) {
	v, err := r.Version(r.Snapshot, ref)
	if err != nil {
		return v, err
	}
	if now, ok := r.Store.ModelVersion(v.Name, v.Version); !ok || now.WeightsID != v.WeightsID {
		return v, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, "run the block again", "model %s@%d was dropped", v.Name, v.Version)
	}
	return v, nil
}

// Version returns the version that a reference names: a number, an alias, or for a bare
// name the alias production, else the newest.
func (e *Database) Version(in modelCatalog, ref ast.ModelRef) (storage.ModelVersion, error) {
	versions := in.ModelVersions(ref.Name)
	if len(versions) == 0 {
		return storage.ModelVersion{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, e.SuggestModel(ref.Name), "there is no model %s", ref.Name)
	}
	want := 0
	switch {
	case ref.Version == "":
		if v, ok := in.Alias(ref.Name, "production"); ok {
			want = v
		} else {
			return versions[len(versions)-1], nil
		}
	default:
		if v, ok := in.Alias(ref.Name, ref.Version); ok {
			want = v
		} else if _, err := fmt.Sscanf(ref.Version, "%d", &want); err != nil {
			return storage.ModelVersion{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, "SHOW MODELS lists versions and aliases", "model %s has no alias %s", ref.Name, ref.Version)
		}
	}
	for _, v := range versions {
		if v.Version == want {
			return v, nil
		}
	}
	return storage.ModelVersion{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, "SHOW MODELS lists the versions", "model %s has no version %d", ref.Name, want)
}

// NoticeServing gives a notice where the name of a model goes on meaning another version than the new one, 0 for one
// to come.
func (r *Execution) NoticeServing(name string, version int) {
	if serving, ok := r.Store.Alias(name, "production"); ok && serving != version {
		r.Session.Notice(fmt.Sprintf("%s still means %s@%d, which is production, until PROMOTE names another version",
			name, name, serving))
	}
}

func (e *Database) SuggestModel(name string) string {
	var names []string
	for _, o := range e.Store.Objects(storage.ModelObject) {
		names = append(names, o.Name)
	}
	if s := option.Closest(name, names); s != "" {
		return "did you mean " + s + "?"
	}
	return "SHOW MODELS lists the models"
}

// Use describes a loaded model to the planner.
func (l *Loaded) Use() *plan.ModelUse {
	return &plan.ModelUse{Name: l.Meta.Name, Version: l.Meta.Version, Kind: l.Meta.Kind, Schema: l.schema}
}

// Request is what a statement asks of a model.
type Request struct {
	Options []option.Arg // after USING, a relation or a model of EVALUATE
	Only    bool         // options of the kind only: neither inputs nor nbest
	Others  []string     // options of the statement itself beside those of the kind; nil for inputs and nbest
	Layers  []string     // of those that it writes; nil for all
	Prob    bool
	Nbest   int
}

// Configured is a model with the predict and run options of a statement.
type Configured struct {
	*Loaded
	Model   kind.Model
	Schema  kind.Schema
	Run     kind.Run
	key     [8]byte // of the cache
	Label   string
	options *option.Set

	resources Resources // of the run
}

// Wanted returns what the statement reads of what the model writes.
func (c *Configured) Wanted() []kind.LayerUse {
	if c.Run.Wanted == nil {
		return c.Schema.Writes
	}
	var out []kind.LayerUse
	for _, w := range c.Schema.Writes {
		if c.Run.Wants(w.Layer) {
			out = append(out, w)
		}
	}
	return out
}

// LayerDef looks layers up among the model's own before others.
func (c *Configured) LayerDef(others func(string) *text.LayerDef) func(string) *text.LayerDef {
	return func(name string) *text.LayerDef {
		if d := c.Schema.Def(name); d != nil {
			return d
		}
		return others(name)
	}
}

// Configure prepares a model for a request. A model without changed options is shared.
func (r *Execution) Configure(m plan.ModelUse, want Request) (*Configured, error) {
	c := &Configured{}
	if err := r.configureInto(c, m, want); err != nil {
		return nil, err
	}
	return c, nil
}

func (r *Execution) configureInto(c *Configured, m plan.ModelUse, want Request) error {
	l, err := r.Fetch(m.Name, m.Version)
	if err != nil {
		return err
	}
	*c = Configured{Loaded: l, Model: l.Model, Schema: l.schema, options: l.Options, Label: l.label}
	c.resources = Resources{R: r, Pins: l.Meta.Upstream}
	var own []option.Arg
	for _, a := range want.Options {
		d := l.Options.Lookup(a.Name)
		switch {
		case !want.Only && (a.Name == "inputs" || a.Name == "nbest"):
		case d == nil:
			return option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "unknown option " + a.Name,
				Hint: predictOptions(l.Options, want)}}
		case d.Phase == option.Train:
			return option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "option " + a.Name + " is set at training",
				Hint: predictOptions(l.Options, want)}}
		default:
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		if c.Model, c.options, err = r.with(l, own); err != nil {
			return err
		}
		c.Schema = c.Model.Schema()
		if m, ok := c.Model.(kind.Cautious); ok {
			if what := m.Caution(); what != "" {
				r.Session.Notice(c.Label + ": " + what)
			}
		}
	}
	c.Run = kind.Run{Resources: &c.resources, Workers: 1, Prob: want.Prob, NBest: want.Nbest, Seed: l.Meta.Seed, Report: r.Session.Progress}
	if err := r.ask(c, want, len(own) == 0); err != nil {
		return err
	}
	r.Store.Cache().RegisterModel(c.key, c.Label)
	return nil
}

// predictOptions lists the options of a request.
func predictOptions(s *option.Set, want Request) string {
	var names []string
	for _, d := range s.Decls() {
		if d.Phase != option.Train {
			names = append(names, d.Name)
		}
	}
	switch {
	case !want.Only:
		others := want.Others
		if others == nil {
			others = []string{"inputs", "nbest"}
		}
		return "options after USING: " + strings.Join(slices.Concat(others, names), ", ")
	case len(names) == 0:
		return "the model has none"
	}
	return "options: " + strings.Join(names, ", ")
}

// with returns the model under other predict options: itself where they are what they were, else decoded again once.
func (r *Execution) with(l *Loaded, args []option.Arg) (kind.Model, *option.Set, error) {
	set := &option.Set{}
	l.Kind.New().Options(set)
	if err := set.Restore(l.Meta.Options); err != nil {
		return nil, nil, err
	}
	if err := set.Apply(args); err != nil {
		return nil, nil, err
	}
	phases := []option.Phase{option.Train, option.Predict, option.Run}
	values := set.Values(phases...)
	if slices.Equal(values, l.Options.Values(phases...)) {
		return l.Model, l.Options, nil
	}
	key := ModelKey{l.Meta.Name, l.Meta.Version, fmt.Sprintf("%q", values)}
	again, err := r.Database.fetchUnder(r.Context(), key, args)
	if err != nil {
		return nil, nil, err
	}
	return again.Model, again.Options, nil
}

// SomeOf returns those of the wanted layers that are written, sorted, or nil if they are all.
func SomeOf(writes []kind.LayerUse, wanted []string) []string {
	other := func(w kind.LayerUse) bool { return !slices.Contains(wanted, w.Layer) }
	if wanted == nil || !slices.ContainsFunc(writes, other) {
		return nil
	}
	out := []string{}
	for _, w := range writes {
		if !other(w) {
			out = append(out, w.Layer)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// CommonLayers returns the layers that a model writes without those of its own.
func CommonLayers(s kind.Schema) []string {
	out := []string{}
	for _, w := range s.Writes {
		if s.Def(w.Layer) == nil {
			out = append(out, w.Layer)
		}
	}
	return out
}

// asked is what requests ask of a model whose options are its own and that reads no resources, with what
// follows from it.
type asked struct {
	layers []string
	prob   bool
	nbest  int

	wanted []string
	key    [8]byte
}

func (a *asked) same(want Request) bool {
	return a.prob == want.Prob && a.nbest == want.Nbest && (a.layers == nil) == (want.Layers == nil) && slices.Equal(a.layers, want.Layers)
}

// ask sets the wanted layers and the key of the cache. Requests to a model as it was trained ask the
// same few things again and again.
func (r *Execution) ask(c *Configured, want Request, plain bool) error {
	plain = plain && len(c.Schema.Resources) == 0
	if known := c.Loaded.asked.Load(); known != nil && plain {
		for i := range *known {
			if a := &(*known)[i]; a.same(want) {
				c.Run.Wanted, c.key = a.wanted, a.key
				return nil
			}
		}
	}
	c.Run.Wanted = SomeOf(c.Schema.Writes, want.Layers)
	var err error
	if c.key, err = r.cacheKey(c); err == nil && plain {
		c.Loaded.remember(asked{slices.Clone(want.Layers), want.Prob, want.Nbest, c.Run.Wanted, c.key})
	}
	return err
}

// keptAsked bounds what is remembered of a model.
const keptAsked = 32

func (l *Loaded) remember(a asked) {
	for {
		old := l.asked.Load()
		var list []asked
		if old != nil {
			list = *old
		}
		if len(list) >= keptAsked {
			return
		}
		list = append(slices.Clip(list), a)
		if l.asked.CompareAndSwap(old, &list) {
			return
		}
	}
}

// cacheKey hashes everything but the unit that an answer depends on.
func (r *Execution) cacheKey(c *Configured) (key [8]byte, err error) {
	layers := strings.Join(c.Run.Wanted, ",")
	h := sha256.New()
	if tk, err := segment.New(c.Meta.Tokenizer); err == nil {
		fmt.Fprintf(h, "%d\x00", tk.Revision())
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s\x00%v\x00%d\x00", c.Kind.Name, c.Kind.Revision, c.Meta.WeightsHash, c.Meta.Tokenizer, c.Run.Prob, c.Run.NBest)
	if layers != "" {
		fmt.Fprintf(h, "layers %s\x00", layers)
	}
	for _, o := range c.options.Values(option.Train, option.Predict) {
		fmt.Fprintf(h, "%s=%s\x00", o[0], o[1])
	}
	if err := r.HashResources(h, c.Schema.Resources, c.Meta.Upstream); err != nil {
		return key, fmt.Errorf("model %s: %w", c.Label, err)
	}
	copy(key[:], h.Sum(nil))
	return key, nil
}

// Workers is the number of goroutines that annotate.
func (r *Execution) Workers() int {
	if n := r.Session.Settings.Workers; n > 0 {
		return n
	}
	return max(1, runtime.GOMAXPROCS(0))
}
