package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestTuneFoldsOfTriples tunes kinds that learn from a knowledge base: the same scores with any number of
// workers, others with another seed, and every fold is scored.
func TestTuneFoldsOfTriples(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	var rows []string
	for i := range 12 {
		rows = append(rows, fmt.Sprintf("('a%d', 'spouse', 'b%d'), ('b%d', 'spouse', 'a%d'), ('a%d', 'likes', 'c')",
			i, i, i, i, i))
	}
	script := "CREATE KB kin; INSERT INTO kin.triples (subject, relation, object) VALUES " + strings.Join(rows, ", ") + ";"
	for _, m := range []struct {
		name          string
		workers, seed int
	}{{"one", 1, 1}, {"two", 2, 1}, {"other", 2, 2}} {
		script += fmt.Sprintf("SET workers = %d; TUNE trescal AS t_%s ON kin FOLDS 4 OVER (rank = (2, 4)) METRIC mrr WITH "+
			"(iterations = 20, types = none, seed = %d);", m.workers, m.name, m.seed)
		script += fmt.Sprintf("TUNE transe AS e_%s ON kin.triples WHERE relation = 'spouse', kin.triples AS known WHERE "+
			"relation = 'likes' FOLDS 3 OVER (dim = (2, 4)) METRIC mrr WITH (epochs = 3, seed = %d);", m.name, m.seed)
	}
	if err := c.Script(context.Background(), script, nil); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"t", "e"} {
		scores := func(name string) string {
			return text(t, c, fmt.Sprintf("SELECT options, fold, score FROM %s_%s.tuning ORDER BY options, fold", kind, name))
		}
		one := scores("one")
		if want := map[string]int{"t": 8, "e": 6}[kind]; strings.Count(one, "\n") != want+1 {
			t.Errorf("%d trials are wanted: %s", want, one)
		}
		if two := scores("two"); two != one {
			t.Errorf("two workers give\n%s\none gives\n%s", two, one)
		}
		if scores("other") == one {
			t.Error("another seed gives the same folds")
		}
	}
}
