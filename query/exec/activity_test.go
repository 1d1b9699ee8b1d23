package exec

import (
	"context"
	"testing"

	"parlance/query/ast"
	"parlance/query/meter"
)

// BenchmarkActivity is what every statement pays for being listed.
func BenchmarkActivity(b *testing.B) {
	e := &Engine{Meter: meter.New()}
	e.activity.init()
	e.system.Store(systemSettings())
	_, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stmt := ast.Statement(&ast.Select{})
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		ses := &Session{Settings: NewSettings(), Cancel: cancel}
		for p.Next() {
			e.strike(e.enlist(ses, stmt))
		}
	})
}
