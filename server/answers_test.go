package server

import (
	"fmt"
	"strings"
	"testing"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// types reads messages up to ReadyForQuery and names their types.
func (r *raw) types() string {
	r.t.Helper()
	var out []string
	for {
		msg, err := r.f.Receive()
		if err != nil {
			r.t.Fatal(out, err)
		}
		out = append(out, strings.TrimPrefix(fmt.Sprintf("%T", msg), "*pgproto3."))
		if _, ok := msg.(*pgproto3.ReadyForQuery); ok {
			return strings.Join(out, " ")
		}
	}
}

// TestStreamsEnd tells the client where the data of COPY end.
func TestStreamsEnd(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	for statement, want := range map[string]string{
		"COPY (SELECT 1) TO STDOUT":             "CopyOutResponse CopyData CopyDone CommandComplete ReadyForQuery",
		"COPY (SELECT 1 WHERE false) TO STDOUT": "CopyOutResponse CopyDone CommandComplete ReadyForQuery",
	} {
		r.send(&pgproto3.Query{String: statement})
		if got := r.types(); got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

// TestCancelBetweenStatements sends a CancelRequest while nothing runs: a portal that waits goes on.
func TestCancelBetweenStatements(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.query("BEGIN")
	r.send(&pgproto3.Parse{Query: "VALUES (1), (2), (3)"}, &pgproto3.Bind{DestinationPortal: "q"},
		&pgproto3.Execute{Portal: "q", MaxRows: 1}, &pgproto3.Sync{})
	if got := r.until("Z"); got != "parsed bound 1 suspended T" {
		t.Fatal(got)
	}
	cancel(t, addr, r.key)
	r.send(&pgproto3.Execute{Portal: "q"}, &pgproto3.Sync{})
	if got := r.until("Z"); got != "2 3 SELECT_2 T" {
		t.Error(got)
	}
}

// TestProgressComesAtOnce tells the client of a training while it waits, once a second at most.
func TestProgressComesAtOnce(t *testing.T) {
	_, s, addr := start(t, Options{})
	r := loginRaw(t, addr)
	s.mu.Lock()
	c := s.conns[r.key.ProcessID]
	s.mu.Unlock()
	tell := c.progress()
	for i := range 3 {
		tell(db.Progress{Step: i + 1, Of: 3})
	}
	msg, err := r.f.Receive()
	if n, ok := msg.(*pgproto3.NoticeResponse); err != nil || !ok || !strings.Contains(n.Message, "1") {
		t.Fatalf("%T %v", msg, err)
	}
	r.send(&pgproto3.Sync{})
	if got := r.types(); got != "ReadyForQuery" {
		t.Error(got)
	}
}

// TestPositions counts the characters of a statement before an error, from 1; 0 is none.
func TestPositions(t *testing.T) {
	for _, c := range []struct {
		e    db.Error
		text string
		want int32
	}{
		{db.Error{}, "SELECT", 0},
		{db.Error{Line: 1}, "SELECT", 1},
		{db.Error{Line: 1, Offset: 3}, "éa b", 3},
		{db.Error{Line: 1, Offset: 6}, "SELECT", 7},
		{db.Error{Line: 1, Offset: 7}, "SELECT", 0},
	} {
		if got := response("ERROR", &c.e, c.text).Position; got != c.want {
			t.Errorf("%+v in %q: %d, want %d", c.e, c.text, got, c.want)
		}
	}
}
