package auth

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"

	"parlance/db"
	"parlance/storage/verifier"
)

// script is a client that says what it is told and keeps what it hears.
type script struct {
	says  [][]byte
	heard []string
}

func (s *script) Send(m pgproto3.BackendMessage) error {
	switch m := m.(type) {
	case *pgproto3.AuthenticationSASL:
		s.heard = append(s.heard, strings.Join(m.AuthMechanisms, " "))
	case *pgproto3.AuthenticationSASLContinue:
		s.heard = append(s.heard, string(m.Data))
	case *pgproto3.AuthenticationSASLFinal:
		s.heard = append(s.heard, string(m.Data))
	}
	return nil
}

var errLeft = errors.New("the client has left")

func (s *script) Receive() ([]byte, error) {
	if len(s.says) == 0 {
		return nil, errLeft
	}
	m := s.says[0]
	s.says = s.says[1:]
	return m, nil
}

// initial is a first message of SASL.
func initial(mechanism, data string) []byte {
	b := append([]byte(mechanism), 0)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(data))), data...)
}

func known(v db.Verifier) func(string) (db.Verifier, bool) {
	return func(user string) (db.Verifier, bool) {
		if user == "user" {
			return v, true
		}
		return verifier.Mock([]byte("secret"), user), false
	}
}

// begin is the first login of a user.
func begin(t testing.TB, user string) *Login {
	t.Helper()
	l, err := new(Throttle).Login("192.0.2.1:5000", user)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func pencil(t testing.TB) db.Verifier {
	salt, err := base64.StdEncoding.DecodeString("W22ZaJ0SNY7soEsUEjb6gQ==")
	if err != nil {
		t.Fatal(err)
	}
	v, err := verifier.Derive("pencil", salt, 4096)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestExampleOfRFC7677 goes through the exchange that the RFC prints.
func TestExampleOfRFC7677(t *testing.T) {
	v := pencil(t)
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials(v), nil })
	if err != nil {
		t.Fatal(err)
	}
	server.WithNonceGenerator(func() string { return "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0" })
	s := &script{says: [][]byte{
		initial(plain, "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"),
		[]byte("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="),
	}}
	isKnown := true
	e := &exchange{link: s, login: begin(t, "user"), known: &isKnown, talk: server.NewConversation(),
		offered: []string{plain}}
	final, err := e.run()
	if err != nil {
		t.Fatal(err)
	}
	if want := "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"; s.heard[1] !=
		want {
		t.Errorf("first answer %s", s.heard[1])
	}
	if want := "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="; final != want || !e.talk.Valid() {
		t.Errorf("last answer %s", final)
	}
}

// client is the other side of the exchange: a true client of SCRAM.
type client struct {
	mechanism string
	talk      *scram.ClientConversation
	next      string
	final     string
	offered   []string
	messages  int
}

func (c *client) Send(m pgproto3.BackendMessage) (err error) {
	switch m := m.(type) {
	case *pgproto3.AuthenticationSASL:
		c.offered = m.AuthMechanisms
		c.next, err = c.talk.Step("")
	case *pgproto3.AuthenticationSASLContinue:
		c.next, err = c.talk.Step(string(m.Data))
	case *pgproto3.AuthenticationSASLFinal:
		c.final, err = c.talk.Step(string(m.Data))
	}
	return err
}

func (c *client) Receive() ([]byte, error) {
	c.messages++
	if c.messages == 1 {
		return initial(c.mechanism, c.next), nil
	}
	return []byte(c.next), nil
}

func TestLogins(t *testing.T) {
	cert := []byte("hash of the certificate")
	binding := func(data string) scram.ChannelBinding {
		return scram.ChannelBinding{Type: scram.ChannelBindingTLSServerEndpoint, Data: []byte(data)}
	}
	for _, c := range []struct {
		name, user, password string
		server               []byte                // binding of the connection
		client               *scram.ChannelBinding // as the client sees it
		advertising          bool                  // the client could bind, and takes the server for one that cannot
		want                 string
	}{
		{name: "right", user: "user", password: "pencil"},
		{name: "wrong", user: "user", password: "pencils", want: "28P01"},
		{name: "unknown", user: "eve", password: "pencil", want: "28P01"},
		{name: "encrypted", user: "user", password: "pencil", server: cert},
		{name: "bound", user: "user", password: "pencil", server: cert, client: ptr(binding(string(cert)))},
		{name: "bound and wrong", user: "user", password: "x", server: cert, client: ptr(binding(string(cert))),
			want: "28P01"},
		{name: "in between", user: "user", password: "pencil", server: cert, client: ptr(binding("another certificate")),
			want: "28000"},
		{name: "not offered", user: "user", password: "pencil", client: ptr(binding(string(cert))), want: "28000"},
		{name: "downgraded", user: "user", password: "pencil", server: cert, advertising: true, want: "28000"},
		{name: "cautious", user: "user", password: "pencil", advertising: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := scram.SHA256.NewClient("", c.password, "")
			if err != nil {
				t.Fatal(err)
			}
			cl := &client{mechanism: plain, talk: sc.NewConversation()}
			switch {
			case c.client != nil:
				cl.mechanism, cl.talk = bound, sc.NewConversationWithChannelBinding(*c.client)
			case c.advertising:
				cl.talk = sc.NewConversationAdvertisingChannelBinding()
			}
			err = Authenticate(cl, begin(t, c.user), known(pencil(t)), c.server)
			var e *db.Error
			if errors.As(err, &e); (e == nil) != (c.want == "") || e != nil && e.Code != c.want {
				t.Fatalf("got %v", err)
			}
			if c.want == "" && !cl.talk.Valid() {
				t.Error("the client does not believe the server")
			}
			if got, want := len(cl.offered), 1+min(1, len(c.server)); got != want {
				t.Errorf("offered %v", cl.offered)
			}
		})
	}
}

