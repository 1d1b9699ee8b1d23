package exec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// movingCall is an aggregate over random rows of one type, some of them NULL or left out by FILTER.
func movingCall(t *testing.T, name string, of value.Type, n int) (*windowCall, *partition) {
	t.Helper()
	table, err := fn.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	vals, key := make([]value.Value, n), value.Vec{Type: value.Integer}
	c := &windowCall{call: &plan.WindowCall{Agg: table.Aggregate(name), Args: []expr.Expr{&expr.Col{T: of}}}, args: make([]column, 1)}
	for i := range vals {
		switch {
		case r.IntN(5) == 0:
		case of == value.Integer:
			vals[i] = value.Int(r.Int64N(1<<40) - 1<<39)
		case of == value.Boolean:
			vals[i] = value.Bool(r.IntN(4) > 0)
		case of == value.Text:
			vals[i] = value.Str(fmt.Sprint(r.IntN(20)))
		default:
			vals[i] = value.Real(math.Round(r.NormFloat64()*1e6) / 1e3)
		}
		c.mask = append(c.mask, r.IntN(7) > 0)
		key.Ints = append(key.Ints, int64(i/3))
	}
	v := value.FromValues(of, vals)
	c.args[0].append(&v, n)
	keys := &column{}
	keys.append(&key, n)
	p := &partition{}
	for i := range n {
		p.rows = append(p.rows, int32(i))
	}
	p.peers([]*column{keys})
	return c, p
}

// TestMovingFrames compares frames that lose rows with adding each of them up.
func TestMovingFrames(t *testing.T) {
	ctx := context.Background()
	for _, a := range []struct {
		name   string
		of     value.Type
		spread bool
	}{{name: "count", of: value.Text}, {name: "sum", of: value.Integer}, {name: "sum", of: value.Float}, {name: "avg", of: value.Integer}, {name: "avg", of: value.Float}, {name: "min", of: value.Float}, {name: "max", of: value.Float},
		{name: "min", of: value.Text}, {name: "max", of: value.Text}, {name: "bool_and", of: value.Boolean}, {name: "bool_or", of: value.Boolean}, {name: "every", of: value.Boolean},
		{name: "bit_and", of: value.Integer}, {name: "bit_or", of: value.Integer}, {name: "bit_xor", of: value.Integer}, {name: "stddev", of: value.Float, spread: true}, {name: "string_agg", of: value.Text}, {name: "array_agg", of: value.Text}, {name: "json_agg", of: value.Integer}, {name: "var_pop", of: value.Integer, spread: true}} {
		c, p := movingCall(t, a.name, a.of, 61)
		for _, unit := range []plan.FrameUnit{plan.RowsFrame, plan.GroupsFrame} {
			for _, ends := range [][2]int{{0, 0}, {-3, 0}, {-9, -4}, {2, 11}, {-1, 1}, {-100, -50}, {3, 1}} {
				for _, exclude := range []string{"", "CURRENT ROW", "GROUP", "TIES"} {
					for _, open := range []bool{false, true} {
						c.from, c.to = ends[0], ends[1]
						c.call.Frame = plan.WindowFrame{Unit: unit, Exclude: exclude}
						c.call.Frame.From.Open, c.call.Frame.To.Open = open && ends[0] < -1, open && ends[0] >= -1
						c.out = make([]value.Value, len(p.rows))
						if err := c.grow(ctx, p); err != nil {
							t.Fatal(err)
						}
						want := c.out
						c.out = make([]value.Value, len(p.rows))
						if err := c.aggregate(ctx, p); err != nil {
							t.Fatal(err)
						}
						for i := range want {
							if c.out[i] != want[i] && !(a.spread && alike(c.out[i], want[i])) {
								t.Fatalf("%s(%s) over %s, row %d of %+v: %v, want %v", a.name, a.of, c.call.Frame, i, ends, c.out[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

// alike compares spreads, which are rounded at each step where rows are added one by one.
func alike(x, y value.Value) bool {
	return x.T == y.T && math.Abs(x.Float()-y.Float()) <= 1e-9*math.Abs(y.Float())
}

// TestFramesThatGoBack compares frames whose ends move in any order.
func TestFramesThatGoBack(t *testing.T) {
	c, p := movingCall(t, "sum", value.Integer, 50)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range p.group {
		p.group[i] = int32(r.IntN(len(p.starts)))
	}
	c.from, c.to, c.call.Frame = -2, 2, plan.WindowFrame{Unit: plan.GroupsFrame}
	c.call.Frame.From.N = &expr.Const{V: value.Int(2)}
	run := func(compute func(context.Context, *partition) error) []value.Value {
		c.out = make([]value.Value, len(p.rows))
		if err := compute(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		return c.out
	}
	if got, want := fmt.Sprint(run(c.move)), fmt.Sprint(run(c.grow)); got != want {
		t.Fatalf("%s, want %s", got, want)
	}
}

// counting counts what is added and taken back.
type counting struct {
	fn.Moving
	n *int
}

func (m counting) Add(a []value.Value) error    { *m.n++; return m.Moving.Add(a) }
func (m counting) Remove(a []value.Value) error { *m.n++; return m.Moving.Remove(a) }

// TestMovingFramesAreLinear counts: each row comes once and goes once.
func TestMovingFramesAreLinear(t *testing.T) {
	c, p := movingCall(t, "sum", value.Float, 4000)
	n, agg, call := 0, *c.call.Agg, *c.call
	plain := agg.Moving
	agg.Moving = func() fn.Moving { return counting{plain(), &n} }
	call.Agg, c.call = &agg, &call
	c.from, c.out = -1000, make([]value.Value, 4000)
	if err := c.aggregate(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if n == 0 || n > 8000 {
		t.Fatalf("%d additions and removals for 4000 rows", n)
	}
}
