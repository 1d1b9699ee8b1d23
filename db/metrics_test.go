package db_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"
)

// figures are metrics by name and labels, such as parlance_statements_total SELECT,42703.
func figures(d *db.DB) map[string]float64 {
	out := map[string]float64{}
	for _, m := range d.Metrics() {
		key := m.Name
		if len(m.Values) > 0 {
			key += " " + strings.Join(m.Values, ",")
		}
		if out[key] = m.Value; m.Type == "histogram" {
			out[key] = float64(m.Count)
		}
	}
	return out
}

// only keeps the figures whose names begin with one of the prefixes.
func only(f map[string]float64, prefixes ...string) map[string]float64 {
	out := map[string]float64{}
	for k, v := range f {
		for _, p := range prefixes {
			if strings.HasPrefix(k, p) {
				out[k] = v
			}
		}
	}
	return out
}

func TestStatementsAreCounted(t *testing.T) {
	ctx := context.Background()
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); SELECT id FROM "+
		"docs; SELECT id FROM docs LIMIT 1")
	for _, bad := range []string{"SELECT nothing FROM docs", "SELECT 1 FROM nowhere", "SELECT FROM WHERE", "SELECT $1",
		"CREATE CORPUS docs", "SELECT other FROM docs"} {
		if _, err := c.Exec(ctx, bad); err == nil {
			t.Errorf("%s succeeds", bad)
		}
	}
	rows, err := c.Query(ctx, "SELECT id FROM docs")
	if err != nil {
		t.Fatal(err)
	}
	if f := figures(d); f["parlance_statements_running"] != 1 || f["parlance_snapshots_open"] != 1 ||
		f["parlance_oldest_statement_seconds"] <= 0 {
		t.Errorf("%v statements run, the oldest for %v s, %v snapshots are open", f["parlance_statements_running"],
			f["parlance_oldest_statement_seconds"], f["parlance_snapshots_open"])
	}
	rows.Close()
	if f := figures(d); f["parlance_oldest_statement_seconds"] != 0 {
		t.Errorf("without a statement the oldest runs for %v s", f["parlance_oldest_statement_seconds"])
	}
	want := map[string]float64{
		"parlance_statements_total CREATE,": 1, "parlance_statements_total CREATE,42710": 1,
		"parlance_statements_total INSERT,": 1,
		"parlance_statements_total SELECT,": 3, "parlance_statements_total SELECT,42703": 2,
		"parlance_statements_total SELECT,42P01": 1,
		"parlance_statements_total SELECT,08P01": 1, "parlance_statements_total UNPARSED,42601": 1,
		"parlance_statement_seconds CREATE": 2, "parlance_statement_seconds INSERT": 1,
		"parlance_statement_seconds SELECT": 7, "parlance_statement_seconds UNPARSED": 1,
		"parlance_rows_returned_total CREATE": 0, "parlance_rows_returned_total INSERT": 0,
		"parlance_rows_returned_total SELECT": 3, "parlance_rows_returned_total UNPARSED": 0,
		"parlance_statements_running": 0,
	}
	got := only(figures(d), "parlance_statement", "parlance_rows")
	if !maps.Equal(got, want) {
		t.Errorf("counted\n%v, want\n%v", got, want)
	}
	if f := figures(d); f["parlance_snapshots_open"] != 0 || f["parlance_objects corpus"] != 1 ||
		f["parlance_write_transactions_total"] == 0 || f["parlance_file_bytes"] == 0 {
		t.Errorf("figures %v", f)
	}
}

func TestOldestBlock(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs; BEGIN")
	age := func() float64 { return figures(d)["parlance_oldest_transaction_seconds"] }
	if age() != 0 {
		t.Error("a block that has changed nothing counts")
	}
	script(t, c, "INSERT INTO docs (id, text) VALUES ('a', 'one')")
	if age() <= 0 {
		t.Error("a block that has changed something does not count")
	}
	script(t, c, "ROLLBACK")
	if age() != 0 {
		t.Error("a block that has ended counts")
	}
}

