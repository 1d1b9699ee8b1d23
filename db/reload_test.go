package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"parlance/db"
	"parlance/db/reloadtest"
)

// replica serves a copy of the first file read-only, at a path where the test puts others.
func replica(t *testing.T, file string) (d *db.DB, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "replica.parlance")
	reloadtest.Put(t, file, path)
	d, err := db.Open(path, db.Options{ReadOnly: true, Background: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, path
}

// reload wants a reload to take another file.
func reload(t *testing.T, d *db.DB) db.Reloaded {
	t.Helper()
	done, err := d.Reload(t.Context())
	if err != nil || done.Same {
		t.Fatalf("reload: %+v, %v", done, err)
	}
	return done
}

// filesOpen is the number of files that are open, by the metric.
func filesOpen(d *db.DB) float64 { return figures(d)["parlance_files_open"] }

// saying is the result of reloadtest.Word.
func saying(s string) string { return "text\n" + s + "\n" }

func wantText(t *testing.T, c *db.Conn, statement, want string) {
	t.Helper()
	if got := text(t, c, statement); got != want {
		t.Errorf("%s gives %q, want %q", statement, got, want)
	}
}

func wantOpen(t *testing.T, d *db.DB, want float64) {
	t.Helper()
	if got := filesOpen(d); got != want {
		t.Errorf("%g files are open, want %g", got, want)
	}
}

// TestReload lets what has begun end on the old file, and everything else begin on the new one.
func TestReload(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	plain, block, frozen, cursor, wire := d.Conn(), d.Conn(), d.Conn(), d.Conn(), d.Conn().Wire()
	wire.Interleave()
	defer wire.Release()
	wantText(t, plain, reloadtest.Word, saying("old"))
	prepared, err := plain.Prepare(reloadtest.Word)
	if err != nil {
		t.Fatal(err)
	}
	script(t, block, "BEGIN")
	script(t, frozen, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT text FROM docs")
	script(t, cursor, "DECLARE c CURSOR WITH HOLD FOR SELECT term, n FROM terms ORDER BY n")
	wantText(t, cursor, "FETCH 1 FROM c", "term\tn\nold\t1\n")
	rows, err := wire.Query(context.Background(), "SELECT term FROM terms")
	if err != nil {
		t.Fatal(err)
	}
	first := rows.NextBatch()

	if done, err := d.Reload(t.Context()); err != nil || !done.Same {
		t.Errorf("the same file: %+v, %v", done, err)
	}
	reloadtest.Put(t, fresh, path)
	wantText(t, plain, reloadtest.Word, saying("old"))
	reload(t, d)
	wantOpen(t, d, 2)
	wantText(t, plain, reloadtest.Word, saying("new"))
	wantText(t, wire.Conn, reloadtest.Word, saying("new"))
	again, err := prepared.Query(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !again.Next() || again.Values()[0].S != "new" {
		t.Errorf("the prepared statement gives %v, %v", again.Values(), again.Err())
	}
	again.Close()
	wantText(t, block, reloadtest.Word, saying("old"))
	wantText(t, block, "SELECT count(*) AS n FROM terms WHERE term = 'old'", "n\n3000\n")
	wantText(t, frozen, reloadtest.Word, saying("old"))
	wantText(t, cursor, "FETCH 2 FROM c", "term\tn\nold\t2\nold\t3\n")
	wantText(t, cursor, reloadtest.Word, saying("new"))

	n := first.N
	for b := rows.NextBatch(); b != nil; b = rows.NextBatch() {
		for i := range b.N {
			if s := b.Cols[0].At(i).S; s != "old" {
				t.Fatalf("row %d of the old file is %s", n+i, s)
			}
		}
		n += b.N
	}
	if err := rows.Close(); err != nil || n != 3000 {
		t.Errorf("%d rows, %v", n, err)
	}
	script(t, block, "COMMIT")
	script(t, frozen, "ROLLBACK")
	wantText(t, block, reloadtest.Word, saying("new"))
	wantText(t, frozen, reloadtest.Word, saying("new"))
	wantOpen(t, d, 2)
	wantText(t, cursor, "FETCH 1 FROM c", "term\tn\nold\t4\n")
	script(t, cursor, "CLOSE c")
	wantOpen(t, d, 1)
}

// TestReloadGroup keeps the statements of a group of the protocol on one file.
func TestReloadGroup(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	c := d.Conn().Wire()
	c.Interleave()
	defer c.Release()
	c.BeginGroup()
	wantText(t, c.Conn, reloadtest.Word, saying("old"))
	reloadtest.Put(t, fresh, path)
	reload(t, d)
	wantText(t, c.Conn, reloadtest.Word, saying("old"))
	wantOpen(t, d, 2)
	if err := c.EndImplicit(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, d, 1)
	wantText(t, c.Conn, reloadtest.Word, saying("new"))
}

// TestReloadStatement is for admins of a read-only database.
func TestReloadStatement(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "CREATE USER boss PASSWORD 'x' ROLE admin; CREATE USER ann PASSWORD 'x'")
	d, path := replica(t, old)
	boss, err := d.ConnAs("boss")
	if err != nil {
		t.Fatal(err)
	}
	ann, err := d.ConnAs("ann")
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	boss.OnNotice(func(s string) { told = s })
	reloadtest.Put(t, fresh, path)
	if _, err := ann.Exec(t.Context(), "ALTER SYSTEM RELOAD"); code(err) != "42501" {
		t.Errorf("a reader: %v", err)
	}
	script(t, boss, "BEGIN")
	if _, err := boss.Exec(t.Context(), "ALTER SYSTEM RELOAD"); code(err) != "25001" {
		t.Errorf("in a block: %v", err)
	}
	script(t, boss, "ROLLBACK")
	for i, tag := range []string{"ALTER SYSTEM", "ALTER DATABASE"} {
		r, err := boss.Exec(t.Context(), tag+" RELOAD")
		if err != nil || r.Tag != tag {
			t.Errorf("%+v, %v", r, err)
		}
		if again := strings.Contains(told, "already"); again != (i == 1) {
			t.Errorf("reload %d gives the notice %q", i, told)
		}
	}
	wantText(t, ann, reloadtest.Word, saying("new"))
	w := open(t, "")
	_, err = w.Exec(t.Context(), "ALTER SYSTEM RELOAD")
	var e *db.Error
	if !errors.As(err, &e) || e.Code != "55000" || e.Hint == "" || e.Line != 1 {
		t.Errorf("a database that is open to write: %v", err)
	}
}

// TestReloadRefuses keeps the file before where the one at the path cannot be served.
func TestReloadRefuses(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "CREATE USER boss PASSWORD 'x' ROLE admin")
	without, _ := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	boss, err := d.ConnAs("boss")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	write := func(raw []byte) func() {
		return func() {
			if err := errors.Join(os.Remove(path), os.WriteFile(path, raw, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	damaged := hiddenDamage(t, fresh)
	var locked *db.DB
	for _, x := range []struct {
		name, code, says string
		prepare          func()
	}{
		{"missing", "58P01", "no such file", func() { os.Remove(path) }},
		{"no database", "58P01", "", func() { os.WriteFile(path, []byte(strings.Repeat("this is a text. ", 4096)), 0o600) }},
		{"empty", "58P01", "", write(nil)},
		{"a pipe", "58P01", "no regular file", func() {
			if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
				t.Fatal(err)
			}
		}},
		{"cut off", "XX001", "", write(whole[:len(whole)/2])},
		{"damaged", "XX001", "", write(damaged)},
		{"without users", "55000", "no users", func() { reloadtest.Put(t, without, path) }},
		{"open to write", "55006", "", func() {
			reloadtest.Put(t, fresh, path)
			locked = open(t, path)
		}},
	} {
		x.prepare()
		_, err := boss.Exec(t.Context(), "ALTER SYSTEM RELOAD")
		if code(err) != x.code || !strings.Contains(fmt.Sprint(err), x.says) {
			t.Errorf("%s: %v", x.name, err)
		}
		wantText(t, boss, reloadtest.Word, saying("old"))
		wantOpen(t, d, 1)
	}
	if got := figures(d)["parlance_file_reloads_total refused"]; got != 8 {
		t.Errorf("%g reloads are counted as refused", got)
	}
	if err := locked.Close(); err != nil {
		t.Fatal(err)
	}
	reload(t, d)
	wantText(t, boss, reloadtest.Word, saying("new"))
}

// hiddenDamage is a file with more in it, of which a byte is changed so that opening does not notice it, but CHECK
// DATABASE does.
func hiddenDamage(t *testing.T, file string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "damaged.parlance")
	reloadtest.Put(t, file, path)
	d := open(t, path)
	script(t, d.Conn(), "INSERT INTO terms SELECT 'x' || x * 7919 % 100003, x FROM generate_series(1, 60000) AS s(x); "+
		"BACKUP TO '"+path+".copy'") // without free pages
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path + ".copy")
	if err != nil {
		t.Fatal(err)
	}
	for at := len(whole) / 4; at < len(whole); at += 1009 {
		damaged := bytes.Clone(whole)
		damaged[at]++
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := db.Open(path, db.Options{ReadOnly: true})
		if err != nil {
			continue
		}
		_, err = d.Exec(t.Context(), "CHECK DATABASE")
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			return damaged
		}
	}
	t.Fatal("opening notices each damage")
	return nil
}

// TestReloadWrittenOver takes a file that was written over in place for another one.
func TestReloadWrittenOver(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	raw, err := os.ReadFile(fresh)
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err == nil {
		err = os.Chtimes(path, time.Now(), time.Now().Add(time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	reload(t, d)
	wantText(t, d.Conn(), reloadtest.Word, saying("new"))
}

// TestReloadUsers ends the sessions of users whom the new file lacks, and follows the roles of the others.
func TestReloadUsers(t *testing.T) {
	old, _ := reloadtest.Copies(t, "CREATE USER boss PASSWORD 'x' ROLE admin; CREATE USER ann PASSWORD 'x'; "+
		"CREATE USER eve PASSWORD 'x'; CREATE USER bob PASSWORD 'x'")
	raw, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "next.parlance")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, file)
	script(t, p.Conn(), "ALTER USER ann ROLE admin; DROP USER eve; DROP USER bob; CREATE USER bob PASSWORD 'y'; "+
		"UPDATE docs SET text = 'new'; BACKUP TO '"+file+".copy'")
	d, path := replica(t, old)
	ended := map[string]string{}
	sessions := map[string]*db.Conn{}
	for i, name := range []string{"boss", "ann", "eve", "bob"} {
		c, err := d.ConnAs(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Wire().SetConnection(int64(i+1), "", "")
		c.Wire().Register(func(err *db.Error, running bool) { ended[name] = fmt.Sprint(err.Code, running) })
		sessions[name] = c
	}
	script(t, sessions["eve"], "BEGIN")
	reloadtest.Put(t, file+".copy", path)
	if done := reload(t, d); done.Strangers != 2 || len(ended) != 2 || ended["eve"] != "28000false" ||
		ended["bob"] != "28000false" {
		t.Errorf("%+v; ended are %v", done, ended)
	}
	if role, err := sessions["ann"].Role(); err != nil || role != "admin" {
		t.Errorf("the role of ann is %s, %v", role, err)
	}
	if _, err := d.ConnAs("eve"); code(err) != "28000" {
		t.Errorf("eve logs in: %v", err)
	}
	if _, err := sessions["bob"].Exec(t.Context(), reloadtest.Word); code(err) != "28000" {
		t.Errorf("a later bob: %v", err)
	}
	if _, err := sessions["eve"].Exec(t.Context(), reloadtest.Word); err != nil {
		t.Errorf("the block of eve: %v", err)
	}
	sessions["eve"].Wire().Release()
	wantOpen(t, d, 1)
}

// TestReloadCancelled ends within a second when its context does, while it waits for another one.
func TestReloadCancelled(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	reloadtest.Put(t, fresh, path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Reload(ctx); code(err) != "57014" {
		t.Errorf("cancelled before: %v", err)
	}
	wantText(t, d.Conn(), reloadtest.Word, saying("old"))
	wantOpen(t, d, 1)
	locked := open(t, path) // the first one waits a second for it
	var wait sync.WaitGroup
	wait.Go(func() {
		if _, err := d.Reload(t.Context()); code(err) != "55006" {
			t.Errorf("locked: %v", err)
		}
	})
	time.Sleep(100 * time.Millisecond)
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := d.Reload(ctx); code(err) != "57014" || time.Since(began) > 800*time.Millisecond {
		t.Errorf("cancelled while another one runs, after %v: %v", time.Since(began), err)
	}
	wait.Wait()
	if err := locked.Close(); err != nil {
		t.Fatal(err)
	}
	reload(t, d)
}

// TestReloadsAtOnce exchange two files many times while sessions read: no statement or block sees both, and none fails.
func TestReloadsAtOnce(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var readers, reloaders sync.WaitGroup
	var seen [2]atomic.Int64
	for i := range 4 {
		readers.Go(func() {
			c := d.Conn()
			for ctx.Err() == nil {
				if i%2 == 0 {
					inStatement(t, c, &seen)
				} else if err := inBlock(c, &seen); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 2 {
		reloaders.Go(func() {
			begun := time.Now()
			both := func() bool { return seen[0].Load() > 0 && seen[1].Load() > 0 || time.Since(begun) > 20*time.Second }
			for j := 0; j < 10 || !both(); j++ { // readers may wait for a processor for long
				if i == 0 {
					reloadtest.Put(t, []string{fresh, old}[j%2], path)
				}
				if _, err := d.Reload(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	reloaders.Wait()
	cancel()
	readers.Wait()
	if seen[0].Load() == 0 || seen[1].Load() == 0 {
		t.Errorf("old was seen %d times, new %d times", seen[0].Load(), seen[1].Load())
	}
	if _, err := d.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	wantOpen(t, d, 1)
}

func inStatement(t *testing.T, c *db.Conn, seen *[2]atomic.Int64) {
	got := text(t, c, reloadtest.Both)
	switch {
	case strings.HasSuffix(got, "\nold\told\told\t3000\n"):
		seen[0].Add(1)
	case strings.HasSuffix(got, "\nnew\tnew\tnew\t3000\n"):
		seen[1].Add(1)
	default:
		t.Errorf("a statement sees %q", got)
	}
}

func inBlock(c *db.Conn, seen *[2]atomic.Int64) error {
	return c.Transaction(context.Background(), func(tx *db.Tx) error {
		var first, second string
		if err := tx.QueryRow(context.Background(), reloadtest.Word).Scan(&first); err != nil {
			return err
		}
		if err := tx.QueryRow(context.Background(), "SELECT max(term) FROM terms").Scan(&second); err != nil {
			return err
		}
		if first != second {
			return fmt.Errorf("a block sees %s and %s", first, second)
		}
		seen[map[string]int{"old": 0, "new": 1}[first]].Add(1)
		return nil
	})
}

// TestCloseWhileReloading closes all files, those that blocks and cursors hold among them.
func TestCloseWhileReloading(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	for i := range 20 {
		d, path := replica(t, old)
		c := d.Conn()
		script(t, c, "BEGIN; SELECT text FROM docs; DECLARE c CURSOR FOR SELECT term FROM terms; FETCH 1 FROM c")
		reloadtest.Put(t, fresh, path)
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := d.Reload(t.Context()); err != nil && code(err) != "08003" && code(err) != "57014" {
				t.Error(err)
			}
		})
		time.Sleep(time.Duration(i) * time.Millisecond)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		wait.Wait()
		if w, err := db.Open(path, db.Options{}); err != nil {
			t.Errorf("a file is still open: %v", err)
		} else if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReloadReleasesMemory gives back what the old file held, also where sessions wait that have used it.
func TestReloadReleasesMemory(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	c, wire := d.Conn(), d.Conn().Wire()
	wire.Interleave()
	defer wire.Release()
	wantText(t, c, reloadtest.Word, saying("old"))
	wantText(t, wire.Conn, reloadtest.Both, text(t, c, reloadtest.Both))
	rows, err := c.Query(t.Context(), reloadtest.Word)
	if err == nil {
		err = rows.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var gone atomic.Bool
	d.WhenFileIsCollected(func() { gone.Store(true) })
	reloadtest.Put(t, fresh, path)
	reload(t, d)
	for range 50 {
		runtime.GC()
		if gone.Load() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !gone.Load() {
		t.Error("the engine of the old file is still in memory")
	}
	runtime.KeepAlive(rows)
	runtime.KeepAlive(c)
	runtime.KeepAlive(wire)
}

// TestReadOnlySays what drivers ask of a database that is open read-only.
func TestReadOnlySays(t *testing.T) {
	old, _ := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	c := d.Conn()
	for statement, want := range map[string]string{
		"SHOW transaction_read_only":                                             "transaction_read_only\non\n",
		"SHOW in_hot_standby":                                                    "in_hot_standby\non\n",
		"SHOW default_transaction_read_only":                                     "default_transaction_read_only\noff\n",
		"SELECT pg_is_in_recovery() AS r":                                        "r\ntrue\n",
		"SELECT current_setting('transaction_read_only') r":                      "r\non\n",
		"SELECT value FROM system.settings WHERE name = 'transaction_read_only'": "value\non\n",
		"SELECT path = '" + path + "' AS p, read_only, modified IS NULL AS m, opened IS NULL AS o, length(content) AS n " +
			"FROM system.file": "p\tread_only\tm\to\tn\ntrue\ttrue\tfalse\tfalse\t16\n",
	} {
		wantText(t, c, statement, want)
	}
	script(t, c, "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")
	wantText(t, c, "SHOW transaction_read_only", "transaction_read_only\non\n")
	for _, statement := range []string{"BEGIN READ WRITE", "INSERT INTO docs (id, text) VALUES ('b', 'x')"} {
		_, err := c.Exec(t.Context(), statement)
		var e *db.Error
		if !errors.As(err, &e) || e.Code != "25006" || !strings.Contains(e.Hint, "open to write") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	w := open(t, "")
	for statement, want := range map[string]string{
		"SHOW in_hot_standby":             "in_hot_standby\noff\n",
		"SHOW transaction_read_only":      "transaction_read_only\noff\n",
		"SELECT pg_is_in_recovery() AS r": "r\nfalse\n",
		"SELECT read_only r, modified IS NULL m, content IS NULL n FROM system.file": "r\tm\tn\nfalse\ttrue\ttrue\n",
	} {
		wantText(t, w.Conn(), statement, want)
	}
}

// TestContent is the same for copies of one state, and another one for another state.
func TestContent(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	content := func(d *db.DB) string { return text(t, d.Conn(), "SELECT content FROM system.file") }
	d, path := replica(t, old)
	twin, _ := replica(t, old)
	first := content(d)
	if second := content(twin); first != second {
		t.Errorf("copies of one state have %q and %q", first, second)
	}
	reloadtest.Put(t, fresh, path)
	reload(t, d)
	if next := content(d); next == first {
		t.Errorf("a later state has %q too", next)
	}
}

// TestReloadModels answers with the model of the new file, of the same name and version and asked for the same text,
// and has loaded it before.
func TestReloadModels(t *testing.T) {
	raw, err := os.ReadFile("../testdata/quickstart/people.train.conll")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files []string
	for i, label := range []string{"PER", "HUMAN"} {
		gold := filepath.Join(dir, label+".conll")
		if err := os.WriteFile(gold, []byte(strings.ReplaceAll(string(raw), "-PER", "-"+label)), 0o600); err != nil {
			t.Fatal(err)
		}
		d := open(t, filepath.Join(dir, label+".parlance"))
		script(t, d.Conn(), "CREATE CORPUS gold; LOAD '"+gold+"' INTO gold FORMAT conll WITH (columns = (form, entities)); "+
			"TRAIN crf AS ner ON gold WITH (iterations = 20); TRAIN crf AS other ON gold WITH (iterations = 1)")
		files = append(files, filepath.Join(dir, fmt.Sprint(i)))
		script(t, d.Conn(), "BACKUP TO '"+files[i]+"'")
	}
	d, path := replica(t, files[0])
	c := d.Conn()
	const ask = "SELECT label FROM entities(TEXT 'Elena Moreau joined Acme Steel in Nairobi last spring.') USING ner " +
		"ORDER BY char_start LIMIT 1"
	for range 3 {
		wantText(t, c, ask, "label\nPER\n")
	}
	reloadtest.Put(t, files[1], path)
	reload(t, d)
	if got := figures(d)["parlance_loaded_models"]; got != 1 {
		t.Errorf("%g models are loaded before anybody asks, want that which was", got)
	}
	for range 3 {
		wantText(t, c, ask, "label\nHUMAN\n")
	}
}

// TestReloadAfterDamage leads out of a file that was cut off while it was served.
func TestReloadAfterDamage(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, path := replica(t, old)
	if err := os.Truncate(path, int64(2*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(t.Context(), "SELECT count(*) FROM terms WHERE term = 'old'"); code(err) != "XX001" {
		t.Errorf("a file that was cut off: %v", err)
	}
	if _, err := d.Reload(t.Context()); code(err) != "XX001" {
		t.Errorf("it is reloaded: %v", err)
	}
	reloadtest.Put(t, fresh, path)
	reload(t, d)
	wantText(t, d.Conn(), reloadtest.Word, saying("new"))
	wantOpen(t, d, 1)
}
