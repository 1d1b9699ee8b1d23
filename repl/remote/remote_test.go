package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"parlance/db"
	"parlance/storage/value"

	"github.com/jackc/pgx/v5/pgproto3"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

// server answers statements from a list, and counts requests to cancel.
type server struct {
	t        *testing.T
	answers  map[string][]pgproto3.BackendMessage
	password string // wanted, if any
	received bytes.Buffer
	cancels  chan struct{}
	wg       sync.WaitGroup
	l        net.Listener
}

func serve(t *testing.T, s *server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.t, s.l, s.cancels = t, l, make(chan struct{}, 8)
	s.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.wg.Go(func() {
				defer c.Close()
				s.serve(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		s.wg.Wait()
	})
	return fmt.Sprintf("postgres://ann@%s/x?sslmode=disable", l.Addr())
}

func (s *server) serve(c net.Conn) {
	b := pgproto3.NewBackend(c, c)
	first, err := b.ReceiveStartupMessage()
	if err != nil {
		return
	}
	if _, ok := first.(*pgproto3.CancelRequest); ok {
		s.cancels <- struct{}{}
		return
	}
	if s.password != "" {
		b.Send(&pgproto3.AuthenticationCleartextPassword{})
		if b.Flush() != nil {
			return
		}
		msg, err := b.Receive()
		if p, ok := msg.(*pgproto3.PasswordMessage); err != nil || !ok || p.Password != s.password {
			b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28P01",
				Message: "wrong password"})
			_ = b.Flush()
			return
		}
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "session_authorization", Value: "ann"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 2}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	for {
		msg, err := b.Receive()
		if err != nil {
			return
		}
		q, ok := msg.(*pgproto3.Query)
		if !ok || !s.answer(b, s.answers[q.String]) {
			return
		}
	}
}

// answer sends messages: nil ends the connection, cancelled waits for a request to cancel, after
// CopyInResponse data is read.
func (s *server) answer(b *pgproto3.Backend, list []pgproto3.BackendMessage) bool {
	for _, m := range list {
		switch m.(type) {
		case nil:
			return false
		case *pgproto3.BackendKeyData:
			if b.Flush() != nil {
				return false
			}
			<-s.cancels
			continue
		}
		b.Send(m)
		if _, ok := m.(*pgproto3.CopyInResponse); ok && !s.read(b) {
			return false
		}
	}
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	return b.Flush() == nil
}

// read reads the data of a COPY.
func (s *server) read(b *pgproto3.Backend) bool {
	if b.Flush() != nil {
		return false
	}
	for {
		msg, err := b.Receive()
		switch m := msg.(type) {
		case *pgproto3.CopyData:
			s.received.Write(m.Data)
		case *pgproto3.CopyDone:
			return true
		case *pgproto3.CopyFail:
			s.received.WriteString("<" + m.Message + ">")
			return true
		default:
			return err == nil
		}
	}
}

// cancelled stands for waiting until a request to cancel comes.
var cancelled = &pgproto3.BackendKeyData{}

func done(tag string) *pgproto3.CommandComplete {
	return &pgproto3.CommandComplete{CommandTag: []byte(tag)}
}

func fields(oids ...uint32) *pgproto3.RowDescription {
	d := &pgproto3.RowDescription{}
	for i, oid := range oids {
		d.Fields = append(d.Fields, pgproto3.FieldDescription{Name: []byte(fmt.Sprint("c", i)), DataTypeOID: oid})
	}
	return d
}

func data(cells ...string) *pgproto3.DataRow {
	d := &pgproto3.DataRow{}
	for _, c := range cells {
		if c == "NULL" {
			d.Values = append(d.Values, nil)
			continue
		}
		d.Values = append(d.Values, []byte(c))
	}
	return d
}

