package codec

import (
	"context"
	"errors"

	"parlance/storage/value"
)

// kbReader reads rows of several tables of a knowledge base.
type kbReader interface {
	Knowledge(ctx context.Context, src *Sources, emit func(table string, row []value.Value, place string) error) error
}

// ReadsKB reports whether a configured format holds a whole knowledge base.
func ReadsKB(c Codec) bool {
	_, ok := c.(kbReader)
	return ok
}

// ReadKB reads the rows of tables of a knowledge base and emits them in order, some of one table at
// a time, with the columns that the table has in every knowledge base.
func ReadKB(ctx context.Context, c Codec, src *Sources,
	emit func(table string, rows [][]value.Value, places []string) error) error {
	r, ok := c.(kbReader)
	if !ok {
		return errors.New("the format holds no knowledge base")
	}
	var rows [][]value.Value
	var places []string
	of := ""
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := emit(of, rows, places)
		rows, places = nil, nil
		return err
	}
	err := r.Knowledge(ctx, src, func(table string, row []value.Value, place string) error {
		if table != of || len(rows) >= 4096 {
			if err := flush(); err != nil {
				return err
			}
			of = table
		}
		rows, places = append(rows, row), append(places, place)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return flush()
}
