package exec

import (
	"context"
	"slices"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// aggregate groups its input in memory. Groups come out in the order of their first row.
type aggregate struct {
	in     Operator
	n      *plan.Aggregate
	env    *expr.Env
	groups map[string]int
	keys   [][]value.Value
	accs   [][]accumulator
	codes  map[*value.Dict][]int32 // group of each word, where a dictionary column is the only key
	done   bool
	at     int
	buf    []byte
	texts  map[string]int32 // group of each word, likewise
	totals [][]int64        // by call and group, of calls that count rows; nil for others
	arena  []value.Value    // what keys are cut from
}

// accumulator is one aggregate of one group.
type accumulator struct {
	acc  fn.Accumulator
	seen map[string]struct{} // of DISTINCT
	held []heldRow           // of ORDER BY
}

type heldRow struct{ keys, args []value.Value }

func newAggregate(in Operator, n *plan.Aggregate, env *expr.Env) *aggregate {
	a := &aggregate{in: in, n: n, env: env, groups: map[string]int{}, codes: map[*value.Dict][]int32{}, texts: map[string]int32{}, totals: make([][]int64, len(n.Calls))}
	for i, c := range n.Calls {
		if _, ok := c.F.New().(fn.Counter); ok && len(c.Args) == 0 && !c.Distinct && len(c.OrderBy) == 0 {
			a.totals[i] = []int64{}
		}
	}
	return a
}

func (a *aggregate) newGroup(keys []value.Value) int {
	var accs []accumulator
	for i, c := range a.n.Calls {
		if a.totals[i] != nil {
			a.totals[i] = append(a.totals[i], 0)
			continue
		}
		if accs == nil {
			accs = make([]accumulator, len(a.n.Calls))
		}
		accs[i].acc = c.F.New()
		if c.Distinct {
			accs[i].seen = map[string]struct{}{}
		}
	}
	a.keys, a.accs = append(a.keys, keys), append(a.accs, accs)
	return len(a.keys) - 1
}

// keep copies the keys of a group.
func (a *aggregate) keep(keys []value.Value) []value.Value {
	if len(a.arena)+len(keys) > cap(a.arena) {
		a.arena = make([]value.Value, 0, max(len(keys), 1024))
	}
	n := len(a.arena)
	a.arena = append(a.arena, keys...)
	return a.arena[n:len(a.arena):len(a.arena)]
}

// count adds the rows of a batch to their groups.
func (a *aggregate) count(c int, groups []int32, n int) {
	if groups == nil {
		a.totals[c][0] += int64(n)
		return
	}
	for _, g := range groups {
		a.totals[c][g]++
	}
}

func (a *aggregate) group(keys []value.Value) int {
	a.buf = a.buf[:0]
	for _, k := range keys {
		a.buf = append(a.buf, byte(k.T))
		a.buf = value.AppendKey(a.buf, k)
	}
	g, ok := a.groups[string(a.buf)]
	if !ok {
		g = a.newGroup(a.keep(keys))
		a.groups[string(a.buf)] = g
	}
	return g
}

func (a *aggregate) Next(ctx context.Context) (*value.Batch, error) {
	if !a.done {
		if err := a.fill(ctx); err != nil {
			return nil, err
		}
		a.done = true
	}
	if a.at >= len(a.keys) {
		return nil, nil
	}
	to := min(a.at+value.BatchSize, len(a.keys))
	rows := make([][]value.Value, 0, to-a.at)
	for g := a.at; g < to; g++ {
		row := slices.Clone(a.keys[g])
		for i := range a.n.Calls {
			if a.totals[i] != nil {
				row = append(row, value.Int(a.totals[i][g]))
				continue
			}
			v, err := a.accs[g][i].result(a.n.Calls[i])
			if err != nil {
				return nil, err
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	a.at = to
	cols := a.n.Columns()
	types := make([]value.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	return value.FromRows(types, rows), nil
}

func (a *aggregate) fill(ctx context.Context) error {
	if len(a.n.Keys) == 0 {
		a.newGroup(nil)
	}
	for {
		b, err := a.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return nil
		}
		groups, err := a.assign(b)
		if err != nil {
			return err
		}
		for c := range a.n.Calls {
			if err := a.add(c, groups, b); err != nil {
				return err
			}
		}
	}
}

// assign returns the group of each row; nil when there is one group only.
func (a *aggregate) assign(b *value.Batch) ([]int32, error) {
	if len(a.n.Keys) == 0 {
		return nil, nil
	}
	vecs := make([]value.Vec, len(a.n.Keys))
	for i, k := range a.n.Keys {
		v, err := expr.Eval(k, a.env, b)
		if err != nil {
			return nil, err
		}
		vecs[i] = v
	}
	out := make([]int32, b.N)
	if v := &vecs[0]; len(vecs) == 1 && v.Codes != nil && v.Null == nil {
		a.assignCodes(v, out)
		return out, nil
	}
	keys := make([]value.Value, len(vecs))
	for i := range out {
		for k := range vecs {
			keys[k] = vecs[k].At(i)
		}
		out[i] = int32(a.group(keys))
	}
	return out, nil
}

// assignCodes looks each word of the dictionary up once.
func (a *aggregate) assignCodes(v *value.Vec, out []int32) {
	known := a.codes[v.Dict]
	if known == nil {
		if len(a.codes) > 256 {
			clear(a.codes)
		}
		known = make([]int32, len(v.Dict.Words))
		a.codes[v.Dict] = known
	}
	for i, c := range v.Codes {
		if known[c] == 0 {
			word := v.Dict.Words[c]
			g, ok := a.texts[word]
			if !ok {
				g = int32(a.group([]value.Value{{T: v.Type, S: word}}))
				a.texts[word] = g
			}
			known[c] = g + 1
		}
		out[i] = known[c] - 1
	}
}

// add feeds one aggregate with a batch.
func (a *aggregate) add(c int, groups []int32, b *value.Batch) error {
	call := &a.n.Calls[c]
	if a.totals[c] != nil {
		a.count(c, groups, b.N)
		return nil
	}
	vecs := make([]value.Vec, len(call.Args))
	for i, e := range call.Args {
		v, err := expr.Eval(e, a.env, b)
		if err != nil {
			return err
		}
		vecs[i] = v
	}
	args := make([]value.Value, len(vecs))
	for i := range b.N {
		g := int32(0)
		if groups != nil {
			g = groups[i]
		}
		for k := range vecs {
			args[k] = vecs[k].At(i)
		}
		if len(args) > 0 && args[0].IsNull() {
			continue
		}
		if err := a.accs[g][c].add(call, args, a, b, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *accumulator) add(call *plan.AggregateCall, args []value.Value, a *aggregate, b *value.Batch, i int) error {
	if x.seen != nil {
		a.buf = a.buf[:0]
		for _, v := range args {
			a.buf = value.AppendKey(a.buf, v)
		}
		if _, ok := x.seen[string(a.buf)]; ok {
			return nil
		}
		x.seen[string(a.buf)] = struct{}{}
	}
	if len(call.OrderBy) == 0 {
		return x.acc.Add(args)
	}
	row := heldRow{args: slices.Clone(args)}
	for _, o := range call.OrderBy {
		v, err := o.X.At(a.env, b, i)
		if err != nil {
			return err
		}
		row.keys = append(row.keys, v)
	}
	x.held = append(x.held, row)
	return nil
}

// result feeds held rows in order and returns the value.
func (x *accumulator) result(call plan.AggregateCall) (value.Value, error) {
	slices.SortStableFunc(x.held, func(p, q heldRow) int {
		for k, o := range call.OrderBy {
			if c := value.Compare(p.keys[k], q.keys[k]); c != 0 {
				if o.Desc {
					return -c
				}
				return c
			}
		}
		return 0
	})
	for _, h := range x.held {
		if err := x.acc.Add(h.args); err != nil {
			return value.Value{}, err
		}
	}
	x.held = nil
	return x.acc.Value(), nil
}

func (a *aggregate) Close() error { return a.in.Close() }
