package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// abroad is a listener whose clients are on another machine, as far as the server sees.
type abroad struct{ net.Listener }

func (l abroad) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return distant{c}, nil
}

type distant struct{ net.Conn }

func (distant) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

// asked is what a server first says to a client: how it wants to know who that is, or the code of its refusal.
func asked(t *testing.T, addr string, encrypted bool) string {
	t.Helper()
	r := dialRaw(t, addr)
	f := r.f
	if encrypted {
		if r.send(&pgproto3.SSLRequest{}); r.byte() != 'S' {
			t.Fatal("no encryption")
		}
		c := tls.Client(r, &tls.Config{InsecureSkipVerify: true})
		f = pgproto3.NewFrontend(c, c)
	}
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "ann"}})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	switch m, err := f.Receive(); m := m.(type) {
	case *pgproto3.AuthenticationOk:
		return "ok"
	case *pgproto3.AuthenticationSASL:
		return "password"
	case *pgproto3.ErrorResponse:
		return m.Severity + " " + m.Code
	default:
		t.Fatalf("%v, %v", m, err)
		return ""
	}
}

// byte reads the answer to a request for encryption.
func (r *raw) byte() byte {
	b := []byte{0}
	if _, err := io.ReadFull(r.TCPConn, b); err != nil {
		r.t.Fatal(err)
	}
	return b[0]
}