func connect(t *testing.T, s *server) *Conn {
	t.Helper()
	c, err := Connect(ctx, serve(t, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// all runs a statement and returns its rows as text, its tag and its error.
func all(c *Conn, statement string) (string, string, error) {
	r, err := c.Query(ctx, statement)
	if err != nil {
		return "", "", err
	}
	var out strings.Builder
	for r.Next() {
		for _, v := range r.Values() {
			fmt.Fprintf(&out, "%s:%s ", v.T, v)
		}
		out.WriteByte('\n')
	}
	return out.String(), r.Tag(), r.Close()
}

// TestValues of the types of the language come as they are, others as text.
func TestValues(t *testing.T) {
	c := connect(t, &server{answers: map[string][]pgproto3.BackendMessage{
		"SELECT": {
			fields(25, 20, 701, 16, 1184, 17, 1021, 114, 1043),
			data("é", "-7", "Infinity", "t", "2024-02-29 23:59:58.5+00", `\x00ff`, "{1,-2.5}", `{"a":1}`, "x"),
			data("NULL", "seven", "1e300", "f", "0044-03-15 00:00:00+00 BC", "?", "{}", "NULL", ""),
			&pgproto3.NoticeResponse{Message: "step 3"},
			done("SELECT 2"),
		},
		"INSERT": {done("INSERT 0 3")},
		"SET":    {done("SET")},
		"":       {&pgproto3.EmptyQueryResponse{}},
	}})
	var notices []string
	c.OnNotice(func(s string) { notices = append(notices, s) })
	got, tag, err := all(c, "SELECT")
	want := "text:é integer:-7 float:Infinity boolean:true timestamp:2024-02-29 23:59:58.5 bytes:\\x00ff " +
		"vector:[1,-2.5] json:{\"a\":1} text:x \n" +
		"null: text:seven float:1e+300 boolean:false text:0044-03-15 00:00:00+00 BC text:? vector:[] null: text: \n"
	if got != want || tag != "SELECT 2" || err != nil || len(notices) != 1 || notices[0] != "step 3" {
		t.Errorf("rows\n%s, want\n%s, tag %q, notices %q, error %v", got, want, tag, notices, err)
	}
	for statement, want := range map[string]string{"INSERT": "INSERT 3", "SET": "SET", "": ""} {
		if _, tag, err := all(c, statement); tag != want || err != nil {
			t.Errorf("%s has the tag %q, error %v", statement, tag, err)
		}
	}
	if !strings.HasPrefix(c.Address(), "ann at 127.0.0.1:") {
		t.Errorf("address %s", c.Address())
	}
}

// TestErrors have code, hint and place, and the connection goes on.
func TestErrors(t *testing.T) {
	statement := "SELECT 'é',\n nope"
	fault := &pgproto3.ErrorResponse{Severity: "ERROR", Code: "42703", Message: "unknown column nope", Detail: "no",
		Hint: "help", Position: 14}
	c := connect(t, &server{answers: map[string][]pgproto3.BackendMessage{
		statement: {fault}, "late": {fields(20), data("1"), fault}, "short": {fields(20, 20), data("1"), done("SELECT 1")},
		"fine": {done("OK")},
	}})
	var e *db.Error
	if _, _, err := all(c, statement); !errors.As(err, &e) || e.Code != "42703" ||
		e.Message != "unknown column nope: no" || e.Hint != "help" || e.Line != 2 || e.Column != 2 ||
		statement[e.Offset:] != "nope" {
		t.Errorf("an error comes as %+v", err)
	}
	if got, _, err := all(c, "late"); !errors.As(err, &e) || e.Code != "42703" || got != "integer:1 \n" {
		t.Errorf("a late error comes as %v after %q", err, got)
	}
	if _, _, err := all(c, "short"); !errors.As(err, &e) || e.Code != "08P01" {
		t.Errorf("a row that is too short gives %v", err)
	}
	if _, tag, err := all(c, "fine"); tag != "OK" || err != nil {
		t.Errorf("after errors: %q, %v", tag, err)
	}
}

// TestStreams go both ways, and what a statement does not read stays.
func TestStreams(t *testing.T) {
	s := &server{answers: map[string][]pgproto3.BackendMessage{
		"in":      {&pgproto3.CopyInResponse{}, done("LOAD 2 rows")},
		"refused": {&pgproto3.ErrorResponse{Code: "42P01", Message: "there is no table"}},
		"out": {&pgproto3.CopyOutResponse{}, &pgproto3.CopyData{Data: []byte("a\n")},
			&pgproto3.CopyData{Data: []byte("b\n")}, &pgproto3.CopyDone{}, done("COPY 2")},
	}}
	c := connect(t, s)
	in := strings.NewReader(strings.Repeat("0123456789\n", 20000))
	c.Stdin(in)
	if _, _, err := all(c, "refused"); err == nil || in.Len() != int(in.Size()) {
		t.Errorf("a statement that is refused has read %d bytes, error %v", in.Size()-int64(in.Len()), err)
	}
	if _, tag, err := all(c, "in"); tag != "LOAD 2 rows" || err != nil || int64(s.received.Len()) != in.Size() {
		t.Errorf("%d bytes were sent, %d came, tag %q, error %v", in.Size(), s.received.Len(), tag, err)
	}
	s.received.Reset()
	c.Stdin(failing{})
	if _, _, err := all(c, "in"); err != nil || s.received.String() != "<broken>" {
		t.Errorf("broken input arrives as %q, error %v", s.received.String(), err)
	}
	if _, tag, err := all(c, "out"); tag != "COPY 2" || err != nil {
		t.Errorf("without a place for it: tag %q, error %v", tag, err)
	}
	var out bytes.Buffer
	c.Stdout(&out)
	if _, tag, err := all(c, "out"); tag != "COPY 2" || err != nil || out.String() != "a\nb\n" {
		t.Errorf("data %q, tag %q, error %v", out.String(), tag, err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

// TestCancel asks the server, whose answer is awaited.
func TestCancel(t *testing.T) {
	gone := &pgproto3.ErrorResponse{Code: "57014", Message: "the statement was cancelled"}
	c := connect(t, &server{answers: map[string][]pgproto3.BackendMessage{
		"TRAIN": {&pgproto3.NoticeResponse{Message: "step 1"}, cancelled, gone}, "rows": {fields(20), data("1"), cancelled,
			gone}, "fine": {done("OK")},
	}})
	cancelling, cancel := context.WithCancel(ctx)
	defer cancel()
	c.OnNotice(func(string) { cancel() })
	var e *db.Error
	if _, err := c.Query(cancelling, "TRAIN"); !errors.As(err, &e) || e.Code != "57014" {
		t.Errorf("a cancelled statement gives %v", err)
	}
	if _, err := c.Query(cancelling, "fine"); !errors.As(err, &e) || e.Code != "57014" {
		t.Errorf("a statement whose context has ended gives %v", err)
	}
	for _, closed := range []bool{true, false} { // the next statement closes rows that are open
		r, err := c.Query(ctx, "rows")
		if err != nil || !r.Next() || r.Values()[0] != value.Int(1) {
			t.Fatalf("rows %v, error %v", r, err)
		}
		if closed {
			if err := r.Close(); err != nil {
				t.Errorf("closing early gives %v", err)
			}
		}
		if _, tag, err := all(c, "fine"); tag != "OK" || err != nil {
			t.Errorf("the next statement: %q, %v", tag, err)
		}
	}
}

// TestLostConnection is an error of the statement and of all after it.
func TestLostConnection(t *testing.T) {
	for _, answer := range [][]pgproto3.BackendMessage{{nil}, {fields(20), data("1"), nil},
		{&pgproto3.ErrorResponse{SeverityUnlocalized: "FATAL", Code: "57P01", Message: "closing"}, nil}} {
		c := connect(t, &server{answers: map[string][]pgproto3.BackendMessage{"x": answer, "fine": {done("OK")}}})
		var e *db.Error
		if _, _, err := all(c, "x"); !errors.As(err, &e) || e.Code != "08006" && e.Code != "57P01" {
			t.Errorf("a lost connection gives %v", err)
		}
		if _, _, err := all(c, "x"); !errors.As(err, &e) || e.Code != "08006" && e.Code != "57P01" || !c.Lost() {
			t.Errorf("the statement after it gives %v", err)
		}
		c.status = 'E' // of a block that was open
		if err := c.Reconnect(ctx); err != nil || c.Lost() || c.Block() != db.NoBlock {
			t.Errorf("connecting again gives %v, block %v", err, c.Block())
		}
		if _, tag, err := all(c, "fine"); tag != "OK" || err != nil {
			t.Errorf("after it: %q, %v", tag, err)
		}
	}
}

// TestPassword is asked for once, if the server wants one and there is none.
func TestPassword(t *testing.T) {
	url := serve(t, &server{password: "secret"})
	asked := 0
	answer := func(p string) func(string) (string, error) {
		return func(prompt string) (string, error) {
			asked++
			if prompt != "Password of ann: " {
				t.Errorf("prompt %q", prompt)
			}
			return p, nil
		}
	}
	var e *db.Error
	if _, err := Connect(ctx, url, nil); !errors.As(err, &e) || e.Code != "28P01" {
		t.Errorf("without a password: %v", err)
	}
	if _, err := Connect(ctx, url, answer("wrong")); !errors.As(err, &e) || e.Code != "28P01" || asked != 1 {
		t.Errorf("with a wrong password: %v, asked %d times", err, asked)
	}
	c, err := Connect(ctx, url, answer("secret"))
	if err != nil || asked != 2 {
		t.Fatalf("with the password: %v, asked %d times", err, asked)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	t.Setenv("PGPASSWORD", "secret")
	if c, err = Connect(ctx, url, answer("nobody asks")); err != nil || asked != 2 {
		t.Fatalf("with PGPASSWORD: %v, asked %d times", err, asked)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestUnreachable servers and wrong addresses are told apart.
func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	for url, code := range map[string]string{"postgres://ann@" + address + "/x": "08001", "postgres://ann@" + address +
		"/x?sslmode=nope": "22023", "http://%": "22023"} {
		var e *db.Error
		if _, err := Connect(ctx, url, nil); !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s gives %v", url, err)
		}
	}
}

// FuzzDecode never panics, and the place of an error is in its statement.
func FuzzDecode(f *testing.F) {
	f.Add("{1,NULL}", uint32(1021), int32(3))
	f.Add("2024-13-01 00:00:00+00", uint32(1184), int32(0))
	f.Add("é\n\xff", uint32(25), int32(4))
	f.Fuzz(func(t *testing.T, s string, oid uint32, position int32) {
		decode([]byte(s), oid)
		err := response(&pgproto3.ErrorResponse{Code: "42601", Message: "m", Position: position}, s)
		var e *db.Error
		if !errors.As(err, &e) || e.Offset > len(s) || e.Line > strings.Count(s, "\n")+1 || position > 0 && e.Column < 1 {
			t.Errorf("place %d of %q is %+v", position, s, err)
		}
	})
}
