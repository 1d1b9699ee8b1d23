package driver_test

import (
	"testing"

	"parlance/db"
	"parlance/db/driver"
)

// BenchmarkPoint reads one document by its id, by a session of db and through database/sql.
func BenchmarkPoint(b *testing.B) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if err := c.Script(ctx, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ann.'), ('b', 'Bob.')",
		nil); err != nil {
		b.Fatal(err)
	}
	const query = "SELECT text FROM docs WHERE id = $1"
	b.Run("db", func(b *testing.B) {
		s, err := c.Prepare(query)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			rows, err := s.Query(ctx, "b")
			if err != nil {
				b.Fatal(err)
			}
			var text string
			if !rows.Next() || rows.Scan(&text) != nil || rows.Close() != nil {
				b.Fatal(rows.Err())
			}
		}
	})
	b.Run("sql", func(b *testing.B) {
		pool := driver.OpenDB(d)
		defer pool.Close()
		s, err := pool.Prepare(query)
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		b.ReportAllocs()
		for b.Loop() {
			var text string
			if err := s.QueryRow("b").Scan(&text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
