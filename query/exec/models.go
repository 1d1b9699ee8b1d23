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

// loaded is a model version in memory.
type loaded struct {
	meta    storage.ModelVersion
	label   string // name and version
	kind    *kind.Kind
	model   kind.Model
	schema  kind.Schema
	options *option.Set
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
func (e *Database) open(meta storage.ModelVersion, args ...option.Arg) (*loaded, error) {
	k := e.Kind(meta.Kind)
	if k == nil {
		return nil, fault.New(plan.CodeUndefinedObject, "this program has no kind %s", meta.Kind)
	}
	l := &loaded{meta: meta, label: plan.ModelUse{Name: meta.Name, Version: meta.Version}.String(), kind: k, model: k.New(), options: &option.Set{}}
	l.model.Options(l.options)
	if err := l.options.Restore(meta.Options); err != nil {
		return nil, err
	}
	if err := l.options.Apply(args); err != nil { // before decoding, which prepares by them
		return nil, err
	}
	w, err := e.Store.Weights(meta.WeightsID)
	if err != nil {
		return nil, err
	}
	if err := l.model.Decode(sectionReader(w.Section)); err != nil {
		return nil, err
	}
	l.schema = l.model.Schema()
	for _, d := range l.schema.Defs {
		e.names.Store(d.Name, d)
	}
	return l, nil
}

// sectionReader reads stored sections.
func sectionReader(section func(string) ([]byte, error)) *kind.Reader {
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

// noticeServing gives a notice where the name of a model goes on meaning another version than the new one, 0 for one
// to come.
func (r *Execution) noticeServing(name string, version int) {
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

// use describes a loaded model to the planner.
func (l *loaded) use() *plan.ModelUse {
	return &plan.ModelUse{Name: l.meta.Name, Version: l.meta.Version, Kind: l.meta.Kind, Schema: l.schema}
}

// request is what a statement asks of a model.
type request struct {
	options []option.Arg // after USING, a relation or a model of EVALUATE
	only    bool         // options of the kind only: neither inputs nor nbest
	others  []string     // options of the statement itself beside those of the kind; nil for inputs and nbest
	layers  []string     // of those that it writes; nil for all
	prob    bool
	nbest   int
}

// configured is a model with the predict and run options of a statement.
type configured struct {
	*loaded
	model   kind.Model
	schema  kind.Schema
	run     kind.Run
	key     [8]byte // of the cache
	label   string
	options *option.Set

	resources resources // of the run
}

// wanted returns what the statement reads of what the model writes.
func (c *configured) wanted() []kind.LayerUse {
	if c.run.Wanted == nil {
		return c.schema.Writes
	}
	var out []kind.LayerUse
	for _, w := range c.schema.Writes {
		if c.run.Wants(w.Layer) {
			out = append(out, w)
		}
	}
	return out
}

// layerDef looks layers up among the model's own before others.
func (c *configured) layerDef(others func(string) *text.LayerDef) func(string) *text.LayerDef {
	return func(name string) *text.LayerDef {
		if d := c.schema.Def(name); d != nil {
			return d
		}
		return others(name)
	}
}

// configure prepares a model for a request. A model without changed options is shared.
func (r *Execution) configure(m plan.ModelUse, want request) (*configured, error) {
	c := &configured{}
	if err := r.configureInto(c, m, want); err != nil {
		return nil, err
	}
	return c, nil
}

func (r *Execution) configureInto(c *configured, m plan.ModelUse, want request) error {
	l, err := r.fetch(m.Name, m.Version)
	if err != nil {
		return err
	}
	*c = configured{loaded: l, model: l.model, schema: l.schema, options: l.options, label: l.label}
	c.resources = resources{r: r, pins: l.meta.Upstream}
	var own []option.Arg
	for _, a := range want.options {
		d := l.options.Lookup(a.Name)
		switch {
		case !want.only && (a.Name == "inputs" || a.Name == "nbest"):
		case d == nil:
			return option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "unknown option " + a.Name,
				Hint: predictOptions(l.options, want)}}
		case d.Phase == option.Train:
			return option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "option " + a.Name + " is set at training",
				Hint: predictOptions(l.options, want)}}
		default:
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		if c.model, c.options, err = r.with(l, own); err != nil {
			return err
		}
		c.schema = c.model.Schema()
		if m, ok := c.model.(kind.Cautious); ok {
			if what := m.Caution(); what != "" {
				r.Session.Notice(c.label + ": " + what)
			}
		}
	}
	c.run = kind.Run{Resources: &c.resources, Workers: 1, Prob: want.prob, NBest: want.nbest, Seed: l.meta.Seed, Report: r.Session.Progress}
	if err := r.ask(c, want, len(own) == 0); err != nil {
		return err
	}
	r.Store.Cache().RegisterModel(c.key, c.label)
	return nil
}

