package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
)

// bare is a server that computes nothing: every statement has one row with a 1. What it reaches is what
// the machine leaves to a server in Go: the network of the kernel, the client, and reading and writing of messages.
type bare struct {
	listener net.Listener
	served   sync.WaitGroup
}

func listenBare() (*bare, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &bare{listener: l}
	b.served.Add(1)
	go b.accept()
	return b, nil
}

func (b *bare) address() string { return b.listener.Addr().String() }

// close ends the server; its clients have gone.
func (b *bare) close() error {
	err := b.listener.Close()
	b.served.Wait()
	return err
}

func (b *bare) accept() {
	defer b.served.Done()
	for {
		c, err := b.listener.Accept()
		if err != nil {
			return
		}
		b.served.Add(1)
		go func() {
			defer b.served.Done()
			defer c.Close()
			_ = answerBare(c) // the client tells of what is wrong
		}()
	}
}

// answerBare answers a client until it leaves.
func answerBare(c net.Conn) error {
	w := pgproto3.NewBackend(c, c)
	if _, err := w.ReceiveStartupMessage(); err != nil {
		return err
	}
	ready := &pgproto3.ReadyForQuery{TxStatus: 'I'}
	w.Send(&pgproto3.AuthenticationOk{})
	w.Send(ready)
	columns := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("one"), DataTypeOID: 23,
		DataTypeSize: 4, TypeModifier: -1}}}
	row, done := &pgproto3.DataRow{Values: [][]byte{[]byte("1")}},
		&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}
	for {
		if err := w.Flush(); err != nil {
			return err
		}
		for whole := false; !whole; {
			msg, err := w.Receive()
			if err != nil {
				return err
			}
			switch msg.(type) {
			case *pgproto3.Parse:
				w.Send(&pgproto3.ParseComplete{})
			case *pgproto3.Bind:
				w.Send(&pgproto3.BindComplete{})
			case *pgproto3.Describe:
				w.Send(columns)
			case *pgproto3.Execute:
				w.Send(row)
				w.Send(done)
			case *pgproto3.Sync:
				w.Send(ready)
				whole = true
			case *pgproto3.Terminate:
				return nil
			default:
				return fmt.Errorf("a bare server knows no %T", msg)
			}
		}
	}
}

// ceiling measures a bare server with the statements that are measured otherwise.
func (b *bench) ceiling(words []string) (err error) {
	if tool("pgbench") == "" {
		return nil
	}
	s, err := listenBare()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r := rand.New(rand.NewPCG(1, 1))
	for _, row := range []struct {
		name    string
		scripts []string
	}{
		{selectOne, []string{selectOne + ";\n"}},
		{"different texts", scripts(words, r)},
		{"the same 1,000 texts", repeated(words, r)},
	} {
		l, err := measured(os.Getpid(), func() (load, error) {
			return b.pgbench(s.address(), "prepared", row.scripts, b.seconds())
		})
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("%s of a server that computes nothing, pgbench -M prepared, %d clients", row.name, clients),
			fmt.Sprintf("%.0f/s", l.rate()), "", l.note()+"; pgbench's included")
	}
	return nil
}
