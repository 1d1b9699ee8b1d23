package constituent

import (
	"errors"
	"testing"
)

// TestFaults: the count is of all documents, the fault that is told the first one.
func TestFaults(t *testing.T) {
	var all, later Faults
	told := ""
	tell := func(s string) { told += s }
	if all.Tell(tell); told != "" {
		t.Errorf("without faults there is a notice: %s", told)
	}
	all.Add("a", errors.New("one"))
	later.Add("b", errors.New("two"))
	later.Add("c", errors.New("three"))
	all.Join(later)
	all.Tell(tell)
	want := "3 sentences are left out, for their constituents are no trees: document a: one"
	if told != want {
		t.Errorf("%q, want %q", told, want)
	}
}
