package tree_test

import (
	"bufio"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
	"parlance/algo/testutil/realdata"
)

type labelled struct {
	heads  []int32
	labels []string
}

// corpus reads the trees of a CoNLL file.
func corpus(t *testing.T, name string) (out []labelled) {
	f := realdata.Open(t, name)
	s := labelled{[]int32{0}, []string{""}}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cols := strings.Split(lines.Text(), "\t")
		if lines.Text() == "" && len(s.heads) > 1 {
			if c := Check(s.heads, false); c == Sound || c == NonProjective {
				out = append(out, s)
			}
			s = labelled{[]int32{0}, []string{""}}
		}
		if len(cols) < 8 || strings.ContainsAny(cols[0], "-.") {
			continue
		}
		h, _ := strconv.Atoi(cols[6])
		s.heads, s.labels = append(s.heads, int32(h)), append(s.labels, cols[7])
	}
	return out
}

// TestLiftExample has the sentence of Nivre and Nilsson 2005, figures 1 and 2: "Z nich je jen jedna
// na kvalitu", Out of them is only one to quality: Z is lifted from jedna to je.
func TestLiftExample(t *testing.T) {
	for l, want := range map[Lifting][]string{
		LiftHead:     {"", "AuxP↑Sb", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv"},
		LiftPath:     {"", "AuxP↑", "Atr", "Pred", "AuxZ", "Sb↓", "AuxP", "Adv"},
		LiftHeadPath: {"", "AuxP↑Sb", "Atr", "Pred", "AuxZ", "Sb↓", "AuxP", "Adv"},
	} {
		heads := []int32{0, 5, 1, 0, 5, 3, 3, 6}
		labels := []string{"", "AuxP", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv"}
		was, plain := slices.Clone(heads), slices.Clone(labels)
		n, err := l.Lift(heads, labels)
		if err != nil || n != 1 || heads[1] != 3 || !slices.Equal(labels, want) || !Projective(heads) {
			t.Errorf("%v: %v %q, %d lifted, %v", l, heads, labels, n, err)
		}
		if l.Lower(heads, labels); !slices.Equal(heads, was) || !slices.Equal(labels, plain) {
			t.Errorf("%v undone: %v %q", l, heads, labels)
		}
	}
}

// TestLift: what is lifted is a projective tree, what is projective stays, and lowering leaves a tree
// without marks; with labels that are all different the former head is found again.
func TestLift(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for heads := range treetest.Enumerate(6, treetest.Class{}) {
		for l := LiftHead; l <= LiftHeadPath; l++ {
			given, distinct := slices.Clone(heads), rng.IntN(2) == 0
			labels := make([]string, len(heads))
			for m := range labels {
				if labels[m] = string(rune('a' + m)); !distinct {
					labels[m] = string(rune('a' + rng.IntN(2)))
				}
			}
			plain := slices.Clone(labels)
			n, err := l.Lift(given, labels)
			if err != nil || !Projective(given) || (n == 0) != Projective(heads) {
				t.Fatalf("%v becomes %v, %d lifted, %v", heads, given, n, err)
			}
			l.Lower(given, labels)
			if !treetest.Tree(given, treetest.Class{}) || !slices.Equal(labels, plain) || n == 0 && !slices.Equal(given, heads) {
				t.Fatalf("%v: %v comes back as %v %q", l, heads, given, labels)
			}
			if distinct && l == LiftHead && !slices.Equal(given, heads) {
				t.Fatalf("%v comes back as %v", heads, given)
			}
		}
	}
	if _, err := LiftHead.Lift([]int32{0, 0}, []string{"", "a↓"}); err == nil {
		t.Error("a label with a mark is taken")
	}
	if _, err := LiftHead.Lift([]int32{0, 2, 1}, []string{"", "a", "b"}); err == nil {
		t.Error("a circle is taken")
	}
}

// TestLiftTreebanks asks for the share of modifiers of lifted sentences whose heads come back.
func TestLiftTreebanks(t *testing.T) {
	for _, c := range []struct {
		file  string
		share [3]float64 // by lifting
	}{
		{"conll2007/eus.train", [3]float64{0.75, 0.75, 0.92}},
		{"ud/nl_alpino.test.conllu", [3]float64{0.93, 0.87, 0.93}},
		{"ud/sl_ssj.test.conllu", [3]float64{0.98, 0.96, 0.99}},
		{"ud/en_ewt.dev.conllu", [3]float64{0.97, 1, 1}},
		{"ud/tr_imst.train.conllu", [3]float64{0.91, 0.91, 0.99}},
	} {
		trees := corpus(t, c.file)
		for l := LiftHead; l <= LiftHeadPath; l++ {
			sentences, moved, lost, exact := 0, 0, 0, 0
			for _, s := range trees {
				heads, labels := slices.Clone(s.heads), slices.Clone(s.labels)
				n, err := l.Lift(heads, labels)
				if err != nil || !Projective(heads) {
					t.Fatal(s, heads, err)
				}
				if n > 0 {
					sentences++
				}
				moved += n
				l.Lower(heads, labels)
				if !slices.Equal(labels, s.labels) || n == 0 && !slices.Equal(heads, s.heads) {
					t.Fatalf("%s: %v %q comes back as %v %q", c.file, s.heads, s.labels, heads, labels)
				}
				wrong := 0
				for m := range heads {
					if heads[m] != s.heads[m] {
						wrong++
					}
				}
				if lost += wrong; wrong == 0 && n > 0 {
					exact++
				}
			}
			share := 1 - float64(lost)/float64(max(1, moved))
			t.Logf("%s, %v: %d of %d sentences lifted, %d arcs, %.4f of them restored, %d sentences in full", c.file, l,
				sentences, len(trees), moved, share, exact)
			if share < c.share[l] {
				t.Errorf("%s, %v: %.4f of the lifted arcs are restored, want %v", c.file, l, share, c.share[l])
			}
		}
	}
}

// TestNearest: no projective tree of the same class has more of the given heads, and a projective tree
// stays.
func TestNearest(t *testing.T) {
	for _, single := range []bool{true, false} {
		e, c := NewEisner(single), treetest.Class{Projective: true, Single: single}
		for given := range treetest.Enumerate(5, treetest.Class{Single: single}) {
			heads := make([]int32, 6)
			got, want := e.Nearest(given, heads), 0
			for x := range treetest.Enumerate(5, c) {
				want = max(want, common(x, given))
			}
			if got != want || common(heads, given) != got || !treetest.Tree(heads, c) {
				t.Fatalf("%v: %v shares %d heads, the best %d", given, heads, got, want)
			}
		}
	}
}

func common(a, b []int32) (n int) {
	for m := 1; m < len(a); m++ {
		if a[m] == b[m] {
			n++
		}
	}
	return n
}
