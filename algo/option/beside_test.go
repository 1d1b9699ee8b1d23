package option

import (
	"testing"

	"parlance/storage/value"
)

// TestBeside: a default beside other options is taken where the option is not given, and never in place of what is.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		args []Arg
		want float64
	}{
		{nil, 1},
		{[]Arg{{Name: "mode", Value: value.Str("b")}}, 0.5},
		{[]Arg{{Name: "x", Value: value.Real(1)}, {Name: "mode", Value: value.Str("b")}}, 1},
		{[]Arg{{Name: "mode", Value: value.Str("b")}, {Name: "x", Value: value.Real(3)}}, 3},
	} {
		var x float64
		var mode string
		s := &Set{}
		s.Float(&x, "x", 1, 0, 10, "").Beside(func() string {
			if mode == "b" {
				return "0.5"
			}
			return ""
		})
		s.Choice(&mode, "mode", "a", []string{"a", "b"}, "")
		if err := s.Apply(c.args); err != nil {
			t.Fatal(err)
		}
		if x != c.want {
			t.Errorf("%v: %g, want %g", c.args, x, c.want)
		}
		kept := s.Values(Train)
		if err := s.Recall(kept); err != nil || x != c.want {
			t.Errorf("%v: %g after Recall, want %g; %v", c.args, x, c.want, err)
		}
	}
}
