package server

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// message is a message with a type and a claimed length.
func message(kind byte, length int, body string) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, uint32(length))) + body
}

// first is a first message with a claimed length and a code.
func first(length int, code uint32, body string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(length))
	return string(binary.BigEndian.AppendUint32(b, code)) + body
}

// TestBadInput sends what no client should, in every state of a connection. Each gets an error
// that it can read, and one line in the log; others notice nothing.
func TestBadInput(t *testing.T) {
	log := &journal{}
	_, s, addr := start(t, Options{Log: log.logger(), MaxMessageBytes: 1 << 20, watch: time.Hour})
	other := connect(t, addr, "")
	if _, err := other.Exec(context.Background(), "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	before := func(t *testing.T) *raw { return dialRaw(t, addr) }
	between := func(t *testing.T) *raw { return loginRaw(t, addr) }
	within := func(t *testing.T) *raw {
		r := loginRaw(t, addr)
		r.send(&pgproto3.Query{String: "LOAD STDIN INTO docs FORMAT lines"})
		r.until("G")
		r.send(&pgproto3.CopyData{Data: []byte("a line\nand a ha")})
		return r
	}
	for _, c := range []struct {
		name, input, want, line string
		state                   func(*testing.T) *raw
	}{
		{"ssh", "SSH-2.0-OpenSSH_9.2\r\n", "FATAL_08P01", `SSH-\": this is not the PostgreSQL protocol`, before},
		{"zeros", strings.Repeat("\x00", 100), "FATAL_08P01", "this is not the PostgreSQL protocol", before},
		{"ones", strings.Repeat("\xff", 100), "FATAL_08P01", "this is not the PostgreSQL protocol", before},
		{"protocol 2", first(8, 2<<16, ""), "FATAL_08P01", "protocol version 2.0 is not supported", before},
		{"no end of a name", first(12, 3<<16, "user"), "FATAL_08P01", "the startup message is malformed", before},
		{"no user", first(13, 3<<16, "a\x00b\x00\x00"), "FATAL_28000", "no user name", before},
		{"startup too long", first(1<<20, 3<<16, strings.Repeat("x", 1000)), "FATAL_08P01",
			"a first message of 1048576 bytes exceeds the limit of 10000", before},
		{"encryption twice", first(8, 80877103, "") + first(8, 80877103, ""), "", "", before},
		{"cut in the first message", first(50, 3<<16, "user\x00ad"), "", "went away", before},
		{"cut in its length", "\x00\x00", "", "went away", before},
		{"short CancelRequest", first(8, 80877102, ""), "FATAL_08P01", "malformed", before},
		{"replication", first(33, 3<<16, "user\x00a\x00replication\x00on\x00\x00\x00\x00"), "FATAL_0A000",
			"replication", before},

		{"unknown type", message('!', 4, ""), "FATAL_08P01", "unknown message type", between},
		{"http after login", "GET / HTTP/1.1\r\n\r\n", "FATAL_08P01", "unknown message type 'G'", between},
		{"negative length", message('Q', -1, "x"), "FATAL_08P01", "claims a length of -1", between},
		{"length below itself", message('Q', 3, "x"), "FATAL_08P01", "claims a length of 3", between},
		{"oversized", message('Q', 1<<20+5, "SELECT"), "FATAL_54000", "exceeds the limit of 1048576", between},
		{"largest length", message('d', 1<<31-1, "x"), "FATAL_54000", "exceeds the limit", between},
		{"query without end", message('Q', 12, "SELECT 1"), "FATAL_08P01", "malformed", between},
		{"empty bind", message('B', 4, ""), "FATAL_08P01", "malformed", between},
		{"bind with too many", message('B', 10, "\x00\x00\xff\xff\xff\xff"), "FATAL_08P01", "malformed", between},
		{"parse with too many", message('P', 8, "\x00\x00\xff\xff"), "FATAL_08P01", "malformed", between},
		{"password out of place", message('p', 5, "\x00"), "FATAL_08P01", "the message PasswordMessage cannot come here",
			between},
		{"cut in a message", message('Q', 100, "SELECT 1"), "", "went away", between},
		{"cut in a head", "Q\x00", "", "went away", between},

		{"query within COPY", message('Q', 13, "SELECT 1\x00"), "FATAL_08P01", "within COPY", within},
		{"unknown type within COPY", message('!', 4, ""), "FATAL_08P01", "unknown message type", within},
		{"oversized within COPY", message('d', 1<<21, "x"), "FATAL_54000", "exceeds the limit", within},
		{"cut within COPY", message('d', 100, "x"), "", "went away", within},
		{"closed within COPY", "", "", "went away", within},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := len(log.String())
			r := c.state(t)
			if _, err := r.Write([]byte(c.input)); err != nil {
				t.Fatal(err)
			}
			if err := r.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(c.name, "encryption") {
				if b := make([]byte, 1); true {
					_, _ = r.Read(b) // N: there is no encryption
				}
			} else if got := r.until(""); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			eventually(t, "it ends", func() bool { return s.connections() == 1 })
			lines := strings.Split(strings.TrimSpace(log.String()[at:]), "\n")
			if len(lines) != 1 || !strings.Contains(lines[0], c.line) {
				t.Errorf("want %q in one line: %q", c.line, lines)
			}
		})
	}
	var n int
	if err := other.QueryRow(context.Background(), "SELECT count(*) FROM docs").Scan(&n); err != nil || n != 0 {
		t.Error("others:", n, err)
	}
}

