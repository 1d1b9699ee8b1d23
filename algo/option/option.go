// Package option declares the options of kinds, formats and settings once; parsing,
// validation, documentation, lineage and cache keys follow from the declaration.
package option

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parlance/storage/value"
)

// Phase says when an option takes effect.
type Phase uint8

// The phases. Run options (workers) change no answer and stay out of lineage and cache keys.
const (
	Train Phase = iota
	Predict
	Run
)

func (p Phase) String() string { return [...]string{"train", "predict", "run"}[p] }

// Ref is an option value that names an object: name[@version][.relation].
type Ref struct{ Name, Version, Relation string }

func (r Ref) String() string {
	s := r.Name
	if r.Version != "" {
		s += "@" + r.Version
	}
	if r.Relation != "" {
		s += "." + r.Relation
	}
	return s
}

// Arg is an option as a statement gives it: a literal value, a bare name, or a list.
type Arg struct {
	Name  string
	Value value.Value // literal; NULL when Ref or List is used
	Ref   *Ref
	List  []Arg // elements have no name
	Pos   int   // byte offset in the statement
}

// Text returns the argument as canonical text.
func (a Arg) Text() string {
	switch {
	case a.List != nil:
		parts := make([]string, len(a.List))
		for i, e := range a.List {
			parts[i] = e.Text()
		}
		return strings.Join(parts, ",")
	case a.Ref != nil:
		return a.Ref.String()
	}
	return a.Value.String()
}

// Decl is one declared option.
type Decl struct {
	Name    string
	Type    string // float, integer, boolean, text, list, model, resource, layer, column
	Default string
	Range   string // "[0, 1]" or "a | b"
	Unit    string
	Doc     string
	Phase   Phase
	Names   []string // of features: sets that the kind knows besides those that all kinds know
	HeldOut bool     // has an effect only in trainings that score held-out data

	set    func(Arg) error
	get    func() string
	stands func() string
	beside func() string
}

// In sets the phase.
func (d *Decl) In(p Phase) *Decl { d.Phase = p; return d }

// Knows adds names of feature sets of the kind's own.
func (d *Decl) Knows(names ...string) *Decl { d.Names = append(d.Names, names...); return d }

// Validating says that the option has an effect only in trainings that score held-out data.
func (d *Decl) Validating() *Decl { d.HeldOut = true; return d }

// Standing tells what the empty value stands for beside the other options.
func (d *Decl) Standing(f func() string) *Decl { d.stands = f; return d }

// Stands returns what the present value stands for: itself, unless it is empty.
func (d *Decl) Stands() string {
	if v := d.get(); v != "" || d.stands == nil {
		return v
	}
	return d.stands()
}

// Beside tells the default beside the other options, where it is not the same for all: Apply sets an option that it is
// not given to what f returns then, or leaves it where that is "".
func (d *Decl) Beside(f func() string) *Decl { d.beside = f; return d }

// Per sets the unit.
func (d *Decl) Per(unit string) *Decl { d.Unit = unit; return d }

// Value returns the present value as text.
func (d *Decl) Value() string { return d.get() }

// Set is an ordered set of declarations.
type Set struct {
	decls []*Decl
	rules []rule
	idle  []idle
}

type rule struct {
	name  string // option to blame, or ""
	check func() error
}

// Decls returns the declarations in order.
func (s *Set) Decls() []*Decl { return s.decls }

// Lookup returns the declaration of the name, or nil.
func (s *Set) Lookup(name string) *Decl {
	for _, d := range s.decls {
		if d.Name == name {
			return d
		}
	}
	return nil
}

func (s *Set) add(d *Decl) *Decl {
	if s.Lookup(d.Name) != nil {
		panic("option: " + d.Name + " declared twice")
	}
	s.decls = append(s.decls, d)
	return d
}

// Require adds a rule between options, checked after all are set.
func (s *Set) Require(ok func() bool, msg string) {
	s.Check("", func() error {
		if ok() {
			return nil
		}
		return errors.New(msg)
	})
}

