package learn

import (
	"math"
	"math/rand/v2"
	"strconv"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/value"
)

// interval is an interval from which values of an option are drawn.
type interval struct {
	low, high float64
	log       bool // uniform in the logarithm
	whole     bool // the option takes whole numbers
}

// draw makes the combinations of SAMPLE if OVER has intervals. Each option is drawn independently, by the seed; of a
// list one of its values.
func (t *tuning) draw() error {
	axes := make([]interval, len(t.stmt.Over))
	for i, o := range t.stmt.Over {
		if x, ok := o.Value.(*ast.RangeValue); ok {
			var err error
			if axes[i], err = t.interval(o.Name, x); err != nil {
				return err
			}
			if t.stmt.Sample == nil {
				return plan.Errorf(x.Pos, plan.CodeInvalid, "OVER (…) SAMPLE 20 tries 20 combinations",
					"%s has no end of values", x)
			}
		}
	}
	n, err := between(t.r, t.stmt.Sample, "SAMPLE", 1, MaxCandidate)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(t.seed, 6))
	for range n {
		chosen := make([]ast.OptionValue, len(axes))
		for i, o := range t.stmt.Over {
			switch x := o.Value.(type) {
			case *ast.RangeValue:
				chosen[i] = &ast.Literal{Pos: x.Pos, Value: axes[i].draw(rng)}
			case *ast.TupleValue:
				chosen[i] = x.Items[rng.IntN(len(x.Items))]
			default:
				chosen[i] = x
			}
		}
		if err := t.addCandidate(chosen); err != nil {
			return err
		}
	}
	return nil
}

// interval reads uniform(low, high) or log(low, high).
func (t *tuning) interval(name string, x *ast.RangeValue) (interval, error) {
	out := interval{log: x.Name == "log"}
	if !out.log && x.Name != "uniform" {
		return out, plan.Errorf(x.Pos, plan.CodeInvalid, "uniform(low, high) or log(low, high)",
			"there is no interval %s", x.Name)
	}
	ends := []*float64{&out.low, &out.high}
	if len(x.Items) != len(ends) {
		return out, plan.Errorf(x.Pos, plan.CodeInvalid, x.Name+"(low, high)", "%s has %d ends", x, len(x.Items))
	}
	for i, item := range x.Items {
		a, err := optarg.Arg(item, t.r.Env)
		if err != nil {
			return out, err
		}
		v, err := value.Cast(a.Value, value.Float)
		if err != nil || a.Ref != nil || a.List != nil || v.IsNull() || math.IsInf(v.Float(), 0) || math.IsNaN(v.Float()) {
			return out, plan.Errorf(item.Position(), plan.CodeInvalid, x.Name+"(0.001, 10)",
				"an interval ends in numbers, not %s", item)
		}
		*ends[i] = v.Float()
	}
	if !(out.low < out.high) || out.log && out.low <= 0 {
		return out, plan.Errorf(x.Pos, plan.CodeInvalid, x.Name+"(low, high) with low < high, of log both above 0",
			"%s is empty", x)
	}
	if k := t.r.Models.Kind(t.stmt.Kind); k != nil {
		if d := exec.KindOptions(k).Lookup(name); d != nil {
			out.whole = d.Type == "integer"
		}
	}
	return out, nil
}

// draw returns a number with three significant digits, or a whole number.
func (x interval) draw(rng *rand.Rand) any {
	low, high := x.low, x.high
	if x.log {
		low, high = math.Log(low), math.Log(high)
	}
	v := low + (high-low)*rng.Float64()
	if x.log {
		v = math.Exp(v)
	}
	if x.whole {
		return int64(math.Round(v))
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return min(max(v, x.low), x.high)
}
