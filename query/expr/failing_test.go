package expr

import (
	"errors"
	"testing"

	"parlance/storage/value"
)

var errFailing = errors.New("this operand fails")

// failing is an operand that cannot be computed.
type failing struct{ t value.Type }

func (f failing) Type() value.Type                                { return f.t }
func (f failing) At(*Env, *value.Batch, int) (value.Value, error) { return value.Value{}, errFailing }
func (f failing) Children() []Expr                                { return nil }
func (f failing) String() string                                  { return "failing" }

// TestErrorsOfOperands: an expression with an operand that cannot be computed cannot be computed, whichever operand it
// is; nor can a comparison of values that do not compare.
func TestErrorsOfOperands(t *testing.T) {
	one, word, yes := &Const{V: value.Int(1)}, &Const{V: value.Str("a")}, &Const{V: value.Bool(true)}
	null := &Const{}
	bad := func(t value.Type) Expr { return failing{t} }
	env := &Env{Ctx: t.Context()}
	for name, x := range map[string]Expr{
		"= left":         &Compare{Op: "=", X: bad(value.Integer), Y: one},
		"= right":        &Compare{Op: "=", X: one, Y: bad(value.Integer)},
		"distinct left":  &Distinct{X: bad(value.Integer), Y: one},
		"distinct right": &Distinct{X: one, Y: bad(value.Integer)},
		"and left":       &Logic{X: bad(value.Boolean), Y: yes}, "and right": &Logic{X: yes, Y: bad(value.Boolean)},
		"and null": &Logic{X: null, Y: bad(value.Boolean)}, "or right": &Logic{Or: true, X: null, Y: bad(value.Boolean)},
		"not": &Not{X: bad(value.Boolean)}, "is null": &IsNull{X: bad(value.Integer)},
		"is true": &IsBool{X: bad(value.Boolean)},
		"+ left":  &Arith{Op: "+", X: bad(value.Integer), Y: one, T: value.Integer},
		"+ right": &Arith{Op: "+", X: one, Y: bad(value.Integer), T: value.Integer},
		"cast":    &Cast{X: bad(value.Text), T: value.Integer},
		"when":    &Case{Whens: []Expr{bad(value.Boolean)}, Thens: []Expr{one}, T: value.Integer},
		"then":    &Case{Whens: []Expr{yes}, Thens: []Expr{bad(value.Integer)}, T: value.Integer},
		"else":    &Case{Whens: []Expr{null}, Thens: []Expr{one}, Else: bad(value.Integer), T: value.Integer},
	} {
		if v, err := x.At(env, &value.Batch{N: 1}, 0); !errors.Is(err, errFailing) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if v, err := Eval(x, env, &value.Batch{N: 1}); !errors.Is(err, errFailing) {
			t.Errorf("%s by columns: %v, %v", name, v, err)
		}
	}
	for name, x := range map[string]Expr{"=": &Compare{Op: "=", X: one, Y: word}, "distinct": &Distinct{X: one, Y: word}} {
		if v, err := x.At(env, &value.Batch{N: 1}, 0); err == nil {
			t.Errorf("1 %s 'a' is %v", name, v)
		}
	}
}
