package learn

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/jobs"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/value"
)

// candidate is one combination of options.
type candidate struct {
	options []ast.Option // one for each option of OVER
	omitted []bool       // options without effect, which are not set; nil for none
	text    string       // as in l2 = 0.1, order = 2
	json    json.RawMessage
}

// combine lists the combinations of the values in OVER, all of them or SAMPLE many, with the last option varying
// fastest.
func (t *tuning) combine(ctx context.Context) error {
	if slices.ContainsFunc(t.stmt.Over, func(o ast.Option) bool { _, ok := o.Value.(*ast.RangeValue); return ok }) {
		return t.draw()
	}
	axes := make([][]ast.OptionValue, len(t.stmt.Over))
	total := uint64(1)
	for i, o := range t.stmt.Over {
		axes[i] = []ast.OptionValue{o.Value}
		if list, ok := o.Value.(*ast.TupleValue); ok {
			axes[i] = list.Items
		}
		if total *= uint64(len(axes[i])); total > 1<<40 {
			return plan.Errorf(t.stmt.Pos, plan.CodeInvalid, "", "OVER spans too many combinations")
		}
	}
	numbers, err := t.numbers(total)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		chosen := make([]ast.OptionValue, len(axes))
		for i := len(axes) - 1; i >= 0; i-- {
			k := uint64(len(axes[i]))
			chosen[i], n = axes[i][n%k], n/k
		}
		if err := t.addCandidate(chosen); err != nil {
			return err
		}
	}
	return nil
}

// numbers chooses the combinations to try, in rising order.
func (t *tuning) numbers(total uint64) ([]uint64, error) {
	want := total
	if t.stmt.Sample != nil {
		n, err := between(t.r, t.stmt.Sample, "SAMPLE", 1, MaxCandidate)
		if err != nil {
			return nil, err
		}
		want = min(total, uint64(n))
	} else if total > MaxCandidate {
		return nil, plan.Errorf(t.stmt.Pos, plan.CodeInvalid, "OVER (…) SAMPLE 50 tries some of them",
			"OVER spans %d combinations, more than %d", total, MaxCandidate)
	}
	out := make([]uint64, 0, want)
	if want == total {
		for n := range total {
			out = append(out, n)
		}
		return out, nil
	}
	// Floyd's algorithm draws distinct numbers without a list of all.
	rng := rand.New(rand.NewPCG(t.seed, 3))
	seen := map[uint64]bool{}
	for top := total - want; top < total; top++ {
		n := rng.Uint64N(top + 1)
		if seen[n] {
			n = top
		}
		seen[n] = true
		out = append(out, n)
	}
	slices.Sort(out)
	return out, nil
}

func (t *tuning) addCandidate(values []ast.OptionValue) error {
	var c candidate
	for i, o := range t.stmt.Over {
		c.options = append(c.options, ast.Option{Pos: values[i].Position(), Name: o.Name, Value: values[i]})
	}
	t.candidates = append(t.candidates, c)
	return t.describe(&t.candidates[len(t.candidates)-1])
}

// omits reports whether the candidate does not set an option of OVER.
func (c *candidate) omits(i int) bool { return c.omitted != nil && c.omitted[i] }

// given are the options that a candidate sets.
func (c *candidate) given() []ast.Option {
	var out []ast.Option
	for i, o := range c.options {
		if !c.omits(i) {
			out = append(out, o)
		}
	}
	return out
}

// describe writes the options of a candidate as text and JSON.
func (t *tuning) describe(c *candidate) error {
	var text, fields []string
	for _, o := range c.given() {
		a, err := optarg.Arg(o.Value, t.r.Env)
		if err != nil {
			return err
		}
		text = append(text, o.Name+" = "+a.Text())
		name, err := json.Marshal(o.Name)
		if err != nil {
			return err
		}
		v, err := json.Marshal(plainOption(a))
		if err != nil {
			return err
		}
		fields = append(fields, string(name)+":"+string(v))
	}
	c.text, c.json = strings.Join(text, ", "), json.RawMessage("{"+strings.Join(fields, ",")+"}")
	return nil
}

// plainOption is the value of an option for JSON.
func plainOption(a option.Arg) any {
	if a.List != nil {
		out := make([]any, len(a.List))
		for i, x := range a.List {
			out[i] = plainOption(x)
		}
		return out
	}
	if a.Ref == nil {
		switch a.Value.T {
		case value.Integer:
			return a.Value.Int()
		case value.Float:
			return jobs.Finite(a.Value.Float())
		case value.Boolean:
			return a.Value.Bool()
		}
	}
	return a.Text()
}
