package meter

import (
	"testing"
	"time"
)

func BenchmarkStatements(b *testing.B) {
	s := &Statements{}
	b.Run("count", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Start()
			s.End("SELECT", "", 1, 5*time.Microsecond)
		}
	})
	b.Run("clock", func(b *testing.B) {
		for b.Loop() {
			_ = time.Since(time.Now())
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				s.Start()
				s.End("SELECT", "", 1, 5*time.Microsecond)
			}
		})
	})
}
