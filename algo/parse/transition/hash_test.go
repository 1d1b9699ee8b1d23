package transition

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// sawDog is the tokens of: I saw a dog with eyebrows.
func sawDog() *text.Layer {
	toks := text.NewLayer(text.Tokens)
	toks.N = 6
	toks.SetStrs("form", []string{"I", "saw", "a", "dog", "with", "eyebrows"})
	toks.SetStrs("upos", []string{"PRON", "VERB", "DET", "NOUN", "ADP", "NOUN"})
	return toks
}

// named lists the features of rows.
func namedRows(h *Hasher, s *State, x *Scratch, toks *text.Layer) []string {
	var out []string
	for i := range h.Rows() {
		out = append(out, h.Name(i, s, x, func(column string, t int32) string { return toks.Strs(column)[t-1] },
			func(y uint16) string { return []string{"", "nsubj", "det"}[y] }))
	}
	return out
}

// TestHasherNames compares the features of a state and of an arc with those read off the sentence.
func TestHasherNames(t *testing.T) {
	toks := sawDog()
	w := NewWords([]string{"form", "upos"})
	w.Load(toks, 0, 6)
	var s State
	s.Init(6)
	sys := ArcHybrid{}
	for _, m := range []Move{Shift, Left, Shift, Shift, Left} {
		sys.Do(&s, NewAction(m, 0))
	}
	set, err := ParsePartial("s0.form, q0.upos|s0.form, s0.lc.form, q0.lc.form|q0.upos, s0.distance, s0.lefts|s0.rights," +
		" q0.lefts, s1.form, s0.head.form, q2.form, q0.lc2.upos, s1.distance")
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHasher(set, []string{"form", "upos"}, 20)
	if err != nil {
		t.Fatal(err)
	}
	var x Scratch
	rows := make([]uint32, h.Rows())
	h.State(&s, w, &x, rows)
	got := namedRows(h, &s, &x, toks)
	slices.Sort(got)
	want := []string{"s0.form=saw", "q0.upos|s0.form=NOUN|saw", "s0.lc.form=I", "q0.lc.form|q0.upos=a|NOUN",
		"s0.distance=2", "s0.lefts|s0.rights=1|0",
		"q0.lefts=1", "s1.form=none", "s0.head.form=none", "q2.form=eyebrows", "q0.lc2.upos=none", "s1.distance=none"}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	arcs(t, w, toks)
}

func arcs(t *testing.T, w *Words, toks *text.Layer) {
	var s State
	s.Load(&Tree{Heads: []int32{0, 2, 0, 4, 2, 4, 5}, Labels: make([]uint16, 7)})
	s.Relabel(1, 1)
	set, err := ParseArcs("d.form|h.form, d.distance, p.deprel, d-.upos|d+.upos, h-.form, h+.form, h.head.form, d.lc.form")
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHasher(set, []string{"form", "upos"}, 20)
	if err != nil {
		t.Fatal(err)
	}
	var x Scratch
	h.Arc(&s, w, 4, 1, &x, make([]uint32, h.Rows()))
	got := strings.Join(namedRows(h, &s, &x, toks), " ")
	for _, f := range []string{"d.form|h.form=dog|saw", "d.distance=-2", "p.deprel=nsubj", "d-.upos|d+.upos=DET|ADP",
		"h-.form=I", "h+.form=a", "h.head.form=none", "d.lc.form=a"} {
		if !strings.Contains(got, f) {
			t.Errorf("%s lacks %s", got, f)
		}
	}
}

// TestHasherTellsApart: along random moves, equal features have equal rows, and of templates alone
// different values have different rows but for chance.
func TestHasherTellsApart(t *testing.T) {
	toks := sawDog()
	w := NewWords([]string{"form", "upos"})
	w.Load(toks, 0, 6)
	set, err := Parse("s0.form, s0.upos|q0.form, s1.form|s0.form|q0.upos, s0.lc.form|s0.form|q0.form|q1.form")
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHasher(set, []string{"form", "upos"}, 32)
	if err != nil {
		t.Fatal(err)
	}
	seen, of := map[string]uint32{}, map[uint32]string{}
	rapid.Check(t, func(t *rapid.T) {
		sys := rapid.SampledFrom(Systems()).Draw(t, "system")
		var s State
		var x Scratch
		rows := make([]uint32, h.Rows())
		for s.Init(6); !sys.Terminal(&s); {
			h.State(&s, w, &x, rows)
			for i, f := range namedRows(h, &s, &x, toks) {
				if r, ok := seen[f]; ok && r != rows[i] {
					t.Fatalf("%s has the rows %d and %d", f, r, rows[i])
				}
				if g, ok := of[rows[i]]; ok && g != f {
					t.Fatalf("%s and %s share a row of 2^32", f, g)
				}
				seen[f], of[rows[i]] = rows[i], f
			}
			var legal []Move
			for _, m := range sys.Moves() {
				if sys.Legal(&s, m) {
					legal = append(legal, m)
				}
			}
			sys.Do(&s, NewAction(rapid.SampledFrom(legal).Draw(t, "move"), 0))
		}
	})
}

// TestDistances puts distances into bins.
func TestDistances(t *testing.T) {
	want := []int{0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6}
	for d, b := range want {
		if got := bin(int32(d + 1)); got != b {
			t.Errorf("distance %d is in bin %d, want %d", d+1, got, b)
		}
	}
}
