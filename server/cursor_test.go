package server

import (
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestCursorsAreDescribedAsPortals asks for the columns of a cursor as drivers do that read by FETCH.
func TestCursorsAreDescribedAsPortals(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	for _, step := range []struct{ query, want string }{
		{"BEGIN", "BEGIN T"}, {"DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 3) AS g (i)", "DECLARE_CURSOR T"},
		{"FETCH 2 FROM c", "(i) 1 2 FETCH_2 T"}, {"MOVE c", "MOVE_1 T"},
	} {
		if got := r.query(step.query); got != step.want {
			t.Errorf("%s: %s, want %s", step.query, got, step.want)
		}
	}
	describe := func(want string) {
		t.Helper()
		r.send(&pgproto3.Describe{ObjectType: 'P', Name: "c"}, &pgproto3.Sync{})
		if got := r.until("Z"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	describe("(i) T")
	if got := r.query("CLOSE c"); got != "CLOSE_CURSOR T" {
		t.Error(got)
	}
	describe("ERROR_34000 E")
}
