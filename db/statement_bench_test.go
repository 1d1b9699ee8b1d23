package db

import "testing"

// BenchmarkStatement measures what a prepared statement costs besides its work, as a server runs it.
func BenchmarkStatement(b *testing.B) {
	d, err := Open(":memory:", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	c.Wire().Interleave()
	defer c.Wire().Release()
	st, err := c.Prepare("SELECT 1")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rows, err := st.Run(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		for rows.NextBatch() != nil {
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
