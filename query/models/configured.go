package models

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/plan"
)

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
	Label   string  // name and version
	Caution string  // what the kind has to say against the options of the statement, "" if nothing
	Key     [8]byte // of its answers in the cache of predictions

	options   *option.Set
	resources Resources // of Run
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

// Configure makes c a model for a request. A model whose options are not changed is shared, else it is decoded again
// and kept. Relations that stand for resources are read by relations.
func (r *Resolver) Configure(c *Configured, m plan.ModelUse, want Request, relations RelationReader) error {
	l, err := r.Fetch(m.Name, m.Version)
	if err != nil {
		return err
	}
	*c = Configured{Loaded: l, Model: l.Model, Schema: l.schema, options: l.Options, Label: l.label}
	c.resources = Resources{Resolver: r, Relations: relations, Pins: l.Meta.Upstream}
	args, err := want.predictArgs(l.Options)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if c.Model, c.options, err = r.decodedUnder(l, args); err != nil {
			return err
		}
		c.Schema = c.Model.Schema()
		if m, ok := c.Model.(kind.Cautious); ok {
			c.Caution = m.Caution()
		}
	}
	c.Run = kind.Run{Resources: &c.resources, Workers: 1, Prob: want.Prob, NBest: want.Nbest, Seed: l.Meta.Seed}
	if err := r.setKey(c, want, len(args) == 0); err != nil {
		return err
	}
	r.Set.Store.Cache().RegisterModel(c.Key, c.Label)
	return nil
}

// predictArgs are the options of a request that the kind declares, none of them for training.
func (want *Request) predictArgs(declared *option.Set) (args []option.Arg, err error) {
	for _, a := range want.Options {
		d := declared.Lookup(a.Name)
		switch {
		case !want.Only && (a.Name == "inputs" || a.Name == "nbest"):
		case d == nil:
			return nil, option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "unknown option " + a.Name,
				Hint: want.hint(declared)}}
		case d.Phase == option.Train:
			return nil, option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "option " + a.Name + " is set at training",
				Hint: want.hint(declared)}}
		default:
			args = append(args, a)
		}
	}
	return args, nil
}

// hint lists the options that a request may have.
func (want *Request) hint(declared *option.Set) string {
	var names []string
	for _, d := range declared.Decls() {
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

// decodedUnder returns a model under other predict options: itself where they have the values that it has anyway, else
// its weights decoded again, which stay in memory as the model itself does.
func (r *Resolver) decodedUnder(l *Loaded, args []option.Arg) (kind.Model, *option.Set, error) {
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
	key := Key{l.Meta.Name, l.Meta.Version, fmt.Sprintf("%q", values)}
	again, err := r.Set.fetch(r.Context(), key, args)
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
