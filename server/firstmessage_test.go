package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestFirstMessageOfAnyLength: a first message may have as many bytes as PostgreSQL allows, and not one more.
func TestFirstMessageOfAnyLength(t *testing.T) {
	_, _, addr := start(t, Options{watch: time.Hour})
	startup := func(n int) []byte {
		m := &pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
			Parameters: map[string]string{"user": "admin", "application_name": ""}}
		short, err := m.Encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Parameters["application_name"] = strings.Repeat("x", n-len(short))
		long, err := m.Encode(nil)
		if err != nil || len(long) != n {
			t.Fatalf("%d bytes, %v", len(long), err)
		}
		return long
	}
	for n, want := range map[int]bool{9_999: true, 10_000: true, 10_001: false, 15_000: false, 20_000: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := dialRaw(t, addr)
			if _, err := r.Write(startup(n)); err != nil {
				t.Fatal(err)
			}
			end := "Z"
			if !want {
				end = "E" // the rest of the message is not read
			}
			got := r.until(end)
			if ok := !strings.Contains(got, "FATAL_08P01"); ok != want {
				t.Errorf("a first message of %d bytes gives %s", n, got)
			}
		})
	}
}
