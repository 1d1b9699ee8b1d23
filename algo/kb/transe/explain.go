package transe

import (
	"context"
	"math"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
)

// Contributions splits −d(s + r, o) into the distance of both entities without the relation, −d(s, o), and
// what the relation makes of it, d(s, o) − d(s + r, o).
func (m *model) Contributions(_ context.Context, t triples.Triple) ([]kind.Contribution, error) {
	s, o := m.Graph.Entities.Name(t.Subject), m.Graph.Entities.Name(t.Object)
	apart := m.between(t.Subject, t.Object)
	return []kind.Contribution{{Feature: "between " + s + " and " + o, Value: -1, Weight: apart},
		{Feature: "moved by " + m.Graph.Relations.Name(t.Relation) + " from " + s + " to " + o, Value: 1,
			Weight: apart + m.Score(t)}}, nil
}

// between is d(a, b) of two entities, as the scores measure it: of the norm l2 the squared distance.
func (v *vectors) between(a, b int32) float64 {
	x, y := v.entity(a), v.entity(b)
	if v.absolute {
		return absolutes(x, y)
	}
	sum := 0.0
	for k, p := range x {
		d := p - y[k]
		sum += d * d
	}
	return sum
}

// Distance is that of two entities in the norm.
func (v *vectors) Distance(a, b int32) float64 {
	if v.absolute {
		return v.between(a, b)
	}
	return math.Sqrt(v.between(a, b))
}
