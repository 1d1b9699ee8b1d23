package fn

import (
	"context"

	"parlance/storage/value"
)

// Aggregate is a function over the rows of a group.
type Aggregate struct {
	Name   string
	Doc    string
	Args   int                                  // number of arguments; count also takes *
	Result func(value.Type) (value.Type, error) // by the type of the first argument
	New    func() Accumulator
	Nulls  bool // rows whose first argument is NULL count too
	Fold   Fold // for the engine: how to compute it a column at a time
	// Ordered is set for aggregates with WITHIN GROUP (ORDER BY x): the accumulator gets x, then the arguments.
	Ordered bool
	Grows   bool // what an accumulator keeps grows with its rows: it is Sized
	// Example is a SELECT over the table vocab (word, pos, n) that shows the aggregate.
	Example string
}

// Fold says which aggregates the engine computes a column at a time.
type Fold uint8

// The folds. NoFold means that an Accumulator gets the rows one by one.
const (
	NoFold Fold = iota
	Count
	Sum
	Mean
	Least
	Greatest
)

// Accumulator computes an aggregate over the rows of one group. Rows whose first argument is NULL are left out, unless
// the aggregate has Nulls.
type Accumulator interface {
	Add(args []value.Value) error
	Value() value.Value
}

// Sized is an accumulator whose memory grows with its rows.
type Sized interface {
	Accumulator
	// Bytes is what it takes at most until its next row, its value included.
	Bytes() int
}

// Ending is an accumulator of which a single row may take long: its Add stops when a context ends, with its error.
type Ending interface {
	Accumulator
	// EndWith gives it the context, before its first row.
	EndWith(ctx context.Context)
}

// NewWithin returns an accumulator of the aggregate for rows that are added until a context ends.
func (a *Aggregate) NewWithin(ctx context.Context) Accumulator {
	acc := a.New()
	if e, ok := acc.(Ending); ok {
		e.EndWith(ctx)
	}
	return acc
}

// Grown is what a slice or text of n bytes takes while append makes room for more: itself, and a copy with a
// quarter more room.
func Grown(bytes int) int { return bytes + bytes + bytes/4 }
