package db

import (
	"fmt"
	"testing"

	"parlance/algo/testutil/testtime"
)

// BenchmarkLiteral measures statements that are sent as texts, each with other literals, from text to last row, and one
// of them prepared. It reports processor time, too.
func BenchmarkLiteral(b *testing.B) {
	d, err := Open(":memory:", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if err := c.Script(b.Context(),
		`CREATE LEXICON people (name TEXT, id INTEGER, born INTEGER); CREATE INDEX ON people (id);
		CREATE INDEX ON people (name); CREATE LEXICON notes (note TEXT, id INTEGER); CREATE CORPUS docs;
		INSERT INTO people (id, name, born) SELECT n, 'p' || n, 1900 + n % 100 FROM generate_series(1, 20000) AS s(n);
		INSERT INTO docs (id, text) SELECT 'd' || n, 'Ann flew to Oslo.' FROM generate_series(1, 20000) AS s(n)`, nil); err != nil {
		b.Fatal(err)
	}
	c.Wire().Interleave()
	defer c.Wire().Release()
	for _, s := range []struct{ name, text string }{
		{"document", "SELECT id, text FROM docs WHERE id = 'd%d'"},
		{"key", "SELECT name, born FROM people WHERE id = %d"},
		{"index", "SELECT id, born FROM people WHERE name = 'p%d'"},
		{"insert", "INSERT INTO notes (id, note) VALUES (%d, 'a note')"},
		{"update", "UPDATE people SET born = born + 1 WHERE id = %d"},
	} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			begun := testtime.Processor(b)
			for i := 0; b.Loop(); i++ {
				list, err := c.Wire().Immediate(fmt.Sprintf(s.text, 1+i*7919%20000))
				if err == nil {
					_, err = list[0].Exec(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((testtime.Processor(b)-begun)*1e9/float64(b.N), "cpu-ns/op")
		})
	}
	st, err := c.Prepare("SELECT name, born FROM people WHERE id = $1")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("prepared", func(b *testing.B) {
		b.ReportAllocs()
		begun := testtime.Processor(b)
		for i := 0; b.Loop(); i++ {
			if _, err := st.Exec(b.Context(), 1+i*7919%20000); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((testtime.Processor(b)-begun)*1e9/float64(b.N), "cpu-ns/op")
	})
}
