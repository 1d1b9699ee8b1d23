// Package fn is the table of scalar and aggregate functions of the language: one entry
// a function, from which binding, documentation and completion follow.
package fn

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"parlance/algo/option"
	"parlance/storage/value"
)

// Any as an argument type takes every type; as a result type it is the type of the first argument.
const Any = value.Null

// Func is a scalar function.
type Func struct {
	Name     string
	Doc      string
	Args     []value.Type
	Optional int  // how many of the last arguments may be left out
	Variadic bool // the last argument may repeat
	Result   value.Type
	Nulls    bool // Eval sees NULL arguments; otherwise a NULL argument makes the result NULL
	Volatile bool // not the same for equal arguments
	First    bool // gives its first argument that is not NULL; those after it are not computed
	Host     bool // what it gives depends on the session or the catalog: the engine computes it, Eval is nil
	Eval     func(args []value.Value) (value.Value, error)
	// Long stands in place of Eval where long arguments take long: it ends with its context.
	Long func(ctx context.Context, args []value.Value) (value.Value, error)
	// Example is an expression that shows the function; the reference prints it with its value.
	Example string
	// Other is the form of the function that is taken where arguments do not fit this one; nil for none.
	Other *Func
	// Names are those of the arguments, for name => value; numbers that are left out before a named one are 0. nil where
	// arguments go by place alone.
	Names []string
}

// Table is a set of functions by name.
type Table struct {
	funcs map[string]*Func
	aggs  map[string]*Aggregate
}

// NewTable returns the built-in functions and the given ones, which may not reuse a name.
func NewTable(more ...Func) (*Table, error) {
	t := &Table{funcs: map[string]*Func{}, aggs: map[string]*Aggregate{}}
	for _, list := range [][]Func{stringFuncs, bytesFuncs, numberFuncs, nullFuncs, similarityFuncs, regexpFuncs, jsonFuncs, jsonOperatorFuncs, jsonMakeFuncs, binaryFuncs, formFuncs, momentFuncs, patternFuncs, timeFuncs, zoneFuncs, dateFuncs, intervalFuncs, spanFuncs, vectorFuncs, searchFuncs, arrayFuncs, quoteFuncs, sessionFuncs, catalogFuncs, more} {
		for i := range list {
			f := &list[i]
			if t.funcs[f.Name] != nil {
				return nil, fmt.Errorf("function %s is declared twice", f.Name)
			}
			t.funcs[f.Name] = f
		}
	}
	for _, list := range [][]Aggregate{aggregates, pairAggregates, orderedAggregates} {
		for i := range list {
			t.aggs[list[i].Name] = &list[i]
		}
	}
	return t, nil
}

// Scalar returns the function of the name, ignoring case, or nil.
func (t *Table) Scalar(name string) *Func { return t.funcs[strings.ToLower(name)] }

// Aggregate returns the aggregate of the name, ignoring case, or nil.
func (t *Table) Aggregate(name string) *Aggregate { return t.aggs[strings.ToLower(name)] }

// List returns the scalar functions by name.
func (t *Table) List() []*Func {
	out := make([]*Func, 0, len(t.funcs))
	for _, f := range t.funcs {
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Aggregates returns the aggregates by name.
func (t *Table) Aggregates() []*Aggregate {
	out := make([]*Aggregate, 0, len(t.aggs))
	for _, f := range t.aggs {
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Suggest returns "; did you mean x?" for an unknown name, or "".
func (t *Table) Suggest(name string) string {
	var names []string
	for n := range t.funcs {
		names = append(names, n)
	}
	for n := range t.aggs {
		names = append(names, n)
	}
	sort.Strings(names)
	return option.DidYouMean(name, names)
}

// Check returns the result type for the argument types, or an error that shows the signature.
func (f *Func) Check(args []value.Type) (value.Type, error) {
	n := len(args)
	if n < len(f.Args)-f.Optional || n > len(f.Args) && !f.Variadic {
		return 0, fmt.Errorf("%s takes %s", f.Name, f.Signature())
	}
	for i, a := range args {
		want := f.Args[min(i, len(f.Args)-1)]
		if !fits(a, want) {
			return 0, fmt.Errorf("argument %d of %s is %s, it takes %s", i+1, f.Name, a, f.Signature())
		}
	}
	if f.Result != Any {
		return f.Result, nil
	}
	for _, a := range args {
		if a != value.Null {
			return a, nil
		}
	}
	return value.Null, nil
}

// fits reports whether an argument of type a can stand where want is declared.
func fits(a, want value.Type) bool {
	switch {
	case want == Any || a == value.Null || a == want:
		return true
	case want == value.Float:
		return a == value.Integer
	case want == value.Text:
		return a == value.JSON || a == value.Interval
	case want == value.JSON:
		return a == value.Text
	case want == value.Timestamp: // a text is read as a time
		return a == value.Text
	case want == value.Bytes, want == value.Interval:
		return a == value.Text
	case want == value.Vector:
		return a == value.Text || a == value.JSON
	}
	return false
}

// Signature prints name, arguments and result.
func (f *Func) Signature() string {
	parts := make([]string, len(f.Args))
	for i, a := range f.Args {
		name := a.String()
		if a == Any {
			name = "any"
		}
		if i >= len(f.Args)-f.Optional {
			name = "[" + name + "]"
		}
		parts[i] = name
	}
	if f.Variadic {
		parts = append(parts, "…")
	}
	result := f.Result.String()
	if f.Result == Any {
		result = "any"
	}
	return fmt.Sprintf("%s(%s) → %s", f.Name, strings.Join(parts, ", "), result)
}

// longText is the length in bytes of a first argument from which on Call looks at its context.
const longText = 1 << 16

// Call evaluates f, handling NULL arguments. The context may be nil.
func (f *Func) Call(ctx context.Context, args []value.Value) (value.Value, error) {
	if !f.Nulls {
		for _, a := range args {
			if a.IsNull() {
				return value.Value{}, nil
			}
		}
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if len(args) > 0 && len(args[0].S) > longText && ctx.Err() != nil {
		return value.Value{}, ctx.Err()
	}
	if f.Long == nil {
		v, err := f.Eval(args)
		return v, Refused(err)
	}
	v, err := f.Long(ctx, args)
	if err != nil && ctx.Err() != nil {
		return v, ctx.Err()
	}
	return v, Refused(err)
}

// Refused marks an error about values as ErrArgument; nil stays nil.
func Refused(err error) error {
	if err == nil {
		return nil
	}
	return &argumentError{err}
}

// ErrArgument is what every error of a function is: its arguments do not fit.
var ErrArgument = errors.New("arguments do not fit")

// Fault is an error of a function for which SQL has a code of its own.
type Fault struct{ Code, Msg, Hint string }

func (f *Fault) Error() string { return f.Msg }

// argumentError marks the error of a function without changing its text.
type argumentError struct{ error }

func (e *argumentError) Unwrap() error        { return e.error }
func (e *argumentError) Is(target error) bool { return target == ErrArgument }
