package server

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// part sends the first bytes of a message.
func (r *raw) part(m pgproto3.FrontendMessage, n int) {
	r.t.Helper()
	b, err := m.Encode(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.Write(b[:n]); err != nil {
		r.t.Fatal(err)
	}
}

// TestHalfMessage ends connections whose clients fall silent within a message: each is told, and what it had begun to
// write is undone.
func TestHalfMessage(t *testing.T) {
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond})
	if _, err := d.Exec(context.Background(), "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET read_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	short, long := &pgproto3.CopyData{Data: make([]byte, 100)}, &pgproto3.CopyData{Data: make([]byte, 3*readBuffer)}
	for name, c := range map[string]struct {
		before, begin string
		message       pgproto3.FrontendMessage
		bytes         int
		told          string
	}{
		"CopyData":         {"", "COPY docs FROM STDIN FORMAT lines", short, 50, "FATAL_08P01"},
		"long CopyData":    {"", "COPY docs FROM STDIN FORMAT lines", long, 2*readBuffer + 7, "FATAL_08P01"},
		"head of CopyData": {"", "COPY docs FROM STDIN FORMAT lines", short, 3, "FATAL_08P01"},
		"CopyData, statement_timeout": {"SET statement_timeout = 50", "COPY docs FROM STDIN FORMAT lines", short, 50,
			"ERROR_57014 I FATAL_08P01"},
		"CopyData in a block": {"BEGIN; DELETE FROM docs", "COPY docs FROM STDIN FORMAT lines", short, 50, "FATAL_08P01"},
		"Query":               {"", "", &pgproto3.Query{String: "SELECT 1"}, 7, "FATAL_08P01"},
		"head of Query":       {"", "", &pgproto3.Query{String: "SELECT 1"}, 3, "FATAL_08P01"},
	} {
		r := loginRaw(t, addr)
		if c.before != "" {
			r.query(c.before)
		}
		if c.begin != "" {
			r.send(&pgproto3.Query{String: c.begin})
			r.until("G")
		}
		r.part(c.message, c.bytes)
		if got := r.until(""); got != c.told {
			t.Errorf("%s: %s, want %s", name, got, c.told)
		}
	}
	freed(t, d, s, 0)
	if _, err := d.Exec(context.Background(), "INSERT INTO docs (id, text) VALUES ('a', 'x')"); err != nil {
		t.Error(err)
	}
}

// TestSlowMessage takes a message that comes in parts, for longer than read_timeout altogether, and a statement that
// takes longer after it.
func TestSlowMessage(t *testing.T) {
	d, _, addr := start(t, Options{watch: 10 * time.Millisecond})
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET read_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	r := loginRaw(t, addr)
	b, err := (&pgproto3.Query{String: "SELECT 1"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		if _, err := r.Write(b[i : i+1]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond / time.Duration(len(b)))
	}
	if got := r.until("Z"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
	time.Sleep(1200 * time.Millisecond)
	if got := r.query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
}

// TestAnswerBeforeHalfMessage sends an answer although a part of the next message has come with its question.
func TestAnswerBeforeHalfMessage(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	b, err := (&pgproto3.Query{String: "SELECT 1"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(append(b, b[:7]...)); err != nil {
		t.Fatal(err)
	}
	if got := r.until("Z"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
	if _, err := r.Write(b[7:]); err != nil {
		t.Fatal(err)
	}
	if got := r.until("Z"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
}
