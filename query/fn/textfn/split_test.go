package textfn

import (
	"fmt"
	"testing"

	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestSplitIsStable: values stay in their parts in every version. The numbers are those of
// `printf '0:doc1' | sha256sum` and the like: the first 16 digits modulo 10.
func TestSplitIsStable(t *testing.T) {
	for _, c := range []struct {
		value value.Value
		seed  int64
		want  int64
	}{
		{value.Str("doc1"), 0, 1},
		{value.Str("doc1"), 1, 1},
		{value.Int(7), 0, 9},
		{value.Str("7"), 0, 9},
		{value.Str("é"), 0, 3},
		{value.Str(""), -3, 0},
		{value.Str("doc7"), 0, 9},
		{value.Str("doc12"), 0, 8},
	} {
		got, err := fntest.Call(t, Functions, "bucket", c.value, value.Int(10), value.Int(c.seed))
		if err != nil || got.Int() != c.want {
			t.Errorf("bucket(%v, 10, %d) is %v, %v, want %d", c.value, c.seed, got, err, c.want)
		}
		name := []string{"train", "train", "train", "train", "train", "train", "train", "train", "dev", "test"}[c.want]
		if got, err := fntest.Call(t, Functions, "split", c.value, value.Int(c.seed)); err != nil || got.S != name {
			t.Errorf("split(%v, %d) is %v, %v, want %s", c.value, c.seed, got, err, name)
		}
		if c.seed != 0 {
			continue
		}
		if got, err := fntest.Call(t, Functions, "split", c.value); err != nil || got.S != name {
			t.Errorf("split(%v) is %v, %v, want %s", c.value, got, err, name)
		}
	}
}

// TestSplitShares: parts have about the shares that they should, and other seeds make other parts. Of 10,000 values a
// tenth is 1,000 with a standard deviation of 30.
func TestSplitShares(t *testing.T) {
	counts, moved := map[string]int{}, 0
	for i := range 10000 {
		id := value.Str(fmt.Sprintf("doc%d", i))
		a, err := fntest.Call(t, Functions, "split", id)
		if err != nil {
			t.Fatal(err)
		}
		b, err := fntest.Call(t, Functions, "split", id, value.Int(1))
		if err != nil {
			t.Fatal(err)
		}
		counts[a.S]++
		if a.S != b.S {
			moved++
		}
	}
	if d, e := counts["dev"], counts["test"]; len(counts) != 3 || d < 850 || d > 1150 || e < 850 || e > 1150 {
		t.Errorf("%v", counts)
	}
	if moved < 3000 || moved > 3800 { // 1 - 0.8² - 2·0.1² = 0.34
		t.Errorf("%d are elsewhere with another seed", moved)
	}
}

func TestBucketRefuses(t *testing.T) {
	for _, n := range []int64{0, -1} {
		if got, err := fntest.Call(t, Functions, "bucket", value.Str("a"), value.Int(n)); err == nil {
			t.Errorf("bucket('a', %d) is %v", n, got)
		}
	}
}