// Check adds a rule that blames an option, checked after all are set.
func (s *Set) Check(name string, check func() error) { s.rules = append(s.rules, rule{name, check}) }

// idle tells when an option has no effect.
type idle struct {
	name string
	why  func() (reason, hint string) // "" where it has one
}

// Idle names options, divided by spaces, that have no effect where why gives a reason. Apply refuses to set them to
// anything but their defaults there; values that a model was trained with stay.
func (s *Set) Idle(names string, why func() (reason, hint string)) {
	for _, name := range strings.Fields(names) {
		s.idle = append(s.idle, idle{name, why})
	}
}

// Only names options, divided by spaces, that have an effect only where another one has one of the values.
func (s *Set) Only(names, other string, values ...string) {
	wanted := other + " = " + strings.Join(values, " or ")
	s.Idle(names, func() (string, string) {
		if v := s.Lookup(other).Value(); !slices.Contains(values, v) {
			return "belongs to " + wanted + "; here " + other + " = " + v, "give " + wanted
		}
		return "", ""
	})
}

// Except names options, divided by spaces, that have no effect where another one has one of the values.
func (s *Set) Except(names, other string, values ...string) {
	s.Idle(names, func() (string, string) {
		v := s.Lookup(other).Value()
		switch {
		case !slices.Contains(values, v):
			return "", ""
		case v == "":
			return "has no effect without " + other, "give " + other
		}
		return "has no effect with " + other + " = " + v, "give another " + other
	})
}

// Spare tells why an option has no effect beside the others as they are set, and what would give it one;
// "" if it has one.
func (s *Set) Spare(name string) (reason, hint string) {
	for _, i := range s.idle {
		if i.name == name {
			if reason, hint = i.why(); reason != "" {
				return reason, hint
			}
		}
	}
	return "", ""
}

// unused lists the given options that have no effect.
func (s *Set) unused(args []Arg) (faults Faults) {
	for _, a := range args {
		if d := s.Lookup(a.Name); d.Value() == d.Default {
			continue
		}
		if reason, hint := s.Spare(a.Name); reason != "" {
			faults = append(faults, Fault{a.Name, a.Pos, a.Name + " " + reason, hint + ", or leave " + a.Name + " out", true})
		}
	}
	return faults
}

// Float declares a finite number in [min, max]; infinite bounds are open.
func (s *Set) Float(p *float64, name string, def, min, max float64, doc string) *Decl {
	*p = def
	return s.add(&Decl{Name: name, Type: "float", Default: num(def),
		Range: interval(num(min), num(max), math.IsInf(min, 0), math.IsInf(max, 0)), Doc: doc,
		get: func() string { return num(*p) },
		set: func(a Arg) error {
			v, err := literal(a, value.Float)
			if err != nil {
				return err
			}
			if f := v.Float(); !(f >= min && f <= max) || math.IsInf(f, 0) {
				return fmt.Errorf("%s is outside %s", num(f), interval(num(min), num(max), math.IsInf(min, 0), math.IsInf(max, 0)))
			}
			*p = v.Float()
			return nil
		}})
}

