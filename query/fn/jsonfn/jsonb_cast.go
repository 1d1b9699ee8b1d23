package jsonfn

import (
	"context"
	"errors"

	"parlance/query/fn"
	"parlance/storage/value"
)

// JSONBCast is what a cast to jsonb does to JSON.
var JSONBCast = &fn.Func{Name: "jsonb", Args: []value.Type{value.JSON}, Result: value.JSON, Long: normalJSON}

func normalJSON(ctx context.Context, a []value.Value) (value.Value, error) {
	s, err := value.NormalJSON(ctx, a[0].S, fn.MaxTextBytes)
	if errors.Is(err, value.ErrUnicode) {
		err = &fn.Fault{Code: "22P05", Msg: err.Error()}
	}
	if errors.Is(err, value.ErrLong) {
		err = fn.ErrTooLong
	}
	return value.Value{T: value.JSON, S: s}, err
}
