package contexts

import (
	"fmt"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
)

// TestSameBytes pins what is learned: models of equal data keep their bytes, whatever counts the pairs.
func TestSameBytes(t *testing.T) {
	want := map[string]string{
		"window":     "3b18d43c97db1bb9960ba4f4a951ae0d6bdd66d1e71c11cf43d0ac20ecc1b76a",
		"dependency": "1e74579de57d54952256dd3a57dfb3eed1c7378216954aae1dac3af94ef7ca84",
	}
	for contexts, hash := range want {
		for _, x := range []struct{ workers, memory int }{{1, 0}, {3, 0}, {1, 1}, {2, 1}} {
			m := trainIn(t, x.memory, kind.Documents(noise(2500, 11)), x.workers, kindtest.Arg("contexts", contexts),
				kindtest.Arg("min_count", 2))
			w := kind.NewWriter(func(string, []byte) error { return nil })
			if err := m.Encode(w); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", w.Sum()); got != hash {
				t.Errorf("%s, %+v: %d pairs are %s", contexts, x, len(m.Rows.IDs), got)
			}
		}
	}
}
