package db_test

import (
	"context"
	"testing"

	"parlance/storage/value"
)

// TestParametersOfRelations: a parameter that is an argument of a relation has the type of the argument, and a value
// of another type is cast to it.
func TestParametersOfRelations(t *testing.T) {
	ctx, c := context.Background(), open(t, "").Conn()
	mustExec(t, c, "CREATE LEXICON uses (word TEXT, context TEXT, count FLOAT)",
		"INSERT INTO uses VALUES ('wine', 'drink', 9), ('wine', 'red', 6), ('wines', 'drink', 5), ('beer', 'drink', 9)",
		"TRAIN similarity AS near ON uses")
	const similar = "SELECT count(*) FROM near.similar($1, length => $2)"
	s, err := c.Prepare(similar)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Describe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Params) != 2 || d.Params[0].Type != value.Text || d.Params[1].Type != value.Integer {
		t.Errorf("parameters are %v", d.Params)
	}
	for _, length := range []any{1, "1"} {
		n := 0
		if err := one(t, c, similar, []any{"wine", length}, &n); err != nil || n != 1 {
			t.Errorf("%T: %d words, %v", length, n, err)
		}
	}
	if err := one(t, c, similar, []any{"wine", "x"}, new(int)); code(err) != "22P02" {
		t.Errorf("x as a length: %v", err)
	}
}
