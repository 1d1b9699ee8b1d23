package ngrams

import (
	"errors"
	"math"
	"testing"

	"parlance/algo/kind"
)

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
