package attributes

import (
	"math"
	"testing"

	"parlance/algo/kind"
)

// TestDecodeRefuses what Encode does not write: counts that are none, parts of other lengths, classes out of order.
func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name           string
		classes, nouns []string
		numbers        []uint32
		counts         []float64
		ok             bool
	}{
		{"as written", []string{"a", "b"}, []string{"x", "y"}, []uint32{3, 1, 2, 1, 9}, make([]float64, 10), true},
		{"nothing", nil, nil, []uint32{0}, nil, true},
		{"the largest count", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, []float64{0, 1, 2, 3, math.MaxInt32}, true},
		{"too large", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, []float64{0, 1, 2, 3, math.MaxInt32 + 1}, false},
		{"infinite", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, []float64{math.Inf(1), 1, 2, 3, 4}, false},
		{"below 0", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, []float64{0, -1, 2, 3, 4}, false},
		{"no number", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, []float64{0, 1, math.NaN(), 3, 4}, false},
		{"a number too few", []string{"a"}, []string{"x"}, []uint32{1, 1}, make([]float64, 5), false},
		{"a number too many", []string{"a"}, []string{"x"}, []uint32{1, 1, 9, 9}, make([]float64, 5), false},
		{"a count too few", []string{"a"}, []string{"x"}, []uint32{1, 1, 9}, make([]float64, 4), false},
		{"a noun of no class", []string{"a"}, []string{"x", "y"}, []uint32{1, 1, 9}, make([]float64, 10), false},
		{"a noun too few", []string{"a", "b"}, []string{"x", "y"}, []uint32{1, 1, 1, 2, 9}, make([]float64, 10), false},
		{"a class twice", []string{"a", "a"}, []string{"x", "y"}, []uint32{3, 1, 2, 1, 9}, make([]float64, 10), false},
		{"out of order", []string{"b", "a"}, []string{"x", "y"}, []uint32{3, 1, 2, 1, 9}, make([]float64, 10), false},
	} {
		sections := map[string][]byte{}
		w := kind.NewWriter(func(name string, p []byte) error {
			sections[name] = append(sections[name], p...)
			return nil
		})
		for _, err := range []error{w.Strings("classes", test.classes), w.Strings("nouns", test.nouns),
			w.Uint32s("numbers", test.numbers), w.Float64s("counts", test.counts)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r := kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil })
		if err := new(model).Decode(r); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
