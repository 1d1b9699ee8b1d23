package operator

import (
	"math"
	"sort"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn/timefn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// codeFrameSize is that of an offset that is NULL or negative.
const codeFrameSize = "22013"

// bounds evaluates the offsets of both ends of the frame.
func (c *windowCall) bounds(env *expr.Env) error {
	for _, p := range []struct {
		b      *plan.WindowBound
		dst    *int
		offset *value.Value
	}{{&c.call.Frame.From, &c.from, &c.preceding}, {&c.call.Frame.To, &c.to, &c.following}} {
		if p.b.N == nil {
			continue
		}
		v, err := p.b.N.At(env, &value.Batch{N: 1}, 0)
		if err != nil {
			return err
		}
		if c.call.Frame.Unit == plan.RangeFrame {
			if *p.offset, err = c.offset(p.b.At, v); err != nil {
				return err
			}
			continue
		}
		if v.T != value.Integer || v.Int() < 0 {
			return plan.Errorf(p.b.At, plan.CodeInvalid, "", "a frame is bounded by a whole number of rows from 0")
		}
		*p.dst = p.b.Sign * int(min(v.Int(), 1<<40))
	}
	return nil
}

// offset checks the offset of an end of a RANGE frame: a number or interval from 0.
func (c *windowCall) offset(at ast.Pos, v value.Value) (value.Value, error) {
	negative := v.IsNull()
	switch t := c.call.Order[0].X.Type(); {
	case negative:
	case t == value.Timestamp:
		zero := value.Value{T: value.Timestamp}
		shifted, err := timefn.TimePlus.Eval([]value.Value{zero, v})
		if err != nil {
			return v, plan.Errorf(at, plan.CodeInvalid, "", "%v", err)
		}
		negative = value.Compare(shifted, zero) < 0
	case v.T == value.Text:
		n, err := value.Cast(v, t)
		if err != nil {
			return v, plan.Errorf(at, plan.CodeInvalid, "", "%v", err)
		}
		v, negative = n, n.Float() < 0
	default:
		negative = !(v.Float() >= 0)
	}
	if negative {
		return v, plan.Errorf(at, codeFrameSize, "", "a frame is bounded by a distance from 0, not by %s",
			&expr.Const{V: v})
	}
	return v, nil
}

// frame returns the frame of row i: the rows [from, to) of the partition.
func (c *windowCall) frame(p *partition, i int) (from, to int, err error) {
	f, n := &c.call.Frame, len(p.rows)
	switch f.Unit {
	case plan.RowsFrame:
		from, to = i+c.from, i+c.to+1
	default:
		from, to = int(p.first[i]), int(p.last[i])
		if f.From.N != nil {
			if from, err = c.search(p, i, f.From.Sign, c.preceding, false); err != nil {
				return 0, 0, err
			}
		}
		if f.To.N != nil {
			if to, err = c.search(p, i, f.To.Sign, c.following, true); err != nil {
				return 0, 0, err
			}
		}
	}
	if f.From.Open {
		from = 0
	}
	if f.To.Open {
		to = n
	}
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	return from, max(from, to), nil
}

// search returns the first row whose key is at least, or with behind beyond, the key of row i moved by an
// offset in the order. NULL is as far from everything as from itself.
func (c *windowCall) search(p *partition, i, sign int, offset value.Value, behind bool) (int, error) {
	key := c.key.at(int(p.rows[i]))
	if key.IsNull() {
		if behind {
			return int(p.last[i]), nil
		}
		return int(p.first[i]), nil
	}
	if c.key.desc {
		sign = -sign
	}
	edge, err := c.shifted(key, sign, offset, behind == c.key.desc)
	if err != nil {
		return 0, err
	}
	return sort.Search(len(p.rows), func(k int) bool {
		r := c.key.compareValues(c.typedKey(int(p.rows[k])), edge)
		return r > 0 || r == 0 && !behind
	}), nil
}

// typedKey is the key of a row with its type.
func (c *windowCall) typedKey(row int) value.Value {
	v := c.key.at(row)
	if t := c.call.Order[0].X.Type(); !v.IsNull() && t == value.Timestamp {
		v.T = t
	}
	return v
}

// shifted returns key + sign × offset. Between two integers it is the upper or the lower one: no integer key lies
// between them, and a float might not tell them apart.
func (c *windowCall) shifted(key value.Value, sign int, offset value.Value, up bool) (value.Value, error) {
	switch {
	case c.call.Order[0].X.Type() == value.Timestamp:
		key.T = value.Timestamp
		shift := timefn.TimePlus
		if sign < 0 {
			shift = timefn.TimeMinus
		}
		return shift.Eval([]value.Value{key, offset})
	case key.T == value.Integer && offset.T == value.Integer:
		return shiftedInteger(key.Int(), sign, offset.Int(), 0), nil
	case key.T == value.Integer && offset.Float() < 1<<63:
		whole := math.Floor(offset.Float())
		rest := int64(0)
		if offset.Float() > whole && up == (sign > 0) {
			rest = 1
		}
		return shiftedInteger(key.Int(), sign, int64(whole), rest), nil
	}
	return value.Real(key.Float() + float64(sign)*offset.Float()), nil
}

// shiftedInteger returns key + sign × (offset + rest), both from 0; beyond all integers that is infinity.
func shiftedInteger(key int64, sign int, offset, rest int64) value.Value {
	for _, n := range []int64{offset, rest} {
		moved := key + int64(sign)*n
		if moved < key != (sign < 0) && n > 0 {
			return value.Real(math.Inf(sign))
		}
		key = moved
	}
	return value.Int(key)
}
