package repl

import (
	"slices"
	"testing"

	"parlance/db"
)

// TestTextsFitTheScreen bounds texts so that rows are no wider than the screen, where they can be.
func TestTextsFitTheScreen(t *testing.T) {
	for _, c := range []struct {
		types  []string
		widths []int
		screen int
		want   []int // bounds of the columns, 0 for none
	}{
		{[]string{"text", "text"}, []int{20, 400}, 0, []int{100, 100}},
		{[]string{"text", "text"}, []int{20, 400}, 110, []int{84, 84}},
		{[]string{"text", "text"}, []int{20, 30}, 110, []int{100, 100}},
		{[]string{"text", "text", "integer"}, []int{200, 400, 10}, 79, []int{30, 30, 0}},
		{[]string{"text", "text"}, []int{200, 400}, 20, []int{12, 12}},
		{[]string{"text", "text"}, []int{20, 400}, 1000, []int{100, 100}},
		{[]string{"text"}, []int{400}, 80, nil},
	} {
		var columns []db.Column
		for _, typ := range c.types {
			columns = append(columns, db.Column{Name: "x", Type: typ})
		}
		var got []int
		for _, config := range columnConfigs(columns, c.widths, c.screen) {
			got = append(got, config.WidthMax)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v of widths %v on a screen of %d: %v, want %v", c.types, c.widths, c.screen, got, c.want)
		}
	}
}
