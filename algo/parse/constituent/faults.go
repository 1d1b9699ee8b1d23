package constituent

import (
	"fmt"

	"parlance/algo/text"
)

// Faults counts sentences whose rows are no tree, for the notice of a training that leaves them out.
type Faults struct {
	Count int
	First error // names its document
}

// Add counts the fault of a sentence of the document.
func (f *Faults) Add(document string, fault error) {
	f.Join(Faults{1, fmt.Errorf("document %s: %w", document, fault)})
}

// Join adds what was counted in later documents.
func (f *Faults) Join(later Faults) {
	f.Count += later.Count
	if f.First == nil {
		f.First = later.First
	}
}

// Tell gives the notice if there were faults.
func (f *Faults) Tell(notice func(string)) {
	if f.Count > 0 {
		notice(text.Countf("%d {sentence is|sentences are} left out, for {its constituents are no tree|their constituents "+
			"are no trees}: %v", f.Count, f.First))
	}
}
