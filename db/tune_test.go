package db_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	doctext "parlance/algo/text"
	"parlance/db"
)

// memory is a kind that remembers documents: it labels those that it has learned 'seen' and
// others 'new', all of them 'seen' with an odd option.
type memory struct {
	kind.Base
	log  *trainings
	odd  int
	Seen []string
}

// trainings is what the models of a database have learned, and a gate.
type trainings struct {
	mu    sync.Mutex
	sets  [][]string
	valid int // trainings that had documents to validate on
	limit atomic.Int64
	full  chan struct{} // told of each training that waits because of the limit
}

func (m *memory) Options(o *option.Set) { o.Int(&m.odd, "odd", 0, 0, 100, "all labels are 'seen'") }

func (*memory) Schema() kind.Schema {
	return kind.Schema{Learns: []kind.LayerUse{{Layer: "labels"}}, Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (m *memory) Train(ctx context.Context, tr *kind.Training) error {
	if m.odd == 99 {
		return errors.New("99 fails in training")
	}
	for d, err := range tr.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.Seen = append(m.Seen, d.ID)
	}
	if tr.On.Count() != len(m.Seen) && tr.Validate == nil && len(m.Seen) < 11 {
		return fmt.Errorf("an input of %d documents counts %d", len(m.Seen), tr.On.Count())
	}
	m.log.mu.Lock()
	m.log.sets = append(m.log.sets, m.Seen)
	if tr.Validate != nil {
		m.log.valid++
	}
	m.log.mu.Unlock()
	if m.log.limit.Add(-1) < 0 {
		m.log.full <- struct{}{}
		<-ctx.Done()
	}
	return ctx.Err()
}

func (m *memory) Annotate(ctx context.Context, docs []*doctext.Document, _ *kind.Run) error {
	for _, d := range docs {
		l := doctext.NewLayer(doctext.Labels)
		label := "new"
		if slices.Contains(m.Seen, d.ID) || m.odd%2 == 1 {
			label = "seen"
		}
		l.N = 1
		l.SetStrs("label", []string{label})
		d.SetLayer(l)
	}
	return ctx.Err()
}

func (m *memory) Encode(w *kind.Writer) error { return w.JSON("seen", m.Seen) }

func (m *memory) Decode(r *kind.Reader) error { return r.JSON("seen", &m.Seen) }

// remembering opens a database with the kind and a corpus of n documents labelled 'new'.
func remembering(t *testing.T, n int) (*db.DB, *trainings) {
	t.Helper()
	log := &trainings{full: make(chan struct{}, 100)}
	log.limit.Store(1 << 40)
	d, err := db.Open("",
		db.Options{Kinds: []kind.Kind{{Name: "memory", Doc: "remembers", Revision: 1,
			New: func() kind.Model { return &memory{log: log} }}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	script(t, d.Conn(), "CREATE CORPUS docs (part INTEGER)")
	for i := range n {
		script(t, d.Conn(), fmt.Sprintf("INSERT INTO docs (id, text, part) VALUES ('%d', 'text', %d); INSERT INTO "+
			"docs.labels (doc, label) VALUES ('%d', 'new')", i, i%2, i))
	}
	return d, log
}

// TestFoldsAreHeldOut checks that every document is scored once, by a model that has not seen it.
func TestFoldsAreHeldOut(t *testing.T) {
	d, log := remembering(t, 11)
	c := d.Conn()
	script(t, c, "TUNE memory ON docs WHERE part = 0, docs WHERE part = 1 FOLDS 3 OVER (odd = (1, 2)) METRIC accuracy")
	want := "candidate\tfold\tscore\n2\t1\t1.0000\n2\t2\t1.0000\n2\t3\t1.0000\n1\t1\t0.0000\n1\t2\t0.0000\n1\t3\t0.0000\n"
	if got := text(t, c, "SELECT candidate, fold, score FROM memory.tuning ORDER BY rank, fold"); got != want {
		t.Errorf("scores\n%s\nwant\n%s", got, want)
	}
	if len(log.sets) != 7 || log.valid != 0 {
		t.Fatalf("%d trainings, %d with a fold to validate on", len(log.sets), log.valid)
	}
	times := map[string]int{}
	for _, set := range log.sets {
		if n := len(set); n != 7 && n != 8 && n != 11 {
			t.Errorf("a training on %d of 11 documents", n)
		}
		for _, id := range set {
			times[id]++
		}
	}
	for id, n := range times {
		if n != 2*2+1 {
			t.Errorf("document %s was learned %d times, want 5", id, n)
		}
	}
	if got := text(t, c, "SELECT count(*) FROM docs.labels USING memory WHERE label = 'seen'"); got != "count\n11\n" {
		t.Errorf("the model that is kept has seen: %s", got)
	}
}

func TestTuneValidates(t *testing.T) {
	d, log := remembering(t, 6)
	script(t, d.Conn(),
		"TUNE memory ON docs WHERE part = 0 VALIDATE ON docs WHERE part = 1 OVER (odd = (1, 2, 3)) METRIC f1.new")
	if log.valid != 4 || len(log.sets) != 4 {
		t.Errorf("%d of %d trainings validate", log.valid, len(log.sets))
	}
	if got := text(t, d.Conn(), "SELECT options, fold, score, std FROM memory.tuning WHERE rank = 1"); got !=
		"options\tfold\tscore\tstd\n{\"odd\":2}\t1\t1.0000\t∅\n" {
		t.Errorf("%s", got)
	}
}

const tunings = "SELECT rank, candidate, options, fold, score, mean, std FROM ner.tuning ORDER BY rank, fold"

// TestTuneWithAnyWorkers gives the same table and the same weights with one and more workers.
func TestTuneWithAnyWorkers(t *testing.T) {
	var tables, weights []string
	list := []int{1, 2, 5}
	if testing.Short() {
		list = []int{1, 5}
	}
	for _, workers := range list {
		d := open(t, "")
		c := d.Conn()
		script(t, c, fmt.Sprintf(`CREATE CORPUS docs;
LOAD '../testdata/quickstart/people.test.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
SET workers = %d;
TUNE crf AS ner ON docs FOLDS 3 OVER (l2 = (0.01, 1, 5), states = (observed, 'all')) SAMPLE 4 METRIC f1 WITH (iterations = 2, seed = 3)`, workers))
		tables = append(tables, text(t, c, tunings))
		weights = append(weights, text(t, c, "SELECT weights, statement FROM ner.versions"))
	}
	for i := range tables {
		if tables[i] != tables[0] || weights[i] != weights[0] {
			t.Errorf("%s%s\nand\n%s%s", tables[0], weights[0], tables[i], weights[i])
		}
	}
	if n := strings.Count(tables[0], "\n"); n != 1+4*3 {
		t.Errorf("%d rows of four candidates in three folds:\n%s", n-1, tables[0])
	}
}

// ended waits until the only job no longer runs.
func ended(t *testing.T, c *db.Conn) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for text(t, c, "SELECT state FROM system.jobs") == "state\nrunning\n" {
		<-tick.C
	}
}

// TestTuneResumes cancels a search after some trainings and goes on with the rest.
func TestTuneResumes(t *testing.T) {
	d, log := remembering(t, 6)
	c := d.Conn()
	script(t, c, "SET workers = 2")
	log.limit.Store(3)
	statement := "TUNE memory ON docs FOLDS 2 OVER (odd = (1, 2, 3, 4)) METRIC accuracy"
	script(t, c, statement+" ASYNC")
	<-log.full
	script(t, c, "CANCEL JOB 1")
	kept := 0 // what was scored when the search was cancelled may have been noted or not
	if got := text(t, c, "SELECT state, step, of FROM system.jobs"); got == "state\tstep\tof\ncancelled\t3\t8\n" {
		kept = 3
	} else if got == "state\tstep\tof\ncancelled\t2\t8\n" {
		kept = 2
	} else {
		t.Errorf("jobs: %s", got)
	}
	log.limit.Store(1 << 40)
	done := len(log.sets)
	script(t, c, "RESUME JOB 1")
	ended(t, c)
	if n := len(log.sets) - done; n != 8-kept+1 {
		t.Errorf("%d trainings after the interruption, want %d", n, 8-kept+1)
	}
	rows := text(t, c, "SELECT rank, candidate, options, fold, score FROM memory.tuning")
	script(t, c, statement)
	if again := text(t, c, "SELECT rank, candidate, options, fold, score FROM memory.tuning"); again != rows {
		t.Errorf("in two parts\n%s\nat once\n%s", rows, again)
	}
	if got := text(t, c, "SELECT count(DISTINCT weights) FROM memory.versions"); got != "count\n1\n" {
		t.Errorf("different weights: %s", got)
	}
}

// TestTuneResumesOtherDocuments starts anew where the documents have changed.
func TestTuneResumesOtherDocuments(t *testing.T) {
	d, log := remembering(t, 6)
	c := d.Conn()
	log.limit.Store(3)
	script(t, c, "TUNE memory ON docs FOLDS 2 OVER (odd = (1, 2)) METRIC accuracy ASYNC")
	<-log.full
	script(t, c, "CANCEL JOB 1; DELETE FROM docs WHERE id = '3'")
	log.limit.Store(1 << 40)
	done := len(log.sets)
	script(t, c, "RESUME JOB 1")
	ended(t, c)
	if n := len(log.sets) - done; n != 4+1 {
		t.Errorf("%d trainings, want 5", n)
	}
}

// TestTuneFails names the options that a training failed with and keeps no model.
func TestTuneFails(t *testing.T) {
	d, _ := remembering(t, 6)
	c := d.Conn()
	fails(t, c, "TUNE memory ON docs FOLDS 2 OVER (odd = (1, 99)) METRIC accuracy", "22023",
		"candidate 2, odd = 99, fold 1: 99 fails in training")
	fails(t, c, "TUNE memory ON docs OVER (old = (1, 2)) METRIC accuracy", "22023", "unknown option old")
	if got := text(t, c, "SELECT count(*) FROM system.models"); got != "count\n0\n" {
		t.Errorf("models: %s", got)
	}
	if got := text(t, c,
		"SELECT state, error FROM system.jobs"); got !=
		"state\terror\nfailed\t1:1: candidate 2, odd = 99, fold 1: 99 fails in training\n" {
		t.Errorf("jobs: %s", got)
	}
}

// TestTuneTells reports each training and at last the winner's.
func TestTuneTells(t *testing.T) {
	d, _ := remembering(t, 6)
	c := d.Conn()
	var lines []string
	c.OnProgress(func(p kind.Progress) { lines = append(lines, p.String()) })
	script(t, c, "SET workers = 1; TUNE memory ON docs FOLDS 2 OVER (odd = (1, 2)) METRIC accuracy")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "step 3/4  accuracy 1.0000  ") ||
		!strings.HasSuffix(lines[2], "candidate 2, odd = 2, fold 1") {
		t.Errorf("progress\n%s", strings.Join(lines, "\n"))
	}
}

// TestTuneUpstream searches with features that another model predicts, several trainings at a time,
// and carries the table to another database.
func TestTuneUpstream(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	path := filepath.Join(t.TempDir(), "m")
	script(t, c, fmt.Sprintf(`CREATE CORPUS tagged;
LOAD '../testdata/quickstart/people.test.conll' INTO tagged FORMAT conll WITH (columns = (form, upos));
LOAD '../testdata/quickstart/people.train.conll' INTO tagged FORMAT conll WITH (columns = (form, entities));
SET workers = 4;
TRAIN maxent AS pos ON tagged WHERE id LIKE 'people.test%%' WITH (layer = 'upos', iterations = 5);
TUNE crf AS ner ON tagged WHERE id LIKE 'people.train%%' FOLDS 2 USING pos OVER (features = ('upos[-1..1]', 'form[0], upos[0]', 'form[-1..1]')) METRIC f1
WITH (layer = 'entities', iterations = 5, inputs = 'predicted');
COPY MODEL ner TO '%s'; LOAD '%s' INTO MODEL copied`, path, path))
	rows := text(t, c, "SELECT rank, options, fold, score, seconds FROM ner.tuning")
	if strings.Count(rows, "\n") != 7 {
		t.Errorf("%s", rows)
	}
	if got := text(t, c, "SELECT rank, options, fold, score, seconds FROM copied.tuning"); got != rows {
		t.Errorf("%s\nwas %s", got, rows)
	}
	replayed(t, c, "ner", "true", "false", "∅", "∅")
	if got := text(t, c, "DESCRIBE MODEL ner"); !strings.Contains(got, "\ntuned by\tTUNE crf AS ner ON tagged ") {
		t.Errorf("%s", got)
	}
}

// TestTuneAtTheEdge tells that values beyond those tried may be better.
func TestTuneAtTheEdge(t *testing.T) {
	d, _ := remembering(t, 4)
	c := d.Conn()
	var notices []string
	c.OnNotice(func(s string) {
		if strings.Contains(s, "tried") {
			notices = append(notices, s)
		}
	})
	for over, want := range map[string]string{
		"(2, 3, 5)": "odd is best at the smallest value tried, 2; smaller ones may be better",
		"(1, 3, 4)": "odd is best at the largest value tried, 4; larger ones may be better",
		"(1, 2, 3)": "",
		"(0, 1, 3)": "",
		"(1, 2)":    "",
		"(1, 3, 5)": "", // all are as good
	} {
		notices = nil
		script(t, c, "TUNE memory ON docs FOLDS 2 OVER (odd = "+over+") METRIC accuracy")
		if got := strings.Join(notices, "\n"); got != want {
			t.Errorf("%s: %q, want %q", over, got, want)
		}
	}
}
