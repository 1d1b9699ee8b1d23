package fn

import (
	"errors"

	"parlance/storage/value"
)

// JSONBCast is what a cast to jsonb does to JSON.
var JSONBCast = &Func{Name: "jsonb", Args: []value.Type{jsonType}, Result: jsonType, Eval: normalJSON}

func normalJSON(a []value.Value) (value.Value, error) {
	s, err := value.NormalJSON(a[0].S)
	if errors.Is(err, value.ErrUnicode) {
		err = &Fault{Code: "22P05", Msg: err.Error()}
	}
	return value.Value{T: value.JSON, S: s}, err
}
