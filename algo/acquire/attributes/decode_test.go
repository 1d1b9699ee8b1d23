package attributes

import (
	"fmt"
	"math"
	"testing"

	"parlance/algo/kind"
)

// TestDecodeRefuses what Encode does not write: counts that are none, classes out of order.
func TestDecodeRefuses(t *testing.T) {
	noun := func(n, f float64, all int) []class {
		return []class{{Name: "a", Documents: 1, Candidates: []candidate{{Noun: "x", N: n, F: f, T: 1, DF: 1, All: all}}}}
	}
	for _, test := range []struct {
		name    string
		classes []class
		ok      bool
	}{
		{"as written", []class{{Name: "a"}, {Name: "b"}}, true},
		{"nothing", nil, true},
		{"the largest count", noun(1, 2, math.MaxInt32), true},
		{"too large", noun(1, 2, math.MaxInt32+1), false},
		{"infinite", noun(math.Inf(1), 1, 1), false},
		{"below 0", noun(0, -1, 1), false},
		{"no number", noun(0, math.NaN(), 1), false},
		{"documents below 0", noun(0, 1, -1), false},
		{"a class twice", []class{{Name: "a"}, {Name: "a"}}, false},
		{"out of order", []class{{Name: "b"}, {Name: "a"}}, false},
	} {
		sections := map[string][]byte{}
		w := kind.NewWriter(func(name string, p []byte) error {
			sections[name] = append(sections[name], p...)
			return nil
		})
		if err := (&model{Documents: 9, Classes: test.classes}).Encode(w); err != nil {
			t.Fatal(err)
		}
		read := new(model)
		err := read.Decode(kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil }))
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
		if want := fmt.Sprint(test.classes); test.ok && (read.Documents != 9 || fmt.Sprint(read.Classes) != want) {
			t.Errorf("%s: %v", test.name, read.Classes)
		}
	}
}
