package main

import (
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestBare asks a bare server as pgbench does, twice, and ends it after its clients.
func TestBare(t *testing.T) {
	s, err := listenBare()
	if err != nil {
		t.Fatal(err)
	}
	for _, last := range []pgproto3.FrontendMessage{&pgproto3.Terminate{}, &pgproto3.Query{String: "SELECT 1"}} {
		c, err := greet(s.address())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := c.ask(&pgproto3.Parse{Query: "SELECT $1"}, &pgproto3.Bind{Parameters: [][]byte{[]byte("1")}},
				&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.ask(last); err == nil {
			t.Errorf("%T is answered", last)
		}
		c.net.Close()
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := greet(s.address()); err == nil {
		t.Error("a closed server answers")
	}
}
