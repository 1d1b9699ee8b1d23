package repl

import (
	"slices"
	"testing"

	"parlance/algo/metrics"
	"parlance/storage/value"
)

// TestLeast: columns of numbers keep their words, texts yield, those of more than a hundred cells to 24 at once.
func TestLeast(t *testing.T) {
	for _, test := range []struct {
		e    extent
		want [levels]int
	}{
		{extent{most: 40, word: 9, name: 5, part: 3}, [levels]int{9, 9, 9}},
		{extent{most: 40, word: 9, name: 15, part: 3}, [levels]int{15, 9, 9}},
		{extent{most: 40, word: 2, name: 15, part: 13}, [levels]int{15, 13, 13}},
		{extent{most: 40, word: 9, name: 5, part: 3, text: true}, [levels]int{12, 12, 9}},
		{extent{most: 11, word: 9, name: 5, part: 3, text: true}, [levels]int{11, 11, 9}},
		{extent{most: 100, word: 9, name: 5, part: 3, text: true}, [levels]int{12, 12, 9}},
		{extent{most: 101, word: 9, name: 5, part: 3, text: true}, [levels]int{24, 24, 24}},
		{extent{most: 101, word: 30, name: 31, part: 3, text: true}, [levels]int{31, 30, 30}},
	} {
		for level, want := range test.want {
			if got := test.e.least(level); got != want {
				t.Errorf("%+v is at least %d wide at level %d, want %d", test.e, got, level, want)
			}
		}
	}
}

// TestSideBySide: metrics stand side by side that have a row over all labels and others for single ones.
func TestSideBySide(t *testing.T) {
	row := func(metric, label string) []value.Value { return []value.Value{value.Str(metric), value.Str(label)} }
	all := metrics.All
	for _, test := range []struct {
		rows [][]value.Value
		want []string
	}{
		{nil, nil},
		{[][]value.Value{row("f1", all)}, nil},
		{[][]value.Value{row("f1", "PER")}, nil},
		{[][]value.Value{row("f1", all), row("recall", "PER"), row("f1", "PER"), row("recall", all), row("uas", all)},
			[]string{"f1", "recall"}},
	} {
		if got := sideBySide(test.rows, 0, 1); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.rows, got, test.want)
		}
	}
	var many [][]value.Value
	for _, m := range "abcdefghijklmnopqrstuvwxyz" {
		many = append(many, row(string(m), all), row(string(m), "PER"))
	}
	if got := sideBySide(many, 0, 1); len(got) != mostMetrics || got[0] != "a" {
		t.Errorf("of many metrics %v", got)
	}
}

// TestNumber: a float has at most six digits after the point; very large and small ones are written with an exponent.
func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 1: "1", 10: "10", -2.5: "-2.5", 0.1234567: "0.123457", 1e-4: "0.0001",
		-1e-4: "-0.0001", 9.9e-5: "9.9e-05", -9.9e-5: "-9.9e-05", 12345678901: "12345678901", 123456789012: "1.23457e+11",
		-12345678901: "-1.23457e+10"} {
		if got := number(f); got != want {
			t.Errorf("%g is written %s, want %s", f, got, want)
		}
	}
}
