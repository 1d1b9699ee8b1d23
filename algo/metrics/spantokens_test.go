package metrics

import (
	"math"
	"testing"

	"parlance/algo/text"
)

// TestSpanTokens has worked numbers: gold CITY STATE outside PERSON outside CITY, predicted PLACE CITY outside outside
// PERSON CITY, with PLACE above CITY and STATE.
func TestSpanTokens(t *testing.T) {
	spans := func(labels ...string) (out []text.Span) {
		for i, l := range labels {
			if l != "" {
				out = append(out, text.Span{Sent: 1, First: int32(i + 1), Last: int32(i + 1), Label: l})
			}
		}
		return out
	}
	s := &spanTokens{parent: map[string]string{"CITY": "PLACE", "STATE": "PLACE"}}
	s.sentence(6, spans("CITY", "STATE", "", "PERSON", "", "CITY"), spans("PLACE", "CITY", "", "", "PERSON", "CITY"))
	want := map[string]float64{"token_accuracy": 1.0 / 3, "token_precision": 0.25, "token_recall": 0.25, "token_f2": 0.25,
		"weighted_accuracy": 2.75 / 6, "weighted_precision": 0.4375, "weighted_recall": 0.4375, "weighted_f2": 0.4375}
	list := s.metrics([]int32{1}, 2)
	if len(list) != len(want) {
		t.Errorf("%d metrics, want %d", len(list), len(want))
	}
	for _, m := range list {
		if got := m.Value(); math.Abs(got-want[m.Name]) > 1e-9 {
			t.Errorf("%s is %g, want %g", m.Name, got, want[m.Name])
		}
	}
}
