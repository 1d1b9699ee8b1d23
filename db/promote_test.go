package db_test

import (
	"context"
	"strings"
	"testing"
)

// TestPromotionsLast promotes under conditions: the history outlives the process, DESCRIBE tells
// it, what was promoted can be taken back, and what failed left no trace.
func TestPromotionsLast(t *testing.T) {
	d := open(t, t.TempDir()+"/p.parlance")
	c := d.Conn()
	script(t, c, people+`TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 2);
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 30);
PROMOTE ner@1 TO production`)
	got := record(t, c, "PROMOTE ner@2 TO production IF f1 > production BY $1 ON docs WHERE split = $2", 0.001, "test")
	if got["promoted"] != "true" || got["p"] == "∅" {
		t.Errorf("a better version: %v", got)
	}
	got = record(t, c, "PROMOTE ner@1 TO production IF f1 > production ON docs WHERE split = 'test'")
	if got["promoted"] != "false" {
		t.Errorf("a worse version: %v", got)
	}
	fails(t, c, "PROMOTE ner@1 TO production IF g9 > production ON docs", "42704", "g9")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Exec(ctx, "PROMOTE ner@1 TO production IF f1 > production ON docs"); err == nil {
		t.Error("a cancelled PROMOTE succeeded")
	}
	history := text(t, c, "SELECT * FROM system.promotions")
	if strings.Count(history, "\n") != 4 ||
		!strings.Contains(history, "IF f1 > production BY 0.001 ON docs WHERE split = 'test'") {
		t.Errorf("history:\n%s", history)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, d.Path()).Conn()
	if again := text(t, c, "SELECT * FROM system.promotions"); again != history {
		t.Errorf("history after reopening:\n%s", again)
	}
	for model, want := range map[string][]string{"ner@1": {"promoted to production", "no longer production",
		"refused as production"}, "ner@2": {"@2 after @1", " against ", ", p "}} {
		told := text(t, c, "DESCRIBE MODEL "+model)
		for _, w := range want {
			if !strings.Contains(told, w) {
				t.Errorf("DESCRIBE MODEL %s does not say %q:\n%s", model, w, told)
			}
		}
	}
	script(t, c, "PROMOTE ner@1 TO production")
	if v := text(t, c, "SELECT version FROM ner.versions WHERE aliases = 'production'"); v != "version\n1\n" {
		t.Errorf("taken back: %s", v)
	}
}
