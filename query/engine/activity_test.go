package engine

import (
	"context"
	"testing"

	"parlance/query/ast"
	"parlance/query/meter"
	"parlance/query/setting"
)

// BenchmarkActivity is what every statement pays for being listed.
func BenchmarkActivity(b *testing.B) {
	e := &Engine{}
	e.Meter = meter.New()
	e.activity.init()
	e.SystemSettings.Store(setting.NewDatabase())
	_, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stmt := ast.Statement(&ast.Select{})
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		ses := NewSession()
		ses.Cancel = cancel
		for p.Next() {
			e.deregister(e.register(ses, stmt))
		}
	})
}
