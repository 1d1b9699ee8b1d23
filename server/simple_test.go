package server

import (
	"testing"

	"parlance/db"
	"parlance/storage/value"
)

// tagged are rows of which there is only the tag.
type tagged string

func (tagged) NextBatch() *value.Batch { return nil }
func (tagged) Columns() []db.Column    { return nil }
func (t tagged) Tag() string           { return string(t) }
func (tagged) Close() error            { return nil }

// TestTags writes what clients read numbers from.
func TestTags(t *testing.T) {
	for tag, want := range map[string]string{"": "SELECT 7", "INSERT 2": "INSERT 0 2", "COPY 3": "COPY 3",
		"COPY ner@1": "COPY 1", "LOAD ner@1": "LOAD ner@1"} {
		p := &portal{rows: tagged(tag), verb: "SELECT"}
		if got := string(p.appendTag(nil, 7)); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}
