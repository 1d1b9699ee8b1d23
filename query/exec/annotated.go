package exec

import (
	"time"

	"parlance/algo/text"
	"parlance/query/models"
)

// annotated counts a unit that a model has annotated since start.
func (r *Execution) annotated(m *models.Configured, u []*text.Document, start time.Time) {
	tokens := 0
	for _, d := range u {
		if l := d.Layer("tokens"); l != nil {
			tokens += l.N
		}
	}
	r.Meter.Models.Of(m.Label).Annotated(len(u), tokens, time.Since(start))
}