func num(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func interval(min, max string, openLow, openHigh bool) string {
	l, r := "[", "]"
	if openLow {
		l = "("
	}
	if openHigh {
		r = ")"
	}
	return l + min + ", " + max + r
}

// Int declares an integer in [min, max].
func (s *Set) Int(p *int, name string, def, min, max int, doc string) *Decl {
	*p = def
	rng := interval(strconv.Itoa(min), strconv.Itoa(max), false, false)
	d := &Decl{Name: name, Type: "integer", Default: strconv.Itoa(def), Range: rng, Doc: doc,
		get: func() string { return strconv.Itoa(*p) }}
	d.set = func(a Arg) error {
		i, err := d.whole(a)
		if err != nil {
			return err
		}
		if i < int64(min) || i > int64(max) {
			return fmt.Errorf("%d is outside %s", i, rng)
		}
		*p = int(i)
		return nil
	}
	return s.add(d)
}

// Bool declares a truth value.
func (s *Set) Bool(p *bool, name string, def bool, doc string) *Decl {
	*p = def
	return s.add(&Decl{Name: name, Type: "boolean", Default: strconv.FormatBool(def), Range: "true | false", Doc: doc,
		get: func() string { return strconv.FormatBool(*p) },
		set: func(a Arg) error {
			v, err := Truth(a)
			if err == nil {
				*p = v
			}
			return err
		}})
}

// Text declares a free text.
func (s *Set) Text(p *string, name, def, doc string) *Decl {
	*p = def
	return s.add(&Decl{Name: name, Type: "text", Default: def, Doc: doc,
		get: func() string { return *p },
		set: func(a Arg) error { *p = a.Text(); return nil }})
}

// Choice declares one of the names.
func (s *Set) Choice(p *string, name, def string, choices []string, doc string) *Decl {
	*p = def
	return s.add(&Decl{Name: name, Type: "text", Default: def, Range: strings.Join(choices, " | "), Doc: doc,
		get: func() string { return *p },
		set: func(a Arg) error {
			got := a.Text()
			for _, c := range choices {
				if strings.EqualFold(c, got) {
					*p = c
					return nil
				}
			}
			return fmt.Errorf("'%s' is not one of %s%s", got, strings.Join(choices, ", "), DidYouMean(got, choices))
		}})
}

// List declares a list of names; a single value is a list of one, the empty text an empty list.
func (s *Set) List(p *[]string, name string, def []string, doc string) *Decl {
	*p = def
	return s.add(&Decl{Name: name, Type: "list", Default: joinList(def), Doc: doc,
		get: func() string { return joinList(*p) },
		set: func(a Arg) error {
			*p = nil
			if t := a.Text(); a.List == nil && t != "" {
				*p = []string{t}
			}
			for _, e := range a.List {
				*p = append(*p, e.Text())
			}
			return nil
		}})
}

func (s *Set) ref(p *string, kind, name, def, doc string) *Decl {
	d := s.Text(p, name, def, doc)
	d.Type = kind
	return d
}

// Layer declares a reference to a layer or token column.
func (s *Set) Layer(p *string, name, def, doc string) *Decl { return s.ref(p, "layer", name, def, doc) }

// Model declares a reference to a model, name[@version]. What the model looks into while it trains
// or annotates belongs into the Resources of its Schema.
func (s *Set) Model(p *string, name, def, doc string) *Decl { return s.ref(p, "model", name, def, doc) }

// Features declares a reference to a feature set; the engine replaces an object's name by
// its templates before training, so the value is the templates or a built-in set's name.
func (s *Set) Features(p *string, name, def, doc string) *Decl {
	return s.ref(p, "features", name, def, doc)
}

// Resource declares a reference to a gazetteer or lexicon, or to the relation of a model that
// stands for one, name[@version][.relation].
func (s *Set) Resource(p *string, name, def, doc string) *Decl {
	return s.ref(p, "resource", name, def, doc)
}

// Corpus declares a reference to a corpus to search, corpus[.layer].
func (s *Set) Corpus(p *string, name, def, doc string) *Decl {
	return s.ref(p, "corpus", name, def, doc)
}

func literal(a Arg, t value.Type) (value.Value, error) {
	if a.List != nil {
		return value.Value{}, fmt.Errorf("a list where one %s is wanted", t)
	}
	v := a.Value
	if a.Ref != nil {
		v = value.Str(a.Ref.String())
	}
	if v.IsNull() {
		return v, fmt.Errorf("NULL where a value of type %s is wanted", t)
	}
	if v.T == value.Boolean && t != value.Boolean {
		return v, fmt.Errorf("%s where a value of type %s is wanted", v, t)
	}
	if t == value.Integer && v.T == value.Float && v.Float() != math.Trunc(v.Float()) {
		return v, fmt.Errorf("%s is not an integer", v)
	}
	return value.Cast(v, t)
}

// Fault is one thing wrong with given options.
type Fault struct {
	Name string
	Pos  int
	Msg  string
	Hint string
	Idle bool // the option has no effect beside the others
}

// Faults is all that is wrong with given options, in order.
type Faults []Fault

func (f Faults) Error() string {
	parts := make([]string, len(f))
	for i, x := range f {
		parts[i] = x.Msg
	}
	return strings.Join(parts, "; ")
}

// Apply sets the given options over the defaults and checks the rules.
// The error is of type Faults and names every fault. Hints about unknown options name those of further sets too.
func (s *Set) Apply(args []Arg, further ...*Set) error {
	var faults Faults
	seen := map[string]bool{}
	for _, a := range args {
		d := s.Lookup(a.Name)
		switch {
		case d == nil:
			faults = append(faults,
				Fault{a.Name, a.Pos, fmt.Sprintf("unknown option %s", a.Name), known(a.Name, append([]*Set{s}, further...)), false})
		case seen[a.Name]:
			faults = append(faults, Fault{a.Name, a.Pos, fmt.Sprintf("option %s given twice", a.Name), "", false})
		default:
			seen[a.Name] = true
			if err := d.set(a); err != nil {
				faults = append(faults, Fault{a.Name, a.Pos, fmt.Sprintf("option %s: %v", a.Name, err), d.Doc, false})
			}
		}
	}
	if len(faults) == 0 {
		s.defaults(seen)
		for _, r := range s.rules {
			if err := r.check(); err != nil {
				f := Fault{Name: r.name, Msg: err.Error()}
				for _, a := range args {
					if a.Name == r.name {
						f.Pos = a.Pos
					}
				}
				if !slices.ContainsFunc(faults, func(g Fault) bool { return g.Msg == f.Msg }) {
					faults = append(faults, f)
				}
			}
		}
		faults = append(faults, s.unused(args)...)
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// defaults sets the options that were not given and whose defaults depend on others.
func (s *Set) defaults(given map[string]bool) {
	for _, d := range s.decls {
		if d.beside == nil || given[d.Name] {
			continue
		}
		if v := d.beside(); v != "" {
			if err := d.set(Arg{Name: d.Name, Value: value.Str(v)}); err != nil {
				panic("option: the default of " + d.Name + ": " + err.Error())
			}
		}
	}
}

// known is a hint about an unknown option.
func known(name string, sets []*Set) string {
	var names []string
	for _, s := range sets {
		for _, d := range s.decls {
			names = append(names, d.Name)
		}
	}
	sort.Strings(names)
	if len(names) == 0 {
		return "there are no options"
	}
	list := "options: " + strings.Join(names, ", ")
	if meant := DidYouMean(name, names); meant != "" {
		list = strings.TrimPrefix(meant, "; ") + " " + list
	}
	return list
}

// Values returns name and value of every option of the given phases, in order of declaration.
func (s *Set) Values(phases ...Phase) [][2]string {
	var out [][2]string
	for _, d := range s.decls {
		for _, p := range phases {
			if d.Phase == p {
				out = append(out, [2]string{d.Name, d.get()})
			}
		}
	}
	return out
}

// Recall is Restore, and checks the rules as Apply does, which may also prepare what follows from the options.
func (s *Set) Recall(vals [][2]string) error {
	if err := s.Restore(vals); err != nil {
		return err
	}
	for _, r := range s.rules {
		if err := r.check(); err != nil {
			return err
		}
	}
	return nil
}

// Restore sets options from texts that Values gave; unknown names are ignored, so an
// option that a later program dropped does no harm.
func (s *Set) Restore(vals [][2]string) error {
	for _, v := range vals {
		d := s.Lookup(v[0])
		if d == nil {
			continue
		}
		a := Arg{Name: v[0], Value: value.Str(v[1])}
		if d.Type == "list" {
			a.List = []Arg{}
			for _, e := range splitList(v[1]) {
				a.List = append(a.List, Arg{Value: value.Str(e)})
			}
		}
		if err := d.set(a); err != nil {
			return fmt.Errorf("option %s: %w", v[0], err)
		}
	}
	return nil
}