// TestStrangers: who is let in from where, with and without users, TLS and leave to do without.
func TestStrangers(t *testing.T) {
	conf, _ := certified(t)
	for _, c := range []struct {
		users, tls, insecure       bool
		near, far, nearTLS, farTLS string
	}{
		{near: "ok", far: "FATAL 28000"},
		{insecure: true, near: "ok", far: "ok"},
		{users: true, near: "password", far: "password"},
		{tls: true, near: "ok", far: "FATAL 28000", nearTLS: "ok", farTLS: "FATAL 28000"},
		{users: true, tls: true, near: "password", far: "FATAL 28000", nearTLS: "password", farTLS: "password"},
		{users: true, tls: true, insecure: true, near: "password", far: "password", nearTLS: "password", farTLS: "password"},
		{tls: true, insecure: true, near: "ok", far: "ok", nearTLS: "ok", farTLS: "ok"},
	} {
		o := Options{Insecure: c.insecure}
		if c.tls {
			o.TLS = conf
		}
		d, s, near := start(t, o)
		if c.users {
			if _, err := d.Exec(t.Context(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
				t.Fatal(err)
			}
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go s.Serve(abroad{l})
		for _, x := range []struct {
			addr, want string
			encrypted  bool
		}{{near, c.near, false}, {l.Addr().String(), c.far, false}, {near, c.nearTLS, true},
			{l.Addr().String(), c.farTLS, true}} {
			if x.encrypted && !c.tls {
				continue
			}
			if got := asked(t, x.addr, x.encrypted); got != x.want {
				t.Errorf("%+v, at %s, encrypted %t: %s, want %s", c, x.addr, x.encrypted, got, x.want)
			}
		}
	}
}

// TestFaultyLogins: what is wrong with the first messages ends the connection with a reason.
func TestFaultyLogins(t *testing.T) {
	conf, _ := certified(t)
	log := &journal{}
	d, s, addr := start(t, Options{TLS: conf, Log: log.logger()})
	if _, err := d.Exec(t.Context(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	ask, _ := (&pgproto3.SSLRequest{}).Encode(nil)
	begin, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "ann"}}).Encode(nil)
	query, _ := (&pgproto3.Query{String: "SELECT 1"}).Encode(nil)
	goodbye, _ := (&pgproto3.Terminate{}).Encode(nil)
	for _, c := range []struct{ name, want string }{
		{"stuffed", "data follows the request for encryption unencrypted"},
		{"unencrypted", "the client asked for encryption and sends none"},
		{"twice", "encryption is asked for twice"},
		{"query", "the message Query cannot come during login"},
		{"goodbye", "the client gave up its login"},
	} {
		r := dialRaw(t, addr)
		var w io.Writer = r.TCPConn
		switch c.name {
		case "stuffed":
			_, _ = w.Write(append(ask[:len(ask):len(ask)], begin...))
		case "unencrypted", "twice":
			if _, _ = w.Write(ask); r.byte() != 'S' {
				t.Fatal("no encryption")
			}
			text := begin
			if c.name == "twice" {
				text, w = ask, tls.Client(r, &tls.Config{InsecureSkipVerify: true})
			}
			_, _ = w.Write(text)
		default:
			_, _ = w.Write(begin)
			if _, err := r.f.Receive(); err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write(map[string][]byte{"query": query, "goodbye": goodbye}[c.name])
		}
		eventually(t, c.name+": "+c.want, func() bool {
			return strings.Contains(log.String(), c.want) && s.connections() == 0
		})
	}
	cancel(t, addr, pgproto3.CancelRequest{ProcessID: 7, SecretKey: []byte{1, 2, 3, 4}})
	eventually(t, "the cancellation", func() bool { return s.connections() == 0 })
	if strings.Contains(log.String(), "fault of the program") {
		t.Error(log.String())
	}
}

// TestWrongPasswordsTakeTime, the second one more than the first.
func TestWrongPasswordsTakeTime(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Exec(t.Context(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	for _, least := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond} {
		start := time.Now()
		_, err := viaPgx("host=127.0.0.1 port=" + port(addr) + " user=ann password=b sslmode=disable")
		if took := time.Since(start); codeOf(err) != "28P01" || took < least {
			t.Errorf("%v after %v", err, took)
		}
	}
}

// TestNoFiles: without a folder for them statements of clients open no files, whoever asks.
func TestNoFiles(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	for _, statement := range []string{"CREATE LEXICON l (w TEXT)", "COPY l FROM '/etc/passwd' FORMAT csv",
		"COPY l TO '/tmp/l.csv' FORMAT csv", "BACKUP TO '/tmp/b.parlance'"} {
		_, err := c.Exec(t.Context(), statement)
		if strings.HasPrefix(statement, "CREATE") == (err != nil) || err != nil && codeOf(err) != "42501" {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestServeAfterShutdown closes the listener.
func TestServeAfterShutdown(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s := New(d, Options{})
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener: %v", err)
	}
}

// TestSecretsDiffer between connections.
func TestSecretsDiffer(t *testing.T) {
	_, _, addr := start(t, Options{})
	a, b := loginRaw(t, addr), loginRaw(t, addr)
	if string(a.key.SecretKey) == string(b.key.SecretKey) || string(a.key.SecretKey) == "\x00\x00\x00\x00" {
		t.Errorf("%x and %x", a.key.SecretKey, b.key.SecretKey)
	}
}

// TestOneFormatForAllArguments, none for each, and other numbers of them.
func TestOneFormatForAllArguments(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	one, two := []byte{0, 0, 0, 1}, []byte{0, 0, 0, 2}
	for _, c := range []struct {
		formats []int16
		args    [][]byte
		want    string
	}{
		{[]int16{1}, [][]byte{one, two}, "parsed bound 3 SELECT_1 I"},
		{[]int16{1, 0}, [][]byte{one, []byte("2")}, "parsed bound 3 SELECT_1 I"},
		{nil, [][]byte{[]byte("1"), []byte("2")}, "parsed bound 3 SELECT_1 I"},
		{[]int16{0, 0, 0}, [][]byte{one, two}, "parsed ERROR_08P01 I"},
		{[]int16{1, 2}, [][]byte{one, two}, "parsed ERROR_22023 I"},
	} {
		r.send(&pgproto3.Parse{Query: "SELECT $1 + $2", ParameterOIDs: []uint32{23, 23}},
			&pgproto3.Bind{ParameterFormatCodes: c.formats, Parameters: c.args}, &pgproto3.Execute{}, &pgproto3.Sync{})
		if got := r.until("Z"); got != c.want {
			t.Errorf("%v: %s, want %s", c.formats, got, c.want)
		}
	}
}

// TestColumnsChangeUnderAStatement that was described: it is refused, and prepared again it runs.
func TestColumnsChangeUnderAStatement(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Exec(t.Context(), "CREATE LEXICON l (w TEXT)"); err != nil {
		t.Fatal(err)
	}
	r := loginRaw(t, addr)
	r.send(&pgproto3.Parse{Name: "s", Query: "TABLE l"}, &pgproto3.Sync{})
	r.until("Z")
	run := []pgproto3.FrontendMessage{&pgproto3.Bind{PreparedStatement: "s"}, &pgproto3.Execute{}, &pgproto3.Sync{}}
	r.send(run...)
	if got := r.until("Z"); got != "bound SELECT_0 I" {
		t.Error(got)
	}
	if err := d.Conn().Script(context.Background(), "DROP LEXICON l; CREATE LEXICON l (w TEXT, n INTEGER)",
		nil); err != nil {
		t.Fatal(err)
	}
	r.send(run...)
	if got := r.until("Z"); got != "bound ERROR_0A000 I" {
		t.Error(got)
	}
	r.send(append([]pgproto3.FrontendMessage{&pgproto3.Close{ObjectType: 'S', Name: "s"},
		&pgproto3.Parse{Name: "s", Query: "TABLE l"}}, run...)...)
	if got := r.until("Z"); got != "closed parsed bound SELECT_0 I" {
		t.Error(got)
	}
}
