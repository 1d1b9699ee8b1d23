package jsonfn

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"parlance/query/fn"
	"parlance/storage/value"
)

// aggregates gather the rows of a group into an array or an object.
var aggregates = []fn.Aggregate{
	{Name: "array_agg", Doc: "array of the values, in row order or ORDER BY", Args: 1, Result: resultJSON,
		New: func() fn.Accumulator { return &arrayAggregate{} }, Grows: true, Nulls: true,
		Example: "SELECT pos, array_agg(word ORDER BY word) AS list FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "json_agg", Doc: "the same as array_agg: arrays are JSON", Args: 1, Result: resultJSON,
		New: func() fn.Accumulator { return &arrayAggregate{} }, Grows: true, Nulls: true,
		Example: "SELECT json_agg(n ORDER BY n) AS list FROM vocab"},
	{Name: "jsonb_agg", Doc: "the same as json_agg", Args: 1, Result: resultJSON,
		New: func() fn.Accumulator { return &arrayAggregate{} }, Grows: true, Nulls: true,
		Example: "SELECT jsonb_agg(n ORDER BY n) AS list FROM vocab"},
	{Name: "json_object_agg", Doc: "object of keys and values, as often as they come, in row order or ORDER BY",
		Args: 2, Result: resultJSON, New: func() fn.Accumulator { return &objectAggregate{} }, Grows: true, Nulls: true,
		Example: "SELECT json_object_agg(word, n ORDER BY word) AS counts FROM vocab"},
	{Name: "jsonb_object_agg", Doc: "the same, of equal keys the last, shorter keys first", Args: 2, Result: resultJSON,
		New: func() fn.Accumulator { return &objectAggregate{distinct: true} }, Grows: true, Nulls: true,
		Example: "SELECT jsonb_object_agg(pos, word ORDER BY word) AS last FROM vocab"},
}

// arrayAggregate makes an array of the values of a group.
type arrayAggregate struct{ ArrayBuilder }

func (c *arrayAggregate) Add(args []value.Value) error { return c.Append(args[0]) }

// EndWith gives the builder its context.
func (c *arrayAggregate) EndWith(ctx context.Context) { c.Ctx = ctx }

// Bytes counts the text, and that with its last bracket.
func (c *arrayAggregate) Bytes() int { return fn.Grown(c.b.Cap()) }

func (c *arrayAggregate) Value() value.Value {
	if c.n == 0 {
		return value.Value{}
	}
	return c.Result()
}

// objectAggregate makes an object of the keys and values of a group.
type objectAggregate struct {
	ctx      context.Context // nil for one that never ends
	list     []pair
	bytes    int
	distinct bool
}

// Bytes counts the pairs, a copy of the list without repeated keys, and the text that is made of them: with quotes,
// colon and comma, and as it grows.
func (b *objectAggregate) Bytes() int {
	list := cap(b.list) * int(unsafe.Sizeof(pair{}))
	n := fn.Grown(list) + b.bytes + fn.Grown(b.bytes+4*len(b.list))
	if b.distinct {
		n += list
	}
	return n
}

// EndWith gives the values their context.
func (b *objectAggregate) EndWith(ctx context.Context) { b.ctx = ctx }

func (b *objectAggregate) Add(a []value.Value) error {
	if a[0].IsNull() {
		return fn.ArgumentError(errors.New("a key of an object is not NULL"))
	}
	v, err := elementWithin(orBackground(b.ctx), a[1])
	if err != nil {
		return err
	}
	if b.bytes += len(a[0].S) + len(v); b.bytes > fn.MaxTextBytes {
		return fn.ErrTooLong
	}
	b.list = append(b.list, pair{a[0].String(), v})
	return nil
}

func (b *objectAggregate) Value() value.Value {
	if b.list == nil {
		return value.Value{}
	}
	list := b.list
	if b.distinct {
		list = value.LastOfKeys(slices.Clone(list), func(p pair) string { return p.key })
	}
	s, err := writeObject(list)
	if err != nil {
		return value.Value{}
	}
	return value.Value{T: value.JSON, S: s}
}

// resultJSON is the type of what the aggregates give, whatever their argument.
func resultJSON(value.Type) (value.Type, error) { return value.JSON, nil }