// predictOptions lists the options of a request.
func predictOptions(s *option.Set, want request) string {
	var names []string
	for _, d := range s.Decls() {
		if d.Phase != option.Train {
			names = append(names, d.Name)
		}
	}
	switch {
	case !want.only:
		others := want.others
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
func (r *Execution) with(l *loaded, args []option.Arg) (kind.Model, *option.Set, error) {
	set := &option.Set{}
	l.kind.New().Options(set)
	if err := set.Restore(l.meta.Options); err != nil {
		return nil, nil, err
	}
	if err := set.Apply(args); err != nil {
		return nil, nil, err
	}
	phases := []option.Phase{option.Train, option.Predict, option.Run}
	values := set.Values(phases...)
	if slices.Equal(values, l.options.Values(phases...)) {
		return l.model, l.options, nil
	}
	key := modelKey{l.meta.Name, l.meta.Version, fmt.Sprintf("%q", values)}
	again, err := r.Database.fetchUnder(r.context(), key, args)
	if err != nil {
		return nil, nil, err
	}
	return again.model, again.options, nil
}

// someOf returns those of the wanted layers that are written, sorted, or nil if they are all.
func someOf(writes []kind.LayerUse, wanted []string) []string {
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

// commonLayers returns the layers that a model writes without those of its own.
func commonLayers(s kind.Schema) []string {
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

func (a *asked) same(want request) bool {
	return a.prob == want.prob && a.nbest == want.nbest && (a.layers == nil) == (want.layers == nil) && slices.Equal(a.layers, want.layers)
}

// ask sets the wanted layers and the key of the cache. Requests to a model as it was trained ask the
// same few things again and again.
func (r *Execution) ask(c *configured, want request, plain bool) error {
	plain = plain && len(c.schema.Resources) == 0
	if known := c.loaded.asked.Load(); known != nil && plain {
		for i := range *known {
			if a := &(*known)[i]; a.same(want) {
				c.run.Wanted, c.key = a.wanted, a.key
				return nil
			}
		}
	}
	c.run.Wanted = someOf(c.schema.Writes, want.layers)
	var err error
	if c.key, err = r.cacheKey(c); err == nil && plain {
		c.loaded.remember(asked{slices.Clone(want.layers), want.prob, want.nbest, c.run.Wanted, c.key})
	}
	return err
}

// keptAsked bounds what is remembered of a model.
const keptAsked = 32

func (l *loaded) remember(a asked) {
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
func (r *Execution) cacheKey(c *configured) (key [8]byte, err error) {
	layers := strings.Join(c.run.Wanted, ",")
	h := sha256.New()
	if tk, err := segment.New(c.meta.Tokenizer); err == nil {
		fmt.Fprintf(h, "%d\x00", tk.Revision())
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s\x00%v\x00%d\x00", c.kind.Name, c.kind.Revision, c.meta.WeightsHash, c.meta.Tokenizer, c.run.Prob, c.run.NBest)
	if layers != "" {
		fmt.Fprintf(h, "layers %s\x00", layers)
	}
	for _, o := range c.options.Values(option.Train, option.Predict) {
		fmt.Fprintf(h, "%s=%s\x00", o[0], o[1])
	}
	if err := r.hashResources(h, c.schema.Resources, c.meta.Upstream); err != nil {
		return key, fmt.Errorf("model %s: %w", c.label, err)
	}
	copy(key[:], h.Sum(nil))
	return key, nil
}

// workers is the number of goroutines that annotate.
func (r *Execution) workers() int {
	if n := r.Session.Settings.Workers; n > 0 {
		return n
	}
	return max(1, runtime.GOMAXPROCS(0))
}
