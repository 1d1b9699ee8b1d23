package expectation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/storage/value"
)

var ctx = context.Background()

// names are the labels of small tests.
var names = []string{"S", "T", "O"}

func space(longest int) *Space {
	s := &Space{N: len(names), Longest: longest, Token: map[string][]bool{}, Outside: "O"}
	for y, n := range names {
		s.Token[n] = make([]bool, len(names))
		s.Token[n][y] = true
	}
	return s
}

// training is rows of words, each word an attribute, with constraints.
func training(t *testing.T, longest int, list []Constraint, texts ...string) *Training {
	t.Helper()
	tr, err := NewTriggers(list)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(list, tr, space(longest))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := semimarkov.NewLabels(semimarkov.Labels{N: len(names)})
	if err != nil {
		t.Fatal(err)
	}
	out := &Training{Problem: p, Cap: 20, Workers: 1}
	d := &semimarkov.Data{}
	ids := map[string]uint32{}
	for _, text := range texts {
		forms := strings.Fields(text)
		s := semimarkov.Sequence{N: len(forms), Token: semimarkov.Rows{Offsets: []uint32{0}}}
		for _, f := range forms {
			if _, ok := ids[f]; !ok {
				ids[f] = uint32(len(ids))
			}
			s.Token.Attrs = append(s.Token.Attrs, ids[f])
			s.Token.Offsets = append(s.Token.Offsets, uint32(len(s.Token.Attrs)))
		}
		d.Sequences, d.Gold = append(d.Sequences, s), append(d.Gold, nil)
		out.Rows = append(out.Rows, Row{len(forms), tr.Match(nil, forms, nil)})
	}
	d.Attributes = len(ids)
	if out.Layout, err = semimarkov.NewLayout(d, labels, longest,
		semimarkov.Features{AllStates: true, AllPairs: longest > 1}); err != nil {
		t.Fatal(err)
	}
	out.Sequences = d.Sequences
	out.Begin()
	return out
}

