package meter

import (
	"sync"
	"sync/atomic"
	"time"
)

// Models counts what models annotate, by their label name@version.
type Models struct{ m sync.Map } // string → *Model

// Model counts what one version of a model annotates.
type Model struct{ documents, tokens, nanos atomic.Uint64 }

// Of returns the counters of a version.
func (s *Models) Of(label string) *Model {
	if m, ok := s.m.Load(label); ok {
		return m.(*Model)
	}
	m, _ := s.m.LoadOrStore(label, &Model{})
	return m.(*Model)
}

// Annotated counts documents that the model has annotated.
func (m *Model) Annotated(documents, tokens int, took time.Duration) {
	m.documents.Add(uint64(documents))
	m.tokens.Add(uint64(tokens))
	m.nanos.Add(uint64(max(took, 0)))
}

// Metrics returns the figures of the models that have annotated.
func (s *Models) Metrics() []Metric {
	var out []Metric
	s.m.Range(func(label, v any) bool {
		name, m := label.(string), v.(*Model)
		if n := m.documents.Load(); n > 0 {
			out = append(out, AnnotatedDocuments.Of(float64(n), name), AnnotatedTokens.Of(float64(m.tokens.Load()), name),
				AnnotateSeconds.Of(time.Duration(m.nanos.Load()).Seconds(), name))
		}
		return true
	})
	return out
}
