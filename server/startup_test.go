package server

import (
	"crypto/tls"
	"fmt"
	"maps"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// begin sends a startup message and returns the answers up to the first ReadyForQuery or error, of those whose content
// counts.
func begin(t *testing.T, addr string, version uint32, params map[string]string) (r *raw, told string) {
	t.Helper()
	r = dialRaw(t, addr)
	r.send(&pgproto3.StartupMessage{ProtocolVersion: version, Parameters: params})
	for {
		msg, err := r.f.Receive()
		if err != nil {
			t.Fatal(told, err)
		}
		switch m := msg.(type) {
		case *pgproto3.NegotiateProtocolVersion:
			told += fmt.Sprintf("%d.%d %v ", m.NewestMinorProtocol>>16, m.NewestMinorProtocol&0xffff, m.UnrecognizedOptions)
		case *pgproto3.BackendKeyData:
			r.key = pgproto3.CancelRequest{ProcessID: m.ProcessID, SecretKey: append([]byte(nil), m.SecretKey...)}
			told += fmt.Sprint(len(m.SecretKey))
		case *pgproto3.ErrorResponse:
			return r, told + m.Code
		case *pgproto3.ReadyForQuery:
			return r, told
		}
	}
}

// TestVersionsOfTheProtocol negotiates the version, which settles the length of the secret.
func TestVersionsOfTheProtocol(t *testing.T) {
	_, _, addr := start(t, Options{})
	for _, c := range []struct {
		version uint32
		options []string
		want    string
	}{
		{3 << 16, nil, "4"},
		{3<<16 | 1, nil, "4"},
		{3<<16 | 2, nil, "32"},
		{3<<16 | 9999, nil, "3.2 [] 32"},
		{3 << 16, []string{"_pq_.b", "_pq_.a", "_pq_.c"}, "3.0 [_pq_.a _pq_.b _pq_.c] 4"},
	} {
		params := map[string]string{"user": "ann"}
		for _, o := range c.options {
			params[o] = "1"
		}
		if _, told := begin(t, addr, c.version, params); told != c.want {
			t.Errorf("%d.%d %v: %s, want %s", c.version>>16, c.version&0xffff, c.options, told, c.want)
		}
	}
}

// TestSecretsAreWhole cancels with the secret of a connection and with what is not quite it.
func TestSecretsAreWhole(t *testing.T) {
	_, s, addr := start(t, Options{})
	r, _ := begin(t, addr, pgproto3.ProtocolVersion32, map[string]string{"user": "ann"})
	s.mu.Lock()
	c := s.conns[r.key.ProcessID]
	s.mu.Unlock()
	ctx := c.begin()
	defer c.end()
	other := append([]byte(nil), r.key.SecretKey...)
	other[31]++
	for _, wrong := range [][]byte{nil, other, r.key.SecretKey[:4], append(other[:31:31], 0, 0)} {
		if s.interrupt(c.id, wrong); ctx.Err() != nil {
			t.Fatalf("%x cancels a statement with the secret %x", wrong, r.key.SecretKey)
		}
	}
	if s.interrupt(c.id, r.key.SecretKey); ctx.Err() == nil {
		t.Error("the secret does not cancel")
	}
	early := dialRaw(t, addr)
	eventually(t, "it is registered", func() bool { return s.connections() == 2 })
	s.interrupt(c.id+1, nil) // it has no secret so far
	early.Close()
}

// TestParametersOfStartup sets what a client asks for at the start.
func TestParametersOfStartup(t *testing.T) {
	_, _, addr := start(t, Options{})
	for _, c := range []struct {
		params     map[string]string
		told, name string
	}{
		{map[string]string{"options": "-c application_name=a"}, "4", "a"},
		{map[string]string{"options": "-c application-name=a"}, "4", "a"},
		{map[string]string{"options": "-c application_name=a", "Application_Name": "b"}, "4", "b"},
		{map[string]string{"options": "--application_name"}, "22023", ""},
		{map[string]string{"options": "-c nothing=1"}, "42704", ""},
		{map[string]string{"replication": "OFF"}, "4", ""},
		{map[string]string{"replication": "database"}, "0A000", ""},
	} {
		params := map[string]string{"user": "ann"}
		maps.Copy(params, c.params)
		r, told := begin(t, addr, pgproto3.ProtocolVersion30, params)
		if told != c.told {
			t.Errorf("%v: %s, want %s", c.params, told, c.told)
		}
		if told != "4" {
			continue
		}
		if got, want := r.query("SHOW application_name"), "(application_name) "+c.name+" SHOW_1 I"; got != want &&
			c.name != "" {
			t.Errorf("%v: %s, want %s", c.params, got, want)
		}
	}
}

// TestShutdownBeforeTheStartupMessage ends a connection that is encrypted and says nothing.
func TestShutdownBeforeTheStartupMessage(t *testing.T) {
	conf, _ := certified(t)
	_, s, addr := start(t, Options{TLS: conf})
	r := dialRaw(t, addr)
	r.send(&pgproto3.SSLRequest{})
	if b := make([]byte, 1); true {
		if _, err := r.Read(b); err != nil || b[0] != 'S' {
			t.Fatal(b, err)
		}
	}
	c := tls.Client(r.TCPConn, &tls.Config{InsecureSkipVerify: true})
	if err := c.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