func close(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestClosedForm: rows of one token, three labels, λ = 0 and a share r for a label give μ = log(2r/(1−r)). The
// projection onto models takes it over, and is a fixed point.
func TestClosedForm(t *testing.T) {
	for _, r := range []float64{0.5, 0.8} {
		c := training(t, 1, []Constraint{{Kind: Token, Value: "w", Label: "S", Target: r, Direction: AtLeast}}, "w",
			"w")
		if _, err := c.ProjectI(ctx, 100); err != nil {
			t.Fatal(err)
		}
		want := math.Log(2 * r / (1 - r))
		if !close(c.Mu[0], want, 1e-5) {
			t.Errorf("share %g: μ = %g, want %g", r, c.Mu[0], want)
		}
		if _, err := c.ProjectM(ctx, 200); err != nil {
			t.Fatal(err)
		}
		if d := c.W[0] - c.W[1]; !close(d, want, 1e-4) {
			t.Errorf("share %g: λ = %g above the others, want %g", r, d, want)
		}
		if _, err := c.ProjectI(ctx, 100); err != nil {
			t.Fatal(err)
		}
		if !close(c.Mu[0], 0, 1e-3) {
			t.Errorf("share %g: the next μ = %g, want 0", r, c.Mu[0])
		}
	}
}

// TestOnlineTrace follows the steps of the same rows as an equality.
func TestOnlineTrace(t *testing.T) {
	c := training(t, 1, []Constraint{{Kind: Token, Value: "w", Label: "S", Target: 0.5, Direction: Equal}}, "w", "w")
	want := [][2]float64{{.151515, 0}, {.214464, .016417}, {.251093, .032370}, {.275730, .046620}}
	c.Layout.States = semimarkov.Table{Start: []uint32{0, 1}, Cols: []uint32{0}} // a weight of the constraint alone
	c.Begin()
	var state OnlineState
	for pass := range 2 {
		o := &Online{Passes: pass + 1, Rate: 10, Inverse: true}
		if err := o.Run(ctx, c, &state, pass, func(int, int, float64, string) (bool, error) {
			return false,
				nil
		}); err != nil {
			t.Fatal(err)
		}
		w := want[2*pass+1]
		if !close(c.Mu[0], w[0], 1e-6) || !close(c.W[0], w[1], 1e-6) {
			t.Errorf("step %d: μ = %.6f, λ = %.6f, want %.6f and %.6f", 2*pass+2, c.Mu[0], c.W[0], w[0], w[1])
		}
	}
}

// several is constraints of every kind over rows of several tokens.
func several(t *testing.T) *Training {
	c := training(t, 3, []Constraint{
		{Kind: Token, Value: "a", Label: "S", Target: 0.8, Direction: AtLeast},
		{Kind: Pattern, Value: "b {.}", Label: "T", Target: 0.7, Direction: Box, Width: 0.05},
		{Kind: Separator, Value: "b", Label: "O", Target: 0.6, Direction: AtLeast},
		{Kind: Share, Label: "O", Target: 0.3, Direction: AtMost},
		{Kind: Length, Value: "2-", Label: "S", Target: 0.4, Direction: AtLeast},
		{Kind: Segments, Label: "T", Target: 0.9, Direction: AtMost},
		{Kind: Token, Value: "c", Label: "T", Target: 0.5, Direction: Squared, Width: 0.1},
	}, "a b c", "b a", "c c a b", "a")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range c.W {
		c.W[i] = 0.5 * r.NormFloat64()
	}
	return c
}

// TestDual compares the gradient of the dual with differences, at random multipliers.
func TestDual(t *testing.T) {
	c := several(t)
	u, _ := c.Problem.Targets(c.Rows)
	r := rand.New(rand.NewPCG(2, 2))
	mu, grad, scratch := make([]float64, len(c.Mu)), make([]float64, len(c.Mu)), make([]float64, len(c.Mu))
	for i := range mu {
		mu[i] = r.NormFloat64()
	}
	if _, err := c.dual(ctx, u, mu, grad); err != nil {
		t.Fatal(err)
	}
	for i := range mu {
		const h = 1e-5
		x := slices.Clone(mu)
		x[i] += h
		up, _ := c.dual(ctx, u, x, scratch)
		x[i] -= 2 * h
		down, _ := c.dual(ctx, u, x, scratch)
		if d := (up - down) / (2 * h); !close(d, grad[i], 1e-6) {
			t.Errorf("multiplier %d: gradient %g, difference %g", i, grad[i], d)
		}
	}
}

// TestSlackness: at the optimum bounds hold, and μ is 0 where they hold with room.
func TestSlackness(t *testing.T) {
	c := several(t)
	miss, err := c.ProjectI(ctx, 500)
	if err != nil {
		t.Fatal(err)
	}
	if miss > 1e-4 {
		t.Errorf("a constraint is missed by %g", miss)
	}
	u, _ := c.Problem.Targets(c.Rows)
	grad := make([]float64, len(u))
	if _, err := c.dual(ctx, u, c.Mu, grad); err != nil {
		t.Fatal(err)
	}
	free := 0
	for i, g := range grad {
		if !close(c.Mu[i]*g, 0, 1e-4) {
			t.Errorf("part %d: μ = %g with %g of room", i, c.Mu[i], g)
		}
		if c.Mu[i] == 0 {
			free++
		}
	}
	if free == 0 || free == len(grad) {
		t.Errorf("%d of %d parts have room", free, len(grad))
	}
}

// TestNothingToDo: without constraints that bind nothing moves.
func TestNothingToDo(t *testing.T) {
	c := training(t, 2, []Constraint{{Kind: Token, Value: "a", Label: "S", Target: 0.1, Direction: AtLeast}}, "a b",
		"b a")
	if err := (&Batch{Rounds: 2, Multipliers: 50, Weights: 20}).Run(ctx, c, 0, quiet); err != nil {
		t.Fatal(err)
	}
	if err := (&Online{Passes: 3, Rate: 0.1, MuRate: 0.3, Local: true}).Run(ctx, c, &OnlineState{}, 0,
		quiet); err != nil {
		t.Fatal(err)
	}
	if largest(c.Mu) != 0 || largest(c.W) > 1e-9 {
		t.Errorf("μ %g, λ %g, want 0", c.Mu, c.W)
	}
}

func quiet(int, int, float64, string) (bool, error) { return false, nil }

// TestPropagation: a constraint on london reaches boston by the attribute that both have, and not without it.
func TestPropagation(t *testing.T) {
	for _, shared := range []bool{true, false} {
		c := training(t, 1, []Constraint{{Kind: Token, Value: "london", Label: "S", Target: 0.9, Direction: AtLeast}},
			"london", "boston", "cluster")
		if shared {
			for i := range 2 {
				c.Sequences[i].Token = semimarkov.Rows{Offsets: []uint32{0, 2}, Attrs: []uint32{uint32(i), 2}}
			}
		}
		c.L2 = 0.01
		if err := (&Batch{Rounds: 3, Multipliers: 50, Weights: 50}).Run(ctx, c, 0, quiet); err != nil {
			t.Fatal(err)
		}
		chart := semimarkov.NewChart(c.Layout)
		if err := chart.SetWeights(c.W); err != nil {
			t.Fatal(err)
		}
		if err := chart.Load(ctx, &c.Sequences[1], nil, nil); err != nil {
			t.Fatal(err)
		}
		if p := chart.Expect().Token[0]; shared != (p > 0.335) || !shared && !close(p, 1.0/3, 1e-6) {
			t.Errorf("shared %v: boston has the label with %g", shared, p)
		}
	}
}

// TestBatchMeets: the model meets constraints at the end, and reports them.
func TestBatchMeets(t *testing.T) {
	c := several(t)
	c.Begin()
	c.L2 = 0.001
	if err := (&Batch{Rounds: 20, Multipliers: 50, Weights: 30}).Run(ctx, c, 0, quiet); err != nil {
		t.Fatal(err)
	}
	list, err := c.Report(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"met", "met", "met", "met", "met", "met", "met"} {
		if list[i].Status != want {
			t.Errorf("%s: %s at %g, projection %g", list[i].Constraint, list[i].Status, list[i].Expected,
				list[i].Projected)
		}
	}
	if n := list[0].Matches; n != 4 {
		t.Errorf("the form a is found %g times, want 4", n)
	}
}

// TestConflict: constraints without a solution are told, and training ends with multipliers at their bound.
func TestConflict(t *testing.T) {
	c := training(t, 1, []Constraint{
		{Row: 1, Kind: Token, Value: "a", Label: "S", Target: 0.9, Direction: AtLeast},
		{Row: 2, Kind: Token, Value: "a", Label: "T", Target: 0.8, Direction: AtLeast},
		{Row: 3, Kind: Share, Label: "O", Target: 0.5, Direction: AtLeast},
		{Row: 4, Kind: Share, Label: "O", Target: 0.2, Direction: AtMost},
	}, "a b", "b a")
	got := c.Problem.Conflicts()
	want := []string{
		"constraints exclude each other: token 'a' label S >= 0.9 (row 1), token 'a' label T >= 0.8 (row 2) add " +
			"up to 1.7",
		"constraints exclude each other: share label O >= 0.5 (row 3), share label O <= 0.2 (row 4)"}
	if !slices.Equal(got, want) {
		t.Errorf("conflicts %q, want %q", got, want)
	}
	if err := (&Batch{Rounds: 2, Multipliers: 100, Weights: 20}).Run(ctx, c, 0, quiet); err != nil {
		t.Fatal(err)
	}
	list, err := c.Report(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	missed := 0
	for _, r := range list {
		if strings.HasPrefix(r.Status, "not met") {
			missed++
		}
	}
	if missed < 2 {
		t.Errorf("%d constraints are told as not met: %+v", missed, list)
	}
}

// TestMatch shows what triggers find.
func TestMatch(t *testing.T) {
	list := []Constraint{{Kind: Token, Value: "in"}, {Kind: Token, Value: "In"}, {Kind: Pattern, Value: `pages {\d+}`},
		{Kind: Pattern, Value: "^ ."}, {Kind: Token, Value: "J."}, {Kind: Pattern, Value: `(19|20)\d\d $`}}
	tr, err := NewTriggers(list)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range tr.Match(nil, strings.Fields("In J. pages 12, in 1992."), nil) {
		got = append(got, tr.Names[h.Trigger]+"@"+string('0'+rune(h.Token)))
	}
	want := []string{"token=in@0", "token=In@0", "pattern=^ .@0", "token=J.@1", "pattern=pages {\\d+}@3",
		"token=in@4", "pattern=(19|20)\\d\\d $@5"}
	if !slices.Equal(got, want) {
		t.Errorf("hits %q, want %q", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	null := value.Value{}
	for want, row := range map[string][]value.Value{
		`did you mean token`: {value.Str("tokn"), value.Str("a"), value.Str("S"), value.Real(0.5), null, null},
		`target 1.5`:         {value.Str("token"), value.Str("a"), value.Str("S"), value.Real(1.5), null, null},
		`target NaN`:         {value.Str("token"), value.Str("a"), value.Str("S"), null, null, null},
		`no direction "~"`:   {value.Str("token"), value.Str("a"), value.Str("S"), value.Real(0.5), value.Str("~"), null},
		`width above 0`:      {value.Str("token"), value.Str("a"), value.Str("S"), value.Real(0.5), value.Str("box"), null},
		`wants a value`:      {value.Str("token"), null, value.Str("S"), value.Real(0.5), null, null},
		`wants a label`:      {value.Str("share"), null, null, value.Real(0.5), null, null},
		`missing closing`:    {value.Str("pattern"), value.Str("(a"), value.Str("S"), value.Real(0.5), null, null},
		`lengths "3-1"`:      {value.Str("length"), value.Str("3-1"), null, value.Real(0.5), null, null},
		`takes no value`:     {value.Str("share"), value.Str("x"), value.Str("S"), value.Real(0.5), null, null},
	} {
		in := kind.Tables{Table.Name: {row}}
		table, _ := in.Table(Table.Name)
		if _, err := Read(ctx, table); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "row 1") {
			t.Errorf("%v: %v, want %s", row, err, want)
		}
	}
}
