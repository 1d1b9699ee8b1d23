package db

import (
	"testing"

	"parlance/query/meter"
)

// BenchmarkStatementMetrics measures a prepared statement with metrics, without, and with a
// function that is told its end.
func BenchmarkStatementMetrics(b *testing.B) {
	d, err := Open(":memory:", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	on := d.now().Meter.Statements
	for _, c := range []struct {
		name  string
		meter *meter.Statements
		told  func(StatementInfo)
	}{{"off", nil, nil}, {"on", on, nil}, {"told", on, func(StatementInfo) {}}} {
		b.Run(c.name, func(b *testing.B) {
			d.now().Meter.Statements = c.meter
			conn := d.Conn()
			conn.Wire().OnStatement(c.told)
			st, err := conn.Prepare("SELECT 1")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := st.Exec(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
