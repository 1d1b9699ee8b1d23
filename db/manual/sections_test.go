package manual_test

import (
	"strings"
	"testing"

	"parlance/db/manual"
)

// TestSections finds the title of each chapter and section once, with text, and examples without fences.
func TestSections(t *testing.T) {
	list, err := manual.Sections()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range list {
		if seen[s.Title] {
			t.Errorf("two sections are called %s", s.Title)
		}
		seen[s.Title] = true
		if strings.Contains(s.Text, "```") || strings.Contains(s.Text, "\n### ") {
			t.Errorf("%s holds marks:\n%s", s.Title, s.Text)
		}
		if s.Title == "TRAIN" && (s.Chapter != "Models" || !strings.Contains(s.Text, "\n  TRAIN ")) {
			t.Errorf("TRAIN of %s:\n%s", s.Chapter, s.Text)
		}
	}
	for _, want := range []string{"Models", "TRAIN", "CREATE CORPUS", "Similar words"} {
		if !seen[want] {
			t.Errorf("there is no section %s", want)
		}
	}
}
