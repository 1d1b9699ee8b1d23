package fn

import "parlance/storage/value"

// Aggregate is a function over the rows of a group.
type Aggregate struct {
	Name   string
	Doc    string
	Args   int                                  // number of arguments; count also takes *
	Result func(value.Type) (value.Type, error) // by the type of the first argument
	New    func() Accumulator
	Nulls  bool // rows whose first argument is NULL count too
	Fold   Fold // for the engine: how to compute it a column at a time
	// Ordered is that WITHIN GROUP (ORDER BY x) gives it its rows: an accumulator takes x, then its arguments.
	Ordered bool
	Grows   bool // what an accumulator keeps grows with its rows
	// Example is a SELECT over the table vocab (word, pos, n) that shows the aggregate.
	Example string
}

// Fold names the aggregates that are computed a column at a time.
type Fold uint8

// The folds. NoFold stands for a row at a time, by an Accumulator.
const (
	NoFold Fold = iota
	Count
	Sum
	Mean
	Least
	Greatest
)

// Accumulator takes the rows of one group; rows whose first argument is NULL are given to those with Nulls alone.
type Accumulator interface {
	Add(args []value.Value) error
	Value() value.Value
}
