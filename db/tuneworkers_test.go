package db_test

import (
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/testtime"
	"parlance/db"
)

// TestTuneAtOnce: TUNE tries as many candidates at the same time as there are workers.
func TestTuneAtOnce(t *testing.T) {
	g := kindtest.NewGate(8)
	defer g.Open()
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{kindtest.SlowKind(g)}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); "+
		"INSERT INTO docs.labels (doc, label) VALUES ('a', 'slow'), ('b', 'slow')")
	c := d.Conn()
	script(t, c, "SET workers = 2")
	done := later(c, "TUNE slow AS m ON docs VALIDATE ON docs OVER (size = (1, 2, 3)) METRIC accuracy")
	for n := range 2 {
		select {
		case <-g.Entered:
		case err := <-done:
			t.Fatalf("ended after %d trials: %v", n, err)
		case <-time.After(testtime.Allow(5 * time.Second)):
			t.Fatalf("%d trials at the same time, want 2", n)
		}
	}
	select {
	case <-g.Entered:
		t.Error("3 trials at the same time, want 2")
	case <-time.After(100 * time.Millisecond):
	}
	g.Open()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
