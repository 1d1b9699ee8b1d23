package fn

import (
	"context"
	"errors"

	"parlance/storage/value"
)

// JSONBCast is what a cast to jsonb does to JSON.
var JSONBCast = &Func{Name: "jsonb", Args: []value.Type{jsonType}, Result: jsonType, Long: normalJSON}

func normalJSON(ctx context.Context, a []value.Value) (value.Value, error) {
	s, err := value.NormalJSON(ctx, a[0].S, maxText)
	if errors.Is(err, value.ErrUnicode) {
		err = &Fault{Code: "22P05", Msg: err.Error()}
	}
	if errors.Is(err, value.ErrLong) {
		err = ErrTooLong
	}
	return value.Value{T: value.JSON, S: s}, err
}
