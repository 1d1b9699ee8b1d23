package db_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnitsAcrossSegments scores and stores what models say that annotate groups or whole corpora on a corpus of
// several segments: they see their units whole.
func TestUnitsAcrossSegments(t *testing.T) {
	const n = 200
	for model, label := range map[string]func(i int) int{"group_size": func(int) int { return n / 2 },
		"length_rank": func(i int) int { return n - i }} {
		c := open(t, "").Conn()
		var docs, labels []string
		for i := range n {
			docs = append(docs, fmt.Sprintf("('d%d', '%s', 'topic%d')", i, strings.Repeat("word ", i+1), i%2))
			labels = append(labels, fmt.Sprintf("('d%d', '%d')", i, label(i)))
		}
		script(t, c, "CREATE CORPUS notes (topic TEXT); INSERT INTO notes (id, text, topic) VALUES "+strings.Join(docs, ",")+
			"; INSERT INTO notes.labels (doc, label) VALUES "+strings.Join(labels, ",")+"; TRAIN "+model+" AS m ON notes")
		if got := text(t, c, "SELECT value FROM (EVALUATE m ON notes) e WHERE metric = 'accuracy'"); !strings.Contains(got,
			"1.0000") {
			t.Errorf("%s: %s", model, got)
		}
		script(t, c, "ANNOTATE notes USING m")
		if got := text(t, c,
			"SELECT count(*) FROM notes.m a JOIN notes.labels b ON a.doc = b.doc WHERE a.label = b.label"); !strings.Contains(
			got, fmt.Sprint(n)) {
			t.Errorf("%s annotates %s documents right", model, got)
		}
	}
}
