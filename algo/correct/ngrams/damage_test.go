package ngrams

import (
	"errors"
	"math"
	"testing"

	"parlance/algo/kind"
)

// TestStartsRise: the places of children rise from 0 to their number, or the model is damaged.
func TestStartsRise(t *testing.T) {
	starts := func(change func(v []uint32)) error {
		m := train(t, lines("a b c d e f", "b a f c", "b c a d a e", "a a c c b f e"), settings{})
		l := &m.trie.levels[0]
		v := make([]uint32, l.n+1)
		for i, x := range l.starts.all() {
			v[i] = uint32(x)
		}
		last := v[l.n]
		change(v)
		low := lowWidth(len(v), uint64(last))
		high := make([]uint64, highWords(len(v), uint64(last)))
		l.starts.low = newPacked(len(v), 1<<low-1)
		for i, x := range v {
			l.starts.low.set(i, uint64(x)&(1<<low-1))
			at := int(x>>low) + i
			high[at>>6] |= 1 << (at & 63)
		}
		l.starts.high = high
		sections := map[string][]byte{}
		if err := m.Encode(kind.NewWriter(func(name string, p []byte) error {
			sections[name] = append(sections[name], p...)
			return nil
		})); err != nil {
			t.Fatal(err)
		}
		again := train(t, lines("a b"), settings{})
		return again.Decode(kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil }))
	}
	if err := starts(func([]uint32) {}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func([]uint32){
		"first is not 0": func(v []uint32) {
			for i := range v {
				v[i] = max(v[i], 1)
			}
		},
		"last is not all": func(v []uint32) { v[len(v)-1]-- },
		"one is below the one before": func(v []uint32) {
			low := lowWidth(len(v), uint64(v[len(v)-1]))
			for i := 1; i+2 < len(v); i++ {
				if low > 0 && v[i]>>low == v[i+1]>>low { // else the bitmap puts them in order
					v[i], v[i+1] = v[i]|1, v[i+1]&^1
					return
				}
			}
			t.Fatalf("no two of %v have the same high bits", v)
		},
	} {
		if err := starts(change); !errors.Is(err, kind.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLogarithmsAreFinite: a model with a logarithm that is not finite is damaged, whichever it is.
func TestLogarithmsAreFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := train(t, lines("a b", "b a"), settings{})
		m.trie.levels[0].prob.exact[firstWord] = float32(bad)
		sections := map[string][]byte{}
		if err := m.Encode(kind.NewWriter(func(name string, p []byte) error {
			sections[name] = append(sections[name], p...)
			return nil
		})); err != nil {
			t.Fatal(err)
		}
		again := train(t, lines("a b"), settings{})
		err := again.Decode(kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil }))
		if !errors.Is(err, kind.ErrCorrupt) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
