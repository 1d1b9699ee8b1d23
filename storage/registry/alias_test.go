package registry

import (
	"errors"
	"math"
	"testing"
)

// TestPromotionsAreKept refuses one version, promotes another, and loses a race: what is kept
// is the history, figures with it, also over opening again.
func TestPromotionsAreKept(t *testing.T) {
	s := open(t)
	publish(t, s, "ner", nil)
	publish(t, s, "ner", nil)
	first := Promotion{Alias: "production", Version: 1, User: "ann", Statement: "PROMOTE …"}
	if err := s.Promote("ner", first, map[string]int{"production": 0}); err != nil {
		t.Fatal(err)
	}
	refused := Promotion{Alias: "production", Version: 2, Metric: "f1", Input: "docs", Refused: true, Note: "worse"}
	refused.Score(0.5, math.Inf(1), math.NaN())
	if err := s.Promote("ner", refused, map[string]int{"production": 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.Promote("ner", Promotion{Alias: "production", Version: 2},
		map[string]int{"production": 2}); !errors.Is(err, ErrAliasChanged) {
		t.Errorf("an alias that moved: %v", err)
	}
	s = reopen(t, s)
	if v, _ := s.Model("ner").Aliases["production"]; v != 1 {
		t.Errorf("production is %d", v)
	}
	list := s.Model("ner").Promotions
	if len(list) != 2 || list[0].User != "ann" || list[0].From != 0 || list[1].From != 1 || !list[1].Refused ||
		list[1].Note != "worse" {
		t.Fatalf("history %+v", list)
	}
	if fresh, old, p := list[1].Scores(); fresh != 0.5 || !math.IsInf(old, 1) || !math.IsNaN(p) {
		t.Errorf("figures %v %v %v", fresh, old, p)
	}
}
