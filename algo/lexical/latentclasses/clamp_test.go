package latentclasses

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// TestMembersAreProbable: what rounding lifts above 1 is 1, and a class without probability has no members.
func TestMembersAreProbable(t *testing.T) {
	s := &side{names: []string{"a", "b"}, share: []float64{0.75, 0.25}, start: []int{0, 1, 3}, ids: []uint32{0, 0, 1},
		probs: []float64{1, 0.5, 0.5}}
	list := s.members(0, []float64{math.Nextafter(0.75, 0), 0.125})
	if len(list) != 2 || list[0] != (member{0, 1, 1}) || list[1].name != 1 || list[1].prob > 0.17 {
		t.Errorf("members: %+v", list)
	}
	if list := s.members(1, []float64{1, 0}); list != nil {
		t.Errorf("members of a class without probability: %+v", list)
	}
}

// TestMostProbableAreBounded keeps the n most probable names of a class, of equal ones the first.
func TestMostProbableAreBounded(t *testing.T) {
	s := &side{names: []string{"a", "b", "c", "d"}, share: []float64{0.1, 0.4, 0.2, 0.2}, start: []int{0, 1, 2, 3, 4},
		ids: []uint32{0, 0, 0, 0}, probs: []float64{1, 1, 1, 1}}
	for n, want := range map[int]string{1: "b", 2: "b c", 3: "b c d", 4: "b c d a", 9: "b c d a"} {
		if got := strings.Join(strings.FieldsFunc(s.mostProbable(1, n)[0], func(r rune) bool { return r == ' ' || r == ',' }),
			" "); got != want {
			t.Errorf("the %d most probable are %q, want %q", n, got, want)
		}
	}
}

// TestMoreClassesThanTexts is noticed where there are more classes than words and than contexts.
func TestMoreClassesThanTexts(t *testing.T) {
	rows := table([]float64{1, 2, 3}, []float64{3, 1, 2}) // two words, three contexts
	for classes, want := range map[int]bool{1: false, 3: false, 4: true} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("classes", classes)}); err != nil {
			t.Fatal(err)
		}
		var said []string
		err := m.Train(context.Background(), &kind.Training{On: kind.Tables{"counts": rows}, Workers: 1, Seed: 1,
			Report: func(kind.Progress) {}, Notice: func(s string) { said = append(said, s) }})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(said,
			func(s string) bool { return strings.Contains(s, "can tell apart") }); got != want {
			t.Errorf("%d classes: %q", classes, said)
		}
	}
}

// TestImpossiblePairs: pairs that no class foresees have the least positive number as their probability, not 0, whose
// logarithm is no number.
func TestImpossiblePairs(t *testing.T) {
	m := train(t, table([]float64{4, 3, 0, 0}, []float64{2, 5, 0, 0}, []float64{0, 0, 3, 3}, []float64{0, 0, 1, 9}),
		kindtest.Arg("classes", 2), kindtest.Arg("restarts", 3))
	m.opt.background = 0
	list, err := m.Evaluate(context.Background(), kind.Tables{"counts": table([]float64{0, 0, 1})}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := list[0].Value(), math.Log(math.SmallestNonzeroFloat64); math.Abs(got-want) > 1e-3 {
		t.Errorf("the log probability is %v, want %v", got, want)
	}
}
