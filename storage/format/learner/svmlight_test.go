package learner

import (
	"strings"
	"testing"

	"parlance/storage/format/formattest"
)

// TestSVMlight: what is read is written back, labels as models have them, and what is no data is refused.
func TestSVMlight(t *testing.T) {
	c := suite.Configure(t, "svmlight")
	got, err := formattest.ReadString(c, "# head\n+1 1:0.5 3:-2e-3 # x\n\n-1.0\n2,7  4:1\t5:1\n0.5 9:9\n", 1)
	if err != nil {
		t.Fatal(err)
	}
	if back, want := formattest.Written(t, c, got.Docs), "1 1:0.5 3:-2e-3\n-1\n2,7 4:1 5:1\n0.5 9:9\n"; back != want {
		t.Errorf("%q, want %q", back, want)
	}
	for in, want := range map[string]string{
		"1 0:1\n": `"0:1" is no feature`, "1 1:nan\n": `"1:nan" is no feature`, "1 1:2 x\n": `"x" is no feature`,
		"\n1 2:1 2:1\n": `:2:7: the index of "2:1" does not rise: 2 stands before it`, "1, 1:1\n": "a label is empty",
		"1 1:1e999\n": "is no feature", "1 4294967296:1\n": "is no feature",
	} {
		if _, err := formattest.ReadString(c, in, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}
