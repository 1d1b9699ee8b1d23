package brown

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// TestResumes goes on while words are added and while clusters are merged, with and without words left over.
func TestResumes(t *testing.T) {
	for _, clusters := range []int{2, 9, 1000} {
		kindtest.ResumeEach(t, kindtest.Case{Kind: Kind(), Train: kindtest.Sample(20),
			Options: []option.Arg{kindtest.Arg("clusters", clusters)}})
	}
}

// TestRestoredTables compares what is restored with what it was, after steps of all kinds.
func TestRestoredTables(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		_, big := pairsOf(randomSentences(rng, 4+rng.IntN(27), 5+rng.IntN(60)))
		k := 2 + rng.IntN(7)
		g := &growth{k: k, w: newWindow(big, k+1)}
		check := func() {
			t.Helper()
			s := sections{}
			if err := g.write(s.writer()); err != nil {
				t.Fatal(err)
			}
			again := &growth{k: k, w: newWindow(big, k+1)}
			if err := again.resume(s.reader()); err != nil {
				t.Fatal(err)
			}
			sameWindow(t, g.w, again.w)
		}
		for v := range big.left {
			g.w.add(v)
			g.added++
			if g.w.n > k {
				g.w.refresh()
				g.w.merge(g.w.cheapest())
			}
			check()
		}
		for g.w.n > 1 {
			g.w.refresh()
			g.w.merge(g.w.cheapest())
			check()
		}
	}
}

// sameWindow compares all tables of active clusters.
func sameWindow(t *testing.T, w, v *window) {
	t.Helper()
	if w.n != v.n || !slices.Equal(w.ids[:w.n], v.ids[:v.n]) {
		t.Fatalf("clusters %v became %v", w.ids[:w.n], v.ids[:v.n])
	}
	for x := range w.n {
		for name, lists := range map[string][2][]int64{"L": {w.left, v.left}, "R": {w.right, v.right},
			"A": {w.a, v.a}, "B": {w.b, v.b}, "ln L": {w.lnL, v.lnL}, "ln R": {w.lnR, v.lnR}} {
			if lists[0][x] != lists[1][x] {
				t.Errorf("%s of %d: %d became %d", name, x, lists[0][x], lists[1][x])
			}
		}
		if !slices.Equal(w.outs(x), v.outs(x)) || !slices.Equal(w.ins(x), v.ins(x)) {
			t.Errorf("counts of %d: %v, %v became %v, %v", x, w.outs(x), w.ins(x), v.outs(x), v.ins(x))
		}
		for y := range x {
			at := w.pair(x, y)
			if w.loss[at] != v.loss[at] || w.pairL[at] != v.pairL[at] || w.pairR[at] != v.pairR[at] {
				t.Errorf("pair %d, %d differs", x, y)
			}
		}
	}
	for word := range w.forest {
		if w.slot(uint32(word)) != v.slot(uint32(word)) {
			t.Errorf("word %d moved from %d to %d", word, w.slot(uint32(word)), v.slot(uint32(word)))
		}
	}
}

// TestStatesOfOthers: states that are damaged or of other words are refused.
func TestStatesOfOthers(t *testing.T) {
	_, big := pairsOf(animals)
	for name, s := range map[string]*state{
		"slot beyond":     {slots: []int32{0, 9}, loss: []int64{0}},
		"slot below":      {slots: []int32{0, -1}, loss: []int64{0}},
		"slot without":    {slots: []int32{0, 2}, loss: []int64{0, 0, 0}},
		"losses":          {slots: []int32{0, 1}, loss: []int64{0, 0}},
		"words":           {slots: make([]int32, 8)},
		"early clusters":  {slots: make([]int32, 3), cluster: make([]int32, 7)},
		"unknown cluster": {slots: make([]int32, 7), cluster: []int32{0, 0, 0, 0, 0, 0, 5}},
		"tree":            {slots: make([]int32, 7), cluster: []int32{0, 0, 0, 0, 0, 0, 1}, tree: []int32{0}},
	} {
		to := sections{}
		if err := s.parts().Write(to.writer()); err != nil {
			t.Fatal(err)
		}
		g := &growth{k: 3, w: newWindow(big, 4)}
		if err := g.resume(to.reader()); !errors.Is(err, kind.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sections keeps what is written.
type sections map[string][]byte

func (s sections) writer() *kind.Writer {
	return kind.NewWriter(func(name string, p []byte) error {
		s[name] = append(s[name], p...)
		return nil
	})
}

func (s sections) reader() *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) { return s[name], nil })
}
