package db_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"parlance/db"
)

// sized trains models of n MB each, named m1, m2, ….
func sized(t *testing.T, mb ...int) *db.DB {
	t.Helper()
	d, g := gated(t)
	g.Open()
	for i, n := range mb {
		script(t, d.Conn(), fmt.Sprintf("TRAIN slow AS m%d ON docs WITH (size = %d)", i+1, n<<20))
	}
	return d
}

func loaded(t *testing.T, d *db.DB) string {
	t.Helper()
	got := text(t, d.Conn(), "SELECT model, pinned FROM system.loaded_models ORDER BY model")
	return strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(got, "model\tpinned\n")), "\n", ", ")
}

func annotate(t *testing.T, d *db.DB, model string) {
	t.Helper()
	if got := text(t, d.Conn(), "SELECT count(*) FROM docs.labels USING "+model); got != "count\n2\n" {
		t.Errorf("%s: %s", model, got)
	}
}

// TestModelMemory unloads what was used least recently and keeps what is pinned.
func TestModelMemory(t *testing.T) {
	d := sized(t, 3, 3, 3, 20)
	script(t, d.Conn(), "ALTER SYSTEM SET model_memory = 8")
	expect := func(want string) {
		t.Helper()
		if got := loaded(t, d); got != want {
			t.Errorf("loaded: %s, want %s", got, want)
		}
	}
	expect("")
	annotate(t, d, "m1")
	annotate(t, d, "m2")
	annotate(t, d, "m1")
	expect("m1\tfalse, m2\tfalse")
	annotate(t, d, "m3")
	expect("m1\tfalse, m3\tfalse")
	if got := text(t, d.Conn(), "SHOW pin.m2"); got != "pin.m2\nfalse\n" {
		t.Error(got)
	}
	if _, err := d.Exec(context.Background(), "SHOW pin.nowhere"); code(err) != "42704" && code(err) != "42P01" {
		t.Error(err)
	}
	script(t, d.Conn(), "SET pin.m2 = true")
	if got := text(t, d.Conn(), "SHOW pin.m2"); got != "pin.m2\ntrue\n" {
		t.Error(got)
	}
	expect("m2\ttrue, m3\tfalse")
	annotate(t, d, "m1")
	expect("m1\tfalse, m2\ttrue")
	if _, err := d.Exec(context.Background(), "SELECT * FROM docs.labels USING m4"); code(err) != "53200" ||
		!strings.Contains(err.Error(), "20.0 MB beside 3.0 MB of pinned models") {
		t.Errorf("a model that does not fit: %v", err)
	}
	script(t, d.Conn(), "SET pin.m1 = true")
	if _, err := d.Exec(context.Background(), "SET pin.m3 = true"); code(err) != "53200" {
		t.Errorf("pinned ones that do not fit: %v", err)
	}
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET model_memory = 5"); code(err) != "53200" {
		t.Errorf("too little for what is pinned: %v", err)
	}
	expect("m1\ttrue, m2\ttrue")
	script(t, d.Conn(),
		"RESET pin.m1; ALTER SYSTEM SET pin.m2 = false; ALTER SYSTEM SET model_memory = 4; ALTER SYSTEM RESET pin.m3")
	expect("m1\tfalse")
	script(t, d.Conn(), "DROP MODEL m1")
	expect("")
}

// TestPinFaults names what is wrong.
func TestPinFaults(t *testing.T) {
	d := sized(t, 1)
	for statement, want := range map[string]string{
		"SET pin.m2 = true":                "did you mean m1?",
		"SET pin.docs = true":              "there is no model docs",
		"SET pin.m1 = often":               "option pin.m1",
		"ALTER SYSTEM SET pin.x = true":    "there is no model x",
		"ALTER SYSTEM SET model_memry = 5": "did you mean model_memory?",
	} {
		if _, err := d.Exec(context.Background(), statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", statement, err, want)
		}
	}
}

// TestPinSurvives keeps a pin in the file; what is pinned is the version that the name means.
func TestPinSurvives(t *testing.T) {
	path := t.TempDir() + "/pins.parlance"
	d := open(t, path)
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'x'); TRAIN length_rank AS m ON "+
		"docs; TRAIN length_rank AS m ON docs; SET pin.m = true; PROMOTE m@1 TO production")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, path)
	if err := d.Warm(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := text(t, d.Conn(),
		"SELECT model, version, pinned FROM system.loaded_models"); got != "model\tversion\tpinned\nm\t1\ttrue\n" {
		t.Errorf("after opening: %s", got)
	}
	if got := text(t, d.Conn(),
		"SELECT value, scope FROM system.settings WHERE name = 'pin.m'"); got != "value\tscope\ntrue\tdatabase\n" {
		t.Errorf("settings: %s", got)
	}
	script(t, d.Conn(), "DROP MODEL m; TRAIN length_rank AS m ON docs")
	if got := text(t, d.Conn(), "SELECT count(*) FROM system.settings WHERE name = 'pin.m'"); got != "count\n0\n" {
		t.Errorf("a pin outlives its model")
	}
}

// TestModelsAtOnce lets many sessions use more models than fit.
func TestModelsAtOnce(t *testing.T) {
	d := sized(t, 3, 3, 3)
	script(t, d.Conn(), "ALTER SYSTEM SET model_memory = 4; SET cache = off")
	var wait sync.WaitGroup
	for w := range 6 {
		wait.Go(func() {
			c := d.Conn()
			for i := range 20 {
				if _, err := c.Exec(context.Background(), fmt.Sprintf("SELECT count(*) FROM docs.labels USING m%d WITH (nbest = 1)",
					(w+i)%3+1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// TestModelBytes compares what models say of their memory with what the heap grows by.
func TestModelBytes(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(),
		`CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS c ON gold WITH (iterations = 3); TRAIN maxent AS m ON gold WITH (layer = entities, iterations = 3)`)
	models := []string{"c", "m"}
	if data := os.Getenv("PARLANCE_DATA"); data != "" && !testing.Short() {
		script(t, d.Conn(), "CREATE CORPUS conll; LOAD '"+data+"/chunk/conll2000.test' INTO conll FORMAT conll2000; TRAIN "+
			"crf AS large ON conll WITH (layer = chunks, iterations = 2)")
		models = append(models, "large")
	}
	for _, m := range models {
		before := heap()
		script(t, d.Conn(), "SET pin."+m+" = true")
		grown := heap() - before
		n := number(t, d.Conn(), "SELECT bytes FROM system.loaded_models WHERE model = '"+m+"'")
		w := number(t, d.Conn(), "SELECT bytes FROM system.models WHERE name = '"+m+"'")
		t.Logf("%s: %d stored, %d told, %d grown", m, w, n, grown)
		if float64(n) < 0.5*float64(grown) || float64(n) > 2*float64(grown)+1e5 {
			t.Errorf("%s tells %d bytes, the heap has grown by %d", m, n, grown)
		}
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
