package db_test

import (
	"context"
	"strings"
	"testing"

	"parlance/db"
)

// TestTextsAgain asks for the tokens of one text again and again.
func TestTextsAgain(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx, c := context.Background(), d.Conn()
	tokens := func() string {
		t.Helper()
		rows, err := c.Query(ctx, "SELECT form FROM tokens(TEXT $1)", "Don't stop, Ann. Go on!")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var out []string
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
		return strings.Join(out, " ")
	}
	for range 4 {
		if got, want := tokens(), "Do n't stop , Ann . Go on !"; got != want {
			t.Errorf("tokens are %s, want %s", got, want)
		}
	}
	if _, err := c.Exec(ctx, "ALTER SYSTEM SET max_document_bytes = 1000"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(ctx, "SELECT form FROM tokens(TEXT $1)", strings.Repeat("x ", 600)); err == nil {
		t.Error("a text that is too long is taken")
	}
}
