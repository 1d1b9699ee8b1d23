package server

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func codeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestMaxConnections keeps places for admins and gives places back.
func TestMaxConnections(t *testing.T) {
	d, _, addr := start(t, Options{})
	ctx := context.Background()
	if err := d.Conn().Script(ctx, `ALTER SYSTEM SET reserved_connections = 1; ALTER SYSTEM SET max_connections = 3;
CREATE USER root PASSWORD 'root of all' ROLE admin; CREATE USER ann PASSWORD 'a reader of it' ROLE reader`, nil); err != nil {
		t.Fatal(err)
	}
	as := func(login string) (*pgx.Conn, error) {
		return pgx.Connect(ctx, "postgres://"+login+"@"+addr+"/parlance?sslmode=disable")
	}
	ann, root := "ann:a%20reader%20of%20it", "root:root%20of%20all"
	var open []*pgx.Conn
	for _, login := range []string{ann, ann, root} {
		c, err := as(login)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	for login, want := range map[string]string{
		ann:  "connections are 3, max_connections is 3 and keeps 1 for administrators (reserved_connections)",
		root: "connections are 3, max_connections is 3 ("} {
		if _, err := as(login); codeOf(err) != "53300" || !strings.Contains(err.Error(), want) {
			t.Errorf("one too many: %v", err)
		}
	}
	if _, err := open[2].Exec(ctx, "SELECT 1"); err != nil {
		t.Error(err)
	}
	open[2].Close(ctx)
	for { // the server hears of it later
		c, err := as(root)
		if err == nil {
			open[2] = c
			break
		}
		if codeOf(err) != "53300" {
			t.Fatal(err)
		}
	}
	open[2].Close(ctx)
	if _, err := as(ann); codeOf(err) != "53300" {
		t.Errorf("the reserved place: %v", err)
	}
	for _, c := range open[:2] {
		c.Close(ctx)
	}
}

// TestMaxMessageBytes takes the limit from the settings.
func TestMaxMessageBytes(t *testing.T) {
	d, _, addr := start(t, Options{})
	ctx := context.Background()
	if _, err := d.Exec(ctx, "ALTER SYSTEM SET max_message_bytes = 100000"); err != nil {
		t.Fatal(err)
	}
	c := connect(t, addr, "")
	var n int
	if err := c.QueryRow(ctx, "SELECT length($1::text)", strings.Repeat("x", 50_000)).Scan(&n); err != nil || n != 50_000 {
		t.Errorf("a message within the limit: %d, %v", n, err)
	}
	if _, err := c.Exec(ctx, "SELECT length($1::text)", strings.Repeat("x", 150_000)); codeOf(err) != "54000" {
		t.Errorf("a message beyond the limit: %v", err)
	}
}
