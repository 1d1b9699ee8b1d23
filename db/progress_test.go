package db_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/db"
)

// told collects the progress of a session.
type told struct {
	mu   sync.Mutex
	list []db.Progress
}

func (p *told) of(c *db.Conn) { c.OnProgress(p.add) }

func (p *told) add(x db.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, x)
}

// TestLoadTellsShare tells rows and the share of the bytes that have been read, for each sort of object.
func TestLoadTellsShare(t *testing.T) {
	file := t.TempDir() + "/f.tsv"
	var lines strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&lines, "s%d\tr\to%d\n", i, i)
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ create, load, note string }{
		{"CREATE LEXICON o (subject TEXT, relation TEXT, object TEXT, w TEXT)",
			"LOAD '%s' INTO o FORMAT tsv WITH (header = false) SET w = CASE WHEN subject = 's1' " +
				"THEN pg_sleep(1.1) ELSE '' END", "rows read"},
		{"CREATE KB o (w TEXT)",
			"LOAD '%s' INTO o.triples FORMAT tsv WITH (header = false, columns = (subject, relation, object)) SET w = CASE " +
				"WHEN subject = 's1' THEN pg_sleep(1.1) ELSE '' END", "rows read"},
		{"CREATE CORPUS o (w TEXT)", "LOAD '%s' INTO o FORMAT lines SET w = CASE WHEN text LIKE 's1\tr%%' THEN " +
			"pg_sleep(1.1) ELSE '' END", "documents read"},
	} {
		t.Run(c.create, func(t *testing.T) {
			t.Parallel()
			conn := open(t, t.TempDir()+"/p.parlance").Conn()
			var p told
			p.of(conn)
			script(t, conn, c.create+";"+fmt.Sprintf(c.load, file))
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.list) == 0 {
				t.Fatal("nothing is told in more than a second")
			}
			if x := p.list[0]; x.Step == 0 || x.Share <= 0 || x.Share > 1 || x.Note != c.note {
				t.Errorf("told %+v", x)
			}
		})
	}
}

// silent tells nothing while it trains, until there was a sign of life or a minute has passed.
type silent struct {
	kind.Model
	sign <-chan struct{}
}

func (m *silent) Train(ctx context.Context, t *kind.Training) error {
	t.Report(kind.Progress{Step: 3, Of: 8})
	select {
	case <-m.sign:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Minute):
	}
	return m.Model.Train(ctx, t)
}

// TestTrainingSaysThatItLives tells a sign of life in a stage that tells nothing itself.
func TestTrainingSaysThatItLives(t *testing.T) {
	k := kindtest.RelationKind()
	inner, sign := k.New, make(chan struct{}, 1)
	k.New = func() kind.Model { return &silent{inner(), sign} }
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{k}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	var p told
	conn.OnProgress(func(x db.Progress) {
		p.add(x)
		if x.Note == "under way" {
			select {
			case sign <- struct{}{}:
			default:
			}
		}
	})
	script(t, conn, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one two'); TRAIN word_counts AS w ON "+
		"docs")
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.list {
		if x.Note == "under way" && x.Step == 3 && x.Of == 8 {
			return
		}
	}
	t.Errorf("no sign of life: %+v", p.list)
}