// TestNamesThatAreNoUsers refuses the right password of somebody who is no user.
func TestNamesThatAreNoUsers(t *testing.T) {
	sc, err := scram.SHA256.NewClient("", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{mechanism: plain, talk: sc.NewConversation()}
	err = Authenticate(c, begin(t, "user"), func(string) (db.Verifier, bool) { return pencil(t), false }, nil)
	var e *db.Error
	if !errors.As(err, &e) || e.Code != "28P01" || c.final != "" {
		t.Errorf("%v; the client is told %q", err, c.final)
	}
}

// fragile is a link that breaks at a step.
type fragile struct {
	client
	steps int
}

func (f *fragile) step() error {
	if f.steps--; f.steps == -1 {
		return errLeft
	}
	return nil
}

func (f *fragile) Send(m pgproto3.BackendMessage) error {
	return errors.Join(f.step(), f.client.Send(m))
}

func (f *fragile) Receive() ([]byte, error) {
	b, err := f.client.Receive()
	return b, errors.Join(f.step(), err)
}

// TestBrokenLinks breaks the link at each step of a login that would succeed: three answers and two messages.
func TestBrokenLinks(t *testing.T) {
	for n := range 6 {
		sc, err := scram.SHA256.NewClient("", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		link := &fragile{client{mechanism: plain, talk: sc.NewConversation()}, n}
		err = Authenticate(link, begin(t, "user"), known(pencil(t)), nil)
		if broken := n < 5; errors.Is(err, errLeft) != broken || !broken && err != nil {
			t.Errorf("after %d steps: %v", n, err)
		}
	}
}

func ptr[T any](x T) *T { return &x }

// TestUnknownUsersLookKnown compares all that a guesser sees.
func TestUnknownUsersLookKnown(t *testing.T) {
	v, err := verifier.New("pencil")
	if err != nil {
		t.Fatal(err)
	}
	shape := func(user string) string {
		s := &script{says: [][]byte{initial(plain, "n,,n=,r=abc"), []byte("c=biws,r=abc,p=AAAA")}}
		err := Authenticate(s, begin(t, user), known(v), nil)
		salt := strings.Split(strings.Split(s.heard[1], ",s=")[1], ",")[0]
		return fmt.Sprint(len(s.heard[1]), len(salt), strings.Replace(err.Error(), user, "?", 1))
	}
	if a, b := shape("user"), shape("eve"); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestMalformedMessages(t *testing.T) {
	first := initial(plain, "n,,n=,r=abc")
	short := append([]byte(nil), first...)
	short[len(plain)+4]-- // claims a byte less
	for _, c := range []struct {
		says    [][]byte
		want    string
		binding []byte
	}{
		{[][]byte{nil}, "08P01", nil},
		{[][]byte{[]byte("SCRAM-SHA-256")}, "08P01", nil},
		{[][]byte{append([]byte("SCRAM-SHA-256\x00"), 255, 255, 255, 255)}, "08P01", nil},
		{[][]byte{initial("PLAIN", "x")}, "28000", nil},
		{[][]byte{initial(bound, "p=tls-server-end-point,,n=,r=abc")}, "28000", nil},
		{[][]byte{initial(plain, "p=tls-server-end-point,,n=,r=abc")}, "28000", nil},
		{[][]byte{initial(plain, "n,,n=,r=abc")[:20]}, "08P01", nil},
		{[][]byte{initial(plain, "n,a=root,n=,r=abc"), []byte("")}, "0A000", nil},
		{[][]byte{initial(plain, "n,,m=x,n=,r=abc")}, "08P01", nil},
		{[][]byte{first, []byte("")}, "08P01", nil},
		{[][]byte{first, []byte("c=biws,r=other,p=AAAA")}, "08P01", nil},
		{[][]byte{first, []byte("c=!!!!,r=abc,p=AAAA")}, "08P01", nil},
		{[][]byte{short}, "08P01", nil},
		{[][]byte{initial(bound, "n,,n=,r=abc")}, "28000", []byte("x")},
		{[][]byte{initial(plain, "p=tls-server-end-point,,n=,r=abc")}, "28000", []byte("x")},
	} {
		err := Authenticate(&script{says: c.says}, begin(t, "user"), known(pencil(t)), c.binding)
		var e *db.Error
		if !errors.As(err, &e) || e.Code != c.want {
			t.Errorf("%q: %v, want %s", c.says, err, c.want)
		}
	}
	for n := range 2 {
		link := &script{says: [][]byte{first}[:n]}
		if err := Authenticate(link, begin(t, "user"), known(pencil(t)), nil); !errors.Is(err, errLeft) {
			t.Errorf("a client that leaves after %d messages: %v", n, err)
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	f.Add(initial(plain, "n,,n=,r=abc"), []byte("c=biws,r=abc,p=AAAA"), true)
	f.Add(initial(bound, "p=tls-server-end-point,,n=,r=abc"), []byte("c=,r=,p="), true)
	f.Add([]byte("\x00"), []byte(",,,"), false)
	v := verifier.Mock(nil, "user")
	f.Fuzz(func(t *testing.T, a, b []byte, encrypted bool) {
		var binding []byte
		if encrypted {
			binding = []byte("x")
		}
		if err := Authenticate(&script{says: [][]byte{a, b}}, begin(t, "user"), known(v), binding); err == nil {
			t.Error("logged in without the password")
		}
	})
}
