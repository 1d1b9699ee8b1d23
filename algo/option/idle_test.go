package option

import (
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestIdle: an option that has no effect beside others is refused, unless it is given its default or is
// what a model was trained with.
func TestIdle(t *testing.T) {
	type arg = [2]string
	for _, c := range []struct {
		restored, given []arg
		msg, hint       string // "": taken
	}{
		{nil, []arg{{"beam", "7"}}, "beam belongs to decoder = beam or wide; here decoder = greedy",
			"give decoder = beam or wide, or leave beam out"},
		{nil, []arg{{"beam", "7"}, {"decoder", "wide"}}, "", ""},
		{nil, []arg{{"beam", "5"}}, "", ""},
		{[]arg{{"decoder", "beam"}, {"beam", "7"}}, []arg{{"decoder", "greedy"}}, "", ""},
		{[]arg{{"decoder", "beam"}}, []arg{{"beam", "7"}}, "", ""},
		{nil, []arg{{"decoder", "beam"}, {"depth", "2"}}, "depth has no effect with decoder = beam",
			"give another decoder, or leave depth out"},
		{nil, []arg{{"prefixes", "2"}}, "prefixes has no effect without clusters", "give clusters, or leave prefixes out"},
		{nil, []arg{{"prefixes", "2"}, {"clusters", "c"}}, "", ""},
		{nil, []arg{{"beam", "7"}, {"depth", "0"}, {"prefixes", "2"}},
			"beam belongs to decoder = beam or wide; here decoder = greedy; prefixes has no effect without clusters", ""},
		{nil, []arg{{"beam", "x"}, {"prefixes", "2"}}, `option beam: "x" is not an integer`, ""}, // values come first
	} {
		var decoder, clusters string
		var beam, depth, prefixes int
		s := &Set{}
		s.Choice(&decoder, "decoder", "greedy", []string{"greedy", "beam", "wide"}, "")
		s.Int(&beam, "beam", 5, 1, 10, "")
		s.Int(&depth, "depth", 0, 0, 10, "")
		s.Text(&clusters, "clusters", "", "")
		s.Int(&prefixes, "prefixes", 4, 0, 10, "")
		s.Only("beam", "decoder", "beam", "wide")
		s.Except("depth", "decoder", "beam")
		s.Except("prefixes", "clusters", "")
		if err := s.Restore(c.restored); err != nil {
			t.Fatal(err)
		}
		var args []Arg
		for i, a := range c.given {
			args = append(args, Arg{Name: a[0], Pos: i + 1, Value: value.Str(a[1])})
		}
		err := s.Apply(args)
		if err == nil {
			if c.msg != "" {
				t.Errorf("%v is taken", c.given)
			}
			continue
		}
		f := err.(Faults)
		if c.msg == "" || !strings.Contains(err.Error(), c.msg) || c.hint != "" && f[0].Hint != c.hint {
			t.Errorf("%v: %v (%s), want %q (%s)", c.given, err, f[0].Hint, c.msg, c.hint)
		}
		if f[0].Pos != 1 && c.given[0][0] != "decoder" {
			t.Errorf("%v: at %d", c.given, f[0].Pos)
		}
	}
}

// TestSameFault: what two rules say in the same words is said once.
func TestSameFault(t *testing.T) {
	var a, b string
	s := &Set{}
	s.Text(&a, "a", "", "")
	s.Text(&b, "b", "", "")
	for _, name := range []string{"a", "b"} {
		s.Check(name, func() error { return sameFault{} })
	}
	if err := s.Apply(nil); err == nil || err.Error() != "no such layer" {
		t.Errorf("%v", err)
	}
}

type sameFault struct{}

func (sameFault) Error() string { return "no such layer" }