func TestStatementsOfManySessionsAreCounted(t *testing.T) {
	d := open(t, "")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c := d.Conn()
			for i := range 100 {
				if _, err := c.Exec(context.Background(), "SELECT 1"); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					_, _ = c.Exec(context.Background(), "SELECT x")
					d.Metrics()
				}
			}
		})
	}
	wg.Wait()
	want := map[string]float64{"parlance_statements_total SELECT,": 800, "parlance_statements_total SELECT,42703": 80,
		"parlance_statements_running": 0, "parlance_statement_seconds SELECT": 880}
	if got := only(figures(d), "parlance_statement"); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestAnnotationIsCounted(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS gold;
LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON gold WITH (iterations = 2);
CREATE CORPUS docs;
INSERT INTO docs (id, text) VALUES ('a', 'Ann Lee sat.'), ('b', 'Oslo slept on.');`)
	counted := []string{"parlance_annotated", "parlance_cache_hits", "parlance_cache_misses", "parlance_loaded_models",
		"parlance_trainings"}
	if got := only(figures(d), counted...); got["parlance_trainings_total done"] != 1 ||
		got["parlance_trainings_running"] != 0 || got["parlance_loaded_models"] != 0 {
		t.Errorf("after the training: %v", got)
	}
	for range 2 {
		script(t, c, "SELECT * FROM docs.entities USING ner")
	}
	want := map[string]float64{
		"parlance_annotated_documents_total ner@1": 2, "parlance_annotated_tokens_total ner@1": 8,
		"parlance_cache_hits_total ner@1": 2, "parlance_cache_misses_total ner@1": 2,
		"parlance_loaded_models": 1, "parlance_trainings_queued": 0, "parlance_trainings_running": 0,
		"parlance_trainings_total done": 1,
	}
	got := figures(d)
	if bytes := got["parlance_loaded_model_bytes"]; bytes <= 0 {
		t.Errorf("the loaded model has %v bytes", bytes)
	}
	if got["parlance_annotate_seconds_total ner@1"] <= 0 {
		t.Error("annotation took no time")
	}
	if got := only(got, counted...); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestMetricsAsTable(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "SELECT 1; SELECT 2")
	q := `SELECT labels->>'kind' AS kind, value FROM system.metrics WHERE name = 'parlance_statements_total'`
	if got := text(t, c, q); !strings.Contains(got, "SELECT") || !strings.Contains(got, "2") {
		t.Errorf("%s gives\n%s", q, got)
	}
	q = `SELECT max(value) AS n FROM system.metrics WHERE name = 'parlance_statement_seconds_bucket' AND labels->>'kind' = 'SELECT'`
	if got := text(t, c, q); !strings.Contains(got, "3") {
		t.Errorf("%s gives\n%s", q, got)
	}
	script(t, c, "SELECT count(*) FROM generate_series(1, 500000)") // slower by some empty buckets
	q = `SELECT count(*) AS kinds, sum(b.most - c.value) AS lost FROM (SELECT labels->>'kind' AS kind, max(value) ` +
		`AS most FROM system.metrics WHERE name = 'parlance_statement_seconds_bucket' GROUP BY 1) b JOIN system.metrics c ` +
		`ON c.name = 'parlance_statement_seconds_count' AND c.labels->>'kind' = b.kind`
	if got := strings.Fields(text(t, c, q)); len(got) != 4 || got[2] == "0" || got[3] != "0.0000" {
		t.Errorf("the last buckets lack statements: %q", got)
	}
	script(t, c, "CREATE LEXICON once (word text)")
	q = `SELECT min(value) AS least, max(value) AS most FROM system.metrics WHERE ` +
		`name = 'parlance_statement_seconds_bucket' AND labels->>'kind' = 'CREATE'`
	if got := strings.Fields(text(t, c, q)); !slices.Equal(got, []string{"least", "most", "1.0000", "1.0000"}) {
		t.Errorf("the buckets of a statement that ran once: %q", got)
	}
	a, b := fmt.Sprint(names(d)), fmt.Sprint(names(d))
	if a != b {
		t.Errorf("the order of metrics changes:\n%s\n%s", a, b)
	}
	if err := d.Close(); err != nil || d.Metrics() != nil {
		t.Errorf("after Close: %v, metrics %v", err, d.Metrics())
	}
}

func names(d *db.DB) (out []string) {
	for _, m := range d.Metrics() {
		out = append(out, m.Name+strings.Join(m.Values, ","))
	}
	return out
}

func TestWarm(t *testing.T) {
	ctx := context.Background()
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS gold;
LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
CREATE GAZETTEER cities; INSERT INTO cities VALUES ('Oslo', 'CITY');
CREATE FEATURES mine AS 'form[0], gazetteer(cities)[0]';
TRAIN crf AS ner ON gold WITH (iterations = 1, features = mine);
TRAIN crf AS ner ON gold WITH (iterations = 2, features = mine);
TRAIN crf AS other ON gold WITH (iterations = 1);
PROMOTE ner@1 TO production;`)
	if err := d.Warm(ctx, "ner"); err != nil || figures(d)["parlance_loaded_models"] != 1 {
		t.Errorf("%v, %v models are loaded", err, figures(d)["parlance_loaded_models"])
	}
	if err := d.Warm(ctx, "ner@production", "ner@2"); err != nil || figures(d)["parlance_loaded_models"] != 2 {
		t.Errorf("%v, %v models are loaded", err, figures(d)["parlance_loaded_models"])
	}
	if err := d.Warm(ctx); err != nil || figures(d)["parlance_loaded_models"] != 3 {
		t.Errorf("%v, %v models are loaded", err, figures(d)["parlance_loaded_models"])
	}
	if err := d.Warm(ctx, "nre"); code(err) != "42704" {
		t.Errorf("an unknown model gives %v", err)
	}
	if err := d.Warm(ctx, "nre", "ner@9", "ner"); err == nil || !strings.Contains(err.Error(), "ner has no version 9") {
		t.Errorf("several unknown models give %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := d.Warm(stopped); code(err) != "57014" {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestWarmKeepsToModelMemory(t *testing.T) {
	ctx := context.Background()
	path := t.TempDir() + "/warm.parlance"
	d := open(t, path)
	c := d.Conn()
	script(t, c, "CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH "+
		"(columns = (form, entities)); ALTER SYSTEM SET model_memory = 1")
	model := filepath.Join(t.TempDir(), "model")
	script(t, c, fmt.Sprintf("TRAIN crf AS m00 ON gold WITH (iterations = 1); COPY MODEL m00 TO '%s'", model))
	for i := range 29 {
		script(t, c, fmt.Sprintf("LOAD '%s' INTO MODEL m%02d", model, i+1))
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, path)
	script(t, d.Conn(), "SET pin.m29 = true")
	if err := d.Warm(ctx); err != nil {
		t.Fatal(err)
	}
	f := figures(d)
	if n := f["parlance_loaded_models"]; n < 2 || n > 29 ||
		f["parlance_loaded_model_bytes"] > f["parlance_model_memory_limit_bytes"] {
		t.Errorf("%v models with %v bytes are loaded, the limit is %v", n, f["parlance_loaded_model_bytes"],
			f["parlance_model_memory_limit_bytes"])
	}
	if got := text(t, d.Conn(),
		"SELECT model FROM system.loaded_models WHERE model IN ('m00', 'm29') ORDER BY model"); got != "model\nm00\nm29\n" {
		t.Errorf("loaded are %s", got)
	}
}

func TestTrainingsAreCounted(t *testing.T) {
	d, g := gated(t)
	c := d.Conn()
	script(t, c, "TRAIN slow AS one ON docs ASYNC")
	if what := <-g.Entered; what != "train" {
		t.Fatalf("%s comes to the gate", what)
	}
	script(t, c, "TRAIN slow AS two ON docs ASYNC")
	script(t, c, "TRAIN slow AS three ON docs ASYNC")
	await := func(want map[string]float64) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for !maps.Equal(only(figures(d), "parlance_trainings"), want) {
			if ctx.Err() != nil {
				t.Fatalf("%v, want %v", only(figures(d), "parlance_trainings"), want)
			}
			runtime.Gosched()
		}
	}
	await(map[string]float64{"parlance_trainings_running": 1, "parlance_trainings_queued": 2})
	if f := figures(d); f["parlance_training_steps 1"] != 0 || len(only(f, "parlance_training_step ")) != 1 {
		t.Errorf("%v", only(f, "parlance_training"))
	}
	script(t, c, "CANCEL JOB 2")
	await(map[string]float64{"parlance_trainings_running": 1, "parlance_trainings_queued": 1,
		"parlance_trainings_total cancelled": 1})
	script(t, c, "CANCEL JOB 3")
	await(map[string]float64{"parlance_trainings_running": 1, "parlance_trainings_queued": 0,
		"parlance_trainings_total cancelled": 2})
	g.Open()
	await(map[string]float64{"parlance_trainings_running": 0, "parlance_trainings_queued": 0,
		"parlance_trainings_total cancelled": 2, "parlance_trainings_total done": 1})
}