// TestCutSessions cuts a session at every byte.
func TestCutSessions(t *testing.T) {
	d, s, addr := start(t, Options{})
	var b []byte
	for _, m := range []pgproto3.FrontendMessage{
		&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "a"}},
		&pgproto3.Query{String: "SELECT 1"}, &pgproto3.Parse{Query: "SELECT $1"},
		&pgproto3.Bind{Parameters: [][]byte{[]byte("x")}},
		&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}, &pgproto3.Terminate{},
	} {
		var err error
		if b, err = m.Encode(b); err != nil {
			t.Fatal(err)
		}
	}
	for i := range b {
		r := dialRaw(t, addr)
		if _, err := r.Write(b[:i]); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			_ = r.SetLinger(0)
		}
		r.Close()
	}
	freed(t, d, s, 0)
}

// TestLongNames checks that what clients are told of unknown names is UTF-8 and bounded.
func TestLongNames(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	name := strings.Repeat("n\xff", 1<<18)
	for _, m := range []pgproto3.FrontendMessage{&pgproto3.Bind{PreparedStatement: name},
		&pgproto3.Describe{ObjectType: 'P', Name: name}, &pgproto3.Query{String: "SELECT '" + name + "'"},
		&pgproto3.Query{String: "SELECT " + name}} {
		if r.send(m); !isQuery(m) {
			r.send(&pgproto3.Sync{})
		}
		if got := r.until("E"); !strings.HasPrefix(got, "ERROR_") {
			t.Error(got)
		}
		if got := r.until("Z"); got != "I" {
			t.Error(got)
		}
	}
}

// TestManyPortals opens more portals than a connection may.
func TestManyPortals(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.send(&pgproto3.Parse{Query: "SELECT 1"})
	for i := range maxPortals + 1 {
		r.send(&pgproto3.Bind{DestinationPortal: fmt.Sprint("p", i)})
	}
	r.send(&pgproto3.Sync{})
	if got := r.until("Z"); strings.Count(got, "bound") != maxPortals || !strings.Contains(got, "ERROR_54000") {
		t.Error(got)
	}
	r.send(&pgproto3.Bind{DestinationPortal: "p0"})
	r.send(&pgproto3.Sync{})
	if got := r.until("Z"); strings.Contains(got, "ERROR") {
		t.Error("portals are left over: ", got)
	}
}

// TestCopyFailsWithAnyBytes ends a COPY for a reason that is no text.
func TestCopyFailsWithAnyBytes(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.send(&pgproto3.Query{String: "CREATE CORPUS docs"})
	r.until("Z")
	r.send(&pgproto3.Query{String: "COPY docs (id, text) FROM STDIN"})
	r.send(&pgproto3.CopyFail{Message: "no\xff\xfe"})
	if got := r.until("Z"); !strings.Contains(got, "ERROR_57014") || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}

func isQuery(m pgproto3.FrontendMessage) bool {
	_, ok := m.(*pgproto3.Query)
	return ok
}

// TestAnswersBeforeTheEnd answers statements that come in one piece with the end of a session, in
// order or cut.
func TestAnswersBeforeTheEnd(t *testing.T) {
	_, _, addr := start(t, Options{})
	for name, end := range map[string]string{"Terminate": message('X', 4, ""), "cut": message('Q', 100, "SELECT"),
		"close": ""} {
		r := loginRaw(t, addr)
		if _, err := r.Write([]byte(message('Q', 13, "SELECT 1\x00") + end)); err != nil {
			t.Fatal(err)
		}
		if err := r.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got := r.until(""); got != "(column) 1 SELECT_1 I" {
			t.Error(name, got)
		}
	}
}

// TestForeignProtocols answers clients of other protocols as they understand it, and says so in the log.
func TestForeignProtocols(t *testing.T) {
	log := &journal{}
	_, _, addr := start(t, Options{Log: log.logger()})
	resp, err := http.Post("http://"+addr+"/x?token=hidden", "text/plain", strings.NewReader("hidden"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusBadRequest ||
		!strings.Contains(string(body), "the PostgreSQL protocol") {
		t.Errorf("HTTP: %s, %s", resp.Status, body)
	}
	if _, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true}); err == nil ||
		!strings.Contains(err.Error(), "handshake failure") {
		t.Errorf("TLS: %v", err)
	}
	for _, line := range []string{"the client speaks HTTP", "a handshake of TLS before it asks for encryption"} {
		eventually(t, line, func() bool { return strings.Count(log.String(), line) == 1 })
	}
	if strings.Contains(log.String(), "hidden") {
		t.Errorf("the log has what was sent: %s", log)
	}
}
