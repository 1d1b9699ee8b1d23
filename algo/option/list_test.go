package option

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parlance/storage/value"
)

// TestListRoundTrip: a list that is stored as text comes back, whatever its elements are.
func TestListRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.StringMatching(`[a,"]{0,4}`)).Draw(t, "list")
		if got := splitList(joinList(want)); !slices.Equal(got, want) {
			t.Fatalf("%q is written as %s, which reads as %q", want, joinList(want), got)
		}
	})
	for stored, want := range map[string][]string{"": nil, "a,b": {"a", "b"}, ",a,": {"a"}, `",b`: {`"`, "b"},
		`"a"b`: {`"a"b`}} {
		if got := splitList(stored); !slices.Equal(got, want) {
			t.Errorf("%s reads as %q, want %q", stored, got, want)
		}
	}
}

// TestEmptyList: an empty text is the empty list, an empty element of a list is one.
func TestEmptyList(t *testing.T) {
	var list []string
	s := &Set{}
	s.List(&list, "tags", []string{",", "PUNCT"}, "")
	if got := s.Lookup("tags").Value(); got != `",",PUNCT` {
		t.Errorf("the default reads %s", got)
	}
	for _, c := range []struct {
		given Arg
		want  []string
	}{{Arg{Name: "tags", Value: value.Str("")}, nil}, {Arg{Name: "tags", Value: value.Str("x")}, []string{"x"}},
		{Arg{Name: "tags", List: []Arg{{Value: value.Str("")}, {Value: value.Str("x")}}}, []string{"", "x"}}} {
		if err := s.Apply([]Arg{c.given}); err != nil || !slices.Equal(list, c.want) {
			t.Errorf("%+v gives %q, %v", c.given, list, err)
		}
	}
}
