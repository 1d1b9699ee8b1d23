package server

import (
	"context"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// replay is a socket whose client sends the same bytes again and again, each time after it had the answer.
type replay struct {
	net.Conn // nil
	request  []byte
	times    func() bool // whether once more
	sent     int64
}

func (r *replay) Read(b []byte) (int, error) {
	if !r.times() {
		return 0, io.EOF
	}
	return copy(b, r.request), nil
}

func (r *replay) Write(b []byte) (int, error) {
	r.sent += int64(len(b))
	return len(b), nil
}

func (r *replay) Close() error                     { return nil }
func (r *replay) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
func (r *replay) LocalAddr() net.Addr              { return nil }
func (r *replay) SetDeadline(time.Time) error      { return nil }
func (r *replay) SetReadDeadline(time.Time) error  { return nil }
func (r *replay) SetWriteDeadline(time.Time) error { return nil }

// BenchmarkStatement measures what a server does for a prepared statement between the bytes of its client
// and those of the answer: Bind, Execute and Sync in one piece.
func BenchmarkStatement(b *testing.B) {
	for _, x := range []struct{ name, statement, argument string }{
		{"constant", "SELECT 1", ""},
		{"argument", "SELECT $1", "Ann flew to Oslo."},
		{"entities", "SELECT text, label FROM entities(TEXT $1) USING ner", "Ann flew to Oslo."},
	} {
		b.Run(x.name, func(b *testing.B) { statementBench(b, x.statement, x.argument) })
	}
}

func statementBench(b *testing.B, statement, argument string) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for _, st := range []string{
		"CREATE CORPUS people",
		"LOAD '../testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities))",
		"TRAIN crf AS ner ON people",
	} {
		if _, err := d.Exec(b.Context(), st); err != nil {
			b.Fatal(err)
		}
	}
	parse, _ := (&pgproto3.Parse{Name: "s", Query: statement}).Encode(nil)
	bind := &pgproto3.Bind{PreparedStatement: "s"}
	if argument != "" {
		bind.Parameters = [][]byte{[]byte(argument)}
	}
	request, _ := bind.Encode(nil)
	request, _ = (&pgproto3.Execute{}).Encode(request)
	request, _ = (&pgproto3.Sync{}).Encode(request)
	login, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "u"}}).Encode(nil)

	s := New(d, Options{})
	r := &replay{request: login, times: func() bool { return true }}
	c := s.register(r)
	c.base, c.abandon = context.WithCancelCause(b.Context())
	defer c.abandon(nil)
	if ok, err := c.startup(c.base); !ok || err != nil {
		b.Fatal(err)
	}
	defer c.db.Release()
	r.request = parse
	once := true
	r.times = func() bool {
		if once {
			once = false
			return true
		}
		r.request = request
		return b.Loop()
	}
	b.ReportAllocs()
	before, start := r.sent, cpu()
	if err := c.loop(); err != io.EOF {
		b.Fatal(err)
	}
	b.ReportMetric(float64(cpu()-start)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(r.sent-before)/float64(b.N), "B-sent/op")
}

// cpu is the processor time of the process, which other processes do not add to.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
