package option

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestFloat: an infinite bound is open, so no option is infinite or no number.
func TestFloat(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"0", ""}, {"1e308", ""}, {"-1", "-1 is outside [0, +Inf)"},
		{"Infinity", "+Inf is outside [0, +Inf)"}, {"-Infinity", "-Inf is outside [0, +Inf)"},
		{"NaN", "NaN is outside [0, +Inf)"},
	} {
		var f float64
		s := &Set{}
		s.Float(&f, "l2", 1, 0, math.Inf(1), "")
		err := s.Restore([][2]string{{"l2", c.given}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s gives %v, want %q", c.given, err, c.want)
		}
	}
}

// TestStands: an empty value stands for what the declaration says, by the other options.
func TestStands(t *testing.T) {
	var layer, features string
	s := &Set{}
	s.Layer(&layer, "layer", "entities", "")
	d := s.Features(&features, "features", "", "").Standing(func() string { return "suits " + layer })
	if layer = "chunks"; d.Stands() != "suits chunks" {
		t.Errorf("an empty value stands for %q", d.Stands())
	}
	if features = "form[0]"; d.Stands() != "form[0]" || d.Value() != "form[0]" {
		t.Errorf("a value stands for %q", d.Stands())
	}
	if s.Lookup("layer").Stands() != "chunks" {
		t.Error("an option without a rule does not stand for itself")
	}
}

// TestRecallChecks: options that were stored are checked like those that are given, and prepare the same.
func TestRecallChecks(t *testing.T) {
	var n int
	prepared := 0
	s := &Set{}
	s.Int(&n, "n", 1, 0, 10, "")
	s.Check("n", func() error {
		if prepared = n; n == 7 {
			return errors.New("not seven")
		}
		return nil
	})
	if err := s.Recall([][2]string{{"n", "3"}}); err != nil || prepared != 3 {
		t.Errorf("%v, prepared for %d", err, prepared)
	}
	if err := s.Recall([][2]string{{"n", "7"}}); err == nil || err.Error() != "not seven" {
		t.Errorf("%v", err)
	}
}
