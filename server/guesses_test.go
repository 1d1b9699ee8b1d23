package server

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"
)

// guess tries a password for ann from an address of this machine and hangs up after the patience. It returns the code
// of the error, "" for a login, "silence" without an answer.
func guess(from, addr, password string, patience time.Duration) string {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	nc, err := d.Dial("tcp", addr)
	if err != nil {
		return err.Error()
	}
	defer nc.Close()
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		return err.Error()
	}
	f, talk := pgproto3.NewFrontend(nc, nc), client.NewConversation()
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "ann"}})
	for {
		if err := f.Flush(); err != nil {
			return err.Error()
		}
		_ = nc.SetReadDeadline(time.Now().Add(patience))
		m, err := f.Receive()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return "silence"
		case err != nil:
			return err.Error()
		}
		switch m := m.(type) {
		case *pgproto3.AuthenticationSASL:
			first, _ := talk.Step("")
			f.Send(&pgproto3.SASLInitialResponse{AuthMechanism: "SCRAM-SHA-256", Data: []byte(first)})
		case *pgproto3.AuthenticationSASLContinue:
			proof, err := talk.Step(string(m.Data))
			if err != nil {
				return err.Error()
			}
			f.Send(&pgproto3.SASLResponse{Data: []byte(proof)})
		case *pgproto3.ErrorResponse:
			return m.Code
		case *pgproto3.AuthenticationOk:
			return ""
		}
	}
}

// TestHangingUpDoesNotSpeedGuesses guesses passwords as a client that takes silence for an error: it hangs up long
// before the answer. The right password is the twentieth.
func TestHangingUpDoesNotSpeedGuesses(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Exec(context.Background(), "CREATE USER ann PASSWORD 'right' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	heard := map[string]int{}
	began := time.Now()
	for i := range 40 {
		password := "wrong"
		if i == 20 {
			password = "right"
		}
		heard[guess("127.0.0.1", addr, password, 80*time.Millisecond)]++
	}
	// Each guess that is looked at doubles the time until the next one.
	if took := time.Since(began); heard[""] > 0 && took < 1500*time.Millisecond || heard["53300"] == 0 ||
		heard["silence"] > 8 {
		t.Errorf("answers %v in %s", heard, took)
	}
	if strings.HasPrefix(addr, "127.") { // other addresses of this machine
		start := time.Now()
		if got := guess("127.0.0.2", addr, "right", patience); got != "" {
			t.Errorf("the right password from elsewhere: %s", got)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("the right password from elsewhere took %s", took)
		}
	}
}

// TestGuessesAtTheSameTime has many clients guess together.
func TestGuessesAtTheSameTime(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Exec(context.Background(), "CREATE USER ann PASSWORD 'right' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	const clients = 30
	answers := make(chan string, clients)
	for range clients {
		go func() { answers <- guess("127.0.0.1", addr, "wrong", patience) }()
	}
	heard := map[string]int{}
	for range clients {
		heard[<-answers]++
	}
	if heard["28P01"] == 0 || heard["28P01"] > 8 || heard["28P01"]+heard["53300"] != clients {
		t.Errorf("answers %v", heard)
	}
}
