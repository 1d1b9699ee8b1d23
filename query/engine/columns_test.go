package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"parlance/query/parse"
)

// TestReadAheadCancelled ends the context in which a scan began to read ahead and goes on with another:
// that must be an error, not the end.
func TestReadAheadCancelled(t *testing.T) {
	statements := []string{"CREATE CORPUS docs"}
	for i := range 20 {
		statements = append(statements, fmt.Sprintf("INSERT INTO docs (id, text) VALUES ('d%d', 'a b')", i))
	}
	e, _ := engineWith(t, statements...)
	stmt, err := parse.Parse("SELECT form FROM docs.tokens")
	if err != nil {
		t.Fatal(err)
	}
	for _, cancelled := range []bool{false, true} {
		res, err := e.Execute(t.Context(), NewSession(), stmt, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		rows := 0
		for range 2 {
			b, err := res.Rows.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			rows += b.N
		}
		if cancelled {
			cancel()
		}
		for err == nil {
			b, e := res.Rows.Next(t.Context())
			if err = e; b == nil {
				break
			}
			rows += b.N
		}
		switch {
		case cancelled && !errors.Is(err, context.Canceled):
			t.Errorf("the scan ended after %d rows with %v", rows, err)
		case !cancelled && (err != nil || rows != 40):
			t.Errorf("%d rows, %v", rows, err)
		}
		cancel()
		res.Rows.Close()
	}
}
