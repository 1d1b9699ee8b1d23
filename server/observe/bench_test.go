package observe

import (
	"context"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"parlance/db"
)

// BenchmarkScrape measures an answer of /metrics.
func BenchmarkScrape(b *testing.B) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Exec(context.Background(), "SELECT 1"); err != nil {
		b.Fatal(err)
	}
	h := Handler(d, NewReadiness(), Options{})
	for b.Loop() {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil)); w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}

// BenchmarkStatementLog measures the log of a statement, left out and written.
func BenchmarkStatementLog(b *testing.B) {
	for name, o := range map[string]LogOptions{"off": {Slow: time.Second}, "on": {Format: "json", Statements: true}} {
		b.Run(name, func(b *testing.B) {
			l, err := NewLog(io.Discard, o)
			if err != nil {
				b.Fatal(err)
			}
			ended := l.Statements(l.Logger())
			b.ReportAllocs()
			for b.Loop() {
				ended(db.StatementInfo{Kind: "SELECT", Duration: time.Millisecond})
			}
		})
	}
}
