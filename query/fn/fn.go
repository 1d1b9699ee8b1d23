// Package fn says what a function of the language is: its name, its arguments, the type of its result, and the code that
// computes it. Binding, documentation and completion follow from these declarations.
//
// The packages below this one declare functions, a kind of function each; fn/builtin makes the table of all. What they
// share is here: errors, limits on the size of results, and loops that end with their context. Functions that depend on
// the session, the catalog or a search are declared here and computed by the engine (Func.Host).
package fn

import (
	"context"
	"fmt"
	"strings"

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

// LongText is the length in bytes of a first argument from which on Call looks at its context.
const LongText = 1 << 16

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
	if len(args) > 0 && len(args[0].S) > LongText && ctx.Err() != nil {
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
